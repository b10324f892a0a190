"""One schema on both sides, and a scene and signals for every vehicle that ships."""

import json
from pathlib import Path

import numpy as np
import pytest

from cupola.cockpit import messages as say
from cupola.cockpit import typescript
from cupola.cockpit.frame import Frame
from cupola.cockpit.scene import scene_of
from cupola.vehicle import shipped_vehicles
from cupola.world import load

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
    for section, numbers in tables.items():
        assert section in ("goals", "lasers") or np.isfinite(numbers).all(), section
    at = names.index(f"{name}.position.z")
    assert tables["signals"][at] == world.motion().pos_w.z == tables["bodies"][7 * world.members[0].root + 2]
    assert len(tables["spins"]) == len(scene.rotors)
    assert len(tables["lasers"]) == sum(laser.count for laser in scene.lasers)
    assert len(tables["forces"]) == 6 * len(scene.loads)


def test_the_box_of_inertia_has_the_inertia():
    """A uniform box of half sizes a, b, c has I_x = m (b² + c²) / 3."""
    world = load("quadcopter")
    body = scene_of(world).bodies[world.members[0].root]
    a, b, c = body.inertia_box
    again = [body.mass * (y * y + z * z) / 3 for y, z in ((b, c), (c, a), (a, b))]
    np.testing.assert_allclose(again, world.model.body_inertia[world.members[0].root], rtol=1e-9)


def test_forces_of_wings_and_rotors_are_what_moves_the_plane():
    """The arrows together are what MuJoCo was told to apply to the root, less what has no arrow."""
    world = load("aerosonde")
    frame = Frame(world)
    world.step(100)
    frame.fill()
    section = next(s for s in frame.layout if s.name == "forces")
    rows = frame.numbers[section.offset : section.offset + section.count * section.width].reshape(-1, 6)
    np.testing.assert_allclose(
        rows[:, 3:].sum(axis=0), world.data.xfrc_applied[:, :3].sum(axis=0), rtol=0.02, atol=0.05
    )


def test_every_message_survives_the_line():
    texts = ['{"kind": "sticks", "channels": [0, 1]}', '{"kind": "seek", "time": 3}', '{"kind": "take_sticks"}']
    for text in texts:
        message = say.from_page.validate_json(text)
        assert say.from_page.validate_json(json.dumps(message.model_dump())) == message
