"""What the inertial unit of a base on rollers feels of its wheels."""

import math

import numpy as np
import pytest

from cupola.config.scenario import find_scenario
from cupola.reproduce.omni.inertial import heard, in_rhythm
from cupola.sim.world import World

PASSING = 12 * 0.1 / 0.1016 / (2.0 * math.pi)
"""[Hz] at which rollers pass the load on at 0.1 m/s."""


def driven(joints_deg, way=(0.0, 0.1, 0.0)):
    """Accelerations [m/s²] while driving steadily, x and y, of a unit without noise; and the measures of the run."""
    scenario, folder = find_scenario("omni_two_lines")
    world = World(scenario.with_({"vehicles[0].joints_deg": joints_deg}), folder)
    world.script([(0.0, [0.0, 0.0, 0.0]), (1.0, list(way))])
    said = heard(world, 7.0)[3000:]
    return said[:, 1:3], {name: one.value for name, one in world.measures().items()}


@pytest.fixture(scope="module")
def in_turns():
    return driven({"wheel_fl": 15.0, "wheel_rr": 15.0})


@pytest.fixture(scope="module")
def in_step():
    return driven({})


def test_pairs_of_wheels_that_take_turns_tremble_along_two_lines(in_turns, in_step):
    turns, step = in_turns[1], in_step[1]
    # Two lines, mirrored in the way: sizes go together, signs do not.
    assert abs(turns["correlation"]) < 0.1 and turns["correlation of their sizes"] > 0.5 * (2.0 / math.pi + 1.0)
    assert turns["trembles across it"] > 0.4 * turns["trembles along the way"]
    # All at once they push along the way alone: what they push across it cancels.
    assert step["trembles across it"] < 0.05 * step["trembles along the way"]


def test_the_noise_of_the_unit_follows_the_rotation_of_the_wheels(in_turns):
    said, _ = in_turns
    assert min(in_rhythm(said[:, k], PASSING, 1000.0) for k in (0, 1)) > 0.8
    # White noise has no rhythm: a fifth of it lies there. Nor has the same trembling another rhythm than its own.
    white = np.random.default_rng(1).normal(size=len(said))
    assert in_rhythm(white, PASSING, 1000.0) == pytest.approx(2.0 * 0.2 / PASSING, abs=0.05)
    assert in_rhythm(said[:, 1], 1.37 * PASSING, 1000.0) < 0.5


def test_it_is_not_normal(in_turns):
    said = in_turns[0][:, 1]
    # A normal number has 3; the load that passes on comes in jolts.
    assert np.mean(said**4) / np.mean(said**2) ** 2 > 3.5
