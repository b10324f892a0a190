"""Unsteady curves: strips beside Theodorsen, Garrick, Wagner, Küssner, and beside airfoils that pitched in tunnels."""

import math

import numpy as np
import pytest

from cupola.aerodynamics.exact import kussner, oscillating, sears, theodorsen, wagner
from cupola.reproduce.morphing import curves, pitching


def test_every_row_of_the_curves_passes():
    """The thrust of pitching, the most sensitive, was 3 % off with four lags that had not forgotten their start."""
    rows = {row.id: row for row in curves.rows(False)}
    assert [row.id for row in rows.values() if not row.passed] == []
    assert rows["morphing_curve_pitch_thrust"].measured == pytest.approx(0.0055, rel=0.1)


def test_strips_that_swing_in_by_themselves_come_to_the_same():
    """The memory that the curves begin with is that of many cycles: two hundred at the highest frequency."""
    k = curves.FREQUENCIES[-1:]
    begun = curves.strips(k, 0.0, 1.0)
    slow = curves.strips(k, 0.0, 1.0, cycles=200, swung_in=False)
    assert slow.thrust[0] == pytest.approx(begun.thrust[0], rel=1e-3)


def test_exact_curves_have_the_known_limits():
    """Slow pitching has no thrust and 2π, plunging has Garrick's (|C|² k² π), and d'Alembert's wing no drag."""
    slow, k = oscillating(np.array([1e-6]), 0.0, 1.0), np.array([0.1, 1.0])
    assert slow.lift[0] == pytest.approx(2.0 * math.pi, rel=1e-4) and abs(slow.thrust[0]) < 1e-4
    plunge = oscillating(k, 1.0, 0.0)
    np.testing.assert_allclose(plunge.thrust, math.pi * k**2 * np.abs(theodorsen(k)) ** 2, rtol=1e-12)
    np.testing.assert_allclose(plunge.lift, 2j * math.pi * k * (theodorsen(k) + 0.5j * k), rtol=1e-12)


def test_a_sharp_gust_is_sears_function_in_time():
    """Sears' function from Küssner's: the lift of a sinusoidal gust is made of small sharp ones."""
    k, s = 0.5, np.linspace(0.0, 400.0, 8001)
    late = 1.0 - np.interp(s, np.geomspace(1e-3, 400.0, 60), [kussner(x) for x in np.geomspace(1e-3, 400.0, 60)])
    found = 1.0 - 1j * k * np.trapezoid(late * np.exp(-1j * k * s), s)  # ends where almost all has come
    assert abs(found * np.exp(1j * k) - sears(k)) < 5e-3
    assert kussner(1e-4) == pytest.approx(math.sqrt(2e-4) / math.pi, rel=1e-3) and kussner(30.0) < wagner(30.0)


def test_pitching_through_the_stall_as_measured():
    """Figures of `cupola reproduce morphing`; the vortex of a deep stall, which is left out, is the largest miss."""
    found = pitching.errors(memory=True)
    assert found == pytest.approx({"naca_0015": 0.327, "ls_0417": 0.121, "s809": 0.244}, rel=0.05)
    assert all(row.passed for row in pitching.rows(False))
