"""A torque-free body with three unequal moments of inertia against Jacobi's closed form."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj

from cupola.reproduce.tumbling import INERTIA, RATE, Tumble, jacobi, tumble_error


@pytest.mark.parametrize("m", [0.0, 0.2, 0.9, 0.999999])
def test_elliptic_functions(m):
    u = np.linspace(-40, 40, 101)
    np.testing.assert_allclose(jacobi(u, m), ellipj(u, m)[:3], atol=1e-12)


def test_the_closed_form_solves_the_equations_of_motion():
    def derivative(_, y):
        rate, (w, x, y, z) = y[:3], y[3:]
        p, q, r = rate
        turn = [-x * p - y * q - z * r, w * p + y * r - z * q, w * q + z * p - x * r, w * r + x * q - y * p]
        return [*(np.cross(INERTIA * rate, rate) / INERTIA), *(0.5 * np.array(turn))]

    times = [1.0, 7.3, 30.0]
    found = solve_ivp(derivative, (0, 30), [*RATE, 1, 0, 0, 0], "DOP853", times, rtol=1e-13, atol=1e-14).y.T
    exact = Tumble()
    for time, (p, q, r, w, x, y, z) in zip(times, found, strict=True):
        np.testing.assert_allclose(exact.rate_b(np.array(time)), [p, q, r], atol=1e-11)
        first_column = [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)]
        np.testing.assert_allclose(exact.attitude(time)[:, 0], first_column, atol=1e-11)


def test_thirty_seconds_at_one_millisecond():
    error = tumble_error(30.0, 1e-3)
    # Fourth order: (1e-3 x 3 rad/s)^4 / 120 x 3 rad/s x 30 s is below 1e-10 rad.
    assert error.attitude_deg < 1e-6
    assert error.momentum < 1e-9


def test_the_error_falls_with_the_fourth_power_of_the_step():
    coarse, fine = tumble_error(10.0, 2e-2), tumble_error(10.0, 1e-2)
    assert coarse.attitude_deg / fine.attitude_deg == pytest.approx(16, rel=0.1)
    assert coarse.momentum / fine.momentum == pytest.approx(16, rel=0.25)
