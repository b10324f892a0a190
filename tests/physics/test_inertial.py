"""What an accelerometer reads, from the meaning of the word up to a moving lever arm."""

import math

import numpy as np
import pytest

from cupola.physics.inertial import bias_step, gauss_markov, specific_force, white_noise_sigma
from cupola.physics.rotation import Euler, Quaternion, Vector, add, quaternion_from_euler, rotate, unrotate

LEVEL = Quaternion(1.0, 0.0, 0.0, 0.0)
NONE = Vector(0.0, 0.0, 0.0)
DOWN = Vector(0.0, 0.0, -9.81)


def test_at_rest_it_points_up():
    assert specific_force(NONE, DOWN, LEVEL, NONE, NONE, Vector(1.0, 2.0, 3.0)) == (0.0, 0.0, 9.81)


def test_free_fall_reads_zero():
    tilted = quaternion_from_euler(Euler(0.4, -0.3, 2.0))
    assert specific_force(DOWN, DOWN, tilted, NONE, NONE, NONE) == (0.0, 0.0, 0.0)


def test_nose_up_reads_forward():
    # Front-left-up: pitch is positive nose down, so nose up is negative.
    nose_up = quaternion_from_euler(Euler(0.0, -math.pi / 2, 0.0))
    assert specific_force(NONE, DOWN, nose_up, NONE, NONE, NONE) == pytest.approx((9.81, 0.0, 0.0), abs=1e-14)


def test_centrifuge_and_spin_up():
    spin = Vector(0.0, 0.0, 3.0)
    assert specific_force(NONE, NONE, LEVEL, spin, NONE, Vector(2.0, 0.0, 0.0)) == (-18.0, 0.0, 0.0)
    assert specific_force(NONE, NONE, LEVEL, NONE, Vector(0.0, 0.0, 4.0), Vector(2.0, 0.0, 0.0)) == (0.0, 8.0, 0.0)


def test_lever_arm_equals_the_second_difference_of_the_path():
    arm = Vector(0.4, -0.3, 0.2)

    def attitude(t):
        return quaternion_from_euler(Euler(0.3 * math.sin(2 * t), 0.5 * t, 0.2 * t * t))

    def place(t):
        return add(Vector(t**2, math.sin(t), -0.5 * t**3), rotate(attitude(t), arm))

    def origin(t):
        return Vector(t**2, math.sin(t), -0.5 * t**3)

    def rate(t, h=1e-4):
        # From q(t)* q(t+h) / h, antisymmetric in h: error of order h².
        a, b = attitude(t - h), attitude(t + h)
        w, x, y, z = a.w, -a.x, -a.y, -a.z
        return Vector(
            (w * b.x + x * b.w + y * b.z - z * b.y) / h,
            (w * b.y - x * b.z + y * b.w + z * b.x) / h,
            (w * b.z + x * b.y - y * b.x + z * b.w) / h,
        )

    t, h = 0.7, 1e-3
    second = lambda f: Vector(*((np.array(f(t + h)) - 2 * np.array(f(t)) + np.array(f(t - h))) / h**2))  # noqa: E731
    angular = Vector(*((np.array(rate(t + h)) - np.array(rate(t - h))) / (2 * h)))
    got = specific_force(second(origin), DOWN, attitude(t), rate(t), angular, arm)
    at_place = second(place)
    expected = unrotate(attitude(t), Vector(at_place.x, at_place.y, at_place.z + 9.81))
    assert got == pytest.approx(expected, abs=2e-6)  # h² times fourth derivatives of order one


def test_bias_walk_grows_with_the_square_root_of_time_for_any_step():
    walk = 0.02
    assert bias_step(1.0, 3.0, walk, 0.25) == pytest.approx(1.0 + 0.02 * 0.5 * 3.0)
    for dt in (0.1, 0.01):
        variance = sum((bias_step(0.0, 1.0, walk, dt)) ** 2 for _ in range(round(10.0 / dt)))
        assert variance == pytest.approx(walk**2 * 10.0)


def test_white_noise_of_a_data_sheet():
    assert white_noise_sigma(0.004, 400.0) == pytest.approx(0.08)


def test_a_wandering_error_keeps_its_size_and_forgets_with_its_time_constant():
    # The variance obeys s² = k² s² + (1 - k²) sigma²: sigma stays sigma, and two short steps do what a long one does.
    sigma, tau, dt = 2.0, 30.0, 7.0
    kept = gauss_markov(1.0, 0.0, sigma, tau, dt)
    fresh = gauss_markov(0.0, 1.0, sigma, tau, dt)
    assert kept == pytest.approx(math.exp(-dt / tau), rel=1e-15)
    assert (kept * sigma) ** 2 + fresh**2 == pytest.approx(sigma**2, rel=1e-15)
    halves = gauss_markov(gauss_markov(1.0, 0.0, sigma, tau, dt / 2), 0.0, sigma, tau, dt / 2)
    assert halves == pytest.approx(kept, rel=1e-15)
    assert gauss_markov(5.0, -1.0, sigma, tau, 1e9) == -sigma
