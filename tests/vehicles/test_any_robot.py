"""Shipped controllers on robots that are not ours: they know the robot, do their mission, or say why they cannot."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import cupola
from cupola.cli import target as targets
from cupola.config.vehicle import MODELS
from cupola.control.space.robot_arm import quiet_push_of
from cupola.estimate.base_pose import BasePose
from cupola.estimate.scan_match import Scanner
from cupola.physics.mecanum import VELMA
from cupola.physics.planar import Pose
from cupola.physics.rotation import euler_from_quaternion

from . import robots

SCALES = [0.3, 1.0, 3.0]
SATELLITE = "servicer_capture"


def scenario(path, *vehicles, **world):
    path.write_text(yaml.safe_dump({"physics_hz": 1000, "vehicles": list(vehicles), **world}))
    return str(path)


def driven(file, metres, turn, speed=0.5, rate=0.8):
    """How far and how much a base goes when it is asked for a way ahead [m], then for a turn [rad]."""
    world = cupola.load(file)
    world.sticks([0.0, -1.0, 0.0, 0.0])
    world.run(metres / speed)
    world.sticks([0.0] * 4)
    world.run(1.5)
    ahead = world.motion().pos_w.x
    world.sticks([0.0, 0.0, -1.0, 0.0])
    world.run(turn / rate)
    world.sticks([0.0] * 4)
    world.run(1.5)
    return ahead, euler_from_quaternion(world.motion().quat_wb).yaw


@pytest.mark.parametrize("scale", SCALES)
def test_a_base_of_any_size_goes_as_far_as_it_is_asked_to(tmp_path, scale):
    file = scenario(tmp_path / "w.yaml", {"model": str(robots.base(tmp_path / "b", scale))}, physics_hz=2000)
    ahead, turned = driven(file, 0.8, math.radians(90.0))
    assert ahead == pytest.approx(0.8, rel=0.01)
    assert turned == pytest.approx(math.radians(90.0), rel=0.01)


def test_a_base_with_small_wheels_drives_as_far_as_it_is_asked_to(tmp_path):
    """Wheels of 0.05 m where Velma has 0.1016 m: it drove 0.392 m of 0.8 m."""
    file = scenario(tmp_path / "w.yaml", {"model": str(robots.base(tmp_path / "b", radius=0.05))})
    ahead, turned = driven(file, 0.8, math.radians(90.0))
    assert ahead == pytest.approx(0.8, rel=0.01) and turned == pytest.approx(math.radians(90.0), rel=0.01)


def test_what_contradicts_the_model_is_refused_with_both_numbers(tmp_path):
    wrong = robots.base(tmp_path / "b", radius=0.05, parameters={"wheels_radius": 0.1016})
    with pytest.raises(
        cupola.InputError, match=r"wheels_radius: 0\.1016 m contradicts the model of b, which has 0\.05 m"
    ):
        cupola.load(str(wrong))
    calibrated = robots.base(tmp_path / "c", radius=0.05, parameters={"wheels_radius": 0.0495})
    assert cupola.load(str(calibrated)).parameters["c.wheels_radius"][1] == 0.0495


def test_motors_too_weak_for_the_base_are_refused_with_both_numbers(tmp_path):
    file = robots.base(tmp_path / "b", 3.0)
    file.write_text(file.read_text().replace("torque_max: 24300.0", "torque_max: 100.0"))
    with pytest.raises(cupola.InputError, match=r"needs 172 N m of each wheel, whose motor has 100 N m"):
        cupola.load(str(file))


def test_an_estimator_is_told_of_the_wheels_and_the_scanners():
    robot = cupola.load("velma_base").robot()
    assert robot.wheels_at(0).kinematics() == pytest.approx(VELMA)
    assert BasePose(robot.wheels_at(0).kinematics()).pose == Pose(0.0, 0.0, 0.0)
    right = Scanner.of(robot, "laser_right")
    assert right.mount == pytest.approx(Pose(0.0, -0.3, -0.5 * math.pi))
    assert (len(right.angles), right.farthest) == (540, 20.0)
    with pytest.raises(cupola.InputError, match=r"no laser scanner 'nose'; it has: laser_right, laser_left"):
        Scanner.of(robot, "nose")


PLAN = [{"position": [0, 0, 2], "hold": 0.5}, {"position": [2, 1, 2], "yaw_deg": 90, "hold": 0.5}]


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("use", ["quadcopter_waypoints", "multirotor_geometric"])
def test_a_quadcopter_of_any_size_flies_its_plan(tmp_path, scale, use):
    first = 4 if use == "multirotor_geometric" else 0
    path = robots.quadcopter(tmp_path / "q", scale, use=use, channel=first, plan=PLAN)
    world = cupola.load(scenario(tmp_path / "w.yaml", {"model": str(path)}, physics_hz=2000))
    world.run(12.0)
    at = world.motion().pos_w
    assert math.dist(at, (2.0, 1.0, 2.0)) < 0.15
    assert euler_from_quaternion(world.motion().quat_wb).yaw == pytest.approx(math.radians(90.0), abs=0.05)


def test_gains_of_another_vehicle_and_rotors_in_other_places_are_refused(tmp_path):
    heavy = robots.quadcopter(tmp_path / "heavy", 30.0)
    with pytest.raises(cupola.InputError, match=r"quadcopter_pd refuses heavy: roll_kp 0\.09 .* give it .* rad/s"):
        cupola.load(str(heavy))
    turned = robots.quadcopter(tmp_path / "turned", 1.0)
    text = turned.read_text().replace("channel: 1\n", "channel: 9\n").replace("channel: 2\n", "channel: 1\n")
    turned.write_text(text.replace("channel: 9\n", "channel: 2\n"))
    with pytest.raises(cupola.InputError, match="rotors do not stand where the"):
        cupola.load(str(turned))
    weak = robots.quadcopter(tmp_path / "weak", 1.0)
    weak.write_text(weak.read_text().replace("k_motor: 80.0", "k_motor: 30.0"))
    with pytest.raises(cupola.InputError, match=r"4 rotors lift 6\.37 N at full throttle, and it weighs 9\.94 N"):
        cupola.load(str(weak))


def space(tmp_path, scale, **change):
    """The capture of the shipped scenario at a scale; times as there."""
    told = yaml.safe_load((MODELS.parent / "scenarios" / "cepheus_capture.yaml").read_text())
    chaser, target = told["vehicles"]
    chaser["model"] = str(robots.cepheus(tmp_path / "chaser", scale))
    target["model"] = str(robots.cepheus(tmp_path / "target", scale, "cepheus_target"))
    target["position"] = [scale * x for x in target["position"]]
    target["velocity_b"] = [scale * v for v in target["velocity_b"]]
    forces = ("push", "touch", "dead_band")
    numbers = chaser["controller"]["parameters"]
    numbers |= {name: scale**4 * numbers[name] for name in forces} | change
    del told["measures"], told["obstacles"]
    (tmp_path / "capture.yaml").write_text(yaml.safe_dump(told))
    return str(tmp_path / "capture.yaml")


def test_a_space_robot_three_times_as_large_captures_its_target(tmp_path):
    world = cupola.load(space(tmp_path, 3.0))
    while world.mission("chaser") != "end" and world.time < 14.0:
        world.run(0.2)
    assert world.mission("chaser") == "end"


FROM_MODEL = ("push", "touch", "dead_band")
"""Forces of the shipped capture that follow from the robot where nobody gives them."""


def test_a_space_robot_of_a_size_nobody_named_captures_with_what_follows_from_its_model(tmp_path):
    file = tmp_path / "capture.yaml"
    told = yaml.safe_load(Path(space(tmp_path, 2.3)).read_text())
    for name in FROM_MODEL:
        del told["vehicles"][0]["controller"]["parameters"][name]
    file.write_text(yaml.safe_dump(told))
    world = cupola.load(str(file))
    law: Any = world.runner("chaser").controller
    assert law.load.mass == pytest.approx(10.0 * 2.3**3) and law.push == pytest.approx(0.005 * law.load.mass)
    while world.mission("chaser") != "end" and world.time < 16.0:
        world.run(0.2)
    assert world.mission("chaser") == "end"


def mirrored(file):
    """The same capture to the other side: stops, posture, target and its motion about the base's x axis."""
    told = yaml.safe_load(file.read_text())
    chaser, target = told["vehicles"]
    model = Path(chaser["model"]).parent / "model.xml"
    turned = re.sub(r'range="(\S+) (\S+)"', lambda m: f'range="{-float(m[2])} {-float(m[1])}"', model.read_text())
    model.write_text(turned)
    chaser["joints_deg"] = {joint: -angle for joint, angle in chaser["joints_deg"].items()}
    numbers = chaser["controller"]["parameters"]
    numbers |= {name: -value for name, value in numbers.items() if re.fullmatch(r"posture_\d", name)}
    for key, axis in (("position", 1), ("velocity_b", 1), ("attitude_deg", 2), ("rate_b", 2)):
        target[key][axis] *= -1.0
    file.write_text(yaml.safe_dump(told))


@pytest.mark.parametrize(("scale", "left", "heavy"), [(0.5, False, 0.4), (3.7, False, 2.5), (0.8, True, 5.0)])
def test_robots_small_and_large_to_either_side_capture_light_and_heavy_targets_by_data_alone(
    tmp_path, scale, left, heavy
):
    """With a force sensor that is as good for its size."""
    file = Path(space(tmp_path, scale))
    told = yaml.safe_load(file.read_text())
    chaser, target = told["vehicles"]
    chaser["parts"]["force"] = {"force_noise": 7.83e-4 * scale**4}
    for name in FROM_MODEL:
        del chaser["controller"]["parameters"][name]
    target["links"] = {"base": {"mass": 10.0 * heavy * scale**3}}
    file.write_text(yaml.safe_dump(told))
    if not left:
        mirrored(file)
    world: Any = cupola.load(str(file))
    while world.mission("chaser") != "end" and world.time < 20.0:
        world.run(0.2)
    assert world.mission("chaser") == "end" and world.signal("chaser.controller.tries") == 1.0
    assert world.signal("chaser.attitude.yaw") == pytest.approx(0.0, abs=math.radians(0.5))


def test_what_drivers_get_while_they_wait_does_not_stir_a_small_arm(tmp_path):
    """1e-4 N m had turned the wrist of this one, 1.6 kg in all, by 50 degrees before it looked for the first time."""
    file = Path(space(tmp_path, 0.26))
    told = yaml.safe_load(file.read_text())
    told["vehicles"][0]["parts"]["force"] = {"force_noise": 7.83e-4 * 0.26**4}
    file.write_text(yaml.safe_dump(told))
    world = cupola.load(str(file))
    joints = [world.data.joint(f"chaser/{joint}") for joint in ("shoulder", "elbow", "wrist")]
    before = np.array([joint.qpos[0] for joint in joints])
    world.run(0.5)
    assert world.mission("chaser") == "prepare" and world.command("chaser")[0] > 0.0
    assert np.abs([joint.qpos[0] for joint in joints] - before).max() < math.radians(1.0)
    usual: Any = cupola.load("cepheus_capture").runner("chaser").controller
    assert usual.faint == 1e-4 and usual.smallest == 1e-5 and usual.safe_command == (*[1e-4] * 4, None)


def test_thrusters_that_nothing_could_hold_are_left_alone_and_named(tmp_path, caplog):
    """Those of a robot of 15 kg on one of 0.2 kg: unloading its wheel had spun that up to 500 degrees a second."""
    file = Path(space(tmp_path, 0.23))
    told = yaml.safe_load(file.read_text())
    chaser = told["vehicles"][0]
    chaser["parts"]["force"] = {"force_noise": 7.83e-4 * 0.23**4}
    chaser["parts"]["wheel"] = {**chaser["parts"].get("wheel", {}), "speed_max": 0.5}
    file.write_text(yaml.safe_dump(told))
    world = cupola.load(str(file))
    assert "its thrusters turn it with 0.0828 N m, more than the 0.00634 N m that its motors may give" in caplog.text
    while not world.mission("chaser").startswith("failed") and world.time < 20.0:
        world.run(0.1)
        assert not np.any(world.command("chaser")[5:8])
    assert world.mission("chaser") == "failed: the wheel is at its limit"


def test_a_satellite_of_840_kg_captures_with_the_shipped_mission_and_its_own_motors():
    """`end` means that neither a rate nor a torque is left, though its motors could give far more."""
    world = cupola.load(SATELLITE)
    told = world.scenario.vehicles[0].controller
    assert set(told.parameters) == {"duration", "intercept"}  # no gain, no force, no bound
    law: Any = world.runner("chaser").controller
    assert law.robot.mass == pytest.approx(840.0 + 50.0) and law.constants.length1 == pytest.approx(2.07)
    while world.mission("chaser") != "end" and world.time < world.scenario.duration:
        world.run(0.2)
    assert world.mission("chaser") == "end"
    base, torques = world.motion("chaser"), []
    for _ in range(100):
        world.step(10)
        torques.append(np.abs(world.command("chaser")[:4]))
    assert (np.max(torques, axis=0) < 0.25 * np.array(law.motors)).all()
    assert abs(base.rate_b.z) < math.radians(0.2) and abs(euler_from_quaternion(base.quat_wb).yaw) < math.radians(0.5)


def test_encoders_that_know_their_angles_need_no_posture_to_count_from():
    """Those of Cepheus count from where they were switched on; those of the satellite do not."""
    for name in (SATELLITE, "cepheus_capture"):
        world = cupola.load(name)
        world.run(0.51)
        seen = robots.mission_memory(world)[1].joints
        want = [world.data.joint(f"chaser/{joint}").qpos[0] for joint in ("shoulder", "elbow", "wrist")]
        assert list(seen) == pytest.approx(want, abs=2e-3)


@pytest.mark.parametrize("name", ["cepheus_capture", SATELLITE], ids=["cepheus", "satellite"])
def test_noise_is_no_touch(name):
    """The dead band that follows from force sensor, inertial unit and tool is above every push that is not there."""
    world = cupola.load(name)
    pushes = []
    while world.time < 3.0:
        world.run(0.01)
        pushes.append(world.signal("chaser.controller.push"))
    law: Any = world.runner("chaser").controller
    quiet = quiet_push_of(world.robot("chaser"), 0)
    assert 0.3 * quiet < np.nanmax(np.abs(pushes[60:])) < quiet < law.touch


def test_a_small_one_is_refused_because_its_force_sensor_is_too_noisy(tmp_path):
    with pytest.raises(cupola.InputError, match=r"noise of its push, 0\.00771 N, for a touch of 0\.00121 N"):
        cupola.load(space(tmp_path, 0.3))


def test_a_space_robot_of_another_shape_is_refused_with_the_reason(tmp_path):
    def refused(change, reason):
        file = space(tmp_path / reason[:4], 1.0)
        model = tmp_path / reason[:4] / "chaser" / "model.xml"
        model.write_text(model.read_text().replace(*change))
        with pytest.raises(cupola.InputError, match=reason):
            cupola.load(file)

    refused(('<inertial pos="0.15 0.0 0.0"', '<inertial pos="0.15 0.02 0.0"'), "beside the line to the next")
    refused(('<joint name="elbow"', '<joint name="elbow" axis="0 1 0"'), "hinge about the vertical of the base")


@pytest.mark.parametrize(
    ("part", "weak"),
    [
        ("shoulder", {"current_lasting": 0.01, "current_max": 0.01}),
        ("elbow", {"voltage": 0.05}),
        ("wrist", {"dry": 20.0}),
        ("wheel", {"resistance": 1e3}),
    ],
)
def test_a_motor_that_its_own_friction_holds_is_refused(tmp_path, part, weak):
    file = Path(space(tmp_path, 1.0))
    told = yaml.safe_load(file.read_text())
    told["vehicles"][0]["parts"] = {part: {"model": "geared", **weak}}
    file.write_text(yaml.safe_dump(told))
    with pytest.raises(cupola.InputError, match=rf"motor of the joint '{part}' gives .* dry friction holds it with"):
        cupola.load(str(file))


@pytest.mark.parametrize(("joint", "angle"), [(1, 120.0), (2, -90.0), (3, 110.0)])
def test_a_posture_beyond_the_end_stops_is_refused_with_the_stops(tmp_path, joint, angle):
    with pytest.raises(cupola.InputError, match=rf"posture_{joint}: {angle:g}° is beyond the end stops of the joint"):
        cupola.load(space(tmp_path, 1.0, **{f"posture_{joint}": angle}))


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [("posture_2", -90.0, "beyond the end stops"), ("touch", 1e-6, "noise of its push"), ("station", 1.0, "thrusters")],
)
def test_what_is_refused_in_a_file_is_refused_as_a_parameter_before_and_after_the_start(tmp_path, name, value, why):
    file = Path(space(tmp_path, 1.0))
    told = yaml.safe_load((tmp_path / "chaser" / "vehicle.yaml").read_text())
    told["parts"] = {key: part for key, part in told["parts"].items() if part["kind"] != "thruster_pair"}
    (tmp_path / "chaser" / "vehicle.yaml").write_text(yaml.safe_dump(told, sort_keys=False))
    world = cupola.load(str(file))
    for _ in range(2):
        before = world.parameters[f"chaser.{name}"][1]
        with pytest.raises(cupola.InputError, match=why):
            world.tune(f"chaser.{name}", value)
        assert world.parameters[f"chaser.{name}"][1] == before
        world.step(10)


def test_it_reaches_for_a_vehicle_called_target(tmp_path):
    file = space(tmp_path, 1.0)
    (tmp_path / "capture.yaml").write_text(
        (tmp_path / "capture.yaml").read_text().replace("name: target", "name: goal")
    )
    with pytest.raises(cupola.InputError, match=r"a vehicle that is called 'target'; the others in this world: goal"):
        cupola.load(file)


def driven_every_way(file):
    """Speeds forward, left and turn rate of a base that is asked for 0.2 m/s, 0.2 m/s and 0.3 rad/s, one by one."""
    found = []
    for axis, stick in enumerate(((0.0, -0.4, 0.0), (-0.4, 0.0, 0.0), (0.0, 0.0, -0.375))):
        world = cupola.load(file)
        world.sticks([*stick, 0.0])
        world.run(2.0)
        before, start = world.motion(), world.time
        world.run(1.0)
        now = world.motion()
        yaw = euler_from_quaternion(now.quat_wb).yaw - euler_from_quaternion(before.quat_wb).yaw
        went = (now.pos_w.x - before.pos_w.x, now.pos_w.y - before.pos_w.y, yaw)
        found.append(went[axis] / (world.time - start))
    return found


@pytest.mark.parametrize("kilograms", [5.0, 20.0, 200.0, 500.0])
@pytest.mark.parametrize("grown", [True, False])
def test_bases_of_5_to_500_kg_need_no_shorter_step_and_no_other_numbers(tmp_path, kilograms, grown):
    """In proportion, or as heavy as that on the wheels and the frame of Velma's base."""
    scale = (kilograms / 83.6) ** (1 / 3) if grown else 1.0
    vehicle = robots.base(tmp_path / "b", scale, mass=kilograms * 77.2 / 83.6)
    if not grown:  # the load alone changes
        model = vehicle.parent / "model.xml"
        light = 'mass="1.6" diaginertia="0.0048 0.008 0.0048"'
        model.write_text(re.sub(r'mass="[^"]*" diaginertia="[^"]*"/></body>', light + "/></body>", model.read_text()))
    vehicle.write_text(vehicle.read_text().replace("torque_max:", "torque_max: 1000.0 #"))
    file = scenario(tmp_path / "w.yaml", {"model": str(vehicle)})
    assert not cupola.load(file).cautions
    assert driven_every_way(file) == pytest.approx([0.2, 0.2, 0.3], rel=0.05)


@pytest.mark.parametrize("degrees", [30.0, 60.0])
def test_rollers_at_another_angle_are_known_to_the_wheels_the_law_and_the_estimator(tmp_path, degrees):
    vehicle = robots.base(tmp_path / "b")
    text = yaml.safe_load(vehicle.read_text())
    text["parts"]["wheels"]["roller"]["angle_deg"] = degrees
    vehicle.write_text(yaml.safe_dump(text, sort_keys=False))
    world = cupola.load(str(vehicle))
    kinematics, slope = world.robot().wheels_at(0).kinematics(), 1.0 / math.tan(math.radians(degrees))
    assert kinematics.slope == pytest.approx(slope) == world.parameters["b.roller_slope"][1]
    assert driven_every_way(str(vehicle)) == pytest.approx([0.2, 0.2, 0.3], rel=0.05)
    world.sticks([-0.4, 0.0, 0.0, 0.0])  # 0.2 m/s to the left
    world.run(1.5)
    assert world.command()[0] == pytest.approx(0.2 * slope / 0.1016, rel=1e-6)


def test_masses_and_lengths_of_a_model_are_parameters_that_its_law_notices(tmp_path):
    """What the arguments of the thesis's xacro file are for: `--param chaser.forearm.length=0.4`."""
    found = targets.find("cepheus_capture")
    words = ("chaser.forearm.length=0.32", "chaser.gripper.mass=0.7", "chaser.push=0.2", "chaser.tank.mass=0.04")
    scenario, others = targets.resized(found.scenario, words, found)
    assert others == ["chaser.push=0.2", "chaser.tank.mass=0.04"]  # one is the controller's, one a part's
    world = cupola.World(scenario, found.folder)
    usual: Any = cupola.load("cepheus_capture").runner("chaser").controller
    law: Any = world.runner("chaser").controller
    arm = law.arm
    assert arm.l2 + arm.r2 == pytest.approx(0.32) and arm.l2 == pytest.approx(0.15 * 0.32 / 0.293)
    assert arm.inertia2 == pytest.approx(usual.arm.inertia2 * (0.32 / 0.293) ** 2)
    assert arm.mass3 == pytest.approx(1.1) and law.tool_mass == 0.7
    while world.mission("chaser") != "end" and world.time < 16.0:
        world.run(0.2)
    assert world.mission("chaser") == "end"
    with pytest.raises(cupola.InputError, match=r"links\.forearm\.length: must be greater than 0, got -1"):
        targets.resized(found.scenario, ("chaser.forearm.length=-1",), found)
    with pytest.raises(
        cupola.InputError, match=r"links\.elbow: the model has no such body; it has: base, wheel, upper"
    ):
        cupola.World(scenario.with_(vehicles=[{"model": "cepheus", "links": {"elbow": {"mass": 1.0}}}]), found.folder)
