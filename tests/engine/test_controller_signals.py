"""What controllers tell about themselves: compiled and in plain Python alike, by the one that flies, and recorded."""

import math
from typing import Any

import numpy as np
import pytest

import cupola
from cupola import InputError
from cupola.config.controller import Controller, check_signals
from cupola.control import CONTROLLERS
from cupola.engine.law import compile_law, law_of
from cupola.kernel.array_groups import log_columns
from cupola.kernel.records import leaves
from cupola.parts.shown import leaf_units
from cupola.schema.plugins import shipped_class

BODY = '<body name="base"><freejoint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><site name="here"/></body>'
LAWFUL = """
from typing import Any, NamedTuple
from cupola import Controller, Vector, parameter

class Sum(NamedTuple):
    calls: float = 0.0

class Told(NamedTuple):
    position: Vector
    '''[m].'''
    calls: float
    '''[1].'''
    gain: float
    '''[1/s].'''
    stick: float
    '''[1].'''
    phase: float
    '''[1].'''

class One(NamedTuple):
    a: float

def law(obs, ref, state, p):
    return One(0.0), Sum(state.calls + 1.0)

def report(obs, ref, state, p):
    return Told(obs.pos_w, state.calls, p.gain, ref.sticks[0], 1.0 if obs.time > 0.5 else 0.0)

class Lawful(Controller):
    State, Signals, phases = Sum, Told, ("early", "late")
    law, report = staticmethod(law), staticmethod(report)
    gain = parameter(2.0, low=0, high=5)
"""
PLAIN = """
from typing import NamedTuple
from cupola import Controller

class Told(NamedTuple):
    calls: float
    '''[1].'''

class Plain(Controller):
    Signals = Told

    def reset(self):
        super().reset()
        self.calls = 0

    def step(self, obs, ref):
        self.calls += 1
        return ()

    def signals(self):
        return Told(self.calls)
"""


@pytest.fixture
def lawful(vehicle, make_world):
    folder = vehicle(BODY, controller={"use": "mine.py:Lawful", "rate_hz": 100}, files={"mine.py": LAWFUL})

    def make(compiled=True, **scenario):
        return make_world(folder, physics_hz=1000, gravity=9.81, options={"compiled": compiled}, **scenario)

    return make


@pytest.mark.parametrize("compiled", [True, False])
def test_signals_are_those_of_the_last_call(lawful, compiled):
    world = lawful(compiled)
    assert world.instances[0].runner.compiled == compiled
    assert math.isnan(world.signal("toy.controller.calls"))  # it has not been called yet
    world.sticks([0.25])
    world.tune("toy.gain", 3.0)
    world.step(301)  # calls at ticks 0, 10, ..., 300
    assert world.signal("toy.controller.calls") == 31.0
    assert world.signal("toy.controller.gain") == 3.0
    assert world.signal("toy.controller.stick") == 0.25
    assert world.signal("toy.controller.phase") == 0.0
    height = world.signal("toy.controller.position")[2]
    world.step(5)
    assert world.signal("toy.controller.position")[2] == height  # held until the next call
    world.step(300)
    assert world.signal("toy.controller.phase") == 1.0


def test_compiled_and_plain_tell_the_same_bits(lawful):
    one, other = lawful(True), lawful(False)
    for world in (one, other):
        world.step(777)
    assert one.arrays.reported.tobytes() == other.arrays.reported.tobytes()


def test_signals_have_units_and_are_in_the_log(lawful):
    world = lawful()
    listed = {one.name: one.unit for one in world.signals() if ".controller." in one.name}
    assert listed == {
        "toy.controller.position.x": "m",
        "toy.controller.position.y": "m",
        "toy.controller.position.z": "m",
        "toy.controller.calls": "1",
        "toy.controller.gain": "1/s",
        "toy.controller.stick": "1",
        "toy.controller.phase": "1",
    }
    world.run(1.0)
    rows = world.arrays.log.reshape(-1, int(world.arrays.world["log_width"][0]))
    rows = rows[: int(world.arrays.counters[-1])]
    calls = rows[:, log_columns(world.arrays)["reported"]][:, 3]
    assert np.isnan(calls[0])
    assert calls[1:].tolist() == [float(k) for k in range(1, 101)]


@pytest.mark.parametrize("compiled", [True, False])
def test_a_snapshot_holds_them(lawful, compiled):
    world = lawful(compiled)
    world.step(250)
    kept, before = world.snapshot(), world.arrays.reported.copy()
    world.step(400)
    after = world.arrays.reported.copy()
    world.restore(kept)
    assert world.arrays.reported.tobytes() == before.tobytes()
    world.step(400)
    assert world.arrays.reported.tobytes() == after.tobytes()
    world.reset()
    assert np.isnan(world.arrays.reported).all()


def test_a_plain_controller_tells_by_a_method(vehicle, make_world):
    folder = vehicle(BODY, controller={"use": "mine.py:Plain", "rate_hz": 50}, files={"mine.py": PLAIN})
    world = make_world(folder, physics_hz=1000)
    world.step(101)
    assert world.signal("toy.controller.calls") == 6.0


def test_only_the_one_who_flies_tells():
    world: Any = cupola.load("quadcopter")
    world.run(0.5)
    assert math.isfinite(world.signal("quadcopter.controller.error.z"))
    assert math.isnan(world.signal("quadcopter.controller.assisted.error.z"))
    world.take_over("assisted")
    assert math.isnan(world.signal("quadcopter.controller.error.z"))
    assert world.signal("quadcopter.controller.assisted.error.z") == pytest.approx(0.0, abs=0.01)  # at once
    world.run(0.5)
    kept = world.snapshot()
    world.take_over("raw")
    world.restore(kept)
    assert math.isfinite(world.signal("quadcopter.controller.assisted.phase"))
    assert math.isnan(world.signal("quadcopter.controller.raw.height"))


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (PLAIN.replace("    def signals(self):\n        return Told(self.calls)\n", ""), "needs a method signals"),
        (PLAIN.replace("    Signals = Told\n", ""), "declare a NamedTuple Signals"),
        (PLAIN.replace("Signals = Told", "Signals = dict"), "must be a NamedTuple"),
        (
            PLAIN.replace("Signals = Told", "Signals = Told\n    phases = ('a', 'b')"),
            "a field 'phase'; they have: calls",
        ),
    ],
    ids=["nobody tells", "undeclared", "no tuple", "no phase"],
)
def test_a_declaration_that_does_not_fit_is_refused(vehicle, make_world, code, words):
    folder = vehicle(BODY, controller={"use": "mine.py:Plain", "rate_hz": 50}, files={"mine.py": code})
    with pytest.raises(InputError, match=rf"controller\.use: Plain.*{words}"):
        make_world(folder)


def test_a_law_needs_a_report(vehicle, make_world):
    code = LAWFUL.replace("    law, report = staticmethod(law), staticmethod(report)", "    law = staticmethod(law)")
    folder = vehicle(BODY, controller={"use": "mine.py:Lawful", "rate_hz": 100}, files={"mine.py": code})
    with pytest.raises(InputError, match="Lawful declares Signals: it needs a report"):
        make_world(folder)


def test_signals_of_another_size_are_refused(vehicle, make_world):
    code = PLAIN.replace("return Told(self.calls)", "return (1.0, 2.0)")
    folder = vehicle(BODY, controller={"use": "mine.py:Plain", "rate_hz": 50}, files={"mine.py": code})
    with pytest.raises(InputError, match=r"Plain\.signals must return its Signals, 1 numbers"):
        make_world(folder, physics_hz=1000).step()


SILENT = {"direct", "idle", "key_steps", "pass_through", "remote", "ardupilot", "betaflight", "px4", "xplane"}
"""Nothing to say beside what the sticks and channels say; what those elsewhere would say is not known here."""


@pytest.mark.parametrize("name", sorted(CONTROLLERS))
def test_every_shipped_controller_declares_its_signals_with_units(name):
    cls = shipped_class(CONTROLLERS[name], Controller)
    check_signals(cls)
    assert (cls.Signals is None) == (name in SILENT)
    if cls.Signals is None:
        return
    units = leaf_units(cls.Signals, "none")
    assert [leaf for leaf, unit in units.items() if unit == "none"] == []
    assert ("phase" in cls.Signals._fields) == bool(cls.phases)
    assert len(set(cls.phases)) == len(cls.phases)


def test_a_report_belongs_to_the_compiled_law():
    """The same law with and without a report are two compiled functions."""
    from cupola.control.mecanum.wheels import MecanumWheels as Wheels

    told = compile_law(law_of(Wheels))
    alone = compile_law(law_of(Wheels)._replace(report=None, Signals=None))
    assert alone.address != told.address
    assert leaves(Wheels.Signals) == tuple(
        f"wheels.{w}" for w in ("front_right", "front_left", "rear_left", "rear_right")
    )
