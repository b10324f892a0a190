"""Quaternions, frames and wrenches: axioms rather than samples."""

import math

import numpy as np
import pytest

from cupola.physics.rotation import (
    Axes,
    Euler,
    Quaternion,
    Vector,
    Wrench,
    add,
    angle_of,
    attitude_error,
    axes_along,
    conjugate,
    cross,
    dot,
    euler_from_quaternion,
    euler_rates,
    frd,
    length,
    move_wrench,
    multiply,
    quaternion_from_euler,
    rotate,
    scale,
    subtract,
    unrotate,
)

RNG = np.random.default_rng(3)
VECTORS = [Vector(*row) for row in RNG.normal(size=(10, 3)).tolist()]
ANGLES = [Euler(*row) for row in RNG.uniform(-1.5, 1.5, size=(10, 3)).tolist()]


@pytest.mark.parametrize("e", ANGLES)
def test_a_turn_keeps_lengths_angles_and_handedness(e):
    q = quaternion_from_euler(e)
    a, b = VECTORS[0], VECTORS[1]
    assert sum(c * c for c in q) == pytest.approx(1.0)
    assert dot(rotate(q, a), rotate(q, b)) == pytest.approx(dot(a, b))
    assert rotate(q, cross(a, b)) == pytest.approx(cross(rotate(q, a), rotate(q, b)))
    assert unrotate(q, rotate(q, a)) == pytest.approx(a)


@pytest.mark.parametrize("e", ANGLES)
def test_euler_angles_go_there_and_back(e):
    assert euler_from_quaternion(quaternion_from_euler(e)) == pytest.approx(e)


@pytest.mark.parametrize("e", [Euler(0.3, -1.2, 3.0), Euler(-1.0, 0.4, 0.2), Euler(0.0, 0.0, 0.0)])
def test_euler_rates_are_how_the_angles_of_a_turning_body_change(e):
    rate, q, h = Vector(0.7, -0.4, 1.1), quaternion_from_euler(e), 1e-5
    before, after = (
        euler_from_quaternion(multiply(q, Quaternion(1.0, *(0.5 * s * h * w for w in rate)))) for s in (-1, 1)
    )
    # Central difference; the quaternion of a small turn errs by its third power.
    change = [(a - b) / (2 * h) for a, b in zip(after, before, strict=True)]
    assert euler_rates(e, rate) == pytest.approx(change, rel=1e-8, abs=1e-8)


def test_euler_order_is_yaw_then_pitch_then_roll():
    roll, pitch, yaw = 0.3, -0.4, 1.2
    parts = [Euler(0.0, 0.0, yaw), Euler(0.0, pitch, 0.0), Euler(roll, 0.0, 0.0)]
    z, y, x = (quaternion_from_euler(e) for e in parts)
    assert multiply(multiply(z, y), x) == pytest.approx(quaternion_from_euler(Euler(roll, pitch, yaw)))


def test_positive_angles_turn_right_handed():
    quarter = math.pi / 2
    assert rotate(quaternion_from_euler(Euler(0.0, 0.0, quarter)), Vector(1.0, 0.0, 0.0)) == pytest.approx((0, 1, 0))
    assert rotate(quaternion_from_euler(Euler(quarter, 0.0, 0.0)), Vector(0.0, 1.0, 0.0)) == pytest.approx((0, 0, 1))
    assert rotate(quaternion_from_euler(Euler(0.0, quarter, 0.0)), Vector(0.0, 0.0, 1.0)) == pytest.approx((1, 0, 0))


def test_gimbal_lock_gives_a_pitch_of_a_quarter_turn():
    q = quaternion_from_euler(Euler(0.0, math.pi / 2, 0.0))
    assert euler_from_quaternion(q).pitch == pytest.approx(math.pi / 2, abs=1e-7)


def test_product_composes_and_conjugate_undoes():
    a, b = quaternion_from_euler(ANGLES[0]), quaternion_from_euler(ANGLES[1])
    v = VECTORS[2]
    assert rotate(multiply(a, b), v) == pytest.approx(rotate(a, rotate(b, v)))
    assert multiply(a, conjugate(a)) == pytest.approx(Quaternion(1.0, 0.0, 0.0, 0.0), abs=1e-15)


def test_vectors():
    a, b = Vector(1.0, 2.0, 3.0), Vector(4.0, 5.0, 7.0)
    assert add(a, b) == (5.0, 7.0, 10.0)
    assert subtract(b, a) == (3.0, 3.0, 4.0)
    assert scale(2.0, a) == (2.0, 4.0, 6.0)
    assert cross(Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0)) == (0.0, 0.0, 1.0)
    assert length(Vector(3.0, 4.0, 12.0)) == 13.0
    assert length(Vector(0.0, 0.0, 0.0)) == angle_of(0.0, 0.0) == 0.0
    assert angle_of(1.0, -1.0) == math.atan2(1.0, -1.0)


@pytest.mark.parametrize("up", VECTORS)
def test_axes_along_a_direction_are_a_frame_over_the_heading(up):
    yaw = 0.7
    x, y, z = axes_along(up, yaw)
    assert scale(length(up), z) == pytest.approx(up)
    assert (length(x), length(y), dot(x, y), dot(y, z)) == pytest.approx((1, 1, 0, 0), abs=1e-12)
    assert cross(x, y) == pytest.approx(z, abs=1e-12)
    level = Vector(math.cos(yaw), math.sin(yaw), 0.0)
    assert dot(y, level) == pytest.approx(0.0, abs=1e-12) and dot(x, level) > 0


@pytest.mark.parametrize("angle", [0.0, 0.1, 1.0, math.pi / 2, 3.0])
@pytest.mark.parametrize("axis", VECTORS[:3])
def test_attitude_error_is_the_sine_of_the_angle_about_the_axis(axis, angle):
    unit = scale(1 / length(axis), axis)
    wanted = quaternion_from_euler(ANGLES[0])
    turned = multiply(wanted, Quaternion(math.cos(angle / 2), *scale(math.sin(angle / 2), unit)))
    frame = Axes(*(rotate(wanted, e) for e in (Vector(1, 0, 0), Vector(0, 1, 0), Vector(0, 0, 1))))
    assert attitude_error(turned, frame) == pytest.approx(scale(math.sin(angle), unit), abs=1e-12)


def test_front_left_up_to_front_right_down_and_back():
    v = Vector(1.0, 2.0, 3.0)
    assert frd(v) == (1.0, -2.0, -3.0)
    assert frd(frd(v)) == v
    assert frd(cross(v, VECTORS[0])) == pytest.approx(cross(frd(v), frd(VECTORS[0])))


def test_moving_a_wrench_keeps_its_power():
    force, torque, arm = VECTORS[:3]
    rate, velocity_new = VECTORS[3], VECTORS[4]
    velocity_old = add(velocity_new, cross(rate, arm))
    moved = move_wrench(Wrench(force, torque), arm)
    before = dot(force, velocity_old) + dot(torque, rate)
    assert dot(moved.force, velocity_new) + dot(moved.torque, rate) == pytest.approx(before)
