"""Back to the bit: in weather, in contact, with noise and delay, with what plain Python remembers."""

import numpy as np
import pytest

AHEAD = 700
REMEMBERS = """
from cupola import Controller, parameter

class Remembers(Controller):
    gain = parameter(0.5, low=0, high=1)

    def reset(self):
        self.sum, self.calls = 0.0, []

    def step(self, obs, ref):
        self.sum += obs.rate_b.y * obs.period
        self.calls.append(obs.time)
        if len(self.calls) == 30:
            self.late = 0.1  # a name that did not exist before
        return [0.0, self.gain * self.sum + getattr(self, "late", 0.0), 0.0, 0.01 * len(self.calls)]
"""
SPRING = """
from pydantic import PrivateAttr
from cupola import Load, Vector, Wrench

class Wobble(Load):
    age: int = 0
    _phase: float = PrivateAttr(0.0)

    def reset(self):
        self.age, self._phase = 0, 0.0

    def step(self, motion, density, drive):
        self.age += 1
        self._phase += 0.01 * motion.vel_s.x
        return Wrench(Vector(0.001 * self.age, self._phase, 0.0), Vector(0.0, 0.0, 0.0))
"""


def go_back(world, digest, before=500):
    """Run on, go back, run on again."""
    world.step(before)
    saved, at = world.snapshot(), digest(world)
    world.step(AHEAD)
    first = digest(world)
    world.restore(saved)
    assert digest(world) == at
    world.step(AHEAD)
    return first, digest(world)


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("grounded", [False, True])
def test_restores_weather_contact_noise_and_delay(busy, digest, integrator, grounded):
    world = busy(grounded=grounded, integrator=integrator)
    touched = 0
    for _ in range(300):
        world.step()
        touched += world.data.ncon > 0
    assert touched > 50 if grounded else touched == 0
    first, second = go_back(world, digest, before=0)
    assert first == second


def test_a_snapshot_is_a_copy(busy, digest):
    world = busy()
    saved = world.snapshot()
    at = digest(world)
    world.step(50)
    world.restore(saved)
    world.step(50)
    world.restore(saved)
    assert digest(world) == at


def test_restores_motion_and_late_samples_without_a_step(busy):
    world = busy()
    world.step(500)
    saved, motion = world.snapshot(), world.motion()
    late = [samples.latest() for samples in world.samples.values()]
    positions = world.data.site_xpos.copy()
    world.step(600)
    world.restore(saved)
    assert world.motion() == motion and world.time == 0.25
    assert [samples.latest() for samples in world.samples.values()] == late
    np.testing.assert_array_equal(world.data.site_xpos, positions)


def test_restores_into_another_world(busy, digest):
    one, two = busy(), busy()
    one.step(500)
    two.restore(one.snapshot())
    one.step(AHEAD)
    two.step(AHEAD)
    assert digest(one) == digest(two)


def test_restores_after_a_reset_with_another_seed(busy, digest):
    world, straight = busy(), busy()
    straight.step(500 + AHEAD)
    world.step(500)
    saved = world.snapshot()
    world.reset(seed=99)
    world.step(123)
    world.restore(saved)
    world.step(AHEAD)
    assert digest(world) == digest(straight)


def test_restores_a_compiled_controller_and_what_was_tuned(make_world, digest):
    world = make_world({"model": "quadcopter", "controller": {"use": "quadcopter_pd", "rate_hz": 400}})
    world.sticks([0.1, 0.1, 0.3, -0.8])
    world.tune("quadcopter.roll_kp", 0.2)
    world.step(500)
    saved = world.snapshot()
    world.step(AHEAD)
    first = digest(world)
    world.tune("quadcopter.roll_kp", 0.7)
    world.sticks([0.5, 0.5, 0.5, 0.5])
    world.step(50)
    world.restore(saved)
    assert world.parameters["quadcopter.roll_kp"][1] == 0.2
    world.step(AHEAD)
    assert digest(world) == first


@pytest.fixture
def in_python(vehicle, make_world):
    body = '<body name="base"><freejoint/><geom type="box" size="0.2 0.4 0.05"/><site name="here"/></body>'
    part = {"kind": "wobble.py:Wobble", "site": "here"}
    rotor = {"kind": "rotor", "site": "here", "channel": 3, "direction": 1}
    rotor["generic"] = {"s_prop": 0.02, "c_prop": 1.0, "k_motor": 50.0, "k_t_p": 1e-4, "k_omega": 20.0}
    controller = {"use": "remembers.py:Remembers", "rate_hz": 100}
    files = {"wobble.py": SPRING, "remembers.py": REMEMBERS}
    folder = vehicle(body, parts={"wobble": part, "motor": rotor}, controller=controller, files=files)
    return make_world({"model": folder, "velocity_b": [3, 0, 0], "rate_b": [0.1, 0.2, 0.3]}, physics_hz=500)


def test_restores_what_plain_python_remembers(in_python, digest):
    first, second = go_back(in_python, digest, before=100)
    assert first == second


def test_a_reset_makes_plain_python_forget(in_python, digest):
    in_python.step(300)
    first = digest(in_python)
    in_python.reset()
    in_python.step(300)
    assert digest(in_python) == first
