"""What drives a joint in the source drives it here, within its limits: plugins, <transmission>, <ros2_control>."""

import math

import mujoco
import pytest
import yaml

import cupola
from cupola.bridge.sdf.folder import import_file

HEAVY = '<inertial><mass value="1"/><inertia ixx="0.02" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>'
LIMIT = '<limit lower="-1" upper="0.8" effort="5" velocity="2"/>'
ARM = "".join(f'<link name="{name}">{HEAVY}</link>' for name in ("base", "a", "b", "c")) + "".join(
    f'<joint name="{child}_joint" type="revolute"><parent link="{parent}"/><child link="{child}"/>'
    f'<origin xyz="0 0 0.3"/><axis xyz="0 1 0"/>{LIMIT}</joint>'
    for parent, child in (("base", "a"), ("a", "b"), ("b", "c"))
)
GEAR = """<transmission name="t_{joint}"><type>transmission_interface/SimpleTransmission</type><joint name="{joint}">
{in_joint}</joint><actuator name="m">{in_actuator}<mechanicalReduction>50</mechanicalReduction></actuator>
</transmission>"""
WORD = "<hardwareInterface>{}</hardwareInterface>"
WHEEL = """<link name="{name}"><pose>{x} {y} 0.1 1.5707963 0 0</pose><inertial><mass>0.3</mass><inertia><ixx>1e-3</ixx>
<iyy>1e-3</iyy><izz>2e-3</izz></inertia></inertial><collision name="c"><geometry><cylinder><radius>0.1</radius>
<length>0.05</length></cylinder></geometry></collision></link><joint name="{name}_joint" type="revolute">
<parent>{parent}</parent><child>{name}</child><axis><xyz expressed_in="__model__">0 {sign} 0</xyz></axis></joint>"""
CHASSIS = """<link name="base"><pose>0 0 0.15 0 0 0</pose><inertial><mass>5</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy>
<izz>0.25</izz></inertia></inertial><collision name="c"><geometry><box><size>0.5 0.2 0.1</size></box></geometry>
</collision></link>"""
PLACES = {"fl": (0.2, 0.2), "fr": (0.2, -0.2), "rl": (-0.2, 0.2), "rr": (-0.2, -0.2)}


@pytest.fixture
def bring(tmp_path):
    def run(text, name):
        (tmp_path / name).write_text(text)
        made = import_file(tmp_path / name, tmp_path / "out")
        return made, yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]

    return run


def urdf(more):
    return f'<robot name="arm">{ARM}{more}</robot>'


def transmissions(interfaces, old=False):
    """One per joint; up to Groovy the interface stood in the actuator."""
    rows = zip(("a_joint", "b_joint", "c_joint"), interfaces, strict=True)
    said = [(joint, WORD.format(word)) for joint, word in rows]
    return "".join(
        GEAR.format(joint=joint, in_joint="" if old else word, in_actuator=word if old else "") for joint, word in said
    )


@pytest.mark.parametrize("word", ["PositionJointInterface", "VelocityJointInterface"])
def test_gears_that_a_servo_adds_are_said(bring, word):
    """A finger so light that no servo could hold it gets inertia, and the report says how much."""
    light = HEAVY.replace("0.02", "1e-7").replace('mass value="1"', 'mass value="1e-4"')
    text = urdf(GEAR.format(joint="c_joint", in_joint=WORD.format(word), in_actuator=""))
    text = text.replace(f'<link name="c">{HEAVY}', f'<link name="c">{light}')
    made, _ = bring(text, "arm.urdf")
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    gears = model.dof_armature[model.joint("c_joint").dofadr[0]]
    assert 0.9e-4 < gears < 1.1e-4
    assert f"gears of {gears:.2g} kg m²" in dict(made.report.assumed)["joint c_joint"]


@pytest.mark.parametrize("old", [False, True])
def test_transmissions_say_what_a_servo_follows(bring, old):
    words = ("hardware_interface/PositionJointInterface", "VelocityJointInterface", "EffortJointInterface")
    made, parts = bring(urdf(transmissions(words, old)), "arm.urdf")
    angle, speed, torque = (parts[f"{name}_joint_servo"] for name in "abc")
    assert (angle["low"], angle["high"], angle["rate_max"]) == (-1.0, 0.8, 2.0)
    assert (speed["low"], speed["high"]) == (-2.0, 2.0)
    assert (torque["low"], torque["high"]) == (-5.0, 5.0)
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    assert (model.jnt_actfrcrange[1:] == [-5.0, 5.0]).all()
    assert [what for what, _ in made.lost if "velocity" in what] == ["joint c_joint: limit velocity 2"]


def test_ros2_control_gives_servos_their_ends(bring):
    joint = (
        '<joint name="{}"><command_interface name="{}"><param name="min">{}</param><param name="max">{}</param>'
        '</command_interface><command_interface name="effort"/><state_interface name="position"/></joint>'
    )
    rows = (("a_joint", "position", -0.2, 0.5), ("b_joint", "velocity", -1.5, 1.5), ("gone", "position", 0, 1))
    inside = "".join(joint.format(*row) for row in rows)
    text = urdf(
        f'<ros2_control name="s" type="system"><hardware><plugin>p/P</plugin></hardware>{inside}</ros2_control>'
    )
    made, parts = bring(text, "arm.urdf")
    assert [parts["a_joint_servo"][end] for end in ("low", "high")] == [-0.2, 0.5]
    assert [parts["b_joint_servo"][end] for end in ("low", "high")] == [-1.5, 1.5]
    lost = [f"{what} {why}" for what, why in made.lost]
    assert any("there is no joint 'gone'" in row for row in lost)
    assert any("a_joint: effort" in row and "follows the position" in row for row in lost)
    assert any("c_joint" in what for what, taken in made.report.assumed if "nothing drives" in taken)


@pytest.mark.parametrize(
    ("plugin", "mode"),
    [
        ('filename="gz-sim-joint-controller-system" name="gz::sim::systems::JointController"', "speed"),
        ('filename="libignition-gazebo-joint-controller-system.so" name="x"', "speed"),
        ('filename="gz-sim-apply-joint-force-system" name="gz::sim::systems::ApplyJointForce"', "torque"),
        ('filename="x" name="gz::sim::systems::JointTrajectoryController"', "angle"),
        ('filename="libgazebo_ros_hand_of_god.so" name="x"', None),
    ],
)
def test_a_plugin_of_one_joint_drives_it_or_is_named(bring, plugin, mode):
    text = urdf(f"<gazebo><plugin {plugin}><joint_name>a_joint</joint_name></plugin></gazebo>")
    made, parts = bring(text, "arm.urdf")
    if mode is None:
        assert "a_joint_servo" not in parts and any("hand_of_god" in why for _, why in made.lost)
        return
    element = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml")).actuator("a_joint")
    follows = {"angle": element.biasprm[1] < 0, "speed": element.biasprm[2] < 0 == element.biasprm[1]}
    assert follows.get(mode, not element.biasprm.any()), element.biasprm
    assert parts["a_joint_servo"]["kind"] == "servo"


def test_a_joint_that_is_told_its_speed_keeps_it(bring):
    text = urdf(transmissions(("VelocityJointInterface", "PositionJointInterface", "PositionJointInterface")))
    made, _ = bring(text, "arm.urdf")
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    model.opt.gravity[:], model.opt.timestep = 0.0, 0.0005
    data = mujoco.MjData(model)
    for _ in range(400):
        data.ctrl[:] = [0.5, 0.3, 0.0]
        mujoco.mj_step(model, data)
    assert data.joint("a_joint").qvel[0] == pytest.approx(0.5, abs=0.02)
    assert data.joint("b_joint").qpos[0] == pytest.approx(0.3, abs=0.02)


DIFF = """<plugin {}><left_joint>rl_joint</left_joint><left_joint>fl_joint</left_joint>
<right_joint>rr_joint</right_joint>
<right_joint>fr_joint</right_joint><wheel_separation>0.4</wheel_separation><wheel_radius>0.1</wheel_radius>
<max_linear_velocity>1.5</max_linear_velocity></plugin>"""
CHANNEL = """<channel name="x"><input_scaling>{}</input_scaling><joint_control_type>{}</joint_control_type>
<joint_name>{}_joint</joint_name></channel>"""
STEERED = "".join(
    f"""<link name="{name}_knuckle"><pose>{x} {y} 0.1 0 0 0</pose><inertial><mass>0.1</mass><inertia><ixx>1e-3</ixx>
<iyy>1e-3</iyy><izz>1e-3</izz></inertia></inertial></link><joint name="{name}_knuckle_joint" type="revolute">
<parent>base</parent><child>{name}_knuckle</child><axis><xyz>0 0 {sign}</xyz><limit><lower>-0.5</lower>
<upper>0.5</upper></limit></axis></joint>"""
    for name, (x, y), sign in (("fl", PLACES["fl"], 1), ("fr", PLACES["fr"], -1))
)


def wheels(steered=False, signs=(1, 1, 1, 1)):
    parents = {name: f"{name}_knuckle" if steered and name[0] == "f" else "base" for name in PLACES}
    rows = zip(PLACES.items(), signs, strict=True)
    made = [WHEEL.format(name=name, x=x, y=y, parent=parents[name], sign=s) for (name, (x, y)), s in rows]
    return CHASSIS + (STEERED if steered else "") + "".join(made)


def rover(inside):
    return f'<sdf version="1.9"><model name="rover">{inside}</model></sdf>'


ROVERS = {
    "gz": wheels() + DIFF.format('filename="gz-sim-diff-drive-system" name="gz::sim::systems::DiffDrive"'),
    "ros": wheels() + DIFF.format('filename="libgazebo_ros_diff_drive.so" name="drive"'),
    # PX4's link to its autopilot names joints, and no sides; wheels and steering are found by where they are.
    "mavlink": wheels(True, (1, -1, 1, -1))
    + '<plugin name="mavlink_interface" filename="libgazebo_mavlink_interface.so"><control_channels>'
    + "".join(CHANNEL.format(15, "velocity", name) for name in ("rl", "rr"))
    + "".join(CHANNEL.format(0.5, "position", name) for name in ("fl_knuckle", "fr_knuckle"))
    + "</control_channels></plugin>",
}


# PX4's Ackermann rover: rear wheels hear a speed, plugins of their own hold the knuckles of the front ones at an angle.
ROVERS["held"] = (
    wheels(True, (1, 1, 1, 1))
    + "".join(
        '<plugin filename="gz-sim-joint-controller-system" name="gz::sim::systems::JointController">'
        f"<joint_name>{name}_joint</joint_name></plugin>"
        for name in ("rl", "rr")
    )
    + "".join(
        '<plugin filename="gz-sim-joint-position-controller-system" name="gz::sim::systems::JointPositionController">'
        f"<joint_name>{name}_knuckle_joint</joint_name><p_gain>10</p_gain><i_gain>0</i_gain></plugin>"
        for name in ("fl", "fr")
    )
)
PAN = """<link name="head"><pose>0 0 0.4 0 0 0</pose><inertial><mass>0.1</mass><inertia><ixx>1e-3</ixx><iyy>1e-3</iyy>
<izz>1e-3</izz></inertia></inertial><collision name="c"><geometry><box><size>0.05 0.05 0.05</size></box></geometry>
</collision></link><joint name="pan" type="revolute"><parent>base</parent><child>head</child><axis><xyz>0 0 1</xyz>
<limit><lower>{}</lower><upper>1</upper></limit></axis></joint>"""
PANNED = CHANNEL.format(1, "position", "pan").replace("pan_joint", "pan")


@pytest.mark.parametrize("low", [-1, 0])
def test_a_head_that_pans_does_not_steer(bring, low):
    """One that pans to one side only had ended the import with a division by zero."""
    driven = "".join(CHANNEL.format(15, "velocity", name) for name in ("rl", "rr")) + PANNED
    plugin = f'<plugin name="m" filename="libgazebo_mavlink_interface.so"><control_channels>{driven}'
    made, parts = bring(rover(wheels() + PAN.format(low) + plugin + "</control_channels></plugin>"), "rover.sdf")
    assert "pitch drives it, roll turns it" in made.flown_by
    assert parts["pan_servo"]["channel"] > 1 and parts["pan_servo"]["high"] == pytest.approx(1.0)
    assert dict(made.report.assumed)["wheels rl_joint, rr_joint"] == "ahead and turn have half of their speed each"


@pytest.mark.parametrize("name", ROVERS)
def test_a_rover_drives_ahead_and_turns_to_the_right(bring, name):
    made, _ = bring(rover(ROVERS[name]), "rover.sdf")
    assert "pitch drives it, roll turns it" in made.flown_by and made.next.endswith("--keyboard")
    world = cupola.load(str(made.run))
    world.run(0.2)
    world.sticks([0, -1, 0, -1])
    world.run(1.0)
    ahead = world.motion()
    assert 0.3 < ahead.pos_w.x < 1.6 and abs(ahead.pos_w.y) < 0.05
    world.sticks([1, -1, 0, -1])
    world.run(0.5)
    quat = world.motion().quat_wb
    assert math.degrees(2.0 * math.atan2(quat.z, quat.w)) < -5.0
    world.sticks([0, 0, 0, -1])
    world.run(1.0)
    assert math.hypot(*world.motion().vel_w[:2]) < 0.05


def test_a_thruster_pushes_along_its_joint(bring):
    """gz-sim's Thruster: 60 N ahead at full stick, 30 N back; a boat has no water here, which is said."""
    plugin = """<plugin filename="gz-sim-thruster-system" name="gz::sim::systems::Thruster">
    <joint_name>fl_joint</joint_name>
    <thrust_coefficient>0.004</thrust_coefficient><max_thrust_cmd>60</max_thrust_cmd><min_thrust_cmd>-30</min_thrust_cmd>
    </plugin><plugin filename="gz-sim-hydrodynamics-system" name="gz::sim::systems::Hydrodynamics"/>"""
    screw = WHEEL.format(name="fl", x=-0.3, y=0, parent="base", sign=0).replace(">0 0 0<", ">1 0 0<")
    made, parts = bring(rover(CHASSIS + screw + plugin), "boat.sdf")
    assert (parts["fl_thrust"]["low"], parts["fl_thrust"]["high"]) == (-0.5, 1.0)
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    data = mujoco.MjData(model)
    data.ctrl[0] = 0.5
    model.opt.gravity[:] = 0.0
    mujoco.mj_forward(model, data)
    assert data.qfrc_actuator[:3] == pytest.approx([30.0, 0.0, 0.0], abs=1e-9)
    assert any("gz-sim-hydrodynamics-system, which is not there here" in warning for warning in made.warnings)


def test_nozzles_in_space_push_along_z_of_their_links(bring):
    nozzle = """<link name="n"><pose>0 0.3 0.1 0 1.5707963267948966 0</pose></link><joint name="n_joint" type="fixed">
    <parent>base</parent><child>n</child></joint><plugin filename="gz-sim-spacecraft-thruster-model-system"
    name="gz::sim::systems::SpacecraftThrusterModel"><link_name>n</link_name><actuator_number>0</actuator_number>
    <max_thrust>1.4</max_thrust><duty_cycle_frequency>10</duty_cycle_frequency></plugin>"""
    made, parts = bring(rover(CHASSIS + nozzle), "craft.sdf")
    assert (parts["n_thrust"]["low"], parts["n_thrust"]["high"]) == (0.0, 1.0)
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    data = mujoco.MjData(model)
    data.ctrl[0] = 1.0
    mujoco.mj_forward(model, data)
    assert data.qfrc_actuator[:3] == pytest.approx([1.4, 0.0, 0.0], abs=1e-9)
    assert any("duty_cycle_frequency" in what for what, _ in made.lost)
