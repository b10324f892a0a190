"""A round, turning Earth under the compiled world."""

import logging
import math

import numpy as np
import pytest

from cupola.config.scenario import Scenario, VehicleEntry
from cupola.physics.planet import MU, ROTATION, SPHERE_RADIUS
from cupola.reproduce.nesc import check_cases as nesc
from cupola.schema.yaml_files import InputError

BALL = """<body name="base"><freejoint/><site name="base"/><site name="off" pos="0.3 0 0"/>
<inertial pos="0 0 0" mass="2" diaginertia="0.1 0.2 0.25"/></body>"""
ROUND = {"latitude_deg": 0, "longitude_deg": 0, "shape": "round", "rotating": True}


def test_a_satellite_comes_back(vehicle, make_world):
    # A circular orbit of radius r has the period 2 pi sqrt(r³ / mu); the world turns under it meanwhile by
    # ROTATION times that, so seen from the origin it ends up west of where it began. RK4 at 10 Hz errs by millimetres.
    r = SPHERE_RADIUS + 400000.0
    speed, period = math.sqrt(MU / r), 2.0 * math.pi * math.sqrt(r**3 / MU)
    steps = round(10 * period)
    folder = vehicle(
        BALL, start={"velocity_b": [speed - ROTATION * r, 0, 0]}, controller={"use": "pass_through", "rate_hz": 10}
    )
    air = {"space": True, "altitude": 400000}
    world = make_world({"model": folder}, physics_hz=10, integrator="RK4", air=air, origin=ROUND)
    world.step(steps)
    turned = ROTATION * steps / 10 + 2.0 * math.pi * (1.0 - steps / 10 / period)
    east, north, up = world.motion().pos_w
    assert (east, north, up + r) == pytest.approx((-r * math.sin(turned), 0.0, r * math.cos(turned)), abs=0.5)


def test_an_imu_in_free_fall_over_a_round_earth_feels_nothing_but_its_own_turning(vehicle, make_world):
    parts = {"imu": {"kind": "imu", "site": "base", "rate_hz": 100}}
    folder = vehicle(BALL, parts=parts)
    origin = {**ROUND, "shape": "oblate", "latitude_deg": 40}
    world = make_world({"model": folder}, integrator="RK4", air={"space": True}, origin=origin)
    world.step(1000)
    reading = world.samples["toy", "imu"].latest()
    assert reading.accel_s == pytest.approx((0, 0, 0), abs=1e-6)
    # The world turns eastward: north and up at latitude 40.
    spin = ROTATION * np.array([0.0, math.cos(math.radians(40)), math.sin(math.radians(40))])
    assert reading.rate_s == pytest.approx(spin, abs=1e-8)


MARS = {"semi_major": 3396190.0, "flattening": 1 / 169.89, "mu": 4.2828e13, "j2": 1.96045e-3}
AIR, FIELD = "the air is the Earth's Standard Atmosphere", "the magnetic field is the Earth's"


@pytest.mark.parametrize(
    ("origin", "air", "said"),
    [
        ({"planet": MARS}, {}, (AIR, FIELD)),
        ({"planet": MARS}, {"space": True}, (FIELD,)),
        ({"planet": MARS, "magnetic_field": [0, 0, 0]}, {}, (AIR,)),
        ({"planet": MARS, "magnetic_field": [0, 0, 0]}, {"density": 0.02}, ()),
        ({"planet": {"semi_major": 6371000.0}}, {}, ()),
        ({"shape": "oblate"}, {}, ()),
    ],
)
def test_what_another_planet_takes_from_the_earth_is_said(vehicle, make_world, caplog, origin, air, said):
    folder = vehicle(BALL, parts={"compass": {"kind": "magnetometer", "site": "base", "rate_hz": 100}})
    with caplog.at_level(logging.WARNING, "cupola"):
        make_world({"model": folder}, air=air, origin=origin)
    text = " ".join(one.getMessage() for one in caplog.records)
    assert [what for what in (AIR, FIELD) if what in text] == list(said)


def test_controllers_are_told_the_gravity_of_the_planet(make_world):
    """A quadcopter with a thrust that carries its weight on Mars flies there as on a flat ground with that gravity."""
    pull = MARS["mu"] / MARS["semi_major"] ** 2 * (1.0 + 1.5 * MARS["j2"])  # at the equator
    origin = {"planet": MARS, "latitude_deg": 0, "magnetic_field": [0, 0, 0]}
    entry, air = {"model": "quadcopter", "position": [0, 0, 5]}, {"density": 1.2}
    there, flat = (make_world(entry, air=air, **more) for more in ({"origin": origin}, {"gravity": pull}))
    assert there.robot().gravity == pytest.approx(pull, rel=1e-12)
    for world in (there, flat):
        world.run(3.0)
    assert there.motion().pos_w.z == pytest.approx(flat.motion().pos_w.z, abs=1e-3)


def test_an_evaluation_in_free_fall_feels_nothing(make_world):
    """Nothing but the tide: gravity at the origin of its root is another one than at its centre of mass, 2 mm away."""
    for more in ({}, {"origin": {**ROUND, "shape": "oblate", "latitude_deg": 50}}, {"origin": {"planet": MARS}}):
        found = make_world({"model": "quadcopter", "position": [0, 0, 400]}, **more).evaluate(commands=[0.0] * 4)
        assert found.specific_force_b == pytest.approx((0, 0, 0), abs=1e-7)
        assert found.accel_w.z == pytest.approx(-3.73 if more.get("origin", {}).get("planet") else -9.81, abs=0.02)


def test_parked_boxes_stay_and_dropped_ones_fall_over_a_round_planet(make_world):
    world = make_world({"model": "quadcopter", "position": [0, 0, 300]}, boxes=2, origin={**ROUND, "latitude_deg": 30})
    parked = world.boxes.position(1)
    world.drop_box()
    world.run(3.0)
    np.testing.assert_allclose(world.boxes.position(1), parked, rtol=0, atol=1e-6)
    assert world.boxes.position(0)[2] == pytest.approx(300.0 - 0.5 * 9.8 * 9.0, abs=0.5)


@pytest.mark.parametrize("more", [{"gravity": 3.0}, {"slope_deg": [2.0, 0.0]}])
@pytest.mark.parametrize("origin", [{"shape": "round"}, {"shape": "oblate"}, {"planet": MARS}])
def test_a_round_planet_has_its_own_gravity(origin, more):
    with pytest.raises(InputError, match="gravity and slope_deg are those of a flat Earth"):
        Scenario(vehicles=(VehicleEntry(model="quadcopter"),), origin=origin, **more)


def test_the_damping_definitions_differ_by_the_rate_of_the_earth():
    case = next(c for c in nesc.CASES if c.name == "03")
    earth, stars = (nesc.fly(case._replace(rates=rates)) for rates in ("earth", "inertial"))
    end = [math.hypot(*(run[name][-1] for name in ("p_deg_s", "q_deg_s", "r_deg_s"))) for run in (earth, stars)]
    # Damped relative to the Earth the brick ends up turning with it, 0.00418 deg/s; relative to the stars it stops.
    assert end[0] == pytest.approx(math.degrees(ROTATION), rel=0.05) and end[1] < 0.2 * end[0]
