"""URDF as strangers write it: faults and habits found in robots of PyBullet and of example-robot-data."""

import json

import mujoco
import numpy as np
import pytest

import cupola
from cupola.bridge.sdf.folder import import_file
from cupola.schema.input_files import InputError

HEAVY = '<inertial><mass value="1"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>'
SHAPE = '<collision><geometry><box size="0.2 0.2 0.2"/></geometry></collision>'
LIMIT = '<limit lower="-1" upper="1" effort="5"/>'


def link(name, inside=HEAVY):
    return f'<link name="{name}">{inside}</link>'


def joint(name, parent, child, kind="revolute", inside=LIMIT, xyz="0 0 0.5"):
    ends = f'<parent link="{parent}"/><child link="{child}"/><origin xyz="{xyz}"/><axis xyz="0 1 0"/>'
    return f'<joint name="{name}" type="{kind}">{ends}{inside}</joint>'


@pytest.fixture
def bring(tmp_path):
    def run(body, **files):
        for name, data in files.items():
            (tmp_path / name.replace("_", ".")).write_text(data)
        (tmp_path / "r.urdf").write_text(f'<robot name="r">{body}</robot>')
        made = import_file(tmp_path / "r.urdf", tmp_path / "out")
        return made, mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))

    return run


def kinds(model):
    return [mujoco.mjtJoint(int(kind)).name[6:].lower() for kind in model.jnt_type]


def test_a_root_without_mass_is_held_in_the_world_and_runs(bring):
    """PyBullet's arms and tables have a base of no mass; MuJoCo refuses such a body that is free."""
    made, model = bring(link("base", SHAPE) + link("arm") + joint("j", "base", "arm"))
    assert kinds(model) == ["hinge"]
    assert any("held in the world" in taken for _, taken in made.report.assumed)
    world = cupola.load(str(made.run))
    world.run(0.05)
    assert world.motion().pos_w == pytest.approx((0, 0, 0))


def test_a_frame_whose_fixed_link_is_heavy_is_still_free(bring):
    assert kinds(bring(link("frame", "") + link("hull") + joint("j", "frame", "hull", "fixed", ""))[1]) == ["free"]


def test_inertia_without_mass_counts(bring):
    """Feet of quadrupeds: no mass, some inertia, fixed to a leg."""
    rotor = '<inertial><mass value="0"/><inertia ixx="0.02" iyy="0.03" izz="0.04"/></inertial>'
    model = bring(link("leg") + link("foot", rotor) + joint("j", "leg", "foot", "fixed", ""))[1]
    np.testing.assert_allclose(sorted(model.body("foot").inertia), [0.02, 0.03, 0.04])


def test_a_link_called_world_is_the_world(bring, tmp_path):
    made, model = bring(link("world", "") + link("arm") + joint("j", "world", "arm"))
    assert kinds(model) == ["hinge"]
    sdf = '<link name="world"/><link name="a"><inertial><mass>2</mass></inertial></link>'
    slide = (
        '<joint name="j" type="prismatic"><parent>world</parent><child>a</child><axis><xyz>0 0 1</xyz></axis></joint>'
    )
    for ends in (slide, slide.replace("<parent>world</parent><child>a<", "<parent>a</parent><child>world<")):
        (tmp_path / "m.sdf").write_text(f'<sdf version="1.6"><model name="m">{sdf}{ends}</model></sdf>')
        made = import_file(tmp_path / "m.sdf", tmp_path / f"out{len(ends)}{ends.find('world')}")
        model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
        assert kinds(model) == ["slide"] and model.nbody == 2
        assert any("is the world itself" in taken for _, taken in made.report.assumed)


def test_a_planar_joint_slides_twice_and_turns(bring):
    _, model = bring(link("base") + link("puck") + joint("p", "base", "puck", "planar", "", "1 0 0"))
    assert kinds(model) == ["free", "slide", "slide", "hinge"]
    axes = model.jnt_axis[1:]
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(axes[2], [0, 1, 0], atol=1e-12)


def test_a_floating_joint_holds_nothing(bring):
    made, model = bring(link("world", "") + link("hull") + joint("f", "world", "hull", "floating", "", "1 2 3"))
    assert kinds(model) == ["free"]
    assert any("floating joint holds nothing" in taken for _, taken in made.report.assumed)
    world = cupola.load(str(made.run))
    assert world.motion().pos_w == pytest.approx((1, 2, 3))


def test_a_spherical_joint_is_a_ball(bring):
    made, model = bring(link("base") + link("head") + joint("neck", "base", "head", "spherical"))
    assert kinds(model) == ["free", "ball"]
    assert any("joint neck: limit" in what for what, _ in made.lost)
    light = bring_again(made, link("base") + link("head", "") + joint("neck", "base", "head", "spherical", ""))
    assert kinds(light) == ["free", "ball"]  # one without mass is repaired, as on a hinge


def bring_again(made, body):
    source = made.folder.parent / "again.urdf"
    source.write_text(f'<robot name="r">{body}</robot>')
    return mujoco.MjModel.from_xml_path(str(import_file(source, made.folder.parent / "again").folder / "model.xml"))


@pytest.mark.parametrize(
    ("old", "new", "was"),
    [
        ('xyz="0 0 0.5"', 'xyz="0, 0, 0.5"', "0,"),
        ('lower="-1"', 'lower="-1."', None),  # `-1.` is a number
        ('upper="1"', 'upper="1.0."', "1.0."),
        ('xyz="0 0 0.5"', 'xyz="0 0 0.5 0"', "0 0 0.5 0"),
        ('lower="-1" upper="1"', 'lower="1" upper="-1"', "lower 1 lies above upper -1"),
    ],
)
def test_numbers_that_other_readers_let_pass_are_mended_and_listed(bring, old, new, was):
    body = link("base") + link("arm") + joint("j", "base", "arm")
    assert old in body
    made, model = bring(body.replace(old, new))
    assert [row.was for row in made.report.repaired][:1] == ([was] if was else [])
    np.testing.assert_allclose(model.body("arm").pos, [0, 0, 0.5])
    reversed_limits = 'lower="1" upper="-1"' in new
    assert bool(model.jnt_limited[1]) != reversed_limits


@pytest.mark.parametrize("new", ["0 0", "0,5 0 0", "0 0 x"])
def test_numbers_that_mean_nothing_are_still_refused(bring, new):
    with pytest.raises(InputError, match="origin xyz: expected 3 finite numbers"):
        bring(link("base") + link("arm") + joint("j", "base", "arm", xyz=new))


def test_limits_that_are_not_written_are_none_and_empty_ones_are_said(bring):
    made, model = bring(link("a") + link("b") + joint("j", "a", "b", inside='<limit effort="3" velocity="1"/>'))
    assert not model.jnt_limited[1]
    assert any("without lower and upper <limit>" in taken for _, taken in made.report.assumed)
    for name, limit, gazebo in (("zero", 'lower="0" upper="0"', ""), ("standard", "", '<gazebo reference="a"/>')):
        rigid = link("a") + link("b") + joint("j", "a", "b", inside=f'<limit {limit} effort="3"/>') + gazebo
        source = made.folder.parent / f"{name}.urdf"
        source.write_text(f'<robot name="r">{rigid}</robot>')
        said = import_file(source, made.folder.parent / name).warnings  # written, or by the standard, as in Gazebo
        assert any("its joints have limits that allow no motion" in one for one in said)


MIMIC = '<limit lower="-1" upper="1" effort="5"/><mimic joint="{}" multiplier="2" offset="0.25"/>'


@pytest.mark.parametrize(
    ("leader", "kind", "said", "rows"),
    [
        ("absent", "revolute", "it follows the joint 'absent', which is not there", 0),
        ("follow", "revolute", "it follows itself", 0),
        ("lead", "fixed", "lead is fixed, and so this joint is held at 0.25", 1),
        ("lead", "revolute", None, 1),
    ],
)
def test_a_mimic_without_a_leader_that_moves_is_said(bring, leader, kind, said, rows):
    lead = joint("lead", "a", "b", kind, LIMIT if kind != "fixed" else "")
    made, model = bring(
        link("a") + link("b") + link("c") + lead + joint("follow", "a", "c", inside=MIMIC.format(leader))
    )
    assert [why for what, why in made.lost if what.endswith("mimic")] == (
        [said + ("" if rows else "; it moves as it is pushed")] if said else []
    )
    assert model.neq == rows
    if kind == "fixed":
        data = mujoco.MjData(model)
        for _ in range(2000):
            mujoco.mj_step(model, data)
        assert data.joint("follow").qpos[0] == pytest.approx(0.25, abs=0.01)


def test_a_fixed_follower_follows_nothing(bring):
    made, model = bring(link("a") + link("b") + link("c") + joint("lead", "a", "b")
                        + joint("follow", "a", "c", "fixed", '<mimic joint="lead"/>'))  # fmt: skip
    assert model.neq == 0 and any("follows nothing" in why for _, why in made.lost)


def test_shapes_of_no_size_are_left_out_and_listed(bring):
    empty = ('<sphere radius="0"/>', '<box size="1 0 1"/>', '<cylinder radius="0.1" length="0"/>')
    shapes = "".join(f"<visual><geometry>{one}</geometry></visual>" for one in empty)
    made, model = bring(link("a", HEAVY + shapes + SHAPE))
    assert model.ngeom == 1 and sum("nothing to see" in why for _, why in made.lost) == 3


def test_a_file_without_links_says_so(bring):
    with pytest.raises(InputError, match="there is no <link> in it"):
        bring("<material name='m'/>")


BOX = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
FACES = "1 3 4 2 / 5 6 8 7 / 1 2 6 5 / 3 7 8 4 / 1 5 7 3 / 2 4 8 6"


def cube(at, first, name, material=""):
    lines = [f"o {name}", *(f"usemtl {one}" for one in [material] if one)]
    lines += [f"v {x + at} {y} {z}" for x, y, z in BOX]
    return "\n".join(
        [*lines, *("f " + " ".join(str(int(k) + first) for k in face.split()) for face in FACES.split("/"))]
    )


def mesh(kind):
    return f'<{kind}><geometry><mesh filename="two.obj"/></geometry></{kind}>'


def test_every_object_of_an_obj_file_is_there(bring):
    """MuJoCo reads the first one alone. What touches is one hull per object: the gap between them stays open."""
    both = cube(0, 0, "a") + "\n" + cube(3, 8, "b")
    _, model = bring(link("l", HEAVY + mesh("visual") + mesh("collision")), two_obj=both)
    assert model.ngeom == 3  # one to see, two to touch
    seen = [k for k in range(3) if model.geom_contype[k] == 0]
    assert len(seen) == 1
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    middles = sorted(data.geom_xpos[k][0] for k in range(3) if k not in seen)
    np.testing.assert_allclose(middles, [0.5, 3.5], atol=1e-6)


def test_colours_of_an_obj_file_are_its_materials(bring):
    both = "mtllib two.mtl\n" + cube(0, 0, "a", "red") + "\n" + cube(3, 8, "b", "blue")
    colours = "newmtl red\nKd 1 0 0\nmap_Kd skin.png\nnewmtl blue\nKd 0 0 1\nd 0.5\n"
    made, model = bring(link("l", HEAVY + mesh("visual")), two_obj=both, two_mtl=colours)
    assert sorted(map(tuple, model.geom_rgba.tolist())) == [(0, 0, 1, 0.5), (1, 0, 0, 1)]
    assert ("two.obj: skin.png", "only plain colours are drawn") in made.lost


def test_faces_that_name_normals_which_are_not_there_are_no_reason_to_stop(bring):
    """MuJoCo refuses such a file; only the places of its corners count here."""
    text = cube(0, 0, "a").replace("f 1 3", "f 1//9 3")
    _, model = bring(link("l", HEAVY + mesh("visual")), two_obj=text)
    assert model.nmeshvert == 8


def test_a_mesh_that_is_too_large_is_left_out_and_the_robot_is_not(bring, monkeypatch):
    monkeypatch.setattr("cupola.bridge.sdf.mesh_file.MOST_CORNERS", 30)
    made, model = bring(link("l", HEAVY + mesh("visual") + SHAPE), two_obj=cube(0, 0, "a"))
    assert model.ngeom == 1 and any("it is left out, the link keeps its mass" in why for _, why in made.lost)


def test_alike_rows_are_one_in_the_readme_and_all_are_in_the_json(bring):
    """A robot with forty joints lists its speed limits once."""
    limit = '<limit lower="-1" upper="1" effort="5" velocity="{}"/>'
    links = "".join(link(f"l{k}") for k in range(41))
    made, _ = bring(
        links + "".join(joint(f"j{k}", f"l{k}", f"l{k + 1}", inside=limit.format(k + 1)) for k in range(40))
    )
    readme = (made.folder / "README.md").read_text()
    assert readme.count("limit velocity") == 1 and "40 times: joint j0, joint j1, joint j2 and 37 more" in readme
    rows = json.loads((made.folder / "import.json").read_text())["not_carried_over"]
    assert sum("limit velocity" in row["what"] for row in rows) == 40
    assert dict(made.lines())["lost"].startswith("41 of 2 kinds: joint *: limit velocity … (40 times")
    assert any(what.startswith("40 joints: j0, j1") and what.endswith("and 28 more") for what, _ in made.report.assumed)


def test_masses_centres_inertias_and_limits_are_those_of_pinocchio(bring, tmp_path):
    """An independent reader, on a robot with turned frames, offset centres and fixed links."""
    pinocchio = pytest.importorskip("pinocchio", reason="pinocchio is not installed")
    turned = '<inertial><origin xyz="0.1 -0.2 0.05" rpy="0.3 -0.4 0.5"/><mass value="{}"/>\
<inertia ixx="0.11" iyy="0.2" izz="0.17" ixy="0.01" ixz="-0.02" iyz="0.015"/></inertial>'
    names = ["base", "upper", "lower", "tool"]
    body = "".join(link(name, turned.format(k + 0.5)) for k, name in enumerate(names))
    for k, kind in enumerate(("revolute", "prismatic", "fixed")):
        origin = f'<origin xyz="0.{k} 1 {k}" rpy="{k} 0.2 -0.7"/>'
        body += joint(f"j{k}", names[k], names[k + 1], kind).replace('<origin xyz="0 0 0.5"/>', origin)
    _, model = bring(body.replace('effort="5"', 'effort="5" velocity="1"'))
    theirs = pinocchio.buildModelFromUrdf(str(tmp_path / "r.urdf"), pinocchio.JointModelFreeFlyer())
    data, at = theirs.createData(), pinocchio.neutral(theirs)
    pinocchio.ccrba(theirs, data, at, np.zeros(theirs.nv))
    ours = mujoco.MjData(model)
    mujoco.mj_forward(model, ours)
    assert model.body_subtreemass[1] == pytest.approx(data.Ig.mass, rel=1e-12)
    np.testing.assert_allclose(ours.subtree_com[1], data.com[0], rtol=0, atol=1e-12)
    whole = np.zeros((3, 3))
    for k in range(1, model.nbody):
        turn, arm = ours.ximat[k].reshape(3, 3), ours.xipos[k] - ours.subtree_com[1]
        whole += turn @ np.diag(model.body_inertia[k]) @ turn.T
        whole += model.body_mass[k] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    np.testing.assert_allclose(whole, data.Ig.inertia, rtol=0, atol=1e-11)
    assert list(model.jnt_range[1]) == [theirs.lowerPositionLimit[7], theirs.upperPositionLimit[7]]
