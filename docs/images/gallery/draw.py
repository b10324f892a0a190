"""Draws a picture of each shipped scenario at its start, beside this file: `MUJOCO_GL=egl python draw.py [NAME]`."""

import sys
from pathlib import Path

import matplotlib.image
import mujoco
import numpy as np

from cupola.build.mjcf import build_model, place
from cupola.config.resolved_vehicle import resolve_vehicles
from cupola.config.scenario import find_scenario, shipped_scenarios

FOLDER = Path(__file__).parent
WIDTH, HEIGHT = 400, 240
MARGIN = 1.15
"""Of the sphere around all vehicles; it should not touch the frame."""


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
    own = np.isin(model.body_rootid[model.geom_bodyid], model.body_rootid[roots]) & (model.geom_rgba[:, 3] > 0)
    low = (data.geom_xpos - model.geom_rbound[:, None])[own].min(axis=0)
    high = (data.geom_xpos + model.geom_rbound[:, None])[own].max(axis=0)
    camera = mujoco.MjvCamera()
    camera.lookat[:] = (low + high) / 2
    half_angle = np.radians(model.vis.global_.fovy) / 2
    camera.distance = MARGIN * float(np.linalg.norm(high - low)) / 2 / np.sin(half_angle)
    camera.azimuth, camera.elevation = 215.0, -55.0 if scenario.obstacles else -22.0
    model.stat.extent, model.vis.map.znear, model.vis.map.zfar = camera.distance, 0.05, 200.0
    model.vis.headlight.active, model.vis.headlight.ambient[:], model.vis.headlight.diffuse[:] = 1, 0.45, 0.5
    model.light_active[:] = 0
    model.vis.global_.offwidth, model.vis.global_.offheight = 2 * WIDTH, 2 * HEIGHT
    with mujoco.Renderer(model, 2 * HEIGHT, 2 * WIDTH) as renderer:
        renderer.update_scene(data, camera)
        for flag in (mujoco.mjtRndFlag.mjRND_SHADOW, mujoco.mjtRndFlag.mjRND_REFLECTION, mujoco.mjtRndFlag.mjRND_HAZE):
            renderer.scene.flags[flag] = 0
        large = renderer.render().astype(np.float64)
    smooth = large.reshape(HEIGHT, 2, WIDTH, 2, 3).mean(axis=(1, 3)).astype(np.uint8)
    matplotlib.image.imsave(FOLDER / f"{name}.png", smooth)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or shipped_scenarios():
        draw(wanted)
        print(wanted, flush=True)
