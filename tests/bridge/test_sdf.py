"""SDF: poses, nested models, includes, axes of all versions, shapes, plugins; losses are said, bad files named."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest
import yaml

from cupola.bridge.sdf.folder import import_file
from cupola.cli.commands import app
from cupola.schema.yaml_files import InputError

BOX = "<inertial><mass>2</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia>{pose}</inertial>"


def link(name, pose="0 0 0 0 0 0", inertial_pose="", more="", relative_to=""):
    frame = f' relative_to="{relative_to}"' if relative_to else ""
    inside = BOX.format(pose=f"<pose>{inertial_pose}</pose>" if inertial_pose else "")
    return f'<link name="{name}"><pose{frame}>{pose}</pose>{inside}{more}</link>'


def joint(name, parent, child, pose="0 0 0 0 0 0", axis="0 0 1", kind="revolute", inside="", xyz_attributes=""):
    turning = f"<axis><xyz{xyz_attributes}>{axis}</xyz>{inside}</axis>"
    return (
        f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child><pose>{pose}</pose>'
        f"{turning if kind in ('revolute', 'prismatic') else ''}</joint>"
    )


def sdf(*inside, version="1.9", name="toy", pose=""):
    placed = f"<pose>{pose}</pose>" if pose else ""
    return f'<sdf version="{version}"><model name="{name}">{placed}{"".join(inside)}</model></sdf>'


@pytest.fixture
def bring(tmp_path):
    """Write an SDF file, import it; returns what was made, the compiled model, and its data at rest."""

    def run(text, file="toy.sdf", **options):
        source = tmp_path / file
        source.parent.mkdir(parents=True, exist_ok=True)
        source.write_text(text)
        made = import_file(source, tmp_path / f"out{len(list(tmp_path.glob('out*')))}", **options)
        model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        return made, model, data

    return run


def axis_of(model, data, name):
    return data.xaxis[model.joint(name).id]


def anchor_of(model, data, name):
    return data.xanchor[model.joint(name).id]


def test_poses_of_links_and_joints(bring):
    """A link stands in its model, a joint in its child, turned with both."""
    text = sdf(
        link("base", "1 0 0 0 0 0"),
        link("arm", "1 2 3 0 0 1.5707963267948966", "0.5 0 0 0 0 0"),
        joint("elbow", "base", "arm", "0.25 0 0 0 0 0", "1 0 0"),
    )
    _, model, data = bring(text)
    np.testing.assert_allclose(data.xpos[model.body("arm").id], [1, 2, 3], atol=1e-12)
    np.testing.assert_allclose(anchor_of(model, data, "elbow"), [1, 2.25, 3], atol=1e-12)  # child's x is world's y
    np.testing.assert_allclose(axis_of(model, data, "elbow"), [0, 1, 0], atol=1e-12)
    np.testing.assert_allclose(data.xipos[model.body("arm").id], [1, 2.5, 3], atol=1e-12)


@pytest.mark.parametrize(
    ("version", "inside", "attributes", "expected"),
    [
        ("1.9", "", "", [0, 1, 0]),  # in the joint's frame
        ("1.4", "", "", [1, 0, 0]),  # in the model's frame
        ("1.5", "<use_parent_model_frame>1</use_parent_model_frame>", "", [1, 0, 0]),
        ("1.5", "", "", [0, 1, 0]),
        ("1.11", "", ' expressed_in="__model__"', [1, 0, 0]),
        ("1.7", "", ' expressed_in="base"', [-1, 0, 0]),
    ],
)
def test_axes_of_all_versions(bring, version, inside, attributes, expected):
    text = sdf(
        link("base", "0 0 0 0 0 3.141592653589793"),
        link("arm", "0 0 1 0 0 1.5707963267948966"),
        joint("elbow", "base", "arm", axis="1 0 0", inside=inside, xyz_attributes=attributes),
        version=version,
    )
    _, model, data = bring(text)
    base = data.xmat[model.body("base").id].reshape(3, 3)
    start = np.diag([-1.0, -1.0, 1.0])  # the root begins turned as its link is
    np.testing.assert_allclose(start @ base.T @ axis_of(model, data, "elbow"), expected, atol=1e-12)


def test_frames_relative_to_each_other(bring):
    text = sdf(
        link("base"),
        '<frame name="hub" attached_to="base"><pose>0 0 1 0 0 1.5707963267948966</pose></frame>',
        '<frame name="tip"><pose relative_to="hub">1 0 0 0 0 0</pose></frame>',
        link("arm", "0 0 2 0 0 0", relative_to="tip"),
        joint("elbow", "base", "arm"),
    )
    _, model, data = bring(text)
    np.testing.assert_allclose(data.xpos[model.body("arm").id], [0, 1, 3], atol=1e-12)
    np.testing.assert_allclose(data.xmat[model.body("arm").id].reshape(3, 3)[:, 0], [0, 1, 0], atol=1e-12)


def test_degrees_and_quaternions(bring):
    text = sdf(
        link("base"),
        f'<link name="a"><pose degrees="true">0 0 0 0 0 90</pose>{BOX.format(pose="")}</link>',
        f'<link name="b"><pose rotation_format="quat_xyzw">0 0 0 0 0 1 1</pose>{BOX.format(pose="")}</link>',
        joint("ja", "base", "a", kind="fixed"),
        joint("jb", "base", "b", kind="fixed"),
    )
    _, model, data = bring(text)
    for name in "ab":
        np.testing.assert_allclose(data.xmat[model.body(name).id].reshape(3, 3)[:, 0], [0, 1, 0], atol=1e-12)


def test_nested_models_and_includes(bring, tmp_path):
    """A model in a model, an include with a pose of its own, a placement frame; names stay short where they can."""
    inner = tmp_path / "models" / "wheel"
    inner.mkdir(parents=True)
    (inner / "model.config").write_text("<model><name>w</name><sdf version='1.5'>old.sdf</sdf></model>")
    (inner / "toy.dae").write_text(TETRAHEDRON)
    shape = '<visual name="v"><geometry><mesh><uri>toy.dae</uri></mesh></geometry></visual>'  # beside the included file
    (inner / "old.sdf").write_text(sdf(link("rim", more=shape), name="wheel", version="1.5", pose="9 9 9 0 0 0"))
    text = sdf(
        link("base"),
        f'<model name="pod"><pose>0 1 0 0 0 1.5707963267948966</pose>{link("rim", "1 0 0 0 0 0")}</model>',
        "<include><uri>model://wheel</uri><name>left</name><pose>0 0 5 0 0 0</pose></include>",
        f'<model name="held" placement_frame="grip"><pose>3 0 0 0 0 0</pose>{link("grip", "0 0 1 0 0 0")}</model>',
        joint("j1", "base", "pod::rim"),
        joint("j2", "base", "left::rim"),
        joint("j3", "base", "held::grip"),
    )
    _, model, data = bring(text, folders=(tmp_path / "models",))
    assert model.nmesh == 1
    np.testing.assert_allclose(data.xpos[model.body("pod_rim").id], [0, 2, 0], atol=1e-12)
    np.testing.assert_allclose(data.xpos[model.body("left_rim").id], [0, 0, 5], atol=1e-12)
    np.testing.assert_allclose(data.xpos[model.body("grip").id], [3, 0, 0], atol=1e-12)


def test_a_merged_include_is_part_of_its_model(bring, tmp_path):
    """As PX4's models are made: links keep their names, poses those of the included model's frame."""
    inner = link("base", "0 0 1 0 0 0") + link("rotor", "1 0 0 0 0 0", relative_to="base")
    (tmp_path / "frame.sdf").write_text(sdf(inner, joint("spin", "base", "rotor"), name="frame"))
    include = '<include merge="true"><uri>frame.sdf</uri><pose>0 2 0 0 0 1.5707963267948966</pose></include>'
    _, model, data = bring(sdf(include, link("eye", "0 0 5 0 0 0"), joint("mount", "base", "eye", kind="fixed")))
    np.testing.assert_allclose(data.xpos[model.body("rotor").id], [0, 3, 1], atol=1e-12)
    np.testing.assert_allclose(data.xpos[model.body("eye").id], [0, 0, 5], atol=1e-12)


def test_inertia_is_turned_with_its_pose(bring):
    _, model, data = bring(sdf(link("base", inertial_pose="0.1 0 0 0 0 1.5707963267948966")))
    body = model.body("base").id
    turn = data.ximat[body].reshape(3, 3)
    tensor = turn @ np.diag(model.body_inertia[body]) @ turn.T
    np.testing.assert_allclose(tensor, np.diag([0.2, 0.1, 0.25]), atol=1e-12)


def test_joint_numbers(bring):
    inside = (
        "<limit><lower>-0.4</lower><upper>0.7</upper><effort>12</effort><velocity>3</velocity></limit>"
        "<dynamics><damping>0.3</damping><friction>0.2</friction><spring_stiffness>5</spring_stiffness>"
        "<spring_reference>0.1</spring_reference></dynamics>"
    )
    made, model, _ = bring(sdf(link("base"), link("arm"), joint("elbow", "base", "arm", inside=inside)))
    elbow = model.joint("elbow").id
    dof = model.jnt_dofadr[elbow]
    np.testing.assert_allclose(model.jnt_range[elbow], [-0.4, 0.7])
    assert model.dof_damping[dof] == 0.3 and model.dof_frictionloss[dof] == 0.2
    assert model.jnt_stiffness[elbow] == 5.0 and model.qpos_spring[model.jnt_qposadr[elbow]] == 0.1
    np.testing.assert_allclose(model.jnt_actfrcrange[elbow], [-12, 12])
    assert any("limit velocity 3" in what for what, _ in made.lost)


def test_kinds_of_joints(bring):
    two = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>"
    universal = f'<joint name="u" type="universal"><parent>base</parent><child>c</child>{two}</joint>'
    screw = '<joint name="s" type="screw"><parent>base</parent><child>d</child><thread_pitch>2</thread_pitch></joint>'
    links = [link(name) for name in ("base", "a", "b", "c", "d")]
    joints = (joint("slider", "base", "a", kind="prismatic"), joint("ball", "base", "b", kind="ball"), universal, screw)
    made, model, _ = bring(sdf(*links, *joints))
    kinds = {model.joint(j).name: int(model.jnt_type[j]) for j in range(model.njnt)}
    names = mujoco.mjtJoint
    assert kinds["slider"] == names.mjJNT_SLIDE and kinds["ball"] == names.mjJNT_BALL
    assert kinds["u"] == kinds["u_2"] == names.mjJNT_HINGE and "s" not in kinds
    assert any("screw" in why for _, why in made.lost) and any("thread_pitch" in what for what, _ in made.lost)


def test_shapes_friction_and_colour(bring):
    shapes = (
        '<visual name="v"><pose>0 0 1 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry>'
        "<material><diffuse>0.1 0.2 0.3 1</diffuse></material></visual>"
        '<collision name="c"><geometry><cylinder><radius>0.2</radius><length>1</length></cylinder></geometry>'
        "<surface><friction><ode><mu>0.3</mu><mu2>0.3</mu2></ode></friction></surface></collision>"
        '<collision name="s"><geometry><sphere><radius>0.4</radius></sphere></geometry></collision>'
        '<visual name="h"><geometry><heightmap><uri>x</uri></heightmap></geometry></visual>'
    )
    made, model, _ = bring(sdf(link("base", more=shapes)))
    np.testing.assert_allclose(model.geom_size[0], [0.5, 1.0, 1.5])
    np.testing.assert_allclose(model.geom_rgba[0], [0.1, 0.2, 0.3, 1], atol=1e-6)
    np.testing.assert_allclose(model.geom_size[1][:2], [0.2, 0.5])
    assert model.geom_friction[1, 0] == 0.3 and model.geom_contype[0] == 0
    assert any("heightmap" in why for _, why in made.lost)


TETRAHEDRON = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="0.01"/><up_axis>Y_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique><lambert><diffuse><color>1 0 0 1</color></diffuse></lambert>
</technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g"><mesh><source id="p"><float_array>0 0 0 100 0 0 0 100 0 0 0 100</float_array>
<technique_common><accessor stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<polylist material="s"><input semantic="VERTEX" source="#v" offset="0"/><vcount>3 3 3 3</vcount>
<p>0 2 1 0 1 3 0 3 2 1 2 3</p></polylist></mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene><node><translate>0 100 0</translate><rotate>0 0 1 90</rotate>
<instance_geometry url="#g"><bind_material><technique_common><instance_material symbol="s" target="#m"/>
</technique_common></bind_material></instance_geometry></node></visual_scene></library_visual_scenes></COLLADA>"""


def test_a_collada_mesh_in_its_units_axes_and_colour(bring, tmp_path):
    (tmp_path / "toy.dae").write_text(TETRAHEDRON)
    shape = '<visual name="v"><geometry><mesh><uri>toy.dae</uri><scale>2 2 2</scale></mesh></geometry></visual>'
    _, model, data = bring(sdf(link("base", more=shape)))
    vertices = model.mesh_vert @ data.geom_xmat[0].reshape(3, 3).T + data.geom_xpos[0]
    # Turned by 90° about z, moved by y = 1 m, then y becomes z: corners (0,0,1), (0,0,2), (-1,0,1), (0,-1,1); doubled.
    wanted = 2.0 * np.array([[0, 0, 1], [0, 0, 2], [-1, 0, 1], [0, -1, 1]])
    for corner in wanted:
        assert np.abs(vertices - corner).max(axis=1).min() < 1e-5
    np.testing.assert_allclose(model.geom_rgba[0], [1, 0, 0, 1])


LIFTDRAG = """<plugin name="wing" filename="libLiftDragPlugin.so"><a0>0.1</a0><cla>4</cla><cda>20</cda><cma>0</cma>
<alpha_stall>10</alpha_stall><cp>0 5 0</cp><area>10</area><forward>-1 0 0</forward><upward>0 0 1</upward>
<link_name>arm</link_name><control_joint_name>elbow</control_joint_name></plugin>"""


def test_a_liftdrag_plugin_becomes_a_faithful_part(bring):
    made, _, _ = bring(sdf(link("base"), link("arm"), joint("elbow", "base", "arm"), LIFTDRAG))
    part = yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]["wing"]
    assert part["mode"] == "faithful" and part["site"] == "arm" and part["cp"] == [0.0, 5.0, 0.0]
    assert part["surface"]["cda_stall"] == 1.0  # the plugin's default
    assert part["controls"] == [{"joint": "elbow", "lift": 4.0}]


ADVANCED = """<plugin filename="gz-sim-advanced-lift-drag-system" name="gz::sim::systems::AdvancedLiftDrag">
<a0>0.0</a0><CL0>0.15188</CL0><AR>6.5</AR><eff>0.97</eff><CLa>5.015</CLa><Cema>-0.463966</Cema><Cema_stall>0</Cema_stall>
<Cenr>-0.089947</Cenr><area>0.34</area><mac>0.22</mac><cp>-0.12 0 0</cp><link_name>base</link_name>
<alpha_stall>0.3391428111</alpha_stall>
<control_surface><name>elbow</name><index>0</index><direction>-1</direction><Cem_ctrl>-0.025798</Cem_ctrl>
</control_surface></plugin>"""


def test_an_advanced_plugin_keeps_its_numbers_per_radian(bring):
    made, _, _ = bring(sdf(link("base"), link("arm"), joint("elbow", "base", "arm"), ADVANCED))
    parts = yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]
    (part,) = (part for part in parts.values() if part["kind"] == "liftdrag")
    assert part["advanced"]["cl0"] == 0.15188 and part["advanced"]["cenr"] == -0.089947
    assert part["controls"][0]["moment"] == pytest.approx(0.025798 * 180 / math.pi)
    assert any(what.endswith("/a0") for what, _ in made.lost)


def test_what_is_not_read_is_listed(bring):
    text = sdf(
        link("base", more="<sensor name='eye' type='sonar'><update_rate>30</update_rate></sensor>"),
        '<plugin name="mystery" filename="libMystery.so"><gain>3</gain></plugin>',
        "<enable_wind>true</enable_wind>",
    )
    made, _, _ = bring(text)
    said = dict(made.lost)
    assert "update_rate 30" in said["toy.sdf: sdf/model toy/link base/sensor eye"]
    assert "gain 3" in said["toy.sdf: sdf/model toy/plugin mystery"]
    assert said["toy.sdf: sdf/model toy/enable_wind"] == "not read: true"
    assert all(f"| {what} |" in (made.folder / "README.md").read_text() for what in said)


def test_links_without_a_way_to_the_root_and_loops_are_listed(bring):
    text = sdf(
        *(link(name) for name in ("base", "a", "b", "loose")),
        joint("j1", "base", "a"),
        joint("j2", "base", "b"),
        joint("j3", "a", "b"),
    )
    made, model, _ = bring(text)
    assert model.nbody == 4
    assert any("loose" in what and "no joint leads" in why for what, why in made.lost)
    assert any("closes a loop" in why for _, why in made.lost)


def test_swapped_wheels_are_noticed(bring):
    text = sdf(
        link("base"),
        link("left", "0 1 0 0 0 0"),
        link("right", "0 -1 0 0 0 0"),
        joint("left_joint", "base", "left", "0 -2 0 0 0 0"),
        joint("right_joint", "base", "right", "0 2 0 0 0 0"),
    )
    assert [w for w in bring(text)[0].warnings if "swapped" in w] == [
        "left_joint lies at right and right_joint at left: they look swapped"
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<sdf><model", "toy.sdf: not valid XML"),
        ("<robot/>", "toy.sdf: expected <sdf> or <gazebo>, got <robot>"),
        ("<sdf version='1.9'/>", "neither a <model> nor a <world>"),
        ("<sdf version='x'><model name='a'/></sdf>", "version 'x'"),
        (sdf(link("base", "a b c d e f")), "expected 6 finite numbers, got 'a b c d e f'"),
        (sdf(link("base"), link("a"), joint("j", "base", "a", axis="0 0 0")), "j/axis: the axis must not be zero"),
        (sdf(link("base"), link("a"), joint("j", "base", "a", kind="magnet")), "type 'magnet'; known: fixed, revolute"),
        (sdf(link("base", relative_to="nowhere")), "there is no frame 'nowhere'; there are: base"),
        (sdf(link("a", relative_to="b"), link("b", relative_to="a")), "relative to each other in a ring"),
        (sdf("<include><uri>model://gone</uri></include>"), "there is no 'model://gone'; looked in"),
        (sdf(link("base"), link("base")), "link base: there are two things called 'base' in one model"),
        (sdf("<include merge='true'><uri>toy.sdf</uri></include>"), "does one include itself?"),
        (sdf("<include><uri>toy.sdf</uri></include>"), "does one include itself?"),
    ],
)  # fmt: skip
def test_bad_files_are_named(bring, tmp_path, text, complaint):
    with pytest.raises(InputError) as error:
        bring(text)
    assert complaint in str(error.value) and "toy" in str(error.value)
    assert not list(tmp_path.glob("out*"))


WORLD = """<sdf version="1.6"><world name="w"><gravity>0 0 -3.7</gravity><physics type="ode"><max_step_size>0.002
</max_step_size></physics><model name="ground"><static>1</static><link name="l"><collision name="c"><geometry><plane>
<normal>0 0 1</normal><size>100 100</size></plane></geometry></collision></link></model>
<model name="wall"><static>true</static><pose>2 0 0.5 0 0 0</pose><link name="l"><collision name="c"><geometry><box>
<size>1 2 1</size></box></geometry></collision></link></model>{models}<light name="lamp"/></world></sdf>"""


def test_a_world_becomes_a_scenario(bring):
    robot = f'<model name="cart"><pose>1 2 3 0 0 0</pose>{link("base")}</model>'
    made, _, _ = bring(WORLD.format(models=robot), file="toy.world")
    scenario = yaml.safe_load((made.folder / "scenario.yaml").read_text())
    assert scenario["physics_hz"] == 500 and scenario["gravity"] == 3.7 and scenario["floor"]["size"] == 50.0
    assert scenario["obstacles"][0]["position"] == [2.0, 0.0, 0.5]
    assert yaml.safe_load((made.folder / "vehicle.yaml").read_text())["start"]["position"] == [1.0, 2.0, 3.0]
    assert any("light lamp" in what for what, _ in made.lost)


def test_a_world_with_several_vehicles_asks_which(bring):
    two = "".join(f'<model name="{name}">{link("base")}</model>' for name in ("one", "two"))
    with pytest.raises(InputError, match="models that can move: one, two; --model says which"):
        bring(WORLD.format(models=two), file="toy.world")
    made, _, _ = bring(WORLD.format(models=two), file="toy.world", model="two")
    assert any("model one" in what for what, _ in made.lost)


def test_it_is_typed_so(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("cart").mkdir()
    Path("cart/model.sdf").write_text(sdf(link("base"), name="cart", pose="0 0 1 0 0 0"))
    app(["import", "cart", "-o", "mine"], standalone_mode=False)
    assert "now type: cupola run mine/vehicle.yaml" in capsys.readouterr().out
    with pytest.raises(InputError, match="mine exists already"):
        app(["import", "cart/model.sdf", "-o", "mine"], standalone_mode=False)
