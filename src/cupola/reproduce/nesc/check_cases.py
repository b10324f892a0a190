"""Six-degree-of-freedom check cases of the NASA Engineering and Safety Center: NASA TM-2015-218675, Atmos_01 to 09.

A body falls, tumbles or is shot over a round, turning, oblate Earth; six independent tools published their answers. The
vehicles and starts below are those of the cases, the tools' files are read from the data folder.
"""

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.physics.geodesy import Geodetic, ecef_from_enu, enu_from_ecef, geodetic_from_world
from cupola.physics.planet import ROTATION
from cupola.physics.rotation import Euler, Quaternion, Vector, rotate, unrotate
from cupola.reproduce.row import Row, at_most, data_file, missing
from cupola.reproduce.scene import world_of
from cupola.sim.world import World

SOURCE = "NASA TM-2015-218675 (NESC), case {}"
STEPS, SECONDS = 1000, 30
"""Physics rate [Hz] and length of each case [s]."""
SPHERE = (14.593902937, (4.880944614, 4.880944614, 4.880944614))
BRICK = (2.267961896, (0.00256821747, 0.00842101104, 0.00975465594))
"""Mass [kg] and principal moments [kg m²]: 1 slug and 3.6 slug ft²; 0.155404754 slug and so on."""
BALL = {"area": math.pi / 4.0 * 0.1524**2, "c_drag": 0.1}
"""A ball of 6 in; the case prints its area as 0.1963495 ft², rounded."""
FINS = {"area": 0.020644914, "span": 0.101598984, "chord": 0.203201016, "c_l_p": -1.0, "c_m_q": -1.0, "c_n_r": -1.0}


class Case(NamedTuple):
    """One check case: what falls, through what, from where and how."""

    name: str
    body: tuple[float, tuple[float, float, float]]
    bluff: dict[str, Any] | None = None
    rates: str = "earth"
    altitude: float = 9144.0
    yaw_ned: float = 0.0
    """[deg]."""
    velocity_ned: tuple[float, float, float] = (0.0, 0.0, 0.0)
    rate_frd_deg: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Relative to the stars."""
    wind_from_west: float = 0.0


CASES = (
    Case("01", SPHERE),
    Case("02", BRICK, rate_frd_deg=(10.0, 20.0, 30.0)),
    Case("03", BRICK, FINS, rate_frd_deg=(10.0, 20.0, 30.0)),
    Case("06", SPHERE, BALL),
    Case("07", SPHERE, BALL, wind_from_west=6.096),
    Case(
        "09", SPHERE, BALL, altitude=0.0, yaw_ned=90.0, velocity_ned=(0.0, 304.8, -304.8),
        rate_frd_deg=(0.0, -0.004178073, 0.0),
    ),
)  # fmt: skip


def fly(case: Case) -> dict[str, np.ndarray[Any, Any]]:
    """Our answer in the columns of the tools' files, every 0.1 s."""
    world = _world(case)
    table = [_columns(world)]
    for _ in range(10 * SECONDS):
        world.step(STEPS // 10)
        table.append(_columns(world))
    columns = {name: np.array([row[name] for row in table]) for name in table[0]}
    for name in ("roll_deg", "yaw_deg"):
        columns[name] = np.unwrap(columns[name], period=360.0)
    return columns


def _world(case: Case) -> World:
    mass, moments = case.body
    inertia = " ".join(map(str, moments))
    mjcf = f"""<mujoco><worldbody><body name="base"><freejoint/><site name="base"/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/></body></worldbody></mujoco>"""
    parts = {"body": {"kind": "bluff", "site": "base", "body": case.bluff, "rates": case.rates}} if case.bluff else {}
    air: dict[str, Any] = {"altitude": case.altitude}
    if case.wind_from_west:
        air["wind"] = {"speed": case.wind_from_west, "from_deg": 270}
    north, east, down = case.velocity_ned
    p, q, r = (math.radians(rate) for rate in case.rate_frd_deg)
    yaw = math.radians(90.0 - case.yaw_ned)  # world x is east, NED yaw counts from north, clockwise
    c, s = math.cos(yaw), math.sin(yaw)
    turn = Vector(p - s * ROTATION, -q - c * ROTATION, -r)  # less the Earth's own rate, which points north here
    return world_of(
        mjcf,
        {"parts": parts, "controller": {"use": "pass_through", "rate_hz": STEPS}},
        {
            "physics_hz": STEPS,
            "integrator": "RK4",
            "air": air,
            "origin": {"latitude_deg": 0, "longitude_deg": 0, "shape": "oblate", "rotating": True},
            "record": {"rate_hz": 1},
        },
        attitude_deg=[0, 0, 90.0 - case.yaw_ned],
        velocity_b=[c * east + s * north, -s * east + c * north, -down],
        rate_b=list(turn),
    )


def _columns(world: World) -> dict[str, float]:
    seen = world.motion()
    origin = Geodetic(0.0, 0.0, world.scenario.air.altitude)
    here = geodetic_from_world(seen.pos_w, origin)
    # Axes east, north, up of the present place, in which the tools give velocity and attitude.
    local = [enu_from_ecef(ecef_from_enu(axis, 0.0, 0.0), here.latitude, here.longitude) for axis in AXES]
    turn: np.ndarray[Any, Any] = np.array(local).T
    east, north, up = turn @ np.array(seen.vel_w)
    attitude = _euler_ned(turn, seen.quat_wb)
    spin = unrotate(seen.quat_wb, Vector(0.0, ROTATION, 0.0))
    rates = (seen.rate_b.x + spin.x, -(seen.rate_b.y + spin.y), -(seen.rate_b.z + spin.z))
    return {
        "altitude_m": here.altitude,
        "longitude_deg": math.degrees(here.longitude),
        "latitude_deg": math.degrees(here.latitude),
        "vel_north_m_s": north,
        "vel_east_m_s": east,
        "vel_down_m_s": -up,
        **dict(zip(("roll_deg", "pitch_deg", "yaw_deg"), map(math.degrees, attitude), strict=True)),
        **dict(zip(("p_deg_s", "q_deg_s", "r_deg_s"), map(math.degrees, rates), strict=True)),
    }


AXES = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))


def _euler_ned(turn: np.ndarray[Any, Any], quat_wb: Quaternion) -> Euler:
    """Roll, pitch, yaw from north-east-down axes of a body with x front, y right, z down."""
    front, left, up = (turn @ np.array(rotate(quat_wb, axis)) for axis in AXES)
    ned = np.array([[a[1], a[0], -a[2]] for a in (front, -left, -up)]).T
    return Euler(
        math.atan2(ned[2, 1], ned[2, 2]), -math.asin(max(-1.0, min(1.0, ned[2, 0]))), math.atan2(ned[1, 0], ned[0, 0])
    )


def _read(path: Path) -> dict[str, np.ndarray[Any, Any]]:
    with path.open() as file:
        table = list(csv.DictReader(file))
    return {name: np.array([float(row[name] or "nan") for row in table]) for name in table[0]}


MARGINS = {
    "altitude_m": (1e-3, "m"),
    "vel_north_m_s": (1e-4, "m/s"),
    "vel_east_m_s": (1e-4, "m/s"),
    "vel_down_m_s": (1e-4, "m/s"),
    "roll_deg": (1e-5, "deg"),
    "pitch_deg": (1e-5, "deg"),
    "yaw_deg": (1e-5, "deg"),
}
"""By how much the envelope of the tools is widened."""


def rows(full: bool) -> Iterator[Row]:
    """Excess over the widened envelope of the tools; the brick's attitude against the tool of the same definition."""
    for case in CASES:
        ours = fly(case)
        tumbling = case.name in ("02", "03")
        yield from _envelope(case, ours, [name for name in MARGINS if not (tumbling and name.endswith("_deg"))])
        if case.name == "02":
            yield _attitude(case, ours, "sim_04", 1e-3)
        if case.name == "03":
            yield _attitude(case, ours, "sim_05", 1e-2)
            yield _attitude(case, fly(case._replace(rates="inertial")), "sim_04", 1e-2)


def _envelope(case: Case, ours: dict[str, Any], names: list[str]) -> Iterator[Row]:
    source, path = SOURCE.format(case.name), data_file(f"nesc/envelope_{case.name}.csv")
    for name in names:
        margin, unit = MARGINS[name]
        key, quantity = f"nesc_{case.name}_{name}", f"{name}: outside the tools' envelope"
        if isinstance(path, str):
            yield missing(key, source, quantity, path, unit)
            continue
        tools = _read(path)
        low, high = tools[f"{name}_min"], tools[f"{name}_max"]
        excess = np.maximum(np.maximum(low - ours[name], ours[name] - high), 0.0).max()
        yield at_most(key, source, quantity, margin, float(excess), unit)


def _attitude(case: Case, ours: dict[str, Any], tool: str, bound: float) -> Row:
    key, quantity = f"nesc_{case.name}_attitude_{tool}", f"attitude against {tool}"
    source, path = SOURCE.format(case.name), data_file(f"nesc/Atmos_{case.name}_{tool}.csv")
    if isinstance(path, str):
        return missing(key, source, quantity, path, "deg")
    theirs = _read(path)
    worst = 0.0
    for name in ("roll_deg", "pitch_deg", "yaw_deg"):
        off = (ours[name] - theirs[name] + 180.0) % 360.0 - 180.0
        worst = max(worst, float(np.abs(off).max()))
    return at_most(key, source, quantity, bound, worst, "deg")
