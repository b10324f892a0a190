"""A soft body has no geom: wheels of a Mecanum base must not take its contacts for their own."""

import mujoco
import numpy as np
import pytest

SOFT = """
<body name="base" pos="0 3 0.5"><freejoint/><geom size="0.1" mass="0.1" contype="0" conaffinity="0"/></body>
<flexcomp name="cloth" type="grid" count="4 4 1" spacing="0.1 0.1 0.1" mass="0.2" pos="0 -3 0.02" radius="0.02" dim="2">
  <contact selfcollide="none"/><edge equality="true"/>
</flexcomp>"""
WHEEL = """
<body name="{name}" pos="{x} {y} 0"><joint name="{name}" axis="0 1 0"/>
  <geom type="cylinder" size="0.1 0.03" euler="90 0 0" mass="1" contype="0" conaffinity="0"/>
</body>"""
CORNERS = {"fr": (0.3, -0.3), "fl": (0.3, 0.3), "rl": (-0.3, 0.3), "rr": (-0.3, -0.3)}
BASE = '<body name="base" pos="0 0 0.1"><freejoint/><geom type="box" size="0.2 0.2 0.05" mass="20"/>'
BASE += "".join(WHEEL.format(name=name, x=x, y=y) for name, (x, y) in CORNERS.items()) + "</body>"
ICE = {"center": [0.0, 0.0], "size": [20.0, 20.0], "friction": 0.25}


@pytest.fixture
def yard(vehicle, make_world):
    """A cloth and a base on one floor; the treads of the base are the last geoms of the world."""

    def make(**floor):
        cloth = vehicle(SOFT, name="cloth", root="base", parts={})
        wheels = {"kind": "mecanum", "wheels": list(CORNERS), "radius": 0.1, "model": "friction", "across": 0.1}
        base = vehicle(BASE, name="rover", root="base", parts={"wheels": wheels})
        cloth, base = {"model": cloth, "position": [0, 3, 0.1]}, {"model": base, "position": [0, 0, 0.1]}
        world = make_world(cloth, base, floor=floor, physics_hz=1000)
        world.step(200)
        return world

    return make


def untouched(world):
    """Contacts as MuJoCo alone finds them."""
    data = mujoco.MjData(world.model)
    data.qpos[:] = world.data.qpos
    mujoco.mj_fwdPosition(world.model, data)
    return data.contact


def split(contact):
    """Which contacts are of a soft body, and which of geoms."""
    soft = (contact.geom < 0).any(axis=1)
    return soft, ~soft


def test_contacts_of_a_soft_body_are_left_alone(yard):
    world = yard()
    ours, theirs = world.data.contact, untouched(world)
    soft, hard = split(ours)
    assert soft.any() and hard.any()
    assert world.model.geom_bodyid[-1] == world.model.body("rover/rr").id
    np.testing.assert_array_equal(ours.frame[soft], theirs.frame[soft])
    np.testing.assert_array_equal(ours.friction[soft], theirs.friction[soft])
    np.testing.assert_array_equal(ours.surfacevel[soft], 0.0)
    assert not np.array_equal(ours.friction[hard], theirs.friction[hard])


def test_a_patch_of_the_floor_lies_under_soft_bodies_too(yard):
    world = yard(friction=1.0, patches=[ICE])
    contact = world.data.contact
    soft, hard = split(contact)
    np.testing.assert_array_equal(contact.friction[soft, :2], 0.25)
    np.testing.assert_array_equal(contact.friction[hard, :2], [[0.25, 0.1]] * hard.sum())


def test_a_patch_needs_no_wheels(vehicle, make_world):
    ball = vehicle(
        '<body name="base" pos="0 0 0.1"><freejoint/><geom size="0.1" mass="1"/></body>', root="base", parts={}
    )
    world = make_world(
        {"model": ball, "position": [0, 0, 0.1]}, floor={"friction": 1.0, "patches": [ICE]}, physics_hz=1000
    )
    world.step(100)
    assert world.data.ncon == 1
    np.testing.assert_array_equal(world.data.contact.friction[:, :2], 0.25)
