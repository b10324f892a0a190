"""Moving air: mean profile, discrete gust and Dryden turbulence (MIL-F-8785C, 1980, section 3.7).

The turbulence filters are stepped exactly, transition and noise covariance both, so intensity and spectrum do not
depend on the time step. Their state is dimensionless with a fixed stationary covariance: it stays in balance when
airspeed, scale length or intensity change in flight.
"""

import math
from typing import NamedTuple

from cupola.physics.rotation import Vector
from cupola.xmath import Number, clip, cos, exp, expm1, log, maximum, minimum, power, sin, sqrt, where

PROFILE_FLOOR = 0.01
"""Below this height the mean wind stays as there [m]: a power of zero has no finite slope."""
AIRSPEED_FLOOR = 0.1
"""Turbulence is carried past a vehicle at rest no slower than this [m/s]."""
FOOT = 0.3048
ROOT_2, ROOT_3 = math.sqrt(2.0), math.sqrt(3.0)
SERIES_BELOW = 0.5
SERIES = (15.0, 14.0, 13.0, 12.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0)
"""Divisors of that series: numbers like all others, so that it stays in the precision that it is computed in."""


class Dryden(NamedTuple):
    """Intensities [m/s] and scale lengths [m] along body x (u), y (v) and z (w)."""

    sigma_u: float
    sigma_v: float
    sigma_w: float
    length_u: float
    length_v: float
    length_w: float


class DrydenState(NamedTuple):
    """Filter states without unit: one lag for u, two lags in a row for v and for w."""

    u: Number
    v1: Number
    v2: Number
    w1: Number
    w2: Number


class DrydenNoise(NamedTuple):
    """Five independent standard normal numbers."""

    u: Number
    v1: Number
    v2: Number
    w1: Number
    w2: Number


class Lags(NamedTuple):
    """States of two equal lags in a row."""

    first: Number
    second: Number


def power_law(height: Number, speed: Number, reference_height: Number, exponent: Number) -> Number:
    """Mean wind speed [m/s] at `height` [m] when it is `speed` at `reference_height`; Hellmann's exponent."""
    return speed * power(maximum(height, PROFILE_FLOOR) / reference_height, exponent)


def power_law_slope(height: Number, speed: Number, reference_height: Number, exponent: Number) -> Number:
    """How fast that wind grows with height [1/s]."""
    inside = height > PROFILE_FLOOR
    slope = exponent * power_law(height, speed, reference_height, exponent) / maximum(height, PROFILE_FLOOR)
    return where(inside, slope, 0.0)


def log_law(height: Number, speed: Number, reference_height: Number, roughness: Number) -> Number:
    """Mean wind speed [m/s] over ground of a roughness [m], 0 below it: Stull, Boundary Layer Meteorology, 9.7."""
    return speed * log(maximum(height, roughness) / roughness) / log(reference_height / roughness)


def log_law_slope(height: Number, speed: Number, reference_height: Number, roughness: Number) -> Number:
    """How fast that wind grows with height [1/s]."""
    slope = speed / (maximum(height, roughness) * log(reference_height / roughness))
    return where(height > roughness, slope, 0.0)


class Thermal(NamedTuple):
    """A column of rising air."""

    x: float
    y: float
    z: float
    """[m] where its axis stands on the ground, world."""
    radius: float
    """[m] where the air stands still: it rises inside and sinks around."""
    strength: float
    """[m/s] in its core, at the height where it is strongest."""
    top: float
    """[m] height of the convective layer."""


THERMAL_PEAK = 0.75 * (1.0 / 4.4) ** (1.0 / 3.0)
"""Most that (z / top)^(1/3) (1 - 1.1 z / top) reaches, at z = top / 4.4."""


def thermal_updraft(distance_2: Number, height: Number, p: Thermal) -> Number:
    """Speed of the rising air [m/s] at the square of a distance from its axis [m²] and a height [m].

    Across: Gedeon, "Dynamic analysis of dolphin-style thermal cross-country flight", Technical Soaring 3 (1973);
    with height: Lenschow, Wyngaard and Pennell, "Mean-field and second-moment budgets in a baroclinic, convective
    boundary layer", Journal of the Atmospheric Sciences 37 (1980), as in Allen, AIAA 2006-1510.
    """
    r2 = distance_2 / (p.radius * p.radius)
    z = clip(height / p.top, 1e-6, 1.0 / 1.1)
    profile = where(height > 0.0, power(z, 1.0 / 3.0) * (1.0 - 1.1 * z), 0.0)
    return p.strength * (1.0 - r2) * exp(-r2) * profile / THERMAL_PEAK


def sheared_rate(slope: Vector, up: Vector) -> Vector:
    """Rates at which a surface in still air would feel the wind that changes across it in a shear [rad/s].

    `slope` is the change of the wind per metre of height [1/s] and `up` the vertical, both in axes with x to the front.
    A surface that turns at (p, q, r) moves at (-r y, r x, p y - q x) more at (x, y); the shear blows there with
    (x up_x + y up_y) slope more. Equal are p = -dW_z/dy, q = dW_z/dx, r = dW_x/dy: Etkin, "Turbulent wind and its
    effect on flight", Journal of Aircraft 18 (1981) 327-345, the linear field.
    """
    return Vector(-slope.z * up.y, slope.z * up.x, slope.x * up.y)


def wind_from(speed: Number, bearing: Number) -> Vector:
    """Wind in world axes (east, north, up) [m/s] that comes FROM a compass bearing [rad]: 0 north, π/2 east."""
    return Vector(-speed * sin(bearing), -speed * cos(bearing), 0.0)


def one_minus_cosine(position: Number, start: Number, length: Number, amplitude: Number) -> Number:
    """Discrete gust [m/s]: rises from 0 at `start` to `amplitude` a `length` later and stays (MIL-F-8785C 3.7.3).

    Position and lengths may be distances [m] or times [s]. A gust that fades again is one minus a later one.
    """
    return 0.5 * amplitude * (1.0 - cos(math.pi * clip((position - start) / length, 0.0, 1.0)))


def low_altitude_dryden(height: Number, wind_at_6m: Number) -> Dryden:
    """Turbulence near the ground from height [m] and mean wind at 6.1 m (20 ft) [m/s]: MIL-F-8785C 3.7.3.4.

    The model is defined from 10 ft to 1000 ft; outside it stays as at the nearer end.
    """
    feet = clip(height / FOOT, 10.0, 1000.0)
    shear = 0.177 + 0.000823 * feet
    horizontal = FOOT * feet / power(shear, 1.2)
    sigma_w = 0.1 * wind_at_6m
    sigma_u = sigma_w / power(shear, 0.4)
    return Dryden(sigma_u, sigma_u, sigma_w, horizontal, horizontal, FOOT * feet)


def dryden_start(noise: DrydenNoise) -> DrydenState:
    """A state drawn from the stationary distribution, so that turbulence is at full strength from the first step."""
    # Covariance of the two lags: 1, 1/2; 1/2, 1/2.
    return DrydenState(noise.u, noise.v1, 0.5 * (noise.v1 + noise.v2), noise.w1, 0.5 * (noise.w1 + noise.w2))


def dryden_step(state: DrydenState, airspeed: Number, noise: DrydenNoise, dt: Number, p: Dryden) -> DrydenState:
    """State after `dt` > 0 [s] at `airspeed` [m/s]."""
    distance = maximum(airspeed, AIRSPEED_FLOOR) * dt
    h = distance / p.length_u
    v = _two_lags(state.v1, state.v2, distance / p.length_v, noise.v1, noise.v2)
    w = _two_lags(state.w1, state.w2, distance / p.length_w, noise.w1, noise.w2)
    u = exp(-h) * state.u + sqrt(-expm1(-2.0 * h)) * noise.u
    return DrydenState(u, v.first, v.second, w.first, w.second)


def dryden_gust(state: DrydenState, p: Dryden) -> Vector:
    """Gust velocity along body axes [m/s].

    (1 + √3 T s) / (1 + T s)² is √3 / (1 + T s) + (1 - √3) / (1 + T s)²; with the covariance of `dryden_start` that sum
    has variance 2.
    """
    v = (ROOT_3 * state.v1 + (1.0 - ROOT_3) * state.v2) / ROOT_2
    w = (ROOT_3 * state.w1 + (1.0 - ROOT_3) * state.w2) / ROOT_2
    return Vector(p.sigma_u * state.u, p.sigma_v * v, p.sigma_w * w)


def _two_lags(first: Number, second: Number, h: Number, noise_1: Number, noise_2: Number) -> Lags:
    """Exact step of x1' = -x1 + √2 n, x2' = x1 - x2 over the time `h`, in units of the lag.

    The noise covariance is q11 = γ(1, 2h), q12 = γ(2, 2h) / 2, q22 = γ(3, 2h) / 4 with the lower incomplete gamma
    function; its Cholesky factor shapes two independent numbers.
    """
    x = 2.0 * h
    fade = exp(-x)
    gamma_3 = _gamma_3(x, fade)
    gamma_2 = 0.5 * (gamma_3 + x * x * fade)  # γ(a + 1, x) = a γ(a, x) - x^a e^-x
    gamma_1 = gamma_2 + x * fade
    l11 = sqrt(gamma_1)
    l21 = 0.5 * gamma_2 / l11
    l22 = 0.5 * sqrt(gamma_3 - gamma_2 * gamma_2 / gamma_1)
    decay = exp(-h)
    return Lags(decay * first + l11 * noise_1, decay * (second + h * first) + l21 * noise_1 + l22 * noise_2)


def _gamma_3(x: Number, fade: Number) -> Number:
    """Lower incomplete gamma function γ(3, x), with `fade` = e^-x, to full relative precision for any x > 0."""
    small = minimum(x, SERIES_BELOW)
    series = 1.0  # 1 + x/4 (1 + x/5 (1 + ...)): all terms positive, nothing cancels
    for k in SERIES:
        series = 1.0 + small / k * series
    return where(x < SERIES_BELOW, x * x * x * fade * series / 3.0, 2.0 - fade * (x * x + 2.0 * x + 2.0))
