"""Several vehicles that learn in one world: PettingZoo's own test is the measure."""

import numpy as np
import pytest

import cupola
from cupola import InputError
from cupola.learn.task import Task

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'cupola[agents]'")
from pettingzoo.test import parallel_api_test, parallel_seed_test


def pair(**changes) -> Task:
    vehicles = [{"model": "quadcopter", "name": n, "position": [x, 0, 1]} for n, x in (("left", 0.0), ("right", 3.0))]
    content = {
        "scenario": {"physics_hz": 400, "vehicles": vehicles},
        "agents": {"left": [0, 0, 0], "right": [3, 0, 0]},
        "rate_hz": 50,
        "limit": 0.3,
        "action": {f"motor {k}": {"channel": k, "low": 0, "high": 1} for k in range(4)},
        "observation": ["left.position.x - goal.x", "left.position.z", "right.position.x - left.position.x"],
        "reward": "-abs(left.position.z - goal.z) / 1 m",
        "goals": [[0, 0, 1]],
        "lost": "left.position.z < 0.95 m",
        "loss": 3,
        "success": "left.position.z > 0.9 m",
        "randomise": {"left.start.position[2]": {"low": 0.98, "high": 1.02}, "air.wind_speed": {"low": 0, "high": 2}},
    }
    return Task(**{**content, **changes})


def test_it_is_what_pettingzoo_expects():
    parallel_api_test(cupola.parallel_env(pair()), num_cycles=60)
    parallel_seed_test(lambda: cupola.parallel_env(pair()))


def test_each_agent_sees_the_world_with_its_own_eyes_and_is_lost_alone():
    env = cupola.parallel_env(pair(randomise={}))
    seen, _ = env.reset(seed=1)
    assert np.allclose(seen["left"], [0.0, 1.0, 3.0]) and np.allclose(seen["right"], [0.0, 1.0, -3.0])
    acts = {"left": np.full(4, 1.0), "right": np.full(4, -1.0)}  # one climbs, the other falls
    told = []
    while "right" in env.agents:
        told.append(env.step({name: acts[name] for name in env.agents}))
    seen, rewards, terminated, truncated, _ = told[-1]
    assert terminated == {"left": False, "right": True} and not any(truncated.values()) and env.agents == ["left"]
    assert seen["left"][1] > 1.0 > 0.95 > seen["right"][1] and rewards["right"] < -3.0 < rewards["left"]
    while env.agents:
        last = env.step({"left": acts["left"]})
    assert last[3] == {"left": True} and last[4]["left"]["success"]
    assert env.world.time == pytest.approx(0.3)


def test_two_agents_in_one_world_fly_as_the_same_commands_fly_them():
    env = cupola.parallel_env(pair(randomise={}, lost=None))
    env.reset(seed=3)
    acts = {"left": np.array([0.1, 0.2, 0.1, 0.2]), "right": np.array([0.3, 0.2, 0.3, 0.2])}
    for _ in range(5):
        env.step(acts)
    world = cupola.load(env.task.world())
    world.reset(int(world.scenario.seed))
    for name, row in zip(acts, env.task.sticks(np.array(list(acts.values()))), strict=True):
        world.sticks(row.tolist(), name)
    world.step(40)
    for name in acts:
        assert env.world.motion(name) == world.motion(name)


def test_what_does_not_fit_is_refused_by_name():
    with pytest.raises(InputError, match="agents: there is no 'middle'; there are: left, right"):
        cupola.parallel_env(pair(agents={"left": [0, 0, 0], "middle": [0, 0, 0]}))
    with pytest.raises(InputError, match=r"cupola\.env is for one vehicle"):
        cupola.parallel_env(pair(agents={}))
    with pytest.raises(InputError, match=r"left, right learn together: cupola\.parallel_env"):
        cupola.env(pair())
    env = cupola.parallel_env(pair())
    env.reset(seed=1)
    with pytest.raises(InputError, match="expected actions of left, right, got left"):
        env.step({"left": np.zeros(4)})
    with pytest.raises(InputError, match="right: expected 4 actions"):
        env.step({"left": np.zeros(4), "right": np.zeros(3)})
