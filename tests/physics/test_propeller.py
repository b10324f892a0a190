"""Blade elements with momentum: static, in flight, turned by the wind."""

import math

import numpy as np
import pytest

from cupola.physics.propeller import BladeElement, blade_load, element_load, inflow_rate, momentum_speed, tip_loss
from cupola.reproduce.morphing.strips import rings


def blade():
    return BladeElement(0.12, 0.01, 0.02, 0.25, blades=2.0, tip_radius=0.15)


def total(v_axial, omega=100.0, **section):
    found = rings(lambda r: np.arctan(0.15 / r), 0.05, omega, v_axial, loss=True, **section)
    return float(found.thrust.sum()), float(found.torque.sum())


def test_the_air_is_pushed_as_hard_as_the_blades_push():
    for v_axial in (0.0, 5.0, 40.0):
        p = blade()
        load = element_load(900.0, v_axial, 1.2, p)
        phi = p.pitch - load.alpha
        ring = 4.0 * math.pi * p.radius * p.width * 1.2 * tip_loss(p.radius, phi, p)
        assert load.thrust == pytest.approx(ring * momentum_speed(load.induced, v_axial), rel=1e-9)


def test_actuator_disc():
    assert momentum_speed(3.0, 0.0) == 9.0
    assert momentum_speed(3.0, 7.0) == 30.0
    assert momentum_speed(-2.0, 9.0) == -14.0
    assert momentum_speed(2.0, -9.0) == 14.0


@pytest.mark.parametrize("v_axial", [-8.0, -1.0, 0.0, 1.0, 8.0])
def test_more_induced_speed_always_means_more_thrust(v_axial):
    v = np.linspace(-30.0, 30.0, 4001)
    assert np.diff(momentum_speed(v, v_axial)).min() >= 0.0


def test_prandtls_loss():
    p = blade()
    assert tip_loss(0.02, 0.1, p) == pytest.approx(1.0, abs=1e-6)
    f = 2.0 * (0.15 - 0.14) / (2.0 * 0.14 * math.sin(0.2))
    assert tip_loss(0.14, 0.2, p) == pytest.approx(2.0 / math.pi * math.acos(math.exp(-f)))
    hubbed = p._replace(hub_radius=0.02)
    assert tip_loss(0.021, 0.2, hubbed) < 0.5


def test_thrust_falls_with_speed_until_it_brakes_and_windmills():
    pairs = [total(v, c_friction=0.01) for v in (0.0, 5.0, 10.0, 14.0, 20.0, 30.0)]
    thrust, torque = zip(*pairs, strict=True)
    assert list(thrust) == sorted(thrust, reverse=True)
    assert thrust[3] > 0.0 > thrust[4]
    assert torque[0] > 0.0 > torque[5]
    # A windmill gives no more than it takes from the wind (Betz).
    assert -torque[5] * 100.0 <= 16.0 / 27.0 * 0.5 * 1.2 * math.pi * 30.0**3


def test_no_propeller_makes_power():
    for v_axial in (0.0, 5.0, 10.0):
        thrust, torque = total(v_axial)
        assert torque * 100.0 > thrust * v_axial
    thrust, torque = total(0.0, alpha_stall=3.0, c_normal_90=0.0)
    ideal = thrust * math.sqrt(thrust / (2.0 * 1.2 * math.pi))
    assert 0.6 < ideal / (torque * 100.0) < 1.0


def test_a_stopped_propeller_is_a_plate_in_the_wind():
    thrust, torque = total(20.0, omega=0.0)
    assert thrust < 0.0 and torque < 0.0
    assert total(0.0, omega=0.0) == (pytest.approx(0.0, abs=1e-9), pytest.approx(0.0, abs=1e-9))


@pytest.mark.parametrize("v_axial", [0.0, 6.0, 40.0])
def test_inflow_as_a_state_settles_where_the_search_ends(v_axial):
    p, induced = blade(), 0.0
    for _ in range(4000):
        induced += 5e-4 * inflow_rate(induced, 900.0, v_axial, p)
    steady, now = element_load(900.0, v_axial, 1.2, p), blade_load(induced, 900.0, v_axial, 1.2, p)
    assert now == pytest.approx(steady, rel=1e-6)


def test_a_jump_of_speed_overshoots_in_thrust():
    """The blades meet air at rest before it moves: more thrust at first than in the end."""
    p = blade()
    assert blade_load(0.0, 900.0, 0.0, 1.2, p).thrust > 1.2 * element_load(900.0, 0.0, 1.2, p).thrust
    # The whole disc at rest: dv/dt = T / (8/3 ρ R³) if all of it pushed as this ring does.
    load = blade_load(0.0, 900.0, 0.0, 1.2, p)
    mass = 8.0 / (3.0 * math.pi) * 1.2 * p.tip_radius * 2.0 * math.pi * p.radius * p.width
    assert inflow_rate(0.0, 900.0, 0.0, p) == pytest.approx(load.thrust / mass)
