"""A section over ±180°: limits that have closed forms, and what must hold whatever the numbers."""

import math

import numpy as np
import pytest

from cupola.physics.section import (
    NACA_0012,
    Section,
    lift_and_drag,
    plate_normal,
    polar_of,
    section_polar,
    separation_point,
    steady_polar,
    viterna,
)

ALL = np.radians(np.linspace(-180.0, 180.0, 7201))
KIRCHHOFF = 2.0 * math.pi / (4.0 + math.pi)
SECTIONS = [NACA_0012, Section(5.7, -0.04, 0.14, 0.05, 0.1, 1.2, 0.0, -0.05), Section(suction=0.5)]


def test_attached_flow_lifts_across_the_stream_and_drags_nothing():
    alpha = np.radians(np.linspace(-70.0, 70.0, 29))
    found = lift_and_drag(alpha, section_polar(alpha, 1.0, NACA_0012))
    np.testing.assert_allclose(found.lift, 2.0 * math.pi * np.sin(alpha), atol=1e-12)
    np.testing.assert_allclose(found.drag, 0.0, atol=1e-12)


def test_without_suction_the_whole_force_stands_on_the_plate():
    found = section_polar(0.1, 1.0, NACA_0012._replace(suction=0.0))
    assert found.forward == 0.0
    assert lift_and_drag(0.1, found).drag == pytest.approx(
        2.0 * math.pi * math.sin(0.1) * math.cos(0.1) * math.sin(0.1)
    )


@pytest.mark.parametrize("f", [0.0, 0.04, 0.3, 0.7, 1.0])
def test_kirchhoffs_plate_gives_leishmans_normal_force(f):
    p, alpha = NACA_0012._replace(c_normal_90=KIRCHHOFF), 1e-4
    expected = 2.0 * math.pi * alpha * 0.25 * (1.0 + math.sqrt(f)) ** 2
    assert section_polar(alpha, f, p).normal == pytest.approx(expected, rel=1e-3)


def test_the_plate_of_kirchhoff():
    assert plate_normal(math.radians(30.0), KIRCHHOFF) == pytest.approx(0.5639, abs=5e-5)
    assert plate_normal(0.5 * math.pi, 1.98) == pytest.approx(1.98)


@pytest.mark.parametrize(("degrees", "centre"), [(90.0, 0.5), (0.01, 5.0 / 16.0), (179.99, 11.0 / 16.0)])
def test_the_pressure_on_a_separated_plate_acts_from_5_to_11_sixteenths_of_the_chord(degrees, centre):
    p = NACA_0012._replace(c_moment_0=0.0)
    polar = section_polar(math.radians(degrees), 0.0, p)
    assert 0.25 - polar.moment / polar.normal == pytest.approx(centre, abs=1e-3)


@pytest.mark.parametrize("p", SECTIONS)
def test_no_force_jumps_over_all_angles(p):
    polar = steady_polar(ALL, p)
    step = ALL[1] - ALL[0]
    for values in polar:
        assert np.abs(np.diff(values)).max() < 90.0 * step
        assert abs(values[0] - values[-1]) < 1e-9


@pytest.mark.parametrize("p", SECTIONS)
def test_nothing_pushes_the_section_along(p):
    p = p._replace(alpha_0=0.0)  # camber in potential flow from behind is not of this world
    drag = lift_and_drag(ALL, steady_polar(ALL, p)).drag
    assert drag.min() > -1e-12
    assert np.interp(math.pi / 2, ALL, drag) == pytest.approx(p.c_normal_90, rel=1e-3)


def test_mirror_images():
    up, down = steady_polar(ALL, NACA_0012), steady_polar(-ALL, NACA_0012)
    np.testing.assert_allclose(up.normal, -down.normal, atol=1e-12)
    np.testing.assert_allclose(up.forward, down.forward, atol=1e-12)
    np.testing.assert_allclose(up.moment, -down.moment, atol=1e-12)


def test_a_wing_that_flies_backwards_is_a_wing_turned_round():
    ahead, behind = steady_polar(0.1, NACA_0012), steady_polar(math.pi - 0.1, NACA_0012)
    assert behind.normal == pytest.approx(ahead.normal)
    assert behind.forward == pytest.approx(-ahead.forward)
    # About mid-chord the moments are opposite.
    assert behind.moment + 0.25 * behind.normal == pytest.approx(-(ahead.moment + 0.25 * ahead.normal))


def test_the_stall():
    p = NACA_0012
    assert separation_point(0.0, p) == pytest.approx(1.0, abs=2e-3)
    assert separation_point(p.alpha_stall, p) == pytest.approx(0.7)
    lift = lift_and_drag(ALL, steady_polar(ALL, p)).lift
    within = (ALL > 0.0) & (ALL < 0.5)
    top = ALL[within][np.argmax(lift[within])]
    assert math.radians(12.0) < top < math.radians(16.0)
    assert 1.2 < lift[within].max() < 1.6


def test_viterna_goes_on_where_the_table_ends():
    on = viterna(0.3, 0.3, 1.3, 0.05, 10.0)
    assert (on.lift, on.drag) == (pytest.approx(1.3), pytest.approx(0.05))
    square = viterna(0.5 * math.pi, 0.3, 1.3, 0.05, 10.0)
    assert (square.lift, square.drag) == (pytest.approx(0.0, abs=1e-12), pytest.approx(1.11 + 0.18))


def test_a_table_in_axes_of_the_section_and_back():
    polar = polar_of(0.4, 0.9, 0.2, -0.1)
    back = lift_and_drag(0.4, polar)
    assert (back.lift, back.drag, polar.moment) == (pytest.approx(0.9), pytest.approx(0.2), -0.1)
