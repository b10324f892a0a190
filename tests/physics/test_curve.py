"""Polynomials and splines: closed forms, the examples of the Last_letter_2 thesis, and its wing tables."""

import csv
import math
from importlib.resources import files

import numpy as np
import pytest

from cupola.physics.curve import coefficient_count_2d, polynomial, polynomial_2d, spline

EXAMPLE_2D = [7.554e4, -1076.0, 5.768, -0.01416, 1.66e-5, -7.553e-9, 1.676e5, -1487.0, 4.831, -0.006781, 3.493e-6]


def table(name):
    text = files("cupola").joinpath("models", "plane_1wing_sensors", f"{name}.csv").read_text()
    rows = list(csv.DictReader(text.splitlines()))
    return [float(r["break"]) for r in rows], [float(r[k]) for r in rows[:-1] for k in "abcd"]


LIFT, DRAG = table("lift"), table("drag")


def test_polynomial_is_constant_first():
    assert polynomial(2.0, [0.0, 2.5, -0.8, -2.6]) == pytest.approx(2.5 * 2 - 0.8 * 4 - 2.6 * 8)
    assert polynomial(3.0, [7.0]) == 7.0
    assert polynomial(3.0, []) == 0.0


def test_polynomial_2d_follows_the_order_of_the_thesis():
    x, y = 0.4, 210.0
    expected = sum(a * y**j for j, a in enumerate(EXAMPLE_2D[:6])) + x * sum(
        a * y**j for j, a in enumerate(EXAMPLE_2D[6:])
    )
    assert polynomial_2d(x, y, EXAMPLE_2D, 1, 5) == pytest.approx(expected, rel=1e-13)


@pytest.mark.parametrize(("n1", "n2"), [(0, 0), (0, 4), (1, 5), (2, 3), (3, 3)])
def test_every_exponent_of_polynomial_2d_once(n1, n2):
    exponents = [(i, j) for i in range(n1 + 1) for j in range(n2 - i + 1)]
    assert coefficient_count_2d(n1, n2) == len(exponents)
    for k, (i, j) in enumerate(exponents):
        only = [float(k == m) for m in range(len(exponents))]
        assert polynomial_2d(1.5, 0.7, only, n1, n2) == pytest.approx(1.5**i * 0.7**j)


def test_count_of_the_thesis_example():
    assert coefficient_count_2d(1, 5) == len(EXAMPLE_2D) == 11


def test_spline_is_highest_power_first_from_the_segment_start():
    breaks = [0.0, 1.0, 3.0]
    coefficients = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
    assert spline(0.5, breaks, coefficients) == 1.0 * 0.125 + 2.0 * 0.25 + 3.0 * 0.5 + 4.0
    assert spline(1.5, breaks, coefficients) == 5.0 * 0.125 + 6.0 * 0.25 + 7.0 * 0.5 + 8.0
    assert spline(-9.0, breaks, coefficients) == 4.0
    assert spline(99.0, breaks, coefficients) == 5.0 * 8 + 6.0 * 4 + 7.0 * 2 + 8.0


# Values of the seed specification, annex C: degrees, coefficient, printed digits.
LIFT_CHECKS = [
    (-10, -0.3822, 4), (0, 0.622, 4), (10, 1.5372, 4), (15, 1.802, 3), (17, 1.839, 3), (25, 1.301, 3),
    (45, 0.8589, 4), (90, 0.0, 4),
]  # fmt: skip
DRAG_CHECKS = [
    (-5, 0.0301, 4), (0, 0.0432, 4), (10, 0.1137, 4), (15, 0.180, 3), (25, 0.564, 3), (45, 1.3802, 4), (90, 2.0, 4),
]  # fmt: skip


@pytest.mark.parametrize(
    ("curve", "degrees", "value", "digits"),
    [(LIFT, *c) for c in LIFT_CHECKS] + [(DRAG, *c) for c in DRAG_CHECKS],
)
def test_wing_tables(curve, degrees, value, digits):
    assert spline(math.radians(degrees), *curve) == pytest.approx(value, abs=0.51 * 10.0**-digits)


def test_largest_lift():
    alpha = np.radians(np.linspace(0.0, 40.0, 4001))
    lift = spline(alpha, *map(np.array, LIFT))
    assert lift.max() == pytest.approx(1.8427, abs=5e-5)
    assert math.degrees(alpha[lift.argmax()]) == pytest.approx(16.6, abs=0.05)


@pytest.mark.parametrize("curve", [LIFT, DRAG], ids=["lift", "drag"])
def test_wing_tables_are_continuous_and_held_outside(curve):
    breaks = np.array(curve[0])
    before = spline(np.nextafter(breaks, -9.0), *map(np.array, curve))
    np.testing.assert_allclose(before, spline(breaks, *map(np.array, curve)), rtol=0, atol=1e-12)
    assert spline(math.pi, *curve) == spline(breaks[-1], *curve)
    assert spline(-math.pi, *curve) == spline(breaks[0], *curve)


def test_three_segment_example_of_the_thesis():
    # Last_letter_2 §4.3.2.5 gives these rows; on segment i the value is a d³ + b d² + c d + e with d from its break.
    rows = [(0.1, 0.2, 0.3, 0.4), (0.15, 0.25, 0.24, 0.45), (0.28, 0.28, 0.38, 0.48)]
    breaks, flat = np.array([0.0, 1.0, 2.0, 3.0]), np.array(rows).ravel()
    for i, (a, b, c, e) in enumerate(rows):
        assert spline(i + 0.5, breaks, flat) == pytest.approx(a / 8 + b / 4 + c / 2 + e, rel=1e-14)
