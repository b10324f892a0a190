"""Cepheus: masses, places and numbers of its sources; what its gripper, wheel, gas and drivers do on the robot."""

import math

import mujoco
import numpy as np
import pytest

from cupola.reproduce.cepheus_momentum import BARS, FAR, NEAR, STRUCK, floating, grip, momentum, move
from cupola.world import load

STATE = np.array([0.0, 0.0, 0.1, -1.0, 1.8, -0.7])
MASS_MATRIX = np.array(
    [
        [13.5713, 0, 0.123538, 0.145892, -0.274637, -0.029800],
        [0, 13.5713, 0.897803, 0.675012, 0.341300, 0.147010],
        [0.123538, 0.897803, 0.876848, 0.481308, 0.247619, 0.110466],
        [0.145892, 0.675012, 0.481308, 0.387675, 0.195320, 0.089197],
        [-0.274637, 0.341300, 0.247619, 0.195320, 0.196421, 0.064023],
        [-0.029800, 0.147010, 0.110466, 0.089197, 0.064023, 0.030408],
    ]
)
"""Of the thesis's closed form with the parameters of its listing, at STATE."""


@pytest.fixture(scope="module")
def listing():
    return load("cepheus_listing")


def told(world, name, vehicle="chaser"):
    return world.samples[vehicle, name].latest()


def test_mass_matrix_is_that_of_the_listing(listing):
    model, data = listing.model, mujoco.MjData(listing.model)
    joints = [model.joint(f"chaser/{name}") for name in ("base_x", "base_y", "base_yaw", "shoulder", "elbow", "wrist")]
    for joint, value in zip(joints, STATE, strict=True):
        data.qpos[joint.qposadr] = value
    mujoco.mj_forward(model, data)
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    places = [int(joint.dofadr[0]) for joint in joints]
    wheel = int(model.joint("chaser/wheel").dofadr[0])
    spin = full[wheel, wheel]
    ours = full[np.ix_(places, places)]
    ours[2, 2] -= spin  # the wheel, held still on the base, turns with it; free to turn it does not
    assert ours == pytest.approx(MASS_MATRIX, abs=2e-6)
    assert data.site("chaser/tip").xpos[:2] == pytest.approx((0.847935, 0.013511), abs=1e-6)


def test_a_torque_on_the_base_meets_the_inertia_of_the_listing():
    world = load("cepheus_orbit")
    world.turn(0, 0.01, "chaser")
    world.accelerate()
    model, data = world.model, world.data
    yaw = data.qacc[5]
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    wheel = int(model.joint("chaser/wheel").dofadr[0])
    assert data.qacc[wheel] == pytest.approx(-0.01 / full[wheel, wheel] - yaw, rel=1e-9)


@pytest.mark.parametrize(("name", "mass"), [("cepheus", 13.5713), ("cepheus_sim", 53.3774)])
def test_whole_masses(name, mass):
    assert load(name).model.body_mass.sum() == pytest.approx(mass, abs=1e-9)


def test_targets():
    assert load("cepheus_target").model.body_mass.sum() == 10.0
    cube = load("cepheus_cube").model
    assert cube.body_mass.sum() == 20.0
    assert cube.body_inertia[-1] == pytest.approx(np.full(3, 20.0 * 0.09**2 / 6.0), rel=1e-9)


def test_end_stops_hold_the_joints(listing):
    listing.reset()
    for channel, sign in ((1, 1.0), (2, -1.0), (3, -1.0)):
        listing.turn(channel, 0.05 * sign, "chaser")
    listing.run(20.0)
    shoulder, elbow, wrist, _ = told(listing, "joints").angles
    assert (shoulder, elbow, wrist) == pytest.approx((1.84447, -0.9542, -0.2856), abs=0.01)


def test_start_postures(listing):
    listing.reset()
    angles = told(listing, "joints").angles
    assert np.degrees(angles[:3]) == pytest.approx((-60.0, 105.0, 45.0))
    assert told(listing, "encoders").angles == (0.0, 0.0, 0.0)
    hand = told(load("cepheus_simulation"), "hand_truth")
    assert hand.quat_ws.w == pytest.approx(1.0, abs=1e-4)  # it points along x


def test_momentum_stays_on_the_table_and_in_orbit():
    for freedom in ("planar", "free"):
        linear, angular = move(floating(freedom, FAR), 5.0)
        assert linear < BARS[0]
        assert angular < BARS[1]


def test_momentum_stays_through_a_grip():
    linear, angular = grip(floating("planar", NEAR), touch=False)
    assert linear < BARS[0]
    assert angular < BARS[1]
    assert max(grip(floating("free", NEAR))) < STRUCK


def test_momentum_is_lost_by_euler():
    """The drift that the rows measure can be seen: the usual integrator fails them."""
    world = floating("planar", FAR)
    world.arrays.world["integrator"] = 0
    assert move(world, 2.0)[1] > 100.0 * BARS[1]


def test_a_grip_is_told_step_by_step_and_holds_to_micrometres():
    world = floating("planar", NEAR)
    assert told(world, "grip")[:3] == (0.0, 0.0, 0.0)
    world.turn(4, 2.0, "chaser")  # hard is asked for at once: the soft grip comes first
    seen = []
    for _ in range(450):
        world.step(10)
        said = told(world, "grip")
        seen.append((said.action, said.finished))
    acting = [one for one in dict.fromkeys(seen) if one[0]]
    assert acting == [(1.0, 0.0), (2.0, 1.0)]
    assert seen[-1] == (0.0, 2.0)
    for k in range(200):
        world.turn(1, 0.02 * math.sin(0.05 * k), "chaser")
        world.step(10)
        hand, target = told(world, "hand_truth"), told(world, "truth", "target")
        assert np.array(hand.pos_w) == pytest.approx(np.array(target.pos_w), abs=5e-6)
    assert told(world, "grip").holding == 1.0
    world.turn(4, 0.0, "chaser")
    world.step(10)
    assert told(world, "grip")[:3] == (0.0, 0.0, 0.0)


def test_nothing_in_reach_is_not_held():
    world = floating("planar", 0.2)
    world.turn(4, 1.0, "chaser")
    world.run(3.0)
    said = told(world, "grip")
    assert (said.action, said.finished, said.holding) == (0.0, 1.0, 0.0)


def test_a_soft_grip_is_gentle():
    world = floating("planar", 0.04)
    world.turn(4, 1.0, "chaser")
    most = 0.0
    for _ in range(300):
        world.step(10)
        most = max(most, told(world, "grip").force)
    assert 0.05 < most < 1.5


def test_it_floats_for_five_to_ten_minutes():
    world = load("cepheus_hardware")
    world.run(1.0)
    for vehicle in ("chaser", "target"):
        row = world.arrays.tanks[0 if vehicle == "chaser" else 1]
        flow, mass = world.arrays.outputs[row["output"] + 2], world.arrays.state[row["state"]]
        assert 5.0 < mass / flow / 60.0 < 12.0


def test_two_runs_of_the_hardware_are_alike_to_the_bit(digest):
    seen = set()
    for _ in range(2):
        world = load("cepheus_hardware")
        for channel, command in ((0, 0.05), (1, -0.2), (3, 0.15), (5, 1.0)):
            world.turn(channel, command, "chaser")
        world.run(1.0)
        seen.add(digest(world))
    assert len(seen) == 1


def test_angular_momentum_of_a_resting_robot_is_zero():
    linear, angular = momentum(load("cepheus_orbit"))
    assert np.abs([*linear, *angular]).max() == 0.0
