"""Ailerons, elevators and rudders that are seen turn the way in which they act."""

import re
from pathlib import Path

import numpy as np
import pytest

import cupola
from cupola.cockpit.scene import scene_of
from cupola.cockpit.surfaces import NAMED
from cupola.schema.yaml_files import InputError

MODELS = Path(cupola.__file__).parent / "models"
WITH = sorted(
    file.parent.name for file in MODELS.glob("*/model.xml") if re.search(r'"\w+\.[+-]\d+[yz]:', file.read_text())
)
FIRST = {"vtol": 4}
"""Channel of the first stick."""
STICKS = 4
BEFORE, FOR = 0.02, 0.04
"""[s] of flight until the channel moves, and then."""


@pytest.fixture(scope="module", params=WITH)
def plane(request, make_world):
    held = {"use": "pass_through", "rate_hz": 200, "channel": FIRST.get(request.param, 0)}
    entry = {"model": request.param, "name": "one", "position": [0, 0, 50], "velocity_b": [22, 0, 0], "mode": "raw"}
    world = make_world({**entry, "controller": held, "raw": held}, physics_hz=400)
    world.run(BEFORE)
    return world, world.snapshot(), scene_of(world), held["channel"]


def turned_by(plane, channel, value):
    """Change of the rates [rad/s] about forward, left, up, where a channel has a value."""
    world, start, _, first = plane
    world.restore(start)
    sticks = np.zeros(STICKS)
    sticks[channel - first] = value
    world.sticks(sticks, "one")
    world.run(BEFORE + FOR)
    return np.array(world.motion("one").rate_b)


def middle(scene, geom):
    """Centre of a shape's mesh [m], in its body: MuJoCo puts the frame of a mesh there."""
    return np.array(scene.geoms[geom].pos_b)


def test_planes_have_them():
    assert {"plane_1wing", "plane_1wing_sensors", "plane_3wing_2motor", "vtol", "morphing_uav", "aerosonde"} <= set(
        WITH
    )


def test_a_surface_is_seen_to_turn_the_way_in_which_it_acts(plane):
    """It pushes the air where its trailing edge goes, and the air pushes it back."""
    world, _, scene, _ = plane
    assert scene.surfaces
    roots = {body.name: k for k, body in enumerate(scene.bodies)}
    for one in scene.surfaces:
        channel = int(one.signal.rpartition(".")[2])
        assert one.signal == f"one.drive.{channel}" and 0.1 < abs(one.angle) < 1.0
        name = scene.geoms[one.geom].name
        body = world.data.body(scene.geoms[one.geom].body)
        base = world.data.body(roots["one/base"])
        place = base.xmat.reshape(3, 3).T @ (body.xpos + body.xmat.reshape(3, 3) @ middle(scene, one.geom) - base.xpos)
        edge = one.angle * np.cross(one.axis_b, middle(scene, one.geom) - np.array(one.pos_b))
        seen = np.cross(place, -edge)
        acts = turned_by(plane, channel, 0.3) - turned_by(plane, channel, -0.3)
        strongest = int(np.argmax(np.abs(acts)))
        assert abs(acts[strongest]) > 0.01, name
        assert np.sign(seen[strongest]) == np.sign(acts[strongest]), (name, seen, acts)
        assert abs(seen[strongest]) > 0.5 * np.abs(seen).max(), (name, seen, acts)


def test_a_shape_that_turns_with_nothing_is_refused(make_world, vehicle):
    hinge = '<geom name="{}" type="box" size="0.1 0.1 0.01"/><site name="wing"/>'
    surface = {"area": 0.1, "span": 1.0, "chord": 0.1}
    parts = {"wing": {"kind": "airfoil", "site": "wing", "channels": [0, -1, -1], "surface": surface}}
    parts["wing"]["deflection_max"] = [0.3, 0, 0]
    for k, (name, complaint) in enumerate(
        (("fin.+0y:a", "does not have"), ("wing.+3y:a", "channel 3 does not deflect"))
    ):
        bodies = f'<body name="base"><freejoint/>{hinge.format(name)}</body>'
        world = make_world(vehicle(bodies, name=f"toy{k}", root="base", parts=parts))
        with pytest.raises(InputError, match=complaint):
            scene_of(world)
    assert NAMED.match("plane/wing.-0y:left")
