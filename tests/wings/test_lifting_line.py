"""The lifting line: elliptic wing, twist, tables, and sections that stall."""

import math

import numpy as np
import pytest

from cupola.aerodynamics.lifting_line import lifting_line
from cupola.physics.section import NACA_0012, lift_and_drag, steady_polar


def line(alpha):
    return 2.0 * math.pi * alpha


def ellipse(y):
    return 4.0 / math.pi * np.sqrt(1.0 - (y / 3.0) ** 2)


def test_an_elliptic_wing_has_uniform_downwash():
    found = lifting_line(6.0, ellipse, lambda y: np.full_like(y, 0.1), line)
    assert found.wing_lift == pytest.approx(2.0 * math.pi * 0.1 / (1.0 + 2.0 / 6.0))
    np.testing.assert_allclose(0.1 - found.alpha, found.wing_lift / (math.pi * 6.0), rtol=1e-9)
    assert found.wing_drag == pytest.approx(found.wing_lift**2 / (math.pi * 6.0))
    assert found.delta == pytest.approx(0.0, abs=1e-20)


@pytest.mark.parametrize(("aspect_ratio", "slope", "delta"), [(4.0, 4.02839, 0.02848), (20.0, 5.54427, 0.16173)])
def test_rectangles_of_the_table(aspect_ratio, slope, delta):
    found = lifting_line(aspect_ratio, np.ones_like, lambda y: np.full_like(y, 0.01), line, 200)
    assert found.wing_lift / 0.01 == pytest.approx(slope, rel=1e-4)
    assert found.delta == pytest.approx(delta, rel=1e-3)


def test_twist_adds_linearly():
    flat = lifting_line(8.0, np.ones_like, lambda y: np.full_like(y, 0.05), line)
    twisted = lifting_line(8.0, np.ones_like, lambda y: 0.02 * y / 4.0, line)
    both = lifting_line(8.0, np.ones_like, lambda y: 0.05 + 0.02 * y / 4.0, line)
    np.testing.assert_allclose(both.circulation, flat.circulation + twisted.circulation, atol=1e-12)
    assert twisted.wing_lift == pytest.approx(0.0, abs=1e-12)


def test_sections_that_stall_limit_the_wing():
    def polar(alpha):
        return lift_and_drag(alpha, steady_polar(alpha, NACA_0012)).lift

    low = lifting_line(6.0, np.ones_like, lambda y: np.full_like(y, math.radians(5.0)), polar, 40)
    straight = lifting_line(6.0, np.ones_like, lambda y: np.full_like(y, math.radians(5.0)), line, 40)
    assert low.wing_lift == pytest.approx(straight.wing_lift, rel=0.01)
    high = lifting_line(6.0, np.ones_like, lambda y: np.full_like(y, math.radians(14.0)), polar, 40)
    straight = lifting_line(6.0, np.ones_like, lambda y: np.full_like(y, math.radians(14.0)), line, 40)
    assert max(low.residual, high.residual) < 1e-9
    assert high.wing_lift < 0.98 * straight.wing_lift
    np.testing.assert_allclose(high.c_lift * 0.5, high.circulation, atol=1e-8)
