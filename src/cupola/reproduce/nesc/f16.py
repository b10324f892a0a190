"""The F-16 of the NESC check cases, made of its DAVE-ML files alone: trimmed flight, steps of height and of course.

The files are read from the data folder; starts and commands are those of the cases 11, 13p1 and 13p3.
"""

import functools
import json
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares

from cupola.bridge.dave_ml.vehicle import import_dave_ml
from cupola.config.scenario import Scenario
from cupola.physics.geodesy import SEMI_MAJOR, eccentricity_2, enu_from_ecef
from cupola.physics.planet import ROTATION, WGS84
from cupola.physics.rotation import Euler, Vector, frd, quaternion_from_euler, rotate, subtract, unrotate
from cupola.reproduce.nesc import two_step
from cupola.reproduce.nesc.columns import Table, columns, joined
from cupola.reproduce.nesc.scoring import ANGLES, POSITIONS, SOURCE, VELOCITIES, envelope_rows, lead_row
from cupola.reproduce.row import Row, data_file, missing
from cupola.sim.world import World

LATITUDE, LONGITUDE, ALTITUDE = 36.01916667, -75.67444444, 10013.0 * 0.3048
SPEED, COURSE = 400.0 * 0.3048, 45.0
"""North and east [m/s], and true course [deg]."""
KEAS, FEET, CENTRE = 287.98, 10013.0, 25.0
"""Commanded airspeed [kn equivalent] and height [ft], and the centre of mass [% chord]."""
RATES = (0.00253332, -0.00393929, -0.00313862)
"""Relative to the stars at the start [deg/s]: those with which the Euler angles stand still (sim_05)."""
NAMES = (*POSITIONS, *VELOCITIES, *ANGLES)


class Flight(NamedTuple):
    """One case: how long, whether the autopilot flies, and what it is told later."""

    case: str
    seconds: int
    physics_hz: int
    """The law runs at each step: its sampling must not show beside tools that run at 100 Hz and more."""
    autopilot: float
    at: float = 0.0
    told: tuple[str, float] | None = None
    shown: str = ""
    """The angle in which the step shows."""


FLIGHTS = (
    Flight("11", 180, 100, 0.0),
    Flight("13p1", 20, 2000, 1.0, 5.0, ("altCmd", FEET + 100.0), "pitch_deg"),
    Flight("13p3", 30, 2000, 1.0, 15.0, ("baseChiCmd", 60.0), "roll_deg"),
)


def rows(full: bool) -> Iterator[Row]:
    """Excess over the spread of the tools, and what explains it; half a minute, so only in the full table."""
    if not full:
        return
    found = data_file("nesc/f16/F16_aero.dml")
    for flight in FLIGHTS:
        if isinstance(found, str):
            for name in NAMES:
                yield missing(f"nesc_{flight.case}_{name}", SOURCE.format(flight.case), name, found)
        else:
            ours = fly(flight, found.parent)
            yield from envelope_rows(flight.case, ours, NAMES)
            if flight.told:
                yield lead_row(flight.case, flight.shown, ours, _in_two_steps(flight, found.parent))


def _in_two_steps(flight: Flight, files: Path) -> Table:
    """The same with the formula of sim_05."""
    assert flight.told
    world = f16_world(files, flight.autopilot, trimmed(files))
    return two_step.fly(world, flight.seconds, (flight.at, f"f16.law.{flight.told[0]}", flight.told[1]))


def fly(flight: Flight, files: Path) -> Table:
    """Our answer in the columns of the tools' files, every 0.1 s."""
    world = f16_world(files, flight.autopilot, trimmed(files), flight.physics_hz)
    table = [columns(world)]
    for k in range(10 * flight.seconds):
        if flight.told and k == round(10 * flight.at):
            world.tune(f"f16.law.{flight.told[0]}", flight.told[1])
        world.step(flight.physics_hz // 10)
        table.append(columns(world))
    return joined(table)


class Start(NamedTuple):
    """What trim finds; the first guess is the trim published with the model."""

    pitch: float = 2.6538
    """[deg]"""
    stick: float = 0.1296
    throttle: float = 0.139


def f16_world(files: Path, autopilot: float, start: Start, physics_hz: int = 100) -> World:
    """The aircraft at its start, with the autopilot off (0) or on (1)."""
    values = {
        "vrsPositionOfCM": CENTRE,
        "equivalentAirspeedCommand": KEAS,
        "altitudeMslCommand": FEET,
        "trueBaseCourseCommand": COURSE,
        "trimmedPilotControl_long": start.stick,
        "trimmedPilotControl_throttle": start.throttle,
        "autopilotOn_disc": autopilot,
    }
    with tempfile.TemporaryDirectory() as folder:
        made = import_dave_ml(files, Path(folder) / "f16", "F16_control", values).folder
        scenario = {
            "physics_hz": physics_hz,
            "integrator": "RK4",
            "floor": None,
            "air": {"altitude": ALTITUDE},
            "origin": {"latitude_deg": LATITUDE, "longitude_deg": LONGITUDE, "shape": "oblate", "rotating": True},
            "record": {"rate_hz": 1},
            "vehicles": [{"model": str(made), "name": "f16", **_motion(start.pitch)}],
        }
        world = World(Scenario.model_validate_json(json.dumps(scenario)))
    world.sticks([0.0, 0.0, 0.0, -1.0])
    for name in ("trimmedAlpha", "trimmedTheta"):  # a law without integrators needs the angle of its own trim here
        world.tune(f"f16.law.{name}", start.pitch)
    return world


def _motion(pitch: float) -> dict[str, Any]:
    """Start of the vehicle at a pitch angle [deg]."""
    angle, yaw, speed = math.radians(pitch), math.radians(90.0 - COURSE), math.hypot(SPEED, SPEED)
    spin_w = enu_from_ecef(Vector(0.0, 0.0, ROTATION), math.radians(LATITUDE), math.radians(LONGITUDE))
    spin = unrotate(quaternion_from_euler(Euler(0.0, -angle, yaw)), spin_w)
    rate = subtract(frd(Vector(*(math.radians(one) for one in RATES))), spin)
    return {
        "attitude_deg": [0.0, -pitch, 90.0 - COURSE],
        "velocity_b": [speed * math.cos(angle), 0.0, -speed * math.sin(angle)],
        "rate_b": list(rate),
    }


@functools.cache
def trimmed(files: Path) -> Start:
    """Pitch, stick and throttle at which speed, climb and pitch rate stay, asked of the compiled world."""
    world = f16_world(files, 0.0, Start())

    def change(unknown: Any) -> Any:
        start = Start(*map(float, unknown))
        motion = _motion(start.pitch)
        attitude = quaternion_from_euler(Euler(*(math.radians(one) for one in motion["attitude_deg"])))
        world.data.qpos[:7] = [0.0, 0.0, 0.0, *attitude]
        world.data.qvel[:6] = [*rotate(attitude, Vector(*motion["velocity_b"])), *motion["rate_b"]]
        world.tune("f16.law.longStkTrim", start.stick)
        world.tune("f16.law.throttleTrim", start.throttle)
        world.accelerate()
        along = float(world.data.qacc[:2] @ np.array([SPEED, SPEED])) / math.hypot(SPEED, SPEED)
        return along, float(world.data.qacc[2]) + _curving(), float(world.data.qacc[4])

    return Start(*map(float, least_squares(change, Start(), x_scale=(1.0, 0.1, 0.1), xtol=1e-14, ftol=1e-14).x))


def _curving() -> float:
    """How fast the velocity must bend down for a level path over the ellipsoid [m/s²]."""
    sine = math.sin(math.radians(LATITUDE))
    squared = float(eccentricity_2(WGS84))
    normal = SEMI_MAJOR / math.sqrt(1.0 - squared * sine * sine)
    meridian = normal * (1.0 - squared) / (1.0 - squared * sine * sine)
    return SPEED * SPEED * (1.0 / (normal + ALTITUDE) + 1.0 / (meridian + ALTITUDE))
