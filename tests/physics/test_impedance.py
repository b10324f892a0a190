"""Gains, blend, and the rest-to-rest polynomial that an impedance law follows."""

import math

import numpy as np
import pytest

from cupola.physics.impedance import Blend, Gains, blend, contact_gains, gains, held_push, mix_gains, settling_gains
from cupola.physics.quintic import quintic, quintic_coefficients


def test_the_quintic_has_the_printed_values():
    for time, share, rate, acceleration in (
        (12.5, 0.103515625, 0.02109375, 0.00225),
        (25.0, 0.5, 0.0375, 0.0),
        (37.5, 0.896484375, 0.02109375, -0.00225),
    ):
        assert quintic(time, 50.0) == pytest.approx((share, rate, acceleration), abs=1e-15)


def test_the_quintic_rests_at_both_ends_and_beyond():
    for time in (-3.0, 0.0):
        assert quintic(time, 50.0) == (0.0, 0.0, 0.0)
    for time in (50.0, 70.0):
        assert quintic(time, 50.0) == (1.0, 0.0, 0.0)


def test_its_coefficients_meet_the_six_conditions():
    a = quintic_coefficients(50.0)
    assert a == pytest.approx((8e-5, -2.4e-6, 1.92e-8), rel=1e-12)
    t = 50.0
    ends = [[t**3, t**4, t**5], [3 * t**2, 4 * t**3, 5 * t**4], [6 * t, 12 * t**2, 20 * t**3]]
    np.testing.assert_allclose(np.array(ends) @ np.array(a), [1.0, 0.0, 0.0], atol=1e-12)
    for time in np.linspace(0.0, 50.0, 21):
        assert quintic(time, 50.0).share == pytest.approx(np.polyval([a.a5, a.a4, a.a3, 0, 0, 0], time), abs=1e-12)


def test_gains_of_the_listing():
    """tf = 50 s: settling within 10 s, and a contact of stiffness 100 against a wall of a million."""
    free = settling_gains(1.0, 0.2 * 50.0)
    assert free == pytest.approx((1.0, 1.2, 0.36))
    contact = contact_gains(free, 100.0, 1e6, 0.0)
    assert contact == pytest.approx((1.0001, 1.2001, 100.0), abs=5e-5)
    together = contact.stiffness + 1e6
    frequency = math.sqrt(together / contact.mass)
    ratio = contact.damping / (2.0 * math.sqrt(together * contact.mass))
    assert frequency == pytest.approx(1000.0, abs=0.05) and ratio == pytest.approx(6.0e-4, rel=1e-3)
    assert frequency * ratio == pytest.approx(0.6)  # the decay of free motion is kept
    assert contact_gains(free, 100.0, 1e6, 0.7).damping == pytest.approx(contact.damping - 0.7)


def test_gains_from_ratio_and_frequency_swing_with_them():
    m, b, k = gains(2.0, 0.3, 5.0)
    pole = np.roots([m, b, k])[0]
    assert abs(pole) == pytest.approx(5.0) and -pole.real / abs(pole) == pytest.approx(0.3)


def test_the_blend_is_whole_and_deaf_to_noise():
    for push in (0.0, 0.003, -0.003, 0.01, 0.2, 5.0):
        assert sum(blend(push, 0.005, 1e7)) == pytest.approx(1.0, abs=1e-15)
    assert blend(-0.0049, 0.005, 1e7) == Blend(1.0, 0.0)
    assert blend(0.0, 0.0, 1e20).contact == 0.0 and blend(1e-9, 0.0, 1e20).contact == pytest.approx(1.0)
    assert blend(0.006, 0.005, 1e7).contact == pytest.approx(1.0, abs=1e-3)
    assert blend(-0.5, 0.0, 10.0) == blend(0.5, 0.0, 10.0)


def test_a_touch_is_remembered_for_a_while():
    held = held_push(0.0, -0.08, 0.01, 0.5)
    assert held == 0.08
    for _ in range(50):
        held = held_push(held, 0.0, 0.01, 0.5)
    assert held == pytest.approx(0.08 / math.e) and held_push(held, 0.05, 0.01, 0.5) == 0.05


def test_gains_are_blended_one_by_one():
    assert mix_gains(Blend(0.25, 0.75), Gains(1.0, 2.0, 4.0), Gains(5.0, 10.0, 8.0)) == (4.0, 8.0, 7.0)
