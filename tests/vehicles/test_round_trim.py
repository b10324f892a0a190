"""Trim and operating points over a round planet: level flight is a curve, the weight is that of the place."""

import math
from typing import Any

import numpy as np
import pytest

import cupola
from cupola.analysis import Aircraft, Condition, equilibrium, linearize, trim
from cupola.config.scenario import Scenario

SPEED, HEIGHT, RADIUS = 35.0, 300.0, 30e3
SMALL = {"semi_major": RADIUS, "mu": 9.80665 * RADIUS**2, "rotation": 2e-4}
"""A planet so small that 35 m/s take 0.4 % off the weight."""


def flying(**numbers: Any) -> cupola.World:
    """An aeroplane without its sensors, in air of one density, whose planet or gravity is given."""
    content = {"vehicles": ({"model": "aerosonde"},), "floor": None, "air": {"density": 1.2}, "integrator": "RK4"}
    return cupola.World(Scenario.model_validate({**content, **numbers}, strict=False))


@pytest.fixture(scope="module")
def over_a_sphere() -> cupola.World:
    return flying(origin={"planet": SMALL, "latitude_deg": 40.0})


def test_the_weight_is_less_by_speed_squared_over_radius(over_a_sphere: cupola.World) -> None:
    point = trim(Aircraft(over_a_sphere), Condition(airspeed=SPEED, altitude=HEIGHT))
    r = RADIUS + HEIGHT
    flat = flying(gravity=9.80665 * (RADIUS / r) ** 2 - SPEED**2 / r)
    level = trim(Aircraft(flat), Condition(airspeed=SPEED, altitude=HEIGHT))
    assert point.alpha == pytest.approx(level.alpha, abs=2e-5)
    assert point.state.q == pytest.approx(-SPEED / r, rel=0.01)  # it is banked by the torque of its motor
    for name, value in level.values().items():
        assert point.values()[name] == pytest.approx(value, abs=2e-3), name


def test_it_flies_round_the_planet_at_its_height(over_a_sphere: cupola.World) -> None:
    """As trim says, with its commands held: 20 s, on which a straight line would rise by 8 m."""
    point = trim(Aircraft(over_a_sphere), Condition(airspeed=SPEED, altitude=HEIGHT))
    entry = {"model": "aerosonde", **point.start(), "controller": {"use": "idle", "rate_hz": 100}}
    world = flying(origin={"planet": SMALL, "latitude_deg": 40.0}, vehicles=(entry,))
    for channel, command in point.commands().items():
        world.turn(channel, command)
    world.run(20.0)
    x, y, z = world.motion().pos_w
    assert math.hypot(x, y) > 600.0
    height = math.hypot(x, y, z + RADIUS) - RADIUS
    assert height == pytest.approx(HEIGHT, abs=0.5)


def test_one_that_turns_pulls_less_on_what_flies_east(over_a_sphere: cupola.World) -> None:
    """Eotvos: 2 v w cos(latitude), and the centrifugal part; a body in free fall feels nothing."""
    turning = flying(origin={"planet": SMALL, "latitude_deg": 40.0, "rotating": True})
    found = trim(Aircraft(turning), Condition(airspeed=SPEED, altitude=HEIGHT))
    spin, cosine, r = SMALL["rotation"], math.cos(math.radians(40.0)), RADIUS + HEIGHT
    weight = 9.80665 * (RADIUS / r) ** 2 - SPEED**2 / r
    lighter = flying(gravity=weight - 2.0 * SPEED * spin * cosine - spin**2 * r * cosine**2)
    level, still = (trim(Aircraft(one), Condition(airspeed=SPEED, altitude=HEIGHT)) for one in (lighter, over_a_sphere))
    assert found.alpha == pytest.approx(level.alpha, abs=5e-6) and found.alpha < still.alpha - 5e-5
    aircraft = Aircraft(flying(origin={"planet": SMALL, "rotating": True}, air={"space": True}))
    fall = aircraft.derivative(
        [20.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.1, 0.2, 0.3, 50.0, 20.0, 100.0], np.zeros(len(aircraft.controls))
    )
    felt = [fall.outputs[aircraft.find(name)[1]] for name in ("force_x", "force_y", "force_z")]
    assert felt == pytest.approx([0.0, 0.0, 0.0], abs=1e-9)


MARS = {"semi_major": 3396190.0, "flattening": 1 / 169.89, "mu": 4.2828e13, "j2": 1.96045e-3, "rotation": 7.0882e-5}


def test_a_multirotor_hovers_with_the_weight_that_it_has_on_mars() -> None:
    """3.72 m/s² of gravitation at the equator, less 0.017 of the turning; a flat world of that gravity agrees."""
    origin = {"planet": MARS, "rotating": True, "latitude_deg": 0.0}
    hover = {"model": "quadcopter", "position": (0.0, 0.0, 50.0)}
    point = equilibrium(flying(origin=origin, vehicles=(hover,)))
    r = MARS["semi_major"] + 50.0
    weight = MARS["mu"] / r**2 * (1.0 + 1.5 * MARS["j2"] * (MARS["semi_major"] / r) ** 2) - MARS["rotation"] ** 2 * r
    assert point["force_z"] == pytest.approx(-weight, rel=1e-7)
    flat = equilibrium(flying(gravity=weight, vehicles=(hover,)))
    for name, value in flat.values().items():
        assert point[name] == pytest.approx(value, rel=1e-6, abs=1e-6), name
    there, here = (linearize(one.system, one.state, one.inputs).A for one in (point, flat))
    # What goes straight on turns with the level, by 1 / r, and Coriolis turns it by twice the planet's rate.
    assert np.abs(there - here).max() < 3.0 * MARS["rotation"]


def test_an_operating_point_of_a_plane_is_its_trim(over_a_sphere: cupola.World) -> None:
    wanted = trim(Aircraft(over_a_sphere), Condition(airspeed=SPEED, altitude=HEIGHT))
    entry = {"model": "aerosonde", **wanted.start()}
    world = flying(origin={"planet": SMALL, "latitude_deg": 40.0}, vehicles=(entry,))
    point = equilibrium(world, {"airspeed": SPEED})
    assert point["theta"] == pytest.approx(wanted.state.theta, abs=1e-4)
    assert point["q"] == pytest.approx(wanted.state.q, rel=1e-3)
