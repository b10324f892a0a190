"""Faults and habits of Gazebo's files in general: each is tolerated and listed, or said in one sentence."""

from typing import Any

import mujoco
import numpy as np
import pytest
import yaml

import cupola
from cupola.bridge.report import Report
from cupola.bridge.sdf.document import model_of
from cupola.bridge.sdf.folder import import_file
from cupola.bridge.tolerant_xml import read_tolerant
from cupola.cli.commands import app
from cupola.schema.input_files import InputError

INERTIAL = "<inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia></inertial>"
BALL = "<collision name='c'><geometry><sphere><radius>0.1</radius></sphere></geometry></collision>"
WING = """<plugin name="wing" filename="{file}"><link_name>{link}</link_name><cla>4</cla><area>0.5</area>{more}
<control_joint_name>
  elbow
</control_joint_name></plugin>"""
ARM = f"""<link name="base">{INERTIAL}{BALL}</link><link name="arm">{INERTIAL}</link>
<joint name="elbow" type="revolute"><parent>base</parent><child>arm</child><axis><xyz>0 1 0</xyz>
<limit><lower>-0.5</lower><upper>0.5</upper></limit></axis></joint>"""


def model(inside, name="toy", version="1.6"):
    return f'<sdf version="{version}"><model name="{name}">{inside}</model></sdf>'


def world(inside, version="1.4"):
    return f'<sdf version="{version}"><world name="w">{inside}</world></sdf>'


@pytest.fixture
def bring(tmp_path):
    def run(text, file="toy.sdf", **options):
        source = tmp_path / file
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        return import_file(source, tmp_path / f"out{len(list(tmp_path.glob('out*')))}", **options)

    return run


def parts_of(made):
    return yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]


@pytest.mark.parametrize(
    ("file", "more", "around", "mode"),
    [
        ("libLiftDragPlugin.so", "", "", "faithful"),
        ("libLiftDragPlugin.so", "<windSubTopic>world_wind</windSubTopic>", "", "px4"),
        ("libLiftDragPlugin.so", "<cm_delta>0.1</cm_delta>", "", "px4"),
        ("libLiftDragPlugin.so", "", '<plugin name="m" filename="libgazebo_barometer_plugin.so"/>', "px4"),
        ("libLiftDragPlugin.so", "", '<plugin name="m" filename="libgazebo_ros_camera.so"/>', "faithful"),
        ("gz-sim-lift-drag-system", "", "", "gz"),
        ("gz-sim8-lift-drag-system", "", "", "gz"),
        ("libignition-gazebo-lift-drag-system.so", "", "", "gz"),
        ("ignition-gazebo-lift-drag-system", "", '<plugin name="m" filename="libgazebo_gps_plugin.so"/>', "gz"),
    ],
)
def test_the_origin_decides_the_law(bring, file, more, around, mode):
    made = bring(model(ARM + WING.format(file=file, link="arm", more=more) + around))
    (wing,) = (part for part in parts_of(made).values() if part["kind"] == "liftdrag")
    assert wing["mode"] == mode
    assert any("law of" in what for what, _ in made.report.assumed)


def test_a_dialect_can_be_given(bring, tmp_path):
    text = model(ARM + WING.format(file="libLiftDragPlugin.so", link="arm", more=""))
    assert parts_of(bring(text, dialect="px4"))["wing"]["mode"] == "px4"
    with pytest.raises(InputError, match="there is no 'ode'; there are: gazebo-classic, px4, gz-sim"):
        app(["import", str(tmp_path / "toy.sdf"), "--dialect", "ode"], standalone_mode=False)


@pytest.mark.parametrize("link", ["arm", "toy::arm", "toy::base", "inner::arm", "wrong::arm"])
def test_names_with_their_model_before_them(bring, link):
    made = bring(model(ARM + WING.format(file="libLiftDragPlugin.so", link=link, more="")))
    wing = parts_of(made).get("wing")
    if link.startswith("toy") or link == "arm":
        assert wing is not None and wing["site"] == link.rpartition("::")[2]
        assert wing["controls"][0]["joint"] == "elbow"
    else:
        assert wing is None and any("there is no link" in why and "base, arm" in why for _, why in made.lost)


def test_a_control_joint_gets_a_servo_that_holds_it(bring):
    made = bring(model(ARM + WING.format(file="libLiftDragPlugin.so", link="base", more="")))
    servo = parts_of(made)["elbow_servo"]
    assert (servo["kind"], servo["low"], servo["high"]) == ("servo", -0.5, 0.5)
    compiled = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    data = mujoco.MjData(compiled)
    data.ctrl[0] = 0.3
    compiled.opt.gravity[:] = 0.0
    for _ in range(1000):
        mujoco.mj_step(compiled, data)
    assert data.joint("elbow").qpos[0] == pytest.approx(0.3, abs=1e-3)
    assert any("elbow" in what and "servo" in taken for what, taken in made.report.assumed)


@pytest.mark.parametrize("place", ["<physics type='ode'><gravity>0 0 -3.7</gravity></physics>",
                                   "<gravity>0 0 -3.7</gravity><physics type='ode'/>"])  # fmt: skip
def test_gravity_of_either_format(bring, place):
    made = bring(world(place + f"<model name='toy'><link name='base'>{INERTIAL}{BALL}</link></model>"), "w.world")
    assert yaml.safe_load((made.folder / "scenario.yaml").read_text())["gravity"] == 3.7


def test_ground_and_sun_are_built_in_and_without_ground_it_is_said(bring):
    toy = f"<model name='toy'><link name='base'>{INERTIAL}{BALL}</link></model>"
    ground = "<include><uri>model://sun</uri></include><include><uri>model://ground_plane</uri></include>"
    made = bring(world(ground + toy), "w.world")
    assert yaml.safe_load((made.folder / "scenario.yaml").read_text())["floor"]
    assert not any("nothing holds it up" in warning for warning in made.warnings)
    bare = bring(world(toy), "bare.world")
    assert any("nothing holds it up: the world has no ground" in warning for warning in bare.warnings)
    ghost = bring(world(ground + toy.replace(BALL, "")), "ghost.world")
    assert any("it has no collision shape" in warning for warning in ghost.warnings)


def test_a_fall_is_no_flight(bring, capsys):
    made = bring(world(f"<model name='toy'><link name='base'>{INERTIAL}</link></model>"), "w.world")
    app(["run", str(made.run), "--duration", "4"], standalone_mode=False)
    assert "this was no flight" in capsys.readouterr().out


def test_a_folder_whose_sdf_has_another_name(tmp_path):
    folder = tmp_path / "thing"
    folder.mkdir()
    for name in ("old.sdf", "new.sdf", "other.sdf"):
        (folder / name).write_text(model(f"<link name='base'>{INERTIAL}</link>"))
    with pytest.raises(InputError, match=r"new\.sdf, old\.sdf, other\.sdf"):
        model_of(folder, Report())
    config = "<model><sdf version='1.10'>new.sdf</sdf><sdf version='1.4'>old.sdf</sdf></model>"
    (folder / "model.config").write_text(config)
    assert model_of(folder, Report()).name == "new.sdf"
    app(["import", str(folder), "-o", str(tmp_path / "made")], standalone_mode=False)
    assert (tmp_path / "made" / "vehicle.yaml").is_file()


def test_a_template_gets_the_defaults_of_its_generator(bring):
    made = bring(model(f"<link name='base'>{INERTIAL}</link><x>{{{{ mavlink_udp_port }}}}</x>"), "toy.sdf.jinja")
    assert any("mavlink_udp_port 14560" in taken for _, taken in made.report.assumed)
    with pytest.raises(InputError, match=r"a template with statements.*jinja_gen.py models/loop/loop.sdf.jinja"):
        bring(model("{% for k in range(3) %}{% endfor %}"), "loop.sdf.jinja")


BASE = f"<link name='base'>{INERTIAL}</link>"
FAULTS = [
    (model(BASE).replace("</model>", ""), "<model> is not closed"),
    (model(BASE + "</link>"), "</link> closes nothing"),
    (model(BASE + "<note>salt & pepper</note>"), "bare &"),
    (model(BASE + "<gz:thing a='1'/>"), "'gz:thing' is not declared"),
    (model(BASE) + "<more/>", "after the root element"),
    (model(BASE.replace("name='base'", "name=base")), "name=base"),
    (model(BASE.replace("<ixx>0.1", "<ixx>0.1.")), "0.1."),
    (model(BASE.replace("<mass>2", "<mass>-2")), "-2"),
    (model(BASE.replace("<mass>2", "<mass>")), "empty"),
    (model(BASE.replace("<inertial>", "<pose>1 2 3</pose><inertial>")), "1 2 3"),
    (model(BASE.replace("<ixx>0.1", "<ixx>9")), "9 0.2 0.25"),
]


@pytest.mark.parametrize(("text", "was"), FAULTS, ids=[was for _, was in FAULTS])
def test_a_small_fault_is_mended_and_listed_with_both_values(bring, text, was):
    made = bring(text)
    assert any(was in row.was for row in made.report.repaired), made.report.repaired
    assert "base" in (made.folder / "model.xml").read_text()


def test_mended_xml_is_the_same_tree(tmp_path):
    (tmp_path / "a.xml").write_text("<a b='1 &amp; 2'><c>x</c><d/></a>")
    (tmp_path / "b.xml").write_text("\n<!-- a -- b --><a b='1 &amp; 2'><c>x<d/></a><e>")
    sound, broken = (read_tolerant(tmp_path / f"{name}.xml", Report()) for name in "ab")
    assert broken.attrib["b"] == sound.attrib["b"] == "1 & 2"
    assert broken.find("c").text == "x"


def test_a_link_without_a_joint_to_it_or_with_a_wrong_one_is_listed(bring):
    joint = "<joint name='j' type='fixed'><parent>base</parent><child>gone</child></joint>"
    made = bring(model(BASE + joint))
    assert any("there is no link 'gone'; there are: base" in why for _, why in made.lost)


def test_a_joint_may_be_called_like_a_link(bring):
    made = bring(model(ARM.replace("elbow", "arm")))
    compiled = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    np.testing.assert_allclose(compiled.joint("arm").axis, [0, 1, 0])


MOTOR = """<link name="r{k}"><pose>{x} {y} 0 0 0 0</pose><inertial><mass>0.01</mass><inertia><ixx>1e-5</ixx>
<iyy>1e-5</iyy><izz>1e-5</izz></inertia></inertial></link><joint name="j{k}" type="revolute"><parent>base</parent>
<child>r{k}</child><axis><xyz>0 0 1</xyz></axis></joint>
<plugin name="{name}" filename="{file}"><jointName>j{k}</jointName>
<linkName>r{k}</linkName><turningDirection>{turn}</turningDirection><maxRotVelocity>1000</maxRotVelocity>
<motorConstant>{c}</motorConstant><motorNumber>{k}</motorNumber></plugin>"""
CORNERS = ((0.2, -0.2, "ccw"), (-0.2, 0.2, "ccw"), (0.2, 0.2, "cw"), (-0.2, -0.2, "cw"))


def rotors(file, constant=1e-5, count=4):
    made = "".join(
        MOTOR.format(k=k, x=x, y=y, turn=turn, file=file, name=f"m{k}", c=constant)
        for k, (x, y, turn) in enumerate(CORNERS[:count])
    )
    return model(f"<link name='base'>{INERTIAL}{BALL}</link>{made}")


@pytest.mark.parametrize(
    ("file", "px4"),
    [("libgazebo_motor_model.so", 1.0), ("gz-sim-multicopter-motor-model-system", 0.0),
     ("librotors_gazebo_motor_model.so", 0.0)],
)  # fmt: skip
def test_motor_plugins_become_rotors_that_hover(bring, file, px4):
    made = bring(rotors(file))
    parts = parts_of(made)
    assert parts["mixer"]["rotors"] == ["r0", "r1", "r2", "r3"] and "it hovers" in made.flown_by
    assert parts["r0"]["gazebo"].get("px4", 0.0) == px4
    assert parts["r0"]["gazebo"].get("max_relative_airspeed", 0.0) == (25.0 if px4 else 0.0)
    assert [parts[f"r{k}"]["direction"] for k in range(4)] == [1, 1, -1, -1]


@pytest.mark.parametrize(
    ("file", "more", "backward"),
    [
        ("gz-sim-multicopter-motor-model-system", "", True),
        ("libgazebo_motor_model.so", "<reversible>true</reversible>", True),
        ("libgazebo_motor_model.so", "", False),  # PX4's thrust is a size there
    ],
)
def test_a_negative_motor_constant_pushes_the_other_way(bring, file, more, backward):
    forward, against = (
        bring(rotors(file, constant).replace("<motorNumber>", f"{more}<motorNumber>")) for constant in (1e-5, -1e-5)
    )
    pushes = []
    for made in (forward, against):
        parts, compiled = parts_of(made), mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
        assert parts["r0"]["gazebo"]["motor_constant"] == 1e-5 and parts["r0"]["direction"] == 1
        data = mujoco.MjData(compiled)
        mujoco.mj_kinematics(compiled, data)
        pushes.append(data.site(parts["r0"]["site"]).xmat.reshape(3, 3)[:, 0])
    assert np.allclose(pushes[0], [0, 0, 1], atol=1e-12)
    assert np.allclose(pushes[1], [0, 0, -1 if backward else 1], atol=1e-12)


SHAFT = """<link name="{name}"><pose>0 0 0.5 0 0 0</pose>{inertial}</link>
<joint name="{name}_joint" type="revolute"><parent>base</parent><child>{name}</child>
<axis><xyz>0 0 {axis}</xyz></axis></joint>
<plugin name="{name}_blade" filename="libLiftDragPlugin.so"><link_name>{name}</link_name><a0>0.1</a0><cla>4</cla>
<cp>0 0.5 0</cp><area>0.1</area><forward>{forward} 0 0</forward><upward>0 0 1</upward></plugin>"""
GEARBOX = """<joint name="gears" type="gearbox"><parent>one</parent><child>{child}</child>
<gearbox_ratio>{ratio}</gearbox_ratio><gearbox_reference_body>base</gearbox_reference_body>
<axis><xyz>0 0 1</xyz></axis><axis2><xyz>0 0 {axis}</xyz></axis2></joint>"""


def shafts(ratio, gear_axis, child="two"):
    """Two shafts with a blade each, about z and -z of the body, and a gearbox between them."""
    one = SHAFT.format(name="one", inertial=INERTIAL, axis=1, forward=1)
    two = SHAFT.format(name="two", inertial=INERTIAL, axis=-1, forward=-1)
    return model(
        f"<link name='base'>{INERTIAL}{BALL}</link>{one}{two}{GEARBOX.format(ratio=ratio, axis=gear_axis, child=child)}"
    )


@pytest.mark.parametrize(("ratio", "gear_axis", "turns"), [(-1.0, -1, 1.0), (2.0, -1, -2.0), (2.0, 1, 2.0)])
def test_a_gearbox_couples_two_shafts_and_a_hand_turns_what_no_plugin_does(bring, ratio, gear_axis, turns):
    made = bring(shafts(ratio, gear_axis))
    parts = parts_of(made)
    assert parts["one_joint_torque"]["kind"] == "servo" and "two_joint_torque" not in parts  # it follows by the gears
    assert any("stands until stick channel 0 is moved" in said for said in made.warnings)
    flown: Any = cupola.load(str(made.folder / "vehicle.yaml"))
    flown.sticks([1.0])
    flown.run(0.5)
    one, two = (flown.signal(f"{flown.instances[0].name}.{name}_joint.velocity") for name in ("one", "two"))
    assert abs(one) > 0.5
    # About their gear axes the second turns by -ratio of the first; its joint goes about -z.
    assert two == pytest.approx(turns * one, rel=1e-2)


def test_a_gearbox_between_links_that_do_not_turn_in_its_body_is_listed(bring):
    made = bring(shafts(1.0, 1, child="base"))
    assert any("a gearbox whose links do not both turn in base" in why for _, why in made.lost)


def test_a_folder_of_many_models_lists_them_and_says_what_to_type(tmp_path):
    for name in ("iris", "plane"):
        (tmp_path / "all" / "models" / name).mkdir(parents=True)
        (tmp_path / "all" / "models" / name / "model.sdf").write_text(model(BASE))
    (tmp_path / "all" / "demo.world").write_text(world(""))
    with pytest.raises(InputError, match=r"holds 3 models: demo.world, models.iris, models.plane; import one: cupola"):
        app(["import", str(tmp_path / "all")], standalone_mode=False)


def test_a_file_that_only_includes_a_model_is_that_model(bring, tmp_path):
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "model.sdf").write_text(model(BASE, name="part"))
    made = bring('<sdf version="1.9"><include><uri>model://part</uri></include></sdf>')
    assert "part" in made.what
    with pytest.raises(InputError, match=r"models that can move: none \(.*fuel.gazebosim.org"):
        bring('<sdf version="1.9"><include><uri>https://fuel.gazebosim.org/1.0/x/models/y</uri></include></sdf>')


@pytest.mark.parametrize(("constant", "count", "why"), [(1e-7, 4, "its weight is"), (1e-5, 3, "hovering needs 4")])
def test_rotors_that_cannot_hold_it_are_said(bring, constant, count, why):
    made = bring(rotors("libgazebo_motor_model.so", constant, count))
    assert why in made.flown_by and any(what == "controller" and why in text for what, text in made.lost)


ADVANCED = """<plugin name="plane" filename="{file}"><link_name>base</link_name>{place}<area>0.34</area><AR>6.5</AR>
<eff>0.97</eff>{mac}<CLa>5</CLa><robotNamespace/></plugin>"""


def test_advanced_liftdrag_keeps_its_reference_point_and_defaults(bring):
    words = {"file": "libAdvancedLiftDragPlugin.so", "place": "<ref_pt>-0.1 0 0.2</ref_pt>", "mac": ""}
    part = parts_of(bring(model(ARM + ADVANCED.format(**words))))["plane"]
    assert part["cp"] == [-0.1, 0.0, 0.2] and part["mode"] == "px4" and part["advanced"]["cd0"] == 0.02
    assert part["advanced"]["mac"] == pytest.approx(0.34 / (0.34 * 6.5) ** 0.5)
    words = {"file": "gz-sim-advanced-lift-drag-system", "place": "<cp>-0.12 0 0</cp>", "mac": "<mac>0.2</mac>"}
    part = parts_of(bring(model(ARM + ADVANCED.format(**words))))["plane"]
    assert part["cp"] == [-0.12, 0.0, 0.0] and "mode" not in part and "cd0" not in part["advanced"]
