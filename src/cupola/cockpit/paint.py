"""How a model is painted: textures, materials, lights and the sky, as MuJoCo has them."""

import base64
import io
from typing import Any, Literal

import mujoco
import numpy as np

from cupola.cockpit import messages as say

UNPAINTED = np.array([0.5, 0.5, 0.5, 1.0], np.float32)
"""Colour of a geom that says none: MuJoCo then takes that of its material."""
RGB, RGBA = int(mujoco.mjtTextureRole.mjTEXROLE_RGB), int(mujoco.mjtTextureRole.mjTEXROLE_RGBA)
KINDS: dict[int, Literal["2d", "cube", "skybox"]] = {
    int(mujoco.mjtTexture.mjTEXTURE_2D): "2d",
    int(mujoco.mjtTexture.mjTEXTURE_CUBE): "cube",
    int(mujoco.mjtTexture.mjTEXTURE_SKYBOX): "skybox",
}
LIGHTS: dict[int, Literal["directional", "point", "spot"]] = {
    int(mujoco.mjtLightType.mjLIGHT_DIRECTIONAL): "directional",
    int(mujoco.mjtLightType.mjLIGHT_POINT): "point",
    int(mujoco.mjtLightType.mjLIGHT_SPOT): "spot",
}
LARGEST = 512
"""[px]: larger textures are sent in this size."""


def colour(model: Any, geom: int) -> Any:
    """Red, green, blue and opacity of a geom."""
    material = model.geom_matid[geom]
    if material >= 0 and np.array_equal(model.geom_rgba[geom], UNPAINTED):
        return model.mat_rgba[material]
    return model.geom_rgba[geom]


def textures(model: Any) -> list[say.Texture]:
    """All of them, packed as PNG."""
    return [_texture(model, k) for k in range(model.ntex)]


def _texture(model: Any, k: int) -> say.Texture:
    from PIL import Image

    height, width, depth = int(model.tex_height[k]), int(model.tex_width[k]), int(model.tex_nchannel[k])
    first = int(model.tex_adr[k])
    pixels = np.asarray(model.tex_data[first : first + height * width * depth], np.uint8).reshape(height, width, depth)
    picture = Image.fromarray(pixels[:, :, 0] if depth == 1 else pixels)
    if width > LARGEST:
        picture = picture.resize((LARGEST, max(1, height * LARGEST // width)))
    target = io.BytesIO()
    picture.save(target, "png")
    # Skies of MuJoCo have no order of their own here: the first texture of this kind is the sky.
    return say.Texture(kind=KINDS[int(model.tex_type[k])], png=base64.b64encode(target.getvalue()).decode())


def materials(model: Any) -> list[say.Material]:
    """How each material lays its texture."""
    return [
        say.Material(
            texture=int(max(model.mat_texid[k, RGB], model.mat_texid[k, RGBA])),
            repeat=(float(model.mat_texrepeat[k, 0]), float(model.mat_texrepeat[k, 1])),
            uniform=bool(model.mat_texuniform[k]),
        )
        for k in range(model.nmat)
    ]


def lights(model: Any) -> list[say.Light]:
    """The lamps that are on."""
    return [
        say.Light(
            kind=LIGHTS[int(model.light_type[k])],
            body=int(model.light_bodyid[k]),
            pos_b=model.light_pos[k].tolist(),
            dir_b=model.light_dir[k].tolist(),
            colour=model.light_diffuse[k].tolist(),
        )
        for k in range(model.nlight)
        if model.light_active[k] and int(model.light_type[k]) in LIGHTS
    ]


def height_field(model: Any, k: int) -> say.Mesh:
    """A height field as triangles with their places in a texture."""
    rows, columns = int(model.hfield_nrow[k]), int(model.hfield_ncol[k])
    x, y, height, _ = model.hfield_size[k]
    first = int(model.hfield_adr[k])
    heights = model.hfield_data[first : first + rows * columns].astype(np.float64)
    across, along = np.meshgrid(np.linspace(-x, x, columns), np.linspace(-y, y, rows))
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    halves = [corner, corner + 1, corner + columns + 1], [corner, corner + columns + 1, corner + columns]
    places = np.column_stack([0.5 * (across.ravel() / x + 1), 0.5 * (along.ravel() / y + 1)])
    return say.Mesh(
        vertices=np.round(np.column_stack([across.ravel(), along.ravel(), height * heights]).ravel(), 6).tolist(),
        faces=np.vstack([np.column_stack(half) for half in halves]).ravel().tolist(),
        uv=np.round(places.ravel(), 5).tolist(),
    )
