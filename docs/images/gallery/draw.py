"""Draws a picture of each shipped scenario at its start, and of each vehicle that no scenario begins with, beside this
file: `MUJOCO_GL=egl python draw.py [NAME]`."""

import itertools
import sys
from pathlib import Path

import mujoco
import numpy as np
import numpy.typing as npt
from PIL import Image

from cupola.build.mjcf import build_model, place
from cupola.cockpit.gallery import family_of, wanted_pictures
from cupola.cockpit.scene import SHOWN_GROUPS
from cupola.config.resolved_vehicle import resolve_vehicles
from cupola.config.scenario import find_scenario

FOLDER = Path(__file__).parent
WIDTH, HEIGHT = 400, 240
MARGIN = 1.15
"""Of the sphere around all vehicles; it should not touch the frame."""
WIDER = 1.35
"""A picture is wider than high, and most vehicles are, too, unless they are seen from above."""
GRASSY, GRASS = ("flying", "wings"), (0.62, 0.76, 0.50)
"""Families over a ground that has no colour of its own; the page of the cockpit draws grass there, too."""
ZENITH, HORIZON = np.array([125.0, 168.0, 220.0]), np.array([226.0, 234.0, 243.0])
Points = npt.NDArray[np.float64]


def corners(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> Points:
    """Places [m, world axes] on the outside of a shape."""
    mesh, turn = int(model.geom_dataid[geom]), data.geom_xmat[geom].reshape(3, 3)
    if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_MESH:
        first = model.mesh_vertadr[mesh]
        found = model.mesh_vert[first : first + model.mesh_vertnum[mesh]].astype(np.float64)
    else:
        middle, half = model.geom_aabb[geom].reshape(2, 3)
        found = middle + half * np.array(list(itertools.product((-1, 1), repeat=3)))
    places: Points = data.geom_xpos[geom] + found @ turn.T
    return places


def sky(height: int, width: int) -> Points:
    """Blue above, pale below."""
    part = np.linspace(0.0, 1.0, height)[:, None, None]
    return np.broadcast_to((1 - part) * ZENITH + part * HORIZON, (height, width, 3))


def draw(name: str) -> None:
    """One picture: all vehicles from the front left, a little from above."""
    scenario, folder = find_scenario(name)
    resolved = resolve_vehicles(scenario, folder, {}, name)
    model = build_model(scenario, resolved)
    data = mujoco.MjData(model)
    roots = [model.body(f"{one.name}/{one.vehicle.root}").id for one in resolved]
    for one, root in zip(resolved, roots, strict=True):
        place(one, root, model, data)
    mujoco.mj_forward(model, data)
    if family_of(scenario.vehicles[0].model) in GRASSY:
        model.geom_rgba[(model.geom_type == mujoco.mjtGeom.mjGEOM_PLANE) & (model.geom_matid < 0), :3] = GRASS
    seen = (model.geom_group < SHOWN_GROUPS) & (model.geom_rgba[:, 3] > 0)
    own = np.isin(model.body_rootid[model.geom_bodyid], model.body_rootid[roots]) & seen
    points = np.concatenate([corners(model, data, int(geom)) for geom in np.flatnonzero(own)])
    low, high = points.min(axis=0), points.max(axis=0)
    camera = mujoco.MjvCamera()
    camera.lookat[:] = (low + high) / 2
    half_angle = np.radians(model.vis.global_.fovy) / 2
    camera.distance = MARGIN * float(np.linalg.norm(high - low)) / 2 / np.sin(half_angle)
    camera.azimuth, camera.elevation = 215.0, -55.0 if scenario.obstacles else -18.0
    upright = high[2] - low[2] > max(high[0] - low[0], high[1] - low[1])
    camera.distance /= 1.0 if scenario.obstacles or upright else WIDER
    model.stat.extent, model.vis.map.znear, model.vis.map.zfar = camera.distance, 0.05, 200.0
    model.vis.headlight.active, model.vis.headlight.ambient[:], model.vis.headlight.diffuse[:] = 1, 0.45, 0.5
    model.vis.global_.offwidth, model.vis.global_.offheight = 2 * WIDTH, 2 * HEIGHT
    with mujoco.Renderer(model, 2 * HEIGHT, 2 * WIDTH) as renderer:
        renderer.update_scene(data, camera)
        for flag in (mujoco.mjtRndFlag.mjRND_REFLECTION, mujoco.mjtRndFlag.mjRND_HAZE):
            renderer.scene.flags[flag] = 0
        large = renderer.render().astype(np.float64)
        renderer.enable_segmentation_rendering()
        nothing = renderer.render()[..., 0] < 0
    large[nothing] = sky(2 * HEIGHT, 2 * WIDTH)[nothing]
    smooth = large.reshape(HEIGHT, 2, WIDTH, 2, 3).mean(axis=(1, 3)).astype(np.uint8)
    Image.fromarray(smooth).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or wanted_pictures():
        draw(wanted)
        print(wanted, flush=True)
