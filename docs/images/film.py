"""Draws the film of the README: `MUJOCO_GL=egl python docs/images/film.py`. A quadcopter lands on a driving base."""

from pathlib import Path

import mujoco
import numpy as np
from PIL import Image

import cupola

WIDTH, HEIGHT = 560, 315
SPEED, FRAMES_PER_SECOND = 2.0, 10.0
"""Times real time, and pictures per second of the film."""
COLOURS = 64
SKY = np.linspace([125, 168, 220], [226, 234, 243], HEIGHT)[:, None, :].astype(np.uint8)
"""Blue above, pale below."""


def frames() -> list[Image.Image]:
    """Pictures of the flight, from a camera that follows the base."""
    world = cupola.load("landing_on_base")
    model, camera, made = world.model, mujoco.MjvCamera(), []
    camera.distance, camera.azimuth, camera.elevation = 4.2, 215.0, -16.0
    model.stat.extent, model.vis.map.znear, model.vis.map.zfar = 4.2, 0.05, 200.0
    model.vis.headlight.active, model.vis.headlight.ambient[:], model.vis.headlight.diffuse[:] = 1, 0.45, 0.5
    base, above = world.instances[0].name, world.instances[1].name
    with mujoco.Renderer(model, HEIGHT, WIDTH) as renderer:
        while world.time < world.scenario.duration - 1e-9:
            world.run(SPEED / FRAMES_PER_SECOND)
            middle = 0.5 * (np.array(world.motion(base).pos_w) + np.array(world.motion(above).pos_w))
            camera.lookat[:] = middle
            renderer.update_scene(world.data, camera)
            picture = renderer.render().copy()
            renderer.enable_segmentation_rendering()
            nothing = renderer.render()[..., 0] < 0
            renderer.disable_segmentation_rendering()
            picture[nothing] = np.broadcast_to(SKY, picture.shape)[nothing]
            made.append(Image.fromarray(picture).quantize(COLOURS))
    return made


if __name__ == "__main__":
    first, *rest = frames()
    options = {"save_all": True, "append_images": rest, "duration": 1000 / FRAMES_PER_SECOND, "loop": 0}
    first.save(Path(__file__).parent / "landing.gif", optimize=True, **options)
