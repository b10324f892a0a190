"""Files as they lie in public repositories of robots: clones without their large files, words of other programs."""

import math

import mujoco
import numpy as np
import pytest
import yaml

import cupola
from cupola.bridge.mjcf.folder import import_mjcf
from cupola.bridge.sdf.folder import import_file
from cupola.bridge.sdf.meshes import compiled_triangles
from cupola.schema.input_files import InputError

POINTER = b"version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 742139\n"
HEAVY = '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>'
BOX = '<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>'


def link(name, inside=HEAVY + BOX):
    return f'<link name="{name}">{inside}</link>'


def joint(name, parent, child, kind="revolute", more=""):
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}<limit lower="-1" upper="1" effort="5"/>{more}</joint>'


@pytest.fixture
def bring(tmp_path):
    def run(body, name="r"):
        (tmp_path / "r.urdf").write_text(f'<robot name="{name}">{body}</robot>')
        made = import_file(tmp_path / "r.urdf", tmp_path / f"out{len(list(tmp_path.glob('out*')))}")
        return made, mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))

    return run


@pytest.mark.parametrize("name", ["hull.stl", "hull.dae", "hull.obj"])
def test_meshes_of_a_clone_without_large_files_are_left_out_and_the_cure_is_said(bring, tmp_path, name):
    (tmp_path / name).write_bytes(POINTER)
    seen = f'<visual><geometry><mesh filename="{name}"/></geometry></visual>'
    made, model = bring(link("base", HEAVY + BOX + seen))
    assert any(f"{name} is a pointer of Git LFS" in why and "git lfs pull" in why for _, why in made.lost)
    assert model.nmesh == 0 and model.ngeom == 1


def test_the_same_of_mujoco_is_refused_with_the_cure(tmp_path):
    """There a shape without its mesh may be what gives a body its mass."""
    (tmp_path / "hull.stl").write_bytes(POINTER)
    mesh = '<asset><mesh name="hull" file="hull.stl"/></asset>'
    body = '<worldbody><body name="a"><freejoint/><geom type="mesh" mesh="hull"/></body></worldbody>'
    (tmp_path / "m.xml").write_text(f"<mujoco>{mesh}{body}</mujoco>")
    with pytest.raises(InputError, match=r"pointers of Git LFS: .*hull.stl; `git lfs pull`"):
        import_mjcf(tmp_path / "m.xml", tmp_path / "out")


@pytest.mark.parametrize(
    ("old", "new", "was"),
    [
        ('size="0.2 0.2 0.2"', "size='0.2\" 0.2 0.2'", '0.2"'),
        ('effort="5"', "effort='5\"'", '5"'),
    ],
)
def test_a_stray_quote_behind_a_number_is_mended(bring, old, new, was):
    made, _ = bring((link("base") + link("arm") + joint("j", "base", "arm")).replace(old, new))
    assert {row.was for row in made.report.repaired} == {was}


def test_a_single_scale_is_that_of_all_axes(bring, tmp_path):
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 1 3 4\nf 2 3 4\n"
    (tmp_path / "hull.obj").write_text(corners)
    seen = '<visual><geometry><mesh filename="hull.obj" scale=".01"/></geometry></visual>'
    made, model = bring(link("base", HEAVY + seen))
    assert [(row.was, row.now) for row in made.report.repaired] == [(".01", ".01 .01 .01")]
    assert np.ptp(compiled_triangles(model, "hull_0p01_0p01_0p01").reshape(-1, 3), axis=0) == pytest.approx([0.01] * 3)


def test_a_parent_called_world_that_is_nowhere_is_the_world(bring):
    made, model = bring(link("base") + joint("weld", "world", "base", "fixed"))
    assert model.nv == 0
    assert any("no such link: it is the world itself" in taken for _, taken in made.report.assumed)


def test_a_file_without_any_mass_looks_wrong(bring):
    said = "no link has a mass in the file"
    made, _ = bring(link("base", BOX) + link("arm", BOX) + joint("j", "base", "arm"))
    assert any(said in warning for warning in made.warnings)
    made, _ = bring(link("base") + link("arm", BOX) + joint("j", "base", "arm"))
    assert not any(said in warning for warning in made.warnings)


@pytest.mark.parametrize(
    ("words", "friction"),
    [
        ("<mu1>0.3</mu1><mu2>0.3</mu2>", 0.3),
        ('<mu1 value="0.3"/>', 0.3),
        ("<mu>0.3</mu>", 0.3),
        ("<mu1>0.3</mu1><mu2>2.0</mu2>", 0.3),
        ("<material>Gazebo/Blue</material>", 1.0),
    ],
)
def test_friction_of_a_gazebo_element_is_that_of_its_link_alone(bring, words, friction):
    body = link("base") + link("arm") + joint("j", "base", "arm")
    made, model = bring(f'{body}<gazebo reference="arm">{words}</gazebo>')
    arm = model.body("arm").geomadr[0]
    assert model.geom_friction[arm, 0] == pytest.approx(friction)
    assert model.geom_friction[model.body("base").geomadr[0], 0] == pytest.approx(1.0)
    assert any("mu2 2.0" in what for what, _ in made.lost) == ("2.0" in words)
    assert not any("/mu1" in what for what, _ in made.lost)


@pytest.mark.parametrize("words", ["<turnGravityOff>true</turnGravityOff>", "<gravity>0</gravity>"])
def test_a_link_without_gravity_has_no_weight(bring, words):
    _, model = bring(link("base") + f'<gazebo reference="base">{words}</gazebo>')
    assert model.body_gravcomp[model.body("base").id] == pytest.approx(1.0)


def test_macros_that_nobody_calls_are_named(tmp_path):
    head = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">'
    (tmp_path / "arm.xacro").write_text(
        f'{head}<xacro:macro name="arm" params=""><link name="a"/></xacro:macro></robot>'
    )
    with pytest.raises(InputError, match=r"it has macros \(arm\), and no link: import a file that calls them"):
        import_file(tmp_path / "arm.xacro", tmp_path / "out")


def test_what_the_sticks_move_is_said_of_what_was_never_meant_to_fly(bring):
    arm = link("base") + link("arm") + joint("j", "base", "arm")
    assert bring(arm)[0].flown_by.endswith("nothing in the file drives its joints; a `servo` in vehicle.yaml does")
    drive = "<hardwareInterface>hardware_interface/PositionJointInterface</hardwareInterface>"
    made, _ = bring(f'{arm}<transmission name="t"><joint name="j">{drive}</joint></transmission>')
    assert made.flown_by.endswith("its 1 joints that are driven follow channels 0 to 0")


def test_bodies_without_a_name_can_be_chosen(tmp_path):
    body = '<body><joint name="{0}"/><geom size=".1"/></body>'
    drives = '<actuator><motor joint="a"/><motor joint="b"/></actuator>'
    (tmp_path / "m.xml").write_text(
        f"<mujoco><worldbody>{body.format('a')}{body.format('b')}</worldbody>{drives}</mujoco>"
    )
    with pytest.raises(InputError, match="bodies that actuators act on: body1, body2; --model says"):
        import_mjcf(tmp_path / "m.xml", tmp_path / "out")
    made = import_mjcf(tmp_path / "m.xml", tmp_path / "out", "body2")
    assert yaml.safe_load((made.folder / "vehicle.yaml").read_text())["root"] == "body2"


KF, KM, ARM = 3e-10, 8e-12, 0.03
PLACES = ((1, -1), (-1, -1), (-1, 1), (1, 1))


def pybullet_drone(**words):
    given = {"arm": ARM, "kf": KF, "km": KM, "thrust2weight": 2.0, "drag_coeff_xy": 0, **words}
    said = " ".join(f'{key}="{value}"' for key, value in given.items())
    inertia = '<inertia ixx="1.4e-5" iyy="1.4e-5" izz="2.2e-5"/>'
    drone = f"<properties {said}/>" + link("base_link", f'<inertial><mass value="0.03"/>{inertia}</inertial>{BOX}')
    for k, (x, y) in enumerate(PLACES):
        place = f'<inertial><origin xyz="{ARM * x} {ARM * y} 0"/><mass value="0"/><inertia ixx="0" iyy="0" izz="0"/>'
        drone += link(f"prop{k}_link", f"{place}</inertial>") + joint(f"p{k}", "base_link", f"prop{k}_link", "fixed")
    return drone


@pytest.mark.parametrize(("name", "even"), [("cf2", 1), ("racer", -1)])
def test_a_drone_of_gym_pybullet_drones_hovers_with_its_own_numbers(bring, name, even):
    made, _ = bring(pybullet_drone(gnd_eff_coeff=11.4), name)
    parts = yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]
    rotors = [parts[f"prop{k}_link"] for k in range(4)]
    assert [rotor["direction"] for rotor in rotors] == [even, -even, even, -even]
    numbers = rotors[0]["gazebo"]
    most = math.sqrt(2.0 * 0.03 * 9.8 / (4.0 * KF))  # turns per minute
    assert numbers["max_rot_velocity"] == pytest.approx(most * 2.0 * math.pi / 60.0)
    assert numbers["motor_constant"] * numbers["max_rot_velocity"] ** 2 == pytest.approx(KF * most**2)
    assert numbers["moment_constant"] == pytest.approx(KM / KF)
    assert [what for what, _ in made.lost] == ["r.urdf: properties: gnd_eff_coeff"]
    world = cupola.load(str(made.run))
    world.run(6.0)
    assert world.motion().pos_w[2] == pytest.approx(2.0, abs=0.05)


def test_properties_that_are_not_of_a_drone_are_listed(bring):
    made, _ = bring('<properties colour="red"/>' + link("base_link"))
    assert any(what == "r.urdf: properties" for what, _ in made.lost)
