"""Airfoil parts in a world: curves, switches, channels, several on one vehicle."""

import numpy as np
import pytest

from cupola.kernel.records import flat

FREE = """<body name="base"><freejoint/><site name="base"/><site name="tail" pos="-2 0 0.5"/>
<inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/></body>"""
WING = {"area": 0.5, "span": 2.0, "chord": 0.25, "c_lift_0": 0.2, "c_lift_a": 4.0, "c_drag_p": 0.03}
AIR = {"temperature_offset": 0.0}


def flying(vehicle, make_world, parts, **options):
    folder = vehicle(FREE, parts=parts, start={"velocity_b": [20, 0, -1]}, **options)
    world = make_world({"model": folder}, gravity=0.0, air=AIR)
    world.step(1)
    return world


def surface(**changes):
    return {"kind": "airfoil", "site": "base", "surface": WING, **changes}


def test_wing_from_curves(vehicle, make_world):
    # A lift spline of one segment, highest power first from its first break, and a drag polynomial, constant first.
    alpha = np.arctan2(1.0, 20.0)
    lift, drag = {"breaks": [-1.0, 1.0], "coefficients": [0.5, -0.2, 1.5, 0.1]}, {"coefficients": [0.02, 0.0, 1.2]}
    world = flying(vehicle, make_world, {"wing": surface(model="curves", lift=lift, drag=drag)})
    d = alpha + 1.0
    c_lift, c_drag = 0.5 * d**3 - 0.2 * d**2 + 1.5 * d + 0.1, 0.02 + 1.2 * alpha**2
    wing = world.part("wing").outputs
    assert (wing.alpha, wing.beta) == pytest.approx((alpha, 0.0), rel=1e-3)
    assert (wing.c_lift, wing.c_drag) == pytest.approx((c_lift, c_drag), rel=1e-3)


def test_switched_off_parts_push_nothing(vehicle, make_world):
    parts = {"wing": surface(model="none"), "motor": {"kind": "rotor", "site": "base", "channel": 0, "direction": 1}}
    world = flying(vehicle, make_world, parts)
    world.sticks([1.0, 0.0, 0.0, 0.0])
    world.step(200)
    assert world.motion().vel_w == pytest.approx((20, 0, -1), abs=1e-12)


def test_a_channel_of_minus_one_never_moves(vehicle, make_world):
    strong = {**WING, "c_m_input_y": 5.0, "c_l_input_x": 5.0}
    moving = surface(surface=strong, channels=[-1, 1, -1], deflection_max=[0.3, 0.3, 0.3])
    world = flying(vehicle, make_world, {"wing": moving})
    world.sticks([1.0, 0.0, 1.0, 0.0])
    world.step(20)
    assert world.motion().rate_b == pytest.approx((0, 0, 0), abs=1e-12)
    world.sticks([1.0, 0.5, 1.0, 0.0])
    world.step(20)
    rate = world.motion().rate_b
    assert rate.y < -1e-3 and rate.x == rate.z == 0  # nose up is negative about y left


def test_two_surfaces_push_each_at_its_place(vehicle, make_world):
    parts = {"wing": surface(), "tail": surface(site="tail")}
    world = flying(vehicle, make_world, parts)
    wing, tail = world.part("wing").outputs, world.part("tail").outputs
    np.testing.assert_allclose(flat(wing), flat(tail), rtol=1e-12)  # the same flow at both, as nothing turns yet
    force = np.array(wing.force)
    arm = np.array([-2.0, 0.0, 0.5])
    np.testing.assert_allclose(world.data.xfrc_applied[1, :3], 2 * force, rtol=1e-12)
    np.testing.assert_allclose(world.data.xfrc_applied[1, 3:], np.cross(arm, force), rtol=1e-12, atol=1e-12)


def test_a_surface_on_a_hinged_body_turns_with_it(vehicle, make_world):
    flap = FREE.replace(
        "<inertial", '<body name="flap"><joint axis="0 1 0"/><site name="flap"/><inertial pos="0 0 0" mass="0.01" '
        'diaginertia="1 1 1"/></body><inertial', 1,
    )  # fmt: skip
    folder = vehicle(flap, parts={"wing": surface(site="flap")}, start={"velocity_b": [20, 0, 0]})
    world = make_world({"model": folder}, gravity=0.0)
    world.data.qpos[7] = -0.1  # nose up by 0.1 rad
    world.restore(world.snapshot())
    world.step(1)
    assert world.part("wing").outputs.alpha == pytest.approx(0.1, abs=1e-3)
