"""Poses and arcs on a plane against closed forms."""

import math

import pytest

from cupola.physics.planar import Pose, Twist, advance, carry, chord_share, compose, distance, inverse, relative

A, B = Pose(1.0, -2.0, 0.4), Pose(-0.3, 0.1, -3.0)
ORIGIN = Pose(0.0, 0.0, 0.0)


def test_straight_ahead_sideways_and_on_the_spot():
    assert advance(Pose(0.0, 0.0, math.pi / 2), Twist(0.5, 0.0, 0.0), 2.0) == pytest.approx((0.0, 1.0, math.pi / 2))
    assert advance(ORIGIN, Twist(0.0, 0.5, 0.0), 2.0) == pytest.approx((0.0, 1.0, 0.0))
    assert advance(Pose(3.0, 4.0, 0.0), Twist(0.0, 0.0, 0.5), 2.0) == pytest.approx((3.0, 4.0, 1.0))


def test_an_arc_is_a_circle_of_radius_speed_by_rate():
    """One step of a quarter of a circle, and a full one back to the start."""
    assert advance(ORIGIN, Twist(0.2, 0.0, 0.1), math.pi / 0.2) == pytest.approx((2.0, 2.0, math.pi / 2))
    pose = ORIGIN
    for _ in range(7):
        pose = advance(pose, Twist(0.2, 0.1, 0.1), 2 * math.pi / 0.1 / 7)
    assert pose == pytest.approx(ORIGIN, abs=1e-14)


def test_steps_of_any_length_end_in_the_same_place():
    twist = Twist(0.3, -0.2, 0.7)
    whole, parts = advance(A, twist, 1.0), A
    for _ in range(1000):
        parts = advance(parts, twist, 0.001)
    assert parts == pytest.approx(whole, abs=1e-12)


def test_the_chord_has_no_step_where_its_series_ends():
    assert chord_share(0.0) == 1.0
    for x in (0.99999e-4, 1.00001e-4):
        assert chord_share(x) == pytest.approx(1 - x**2 / 6 + x**4 / 120, abs=3e-16)
    assert chord_share(math.pi / 2) == pytest.approx(2 / math.pi)


def test_poses_compose_and_cancel():
    assert compose(A, inverse(A)) == pytest.approx(ORIGIN, abs=1e-15)
    assert compose(A, relative(A, B)) == pytest.approx(B)
    assert relative(A, A) == pytest.approx(ORIGIN, abs=1e-15)
    assert compose(Pose(1.0, 2.0, math.pi / 2), Pose(3.0, 0.0, 0.0)) == pytest.approx((1.0, 5.0, math.pi / 2))
    assert distance(Pose(1.0, 1.0, 0.0), Pose(4.0, 5.0, 2.0)) == 5.0


def test_headings_stay_within_a_turn():
    assert compose(Pose(0.0, 0.0, 3.0), Pose(0.0, 0.0, 3.0)).yaw == pytest.approx(6.0 - 2 * math.pi)
    assert advance(Pose(0.0, 0.0, 3.0), Twist(0.0, 0.0, 1.0), 1.0).yaw == pytest.approx(4.0 - 2 * math.pi)


def test_a_point_off_the_centre_moves_as_the_body_says():
    """Seen from a frame at `place`: the path that frame draws is the same, computed either way."""
    place, twist = Pose(1.0, 2.0, 3.0), Twist(0.4, -0.1, 0.8)
    there = advance(compose(A, place), twist, 0.7)
    body = advance(A, carry(twist, place), 0.7)
    assert compose(body, place) == pytest.approx(there)
    assert carry(carry(twist, place), inverse(place)) == pytest.approx(twist)
