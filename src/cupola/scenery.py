"""What cameras see beyond the vehicles: sky, sun and grass. It weighs nothing and touches nothing."""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from cupola.parts.camera import Camera

SKY, HAZE = [0.32, 0.55, 0.85], [0.80, 0.86, 0.90]
"""Straight up, and at the horizon and below it."""
GRASS, PATCH = [0.33, 0.44, 0.24], [0.40, 0.50, 0.29]
"""The two colours of the floor, in squares of 5 m."""
SQUARE = 5.0
"""[m]"""


def add_scenery(spec: Any, cameras: Sequence[Camera]) -> None:
    """Dress the world for its cameras; without one nothing is added."""
    if not cameras:
        return
    spec.visual.global_.offwidth = max(camera.width_px for camera in cameras)
    spec.visual.global_.offheight = max(camera.height_px for camera in cameras)
    spec.add_texture(
        name="sky",
        type=mujoco.mjtTexture.mjTEXTURE_SKYBOX,
        builtin=mujoco.mjtBuiltin.mjBUILTIN_GRADIENT,
        rgb1=SKY,
        rgb2=HAZE,
        width=256,
        height=256,
    )
    spec.worldbody.add_light(
        name="sun",
        type=mujoco.mjtLightType.mjLIGHT_DIRECTIONAL,
        dir=[-0.4, 0.3, -0.86],
        diffuse=[0.6, 0.58, 0.54],
        castshadow=False,
    )
    if floor := next((geom for geom in spec.geoms if geom.name == "floor"), None):
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
