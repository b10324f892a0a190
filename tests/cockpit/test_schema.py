"""One schema on both sides, and a scene and signals for every vehicle that ships."""

import json
from pathlib import Path

import numpy as np
import pytest

from cupola.cockpit import messages as say
from cupola.cockpit import typescript
from cupola.cockpit.frame import Frame
from cupola.cockpit.scene import scene_of
from cupola.config.vehicle import shipped_vehicles
from cupola.physics.rotation import Quaternion, Vector, add, rotate
from cupola.sim.signals import REPORTS
from cupola.sim.world import load

WEB = Path(__file__).parents[2] / "web"


def test_the_page_has_the_present_schema():
    found = (WEB / "src" / "messages.ts").read_text(encoding="utf-8")
    assert found == typescript.text(), "python -m cupola.cockpit.typescript web/src/messages.ts"


def test_types_of_the_page():
    text = typescript.text()
    assert 'export interface Speed {\n  kind: "speed";\n  factor: number | null;\n}' in text
    assert (
        'export interface Mode {\n  kind: "mode";\n  vehicle?: number;\n  mode: "mission" | "assisted" | "raw";\n}'
        in text
    )
    assert "export const STICKS_EXPIRE = 0.5 as const;" in text
    assert "  replay: [number, number] | null;" in text
    assert "  bodies: Body[];" in text


@pytest.mark.parametrize("name", shipped_vehicles())
def test_every_vehicle_can_be_shown(name):
    world = load(name)
    scene, frame = scene_of(world), Frame(world)
    world.step(200)
    frame.fill()
    assert say.Scene.model_validate_json(scene.model_dump_json()) == scene
    assert len(scene.bodies) == world.model.nbody
    assert len(scene.geoms) == world.model.ngeom
    names = [signal.name for signal in frame.signals]
    assert len(set(names)) == len(names)
    assert all(signal.unit for signal in frame.signals)
    tables = {s.name: frame.numbers[s.offset : s.offset + s.count * s.width] for s in frame.layout}
    reports = np.array([f".{REPORTS}." in name for name in names])  # NaN: it wants nothing of the kind now
    signals = tables.pop("signals")
    assert np.isfinite(signals[~reports]).all()
    for section, numbers in tables.items():
        assert section in ("goals", "lasers") or np.isfinite(numbers).all(), section
    at = names.index(f"{name}.position.z")
    assert signals[at] == world.motion().pos_w.z == tables["bodies"][7 * world.instances[0].root + 2]
    assert len(tables["spins"]) == len(scene.rotors)
    assert len(tables["lasers"]) == sum(laser.count for laser in scene.lasers)
    assert len(tables["forces"]) == 6 * len(scene.loads)


CORNER = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
"""A tetrahedron."""


def test_what_is_drawn_what_touches_and_what_is_heavy_are_three_things(vehicle, make_world):
    """A mesh that is only seen, a sphere that only touches, and an inertia of the body's own."""
    folder = Path(
        vehicle(
            '<body name="base"><freejoint/><inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.2 0.25"/>'
            '<geom name="skin" type="mesh" mesh="corner" contype="0" conaffinity="0" group="1"/>'
            '<geom name="hull" type="sphere" size="0.5" group="3"/></body>'
        )
    )
    text = (folder / "model.xml").read_text()
    (folder / "corner.obj").write_text(CORNER)
    mesh = '<asset><mesh name="corner" file="corner.obj"/></asset>'
    (folder / "model.xml").write_text(text.replace("<worldbody>", f"{mesh}<worldbody>"))
    scene = scene_of(make_world(str(folder)))
    skin, hull = scene.geoms
    assert (skin.kind, skin.visible, skin.collides, skin.mesh) == ("mesh", True, False, 0)
    assert (hull.kind, hull.visible, hull.collides, hull.mesh) == ("sphere", False, True, -1)
    # MuJoCo turns a mesh to its own principal axes; where the geom stands, the corners are those of the file.
    corners = np.array(scene.meshes[0].vertices).reshape(-1, 3)
    turned = [add(rotate(Quaternion(*skin.quat_b), Vector(*corner)), Vector(*skin.pos_b)) for corner in corners]
    np.testing.assert_allclose(
        sorted(np.round(turned, 5).tolist()), sorted([*np.eye(3).tolist(), [0.0] * 3]), atol=1e-5
    )
    assert len(scene.meshes[0].faces) == 12
    assert scene.bodies[1].mass == 2.0 and scene.bodies[1].com_b == (0.1, 0.0, 0.0)
    assert scene.bodies[0].vehicle == -1 and scene.bodies[1].vehicle == 0


def test_the_box_of_inertia_has_the_inertia():
    """A uniform box of half sizes a, b, c has I_x = m (b² + c²) / 3."""
    world = load("quadcopter")
    body = scene_of(world).bodies[world.instances[0].root]
    a, b, c = body.inertia_box
    again = [body.mass * (y * y + z * z) / 3 for y, z in ((b, c), (c, a), (a, b))]
    np.testing.assert_allclose(again, world.model.body_inertia[world.instances[0].root], rtol=1e-9)


def test_forces_of_wings_and_rotors_are_what_moves_the_plane():
    """The arrows together are what MuJoCo was told to apply to the root, less what has no arrow."""
    world = load("aerosonde")
    frame = Frame(world)
    world.step(100)
    world.accelerate()  # loads at the present motion, not at that of the last step's start
    frame.fill()
    section = next(s for s in frame.layout if s.name == "forces")
    rows = frame.numbers[section.offset : section.offset + section.count * section.width].reshape(-1, 6)
    applied = world.data.xfrc_applied[:, :3].sum(axis=0)
    np.testing.assert_allclose(rows[:, 3:].sum(axis=0), applied, rtol=1e-9, atol=1e-9)
    assert np.abs(applied).max() > 10.0


def forces_of(world):
    """Rows of section `forces` by name."""
    frame = Frame(world)
    frame.fill()
    section = next(s for s in frame.layout if s.name == "forces")
    rows = frame.numbers[section.offset : section.offset + section.count * section.width].reshape(-1, 6)
    return dict(zip(scene_of(world).loads, rows, strict=True))


def test_a_bluff_body_has_the_drag_of_its_area():
    """½ ρ v² A c, along the wind: `vtol` says A = 0.03 m², c = 0.6."""
    world = load("vtol")
    world.tune("air.wind_speed", 20.0)
    world.step(2)
    vel_air, density = np.array(world.motion().vel_air_b), float(np.asarray(world.signal("vtol.density")))
    wind = np.array(world.signal("vtol.wind"))
    force = forces_of(world)["vtol.frame"][3:]
    assert np.linalg.norm(vel_air) > 10.0
    assert np.linalg.norm(force) == pytest.approx(0.5 * density * (vel_air @ vel_air) * 0.03 * 0.6, rel=1e-3)
    assert force @ wind > (1.0 - 1e-6) * np.linalg.norm(force) * np.linalg.norm(wind)


@pytest.mark.parametrize("name", ["omni_manual", "omni_solo"])
def test_the_wheels_of_a_base_that_stands_carry_it(name):
    world = load(name)
    world.take_over("assisted")
    world.step(500)
    forces = forces_of(world)
    wheels = [forces[wheel] for wheel in scene_of(world).vehicles[0].wheels]
    weight = 9.81 * world.model.body_mass.sum()
    assert sum(row[5] for row in wheels) == pytest.approx(weight, rel=1e-9)
    assert all(0.24 < row[5] / weight < 0.26 for row in wheels)
    assert all(abs(row[2]) < 0.01 for row in wheels)  # on the floor
    right, left = wheels[0], wheels[1]
    assert right[1] < -0.2 and left[1] > 0.2  # y is to the left


def test_every_message_survives_the_line():
    texts = ['{"kind": "sticks", "channels": [0, 1]}', '{"kind": "seek", "time": 3}', '{"kind": "take_sticks"}']
    for text in texts:
        message = say.from_page.validate_json(text)
        assert say.from_page.validate_json(json.dumps(message.model_dump())) == message
