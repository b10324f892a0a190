"""Vehicles whose rotors tilt, whose root points elsewhere, or that share shafts: each flies, or says why not."""

import math
import re

import mujoco
import numpy as np
import pytest
import yaml

import cupola
from cupola.bridge.mjcf.folder import import_mjcf
from cupola.bridge.sdf.folder import import_file
from cupola.cli.commands import app
from cupola.schema.input_files import InputError

PX4, GZ = "libgazebo_motor_model.so", "gz-sim-multicopter-motor-model-system"
LIGHT = "<inertial><mass>0.01</mass><inertia><ixx>1e-5</ixx><iyy>1e-5</iyy><izz>1e-5</izz></inertia></inertial>"
FRAME = "<inertial><mass>1.5</mass><inertia><ixx>0.03</ixx><iyy>0.04</iyy><izz>0.06</izz></inertia></inertial>"
BOX = "<collision name='c'><geometry><box><size>0.4 0.4 0.1</size></box></geometry></collision>"
MAVLINK = """<plugin name="mavlink_interface" filename="libgazebo_mavlink_interface.so"><control_channels>{}
</control_channels></plugin>"""
CHANNEL = """<channel name="c"><joint_control_type>position</joint_control_type><input_scaling>1</input_scaling>
<joint_name>{}</joint_name></channel>"""


def base(pose="0 0 0 0 0 0", more=""):
    return f"<link name='base'><pose>{pose}</pose>{FRAME}{BOX}{more}</link>"


def hinge(parent, child, axis, low=-0.6, high=0.6):
    limit = f"<limit><lower>{low}</lower><upper>{high}</upper></limit>"
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    axes = f"<axis><xyz>{axis}</xyz>{limit}<use_parent_model_frame>1</use_parent_model_frame></axis>"
    return f"<joint name='{child}_joint' type='revolute'>{ends}{axes}</joint>"


def motor(k, turn, file=PX4, constant=1e-5):
    return f"""<plugin name="m{k}{turn}" filename="{file}"><jointName>r{k}_joint</jointName><linkName>r{k}</linkName>
    <turningDirection>{turn}</turningDirection><maxRotVelocity>1000</maxRotVelocity><motorConstant>{constant}</motorConstant>
    <momentConstant>0.02</momentConstant><motorNumber>{k}</motorNumber></plugin>"""


def rotor(k, pose, turn="cw", parent="base", axis="0 0 1", **options):
    joint = (
        f"<joint name='r{k}_joint' type='revolute'><parent>{parent}</parent><child>r{k}</child><axis><xyz>{axis}</xyz>"
    )
    link = f"<link name='r{k}'><pose>{pose}</pose>{LIGHT}</link>{joint}</axis></joint>"
    return link + motor(k, turn, **options)


def ring(count, tail=" 0 0 0", radius=0.3):
    around = [math.pi / 4 + 2.0 * math.pi * k / count for k in range(count)]
    return [f"{radius * math.cos(a):.6f} {radius * math.sin(a):.6f} 0{tail}" for a in around]


def quad(axis="0 0 1"):
    return "".join(rotor(k, place, ("cw", "ccw")[k % 2], axis=axis) for k, place in enumerate(ring(4)))


def surface(name, link, cp, area, joint="", gain=-1.0, up="0 0 1", a0=0.0):
    moved = f"<control_joint_name>{joint}</control_joint_name><control_joint_rad_to_cl>{gain}</control_joint_rad_to_cl>"
    return f"""<plugin name="{name}" filename="libLiftDragPlugin.so"><a0>{a0}</a0><cla>4.75</cla><cda>0.64</cda>
    <alpha_stall>0.34</alpha_stall><cla_stall>-3.85</cla_stall><cp>{cp}</cp><area>{area}</area><forward>1 0 0</forward>
    <upward>{up}</upward><link_name>{link}</link_name>{moved if joint else ""}<windSubTopic>w</windSubTopic></plugin>"""


def sdf(inside, pose="0 0 0 0 0 0"):
    return f"<sdf version='1.6'><model name='toy'><pose>{pose}</pose>{inside}</model></sdf>"


@pytest.fixture
def bring(tmp_path):
    def run(text, name="toy.sdf"):
        (tmp_path / name).write_text(text)
        return import_file(tmp_path / name, tmp_path / "out")

    return run


def holds_height(made, seconds=6.0):
    """Climbs by two metres, upright, and stays there."""
    assert "it hovers at" in made.flown_by, made.flown_by
    world = cupola.load(str(made.run))
    start = world.motion().pos_w
    world.run(seconds)
    at = world.motion()
    up = 1.0 - 2.0 * (at.quat_wb.x**2 + at.quat_wb.y**2)
    assert at.pos_w.z == pytest.approx(start.z + 2.0, abs=0.1) and up > 0.99
    assert math.hypot(at.pos_w.x - start.x, at.pos_w.y - start.y) < 0.2
    return world


def tricopter(low=-0.6, high=0.6):
    servo = f"<link name='servo'><pose>-0.3 0 0 0 0 0</pose>{LIGHT}</link>{hinge('base', 'servo', '1 0 0', low, high)}"
    front = rotor(0, "0.2 -0.25 0 0 0 0", "ccw") + rotor(1, "0.2 0.25 0 0 0 0", "cw")
    tail = rotor(2, "-0.3 0 0.03 0 0 0", "cw", parent="servo")
    return sdf(base() + front + servo + tail + MAVLINK.format(CHANNEL.format("servo_joint")))


def test_a_tricopter_turns_by_the_servo_that_tilts_its_tail(bring):
    made = bring(tricopter())
    assert "servo_joint_servo tilts r2" in made.flown_by
    world = holds_height(made)
    assert abs(world.data.joint(f"{world.instances[0].name}/servo_joint").qpos[0]) > 0.01  # it carries the torques


@pytest.mark.parametrize("ends", [(0.0, 0.6), (-0.05, 0.05)])
def test_a_tail_that_tilts_one_way_or_hardly_flies_nothing(bring, ends):
    made = bring(tricopter(*ends))
    assert "it has 3 rotors that lift; hovering needs 4, or 3 and a servo that tilts one" in made.flown_by


def tailsitter():
    place = ((0.15, "-0.3 0.15"), (0.15, "0.3 -0.15"), (0.15, "0.3 0.15"), (0.15, "-0.3 -0.15"))
    turns = ("ccw", "ccw", "cw", "cw")
    rotors = "".join(
        rotor(k, f"{x} {yz} 0 1.5707963 0", turn, axis="1 0 0")
        for k, ((x, yz), turn) in enumerate(zip(place, turns, strict=True))
    )
    return base() + rotors + surface("l", "base", "0 0.3 0", 0.2) + surface("r", "base", "0 -0.3 0", 0.2)


def test_a_tailsitter_hovers_on_its_tail(bring):
    """Nose up at the start, thrust along x of its root: it gets a root that stands."""
    made = bring(sdf(tailsitter(), "1 2 0.3 0 -1.5707963 0.5"))
    world = holds_height(made)
    vehicle = yaml.safe_load((made.folder / "vehicle.yaml").read_text())
    assert vehicle["root"] == "base_upright" and dict(made.report.assumed)["root"].startswith("base_upright")
    nose = world.data.body(f"{world.instances[0].name}/base").xmat.reshape(3, 3)[:, 0]
    assert nose[2] > 0.99
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    assert model.body_subtreemass[model.body("base_upright").id] == pytest.approx(1.54, rel=1e-12)
    assert model.body("base").mass[0] == 1.5


def test_a_root_with_z_down_hovers_all_the_same(bring):
    made = bring(sdf(base("0 0 0 3.14159265 0 0") + quad("0 0 1")))
    assert dict(made.report.assumed)["root"].startswith("base_upright")
    holds_height(made)


def test_two_motors_on_one_shaft_are_two_rotors(bring):
    both = "".join(rotor(k, place) + motor(k, "ccw").replace(f"<motorNumber>{k}", f"<motorNumber>{k + 4}")
                   for k, place in enumerate(ring(4)))  # fmt: skip
    made = bring(sdf(base() + both))
    assert "mixer of 8 rotors" in made.flown_by and not made.lost
    holds_height(made)


def test_rotors_that_cannot_balance_say_which(bring):
    """All lean the same way round: thrust, roll, pitch and yaw are independent, and yet it cannot stand still."""
    places = [f"{p} 0.35 0 {math.pi / 4 + k * math.pi / 3:.6f}" for k, p in enumerate(ring(6, ""))]
    turning = "".join(rotor(k, place, ("cw", "ccw")[k % 2], axis="0 0 1") for k, place in enumerate(places))
    made = bring(sdf(base() + turning))
    assert "would have to push" in made.flown_by and "pass_through" in made.flown_by


WING = (
    "<link name='base'><inertial><mass>1.4</mass><inertia><ixx>0.1</ixx><iyy>0.06</iyy><izz>0.15</izz></inertia>"
    f"</inertial>{BOX}</link>{rotor(0, '-0.25 0 0 0 1.5707963 0', axis='1 0 0', constant=2e-5)}"
    + "".join(
        f"<link name='{s}'><pose>-0.15 {y} 0 0 0 0</pose>{LIGHT}</link>{hinge('base', s, '0 1 0', -0.7, 0.7)}"
        for s, y in (("left", 0.4), ("right", -0.4))
    )
    + "".join(
        surface(f"w{s}", "base", f"-0.03 {y} 0", 0.3, f"{s}_joint", -0.5, a0=0.06)
        + surface(f"t{s}", "base", f"-0.25 {1.3 * y} 0", 0.05, f"{s}_joint", -1.0, a0=-0.05)
        for s, y in (("left", 0.35), ("right", -0.35))
    )
    + surface("fin", "base", "-0.25 0 0.05", 0.04, up="0 1 0")
    + MAVLINK.format(CHANNEL.format("left_joint") + CHANNEL.format("right_joint"))
)


def test_elevons_serve_two_sticks_and_are_trimmed_by_both(bring):
    """The second actuator of an elevon only adds its share: level flight is found with it, and flown."""
    made = bring(sdf(WING))
    assert made.flown_by.startswith("plane_hold"), made.flown_by
    world = cupola.load(str(made.run))
    world.run(8.0)
    at = world.motion()
    assert at.pos_w.z == pytest.approx(100.0, abs=3.0) and 1.0 - 2.0 * (at.quat_wb.x**2 + at.quat_wb.y**2) > 0.9


def turned(text, quarters):
    """The model of a text drawn with its nose elsewhere, by quarters of a turn to the left: same places, other axes."""

    def turn(found):
        numbers = found[2].split()
        for start in range(0, len(numbers), 3):
            x, y, z = numbers[start : start + 3]
            for _ in range(quarters):
                x, y = y[1:] if y.startswith("-") else f"-{y}", x
            numbers[start : start + 3] = x, y, z
        return found[1] + " ".join(numbers) + found[3]

    text = re.sub(r"(<(?:pose|cp|forward|upward|xyz)>)([^<]*)(</)", turn, text)
    swap = {"ixx": "iyy", "iyy": "ixx"} if quarters % 2 else {}
    return re.sub(r"(</?)(ixx|iyy)>", lambda found: f"{found[1]}{swap.get(found[2], found[2])}>", text)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_plane_flies_along_its_propeller_wherever_its_axes_point(bring, quarters):
    """The same plane, drawn with its nose along y, -x or -y, gets the same gains, and flies."""
    straight = bring(sdf(WING))
    gains = yaml.safe_load((straight.folder / "vehicle.yaml").read_text())["controller"]["parameters"]
    straight.folder.rename(straight.folder.with_name("straight"))
    made = bring(sdf(turned(WING, quarters)))
    assert made.flown_by.startswith("plane_hold"), made.flown_by
    assert dict(made.report.assumed)["root"].startswith("base_nose, whose x axis is the direction of the propellers")
    found = yaml.safe_load((made.folder / "vehicle.yaml").read_text())
    assert found["root"] == "base_nose" and found["controller"]["parameters"] == pytest.approx(gains, rel=1e-3)
    world = cupola.load(str(made.run))
    began = world.motion().pos_w
    world.run(8.0)
    at = world.motion()
    assert at.pos_w.z == pytest.approx(100.0, abs=3.0) and 1.0 - 2.0 * (at.quat_wb.x**2 + at.quat_wb.y**2) > 0.9
    assert at.vel_b.x > 5.0 and math.dist(at.pos_w[:2], began[:2]) > 30.0


def test_a_plane_that_is_not_flown_says_what_its_wings_lack(bring):
    no_motor = WING.replace(rotor(0, "-0.25 0 0 0 1.5707963 0", axis="1 0 0", constant=2e-5), "")
    assert "it has surfaces, and nothing that pulls it" in bring(sdf(no_motor)).flown_by


def test_a_joint_that_tilts_a_rotor_or_a_camera_is_no_idle_surface(bring):
    eye = "<sensor name='s' type='camera'><camera><image><width>8</width><height>8</height></image></camera></sensor>"
    gimbal = f"<link name='gimbal'>{LIGHT}{eye}</link>{hinge('base', 'gimbal', '0 1 0')}"
    idle = f"<link name='idle'>{LIGHT}</link>{hinge('base', 'idle', '0 1 0')}"
    more = MAVLINK.format(CHANNEL.format("gimbal_joint") + CHANNEL.format("idle_joint"))
    made = bring(sdf(WING + gimbal + idle + more))
    assert [warning for warning in made.warnings if "effect" in warning] == [
        "idle_joint moves without any effect on the air"
    ]


def test_a_submarine_without_weight_or_water_says_so(bring):
    """It would drift away without a word: gravity is off in its file, and its plugin is not here."""
    plugin = "<plugin name='u' filename='libgazebo_uuv_plugin.so'><baseLinkName>base</baseLinkName></plugin>"
    made = bring(sdf(base(more="<gravity>0</gravity>") + quad() + plugin))
    said = " ".join(made.warnings)
    assert "libgazebo_uuv_plugin.so, which is not there here: nothing brakes or holds it" in said
    assert "gravity switched off" in said and "whole weight" not in said


def test_a_model_of_a_server_is_one_of_that_name_beside_it(tmp_path):
    (tmp_path / "toy_base").mkdir()
    (tmp_path / "toy_base" / "model.sdf").write_text(sdf(base() + quad()))
    (tmp_path / "toy").mkdir()
    uri = "https://fuel.gazebosim.org/1.0/somebody/models/{}"
    include = f"<include merge='true'><uri>{uri}</uri></include>"
    for name, found in (("toy_base/2", True), ("missing", False)):
        text = f"<sdf version='1.9'><model name='toy'>{include.format(name)}{base() if not found else ''}</model></sdf>"
        (tmp_path / "toy" / "model.sdf").write_text(text)
        made = import_file(tmp_path / "toy" / "model.sdf", tmp_path / f"out_{found}")
        assert ("hovers" in made.flown_by) == found
        assert any("nothing is downloaded" in taken for _, taken in made.report.assumed) == found
        assert any("there is no 'https" in why for _, why in made.lost) != found


def test_inertia_that_fills_the_shapes_and_inertia_that_nobody_wrote(bring):
    """SDF 1.11: automatic, by collision shapes and their densities; against closed forms."""
    shapes = (
        "<collision name='b'><pose>0.1 0 0 0 0 0</pose><density>500</density><geometry><box><size>0.2 0.4 0.6</size>"
        "</box></geometry></collision><collision name='s'><pose>-0.5 0 0 0 0 0</pose><geometry><sphere>"
        "<radius>0.1</radius></sphere></geometry></collision>"
    )
    auto = f"<link name='base'><inertial auto='true'><density>800</density></inertial>{shapes}</link>"
    made = bring(sdf(auto).replace("1.6", "1.11"))
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    box, ball = 500.0 * 0.048, 800.0 * 4.0 / 3.0 * math.pi * 1e-3
    centre = (0.1 * box - 0.5 * ball) / (box + ball)
    about_z = box * (0.04 + 0.16) / 12 + box * (0.1 - centre) ** 2 + 0.4 * ball * 0.01 + ball * (0.5 + centre) ** 2
    assert model.body("base").mass[0] == pytest.approx(box + ball, rel=1e-12)
    np.testing.assert_allclose(model.body("base").ipos, [centre, 0, 0], atol=1e-12)
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, model.body("base").iquat)
    tensor = turn.reshape(3, 3) @ np.diag(model.body("base").inertia) @ turn.reshape(3, 3).T
    assert tensor[2, 2] == pytest.approx(about_z, rel=1e-12)


def test_a_piece_of_a_mujoco_model_is_answered_with_what_it_is(tmp_path):
    (tmp_path / "piece.xml").write_text("<mujocoinclude><geom/></mujocoinclude>")
    with pytest.raises(InputError, match="a piece of a MuJoCo model, <mujocoinclude>; import the file that"):
        app(["import", str(tmp_path / "piece.xml")], standalone_mode=False)


def test_an_inertia_that_is_left_out_is_the_formats_and_is_said(bring):
    made = bring(sdf("<link name='base'><inertial><mass>2</mass></inertial></link>"))
    assert any("no <inertia/ixx>, <inertia/iyy>, <inertia/izz>: SDF's defaults" in t for _, t in made.report.assumed)


CARD = """<mujoco><worldbody><body name="table" pos="1 0 0"><geom size=".1"/></body><body name="ball"><freejoint/>
<geom size=".1"/></body><body name="arm"><joint name="j" axis="0 1 0"/><geom size=".1"/></body></worldbody>
{}</mujoco>"""


@pytest.mark.parametrize(
    ("more", "name"),
    [('<actuator><motor joint="j"/></actuator>', "arm"), ("", "ball")],
    ids=["what actuators act on", "what is free"],
)
def test_of_several_bodies_the_one_that_acts_is_the_vehicle(tmp_path, more, name):
    (tmp_path / "card.xml").write_text(CARD.format(more))
    made = import_mjcf(tmp_path / "card.xml", tmp_path / "out")
    assert yaml.safe_load((made.folder / "vehicle.yaml").read_text())["root"] == name
    (tmp_path / "two.xml").write_text(
        CARD.format(more).replace("<freejoint/>", "").replace('<joint name="j" axis="0 1 0"/>', "")
    )
    if not more:
        with pytest.raises(InputError, match="bodies on the world: table, ball, arm; --model says which"):
            import_mjcf(tmp_path / "two.xml", tmp_path / "out2")


RING = """<mujoco><worldbody><body name="{body}" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .02" mass="1"/>
<replicate count="4" euler="0 0 90" sep="_"><site name="s" pos=".15 .15 0"/></replicate></body></worldbody><actuator>
<motor site="s_0" gear="0 0 1 0 0 .02" ctrlrange="0 6"/><motor site="s_1" gear="0 0 1 0 0 -.02" ctrlrange="0 6"/>
<motor site="s_2" gear="0 0 1 0 0 .02" ctrlrange="0 6"/><motor site="s_3" gear="0 0 1 0 0 -.02" ctrlrange="0 6"/>
</actuator></mujoco>"""


def test_rotors_of_a_replicate_are_where_mujoco_puts_them(tmp_path):
    (tmp_path / "ring.xml").write_text(RING.format(body="hub"))
    made = import_mjcf(tmp_path / "ring.xml", tmp_path / "out")
    holds_height(made)


def test_a_turning_direction_that_is_none_is_mended_and_listed(bring):
    made = bring(sdf(base() + quad().replace(">ccw<", ">widdershins<")))
    assert sum(row.was == "widdershins" and row.now == "ccw" for row in made.report.repaired) == 2


SHAPES = {
    "box": ("<box><size>0.2 0.4 0.6</size></box>", 0.3),
    "sphere": ("<sphere><radius>0.25</radius></sphere>", 0.25),
    "cylinder": ("<cylinder><radius>0.1</radius><length>0.8</length></cylinder>", 0.4),
    "capsule": ("<capsule><radius>0.1</radius><length>0.8</length></capsule>", 0.5),
    "ellipsoid": ("<ellipsoid><radii>0.1 0.2 0.35</radii></ellipsoid>", 0.35),
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_model_begins_on_the_ground_and_not_in_it(bring, name):
    """PX4's own models do begin in it, and were thrown into the air."""
    shape, deep = SHAPES[name]
    link = f"<link name='base'>{FRAME}<collision name='c'><geometry>{shape}</geometry></collision></link>"
    made = bring(sdf(link, "0 0 0.1 0 0 0"))
    vehicle = yaml.safe_load((made.folder / "vehicle.yaml").read_text())
    assert vehicle["start"]["position"] == pytest.approx([0, 0, deep], abs=1e-9)
    assert any(what == "start" and "lifted by" in taken for what, taken in made.report.assumed)
    world = cupola.load(str(made.run))
    world.run(0.1)
    assert abs(world.motion().vel_w.z) < 0.05


JSK = """<robot name="mini"><m_f_rate value="{rate}"/><link name="body"><inertial><mass value="1"/><inertia ixx="0.01"
iyy="0.01" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial><collision><geometry><box size="0.2 0.2 0.05"/></geometry>
</collision></link>{rotors}</robot>"""
JSK_ROTOR = """<link name="thrust{k}"><inertial><mass value="0.01"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0"
ixz="0" iyz="0"/></inertial></link><joint name="rotor{k}" type="continuous">{limit}<parent link="body"/>
<child link="thrust{k}"/><origin xyz="{x} {y} 0.02"/><axis xyz="0 0 {turn}"/></joint><transmission name="t{k}">
<type>transmission_interface/SimpleTransmission</type><joint name="rotor{k}">
<hardwareInterface>RotorInterface</hardwareInterface></joint><actuator name="m{k}"><mechanicalReduction>1
</mechanicalReduction></actuator></transmission>"""
JSK_LIMIT = '<limit effort="100" lower="0" upper="6" velocity="0.5"/>'


def jsk(rate=-0.011, limit=JSK_LIMIT):
    places = [(0.1, -0.1, 1), (0.1, 0.1, -1), (-0.1, 0.1, 1), (-0.1, -0.1, -1)]
    rotors = (JSK_ROTOR.format(k=k, x=x, y=y, turn=turn, limit=limit) for k, (x, y, turn) in enumerate(places, 1))
    return JSK.format(rate=rate, rotors="".join(rotors))


@pytest.mark.parametrize("rate", [-0.011, 0.011])
def test_rotors_that_are_written_as_joints_fly(bring, rate):
    """jsk_aerial_robot: they became servos of angle before, and the drone lay on the floor."""
    made = bring(jsk(rate), "mini.urdf")
    assert "mixer of 4 rotors" in made.flown_by
    parts = yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]
    first = parts["rotor1"]
    assert first["lagged"]["k_thrust"] * first["lagged"]["speed_max"] ** 2 == pytest.approx(6.0)
    assert first["lagged"]["k_torque"] / first["lagged"]["k_thrust"] == pytest.approx(0.011)
    assert [parts[f"rotor{k}"]["direction"] for k in (1, 2, 3, 4)] == ([1, -1, 1, -1] if rate < 0 else [-1, 1, -1, 1])
    assert "a rotor of 6 N" in " ".join(why for _, why in made.report.assumed)
    holds_height(made)


def test_a_rotor_whose_joint_says_no_thrust_is_listed(bring):
    made = bring(jsk(limit=""), "mini.urdf")
    assert any("whose joint has no upper limit, its thrust [N]" in why for _, why in made.lost)
