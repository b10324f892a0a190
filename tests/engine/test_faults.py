"""A run that must stop names who did it and when, and leaves a file from which it can be gone through again."""

import re
from pathlib import Path

import numpy as np
import pytest

import cupola
from cupola import SimulationError

BODY = '<body name="base"><freejoint/><geom type="box" size="0.2 0.4 0.05" mass="1"/><site name="here"/></body>'
PLAIN = """
import math
from cupola import Controller

class Bad(Controller):
    def step(self, obs, ref):
        return [0.0, math.nan if obs.time > 0.0995 else 0.1]
"""
LAW = """
import math
from typing import NamedTuple
from cupola import Controller

class Two(NamedTuple):
    a: float
    b: float

def law(obs, ref, state, p):
    return Two(0.1, math.nan if obs.time > 0.0995 else 0.1), state

class Bad(Controller):
    law = staticmethod(law)
"""
PART = """
import math
from cupola import Load, Vector, Wrench

class Bad(Load):
    gain: float

    def step(self, motion, density, drive):
        v = motion.vel_s
        bad = math.nan if self.gain == 0 and v.z < -0.5 else 0.0
        return Wrench(Vector(self.gain * v.x, self.gain * v.y, self.gain * v.z), Vector(bad, 0.0, 0.0))
"""
ROTOR = {"kind": "rotor", "site": "here", "channel": -1, "direction": 1}
WING = {"kind": "airfoil", "site": "here", "surface": {"area": 1.0, "span": 2.0, "chord": 1.0, "c_lift_a": 5.0}}


def stop(world, folder, ticks=5000):
    """Run into the fault; returns what was said and the file that was left."""
    world.dump_folder = Path(folder) / "left"
    with pytest.raises(SimulationError) as caught:
        world.step(ticks)
    text = str(caught.value)
    (file,) = world.dump_folder.iterdir()
    assert str(file) in text and f"stopped at tick {world.tick} " in text
    return text, file


@pytest.mark.parametrize("code", [PLAIN, LAW], ids=["plain", "compiled"])
def test_a_controller_that_gives_no_number(vehicle, make_world, tmp_path, code):
    controller = {"use": "bad.py:Bad", "rate_hz": 100}
    world = make_world(vehicle(BODY, controller=controller, files={"bad.py": code}), physics_hz=1000)
    text, _ = stop(world, tmp_path)
    assert world.tick == 100  # 0.0995 s fall between the calls at 0.09 s and 0.10 s
    assert "controller Bad of 'toy'" in text


def test_a_part_in_plain_python_that_gives_no_number(vehicle, make_world, tmp_path):
    part = {"kind": "bad.py:Bad", "site": "here", "gain": 0.0}
    world = make_world(vehicle(BODY, parts={"odd": part}, files={"bad.py": PART}), physics_hz=1000)
    text, _ = stop(world, tmp_path)
    assert world.tick == 51  # 9.81 m/s² x 51 ms is the first speed above 0.5 m/s
    assert "part 'odd' (bad.py:Bad) of 'toy'" in text


def test_a_part_of_ours_that_gives_no_number(vehicle, make_world, tmp_path):
    world = make_world({"model": vehicle(BODY, parts={"wing": WING}), "velocity_b": [10, 0, -1]})
    world.part("wing").row.area = 1e308  # no file may say so
    text, _ = stop(world, tmp_path)
    assert world.tick == 0 and "part 'wing' (airfoil) of 'toy'" in text


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_a_vehicle_that_runs_away_under_its_motor(vehicle, make_world, tmp_path, monkeypatch, integrator):
    monkeypatch.chdir(tmp_path)
    # Thrust against the square of the speed, with a wrong sign: faster than exponential.
    generic = {"s_prop": 1.0, "c_prop": 1.0, "k_motor": 1e-6, "k_t_p": 0.0, "k_omega": 20.0}
    folder = vehicle(BODY, parts={"idle": ROTOR, "motor": {**ROTOR, "generic": generic}})
    world = make_world({"model": folder, "velocity_b": [50, 0, 0]}, integrator=integrator)
    world.part("motor").row.s_prop = -1.0
    text, _ = stop(world, tmp_path)
    assert "body 'toy/base' runs away" in text and "'motor' (rotor)" in text
    assert not Path("MUJOCO_LOG.TXT").exists()


def test_a_vehicle_that_runs_away_under_a_part_in_plain_python(vehicle, make_world, tmp_path):
    part = {"kind": "bad.py:Bad", "site": "here", "gain": 40.0}
    folder = vehicle(BODY, parts={"idle": ROTOR, "push": part}, files={"bad.py": PART})
    text, _ = stop(make_world({"model": folder, "velocity_b": [1, 0, 0]}), tmp_path)
    assert "body 'toy/base' runs away" in text and "'push' (bad.py:Bad)" in text


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
@pytest.mark.parametrize("gain", [0.0, 40.0], ids=["no number", "runs away"])
def test_collisions_are_never_looked_for_where_places_are_no_numbers(
    vehicle, make_world, tmp_path, monkeypatch, integrator, gain
):
    """MuJoCo's collision detection may crash on them: a run ends before it is asked."""
    monkeypatch.chdir(tmp_path)
    part = {"kind": "bad.py:Bad", "site": "here", "gain": gain}
    folder = vehicle(BODY, parts={"odd": part}, files={"bad.py": PART})
    world = make_world({"model": folder, "velocity_b": [1, 0, 0]}, integrator=integrator)
    stop(world, tmp_path)
    assert np.isfinite(world.data.xpos).all() and np.isfinite(world.data.geom_xpos).all()


def runaway(busy):
    """The vehicle in weather with noise and a drag that pushes: v' = k v² ends at t = 1 / (k v), soon after 0.2 s."""
    world = busy(physics_hz=1000)
    world.part("wing").row.c_drag_p = -1.8
    return world


def test_the_file_goes_back_and_the_same_fault_comes_again(busy, digest, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    world = runaway(busy)
    text, file = stop(world, tmp_path)
    assert not Path("MUJOCO_LOG.TXT").exists()
    tick, end = world.tick, digest(world)
    assert tick - 99 < 200 < tick  # the sticks move while the file looks on
    kept = len(np.load(file)["states"])
    assert kept == min(100, tick + 1)
    for index, back in ((-1, 0), (-30, 29), (0, kept - 1)):
        for again in (world, runaway(busy)):
            again.dump_folder = file.parent
            again.restore(file, index)
            assert again.tick == tick - back
            with pytest.raises(SimulationError, match=re.escape(text.partition(";")[0])):
                again.step(200)
            assert (again.tick, digest(again)) == (tick, end)


def test_one_can_go_another_way_from_an_older_state(busy, tmp_path):
    world = runaway(busy)
    _, file = stop(world, tmp_path)
    world.restore(file, 0)
    world.part("wing").row.c_drag_p = 0.04
    world.step(1000)
    assert np.isfinite(world.data.qpos).all()


def test_after_a_restore_the_file_holds_one_story(busy, tmp_path):
    world = busy(physics_hz=1000)
    world.step(40)
    early = world.snapshot()
    world.step(400)
    world.restore(early)
    world.step(25)
    world.part("motor").row.thrust_max = np.nan
    _, file = stop(world, tmp_path)
    ticks = []
    for index in range(len(np.load(file)["states"])):
        world.restore(file, index)
        ticks.append(world.tick)
    assert ticks == list(range(ticks[0], 66)) and ticks[0] <= 40


def test_a_restore_from_another_world_begins_a_story(busy, tmp_path):
    one, two = busy(physics_hz=1000), busy(physics_hz=1000, seed=9)
    one.step(40)
    two.step(50)
    two.restore(one.snapshot())
    two.step(5)
    two.part("motor").row.thrust_max = np.nan
    _, file = stop(two, tmp_path)
    assert len(np.load(file)["states"]) == 6


def test_a_file_of_another_scenario_is_refused(busy, make_world, tmp_path):
    world = runaway(busy)
    _, file = stop(world, tmp_path)
    with pytest.raises(cupola.InputError, match=re.escape(str(file))):
        make_world("quadcopter").restore(file)


def test_a_fault_is_over_after_a_reset(busy, digest, tmp_path):
    world, fresh = runaway(busy), busy(physics_hz=1000)
    stop(world, tmp_path)
    world.part("wing").row.c_drag_p = fresh.part("wing").row.c_drag_p
    world.reset()
    world.step(500)
    fresh.step(500)
    assert digest(world) == digest(fresh)
