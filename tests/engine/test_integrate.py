"""Our step over MuJoCo's stages against MuJoCo's own, its order with loads, and that all motion is current after it."""

import shutil
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

from cupola import InputError
from cupola.config.vehicle import MODELS

# Three links with a slider between them, damped and sprung joints, falling onto the floor; nothing turns in three axes.
CHAIN = """
<body name="base" pos="0 0 0.8">
  <joint type="hinge" axis="0 1 0" damping="0.02"/><geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
  <body pos="0.4 0 0"><joint type="slide" axis="1 0 0" stiffness="40" damping="0.1"/>
    <geom type="box" size="0.1 0.05 0.05" mass="0.4"/>
    <body pos="0.2 0 0"><joint type="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.03"/></body>
  </body>
</body>"""
PLANE: dict[str, Any] = {"model": "plane_1wing", "position": [0, 0, 0.2], "velocity_b": [6, 0, 0]}
PLANE["controller"] = {"use": "pass_through", "rate_hz": 25}
# The same stages in the same order give the same bits. Inside RK4 the sums run in another order: 2e-16 per step, times
# the growth e^(L t) of a difference in a double pendulum, with L of about 5 1/s over 1.5 s: 2e-16 x 2000 = 4e-13.
ROUND_OFF = {"Euler": 0.0, "RK4": 1e-12, "implicit": 0.0, "implicitfast": 0.0}
MOTION = ("xpos", "xquat", "xipos", "cvel", "subtree_com", "site_xpos", "site_xmat")


def twin_of(world):
    """Another MuJoCo data of the same model in the same state."""
    data = mujoco.MjData(world.model)
    mujoco.mj_copyData(data, world.model, world.data)
    return data


def difference(world, data):
    """Largest absolute difference of coordinates and velocities."""
    return max(np.abs(world.data.qpos - data.qpos).max(), np.abs(world.data.qvel - data.qvel).max())


@pytest.mark.parametrize("integrator", ROUND_OFF)
def test_steps_as_mujoco_does_with_joints_and_contacts(vehicle, make_world, integrator):
    world = make_world(vehicle(CHAIN), integrator=integrator, physics_hz=1000, floor={})
    data = twin_of(world)
    contacts = 0
    for _ in range(1500):
        world.step()
        mujoco.mj_step(world.model, data)
        contacts += world.data.ncon > 0
    assert 100 < contacts < 1500  # it fell, and it lay on the floor
    assert difference(world, data) <= ROUND_OFF[integrator]


@pytest.mark.parametrize("integrator", ROUND_OFF)
def test_rolls_a_plane_as_mujoco_does(make_world, integrator):
    world = make_world(PLANE, integrator=integrator, physics_hz=1000, floor={}, air={"space": True})
    data = twin_of(world)
    for _ in range(500):
        world.step()
        mujoco.mj_step(world.model, data)
    assert world.data.ncon >= 3 and world.motion().pos_w.x > 2
    assert np.abs(world.data.xfrc_applied).max() == 0
    assert difference(world, data) <= ROUND_OFF[integrator]


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast"])
def test_applies_the_loads_of_the_start_of_the_step(make_world, integrator):
    world = make_world({**PLANE, "velocity_b": [18, 0, 0]}, integrator=integrator, physics_hz=1000, floor={})
    world.sticks([0.3, 0.2, -0.1, 0.5])
    for _ in range(200):
        data = twin_of(world)
        world.step()
        data.xfrc_applied[:] = world.data.xfrc_applied
        mujoco.mj_step(world.model, data)
        assert difference(world, data) == 0
    assert np.abs(world.data.xfrc_applied).max() > 1


@pytest.fixture
def fly(make_world, tmp_path):
    """State of a plane after a second of a violent manoeuvre with wing and propeller, at a physics rate."""
    shutil.copytree(MODELS / "plane_1wing", tmp_path / "plane")
    file = tmp_path / "plane" / "vehicle.yaml"
    file.write_text("".join(line for line in file.read_text().splitlines(True) if "kind: imu" not in line))
    entry = {**PLANE, "model": str(file.parent), "position": [0, 0, 100]}
    entry |= {"velocity_b": [18, 2, -1], "rate_b": [1.5, -0.7, 0.9]}

    def after(rate, integrator="RK4"):
        world = make_world(entry, integrator=integrator, physics_hz=rate)
        world.sticks([0.4, 0.3, -0.3, 0.6])
        world.step(rate)
        return np.concatenate([world.data.qpos, world.data.qvel])

    return after


def test_rk4_with_aerodynamic_loads_is_of_fourth_order(fly):
    exact = fly(3200)
    errors = [np.abs(fly(rate) - exact).max() for rate in (50, 100, 200)]
    # Halving the step divides the error by 2^4 = 16 and, from the next term, a few per cent. Loads held over the step
    # would give a factor 2, rates averaged as if about one axis a factor 4.
    assert errors[0] / errors[1] == pytest.approx(16, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(16, rel=0.05)


def test_euler_with_aerodynamic_loads_is_of_first_order(fly):
    exact = fly(3200)
    errors = [np.abs(fly(rate, "Euler") - exact).max() for rate in (400, 800, 1600)]
    assert errors[0] / errors[1] == pytest.approx(2, rel=0.02)
    assert errors[1] / errors[2] == pytest.approx(2, rel=0.01)


def test_rk4_refuses_actuators_with_a_state(vehicle, make_world):
    body = '<body name="base"><joint name="j" type="hinge"/><geom size="0.1"/></body>'
    folder = Path(vehicle(body))
    actuator = '<actuator><general name="a" joint="j" dyntype="filter" dynprm="0.1"/></actuator></mujoco>'
    (folder / "model.xml").write_text((folder / "model.xml").read_text().replace("</mujoco>", actuator))
    with pytest.raises(InputError, match=r"model\.xml.*RK4"):
        make_world(str(folder), integrator="RK4")
    world = make_world(str(folder), integrator="implicitfast")
    world.data.ctrl[0] = 1.0
    world.step(200)
    # A lag of 0.1 s in steps of h: 1 - (1 - h / 0.1)^200.
    assert world.data.act[0] == pytest.approx(1 - (1 - 0.0005 / 0.1) ** 200, rel=1e-12)


@pytest.mark.parametrize("integrator", ROUND_OFF)
def test_after_a_step_all_motion_is_current(make_world, integrator):
    entry = {**PLANE, "velocity_b": [18, 1, 0], "rate_b": [0.5, 0.2, -0.4]}
    world = make_world(entry, integrator=integrator, physics_hz=500, floor={})
    world.sticks([0.4, 0.3, -0.3, 0.6])
    world.step(7)
    fresh = mujoco.MjData(world.model)
    fresh.qpos[:], fresh.qvel[:] = world.data.qpos, world.data.qvel
    mujoco.mj_forward(world.model, fresh)
    for name in MOTION:
        np.testing.assert_array_equal(getattr(world.data, name), getattr(fresh, name), err_msg=name)


def test_what_a_controller_sees_is_the_motion_of_the_root(make_world):
    entry = {**PLANE, "velocity_b": [18, 1, 0], "rate_b": [0.5, 0.2, -0.4]}
    world = make_world(entry, physics_hz=500)
    world.step(7)
    seen = world.motion()
    R = world.data.xmat[world.instances[0].root].reshape(3, 3)
    # MuJoCo's free joint: position and velocity of the origin in world axes, rate in body axes.
    assert (seen.time, seen.pos_w, seen.quat_wb) == (0.014, tuple(world.data.qpos[:3]), tuple(world.data.qpos[3:7]))
    np.testing.assert_allclose(seen.vel_w, world.data.qvel[:3], atol=1e-14)
    np.testing.assert_allclose(seen.vel_b, R.T @ world.data.qvel[:3], atol=1e-14)
    np.testing.assert_allclose(seen.rate_b, world.data.qvel[3:6], atol=1e-15)
