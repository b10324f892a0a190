"""The sheet behind an elliptic wing, against its closed forms."""

import cmath
import math

import pytest

from cupola.physics.downwash import Sheet, carried_step, elliptic_circulation, sheet_velocity
from cupola.physics.ground import factor_near_ground, image_share
from cupola.physics.rotation import Vector

HALF, GAMMA = 2.0, 3.0
BACK = Vector(-1.0, 0.0, 0.0)
LEFT = Sheet(Vector(0.0, 0.0, 0.0), Vector(0.0, HALF, 0.0), BACK, GAMMA)
RIGHT = Sheet(Vector(0.0, 0.0, 0.0), Vector(0.0, -HALF, 0.0), BACK, -GAMMA)


def down(x, y=0.0, z=0.0):
    point = Vector(x, y, z)
    return -(sheet_velocity(LEFT, GAMMA, point).z + sheet_velocity(RIGHT, -GAMMA, point).z)


def test_an_elliptic_wing_leaves_an_even_downwash_far_behind():
    """Prandtl: Γ₀ / b on the sheet, and Re(1 - ζ / √(ζ² - s²)) of that at ζ = y + i z beside it."""
    assert down(-400.0) == pytest.approx(GAMMA / (2.0 * HALF), rel=0.08)  # between two of the vortices
    for y, z in ((0.0, 0.2), (0.0, 1.0), (0.5, 0.6), (1.2, 0.6), (3.0, 0.4)):
        place = complex(y, z)
        share = 1.0 - (place / (cmath.sqrt(place - HALF) * cmath.sqrt(place + HALF))).real
        assert down(-400.0, y, z) == pytest.approx(GAMMA / (2.0 * HALF) * share, abs=0.015 * GAMMA / (2.0 * HALF)), y


def test_at_the_wing_it_is_half_of_that_and_ahead_upwash():
    assert down(-1e-6) == pytest.approx(GAMMA / (4.0 * HALF), rel=0.08)
    assert down(3.0) < 0.0
    assert down(0.0, 1.5 * HALF) < 0.0  # beside the tip, where others fly in formation


def test_it_carries_the_lift_it_was_made_from():
    lift = 0.25 * math.pi * 1.2 * 11.0 * GAMMA * HALF
    assert elliptic_circulation(lift, 11.0, HALF, 1.2) == pytest.approx(GAMMA)


def test_cells_delay_by_the_whole_way():
    """First moment of the answer to a step, with many short steps: the sum of all cells."""
    cells, dt, length = [0.0] * 8, 0.01, 1.0
    lag, time = 0.0, 0.0
    while time < 40.0:
        ahead = 1.0
        for n in range(8):
            ahead = cells[n] = carried_step(cells[n], ahead, dt / length)
        lag, time = lag + dt * (1.0 - cells[-1]), time + dt
    assert lag == pytest.approx(8 * length, rel=0.02)


@pytest.mark.parametrize("x", [0.15, 0.3, 0.6, 1.0])
def test_images_take_what_wieselsberger_says(x):
    """NACA TM 77: (1 - 0.66 x) / (1.05 + 3.7 x) with x = 2 h / b from 1/7.5 to 1."""
    assert image_share(0.5 * x, 1.0) == pytest.approx((1.0 - 0.66 * x) / (1.05 + 3.7 * x), abs=0.03)


def test_on_the_ground_a_wing_has_no_end_and_far_from_it_its_own():
    assert factor_near_ground(0.8, 1.0) == 1.0
    assert factor_near_ground(0.8, 0.0) == pytest.approx(0.8)
    assert factor_near_ground(8.0 / 10.0, 0.5) == pytest.approx(8.0 / 9.0)  # A / (A + 2 (1 - ½))
