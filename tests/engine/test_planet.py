"""A round, turning Earth under the compiled world."""

import logging
import math

import numpy as np
import pytest

from cupola.physics.planet import MU, ROTATION, SPHERE_RADIUS
from cupola.reproduce.nesc import check_cases as nesc

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


def test_the_damping_definitions_differ_by_the_rate_of_the_earth():
    case = next(c for c in nesc.CASES if c.name == "03")
    earth, stars = (nesc.fly(case._replace(rates=rates)) for rates in ("earth", "inertial"))
    end = [math.hypot(*(run[name][-1] for name in ("p_deg_s", "q_deg_s", "r_deg_s"))) for run in (earth, stars)]
    # Damped relative to the Earth the brick ends up turning with it, 0.00418 deg/s; relative to the stars it stops.
    assert end[0] == pytest.approx(math.degrees(ROTATION), rel=0.05) and end[1] < 0.2 * end[0]
