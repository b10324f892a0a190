"""Several surfaces of any arrangement, solved in flight, and the same panels by plain sums outside."""

import math

import numpy as np
import pytest

from .lattice_sums import lattice_by_sums
from .test_wing_theories import ALPHA, DENSITY, LOOSE, SPEED, THIN

COLUMNS, ROWS = 5, 2
PLAIN = ((0.0, 0.28, 0.0, 0.0), (0.8, 0.12, 0.0, 0.0))
"""Stations of a half: y, chord, x of the quarter chord [m], incidence [rad]."""
SMALL = ((0.0, 0.14, 0.0, 0.0), (0.35, 0.1, 0.0, 0.0))
SWEPT_FORWARD = ((0.0, 0.28, 0.0, 0.0), (0.8, 0.12, 0.3, 0.0))
CRANKED = ((0.0, 0.3, 0.0, 0.0), (0.3, 0.22, -0.02, 0.0), (0.8, 0.08, -0.25, 0.0))
TWISTED = ((0.0, 0.28, 0.0, 0.05), (0.8, 0.12, 0.0, -0.04))
SHORT = ((0.0, 0.28, 0.0, 0.0), (0.5, 0.2, 0.0, 0.0))
LEFT, RIGHT = "left", "right"


def both(place, stations, roll=0.0):
    """Both halves of a wing at a place [m], each raised by `roll` [rad]."""
    return [(LEFT, place, stations, roll), (RIGHT, place, stations, roll)]


ARRANGED = {
    "biplane": [*both((0.0, 0.0, 0.0), PLAIN), *both((0.1, 0.0, 0.35), PLAIN)],
    "canard": [*both((0.8, 0.0, 0.05), SMALL), *both((0.0, 0.0, 0.0), PLAIN)],
    "T-tail": [
        *both((0.0, 0.0, 0.0), PLAIN),
        (LEFT, (-1.0, 0.0, 0.05), SMALL, 0.5 * math.pi),
        *both((-1.05, 0.0, 0.42), SMALL),
    ],
    "V-tail": [*both((0.0, 0.0, 0.0), PLAIN), *both((-1.0, 0.0, 0.1), SMALL, math.radians(35))],
    "swept forward": both((0.0, 0.0, 0.0), SWEPT_FORWARD),
    "dihedral of 30°": both((0.0, 0.0, 0.0), PLAIN, math.radians(30)),
    "cranked": both((0.0, 0.0, 0.0), CRANKED),
    "twisted": both((0.0, 0.0, 0.0), TWISTED),
    "unequal spans": [(LEFT, (0.0, 0.0, 0.0), PLAIN, 0.0), (RIGHT, (0.0, 0.0, 0.0), SHORT, 0.0)],
    "oblique": [(LEFT, (0.0, 0.0, 0.0), SWEPT_FORWARD, 0.0), (RIGHT, (0.0, 0.0, 0.0), CRANKED, 0.0)],
    "three in a row": [s for k in range(3) for s in both((-0.8 * k, 0.0, 0.12 * k), SMALL)],
}
"""Surfaces: side, place of the site, stations, roll of the site, tip up."""


def grid(side, place, stations, roll):
    """Corners of a half from the right to the left, by the definition of its keys."""
    y, chord, x, incidence = (np.array(column) for column in zip(*stations, strict=True))
    cuts = y[-1] * np.sin(0.5 * np.pi * np.linspace(0.0, 1.0, COLUMNS + 1))
    back = (0.25 - np.linspace(0.0, 1.0, ROWS + 1))[:, None] * np.interp(cuts, y, chord)
    nose = np.interp(cuts, y, incidence)
    made = np.stack([np.interp(cuts, y, x) + back * np.cos(nose), 0.0 * back + cuts, back * np.sin(nose)], axis=-1)
    c, s = math.cos(roll), math.sin(roll)
    made = made @ np.array([[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]])
    if side == RIGHT:
        made = made[:, ::-1] * [1.0, -1.0, 1.0]
    return made + place


@pytest.mark.parametrize("beta", [0.0, 0.15], ids=["straight", "sideslip"])
@pytest.mark.parametrize("name", ARRANGED)
def test_any_arrangement_is_the_lattice_outside(name, beta, vehicle, make_world):
    """Every surface within 1 % of the largest force on any, in all three axes."""
    sites, parts = "", {}
    for k, (side, place, stations, roll) in enumerate(ARRANGED[name]):
        turned = math.degrees(roll if side == LEFT else -roll)
        sites += f'<site name="s{k}" pos="{place[0]} {place[1]} {place[2]}" euler="{turned} 0 0"/>'
        cuts = [dict(zip(("y", "chord", "x", "incidence"), station, strict=True)) for station in stations]
        keys = {"theory": "lattice", "strips": COLUMNS, "panels": ROWS, "section": THIN, "stations": cuts}
        parts[f"w{k}"] = {"kind": "wing", "site": f"s{k}", "side": side, **keys}
    body = f'<body name="base"><freejoint/><geom size=".1" mass="1e3" {LOOSE}/>{sites}</body>'
    motion = SPEED * np.array([math.cos(ALPHA) * math.cos(beta), math.sin(beta), -math.sin(ALPHA) * math.cos(beta)])
    model = {"model": vehicle(body, parts=parts), "velocity_b": motion.tolist()}
    world = make_world(model, gravity=0.0, air={"density": DENSITY}, physics_hz=1000)
    world.step(1)
    expected = lattice_by_sums([grid(*one) for one in ARRANGED[name]], -motion, DENSITY)
    largest = max(float(np.linalg.norm(one)) for one in expected)
    for k, ((side, _, _, roll), one) in enumerate(zip(ARRANGED[name], expected, strict=True)):
        x, y, z = world.part(f"w{k}").outputs.force
        angle = roll if side == LEFT else -roll
        c, s = math.cos(angle), math.sin(angle)
        np.testing.assert_allclose([x, c * y - s * z, s * y + c * z], one, atol=0.01 * largest, err_msg=f"w{k}")
