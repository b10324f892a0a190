"""Motion with a closed form: free fall, pendulum, heavy top; what must be conserved; what may only be lost."""

import math
from typing import Any

import mujoco
import numpy as np
import pytest
from scipy.special import ellipk

G = 9.81
BALL = '<body name="base"><freejoint/><geom size="0.1" mass="2"/></body>'


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
def test_free_fall(vehicle, make_world, integrator):
    world = make_world({"model": vehicle(BALL), "velocity_b": [3, 0, 4]}, integrator=integrator, physics_hz=1000)
    world.step(2000)
    # RK4 is exact on a parabola. The others add the new velocity: every step falls g h² / 2 too far.
    late = 0.0 if integrator == "RK4" else 2.0 * 0.5 * G * 1e-3
    expected = [3 * 2.0, 0, 4 * 2.0 - 0.5 * G * 2.0**2 - late]
    np.testing.assert_allclose(world.motion().pos_w, expected, atol=1e-11)
    np.testing.assert_allclose(world.motion().vel_w, [3, 0, 4 - G * 2.0], atol=1e-11)


@pytest.mark.parametrize("amplitude", [0.1, 1.0, 2.5])
def test_pendulum_period(vehicle, make_world, amplitude):
    body = """<body name="base"><joint type="hinge" axis="0 1 0"/>
      <geom type="box" size="0.1 0.2 0.3" pos="0 0 -0.5" mass="2"/></body>"""
    world = make_world(vehicle(body), integrator="RK4", physics_hz=1000)
    world.data.qpos[0] = amplitude
    world.restore(world.snapshot())
    inertia = 2 / 3 * (0.1**2 + 0.3**2) + 2 * 0.5**2  # about the hinge
    period = 4 * math.sqrt(inertia / (2 * G * 0.5)) * ellipk(math.sin(amplitude / 2) ** 2)
    crossings = []
    while len(crossings) < 3:
        before, at = world.data.qpos[0], world.time
        world.step()
        if before * world.data.qpos[0] <= 0:
            crossings.append(at + 1e-3 * before / (before - world.data.qpos[0]))
    # Between two ticks the angle is taken as a line; it bends by w² t with t < h, which moves the crossing by at most
    # w² h³ / 8 = 2e-9 s. RK4 itself errs by (w h)^4 / 120 of a period.
    assert crossings[2] - crossings[0] == pytest.approx(period, abs=1e-8)


def test_heavy_top_precesses_steadily(vehicle, make_world):
    # A disk on a ball joint at angle `tilt`, spinning: steady precession satisfies
    # I3 w3 P - I1 P² cos(tilt) = m g l, with I1 about the joint and w3 the whole rate about the axis of symmetry.
    mass, arm, tilt, precession, about, across = 1.5, 0.4, 0.9, 2.0, 0.2, 0.5
    joint = across - mass * arm**2  # MuJoCo wants the inertia about the centre of mass
    body = f"""<body name="base"><joint type="ball"/>
      <inertial pos="0 0 {arm}" mass="{mass}" diaginertia="{joint} {joint} {about}"/></body>"""
    world = make_world(vehicle(body), integrator="RK4", physics_hz=1000)
    spin = (mass * G * arm + across * precession**2 * math.cos(tilt)) / (about * precession)
    world.data.qpos[:] = [math.cos(tilt / 2), math.sin(tilt / 2), 0, 0]  # leaning about x
    # The vertical rate P in body axes is P (0, sin, cos); the rate about the axis is w3.
    world.data.qvel[:] = [0, precession * math.sin(tilt), spin]
    world.restore(world.snapshot())
    for _ in range(20):
        world.step(200)
        w, x, y, z = world.motion().quat_wb
        axis = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
        turned = -math.pi / 2 + precession * world.time
        lean = math.sin(tilt)
        # Fourth order: (w h)^4 w t / 120 with w h = 0.018 and t = 4 s is 6e-8.
        expected = [lean * math.cos(turned), lean * math.sin(turned), math.cos(tilt)]
        np.testing.assert_allclose(axis, expected, atol=1e-7)


def test_momentum_is_conserved_with_joints(make_world):
    entry: dict[str, Any] = {"model": "plane_1wing", "velocity_b": [3, 2, -1], "rate_b": [1.5, -0.7, 0.9]}
    entry["controller"] = {"use": "pass_through", "rate_hz": 100}
    world = make_world(entry, integrator="RK4", physics_hz=1000, gravity=0.0, air={"space": True})
    world.data.qvel[6:] = [100, -60, 30]  # the wheels
    world.restore(world.snapshot())
    root = world.instances[0].root

    def momenta():
        mujoco.mj_subtreeVel(world.model, world.data)
        return np.array(world.data.subtree_linvel[root]), np.array(world.data.subtree_angmom[root])

    linear, angular = momenta()
    world.step(10000)
    after = momenta()
    np.testing.assert_allclose(after[0], linear, atol=1e-11 * float(np.linalg.norm(linear)))
    np.testing.assert_allclose(after[1], angular, atol=1e-9 * float(np.linalg.norm(angular)))


SURFACE = {"area": 0.3, "span": 2.0, "chord": 0.15, "c_drag_p": 0.05, "c_l_p": -1.0, "c_m_q": -20.0, "c_n_r": -1.0}


def test_drag_only_takes_energy(vehicle, make_world):
    body = '<body name="base"><freejoint/><geom type="box" size="0.2 0.3 0.4" mass="2"/><site name="wing"/></body>'
    folder = vehicle(body, parts={"wing": {"kind": "airfoil", "site": "wing", "surface": SURFACE}})
    entry = {"model": folder, "velocity_b": [10, 4, -3], "rate_b": [3, -5, 4]}
    world = make_world(entry, integrator="RK4", gravity=0.0)
    world.model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    kinetic = []
    for _ in range(2000):
        world.step()
        mujoco.mj_energyVel(world.model, world.data)
        kinetic.append(world.data.energy[1])
    assert np.diff(kinetic).max() < 0 and kinetic[-1] < 0.9 * kinetic[0]
