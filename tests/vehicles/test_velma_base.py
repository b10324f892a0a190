"""Velma's base: the three models of its wheels against each other, and what its motors and sensors promise."""

import math
from typing import Any

import mujoco
import numpy as np
import pytest

import cupola
from cupola.config.ground import Floor, Obstacle
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry
from cupola.parts.joints.roller import Roller, mean_askew
from cupola.physics.mecanum import VELMA, wheel_speeds
from cupola.physics.planar import Twist
from cupola.physics.rotation import euler_from_quaternion
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

RAW = ControllerEntry(use="mecanum_wheels", rate_hz=1000)
IDEAL = {"along": 1.0, "across": 0.0, "askew": 0.0, "creep": 0.0, "bearing": 0.0}
DIRECTIONS = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0.7071, 0.7071, 0), (0.7071, -0.7071, 0), (0, 0, 1)]


def base(model="friction", *, name="base", friction=1.0, **wheels):
    entry = VehicleEntry(model="velma_base", name=name, controller=RAW, parts={"wheels": {"model": model, **wheels}})
    return World(Scenario(vehicles=(entry,), physics_hz=1000, floor=Floor(friction=friction)))


def drive(world, x, y, rate):
    world.sticks(list(wheel_speeds(Twist(x, y, rate), VELMA)))


def pose(world, vehicle=None):
    seen = world.motion(vehicle)
    return np.array([*seen.pos_w, euler_from_quaternion(seen.quat_wb).yaw])


def pace(world, x, y, rate, duration=2.0):
    """Mean velocity in the axes of the start, after a second to get going."""
    world.run(0.3)
    drive(world, x, y, rate)
    world.run(1.0)
    before = pose(world)
    world.run(duration)
    return (pose(world) - before) / duration


def test_masses_are_those_of_the_table():
    world = base()
    assert world.model.body_subtreemass[1] == pytest.approx(83.6)
    assert base("rollers").model.body_subtreemass[1] == pytest.approx(83.6)


@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("speed", [0.1, 0.5])
def test_with_ideal_grip_friction_follows_kinematics(direction, speed):
    wanted = speed * np.array(direction)
    for model in ("kinematic", "friction"):
        found = pace(base(model, **IDEAL), *wanted)[[0, 1, 3]]
        if direction[2]:
            assert found[2] == pytest.approx(speed, rel=0.01)
        else:
            assert np.linalg.norm(found[:2] - wanted[:2]) < 0.01 * speed


def test_rollers_go_forward_as_commanded_and_lose_sideways_where_they_stand_askew():
    ahead, aside = pace(base("rollers", **IDEAL), 0.2, 0, 0), pace(base("rollers", **IDEAL), 0, 0.2, 0)
    assert ahead[0] == pytest.approx(0.2, rel=0.005)
    assert 0.985 < aside[1] / 0.2 < 0.992


@pytest.mark.parametrize("twist", [(0, 0.2, 0), (0, 0, 0.3), (0.2, 0, 0)])
def test_a_single_contact_told_how_askew_rollers_stand_goes_where_they_go(twist):
    # Where all wheels turn: a standing one keeps the roller on which it stands, which is not the mean of all.
    ideal = {**IDEAL, "askew": mean_askew(Roller().count)}
    rollers, friction = pace(base("rollers", **ideal), *twist), pace(base("friction", **ideal), *twist)
    np.testing.assert_allclose(friction[[0, 1, 3]], rollers[[0, 1, 3]], atol=0.002 * float(np.linalg.norm(twist)))


@pytest.mark.parametrize(("model", "least", "most"), [("friction", 0.03, 0.055), ("rollers", 0.03, 0.055)])
def test_fitted_wheels_lose_sideways_as_the_robot_does(model, least, most):
    assert least < 1.0 - pace(base(model), 0, 0.1, 0)[1] / 0.1 < most
    assert pace(base(model), 0.1, 0, 0)[0] == pytest.approx(0.1, rel=0.005)


def test_rollers_hand_over_without_bumps():
    assert Roller().ripple(VELMA.radius) < 3e-4
    world = base("rollers")
    drive(world, 0.2, 0, 0)
    world.run(1.0)
    heights = []
    for _ in range(1000):
        world.step()
        heights.append(world.motion().pos_w.z)
    assert np.ptp(heights) < 3e-4


@pytest.mark.parametrize("model", ["kinematic", "friction", "rollers"])
def test_it_stands_still(model):
    world = base(model)
    world.run(1.0)
    before = pose(world)
    world.run(20.0)
    moved = pose(world) - before
    assert np.linalg.norm(moved[:2]) < 1e-3 / 3 and abs(moved[3]) < 1e-4 / 3  # a third of the minute's allowance


@pytest.mark.parametrize("model", ["friction", "rollers"])
def test_locked_wheels_hold_a_third_of_what_friction_could(model):
    world = base(model, friction=0.95)
    world.run(0.5)
    world.push("base/base", (0.0, 0.3 * 0.95 * 83.6 * 9.81, 0.0))
    world.run(2.0)
    before = pose(world)
    world.run(20.0)
    assert np.linalg.norm((pose(world) - before)[:2]) < 1e-3 / 3


def test_motors_hold_their_commanded_speeds_against_a_push():
    """What the encoders say is what was commanded, wheel by wheel, also while 100 N push the base back."""
    world = base("friction")
    asked = wheel_speeds(Twist(0.2, 0.1, 0.3), VELMA)
    drive(world, 0.2, 0.1, 0.3)
    world.run(1.0)
    assert world.samples["base", "encoders"].latest().speeds == pytest.approx(asked, rel=0.01, abs=0.01)
    world.push("base/base", (-100.0, 0.0, 0.0))
    world.run(1.0)
    assert world.samples["base", "encoders"].latest().speeds == pytest.approx(asked, rel=0.01, abs=0.01)
    assert np.abs(world.data.actuator_force).max() > 0.5  # the motors, not the floor, do it


def test_the_null_space_command_moves_an_ideal_base_nowhere():
    world = base("kinematic")
    world.sticks([1.0, 1.0, -1.0, -1.0])
    world.run(2.0)
    assert np.allclose(pose(world), [0, 0, 0.1016, 0], atol=1e-12)


def test_an_arc_closes_exactly():
    world = base("kinematic")
    drive(world, 0.2, 0.1, 0.5)
    world.run(2.0 * math.pi / 0.5)
    assert np.allclose(pose(world)[:2], 0.0, atol=3e-4)  # the circle takes 12566.4 ticks


def test_no_number_leaves_a_wheel_as_it_was():
    world = base()
    drive(world, 0.2, 0, 0)
    world.run(1.0)
    world.sticks([math.nan] * 4)
    world.run(1.0)
    assert world.motion().vel_b.x == pytest.approx(0.2, rel=0.01)
    world.sticks([math.nan, 0.0, 0.0, 0.0])
    world.run(0.5)
    asked = world.arrays.drive[world.instances[0].channels][:4]
    assert np.allclose(asked, [0.2 / 0.1016, 0.0, 0.0, 0.0])


def test_a_motor_gives_no_more_than_it_has():
    world = base(torque_max=2.0)
    drive(world, 0.5, 0, 0)
    torques = []
    for _ in range(200):
        world.step()
        torques.append(np.abs(world.data.actuator_force).max())
    assert max(torques) == pytest.approx(2.0)


def test_the_supply_trips_and_is_switched_on_again():
    world = base(supply_current_max=3.0, supply_patience=0.01)
    drive(world, 0.5, 0, 0)
    world.run(1.0)
    assert world.part("wheels").outputs.tripped == 1.0 and np.all(world.data.actuator_force == 0.0)
    world.sticks([0.0] * 4)
    world.run(2.0)
    world.turn(4, 1.0)
    world.step(2)
    world.turn(4, 0.0)
    assert world.part("wheels").outputs.tripped == 0.0
    for k in range(1, 101):
        drive(world, 0.002 * k, 0, 0)
        world.run(0.02)
    world.run(0.5)
    assert world.part("wheels").outputs.tripped == 0.0 and world.motion().vel_b.x == pytest.approx(0.2, rel=0.02)


def test_friction_is_changed_while_it_drives():
    world = base(**IDEAL)
    assert pace(world, 0, 0.2, 0)[1] == pytest.approx(0.2, rel=0.01)
    world.tune("base.wheels.across", 0.5)
    world.tune("base.wheels.along", 0.02)
    before = pose(world)
    world.run(2.0)
    assert (pose(world) - before)[1] < 0.3  # of 0.4 m


def test_encoders_are_ideal_unless_told_otherwise():
    parts: dict[str, dict[str, Any]] = {"wheels": {"model": "kinematic"}, "encoders": {"marks": 100}}
    coarse = VehicleEntry(model="velma_base", name="base", controller=RAW, parts=parts)
    world = World(Scenario(vehicles=(coarse,), physics_hz=1000))
    drive(world, 0.2, 0, 0)
    world.run(1.0)
    angles = np.array(world.samples["base", "encoders"].latest().angles) / (2 * math.pi / 100)
    assert np.allclose(angles, np.round(angles), atol=1e-9) and angles.min() > 10
    ideal = base("kinematic")
    drive(ideal, 0.2, 0, 0)
    ideal.run(1.0)
    said = ideal.samples["base", "encoders"].latest()
    assert np.allclose(said.angles, 0.2 / 0.1016, atol=0.01) and np.allclose(said.speeds, 0.2 / 0.1016)


def test_scanners_do_not_see_the_base_itself():
    world = base()
    world.run(0.1)
    for side in ("right", "left"):
        ranges = world.samples["base", f"laser_{side}"].latest().ranges
        assert len(ranges) == 540 and all(math.isinf(r) for r in ranges)


def test_scanners_look_through_a_kinematic_twin():
    world = cupola.load("omni_pair")
    world.run(0.1)
    for side in ("right", "left"):
        assert all(r == math.inf for r in world.samples["omnivelma", f"laser_{side}"].latest().ranges)


def test_a_twin_follows_the_encoders():
    twin = VehicleEntry(
        model="velma_base", name="twin", controller=RAW, parts={"wheels": {"model": "kinematic", "follows": "base"}}
    )
    real = VehicleEntry(model="velma_base", name="base", controller=RAW, parts={"wheels": {"model": "friction"}})
    world = World(Scenario(vehicles=(real, twin), physics_hz=1000))
    world.sticks(list(wheel_speeds(Twist(0.1, 0.1, 0.1), VELMA)), "base")
    world.run(3.0)
    turned = np.array(world.samples["base", "encoders"].latest().angles)
    copied = np.array(world.samples["twin", "encoders"].latest().angles)
    assert np.allclose(turned, copied, atol=3e-3)
    assert np.linalg.norm(pose(world, "base")[:2] - pose(world, "twin")[:2]) < 0.05


@pytest.mark.parametrize(
    ("wheels", "words"),
    [
        ({"model": "treads"}, "'kinematic', 'friction' or 'rollers'"),
        ({"preset": "mine"}, "thesis-code"),
        ({"follows": "other", "model": "kinematic"}, "another one with a wheel other/wheel_fr"),
        ({"radius": -1.0}, "greater than 0"),
    ],
)
def test_wheels_that_make_no_sense_are_refused(wheels, words):
    with pytest.raises(InputError, match=words):
        World(Scenario(vehicles=(VehicleEntry(model="velma_base", parts={"wheels": wheels}),)))


def test_many_bases_share_a_floor_and_repeat_to_the_bit():
    def end():
        entries = tuple(
            VehicleEntry(
                model="velma_base", name=f"base_{k}", position=(0, 2.0 * k, 0.1016), parts={"wheels": {"model": m}}
            )
            for k, m in enumerate(("friction", "friction", "rollers", "kinematic"))
        )
        world = World(Scenario(vehicles=entries, physics_hz=1000))
        world.run(7.0)
        return world.data.qpos.tobytes()

    assert end() == end()


SLIPPING = 0.5 * 0.05 * 9.81 / math.sqrt(2.0) * 0.3**2
"""[m] of 0.3 s on spinning wheels at a friction of 0.05, which acts along the rollers, at 45 degrees to the way."""


def floor_of(**floor):
    entry = VehicleEntry(
        model="velma_base", name="base", controller=RAW, parts={"wheels": {"model": "friction", **IDEAL}}
    )
    return World(Scenario(vehicles=(entry,), physics_hz=1000, floor=Floor(**floor)))


def test_a_patch_is_as_slippery_as_it_says():
    def way(patches):
        world = floor_of(friction=1.0, patches=patches)
        drive(world, 0.5, 0, 0)
        world.run(0.3)
        return world.motion().pos_w.x

    dry, wet = way(()), way(({"center": (0, 0), "size": (4, 4), "friction": 0.05},))
    assert wet == pytest.approx(SLIPPING, rel=0.05)
    assert dry > 4 * wet
    assert way(({"center": (9, 9), "size": (4, 4), "friction": 0.05},)) == dry


def test_the_floor_is_tuned_and_saved():
    world = floor_of(friction=1.0)
    world.tune("floor.friction", 0.05)
    drive(world, 0.5, 0, 0)
    world.run(0.3)
    assert world.motion().pos_w.x == pytest.approx(SLIPPING, rel=0.05)
    assert world.scenario_now().floor.friction == 0.05


def test_a_bump_lifts_a_wheel_and_the_hinge_gives_way():
    bump = Obstacle(position=(0.6, -0.38, 0.005), size=(0.1, 0.3, 0.01))
    entry = VehicleEntry(model="velma_base", name="base", controller=RAW, parts={"wheels": {"model": "friction"}})
    world = World(Scenario(vehicles=(entry,), physics_hz=1000, obstacles=(bump,)))
    drive(world, 0.1, 0, 0)
    hinge, heights = world.model.joint("base/roll").qposadr[0], []
    for _ in range(40):
        world.run(0.1)
        heights.append(world.data.qpos[hinge])
    assert max(np.abs(heights)) > 0.01 and abs(heights[0]) < 1e-3


def test_another_inertia_acts_at_once_and_a_bad_one_is_refused():
    world = base("friction")
    body = world.model.body("base/base").id
    moments = (5.0, 5.0, 8.0, 0.0, 0.0, 0.1)
    world.set_inertia("base/base", 120.0, (0.0, 0.0, 0.02), moments)
    assert world.model.body_subtreemass[1] == pytest.approx(83.6 + 60.0)
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, world.model.body_iquat[body])
    found = turn.reshape(3, 3) @ np.diag(world.model.body_inertia[body]) @ turn.reshape(3, 3).T
    assert np.allclose(found, np.array([[5, 0, 0], [0, 5, 0.1], [0, 0.1, 8]]), atol=1e-9)
    kept = world.snapshot()
    for mass, about, words in [
        (0.0, moments, "mass above 0 kg"),
        (1.0, (1, 1, 3, 0, 0, 0), "larger than the other two together"),
        (1.0, (1, 1, -1, 0, 0, 0), "must be above 0"),
        (math.nan, moments, "finite number"),
    ]:
        with pytest.raises(InputError, match=words):
            world.set_inertia("base/base", mass, (0, 0, 0), about)
    world.set_inertia("base/base", 60.0, (0, 0, 0), moments)
    world.restore(kept)
    assert world.model.body_subtreemass[1] == pytest.approx(83.6 + 60.0)


BODIES = {"base": 60.0, "front": 15.0, "scanner_right": 1.1, "scanner_left": 1.1} | dict.fromkeys(
    ("wheel_fr", "wheel_fl", "wheel_rl", "wheel_rr"), 1.6
)


def test_it_is_two_bodies_on_a_hinge_four_motors_two_scanners_and_an_inertial_unit():
    model = base("friction").model
    masses = {model.body(k).name.removeprefix("base/"): model.body_mass[k] for k in range(1, model.nbody)}
    assert masses == pytest.approx(BODIES)
    parents = {name: model.body(model.body(f"base/{name}").parentid[0]).name for name in BODIES if name != "base"}
    assert {name for name, parent in parents.items() if parent == "base/front"} == {"wheel_fr", "wheel_fl"}
    assert {name for name, parent in parents.items() if parent == "base/base"} == BODIES.keys() - {"base"} - {
        "wheel_fr",
        "wheel_fl",
    }
    assert list(model.joint("base/roll").axis) == [1, 0, 0] and not model.joint("base/roll").limited[0]
    assert [model.actuator(k).name for k in range(model.nu)] == [f"base/{name}" for name in list(BODIES)[4:]]


@pytest.mark.parametrize(
    ("body", "mass", "size"),
    [
        ("base", 60, (0.72, 0.75, 0.16)),
        ("front", 15, (0.19, 0.75, 0.16)),
        ("wheel_rl", 1.6, (0.1, 0.0744)),
        ("scanner_left", 1.1, (0.051, 0.152)),
    ],
)
def test_inertias_are_those_of_boxes_and_cylinders(body, mass, size):
    """To the digits that the thesis's model file has; a cylinder has a radius and a height."""
    found = base("friction").model.body(f"base/{body}").inertia
    if len(size) == 3:
        x, y, z = np.square(size)
        expected = mass * np.array([y + z, x + z, x + y]) / 12
    else:
        across = mass * (3 * size[0] ** 2 + size[1] ** 2) / 12
        expected = [across, across, mass * size[0] ** 2 / 2]
    np.testing.assert_allclose(np.sort(found), np.sort(expected), rtol=3e-3)


def test_bodies_and_sensors_sit_where_the_thesiss_model_has_them():
    """Its x is to the right, ours forward: (x, y, z) there is (y, -x, z) here. Heights count from the axles."""
    world = base("friction")
    data, start = world.data, np.array([0, 0, 0.1016])
    places = {"base": (0, -0.081, 0.019), "front": (0, 0.364, 0.018)}
    places |= {"scanner_right": (0.3, 0, 0.176), "scanner_left": (-0.3, 0, 0.176)}
    places |= {"wheel_fr": (0.38, 0.36, 0), "wheel_fl": (-0.38, 0.36, 0)}
    places |= {"wheel_rl": (-0.38, -0.36, 0), "wheel_rr": (0.38, -0.36, 0)}
    for name, (x, y, z) in places.items():
        np.testing.assert_allclose(data.body(f"base/{name}").xipos - start, [y, -x, z], atol=1e-9)
    np.testing.assert_allclose(data.joint("base/roll").xanchor - start, [0.264, 0, 0], atol=1e-9)
    np.testing.assert_allclose(data.site("base/imu").xpos - start, 0, atol=1e-9)
    for side, right in (("right", 1), ("left", -1)):
        site = data.site(f"base/laser_{side}")
        np.testing.assert_allclose(site.xpos - start, [0, -0.3 * right, 0.215], atol=1e-9)
        np.testing.assert_allclose(site.xmat.reshape(3, 3)[:, 0], [0, -right, 0], atol=1e-9)  # looks outward
    assert data.site("base/laser_left").xpos[2] == pytest.approx(0.32, abs=0.005)


def test_wheels_are_those_of_the_maker():
    """AndyMark 8-inch HD: diameter 20.32 cm, 7.41 cm thick, 1.6 kg, 12 rollers at 45°, mirrored from wheel to wheel."""
    model = base("rollers").model
    hubs = [model.body(f"base/wheel_{corner}").id for corner in ("fr", "fl", "rl", "rr")]
    lowest = []
    for hub in hubs:
        rollers = [k for k in range(model.nbody) if model.body_parentid[k] == hub]
        assert len(rollers) == 12
        assert model.body_mass[hub] + model.body_mass[rollers].sum() == pytest.approx(1.6)
        ends = []
        for k in rollers:
            turn = np.zeros(9)
            mujoco.mju_quat2Mat(turn, model.body_quat[k])
            axis, joint = turn.reshape(3, 3)[:, 2], model.body_jntadr[k]
            assert abs(axis[1]) == pytest.approx(math.sqrt(0.5))  # 45° to the axle
            assert model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE and not model.jnt_limited[joint]
            radius = math.hypot(model.body_pos[k][0], model.body_pos[k][2]) + model.geom_size[model.body_geomadr[k]][0]
            assert 2 * radius == pytest.approx(0.2032)
            ends.append((model.body_pos[k][2], axis / axis[0]))
        below, above = min(ends, key=lambda end: end[0])[1], max(ends, key=lambda end: end[0])[1]
        assert below[:2] @ above[:2] == pytest.approx(0, abs=1e-9)  # the axis below is square to the one above
        lowest.append(below[1])
    np.testing.assert_allclose(lowest, [1, -1, 1, -1])  # an O on the floor, an X seen from above


def contact_forces(world):
    """Of each tread, in the axes of the base [N]."""
    found, wrench = {}, np.zeros(6)
    for k in range(world.data.ncon):
        contact = world.data.contact[k]
        mujoco.mj_contactForce(world.model, world.data, k, wrench)
        force = contact.frame.reshape(3, 3).T @ wrench[:3]
        name = next(n for n in (world.model.geom(g).name for g in contact.geom) if n.endswith("tread"))
        found[name.removeprefix("base/wheel_").removesuffix("_tread")] = force * (-1 if force[2] < 0 else 1)
    return found


def test_a_torque_pushes_at_45_degrees_square_to_the_free_direction():
    world = base("friction", **IDEAL)
    world.run(0.5)
    world.sticks([2.0, math.nan, math.nan, math.nan])  # front right, with the others held
    world.step(20)
    x, y, up = contact_forces(world)["fr"]
    assert abs(x) > 20 and up > 100
    assert y == pytest.approx(x, rel=0.01)  # along (1, 1): square to the free direction of that roller, (1, -1)


@pytest.mark.parametrize("solver", ["mjSOL_PGS", "mjSOL_CG"])
def test_another_solver_of_contacts_drives_the_same_way(solver):
    """The thesis's wheels were bound to one engine: another gave unlike results."""
    ends = []
    for choice in (None, getattr(mujoco.mjtSolver, solver)):
        world = base("friction")
        if choice is not None:
            world.model.opt.solver, world.model.opt.iterations = choice, 200
        drive(world, 0.2, 0.1, 0.2)
        world.run(3.0)
        ends.append(pose(world))
    np.testing.assert_allclose(ends[1], ends[0], atol=1e-3)
