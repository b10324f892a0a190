"""Environments made from tasks: Gymnasium's own checkers and vector environments are the measure."""

import numpy as np
import pytest

import cupola
from cupola import InputError
from cupola.learn.task import Task, shipped_tasks

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install 'cupola[learn]'")
from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode, SyncVectorEnv  # noqa: E402

from cupola.learn.ppo import Learner, Settings  # noqa: E402

HOP: dict = {
    "scenario": {"physics_hz": 400, "vehicles": [{"model": "quadcopter", "position": [0, 0, 1]}]},
    "rate_hz": 50,
    "limit": 0.2,
    "action": {f"motor {k}": {"channel": k, "low": 0, "high": 1} for k in range(4)},
    "observation": ["quadcopter.position.z - goal.z", "quadcopter.velocity.z", "quadcopter.imu.accel_s.z"],
    "reward": "-abs(quadcopter.position.z - goal.z) / 1 m",
    "goals": [[0, 0, 1]],
    "lost": "quadcopter.position.z < 0.95 m",
    "loss": 3,
    "success": "abs(quadcopter.velocity.z) < 0.1 m/s",
    "randomise": {
        "quadcopter.start.position[2]": {"low": 0.96, "high": 1.04, "easy": [1.0, 1.0]},
        "quadcopter.base.mass": {"low": 0.9, "high": 1.1},
    },
}


def hop(**changes) -> Task:
    return Task(**{**HOP, **changes})


def test_an_environment_of_one_world_is_what_gymnasium_expects():
    check_env(cupola.env(hop()), skip_render_check=True)


def test_stable_baselines_takes_it():
    checker = pytest.importorskip("stable_baselines3.common.env_checker", reason="stable_baselines3 is not installed")
    checker.check_env(cupola.env(hop()))


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_batch_does_what_gymnasium_makes_of_single_environments(mode):
    ours = cupola.envs(hop(), 3, autoreset_mode=mode, backend="threads")
    theirs = SyncVectorEnv([lambda: cupola.env(hop())] * 3, autoreset_mode=mode)
    assert np.array_equal(ours.reset(seed=5)[0], theirs.reset(seed=5)[0])
    rng, ends = np.random.default_rng(0), 0
    for _ in range(25):
        acts = rng.uniform(-1, 1, (3, 4)).astype(np.float32)
        (seen, rewards, lost, cut, info), expected = ours.step(acts), theirs.step(acts)
        for one, other in zip((seen, rewards, lost, cut), expected[:4], strict=True):
            assert np.array_equal(one, other)
        ended = lost | cut
        ends += ended.sum()
        if mode == AutoresetMode.SAME_STEP and ended.any():
            assert np.array_equal(info["_final_obs"], expected[4]["_final_obs"])
            for i in np.flatnonzero(ended):
                assert np.array_equal(info["final_obs"][i], expected[4]["final_obs"][i])
        if mode == AutoresetMode.DISABLED and ended.any():
            with pytest.raises(InputError, match="have ended"):
                ours.step(acts)
            options = {"reset_mask": ended}
            assert np.array_equal(ours.reset(options=dict(options))[0], theirs.reset(options=dict(options))[0])
    assert ends > 4  # both kinds of ends were met
    ours.close(), theirs.close()


def test_the_same_seed_gives_the_same_episodes_and_difficulty_narrows_what_is_drawn():
    env = cupola.env(hop())
    first = env.reset(seed=3)[0]
    assert not np.array_equal(env.reset()[0], first)  # the next episode starts elsewhere
    assert np.array_equal(env.reset(seed=3)[0], first)
    assert env.reset(options={"difficulty": 0.0})[0][0] == 0.0
    masses = {float(env.world.inertia("quadcopter/base").mass) for _ in range(3) if env.reset()}
    assert len(masses) == 3 and all(0.9 <= mass <= 1.1 for mass in masses)


def test_actions_are_the_channels_over_their_ranges():
    env = cupola.env(hop(action={f"m{k}": {"channel": k, "low": 0.2, "high": 0.6} for k in range(4)}))
    env.reset(seed=0)
    env.step(np.array([-1.0, 0.0, 1.0, 5.0], np.float32))
    assert env.world.command("quadcopter")[:4] == pytest.approx([0.2, 0.4, 0.6, 0.6])


def test_goals_follow_each_other_and_what_is_reached_is_paid():
    reached = "quadcopter.position.z > goal.z"
    task = hop(
        goals=[[0, 0, 0.5], [0, 0, 0.6], [0, 0, 9]], reached=reached, prize=2, reward="0", success=None, lost=None
    )
    env = cupola.env(task)
    env.reset(seed=0)
    seen, reward, ended, _, info = env.step(np.zeros(4, np.float32))
    assert (reward, info["goals"], ended) == (2.0, 1, False)
    assert seen[0] == pytest.approx(env.world.motion().pos_w.z - 0.6)  # already that of the next goal
    assert env.step(np.zeros(4, np.float32))[4]["goals"] == 2


def test_progress_pays_the_increase_of_its_expression():
    env = cupola.env(hop(reward="0", progress="quadcopter.position.z / 1 m", lost=None))
    env.reset(seed=0)
    before = env.world.motion().pos_w.z
    rewards = [env.step(np.ones(4, np.float32))[1] for _ in range(3)]
    assert sum(rewards) == pytest.approx(env.world.motion().pos_w.z - before, abs=1e-12)


def test_a_world_that_stops_is_lost_and_says_why():
    task = hop(reward="0", lost=None, loss=7)
    env = cupola.env(task)
    env.reset(seed=0)
    env.world.data.qvel[2] = 1e9
    _, reward, terminated, truncated, info = env.step(np.zeros(4, np.float32))
    assert (reward, terminated, truncated) == (-7.0, True, False)
    assert "stopped at tick" in info["stopped"]
    assert not env.step(np.zeros(4, np.float32))[4]["success"]
    env.reset()
    assert not env.step(np.zeros(4, np.float32))[2]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"reward": "quadcopter.position.z"}, "a reward has no unit, got m"),
        ({"reward": "max(quadcopter.position.z) / 1 m"}, "max goes over a run"),
        ({"lost": "quadcopter.position.z"}, "expected a condition"),
        ({"observation": ["quadcopter.position.q"]}, "there is no signal 'quadcopter.position.q'"),
        ({"observation": ["quadcopter.position"]}, "has several numbers"),
        ({"randomise": {"quadcopter.base.maas": {"low": 0, "high": 1}}}, "maas"),
        ({"vehicle": "plane"}, "there is no 'plane'; there are: quadcopter"),
        ({"action": {"far": {"channel": 40, "low": 0, "high": 1}}}, "has 20 channels, got 40"),
    ],
)
def test_what_a_task_cannot_mean_is_refused(changes, said):
    with pytest.raises(InputError, match=said):
        cupola.env(hop(**changes))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"reward": "1 +"}, "reward: character"),
        ({"success": None}, "say what counts as done"),
        (
            {"action": {"a": {"channel": 1, "low": 0, "high": 1}, "b": {"channel": 1, "low": 0, "high": 1}}},
            "same channel",
        ),
        ({"action": {"a": {"channel": 1, "low": 1, "high": 1}}}, "low must lie below high"),
    ],
)
def test_a_task_that_contradicts_itself_is_refused_when_it_is_read(changes, said):
    with pytest.raises(InputError, match=said):
        hop(**changes)


def test_an_unknown_task_is_answered_with_those_there_are():
    with pytest.raises(InputError, match=r"there are: .*hover"):
        cupola.env("hoover")


@pytest.mark.parametrize("name", shipped_tasks())
def test_each_task_that_ships_is_an_environment(name):
    env = gymnasium.make(f"cupola.learn.environments:cupola/{name}-v0").unwrapped
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    rng, rewards = np.random.default_rng(1), []
    for _ in range(10):
        seen, reward, *_ = env.step(rng.uniform(-1, 1, env.action_space.shape).astype(np.float32))
        assert env.observation_space.contains(seen) and np.isfinite(reward)
        rewards.append(reward)
    assert len(set(rewards)) > 1  # what is done makes a difference
    env.close()


@pytest.mark.parametrize("name", shipped_tasks())
def test_each_task_that_ships_is_learnt_on_without_fault(name):
    """A few updates: the policy has changed, all its numbers are numbers, and its curve has every step."""
    worlds = cupola.envs(name, 2, autoreset_mode="SameStep", backend="threads")
    learner = Learner(worlds, Settings(steps=48, horizon=8, epochs=1, portions=1, hidden=(8,)))
    before = [one.copy() for one in learner.actor.numbers]
    curve = learner.learn()
    worlds.close()
    assert [one.steps for one in curve] == [16, 32, 48]
    for one, first in zip(learner.actor.numbers, before, strict=True):
        assert np.isfinite(one).all() and not np.array_equal(one, first)
