"""Spinning shafts push back: angular momentum of body and shafts is kept, the gyroscopic torque does no work."""

import math

import mujoco
import numpy as np
import pytest

from cupola.schema.yaml_files import InputError

SPACE = {"space": True}
INERTIA = np.array([0.02, 0.05, 0.06])
BODY = """<body name="base"><freejoint/><inertial pos="0 0 0" mass="1.5" diaginertia="0.02 0.05 0.06"/>
<site name="nose" pos="0.3 0 0"/><site name="mast" pos="-0.1 0.2 0.1" euler="20 -70 10"/></body>"""
GENERIC = {"s_prop": 0.02, "c_prop": 1.0, "k_motor": 50.0, "k_t_p": 0.0, "k_omega": 600.0}  # its torque knows no air
ELECTRIC = {
    "k_v": 13.333, "r_motor": 0.041, "i_0": 0.9, "r_battery": 0.0, "cells": 3.0, "cell_voltage": 4.0,
    "prop_diameter": 0.305, "inertia": 0.002, "omega_min": 0.01, "omega_max": 1000.0, "thrust_max": 138.0,
    "j_min": 0.0, "j_max": 0.8,
}  # fmt: skip
SHAFT = 4e-4
PROPELLER = {"kind": "rotor", "site": "nose", "channel": 3, "direction": 1, "generic": GENERIC, "inertia": SHAFT}
CURVES = {"efficiency": {"coefficients": [0.7]}, "c_power": {"coefficients": [0.05]}}
DRIVE = {"kind": "rotor", "site": "mast", "channel": 3, "direction": -1, "electric": ELECTRIC, **CURVES}


@pytest.fixture
def spinner(vehicle, make_world):
    """A body in space with shafts that react; sticks hold the throttle."""
    count = iter(range(100))

    def make(parts, throttle=1.0, rate=(0, 0, 0), **scenario):
        folder = vehicle(BODY, name=f"spinner{next(count)}", parts=parts, start={"rate_b": list(rate)})
        world = make_world(folder, **{"air": SPACE, "gravity": 0.0, "integrator": "RK4", **scenario})
        world.sticks([0, 0, 0, 2 * throttle - 1])
        return world

    return make


def momentum(world, shafts):
    """Angular momentum of body and shafts, world axes [N m s]."""
    mujoco.mj_subtreeVel(world.model, world.data)
    total = world.data.subtree_angmom[1].copy()
    for bound, inertia in zip(world.assembly.parts, shafts, strict=True):
        rotor = world.part(bound.full_name)
        axis = world.data.site_xmat[rotor.row.site].reshape(3, 3)[:, 0]
        total += inertia * rotor.state.omega * axis
    return total


def test_a_shaft_that_starts_turns_the_body_the_other_way(spinner):
    world = spinner({"motor": {**PROPELLER, "reactions": True}})
    world.step(50)
    # J omega of the shaft is -I rate of the body, about the one axis that both share.
    assert world.motion().rate_b == pytest.approx((-SHAFT * 600.0 / INERTIA[0], 0, 0), rel=1e-9, abs=1e-12)
    world.sticks([0, 0, 0, -1])  # brake: all of it comes back
    world.step(50)
    assert world.motion().rate_b == pytest.approx((0, 0, 0), abs=1e-9)


def test_momentum_of_body_and_shafts_is_kept_while_tumbling(spinner):
    parts = {"motor": {**PROPELLER, "reactions": True}, "drive": {**DRIVE, "reactions": True}}
    world = spinner(parts, throttle=0.3, rate=(0.5, 2.0, -1.5), physics_hz=2000)
    shafts = (SHAFT, ELECTRIC["inertia"])
    before, change = momentum(world, shafts), []
    for _ in range(100):
        world.step(20)
        change.append(np.abs(momentum(world, shafts) - before).max())
    assert world.part("drive").state.omega < -100  # spun up all the while, left-handed
    assert np.linalg.norm(world.motion().rate_b) > 3
    assert max(change) < 1e-6 * np.linalg.norm(before)


def test_the_error_in_momentum_is_of_second_order(spinner):
    errors = []
    for hz in (400, 800):
        world = spinner({"drive": {**DRIVE, "reactions": True}}, rate=(0.5, 6.0, -4.0), physics_hz=hz)
        before = momentum(world, (ELECTRIC["inertia"],))
        world.run(1.0)
        errors.append(np.linalg.norm(momentum(world, (ELECTRIC["inertia"],)) - before))
    assert errors[0] / errors[1] == pytest.approx(4.0, rel=0.1)


def test_without_the_option_the_shaft_has_no_mass(spinner):
    world = spinner({"motor": {**PROPELLER, "reactions": False}}, rate=(0, 1, 0))
    world.step(100)
    assert world.motion().rate_b == pytest.approx((0, 1, 0), abs=1e-12)


def test_a_gyroscope_does_no_work(spinner):
    # At constant shaft speed the body's own energy of rotation stays, however it turns. RK4 at 2 kHz and some 20 rad/s:
    # (0.01)^4 / 120 a step, 2000 steps.
    world = spinner({"motor": {**PROPELLER, "reactions": True}}, physics_hz=2000)
    world.step(10)
    world.data.qvel[3:6] = 0.2, 3.0, -1.0
    world.restore(world.snapshot())
    energies = []
    for _ in range(100):
        world.step(20)
        rate = np.array(world.motion().rate_b)
        energies.append(0.5 * np.sum(INERTIA * rate**2))
    assert np.ptp([world.motion().rate_b.y, 3.0]) > 1.0  # it did turn about
    assert np.ptp(energies) < 1e-9 * energies[0]


def test_a_fast_top_nutates_at_its_rate(vehicle, make_world):
    # A body as hard to turn about every axis, with a fast shaft: I dw/dt = -w x h, so that the rates across the shaft
    # turn right-handed about it at J omega / I (Euler's equations).
    inertia = 0.05
    body = BODY.replace("0.02 0.05 0.06", f"{inertia} {inertia} {inertia}")
    folder = vehicle(body, name="top", parts={"motor": {**PROPELLER, "reactions": True}})
    world = make_world(folder, air=SPACE, gravity=0.0, integrator="RK4")
    world.sticks([0, 0, 0, 1])
    world.step(10)
    world.data.qvel[3:6] = 0.0, 0.3, 0.0
    world.restore(world.snapshot())
    nutation = SHAFT * 600.0 / inertia
    for _ in range(50):
        world.step(13)
        turned = nutation * (world.time - 10 * world.dt)
        expected = (0.0, 0.3 * math.cos(turned), 0.3 * math.sin(turned))
        assert world.motion().rate_b == pytest.approx(expected, abs=1e-9)


def test_reaction_shows_in_the_torque_of_the_rotor(spinner):
    world = spinner({"drive": {**DRIVE, "reactions": True}})
    drive = world.part("drive")
    world.step(3)
    before = drive.state.omega
    world.step(1)
    spin_up = (drive.state.omega - before) / world.dt
    assert drive.outputs.torque == pytest.approx(-ELECTRIC["inertia"] * spin_up, rel=1e-12)
    assert spin_up < 0 < drive.outputs.torque  # left-handed: pushed right-handed


def test_a_snapshot_holds_the_shaft(spinner):
    parts = {"motor": {**PROPELLER, "reactions": True}, "drive": {**DRIVE, "reactions": True}}
    world = spinner(parts, rate=(0.5, 2.0, -1.5))
    world.step(7)
    kept = world.snapshot()
    world.step(100)
    first = world.motion()
    world.restore(kept)
    world.step(100)
    assert world.motion() == first
    world.reset()
    assert world.motion().rate_b == pytest.approx((0.5, 2.0, -1.5))


def test_two_homes_for_one_inertia_are_refused(spinner):
    with pytest.raises(InputError, match=r"already has one, electric\.inertia"):
        spinner({"drive": {**DRIVE, "inertia": 1e-3}})
