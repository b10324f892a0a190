"""Kinematics of four Mecanum wheels against the printed matrices and the printed numbers."""

import math

import numpy as np
import pytest

from cupola.physics.mecanum import (
    NULL,
    VELMA,
    Mecanum,
    Wheels,
    body_twist,
    contacts,
    mismatch,
    pose_in_thesis,
    quarter_turns,
    slope_of,
    twist_from_view,
    wheel_speeds,
)
from cupola.physics.planar import Pose, Twist

ROUND = VELMA._replace(radius=0.1)
K = 0.74
"""[m] half the track and half the wheelbase."""
FORWARD = np.array([[-1, 1, -1, 1], [1, 1, 1, 1], [1 / K, -1 / K, -1 / K, 1 / K]]) * 0.1016 / 4
"""Equation (4.1) of the thesis, its axes: x right, y forward."""


def columns(function, count):
    """Matrix of a linear function of `count` numbers."""
    return np.array([function(*unit) for unit in np.eye(count).tolist()]).T


def inverse_matrix(p=VELMA):
    return columns(lambda *v: wheel_speeds(twist_from_view(Twist(*v), 0), p), 3)


def forward_matrix(p=VELMA):
    return columns(lambda *w: quarter_turns(body_twist(Wheels(*w), p), 1), 4)


@pytest.mark.parametrize(
    ("thesis", "printed", "with_table_radius"),
    [
        ((0, 0.25, 0), (2.4606, 2.4606, 2.4606, 2.4606), (2.5, 2.5, 2.5, 2.5)),
        ((0.1, 0, 0), (-0.9843, 0.9843, -0.9843, 0.9843), (-1.0, 1.0, -1.0, 1.0)),
        ((0, 0, math.pi / 20), (1.1441, -1.1441, -1.1441, 1.1441), (1.1624, -1.1624, -1.1624, 1.1624)),
        (
            (math.pi / 32, 0, math.pi / 32),
            (-0.2512, 0.2512, -1.6813, 1.6813),
            (-0.2553, 0.2553, -1.7082, 1.7082),
        ),
        (
            (math.pi / 16, 0, math.pi / 32),
            (-1.2175, 1.2175, -2.6476, 2.6476),
            (-1.2370, 1.2370, -2.6900, 2.6900),
        ),
    ],
)
def test_wheel_speeds_of_the_printed_table(thesis, printed, with_table_radius):
    twist = twist_from_view(Twist(*map(float, thesis)), 0)
    assert wheel_speeds(twist, VELMA) == pytest.approx(printed, abs=5.1e-5)
    assert wheel_speeds(twist, ROUND) == pytest.approx(with_table_radius, abs=5.1e-5)


def test_both_matrices_are_those_of_the_thesis():
    np.testing.assert_allclose(forward_matrix(), FORWARD, atol=1e-16)
    printed = np.array([[1, -1, K], [1, 1, -K], [1, -1, -K], [1, 1, K]]) / 0.1016
    np.testing.assert_allclose(inverse_matrix()[:, [1, 0, 2]], printed, atol=1e-14)


def test_forward_undoes_inverse_and_is_its_pseudo_inverse():
    np.testing.assert_allclose(forward_matrix() @ inverse_matrix(), np.eye(3), atol=1e-15)
    np.testing.assert_allclose(forward_matrix(), np.linalg.pinv(inverse_matrix()), atol=1e-15)


def test_front_against_rear_moves_nothing_and_nothing_else_does():
    assert body_twist(NULL, VELMA) == (0.0, 0.0, 0.0)
    assert mismatch(NULL) == 1.0
    assert mismatch(wheel_speeds(Twist(0.3, -0.2, 0.7), VELMA)) == pytest.approx(0.0, abs=1e-15)
    assert np.linalg.matrix_rank(forward_matrix()) == 3


@pytest.mark.parametrize(
    ("wheels", "way"),
    [
        ((1, 1, 1, 1), (1, 0, 0)),
        ((0, 1, 0, 1), (1, -1, 0)),
        ((-1, 1, -1, 1), (0, -1, 0)),
        ((-1, 1, 1, -1), (0, 0, -1)),
    ],
)
def test_the_four_basic_motions(wheels, way):
    """Forward, diagonally forward and right, right, clockwise: figure 2.9 of the thesis."""
    got = np.sign(np.round(body_twist(Wheels(*map(float, wheels)), VELMA), 12))
    np.testing.assert_array_equal(got, way)


def test_no_roller_slips_along_its_axis_whatever_the_motion():
    for twist in (Twist(0.3, 0.0, 0.0), Twist(0.0, 0.3, 0.0), Twist(0.0, 0.0, 1.0), Twist(-0.1, 0.2, 0.4)):
        along = [c.along for c in contacts(twist, wheel_speeds(twist, VELMA), VELMA)]
        assert along == pytest.approx([0.0] * 4, abs=1e-15)


def test_rollers_stand_still_forward_and_spin_most_sideways():
    ahead, aside = Twist(0.2, 0.0, 0.0), Twist(0.0, -0.2, 0.0)
    assert [c.across for c in contacts(ahead, wheel_speeds(ahead, VELMA), VELMA)] == pytest.approx([0.0] * 4, abs=1e-16)
    spin = [c.across for c in contacts(aside, wheel_speeds(aside, VELMA), VELMA)]
    assert spin == pytest.approx([-math.sqrt(2) * 0.2] * 4)


def test_a_locked_wheel_slides_along_its_roller_axis():
    """The axes of the rollers below form an O: pushed forward and left, front right and rear left resist."""
    slide = contacts(Twist(0.1, 0.1, 0.0), Wheels(0.0, 0.0, 0.0, 0.0), VELMA)
    assert [c.along for c in slide] == pytest.approx([math.sqrt(0.02), 0.0, math.sqrt(0.02), 0.0])


def test_the_four_views_of_the_inverse_kinematics():
    """Forward and right for an input (x, y) at 0, 90, 180, 270 degrees, as the thesis's program has them."""
    x, y = 0.3, 0.7
    for turns, (forward, right) in enumerate([(y, x), (x, -y), (-y, -x), (-x, y)]):
        assert twist_from_view(Twist(x, y, 0.1), turns) == (forward, -right, 0.1)


def test_quarter_turns_add_up_and_the_thesis_is_one_of_them():
    twist = Twist(0.3, 0.7, 0.1)
    assert quarter_turns(quarter_turns(twist, 3), 1) == twist
    assert quarter_turns(twist_from_view(twist, 0), 1) == twist
    assert twist_from_view(Twist(0.0, 1.0, 0.0), 0) == (1.0, 0.0, 0.0)  # its y is forward
    assert pose_in_thesis(Pose(1.0, -2.0, 0.5)) == (2.0, 1.0, 0.5)


def test_wheel_speeds_of_gazebo_and_ros():
    """gz-sim's Mecanum test vehicle, and the first case of ros2_controllers' tests."""
    gazebo = Mecanum(0.3, 1.25, 1.511)
    assert wheel_speeds(Twist(0.0, 0.5, 0.0), gazebo) == pytest.approx([1.666667, -1.666667, 1.666667, -1.666667], 1e-6)
    assert wheel_speeds(Twist(0.0, 0.0, 0.1), gazebo) == pytest.approx([0.460167, -0.460167, -0.460167, 0.460167], 1e-6)
    assert wheel_speeds(Twist(10.0, 5.0, 3.0), Mecanum(0.5, 1.0, 1.0)) == pytest.approx([36.0, 4.0, 24.0, 16.0])


@pytest.mark.parametrize("degrees", [25.0, 45.0, 60.0])
def test_rollers_at_any_angle(degrees):
    """Forward undoes inverse, and where the base goes as the wheels say no roller slips along its axis."""
    p = VELMA._replace(slope=slope_of(math.radians(degrees)))
    for twist in (Twist(0.3, 0.0, 0.0), Twist(0.0, 0.2, 0.0), Twist(0.0, 0.0, 0.5), Twist(0.1, -0.2, 0.3)):
        wheels = wheel_speeds(twist, p)
        assert body_twist(wheels, p) == pytest.approx(twist, abs=1e-12)
        assert [one.along for one in contacts(twist, wheels, p)] == pytest.approx([0.0] * 4, abs=1e-12)
    aside = contacts(Twist(0.0, 0.2, 0.0), wheel_speeds(Twist(0.0, 0.2, 0.0), p), p)
    # Sideways a roller turns about an axis that lies at `degrees` to the way: it rolls off 1 / sin of it.
    assert abs(aside.front_right.across) == pytest.approx(0.2 / math.sin(math.radians(degrees)))
    assert slope_of(math.radians(45.0)) == 1.0
