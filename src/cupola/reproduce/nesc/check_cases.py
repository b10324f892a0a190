"""Six-degree-of-freedom check cases of the NASA Engineering and Safety Center: NASA TM-2015-218675, Atmos_01 to 10.

A body falls, tumbles or is shot over a round, turning, oblate Earth; six independent tools published their answers. The
vehicles and starts below are those of the cases, the tools' files are read from the data folder.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from cupola.physics.planet import ROTATION
from cupola.physics.rotation import Vector
from cupola.reproduce.nesc.columns import Table, columns, joined
from cupola.reproduce.nesc.scoring import ANGLES, POSITIONS, VELOCITIES, attitude_row, envelope_rows
from cupola.reproduce.row import Row
from cupola.reproduce.scene import world_of
from cupola.sim.world import World

STEPS, SECONDS = 1000, 30
"""Physics rate [Hz] and length of each case [s]."""
SPHERE = (14.593902937, (4.880944614, 4.880944614, 4.880944614))
BRICK = (2.267961896, (0.00256821747, 0.00842101104, 0.00975465594))
"""Mass [kg] and principal moments [kg m²]: 1 slug and 3.6 slug ft²; 0.155404754 slug and so on."""
BALL = {"area": 0.1963495 * 0.3048**2, "c_drag": 0.1}
"""Area as printed in the cases, 0.1963495 ft²."""
HALF_A_FOOT = BALL | {"area": math.pi / 16.0 * 0.3048**2}
"""The same ball with the area of its diameter, of which the printed one is rounded; the tools' forces are of this."""
FINS = {"area": 0.020644914, "span": 0.101598984, "chord": 0.203201016, "c_l_p": -1.0, "c_m_q": -1.0, "c_n_r": -1.0}


ROUND_EARTH = ("sim_04", "sim_05", "sim_06")
"""Tools that agree on a sphere to 3 mm; sim_02 starts it with another velocity and ends 5 m off."""
SHEAR = [{"height": -9144.0, "speed": 6.096, "from_deg": 90.0}, {"height": 0.0, "speed": 21.336, "from_deg": 270.0}]
"""Wind of case 08: blows west with 20 ft/s at the sea and east with 70 ft/s at the start, evenly between."""


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
    wind: dict[str, Any] | None = None
    earth: tuple[str, bool] = ("oblate", True)
    """Its shape, and whether it turns."""
    tools: tuple[str, ...] = ()
    """Those whose spread counts; none: all."""


CASES = (
    Case("01", SPHERE),
    Case("02", BRICK, rate_frd_deg=(10.0, 20.0, 30.0)),
    Case("03", BRICK, FINS, rate_frd_deg=(10.0, 20.0, 30.0)),
    Case("06", SPHERE, BALL),
    Case("04", SPHERE, BALL, rate_frd_deg=(10.0, 20.0, 30.0), earth=("round", False), tools=ROUND_EARTH),
    Case("05", SPHERE, BALL, rate_frd_deg=(10.0, 20.0, 30.0), earth=("round", True), tools=ROUND_EARTH),
    Case("07", SPHERE, BALL, wind={"speed": 6.096, "from_deg": 270}),
    Case("08", SPHERE, BALL, wind={"layers": SHEAR}),
    Case(
        "09", SPHERE, BALL, altitude=0.0, yaw_ned=90.0, velocity_ned=(0.0, 304.8, -304.8),
        rate_frd_deg=(0.0, -0.004178073, 0.0),
    ),
    Case(
        "10", SPHERE, BALL, altitude=0.0, velocity_ned=(304.8, 0.0, -304.8), rate_frd_deg=(0.004178073, 0.0, 0.0),
    ),
)  # fmt: skip


def fly(case: Case) -> Table:
    """Our answer in the columns of the tools' files, every 0.1 s."""
    world = _world(case)
    table = [columns(world)]
    for _ in range(10 * SECONDS):
        world.step(STEPS // 10)
        table.append(columns(world))
    return joined(table)


def _world(case: Case) -> World:
    mass, moments = case.body
    inertia = " ".join(map(str, moments))
    mjcf = f"""<mujoco><worldbody><body name="base"><freejoint/><site name="base"/>
      <inertial pos="0 0 0" mass="{mass}" diaginertia="{inertia}"/></body></worldbody></mujoco>"""
    parts = {"body": {"kind": "bluff", "site": "base", "body": case.bluff, "rates": case.rates}} if case.bluff else {}
    air: dict[str, Any] = {"altitude": case.altitude}
    if case.wind:
        air["wind"] = case.wind
    north, east, down = case.velocity_ned
    p, q, r = (math.radians(rate) for rate in case.rate_frd_deg)
    yaw = math.radians(90.0 - case.yaw_ned)  # world x is east, NED yaw counts from north, clockwise
    c, s = math.cos(yaw), math.sin(yaw)
    shape, turns = case.earth
    spin = ROTATION if turns else 0.0
    turn = Vector(p - s * spin, -q - c * spin, -r)  # less the Earth's own rate, which points north here
    return world_of(
        mjcf,
        {"parts": parts, "controller": {"use": "pass_through", "rate_hz": STEPS}},
        {
            "physics_hz": STEPS,
            "integrator": "RK4",
            "air": air,
            "origin": {"latitude_deg": 0, "longitude_deg": 0, "shape": shape, "rotating": turns},
            "record": {"rate_hz": 1},
        },
        attitude_deg=[0, 0, 90.0 - case.yaw_ned],
        velocity_b=[c * east + s * north, -s * east + c * north, -down],
        rate_b=list(turn),
    )


def rows(full: bool) -> Iterator[Row]:
    """Excess over the spread of the tools; the brick's attitude against the tool of the same definition."""
    for case in CASES:
        ours = fly(case)
        tumbling = case.name in ("02", "03")
        names = (*POSITIONS, *VELOCITIES, *(() if tumbling else ANGLES))
        yield from envelope_rows(case.name, ours, names, case.tools)
        if case.tools:
            whole = fly(case._replace(bluff=HALF_A_FOOT))
            way = ("_whole_area", " with π/16 ft²")
            yield from envelope_rows(case.name, whole, ("vel_down_m_s",), case.tools, way)
        if case.name == "02":
            yield attitude_row(case.name, ours, "sim_04", 1e-3)
        if case.name == "03":
            yield attitude_row(case.name, ours, "sim_05", 1e-2)
            yield attitude_row(case.name, fly(case._replace(rates="inertial")), "sim_04", 1e-2)
