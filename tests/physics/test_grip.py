"""The spring and damper of a grip."""

import math

import pytest

from cupola.physics.grip import between, pull, turn_between
from cupola.physics.rotation import Euler, Vector, length, multiply, quaternion_from_euler

O = Vector(0.0, 0.0, 0.0)  # noqa: E741


def yaw(angle):
    return quaternion_from_euler(Euler(0.0, 0.0, angle))


@pytest.mark.parametrize("angle", [-0.1, 0.0, 1e-4, 0.2])
def test_turn_between_two_yaws(angle):
    assert turn_between(yaw(1.0), yaw(1.0 + angle)) == pytest.approx((0.0, 0.0, 2.0 * math.sin(0.5 * angle)))


def test_turn_does_not_care_for_the_sign_of_a_quaternion():
    a, b = quaternion_from_euler(Euler(0.2, -0.3, 3.0)), quaternion_from_euler(Euler(0.1, -0.2, -3.1))
    minus = type(b)(*(-x for x in b))
    assert turn_between(a, minus) == pytest.approx(turn_between(a, b))
    assert multiply(a, b) != multiply(a, minus)


def test_a_spring_within_its_limit_and_beyond():
    assert pull(Vector(0.01, 0.0, 0.0), O, 100.0, 20.0, 2.0) == pytest.approx((1.0, 0.0, 0.0))
    assert length(pull(Vector(0.3, 0.4, 0.0), O, 100.0, 20.0, 2.0)) == pytest.approx(2.0)
    assert pull(O, Vector(0.0, 0.1, 0.0), 100.0, 20.0, 2.0) == pytest.approx((0.0, 2.0, 0.0))


def test_stiffness_grows_in_equal_ratios():
    low, middle, high = (between(100.0, 1e5, done) for done in (0.0, 0.5, 1.0))
    assert (low, high) == pytest.approx((100.0, 1e5))
    assert middle / low == pytest.approx(high / middle)
