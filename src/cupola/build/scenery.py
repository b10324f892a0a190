"""Surroundings of the vehicles: floor patches, obstacles, and for cameras sky, sun and grass."""

import math
from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from cupola.config.ground import Obstacle, Patch
from cupola.physics.rotation import Euler, quaternion_from_euler

SKY, HAZE = [0.32, 0.55, 0.85], [0.80, 0.86, 0.90]
"""Straight up, and at the horizon and below it."""
GRASS, PATCH = [0.33, 0.44, 0.24], [0.40, 0.50, 0.29]
"""The two colours of the floor, in squares of 5 m."""
SQUARE = 5.0
"""[m]"""
AMBIENT, HEADLIGHT, SUN = [0.45, 0.45, 0.48], [0.1, 0.1, 0.1], [0.5, 0.49, 0.46]
"""Light from everywhere, from the camera and from the sun: the shaded side of a wing is dark, not black."""


def add_patches(spec: Any, patches: Sequence[Patch]) -> None:
    """Show where the floor has another friction; what they do is in `kernel/floor.py`."""
    for k, patch in enumerate(patches):
        half = [0.5 * patch.size[0], 0.5 * patch.size[1], 5e-4]
        shade = 0.75 / (1.0 + patch.friction)
        spec.worldbody.add_geom(
            name=f"patch{k}",
            type=mujoco.mjtGeom.mjGEOM_BOX,
            size=half,
            pos=[*patch.center, -4e-4],
            contype=0,
            conaffinity=0,
            rgba=[0.25 + shade, 0.35 + shade, 0.5 + 0.6 * shade, 1.0],
        )


def add_obstacles(spec: Any, obstacles: Sequence[Obstacle]) -> None:
    """Add obstacles."""
    for k, one in enumerate(obstacles):
        x, y, z = (0.5 * edge for edge in one.size)
        box = one.shape == "box"
        spec.worldbody.add_geom(
            name=f"obstacle{k}",
            type=mujoco.mjtGeom.mjGEOM_BOX if box else mujoco.mjtGeom.mjGEOM_CYLINDER,
            size=[x, y, z] if box else [x, z, 0.0],
            pos=one.position,
            quat=list(quaternion_from_euler(Euler(*(math.radians(angle) for angle in one.attitude_deg)))),
            friction=[one.friction, 0.005, 0.0001],
            rgba=one.rgba,
        )


def add_scenery(spec: Any, cameras: Sequence[Any]) -> None:
    """Add sky and sun for cameras; nothing without a camera."""
    if not cameras:
        return
    spec.visual.global_.offwidth = max(camera.width_px for camera in cameras)
    spec.visual.global_.offheight = max(camera.height_px for camera in cameras)
    light = spec.visual.headlight
    light.ambient, light.diffuse, light.specular = AMBIENT, HEADLIGHT, np.zeros(3)
    _add_sky(spec)
    if floor := next((geom for geom in spec.geoms if geom.name == "floor"), None):
        _grow_grass(spec, floor)


def _add_sky(spec: Any) -> None:
    """Sun and sky, unless a vehicle brings a sky of its own."""
    spec.worldbody.add_light(
        name="sun",
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        dir=[-0.4, 0.3, -0.86],
        diffuse=SUN,
        castshadow=False,
    )
    if any(texture.type == mujoco.mjtTexture.mjTEXTURE_SKYBOX for texture in spec.textures):
        return
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=SKY,
        rgb2=HAZE,
        width=256,
        height=256,
    )


def _grow_grass(spec: Any, floor: Any) -> None:
    """Squares, so that height and motion can be seen."""
    spec.add_texture(
        name="grass",
        type=mujoco.mjtTexture.mjTEXTURE_2D,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_CHECKER,
        rgb1=GRASS,
        rgb2=PATCH,
        width=256,
        height=256,
    )
    material = spec.add_material(name="grass", texuniform=True, texrepeat=[0.5 / SQUARE, 0.5 / SQUARE])
    material.textures[mujoco.mjtTextureRole.mjTEXROLE_RGB] = "grass"
    floor.material, floor.rgba = "grass", np.ones(4)
