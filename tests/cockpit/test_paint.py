"""Textures, sky, height fields, lights and colours of a model reach the page as the model has them."""

import base64
import io

import mujoco
import numpy as np
import pytest
from PIL import Image

from cupola.cockpit import paint

MODEL = """
<mujoco>
  <asset>
    <texture name="sky" type="skybox" builtin="gradient" rgb1="0.2 0.4 0.9" rgb2="0.9 0.9 0.9" width="32" height="192"/>
    <texture name="check" type="2d" builtin="checker" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
    <texture name="large" type="2d" builtin="flat" rgb1="0 1 0" width="1024" height="2048"/>
    <material name="check" texture="check" texrepeat="3 5" texuniform="true"/>
    <material name="plain" rgba="0.1 0.2 0.3 1"/>
    <hfield name="hill" nrow="2" ncol="3" size="4 2 5 0.1" elevation="0 0.5 1 0 0 0.5"/>
  </asset>
  <worldbody>
    <light type="directional" dir="0 1 -1" diffuse="0.5 0.4 0.3"/>
    <light type="spot" pos="0 0 3" active="false"/>
    <geom type="hfield" hfield="hill" material="check"/>
    <geom type="sphere" size="1" material="plain"/>
    <geom type="sphere" size="1" material="plain" rgba="0.9 0.8 0.7 1"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture(scope="module")
def model():
    return mujoco.MjModel.from_xml_string(MODEL)


def test_textures_are_the_pixels_of_the_model(model):
    sky, check, large = paint.textures(model)
    assert [sky.kind, check.kind] == ["skybox", "2d"]
    for k, texture in enumerate((sky, check)):
        pixels = np.asarray(Image.open(io.BytesIO(base64.b64decode(texture.png))))
        first, count = model.tex_adr[k], pixels.size
        np.testing.assert_array_equal(pixels.ravel(), model.tex_data[first : first + count])
    assert Image.open(io.BytesIO(base64.b64decode(large.png))).size == (paint.LARGEST, 2 * paint.LARGEST)


def test_materials_say_how_a_texture_is_laid(model):
    check, plain = paint.materials(model)
    assert (check.texture, check.repeat, check.uniform) == (1, (3.0, 5.0), True)
    assert plain.texture == -1


def test_a_height_field_is_as_high_as_the_model_has_it(model):
    hill = paint.height_field(model, 0)
    points = np.reshape(hill.vertices, (-1, 3))
    heights = 5.0 * model.hfield_data.reshape(2, 3)
    np.testing.assert_allclose(points[:, 2].reshape(2, 3), heights, atol=1e-6)
    assert points[:, :2].min(0).tolist() == [-4.0, -2.0] and points[:, :2].max(0).tolist() == [4.0, 2.0]
    assert len(hill.faces) == 3 * 4 and len(hill.uv) == 2 * len(points)
    a, b, c = (points[np.array(hill.faces[k::3])] for k in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0).all()  # seen from above


def test_lamps_that_are_on_and_colours_as_mujoco_paints(model):
    (sun,) = paint.lights(model)
    assert sun.kind == "directional" and sun.colour == pytest.approx((0.5, 0.4, 0.3))
    assert sun.dir_b == pytest.approx((0.0, 0.5**0.5, -(0.5**0.5)))
    assert paint.colour(model, 1) == pytest.approx([0.1, 0.2, 0.3, 1.0])
    assert paint.colour(model, 2) == pytest.approx([0.9, 0.8, 0.7, 1.0])  # a geom's own colour wins
