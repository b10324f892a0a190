"""Ground effect: published closed forms, limits, and no gain where there is none."""

import math

import numpy as np
import pytest

from cupola.physics.airfoil import Surface
from cupola.physics.ground import rotor_gain, wing_drag, wing_lift, wing_share

DENSITY = 1.225
THRUST, RADIUS = 3.0, 0.12


def gain(height, *, thrust=THRUST, speed=0.0, upright=1.0, density=DENSITY):
    return rotor_gain(height, RADIUS, thrust, speed, upright, density)


@pytest.mark.parametrize("radii", [0.5, 1.0, 2.0, 5.0])
def test_hover_is_that_of_cheeseman_and_bennett(radii):
    assert gain(radii * RADIUS) == pytest.approx(1 / (1 - 1 / (16 * radii**2)), rel=1e-14)


def test_the_gain_fades_with_height_and_is_bounded_on_the_ground():
    heights = np.linspace(-0.1, 3.0, 400)
    gains = np.array([gain(z) for z in heights])
    assert np.all(np.diff(gains) <= 0)
    assert gains[0] == gain(0.0) == pytest.approx(4 / 3, rel=1e-14)
    assert gain(100.0) == pytest.approx(1.0, abs=1e-7)


@pytest.mark.parametrize("speed", [1.0, 4.0, 9.0, 30.0])
def test_forward_speed_carries_the_cushion_away(speed):
    # The induced speed by Glauert's equation, T = 2 rho A v root(V^2 + v^2), by bisection.
    low, high = 0.0, 50.0
    for _ in range(200):
        v = 0.5 * (low + high)
        made = 2 * DENSITY * math.pi * RADIUS**2 * v * math.hypot(speed, v)
        low, high = (v, high) if made < THRUST else (low, v)
    expected = 1 / (1 - (1 / 16) / (1 + (speed / v) ** 2))
    assert gain(RADIUS, speed=speed) == pytest.approx(expected, rel=1e-12)
    assert 1.0 < gain(RADIUS, speed=speed) < gain(RADIUS, speed=0.9 * speed)


def test_a_rotor_that_does_not_push_away_from_the_ground_gains_nothing():
    assert gain(RADIUS, upright=0.0) == gain(RADIUS, upright=-1.0) == 1.0  # a propeller, a rotor upside down
    assert gain(RADIUS, thrust=0.0) == gain(RADIUS, thrust=-2.0) == 1.0
    # Tilted, it feels the vertical flow of the mirrored source along its shaft.
    assert gain(RADIUS, upright=0.5) == pytest.approx(1 / (1 - 0.5 / 16), rel=1e-14)


def test_induced_drag_is_that_of_mccormick():
    # (16 h / b)^2 / (1 + (16 h / b)^2): the part of the induced drag that is left.
    assert 1 - wing_share(0.2, 2.0) == pytest.approx(1.6**2 / (1 + 1.6**2), rel=1e-14)
    left = [1 - wing_share(h, 1.0) for h in (0.05, 0.1, 0.2, 0.5)]
    assert left == pytest.approx([0.3902, 0.7191, 0.9110, 0.9846], abs=5e-5)
    assert wing_share(0.0, 2.0) == wing_share(-1.0, 2.0) == 1.0
    assert wing_share(1e6, 2.0) < 1e-12


@pytest.mark.parametrize("aspect", [4.0, 8.0, 20.0])
def test_on_the_ground_a_wing_lifts_as_its_section_and_has_no_induced_drag(aspect):
    # An elliptic wing of lifting-line theory: slope a = a0 / (1 + a0 / pi AR). The ground gives the lost angle back.
    section = 2 * math.pi
    slope = section / (1 + section / (math.pi * aspect))
    wing = Surface(area=1.0, span=math.sqrt(aspect), chord=1.0, c_lift_a=slope, c_drag_p=0.02)
    alpha = 0.06
    far = slope * alpha
    near = wing_lift(far, slope, 1.0, wing)
    assert near == pytest.approx(section * alpha, rel=1e-13)
    drag_far = 0.02 + far**2 / (math.pi * aspect)
    assert wing_drag(drag_far, far, near, 1.0, wing) == pytest.approx(0.02, abs=1e-15)
    # Between: the angle that the lift needs beyond that of the section is the induced one, less what is taken away.
    share = 0.4
    lift = wing_lift(far, slope, share, wing)
    assert alpha - lift / section == pytest.approx((1 - share) * lift / (math.pi * aspect), rel=1e-12)
    assert wing_drag(drag_far, far, lift, share, wing) == pytest.approx(
        0.02 + (1 - share) * lift**2 / (math.pi * aspect), rel=1e-13
    )


def test_far_from_the_ground_nothing_changes():
    wing = Surface(area=0.3, span=2.0, chord=0.15, oswald=0.9)
    assert wing_lift(0.7, 6.9, 0.0, wing) == 0.7
    assert wing_drag(0.05, 0.7, 0.7, 0.0, wing) == 0.05


def test_a_stalled_wing_gains_no_lift_and_no_wing_more_than_twice_its_own():
    stub = Surface(area=1.0, span=0.5, chord=2.0)
    assert wing_lift(0.9, -3.0, 1.0, stub) == 0.9
    assert wing_lift(0.9, 6.0, 1.0, stub) == pytest.approx(1.8, rel=1e-14)
