"""Exact functions of the unsteady thin airfoil, for checks and for whoever wants them.

Theodorsen, Sears, Wagner, Küssner; lift, moment and thrust of pitching and plunging.

SciPy's Bessel functions and quadrature; the compiled loop uses the lags in `physics.strip`.
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from scipy import integrate, special

from cupola.physics import strip
from cupola.physics.flap import Camber

Array = Any
LAGS = tuple((getattr(strip, f"SHARE_{n}"), getattr(strip, f"RATE_{n}")) for n in (1, 2, 3, 4, 5))
"""Shares and rates of the strips' wake."""


def theodorsen(k: Array) -> Array:
    """C(k) = F + iG at the reduced frequency k = ω c / 2U > 0 (NACA report 496, 1935)."""
    h0, h1 = special.hankel2(0, k), special.hankel2(1, k)
    return h1 / (h1 + 1j * h0)


def theodorsen_lags(k: Array) -> Array:
    """The same of the strips' wake."""
    s = 1j * np.asarray(k)
    return 0.5 + sum(share * rate / (s + rate) for share, rate in LAGS)


def sears(k: Array) -> Array:
    """Lift of a sinusoidal gust by its quasi-steady one, gust phase at mid-chord."""
    return (special.j0(k) - 1j * special.j1(k)) * theodorsen(k) + 1j * special.j1(k)


def wagner(s: float) -> float:
    """Lift after a step of the angle of attack by its final one, `s` half chords later.

    An integral over x along the cut of the transform, taken in log x, which spreads its slow end at x → 0.
    """
    if s == 0.0:
        return 0.5

    def integrand(log_x: float) -> float:
        x = np.exp(log_x)
        # Scaled Bessel functions: e^x K and e^-x I do not overflow.
        k = (special.k0e(x) - special.k1e(x)) * np.exp(-2.0 * x)
        i = np.pi * (special.i0e(x) + special.i1e(x))
        return float(np.exp(-x * s - 2.0 * x) / (x * (k * k + i * i)))

    value, _ = integrate.quad(integrand, -40.0, 6.0, limit=400, epsabs=1e-12, epsrel=1e-10)
    return 1.0 - float(value)


def kussner(s: float) -> float:
    """Lift by its final one of an airfoil that flies into a sharp gust, `s` half chords after its nose met the edge.

    Sears' function in time: what the gust has covered of the chord works as Wagner says, and its edge pushes at once.
    """
    covered = min(s, 2.0)

    def integrand(root: float) -> float:
        x = root * root  # takes the root out of the integrand at the nose
        return float(2.0 * x / np.pi / np.sqrt(2.0 - x)) * wagner(s - x)

    end = np.sqrt(covered) * (1.0 if s < 2.0 else 1.0 - 1e-9)
    value, _ = integrate.quad(integrand, 0.0, end, epsabs=1e-6, epsrel=1e-6)
    return float(value) + float(np.sqrt(covered * (2.0 - covered))) / np.pi


def sears_in_time(s: float) -> float:
    """Küssner's function by another way: the Fourier integral of `sears` with the gust's phase at the nose.

    A step of what answers by H(k) is 2/π ∫ Re H sin(ks) / k dk; e^-k / k, whose integral is arctan(s), takes the pole.
    """

    def rest(k: float) -> float:
        return float((np.real(sears(k) * np.exp(-1j * k)) - np.exp(-k)) / k)

    near, _ = integrate.quad(lambda k: rest(k) * np.sin(k * s), 0.0, 1.0, limit=400, epsabs=1e-9)
    far, _ = integrate.quad(rest, 1.0, np.inf, weight="sin", wvar=s, limlst=200, epsabs=1e-7)
    return 2.0 / np.pi * (float(near) + float(far) + float(np.arctan(s)))


class Harmonic(NamedTuple):
    """Of a thin airfoil of half chord 1 m in air of density 1 kg/m³ that flies at 1 m/s, per metre of span."""

    lift: Array
    """Complex, up [N]."""
    moment: Array
    """Complex, nose up about the quarter chord [N m]."""
    thrust: Array
    """Mean [N]."""


def oscillating(k: Array, plunge: float, pitch: float) -> Harmonic:
    """Theodorsen's lift and moment and Garrick's thrust at the reduced frequency k (NACA reports 496 and 567).

    Amplitudes are those of the quarter chord downwards [m] and of the nose up about it [rad].
    """
    i, a = 1j * np.asarray(k), -0.5
    rate, sink, c = i * pitch, i * plunge, theodorsen(k)
    felt = sink + pitch + (0.5 - a) * rate
    lift = np.pi * (i * sink + rate - a * i * rate) + 2.0 * np.pi * c * felt
    moment = np.pi * (a * i * sink - (0.5 - a) * rate - (0.125 + a * a) * i * rate)
    suction = 0.5 * np.pi * np.abs((2.0 * c * felt - rate) / np.sqrt(2.0)) ** 2
    return Harmonic(lift, moment, suction - 0.5 * np.real(pitch * np.conj(lift)))


def wagner_lags(s: Array) -> Array:
    """The same of the strips' wake."""
    return 1.0 - sum(share * np.exp(-rate * np.asarray(s)) for share, rate in LAGS)


def thin_airfoil(slope: Callable[[Array], Array], breaks: tuple[float, ...] = (), points: int = 64) -> Camber:
    """Zero-lift angle [rad] and quarter-chord moment of a camber line of `slope` dz/dx (x in chords from the nose).

    Gauss quadrature between `breaks`, where the slope may jump or kink.
    """
    ends = [0.0, *(float(np.arccos(1.0 - 2.0 * x)) for x in breaks), np.pi]
    nodes, weights = np.polynomial.legendre.leggauss(points)
    alpha_0 = a1 = a2 = 0.0
    for low, high in pairwise(ends):
        theta = 0.5 * (high + low) + 0.5 * (high - low) * nodes
        weight = 0.5 * (high - low) * weights * slope(0.5 * (1.0 - np.cos(theta)))
        alpha_0 -= float((weight * (np.cos(theta) - 1.0)).sum()) / np.pi
        a1 += float((weight * np.cos(theta)).sum()) * 2.0 / np.pi
        a2 += float((weight * np.cos(2.0 * theta)).sum()) * 2.0 / np.pi
    return Camber(alpha_0, 0.25 * np.pi * (a2 - a1))


def naca_4_digits(camber: float, place: float) -> Callable[[Array], Array]:
    """Slope of the camber line of a NACA four-digit section: largest camber and its place [chords]."""

    def slope(x: Array) -> Array:
        return np.where(x < place, 2.0 * camber / place**2, 2.0 * camber / (1.0 - place) ** 2) * (place - x)

    return slope


def naca_230(x: Array) -> Array:
    """Slope of the camber line of the NACA 230 sections."""
    r, k = 0.2025, 15.957
    return np.where(x < r, k / 6.0 * (3.0 * x * x - 6.0 * r * x + r * r * (3.0 - r)), -k / 6.0 * r**3)
