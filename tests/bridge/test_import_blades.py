"""Propellers made of LiftDrag surfaces on a shaft that ArduPilot's plugin turns: kept as they are, and flown."""

import mujoco
import numpy as np
import pytest
import yaml

import cupola
from cupola.bridge.sdf.folder import import_file

RADIUS, AREA, SLOPE, ZERO, DRAG, DENSITY, FASTEST = 0.08, 0.002, 4.0, 0.3, 0.3, 1.2, 800.0
CORNERS = {0: (0.15, -0.2, 1), 1: (-0.15, 0.2, 1), 2: (0.15, 0.2, -1), 3: (-0.15, -0.2, -1)}
"""Place of each propeller, and 1 if it turns counterclockwise from above."""
BODY = """<link name="base"><pose>0 0 0.1 0 0 0</pose><inertial><mass>1.5</mass><inertia><ixx>0.01</ixx><iyy>0.01</iyy>
<izz>0.02</izz></inertia></inertial><collision name="c"><geometry><box><size>0.4 0.4 0.1</size></box></geometry>
</collision></link>"""


def blade(link, side, turn, word="gz-sim-lift-drag-system"):
    return f"""<plugin filename="{word}" name="gz::sim::systems::LiftDrag"><a0>{ZERO}</a0><cla>{SLOPE}</cla>
    <cda>{DRAG}</cda><cma>0</cma><alpha_stall>1.4</alpha_stall><area>{AREA}</area><air_density>{DENSITY}</air_density>
    <cp>{side * RADIUS} 0 0</cp><forward>0 {side * turn} 0</forward><upward>0 0 1</upward>
    <link_name>{link}</link_name></plugin>"""


def propeller(k, x, y, turn):
    inertial = "<mass>0.02</mass><inertia><ixx>1e-5</ixx><iyy>1e-5</iyy><izz>2e-5</izz></inertia>"
    ends = f"<parent>base</parent><child>r{k}</child><axis><xyz>0 0 1</xyz></axis>"
    link = f'<link name="r{k}"><pose>{x} {y} 0.2 0 0 0</pose><inertial>{inertial}</inertial></link>'
    return (
        f'{link}<joint name="j{k}" type="revolute">{ends}</joint>' + blade(f"r{k}", 1, turn) + blade(f"r{k}", -1, turn)
    )


def control(joint, multiplier, offset=0, kind="VELOCITY"):
    said = f"<multiplier>{multiplier}</multiplier><offset>{offset}</offset><type>{kind}</type>"
    return f"<control channel='0'><jointName>{joint}</jointName>{said}</control>"


def ardupilot(controls):
    return f'<plugin name="ArduPilotPlugin" filename="ArduPilotPlugin">{"".join(controls)}</plugin>'


PUSH = """<plugin filename="gz-sim-apply-joint-force-system" name="gz::sim::systems::ApplyJointForce">
<joint_name>{}</joint_name></plugin>"""
CONTROLS = [control(f"j{k}", turn * FASTEST) for k, (_, _, turn) in CORNERS.items()]
PROPELLERS = "".join(propeller(k, *place) for k, place in CORNERS.items())


@pytest.fixture
def bring(tmp_path):
    def run(body, version="1.9"):
        (tmp_path / "q.sdf").write_text(f'<sdf version="{version}"><model name="q">{body}</model></sdf>')
        made = import_file(tmp_path / "q.sdf", tmp_path / "out")
        model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
        return made, yaml.safe_load((made.folder / "vehicle.yaml").read_text()), model

    return run


def test_blades_are_kept_and_a_mixer_commands_their_shafts(bring):
    """Thrust and torque by hand, and the flight: it hovers where it was told to, in 8 s."""
    pushed = "".join(PUSH.format(f"j{k}") for k in CORNERS)  # how the plugin moves them; it says nothing of how far
    made, vehicle, model = bring(BODY + PROPELLERS + pushed + ardupilot(CONTROLS))
    assert sum(part["kind"] == "liftdrag" for part in vehicle["parts"].values()) == 8
    assert sum(model.jnt_type == mujoco.mjtJoint.mjJNT_HINGE) == 4
    shafts = vehicle["parts"]["mixer"]["shafts"]
    pressure = 0.5 * DENSITY * (FASTEST * RADIUS) ** 2
    thrust, braked = 2 * pressure * AREA * SLOPE * ZERO, 2 * pressure * AREA * DRAG * ZERO * RADIUS
    for k, (_, _, turn) in CORNERS.items():
        shaft = shafts[f"j{k}_servo"]
        assert shaft["thrust"] == pytest.approx(thrust) and shaft["ratio"] == pytest.approx(-turn * braked / thrust)
        assert model.actuator(f"j{k}").gainprm[0] / -model.actuator(f"j{k}").biasprm[2] == pytest.approx(turn * FASTEST)
    assert not any("without any effect" in warning for warning in made.warnings)
    world = cupola.load(str(made.run))
    world.run(8.0)
    assert world.motion().pos_w == pytest.approx((0.0, 0.0, 2.1), abs=0.1)
    assert abs(world.motion().rate_b.z) < 0.05


def test_a_propeller_that_turns_backwards_or_carries_no_blades_is_no_throttle(bring):
    """The plugin's law knows no force where the air comes from behind; such a shaft keeps its speed on its channel."""
    wrong = [control(f"j{k}", -turn * FASTEST if k == 3 else turn * FASTEST) for k, (_, _, turn) in CORNERS.items()]
    made, vehicle, _ = bring(BODY + PROPELLERS + ardupilot(wrong))
    assert "mixer" not in vehicle["parts"]
    assert vehicle["parts"]["j3_servo"]["low"] == pytest.approx(-0.0 if CORNERS[3][2] < 0 else -FASTEST)
    assert "3 rotors that lift" in made.flown_by or "nothing that pulls it" in made.flown_by


@pytest.mark.parametrize(
    ("multiplier", "offset", "ends"),
    [(1.0, -0.5, (-0.5, 0.5)), (-1.0, -0.5, (-0.5, 0.5)), (0.4, 0.0, (0.0, 0.4)), (-0.4, 0.0, (-0.4, 0.0))],
)
def test_a_position_channel_has_the_ends_of_its_offset(bring, multiplier, offset, ends):
    arm = """<link name="arm"><inertial><mass>1</mass></inertial></link><joint name="tilt" type="revolute">
    <parent>base</parent><child>arm</child><axis><xyz>0 1 0</xyz></axis></joint>"""
    part = bring(BODY + arm + ardupilot([control("tilt", multiplier, offset, "POSITION")]))[1]["parts"]["tilt_servo"]
    assert (part["low"], part["high"]) == pytest.approx(ends)


def test_a_channel_that_goes_to_another_plugin_leaves_the_joint_to_that(bring):
    """COMMAND: the autopilot speaks to a topic; here a position controller listens."""
    arm = """<link name="arm"><inertial><mass>1</mass></inertial></link><joint name="tilt" type="revolute">
    <parent>base</parent><child>arm</child><axis><xyz>0 1 0</xyz></axis></joint><plugin
    filename="gz-sim-joint-position-controller-system" name="gz::sim::systems::JointPositionController">
    <joint_name>tilt</joint_name><p_gain>3</p_gain></plugin>"""
    _, vehicle, model = bring(BODY + arm + ardupilot([control("tilt", 2.0, -0.5, "COMMAND")]))
    assert model.actuator("tilt").biasprm[1] == pytest.approx(-3.0)
    assert [name for name, part in vehicle["parts"].items() if part["kind"] == "servo"] == ["tilt_servo"]


def across(name, y, roll):
    """A propeller that pulls along y, or against it."""
    link = f'<link name="{name}"><pose>0 {y} 0.1 {roll} 0 0</pose><inertial><mass>0.02</mass></inertial></link>'
    ends = f"<parent>base</parent><child>{name}</child><axis><xyz>0 0 1</xyz></axis>"
    return f'{link}<joint name="j{name}" type="revolute">{ends}</joint>{blade(name, 1, 1)}{blade(name, -1, 1)}'


def test_rotors_that_pull_in_two_directions_are_named_where_a_plane_is_looked_for(bring):
    both = [control("jp", FASTEST), control("jq", FASTEST)]
    made, _, _ = bring(BODY + across("p", 0.3, -1.5707963) + across("q", -0.3, 1.5707963) + ardupilot(both))
    said = "nothing that pulls it along x, where a plane has its nose: jp_servo pushes along (0, 1, 0), jq_servo pushes"
    assert said in made.flown_by


def test_a_propeller_across_the_nose_without_surfaces_that_move_says_so(bring):
    made, vehicle, _ = bring(BODY + across("p", 0.3, -1.5707963) + ardupilot([control("jp", FASTEST)]))
    assert "no level flight was found: no joint of it moves a surface" in made.flown_by
    assert vehicle["root"] == "base"


ELEVON = """<link name="elevon"><pose>-0.4 0 0 0 0 0</pose><inertial><mass>0.02</mass></inertial></link>
<joint name="je" type="revolute"><parent>base</parent><child>elevon</child><axis><xyz>0 1 0</xyz><limit>
<lower>-0.5</lower><upper>0.5</upper></limit></axis></joint>
<plugin filename="gz-sim-lift-drag-system" name="gz::sim::systems::LiftDrag">
<cla>4</cla><cda>0.5</cda><alpha_stall>0.3</alpha_stall><area>0.5</area><forward>1 0 0</forward><upward>0 0 1</upward>
<link_name>base</link_name><control_joint_name>je</control_joint_name><control_joint_rad_to_cl>-1
</control_joint_rad_to_cl></plugin>"""


def test_a_plane_whose_propeller_is_blades_says_that_trim_does_not_know_their_thrust(bring):
    """ArduPilot's Skywalker X8: its import had ended with `3 is not in list`."""
    pull = across("p", 0, 0).replace("<pose>0 0 0.1 0 0 0", "<pose>0.3 0 0.1 0 1.5707963 0")
    both = [control("jp", FASTEST), control("je", 1.0, -0.5, "POSITION")]
    made, vehicle, _ = bring(BODY + pull + ELEVON + ardupilot(both))
    assert "trim finds no throttle: it knows no thrust of jp_servo" in made.flown_by
    assert vehicle["parts"]["je_servo"]["high"] == pytest.approx(0.5)


@pytest.mark.parametrize(("version", "expected"), [("1.6", (0, 0, 1)), ("1.7", (1, 0, 0)), ("1.11", (1, 0, 0))])
def test_the_frame_of_an_axis_is_no_longer_said_by_a_flag(bring, version, expected):
    """Files that were lifted to a newer version by hand still have it, and gz-sim passes it over."""
    arm = '<link name="arm"><pose>0 0 0 0 1.5707963267948966 0</pose><inertial><mass>1</mass></inertial></link>'
    flag = "<axis><xyz>0 0 1</xyz><use_parent_model_frame>1</use_parent_model_frame></axis>"
    ends = f"<parent>base</parent><child>arm</child>{flag}"
    made, _, model = bring(f'{BODY}{arm}<joint name="j" type="revolute">{ends}</joint>', version)
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    np.testing.assert_allclose(data.xaxis[model.joint("j").id], expected, atol=1e-12)
    assert any("use_parent_model_frame" in what for what, _ in made.lost) == (version != "1.6")
