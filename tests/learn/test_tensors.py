"""Environments of tensors are those of arrays: the same flights, judged by the same expressions."""

from typing import Any

import numpy as np
import pytest

import cupola
from cupola import InputError
from cupola.learn.episodes import Score
from cupola.learn.task import Task
from cupola.many import fused
from cupola.many.flight_template import TOUCHES

pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install 'cupola[learn]'")


def fast_and_plain(monkeypatch):
    """A body that falls, instead of the compiled flight: what is tested here is around it."""

    def fly(self, count):
        for row, rate in (("pos.z", "vel.z"), ("pos.x", "vel.x")):
            self.array[self.rows[row]] += count * self.dt * self.array[self.rows[rate]]
        self.array[self.rows["vel.z"]] += count * self.dt * 40.0 * self.array[self.rows["sticks.8"]]
        self._whole[fused.TICK] += count
        self._whole[fused.STATUS] = np.where(self.array[self.rows["pos.z"]] < 0.9, TOUCHES, 0)

    monkeypatch.setattr(fused.FusedBatch, "_compile", lambda self: None)
    monkeypatch.setattr(fused.FusedBatch, "_fly", fly)


FALL: dict = {
    "scenario": {"physics_hz": 400, "vehicles": [{"model": "quadcopter", "position": [0, 0, 1]}]},
    "rate_hz": 50,
    "limit": 0.2,
    "backend": "fused",
    "action": {f"motor {k}": {"channel": k, "low": 0, "high": 1} for k in range(4)},
    "observation": [
        "quadcopter.position.z - goal.z",
        "max(quadcopter.velocity.z, -0.1 m/s)",
        "quadcopter.attitude.roll + 2 * quadcopter.attitude.pitch - quadcopter.attitude.yaw",
        "quadcopter.velocity_b.y",
        "quadcopter.speed ^ 2",
    ],
    "reward": "-norm(quadcopter.position) / 1 m when not quadcopter.position.z > 5 m",
    "progress": "quadcopter.position.z / 1 m",
    "goals": [[0, 0, 1], [0, 0, 1.01]],
    "reached": "quadcopter.position.z > goal.z and quadcopter.speed >= 0.2 m/s",
    "prize": 2,
    "lost": "quadcopter.position.z < 0.96 m or abs(quadcopter.velocity.z) > 1 m/s",
    "loss": 3,
    "randomise": {
        "quadcopter.start.position[2]": {"low": 0.96, "high": 1.04, "easy": [1.0, 1.0]},
        "quadcopter.start.attitude_deg[0]": {"low": -30, "high": 30},
        "quadcopter.start.velocity_b[0]": {"low": -1, "high": 1},
        "quadcopter.base.mass": {"low": 0.9, "high": 1.1},
    },
}


@pytest.mark.parametrize("mode", ["SameStep", "NextStep", "Disabled"])
def test_tensors_tell_what_arrays_tell(mode, monkeypatch):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    fast_and_plain(monkeypatch)
    ours = cupola.envs(Task(**FALL), 16, autoreset_mode=mode, backend="fused", tensors=True)
    theirs = cupola.envs(Task(**FALL), 16, autoreset_mode=mode)
    theirs.reset(seed=0)
    seen, _ = ours.reset(seed=4)
    assert seen.dtype == torch.float32

    def level():
        """The arrays' worlds as the tensors' are: their starts are drawn in other ways."""
        other: Any = theirs.episodes
        other.batch.array[:], other.batch._whole[:] = ours.batch.array, ours.batch._whole
        for name in ("at", "before", "steps"):
            setattr(other._score, name, getattr(ours._score, name).numpy().copy())
        other.batch.stopped.clear()
        return other.observations()

    assert seen.numpy() == pytest.approx(level(), abs=1e-6)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(25):
        acts = rng.uniform(-1, 1, (16, 4)).astype(np.float32)
        found, expected = ours.step(torch.as_tensor(acts)), theirs.step(acts)
        for one, other in zip(found[1:4], expected[1:4], strict=True):
            assert one.numpy() == pytest.approx(other, abs=1e-6)
        assert np.array_equal(found[4]["success"], expected[4]["success"])
        ended = np.asarray(found[2] | found[3])
        ends += ended.sum()
        if mode == "SameStep":
            last = np.array([*expected[4].get("final_obs", np.full(16, None))], object)[ended]
            for one, other in zip(np.asarray(found[4]["final_obs"])[ended], last, strict=True):
                assert one == pytest.approx(other, abs=1e-6)
        if mode == "Disabled" and ended.any():
            with pytest.raises(InputError, match="have ended"):
                ours.step(torch.as_tensor(acts))
            ours.reset(options={"reset_mask": torch.as_tensor(ended)})
            theirs.reset(options={"reset_mask": ended})
        level()
        theirs._ended[:] = np.asarray(ours._ended)
    assert ends > 8
    ours.close(), theirs.close()


def test_starts_are_drawn_between_their_ends_and_one_seed_gives_them_again(monkeypatch):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from cupola.learn.torch_ppo import TensorLearner

    fast_and_plain(monkeypatch)
    many = cupola.envs(Task(**FALL), 500, backend="fused", tensors=True)
    first = many.reset(seed=3)[0].clone()
    heights = many._state[many.batch.rows["pos.z"]]
    assert 0.96 <= heights.min() < 0.963 and 1.037 < heights.max() <= 1.04
    assert not torch.equal(many.reset()[0], first)
    assert torch.equal(many.reset(seed=3)[0], first)
    assert (many.reset(options={"difficulty": 0.0})[0][:, 0] == 0.0).all()
    masses = np.unique(many.batch._tuned["quadcopter.base.mass"])
    assert len(masses) == 500 and masses.min() >= 0.9 and masses.max() <= 1.1
    with pytest.raises(InputError, match="SAME_STEP"):
        TensorLearner(many)
    with pytest.raises(InputError, match="500 rows"):
        many.step(torch.zeros(3, 4))
    many.close()


def test_the_learner_of_tensors_learns_and_its_policy_is_that_of_its_network(monkeypatch):
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    from cupola.learn.ppo import Settings
    from cupola.learn.torch_ppo import TensorLearner, held_by

    fast_and_plain(monkeypatch)
    rise = {"reached": None, "goals": [[0, 0, 1]], "success": "abs(quadcopter.velocity.z) < 0.5 m/s", "progress": None}
    task = Task(**{**FALL, **rise, "reward": "-abs(quadcopter.velocity.z) / 1 m/s", "lost": None})
    many = cupola.envs(task, 64, backend="fused", tensors=True, autoreset_mode="SameStep")
    learner = TensorLearner(many, Settings(steps=64 * 16 * 12, horizon=16, rate=1e-2, hidden=(16,)))
    curve = learner.learn()
    assert len(curve) == 12 and curve[-1].reward > curve[0].reward
    assert held_by(learner) > 0.9
    seen = many.reset(seed=1)[0]
    with torch.no_grad():
        wanted = learner.actor(seen).clamp(-1.0, 1.0).numpy()
    assert learner.trained().act(seen.numpy()) == pytest.approx(wanted, abs=1e-6)
    many.close()


def test_whose_worlds_are_whole_has_no_tensors():
    pytest.importorskip("torch", reason="PyTorch is not installed")
    with pytest.raises(InputError, match="for the back-ends cuda and fused, got threads"):
        cupola.envs(Task(**FALL), 2, backend="threads", tensors=True)


def test_what_is_earned_counts_the_same_for_some_worlds_as_for_all():
    score = Score(Task(**FALL), 3, np)
    score.at, score.steps = np.array([1, 2, 0]), np.array([4, 5, 6])
    assert score.goal()[:, 2].tolist() == [1.01, 1.01, 1.0]
    score.begin(np.array([True, False, False]))
    assert score.at.tolist() == [0, 2, 0] and score.steps.tolist() == [0, 5, 6]
