"""The obstacle avoider: the table of the thesis, and a room in which it must not hit anything."""

import dataclasses
import math
from types import SimpleNamespace

import numpy as np
import pytest

import cupola
from cupola.control.mecanum.avoider import WAYS, Avoider, nearest, turn_away
from cupola.kernel.observation import Reference, observation_in
from cupola.kernel.rows import OBSERVATION
from cupola.physics.mecanum import VELMA, Wheels, body_twist
from cupola.physics.planar import Pose, advance

QUADRANTS = ("front left", "rear left", "rear right", "front right")
FREE = 9.0
NOTHING = observation_in(np.zeros((), OBSERVATION))


@pytest.mark.parametrize(
    ("way", "quadrant", "then"),
    [
        ("forward", "front right", "left"), ("forward", "front left", "right"),
        ("right", "front right", "backward"), ("right", "rear right", "forward"),
        ("left", "front left", "backward"), ("left", "rear left", "forward"),
        ("backward", "rear left", "right"), ("backward", "rear right", "left"),
    ],
)  # fmt: skip
def test_the_table_of_the_thesis(way, quadrant, then):
    a, b, c, d = (0.5 if name == quadrant else FREE for name in QUADRANTS)
    assert WAYS[turn_away(WAYS.index(way), (a, b, c, d), 0.6)] == then


@pytest.mark.parametrize("way", range(4))
def test_what_lies_behind_or_far_does_not_matter(way):
    near = [0.1] * 4
    near[way] = near[(way - 1) % 4] = 0.6
    assert turn_away(way, (near[0], near[1], near[2], near[3]), 0.6) == way


def test_rays_fall_into_quadrants():
    """The right scanner: its first ray points 225° clockwise of forward, its last 45° to the left."""
    ranges = np.full(541, 5.0)
    ranges[[0, 200, 400, 540]] = [1.0, 2.0, 3.0, 4.0]  # at 135°, -125°, -25°, 45°
    assert nearest(tuple(ranges), -math.pi / 2, math.radians(270)) == (4.0, 1.0, 2.0, 3.0)


def test_too_close_to_measure_is_near_and_nothing_is_far():
    ranges = [math.inf] * 541
    ranges[300] = -math.inf
    assert nearest(tuple(ranges), 0.0, math.radians(270)) == (0.0, math.inf, math.inf, math.inf)


HALF = np.array([2.0, 1.5])
"""[m] of a room without furniture."""


def wall_distance(x, y, angles):
    """Rays from inside the room."""
    way = np.stack([np.cos(angles), np.sin(angles)])
    with np.errstate(divide="ignore"):
        return np.min((HALF[:, None] - np.sign(way) * [[x], [y]]) / np.abs(way), axis=0)


def met() -> Avoider:
    """One that knows its base."""
    controller = Avoider()
    controller.meet(cupola.load("velma_base").robot())
    return controller


def test_it_wanders_through_a_room_without_touching_a_wall():
    pose = Pose(0.1, -0.2, 0.0)
    controller = met()

    def scanner(middle):
        angles = middle + np.radians(np.linspace(-135, 135, 540))
        return lambda: SimpleNamespace(ranges=tuple(wall_distance(pose.x, pose.y, angles)))

    controller.sensors = {name: scanner(middle) for name, (middle, _) in controller.scanners.items()}
    ways = set()
    for _ in range(3000):
        speeds = Wheels(*controller.step(NOTHING, Reference([0.0] * 20, [])))
        pose = advance(pose, body_twist(speeds, VELMA), 0.1)
        ways.add(controller.mission(NOTHING, Reference([0.0] * 20, []), None))
        assert abs(pose.x) < 1.5
        assert abs(pose.y) < 1.0
    assert len(ways) == 4
    assert pose.yaw == pytest.approx(0.0, abs=1e-12)
    controller.reset()
    assert controller.way == 0


def test_before_the_first_scan_it_drives_forward():
    controller = met()
    controller.sensors = {name: lambda: None for name in controller.scanners}
    assert controller.step(NOTHING, Reference([0.0] * 20, [])) == pytest.approx((0.2 / VELMA.radius,) * 4)


def test_a_vehicle_without_a_scanner_is_told_so():
    blind = dataclasses.replace(cupola.load("velma_base").robot(), scanners={})
    with pytest.raises(ValueError, match=r"it sees by laser scanners; the parts are: wheels, encoders, imu"):
        Avoider().meet(blind)
