"""Turbulence with von Kármán's spectrum, by the filters of MIL-STD-1797A, appendix 4.9.1, stepped exactly.

u: (1 + 0.25 s) / (1 + 1.357 s + 0.1987 s²)
v, w: (1 + 2.7478 s + 0.3398 s²) / (1 + 2.9958 s + 1.9754 s² + 0.1539 s³)
with s in units of airspeed / scale length. They follow the spectrum, which no finite filter has, to 5 % up to ten
radians per scale length, and give 0.984 (u) and 0.981 (v, w) of its deviation. Each is a sum of lags driven by one
noise: the states below. As for Dryden's, state and stationary covariance are without unit, so turbulence stays in
balance when airspeed, scale length or intensity change in flight.
"""

from typing import NamedTuple

from cupola.physics.rotation import Vector
from cupola.physics.wind import AIRSPEED_FLOOR, ROOT_2, Dryden
from cupola.xmath import Number, exp, expm1, maximum, minimum, sqrt

U_POLES = (0.8403154269119582, 5.989075614859557)
U_SHARES = (0.7721171643264071, 0.48606099370076955)
V_POLES = (0.48010621319320945, 1.2148211586395532, 11.140680165529162)
V_SHARES = (-0.19985685820680155, 1.6364088446375717, 0.7713752390403147)
"""Decay of each lag, and its share in the gust: partial fractions of the filters."""


class KarmanState(NamedTuple):
    """Lags of u, v and w, without unit; as noise, independent standard normal numbers."""

    u1: Number
    u2: Number
    v1: Number
    v2: Number
    v3: Number
    w1: Number
    w2: Number
    w3: Number


class Pair(NamedTuple):
    """Two lags."""

    a: Number
    b: Number


def karman_start(noise: KarmanState) -> KarmanState:
    """A state drawn from the stationary distribution."""
    still = KarmanState(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return _step(still, 1e6, 1e6, 1e6, noise)


def karman_step(state: KarmanState, airspeed: Number, noise: KarmanState, dt: Number, p: Dryden) -> KarmanState:
    """State after `dt` > 0 [s] at `airspeed` [m/s]."""
    distance = maximum(airspeed, AIRSPEED_FLOOR) * dt
    return _step(state, distance / p.length_u, distance / p.length_v, distance / p.length_w, noise)


def karman_gust(state: KarmanState, p: Dryden) -> Vector:
    """Gust velocity along body axes [m/s]."""
    u = ROOT_2 * (U_SHARES[0] * state.u1 + U_SHARES[1] * state.u2)
    v = V_SHARES[0] * state.v1 + V_SHARES[1] * state.v2 + V_SHARES[2] * state.v3
    w = V_SHARES[0] * state.w1 + V_SHARES[1] * state.w2 + V_SHARES[2] * state.w3
    return Vector(p.sigma_u * u, p.sigma_v * v, p.sigma_w * w)


def _step(s: KarmanState, hu: Number, hv: Number, hw: Number, n: KarmanState) -> KarmanState:
    u = _two(Pair(s.u1, s.u2), hu, Pair(n.u1, n.u2))
    v = _three(Vector(s.v1, s.v2, s.v3), hv, Vector(n.v1, n.v2, n.v3))
    w = _three(Vector(s.w1, s.w2, s.w3), hw, Vector(n.w1, n.w2, n.w3))
    return KarmanState(u.a, u.b, v.x, v.y, v.z, w.x, w.y, w.z)


def _common(a: Number, b: Number, h: Number) -> Number:
    """Covariance that one unit white noise leaves in two lags after `h`."""
    return -expm1(-(a + b) * h) / (a + b)


def _two(x: Pair, h: Number, noise: Pair) -> Pair:
    a, b = U_POLES
    l11 = sqrt(_common(a, a, h))
    l21 = _common(a, b, h) / l11
    l22 = sqrt(maximum(_common(b, b, h) - l21 * l21, 0.0))
    return Pair(exp(-a * h) * x.a + l11 * noise.a, exp(-b * h) * x.b + l21 * noise.a + l22 * noise.b)


def _three(x: Vector, h: Number, noise: Vector) -> Vector:
    """The Cholesky factor of the noise; where a step is short its lower rows cancel, and count for nothing."""
    a, b, c = V_POLES
    l11 = sqrt(_common(a, a, h))
    l21, l31 = _common(a, b, h) / l11, _common(a, c, h) / l11
    l22 = sqrt(maximum(_common(b, b, h) - l21 * l21, 1e-300))
    l32 = (_common(b, c, h) - l31 * l21) / l22
    room = maximum(_common(c, c, h) - l31 * l31, 0.0)
    l32 = maximum(minimum(l32, sqrt(room)), -sqrt(room))
    l33 = sqrt(maximum(room - l32 * l32, 0.0))
    return Vector(
        exp(-a * h) * x.x + l11 * noise.x,
        exp(-b * h) * x.y + l21 * noise.x + l22 * noise.y,
        exp(-c * h) * x.z + l31 * noise.x + l32 * noise.y + l33 * noise.z,
    )
