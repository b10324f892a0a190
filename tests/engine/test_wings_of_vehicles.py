"""Wings of several vehicles, close together, in any attitude, in wind and near the ground: one lattice outside."""

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from .lattice_sums import lattice_by_sums
from .test_wing_siblings import LEFT, PLAIN, SMALL, SWEPT_FORWARD, both, grid
from .test_wing_theories import DENSITY, LOOSE, SPEED, THIN

COLUMNS, ROWS = 5, 2
SWEPT = ((0.0, 0.3, 0.0, 0.0), (0.7, 0.15, -0.4, 0.0))
HERE = (0.0, 0.0, 0.0)
WING = both(HERE, PLAIN)
PLANE = [*WING, *both((-1.0, 0.0, 0.25), SMALL), (LEFT, (-1.05, 0.0, 0.3), SMALL, 0.5 * math.pi)]
CANARD = [*WING, *both((0.8, 0.0, 0.06), SMALL)]
BIPLANE = [*both((0.0, 0.0, -0.15), PLAIN), *both((0.1, 0.0, 0.2), PLAIN)]
HIGH = 50.0
"""[m] far from the floor."""


def entry(surfaces, place, roll=0.0, pitch=3.0, yaw=0.0, **motion):
    """A vehicle: its surfaces, place [m], attitude [deg, nose up and left positive], climb and sideslip [rad]."""
    return surfaces, place, (roll, -pitch, yaw), motion


FLYING = {
    "large and small": [entry(PLANE, (0, 0, HIGH)), entry(both(HERE, SMALL), (-2.0, 0.5, HIGH + 0.15))],
    "small before large": [entry(both(HERE, SMALL), (1.2, 0.1, HIGH + 0.6)), entry(PLANE, (0, 0, HIGH))],
    "canards": [entry(CANARD, (0, 0, HIGH)), entry(CANARD, (-1.6, 1.5, HIGH + 0.3))],
    "biplane over a plane": [entry(BIPLANE, (0, 0, HIGH)), entry(PLANE, (-0.2, 0.2, HIGH - 0.8))],
    "swept and tapered": [
        entry(both(HERE, SWEPT), (0, 0, HIGH)),
        entry(both(HERE, SWEPT_FORWARD), (-1.5, 0.7, HIGH + 0.2)),
    ],
    "three in formation": [
        entry(WING, (0, 0, HIGH)),
        entry(WING, (-0.9, 1.7, HIGH + 0.05)),
        entry(both(HERE, SWEPT), (-0.9, -1.6, HIGH - 0.08)),
    ],
    "banked, one over the other": [entry(PLANE, (0, 0, HIGH), 40.0), entry(PLANE, (-0.5, 0.4, HIGH + 0.9), -25.0)],
    "crossing": [entry(WING, (0, 0, HIGH), yaw=25.0), entry(PLANE, (-2.0, 0.3, HIGH + 0.25), yaw=-20.0)],
    "climbing past": [entry(WING, (0, 0, HIGH), climb=0.2), entry(WING, (-1.5, 0.3, HIGH + 0.5), climb=-0.15)],
    "head on": [entry(WING, (0, 0, HIGH)), entry(WING, (2.5, 0.9, HIGH + 0.4), yaw=180.0)],
    "banked near the floor": [entry(PLANE, (0, 0, 0.55), 20.0)],
    "two banked near the floor": [entry(WING, (0, 0, 0.5), 15.0), entry(CANARD, (-1.2, 1.8, 0.6), -12.0)],
    "three in sideslip near the floor": [
        entry(WING, (0, 0, 0.4), slip=0.1),
        entry(both(HERE, SMALL), (-0.9, 1.2, 0.5), slip=0.1),
        entry(PLANE, (-1.5, -1.5, 0.6), 8.0, slip=0.1),
    ],
}
WIND = np.array([3.0, -2.0, 0.0])
"""[m/s] towards east, north, up: all move through the air as without it."""


def through_air(attitude, climb=0.0, slip=0.0):
    """Velocity in the air [m/s], world axes."""
    course = math.radians(attitude[2]) + slip
    level = SPEED * math.cos(climb)
    return np.array([level * math.cos(course), level * math.sin(course), SPEED * math.sin(climb)])


def put(surfaces, name, vehicle, floor):
    """A model with these surfaces, which feel the floor or not."""
    sites, parts = "", {}
    for k, (side, place, stations, roll) in enumerate(surfaces):
        turned = math.degrees(roll if side == LEFT else -roll)
        sites += f'<site name="s{k}" pos="{place[0]} {place[1]} {place[2]}" euler="{turned} 0 0"/>'
        cuts = [dict(zip(("y", "chord", "x", "incidence"), station, strict=True)) for station in stations]
        keys = {"theory": "lattice", "strips": COLUMNS, "panels": ROWS, "section": THIN, "stations": cuts}
        parts[f"w{k}"] = {"kind": "wing", "site": f"s{k}", "side": side, "ground_effect": floor, **keys}
    body = f'<body name="base"><freejoint/><geom size=".1" mass="1e3" {LOOSE}/>{sites}</body>'
    return vehicle(body, name=name, parts=parts)


@pytest.mark.parametrize("name", FLYING)
def test_any_vehicles_together_are_the_lattice_outside(name, vehicle, make_world):
    """Every surface within 1 % of the largest force on any, in all three axes of the world."""
    entries, flows, moving, floor = [], [], [], "floor" in name
    for k, (surfaces, place, attitude, motion) in enumerate(FLYING[name]):
        flow = -through_air(attitude, **motion)
        turn = Rotation.from_euler("xyz", attitude, degrees=True)
        start = {"position": list(place), "attitude_deg": list(attitude)}
        start["velocity_b"] = turn.inv().apply(WIND - flow).tolist()
        entries.append({"model": put(surfaces, f"v{k}", vehicle, floor), "name": f"v{k}", **start})
        flows += [flow] * len(surfaces)
        moving += [(f"v{k}", n, one) for n, one in enumerate(surfaces)]
    speed, from_deg = math.hypot(*WIND), math.degrees(math.atan2(-WIND[0], -WIND[1]))
    air = {"density": DENSITY, "wakes": True, "wind": {"speed": speed, "from_deg": from_deg}}
    world = make_world(*entries, gravity=0.0, air=air, physics_hz=1000, floor={})
    np.testing.assert_allclose(world.motion("v0").vel_w, WIND - flows[0], atol=1e-9)
    world.step(1)
    meshes, turns = [], []
    for owner, n, (side, _, stations, _) in moving:
        at = world.model.site(f"{owner}/s{n}").id
        turns.append(world.data.site_xmat[at].reshape(3, 3).copy())
        meshes.append(grid(side, HERE, stations, 0.0) @ turns[-1].T + world.data.site_xpos[at])
    images = [(mesh * [1.0, 1.0, -1.0])[:, ::-1] for mesh in meshes] if floor else []
    expected = lattice_by_sums([*meshes, *images], np.array(flows * (2 if images else 1)), DENSITY)
    largest = max(float(np.linalg.norm(one)) for one in expected)
    for (owner, n, _), turn, one in zip(moving, turns, expected, strict=False):
        force = turn @ np.array(world.part(f"{owner}.w{n}").outputs.force)
        np.testing.assert_allclose(force, one, atol=0.01 * largest, err_msg=f"{owner}.w{n}")
