"""Flaps and camber by thin-airfoil theory: limits, and quadrature over the same bent line."""

import math

import pytest

from cupola.aerodynamics.exact import thin_airfoil
from cupola.physics.flap import flap_effect, parabolic_camber


def test_a_flap_of_the_whole_chord_is_the_wing_itself():
    flap = flap_effect(1.0 - 1e-12)
    assert flap.angle == pytest.approx(1.0, abs=1e-6)
    assert flap.c_moment == pytest.approx(0.0, abs=1e-6)
    assert flap_effect(1e-12).c_lift == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("fraction", [0.1, 0.25, 0.4])
def test_a_flap_is_a_bent_camber_line(fraction):
    def slope(x):
        return -1.0 * (x > 1.0 - fraction)

    bent, flap = thin_airfoil(slope, (1.0 - fraction,)), flap_effect(fraction)
    assert -bent.alpha_0 == pytest.approx(flap.angle, abs=1e-9)
    assert bent.c_moment == pytest.approx(flap.c_moment, abs=1e-9)
    assert flap.c_lift == pytest.approx(2.0 * math.pi * flap.angle)


def test_a_parabola():
    bent, closed = thin_airfoil(lambda x: 0.12 * (1.0 - 2.0 * x)), parabolic_camber(0.03)
    assert tuple(bent) == pytest.approx(tuple(closed), abs=1e-12)
