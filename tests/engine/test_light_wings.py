"""Wings that weigh less than the air that they move along."""

import numpy as np
import pytest

HALF, CHORD, SPEED, DENSITY = 1.2, 0.2, 10.0, 1.2
AIR = 0.25 * np.pi * DENSITY * CHORD**2 * 2 * HALF
"""[kg] that goes along with both halves."""
LOOSE = 'contype="0" conaffinity="0"'
MODEL = """<body name="base"><joint name="up" type="slide" axis="0 0 1" stiffness="{k}" springref=".01"/>
<geom size=".02" mass="{mass}" {loose}/><site name="base"/></body>"""
THEORIES = {"unsteady_strips": {}, "unsteady_lattice": {"panels": 3, "wake_rows": 40, "solve_hz": 200}}


def heights(vehicle, make_world, theory, mass, wind, **keys):
    """Of a wing on a spring in wind, let go 1 cm from where it rests [m], at 100 Hz."""
    stations = [{"y": 0.0, "chord": CHORD}, {"y": HALF, "chord": CHORD}]
    wing = {
        "kind": "wing",
        "site": "base",
        "theory": theory,
        "stations": stations,
        "strips": 8,
        **THEORIES[theory],
        **keys,
    }
    parts = {side: {**wing, "side": side} for side in ("left", "right")}
    body = MODEL.format(k=600.0, mass=mass, loose=LOOSE)
    air = {"density": DENSITY, "wind": {"speed": wind, "from_deg": 90}}
    world = make_world(vehicle(body, parts=parts, name=f"on_a_spring_{theory}"), air=air, gravity=0.0, floor=None)
    found = []
    for _ in range(60):
        world.step(10)
        found.append(float(world.data.qpos[0]))
    return np.array(found)


@pytest.mark.parametrize("share", [0.02, 0.3, 3.0])
@pytest.mark.parametrize("wind", [SPEED, 3.0])
def test_a_wing_lighter_than_its_air_swings_as_strips_do(share, wind, vehicle, make_world):
    """The inertia of the air is in the mass matrix for both; the lattice's load holds for five ticks."""
    strips, lattice = (heights(vehicle, make_world, theory, share * AIR, wind) for theory in THEORIES)
    assert strips.max() > 0.01
    assert np.abs(lattice - strips).max() < 0.13 * strips.max()


@pytest.mark.parametrize("hz", [50, 1000])
def test_it_comes_to_rest_however_often_it_is_solved(hz, vehicle, make_world):
    """Ten solutions in a swing are too few to follow it, but none makes it grow."""
    found = heights(vehicle, make_world, "unsteady_lattice", 0.02 * AIR, SPEED, solve_hz=hz)
    assert np.abs(found).max() < 0.02
    assert np.abs(found[-10:] - 0.01).max() < 0.001
