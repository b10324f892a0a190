"""Mean wind, discrete gust, and turbulence whose strength and spectrum must not depend on the time step."""

import math

import numpy as np
import pytest

from cupola.kernel.jit import jit
from cupola.physics.noise import gaussian_pair
from cupola.physics.rotation import Vector, cross
from cupola.physics.wind import (
    Dryden,
    DrydenNoise,
    DrydenState,
    dryden_gust,
    dryden_start,
    dryden_step,
    low_altitude_dryden,
    one_minus_cosine,
    power_law,
    power_law_slope,
    sheared_rate,
    wind_from,
)

P = Dryden(sigma_u=1.5, sigma_v=1.2, sigma_w=0.7, length_u=200.0, length_v=150.0, length_w=50.0)
STEPS = [0.0005, 0.002, 0.01, 0.05]
ZERO = (0.0,) * 5


def test_power_law():
    assert power_law(10.0, 4.0, 10.0, 0.28) == pytest.approx(4.0)
    assert power_law(40.0, 4.0, 10.0, 0.5) == pytest.approx(8.0)
    assert power_law(-3.0, 4.0, 10.0, 0.28) == power_law(0.0, 4.0, 10.0, 0.28) == pytest.approx(4.0 * 0.001**0.28)
    assert power_law(0.0, 4.0, 10.0, 0.0) == 4.0  # uniform wind also on the ground


def test_slope_of_the_power_law_is_its_derivative():
    for height in (0.5, 7.0, 60.0):
        apart = 1e-5 * height
        rise = power_law(height + apart, 4.0, 10.0, 0.28) - power_law(height - apart, 4.0, 10.0, 0.28)
        assert power_law_slope(height, 4.0, 10.0, 0.28) == pytest.approx(rise / (2 * apart), rel=1e-8)
    assert power_law_slope(-1.0, 4.0, 10.0, 0.28) == power_law_slope(0.0, 4.0, 10.0, 0.28) == 0.0  # even there
    assert power_law_slope(7.0, 4.0, 10.0, 0.0) == 0.0


def test_a_shear_is_felt_like_a_turn():
    # At a point of a surface the shear adds wind; a surface that turns instead moves as much the other way there.
    slope, up = Vector(0.3, -0.2, 0.5), Vector(0.4, 0.6, math.sqrt(1 - 0.52))
    rate = sheared_rate(slope, up)
    for x, y in ((1.0, 0.0), (0.0, 1.0)):
        rise = x * up.x + y * up.y
        turning = cross(rate, Vector(x, y, 0.0))
        assert turning.z == pytest.approx(-rise * slope.z, abs=1e-15)  # across the surface, along chord and span
    assert cross(rate, Vector(0.0, 1.0, 0.0)).x == pytest.approx(-up.y * slope.x, abs=1e-15)  # along it, over the span
    assert sheared_rate(slope, Vector(0.0, 0.0, 1.0)) == (0.0, 0.0, 0.0)  # level: the same wind all over it


@pytest.mark.parametrize(
    ("bearing_deg", "toward"), [(0, (0, -3)), (90, (-3, 0)), (180, (0, 3)), (270, (3, 0))], ids="NESW"
)
def test_wind_comes_from_its_bearing(bearing_deg, toward):
    wind = wind_from(3.0, math.radians(bearing_deg))
    assert (wind.x, wind.y) == pytest.approx(toward, abs=1e-15)
    assert wind.z == 0.0


def test_discrete_gust_rises_and_stays():
    values = [one_minus_cosine(x, 10.0, 20.0, 5.0) for x in (0.0, 10.0, 15.0, 20.0, 30.0, 90.0)]
    assert values == pytest.approx([0.0, 0.0, 2.5 * (1 - math.sqrt(0.5)), 2.5, 5.0, 5.0])


def test_low_altitude_model():
    # MIL-F-8785C figures 10 and 11 by their formulas: at 1000 ft the three lengths and intensities are equal.
    top = low_altitude_dryden(304.8, 10.0)
    assert top.length_u == pytest.approx(top.length_w) == pytest.approx(304.8)
    assert top.sigma_u == pytest.approx(top.sigma_w) == pytest.approx(1.0)
    # At 100 ft: L_u = 100 / (0.177 + 0.0823)^1.2 = 505 ft, sigma_u / sigma_w = 1 / 0.2593^0.4 = 1.716.
    low = low_altitude_dryden(30.48, 10.0)
    assert low.length_u / 0.3048 == pytest.approx(505.1, abs=0.1)
    assert low.length_w == pytest.approx(30.48)
    assert low.sigma_u / low.sigma_w == pytest.approx(1.716, abs=5e-4)
    assert low_altitude_dryden(0.0, 10.0) == low_altitude_dryden(3.048, 10.0)


def matrices(dt, airspeed=15.0):
    """The step is linear: its columns are the answers to unit states and unit noises."""
    unit = np.eye(5)
    zero_noise, zero_state = DrydenNoise(*ZERO), DrydenState(*ZERO)
    a = np.array([dryden_step(DrydenState(*e), airspeed, zero_noise, dt, P) for e in unit]).T
    b = np.array([dryden_step(zero_state, airspeed, DrydenNoise(*e), dt, P) for e in unit]).T
    return a, b @ b.T


OUTPUT = np.array([dryden_gust(DrydenState(*e), P) for e in np.eye(5)]).T
START = np.array([dryden_start(DrydenNoise(*e)) for e in np.eye(5)]).T
STATIONARY = START @ START.T


@pytest.mark.parametrize("dt", STEPS)
def test_strength_does_not_depend_on_the_step(dt):
    a, q = matrices(dt)
    # The stationary covariance solves X = A X A' + Q; the start must be drawn from it, and the gust must have sigma².
    np.testing.assert_allclose(a @ STATIONARY @ a.T + q, STATIONARY, rtol=0, atol=1e-14)
    gust = OUTPUT @ STATIONARY @ OUTPUT.T
    np.testing.assert_allclose(gust, np.diag([1.5**2, 1.2**2, 0.7**2]), rtol=0, atol=1e-14)


@pytest.mark.parametrize("dt", STEPS)
def test_two_half_steps_are_one_step(dt):
    a, q = matrices(dt)
    half_a, half_q = matrices(dt / 2)
    np.testing.assert_allclose(half_a @ half_a, a, rtol=0, atol=1e-14)
    np.testing.assert_allclose(half_a @ half_q @ half_a.T + half_q, q, rtol=2e-13, atol=1e-25)


@pytest.mark.parametrize("dt", [1e-6, 1e-3, 1.0, 100.0])
@pytest.mark.parametrize("airspeed", [0.0, 1e-3, 30.0])
def test_any_step_and_airspeed_are_finite(dt, airspeed):
    a, q = matrices(dt, airspeed)
    assert np.all(np.isfinite(a)) and np.all(np.isfinite(q))
    assert np.all(np.diag(q) > 0.0)


@pytest.mark.parametrize("dt", STEPS)
def test_autocorrelation_is_drydens(dt):
    # Longitudinal e^(-r/L), transverse e^(-r/L) (1 - r / 2L), with r the distance flown.
    a, _ = matrices(dt)
    steps = round(6.0 / dt)
    covariance = OUTPUT @ np.linalg.matrix_power(a, steps) @ STATIONARY @ OUTPUT.T
    r = 15.0 * dt * steps
    expected = [
        P.sigma_u**2 * math.exp(-r / P.length_u),
        P.sigma_v**2 * math.exp(-r / P.length_v) * (1 - r / (2 * P.length_v)),
        P.sigma_w**2 * math.exp(-r / P.length_w) * (1 - r / (2 * P.length_w)),
    ]
    np.testing.assert_allclose(np.diag(covariance), expected, rtol=1e-9)


@pytest.mark.parametrize("wave", [1e-3, 0.01, 0.05, 0.2])
def test_spectrum_is_that_of_mil_f_8785c(wave):
    # One-sided spectrum in the spatial frequency: (2/pi) times the integral of R(r) cos(wave r) dr.
    dt, airspeed = 0.01, 15.0
    step = airspeed * dt
    a, _ = matrices(dt, airspeed)
    count = 40_000  # 6 km, 30 scale lengths: what is cut off is e^-30
    covariance = np.empty((count, 3))
    x = STATIONARY @ OUTPUT.T
    for k in range(count):
        covariance[k] = np.diag(OUTPUT @ x)
        x = a @ x
    r = np.arange(count) * step
    weight = np.full(count, step)
    weight[0] = 0.5 * step
    spectrum = 2.0 / math.pi * (covariance * (weight * np.cos(wave * r))[:, None]).sum(axis=0)
    lu, lv, lw = (length * wave for length in (P.length_u, P.length_v, P.length_w))
    expected = [
        P.sigma_u**2 * 2.0 * P.length_u / math.pi / (1.0 + lu**2),
        P.sigma_v**2 * P.length_v / math.pi * (1.0 + 3.0 * lv**2) / (1.0 + lv**2) ** 2,
        P.sigma_w**2 * P.length_w / math.pi * (1.0 + 3.0 * lw**2) / (1.0 + lw**2) ** 2,
    ]
    # Trapezoid rule: the slope jump of R at 0 leaves step² / 12 times that slope, here below 2e-4 of the spectrum.
    np.testing.assert_allclose(spectrum, expected, rtol=4e-4)


@jit
def _squares(n, dt, p):
    state = DrydenState(0.0, 0.0, 0.0, 0.0, 0.0)
    u = v = w = 0.0
    for i in range(n):
        a, b, c = gaussian_pair(5, 0, i, 0), gaussian_pair(5, 0, i, 1), gaussian_pair(5, 0, i, 2)
        state = dryden_step(state, 20.0, DrydenNoise(a.a, a.b, b.a, b.b, c.a), dt, p)
        gust = dryden_gust(state, p)
        u += gust.x * gust.x
        v += gust.y * gust.y
        w += gust.z * gust.z
    return u / n, v / n, w / n


@pytest.mark.parametrize("dt", [0.0005, 0.005, 0.05])
def test_a_long_flight_has_the_given_strength(dt):
    # 1000 s at 20 m/s with 10 m scale length holds about 1000 independent stretches: 2.3 % standard error of sigma.
    p = Dryden(1.0, 1.0, 1.0, 10.0, 10.0, 10.0)
    sigma = np.sqrt(_squares(round(1000.0 / dt), dt, p))
    np.testing.assert_allclose(sigma, 1.0, atol=4 * 0.023)
