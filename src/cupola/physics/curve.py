"""Curves of one and two variables given by coefficients: polynomials and piecewise cubics.

Coefficients are 1-D arrays (lists in plain Python). Their number and the degrees are fixed, not computed values.
"""

from cupola.xmath import Number, clip, interval, take


def polynomial(x: Number, coefficients: Number) -> Number:
    """a0 + a1 x + a2 x² ..., constant term first."""
    value = 0.0 * x
    for k in range(len(coefficients) - 1, -1, -1):
        value = value * x + coefficients[k]
    return value


def polynomial_2d(x: Number, y: Number, coefficients: Number, n1: int, n2: int) -> Number:
    """Sum of a x^i y^j over i ≤ `n1`, i + j ≤ `n2`, with n1 ≤ n2; for each i in turn, all j from 0 up."""
    value = 0.0 * x
    for i in range(n1, -1, -1):
        first = i * (n2 + 1) - i * (i - 1) // 2
        row = 0.0 * y
        for j in range(n2 - i, -1, -1):
            row = row * y + coefficients[first + j]
        value = value * x + row
    return value


def coefficient_count_2d(n1: int, n2: int) -> int:
    """Number of coefficients that `polynomial_2d` reads."""
    return (n1 + 1) * (n2 + 1) - n1 * (n1 + 1) // 2


def spline(x: Number, breaks: Number, coefficients: Number) -> Number:
    """Piecewise cubic: four coefficients per segment, highest power first, of the distance from the segment's start.

    `x` is held at the first and last break: a cubic that runs on past its data soon leaves anything physical (the lift
    table of a wing for ±90° would give a coefficient of -15 at 180°). Give a curve breaks as far as it shall be used.
    """
    inside = clip(x, breaks[0], breaks[len(breaks) - 1])
    i = interval(breaks, inside)
    d = inside - take(breaks, i)
    c3, c2 = take(coefficients, 4 * i), take(coefficients, 4 * i + 1)
    c1, c0 = take(coefficients, 4 * i + 2), take(coefficients, 4 * i + 3)
    return ((c3 * d + c2) * d + c1) * d + c0
