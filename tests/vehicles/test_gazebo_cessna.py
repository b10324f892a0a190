"""Gazebo's own Cessna files imported and flown: what was carried over, its trim, its presets. Needs CUPOLA_DATA."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
import yaml

from cupola.bridge.sdf.folder import import_file
from cupola.physics.rotation import euler_from_quaternion
from cupola.reproduce.morphing.cessna import LEVEL, NAME, cruise, demo, trim
from cupola.reproduce.row import data_file

FILE = "gazebo_cessna/cessna_demo.world"
pytestmark = pytest.mark.data(FILE)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return import_file(Path(data_file(FILE)), tmp_path_factory.mktemp("import") / "cessna")


@pytest.fixture(scope="module")
def model(made):
    return mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))


@pytest.fixture(scope="module")
def parts(made):
    return yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]


def test_links_and_joints(model):
    bodies = {model.body(i).name for i in range(1, model.nbody)}
    assert bodies == {
        "body", "propeller", "left_aileron", "right_aileron", "left_flap", "right_flap", "elevators", "rudder",
        "front_wheel", "rear_left_wheel", "rear_right_wheel",
    }  # fmt: skip
    hinges = [j for j in range(model.njnt) if int(model.jnt_type[j]) == mujoco.mjtJoint.mjJNT_HINGE]
    assert len(hinges) == 10
    assert all(model.body_parentid[model.jnt_bodyid[j]] == model.body("body").id for j in hinges)


def test_masses_places_and_limits(model):
    body = model.body("body")
    assert body.mass[0] == 680.389
    np.testing.assert_allclose(body.ipos, [-0.0414, 0, 0.9271])
    np.testing.assert_allclose(sorted(body.inertia), [1285.315427874, 1824.930976707, 2666.893931043], rtol=1e-12)
    aileron = model.body("left_aileron")
    np.testing.assert_allclose(aileron.ipos, [-1.65, 3.7, 1.5])
    np.testing.assert_allclose(sorted(aileron.inertia), [0.0119, 0.8434, 0.855], rtol=1e-9)
    joint = model.joint("left_aileron_joint")
    np.testing.assert_allclose(joint.range, [-0.53, 0.53])
    assert math.degrees(joint.range[1]) == pytest.approx(30.37, abs=0.01)  # the file's comment says 30
    assert model.dof_damping[joint.dofadr[0]] == 1.0
    assert model.jnt_limited[model.joint("propeller_joint").id] == 0
    # The hinge is turned as the aileron is: roll 0.05, yaw -0.12.
    axis = [math.sin(0.12) * math.cos(0.05), math.cos(0.12) * math.cos(0.05), math.sin(0.05)]
    np.testing.assert_allclose(joint.axis, axis, atol=1e-9)
    flap = model.joint("right_flap_joint")
    np.testing.assert_allclose(flap.pos, [-1.6, -1.55, 1.43], atol=1e-12)


def test_wheels_and_meshes(model):
    wheels = [g for g in range(model.ngeom) if int(model.geom_type[g]) == mujoco.mjtGeom.mjGEOM_CYLINDER]
    assert len(wheels) == 3 and all(model.geom_friction[g, 0] == 0.3 for g in wheels)
    assert sorted(round(float(model.geom_size[g, 0]), 6) for g in wheels) == [0.18, 0.25, 0.25]
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    wings = model.mesh("body_hull")
    corners = model.mesh_vert[wings.vertadr[0] : wings.vertadr[0] + wings.vertnum[0]]
    geom = next(g for g in range(model.ngeom) if model.geom_dataid[g] == wings.id)
    places = corners @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom]
    assert np.ptp(places[:, 1]) == pytest.approx(11.0, abs=0.3)  # a C-172 spans 11 m; the file is in inches
    assert np.ptp(places[:, 0]) == pytest.approx(8.0, abs=0.5)


def test_six_surfaces_and_seven_servos(parts):
    surfaces = {name: part for name, part in parts.items() if part["kind"] == "liftdrag"}
    assert set(surfaces) == {
        "propeller_top_blade", "propeller_bottom_blade", "left_wing", "right_wing", "elevator", "rudder",
    }  # fmt: skip
    assert all(part["mode"] == "faithful" and part["air_density"] == 1.2041 for part in surfaces.values())
    for name, side in (("propeller_top_blade", 1), ("propeller_bottom_blade", -1)):
        part = surfaces[name]
        assert part["site"] == "propeller" and part["cp"] == [-0.37, 0.0, 0.77 * side] and "controls" not in part
        assert part["forward"] == [0.0, -side, 0.0] and part["upward"] == [1.0, 0.0, 0.0]
        assert (part["surface"]["a0"], part["surface"]["alpha_stall"], part["surface"]["area"]) == (0.4, 1.5, 0.1)
    for name, side in (("left_wing", 1), ("right_wing", -1)):
        part = surfaces[name]
        assert part["site"] == "body" and part["cp"] == [-1.0, 2.205 * side, 1.5]
        assert part["surface"]["a0"] == 0.05984281113 and part["surface"]["area"] == 8.08255
        assert part["surface"]["cla"] == 4.752798721 and part["surface"]["cda"] == 0.6417112299
        assert part["controls"] == [{"joint": name.replace("wing", "aileron_joint"), "lift": -2.0}]
    elevator, rudder = surfaces["elevator"], surfaces["rudder"]
    assert elevator["surface"]["a0"] == -0.2 and elevator["surface"]["area"] == 2.03458
    assert elevator["cp"] == [-5.45, 0.0, 0.55] and elevator["controls"][0]["lift"] == -4.0
    assert rudder["cp"] == [-6.0, 0.0, 1.55] and rudder["upward"] == [0.0, 1.0, 0.0]
    assert rudder["surface"]["area"] == 1.5329 and rudder["controls"] == [{"joint": "rudder_joint", "lift": 4.0}]
    stall = {"alpha_stall": 0.3391428111, "cla_stall": -3.85, "cda_stall": -0.9233984055, "cma_stall": 0.0}
    assert stall.items() <= surfaces["left_wing"]["surface"].items()
    assert sum(part["kind"] == "servo" for part in parts.values()) == 7


def test_servos_have_the_gains_and_limits_of_the_plugin(model):
    aileron, propeller = model.actuator("left_aileron"), model.actuator("propeller")
    assert aileron.gainprm[0] == 2000.0 and aileron.biasprm[1] == -2000.0
    np.testing.assert_allclose(aileron.forcerange, [-20, 20])
    assert propeller.gainprm[0] == pytest.approx(10000.0 * 2500 * math.pi / 30) and propeller.biasprm[2] == -10000.0
    np.testing.assert_allclose(propeller.forcerange, [-20000, 20000])


def test_what_is_lost_and_what_looks_wrong(made):
    said = " ".join(f"{what} {why}" for what, why in made.lost)
    words = ["blade_1_visual", "wing_body_debug_visuals", "cessna_keyboard", "-16 0 4", "cast_shadows"]
    assert "model://sun" in dict(made.report.assumed)
    for word in [*words, "max_vel", "implicit_spring_damper"]:
        assert word in said
    warned = " ".join(made.warnings)
    assert "rear_left_wheel_joint lies at" in warned and "32.9°" in warned
    assert "left_flap moves without any effect" in warned


def test_what_model_config_says_is_in_the_readme(made):
    text = (made.folder / "README.md").read_text()
    for words in ("**Cessna C-172** 1.0, by Carlos Ag", "SDF 1.5: `model.sdf`", "jsbsim", "3dwarehouse"):
        assert words in text


def test_the_world_around_it(made):
    scenario = yaml.safe_load((made.folder / "scenario.yaml").read_text())
    assert scenario["gravity"] == 9.8 and scenario["physics_hz"] == 1000
    assert scenario["floor"]["size"] == 2500.0 and scenario["floor"]["friction"] == 1.0
    assert scenario["floor"]["patches"] == [{"center": [700.0, 0.0], "size": [1829.0, 45.0], "friction": 1.0}]
    assert yaml.safe_load((made.folder / "vehicle.yaml").read_text())["start"]["position"] == [0.0, 0.0, 0.495]


def test_the_point_of_action_is_astray(made):
    """D-3: with the forces where they were meant to be, another elevator balances the aircraft."""
    world = demo(made.run)
    coded, meant = trim(world, 40.0, True), trim(world, 40.0, False)
    assert coded[1] == pytest.approx(-0.01355, abs=1e-5) and meant[1] == pytest.approx(0.00531, abs=1e-5)


def test_it_takes_off_on_its_preset(made):
    """From rest on the runway: the propeller at 2000 rpm, off the ground after 300 m, climbing steadily."""
    world = demo(made.run)
    for name, value in LEVEL.items():
        world.tune(f"{NAME}.{name}", value)
    world.run(5.0)
    rolling = world.motion()
    assert rolling.pos_w.z == pytest.approx(0.5, abs=0.05) and rolling.vel_w.x > 25.0
    spin = world.data.qvel[int(world.model.joint(f"{NAME}/propeller_joint").dofadr[0])]
    assert spin * 30 / math.pi == pytest.approx(2000.0, rel=1e-3)
    world.run(15.0)
    climbing = world.motion()
    assert climbing.pos_w.z > 50.0 and climbing.vel_w.z > 5.0
    assert abs(euler_from_quaternion(climbing.quat_wb).roll) < 0.05


def test_it_cruises_steadily(made):
    world = cruise(made.run)
    world.run(90.0)
    before = world.motion()
    world.run(20.0)
    after = world.motion()
    assert math.hypot(*after.vel_w) == pytest.approx(math.hypot(*before.vel_w), abs=0.05)
    assert after.vel_w.z == pytest.approx(before.vel_w.z, abs=0.02) and abs(after.vel_w.z) < 2.0
    assert before.pos_w.z > 100.0


def test_without_a_hand_on_the_ailerons_it_spirals(made):
    """The presets alone: the rudder's trim turns the nose, nothing lifts the wing. So it was flown by hand."""
    world = demo(made.run)
    world.run(20.0)
    assert world.motion().pos_w.z > 20.0
    assert abs(euler_from_quaternion(world.motion().quat_wb).roll) > 0.5


def test_full_throttle_turns_2500_rpm_and_surfaces_reach_their_angles(made):
    world = demo(made.run)
    world.sticks([0.5, 0.0, 0.0, 1.0])
    world.run(3.0)
    at = world.model
    spin = world.data.qvel[int(at.joint(f"{NAME}/propeller_joint").dofadr[0])]
    assert spin * 30 / math.pi == pytest.approx(2500.0, rel=2e-3)
    left = float(world.data.qpos[int(at.joint(f"{NAME}/left_aileron_joint").qposadr[0])])
    assert left == pytest.approx(-0.017 - 0.5 * math.radians(30), abs=0.01)
    world.sticks([0.0] * 10 + [1.0])
    world.run(0.5)
    landing = world.command()
    assert landing[0] == 0.3 and landing[5] == 0.16 and landing[6] == -0.035
    world.sticks([0.0] * 11)
    world.run(0.1)
    assert world.command()[0] == 0.3  # a key is pressed once
    world.tune(f"{NAME}.preset", 2.0)
    world.run(0.1)
    assert world.command()[0] == 0.6 and world.command()[5] == 0.12
