"""The gull: sizes of their sources, a flight, and the power that a beat takes."""

import math
from typing import Any

import numpy as np
import pytest

import cupola
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import Vehicle
from cupola.reproduce.morphing.gull import ELECTROMECHANICAL, MOTOR, level_flight, wing_power

LIU = (26.08, -209.92, 637.21, -945.068, 695.03)
"""Correction of the chord of a gull's wing, Liu et al. 2006."""
ROOT, ARM, BEND, LENGTH = 0.388, 0.423, 0.485, 0.95
"""Chord of the root and length of the arm by that of the wing, angle of the hand [rad], length of the wing [m]."""


def test_mass_and_span_are_smartbirds():
    world = cupola.load("gull")
    assert world.model.body_mass.sum() == pytest.approx(0.450, abs=1e-3) and not world.cautions
    wing: Any = Vehicle.load("gull").parts["left_wing"]
    hinge = world.model.body("gull/left_wing").pos[1]
    assert 2.0 * (hinge + wing.stations[-1].y) == pytest.approx(
        1.96, abs=0.01
    )  # 2 m with the tips, which taper to nothing


@pytest.mark.parametrize("side", ["left", "right"])
def test_chord_and_sweep_are_those_of_a_gull(side):
    wing: Any = Vehicle.load("gull").parts[f"{side}_wing"]
    for station in wing.stations:
        x = station.y / LENGTH
        shape = (1.0 if x <= 0.5 else 4.0 * x * (1.0 - x)) + sum(e * (x ** (n + 3) - x**8) for n, e in enumerate(LIU))
        assert station.chord == pytest.approx(ROOT * LENGTH * shape, abs=2e-3)
        assert station.x == pytest.approx(-max(0.0, x - ARM) * math.tan(BEND) * LENGTH, abs=1e-3)


def test_it_crosses_the_field_and_comes_back():
    world = cupola.load("gull_flight")
    rows = []
    while world.time < world.scenario.duration:
        world.run(0.1)
        rows.append((*world.motion().pos_w, world.signal("gull.airspeed")))
    x, y, z, speed = np.array(rows).T
    assert x.max() > 105.0 and x[-1] < -80.0 and y[-1] == pytest.approx(80.0, abs=2.0)
    assert z.min() > 12.0 and z.max() < 16.5
    assert speed.mean() == pytest.approx(6.5, rel=0.03) and speed.min() > 5.0


def full_beat(seconds=14.0):
    """Climb [m/s] and power for the wings [W] at full throttle with a little nose-up stick, second half of a flight."""
    world = cupola.World(Scenario(vehicles=(VehicleEntry(model="gull"),), physics_hz=1000, integrator="implicitfast"))
    world.sticks([0.0, 0.15, 0.0, 1.0])
    world.run(0.5 * seconds)
    start, kept = world.motion().pos_w.z, []
    while world.time < seconds - 1e-9:
        world.step(5)
        kept.append(wing_power(world))
    return (world.motion().pos_w.z - start) / (0.5 * seconds), float(np.mean(kept))


def test_a_full_beat_takes_the_power_that_its_stroke_was_chosen_for():
    climb, power = full_beat()
    assert climb == pytest.approx(0.40, abs=0.04) and power == pytest.approx(MOTOR * ELECTROMECHANICAL, rel=0.1)
    speed, change, power = level_flight()
    assert speed == pytest.approx(6.55, rel=0.05) and abs(change) < 1.0 and power == pytest.approx(6.3, rel=0.1)
