"""Wrong arguments of public calls are answered in one sentence, and change nothing."""

import logging
import math
from typing import Any

import numpy as np
import pytest

import cupola
from cupola.config.controller import Sensors

WRONG = ["a", None, -1, 1.5, math.nan, math.inf, [], {}, object(), True, int, b"x", 10**30]


@pytest.fixture(scope="module")
def world():
    return cupola.load("quadcopter")


CALLS = {
    "run": lambda w, x: w.run(x),
    "run speed": lambda w, x: w.run(0.0, speed=x),
    "step": lambda w, x: w.step(x),
    "reset": lambda w, x: w.reset(x),
    "motion": lambda w, x: w.motion(x),
    "command": lambda w, x: w.command(x),
    "part": lambda w, x: w.part(x),
    "signal": lambda w, x: w.signal(x),
    "tune": lambda w, x: w.tune("quadcopter.motor1.k_omega", x),
    "tune name": lambda w, x: w.tune(x, 1.0),
    "sticks": lambda w, x: w.sticks(x),
    "sticks item": lambda w, x: w.sticks([x]),
    "script": lambda w, x: w.script(x),
    "plan": lambda w, x: w.plan(x),
    "plan row": lambda w, x: w.plan([x]),
    "turn": lambda w, x: w.turn(x, 0.0),
    "turn value": lambda w, x: w.turn(0, x),
    "push": lambda w, x: w.push(x, (0.0, 0.0, 0.0)),
    "push force": lambda w, x: w.push(1, x),
    "fail": lambda w, x: w.fail(x, "off"),
    "fail kind": lambda w, x: w.fail("quadcopter.motor1", x),
    "fail amount": lambda w, x: w.fail("quadcopter.motor1", "off", x),
    "take_over": lambda w, x: w.take_over(x),
    "restore": lambda w, x: w.restore(x),
    "set_inertia": lambda w, x: w.set_inertia(1, x, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)),
    "set_inertia centre": lambda w, x: w.set_inertia(1, 1.0, x, (1.0, 1.0, 1.0, 0.0, 0.0, 0.0)),
    "mode": lambda w, x: w.mode(x),
    "load": lambda w, x: cupola.load(x),
    "World": lambda w, x: cupola.World(x),
    "Scenario.load": lambda w, x: cupola.Scenario.load(x),
    "Vehicle.load": lambda w, x: cupola.Vehicle.load(x),
}
ALLOWED: dict[str, list[Any]] = {
    "run": [None, 1.5, 10**30],
    "step": [10**30],
    "run speed": [None, 1.5, 10**30],
    "reset": [None],
    "motion": [None],
    "command": [None],
    "mode": [None],
    "sticks": [[]],
    "sticks item": [-1, 1.5, math.nan, math.inf, 10**30],
    "script": [[]],
    "plan": [[]],
    "set_inertia": [1.5, 10**30],
    "turn value": [-1, 1.5, 10**30],
    "tune": [-1, 1.5],
}
"""What is right, or stands for a default; a lost stick is NaN."""


@pytest.mark.parametrize("call", CALLS)
def test_wrong_arguments_are_answered_in_a_sentence(world, call):
    now = world.snapshot()
    for wrong in WRONG:
        if any(wrong is one or (type(wrong) is type(one) and wrong == one) for one in ALLOWED.get(call, [])):
            continue
        with pytest.raises(cupola.InputError) as caught:
            CALLS[call](world, wrong)
        said = str(caught.value)
        assert said and "\n" not in said and len(said) < 2000, (wrong, said)
    assert world.snapshot().engine.tobytes() == now.engine.tobytes()


def test_a_scenario_in_place_of_a_world_says_how():
    with pytest.raises(cupola.InputError, match=r"World takes a Scenario, got text 'square': cupola.load\('square'\)"):
        cupola.World("square")  # type: ignore[arg-type]
    with pytest.raises(cupola.InputError, match=r"cupola.load\(vehicle\)"):
        cupola.World(cupola.Vehicle.load("quadcopter"))  # type: ignore[arg-type]
    with pytest.raises(
        cupola.InputError, match=r"duration \[s\]: expected a finite number between 0 and 1e\+09, got -1"
    ):
        cupola.load("quadcopter").run(-1)


def test_a_sensor_that_is_not_there_is_answered_with_those_that_are():
    sensors = Sensors({"imu": lambda: 1})
    assert sensors["imu"]() == 1 and sensors.get("gps") is None and "gps" not in sensors
    with pytest.raises(cupola.InputError, match="there is no sensor 'gps'; there are: imu"):
        sensors["gps"]

    class Lost(cupola.Controller):
        def step(self, obs, ref):
            return [self.sensors["gps"]()] * 4

    world = cupola.load("quadcopter", controllers={"quadcopter": Lost})
    with pytest.raises(cupola.InputError, match="there is no sensor 'gps'; there are: imu"):
        world.step()


def test_numpy_numbers_are_numbers(world):
    before = world.tick
    world.step(np.int64(2))
    world.run(np.float32(0.01))
    world.sticks(np.zeros(4))
    assert world.tick == before + 2 + round(0.01 * world.scenario.physics_hz)


def test_compiling_is_told(capsys, caplog, monkeypatch):
    from cupola.engine import units

    caplog.set_level(logging.WARNING, logger="cupola")  # whoever listens hears it from the log
    monkeypatch.setattr(units, "_LOADED", set())  # whatever worlds this process has loaded before
    monkeypatch.setattr(units, "is_loop_cold", lambda: True)
    monkeypatch.setattr(units, "is_core_cold", lambda name: False)
    cupola.load("quadcopter")
    assert "cupola: compiling 1 kernel of this world, cached for later runs" in capsys.readouterr().err
    monkeypatch.undo()
    cupola.load("quadcopter")
    assert capsys.readouterr().err == ""
