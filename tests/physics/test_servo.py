"""Servos: exact for a held target, whatever the step."""

import math

import pytest

from cupola.physics.servo import ServoState, first_order, limit_rate, second_order

DAMPINGS = [0.0, 0.3, 0.999, 0.9999999, 1.0, 1.0000001, 1.001, 2.0, 50.0]


def test_first_order_closed_form():
    assert first_order(1.0, 3.0, 0.2, 0.2) == pytest.approx(3.0 - 2.0 / math.e)
    assert first_order(1.0, 3.0, 0.0, 0.01) == 3.0
    assert first_order(1.0, 3.0, 0.2, 0.0) == 1.0
    halves = first_order(first_order(1.0, 3.0, 0.2, 0.05), 3.0, 0.2, 0.05)
    assert halves == pytest.approx(first_order(1.0, 3.0, 0.2, 0.1), rel=1e-15)


def integrate(state, target, frequency, damping, duration, steps):
    """Classical Runge-Kutta of the same equation, as an independent answer."""

    def rate(s):
        return s[1], frequency**2 * (target - s[0]) - 2 * damping * frequency * s[1]

    h = duration / steps
    x = tuple(state)
    for _ in range(steps):
        k1 = rate(x)
        k2 = rate((x[0] + h / 2 * k1[0], x[1] + h / 2 * k1[1]))
        k3 = rate((x[0] + h / 2 * k2[0], x[1] + h / 2 * k2[1]))
        k4 = rate((x[0] + h * k3[0], x[1] + h * k3[1]))
        x = tuple(x[i] + h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) for i in range(2))
    return x


@pytest.mark.parametrize("damping", DAMPINGS)
@pytest.mark.parametrize("dt", [0.001, 0.05, 0.4])
def test_second_order_solves_its_equation(damping, dt):
    # 4th order with frequency * damping * h below 0.02: error below (0.02)^4 per radian.
    got = second_order(0.3, -2.0, 1.0, 20.0, damping, dt)
    steps = 20 + int(max(damping, 1.0) * 20.0 * dt / 0.02)
    assert got == pytest.approx(integrate((0.3, -2.0), 1.0, 20.0, damping, dt, steps), rel=1e-6, abs=1e-7)


@pytest.mark.parametrize("damping", DAMPINGS)
def test_two_half_steps_are_one_step(damping):
    half = second_order(0.3, -2.0, 1.0, 20.0, damping, 0.02)
    assert second_order(*half, 1.0, 20.0, damping, 0.02) == pytest.approx(
        second_order(0.3, -2.0, 1.0, 20.0, damping, 0.04), rel=1e-11
    )


def test_second_order_closed_forms():
    t, w = 0.13, 20.0
    assert second_order(1.0, 0.0, 0.0, w, 0.0, t) == pytest.approx((math.cos(w * t), -w * math.sin(w * t)))
    critical = math.exp(-w * t)
    assert second_order(1.0, 0.0, 0.0, w, 1.0, t) == pytest.approx(((1 + w * t) * critical, -w * w * t * critical))


@pytest.mark.parametrize("damping", DAMPINGS[1:])
def test_second_order_arrives_and_rests(damping):
    assert second_order(0.0, 5.0, 1.0, 20.0, damping, 1e3) == pytest.approx((1.0, 0.0), abs=1e-12)
    assert second_order(1.0, 0.0, 1.0, 20.0, damping, 0.01) == ServoState(1.0, 0.0)


def test_rate_limit():
    assert limit_rate(0.0, 1.0, 2.0, 0.1) == pytest.approx(0.2)
    assert limit_rate(0.0, -1.0, 2.0, 0.1) == pytest.approx(-0.2)
    assert limit_rate(0.5, 0.6, 2.0, 0.1) == pytest.approx(0.6)
