"""The F-16 of the NESC check cases at its start, with a trim asked of the compiled world."""

import functools
import json
import math
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import least_squares

from cupola.bridge.dave_ml.vehicle import import_dave_ml
from cupola.config.scenario import Scenario
from cupola.physics.atmosphere import Atmosphere, atmosphere
from cupola.physics.geodesy import SEMI_MAJOR, eccentricity_2, enu_from_ecef
from cupola.physics.planet import ROTATION, WGS84
from cupola.physics.rotation import Euler, Vector, frd, quaternion_from_euler, rotate, subtract, unrotate
from cupola.sim.world import World

LATITUDE, LONGITUDE, ALTITUDE = 36.01916667, -75.67444444, 10013.0 * 0.3048
SPEED, COURSE = 400.0 * 0.3048, 45.0
"""North and east [m/s], and true course [deg]."""
KEAS, FEET, CENTRE = 287.98, 10013.0, 25.0
"""Commanded airspeed [kn equivalent] and height [ft], and the centre of mass [% chord]."""
PITCH_INERTIA = 55814.0 * 1.3558179483314003
"""[kg m²]"""
RATES = (0.00253332, -0.00393929, -0.00313862)
"""Relative to the stars at the start [deg/s]: those with which the Euler angles stand still (sim_05)."""


class Facts(NamedTuple):
    """What trim is solved for."""

    density: float | None = None
    """At the start [kg/m³]; none: that of the Standard Atmosphere."""
    moment: float = 0.0
    """About the pitch axis, that the trim leaves [N m]."""


STANDARD = Facts()
SIM_05 = Facts(0.904406307019868, -0.00256073069626143)
"""Density and pitching moment in the first line of sim_05's file of case 11: its air is 3e-6 denser than the Standard
Atmosphere's (it begins with 0.0023769 slug/ft³ at the sea), and its trim is not quite one."""


class Start(NamedTuple):
    """What trim finds; the first guess is the trim published with the model."""

    pitch: float = 2.6538
    """[deg]"""
    stick: float = 0.1296
    throttle: float = 0.139


def f16_world(files: Path, autopilot: float, start: Start, physics_hz: int = 100, facts: Facts = STANDARD) -> World:
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
            "air": {"altitude": ALTITUDE, "sea_level_pressure": _sea_level_pressure(facts)},
            "origin": {"latitude_deg": LATITUDE, "longitude_deg": LONGITUDE, "shape": "oblate", "rotating": True},
            "record": {"rate_hz": 1},
            "vehicles": [{"model": str(made), "name": "f16", **_motion(start.pitch)}],
        }
        world = World(Scenario.model_validate_json(json.dumps(scenario)))
    world.sticks([0.0, 0.0, 0.0, -1.0])
    for name in ("trimmedAlpha", "trimmedTheta"):  # a law without integrators needs the angle of its own trim here
        world.tune(f"f16.law.{name}", start.pitch)
    return world


def _sea_level_pressure(facts: Facts) -> float:
    """With which the air has its density at the start [Pa]."""
    standard = Atmosphere(ALTITUDE)
    found = float(atmosphere(0.0, standard).density)
    return standard.sea_level_pressure * (facts.density or found) / found


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
def trimmed(files: Path, facts: Facts = STANDARD) -> Start:
    """Pitch, stick and throttle at which speed, climb and pitch rate stay, asked of the compiled world."""
    world = f16_world(files, 0.0, Start(), facts=facts)
    # y is left here and right in the tools' files
    turning = -facts.moment / PITCH_INERTIA

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
        return along, float(world.data.qacc[2]) + _curving(), float(world.data.qacc[4]) - turning

    return Start(*map(float, least_squares(change, Start(), x_scale=(1.0, 0.1, 0.1), xtol=1e-14, ftol=1e-14).x))


def _curving() -> float:
    """How fast the velocity must bend down for a level path over the ellipsoid [m/s²]."""
    sine = math.sin(math.radians(LATITUDE))
    squared = float(eccentricity_2(WGS84))
    normal = SEMI_MAJOR / math.sqrt(1.0 - squared * sine * sine)
    meridian = normal * (1.0 - squared) / (1.0 - squared * sine * sine)
    return SPEED * SPEED * (1.0 / (normal + ALTITUDE) + 1.0 / (meridian + ALTITUDE))
