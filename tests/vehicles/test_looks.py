"""What vehicles look like changes nothing that they do."""

import re
import sys
from pathlib import Path

import mujoco
import numpy as np
import pytest

import cupola
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.kernel.rays import GHOST, SOLID

MODELS = Path(cupola.__file__).parent / "models"
LARGEST = 4000
"""Triangles of a look: the page draws ten of them without a graphics card."""
MODELS_WITH_LOOKS = sorted(
    file.parent.name for file in MODELS.glob("*/model.xml") if 'class="look"' in file.read_text()
)
DRAWN = [name for name in MODELS_WITH_LOOKS if "tools.looks" in (MODELS / name / "model.xml").read_text()]
BODIES = ("body_mass", "body_inertia", "body_ipos", "body_iquat", "body_invweight0", "dof_invweight0", "dof_armature")
PLANAR = ("cepheus", "cepheus_sim", "cepheus_target", "cepheus_cube", "servicer", "client")
FLOOR, HEIGHT, STEPS = [20.0, 20.0, 1.0], 0.6, 400


def spec_of(name, looks):
    """A vehicle over a floor, with or without its look."""
    spec = mujoco.MjSpec.from_file(str(MODELS / name / "model.xml"))
    spec.worldbody.add_geom(name="the_floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=FLOOR, contype=3, conaffinity=3)
    if not looks:
        for geom in [one for one in spec.geoms if one.group == GHOST]:
            spec.delete(geom)
    return spec


def drop(model):
    """Coordinates, velocities and rays of a fall onto the floor, thrown a little."""
    data = mujoco.MjData(model)
    if model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE:
        data.qpos[2] = HEIGHT
    data.qvel[: min(6, model.nv)] = 0.1
    data.ctrl[:] = 0.2
    touched = 0
    for _ in range(STEPS):
        mujoco.mj_step(model, data)
        touched = max(touched, int(data.ncon))
    way, normal, hit = np.array([0.6, 0.0, -0.8]), np.zeros(3), np.zeros(1, np.int32)
    starts = data.xpos[1] + np.array([[x, y, 1.0] for x in (-1.0, -0.7, -0.5) for y in (0.0, 0.1, 0.3)])
    rays = [mujoco.mj_ray(model, data, start, way, SOLID, 1, -1, hit, normal) for start in starts]
    return np.concatenate([data.qpos, data.qvel, rays]), touched


@pytest.mark.parametrize("name", MODELS_WITH_LOOKS)
def test_a_look_weighs_nothing_touches_nothing_and_stops_no_ray(name):
    seen, bare = spec_of(name, True).compile(), spec_of(name, False).compile()
    looks = seen.geom_group == GHOST
    assert looks.sum() == seen.ngeom - bare.ngeom > 0
    assert not seen.geom_contype[looks].any() and not seen.geom_conaffinity[looks].any()
    for array in BODIES:
        assert getattr(seen, array).tobytes() == getattr(bare, array).tobytes(), array
    (one, touched), (other, _) = drop(seen), drop(bare)
    assert one.tobytes() == other.tobytes()
    assert touched or name == "flapper" or name in PLANAR  # which stand, or float above the floor
    assert seen.mesh_facenum.sum() <= LARGEST


def test_a_flight_is_the_same_without_the_look(tmp_path):
    folder = MODELS / "quadcopter"
    text = re.sub(r'<geom[^>]*class="look"[^>]*/>', "", (folder / "model.xml").read_text())
    (tmp_path / "model.xml").write_text(text)
    (tmp_path / "vehicle.yaml").write_text((folder / "vehicle.yaml").read_text())
    flown = []
    for vehicle in (folder / "vehicle.yaml", tmp_path / "vehicle.yaml"):
        scenario = Scenario(vehicles=(VehicleEntry(model=str(vehicle), name="one", position=(0, 0, 0.02)),), duration=2)
        world = cupola.load(scenario)
        world.run(1.5)
        flown.append(world.data.qpos.tobytes() + world.data.qvel.tobytes())
    assert flown[0] == flown[1]


@pytest.fixture
def looks(monkeypatch):
    """`tools.looks` of the repository; `tools` is then forgotten, as users may have a folder of that name."""
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    from tools.looks.__main__ import LOOKS
    from tools.looks.write import with_look

    yield LOOKS, with_look
    for name in [name for name in sys.modules if name.split(".")[0] == "tools"]:
        del sys.modules[name]


@pytest.mark.parametrize("name", DRAWN)
def test_the_files_are_what_is_drawn(name, looks):
    drawers, with_look = looks
    assert sorted(drawers) == DRAWN
    draw, paints, digits = drawers[name]
    text = (MODELS / name / "model.xml").read_text()
    kept, drawn = numbers(text), numbers(with_look(text, draw(), paints, digits))
    assert drawn.keys() == kept.keys()
    for key, values in drawn.items():
        np.testing.assert_allclose(kept[key], values, atol=1.5 * 10**-digits, err_msg=key)  # one unit of the last digit


def numbers(text):
    found = re.findall(r'<mesh name="(\w+)".*? vertex="([^"]*)" face="([^"]*)"', text)
    assert found
    return {name: [float(value) for value in f"{vertex} {face}".split()] for name, vertex, face in found}
