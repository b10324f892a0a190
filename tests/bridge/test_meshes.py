"""Imported meshes are known by content and scale: every compiled geom is compared with its file, scale and pose."""

import itertools
import os
import struct
from pathlib import Path

import mujoco
import numpy as np
import pytest

from cupola import load
from cupola.bridge.last_letter.folder import import_folder
from cupola.bridge.mjcf.folder import import_mjcf
from cupola.bridge.sdf.folder import import_file
from cupola.bridge.sdf.mesh_file import volume
from cupola.bridge.sdf.meshes import Mesh, Meshes, compiled_triangles
from cupola.schema.input_files import InputError

FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])  # outwards, seen from a corner at the origin
INERTIAL = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"


def corner(a, b, c):
    """(4, 3, 3) triangles of a tetrahedron with edges a, b, c along x, y, z: no two alike, none its own mirror."""
    return np.array([[0, 0, 0], [a, 0, 0], [0, b, 0], [0, 0, c]], float)[FACES]


def binary_stl(triangles):
    records = b"".join(struct.pack("<12fH", 0, 0, 0, *t.ravel(), 0) for t in triangles)
    return b"solid but binary".ljust(80) + struct.pack("<I", len(triangles)) + records


def text_stl(triangles):
    corners = ["\n".join(f"vertex {x} {y} {z}" for x, y, z in t) for t in triangles]
    return (
        "solid a\n" + "".join(f"facet normal 0 0 0\nouter loop\n{c}\nendloop\nendfacet\n" for c in corners)
    ).encode()


def obj(triangles):
    points = "".join(f"v {x} {y} {z}\n" for x, y, z in triangles.reshape(-1, 3))
    faces = "".join(f"f {-3 * k - 3}/1 {-3 * k - 2}/2 {-3 * k - 1}/3\n" for k in reversed(range(len(triangles))))
    return (points + faces).encode()


def dae(triangles):
    numbers = " ".join(map(str, triangles.ravel()))
    order = " ".join(map(str, range(3 * len(triangles))))
    return f"""<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema"><asset><up_axis>Z_UP</up_axis></asset>
    <library_geometries><geometry id="g"><mesh><source id="s"><float_array id="f">{numbers}</float_array></source>
    <vertices id="v"><input semantic="POSITION" source="#s"/></vertices><triangles count="{len(triangles)}">
    <input semantic="VERTEX" source="#v" offset="0"/><p>{order}</p></triangles></mesh></geometry></library_geometries>
    <library_visual_scenes><visual_scene><node><instance_geometry url="#g"/></node></visual_scene>
    </library_visual_scenes></COLLADA>""".encode()


WRITERS = {"obj": obj, "stl": binary_stl, "STL": text_stl, "dae": dae}
SCALES = ((1, 1, 1), (2, 2, 2), (-1, 1, 1), (1, -0.5, 3), (-1, -1, -1))
SHAPES = {"a": corner(1, 2, 3), "b": corner(0.3, 0.2, 0.1)}


def sdf_of(shapes):
    """Each shape at its own place and turn, by uri, scale and pose."""
    visuals = "".join(
        f'<{kind} name="s{k}"><pose>{k} 0 0 0 0 {0.1 * k}</pose><geometry><mesh><uri>{uri}</uri>'
        f"<scale>{' '.join(map(str, scale))}</scale></mesh></geometry></{kind}>"
        for k, (uri, scale, kind) in enumerate(shapes)
    )
    return f'<sdf version="1.9"><model name="m"><link name="base">{INERTIAL}{visuals}</link></model></sdf>'


def urdf_of(shapes):
    visuals = "".join(
        f'<{kind} name="s{k}"><origin xyz="{k} 0 0" rpy="0 0 {0.1 * k}"/><geometry><mesh filename="{uri}" '
        f'scale="{" ".join(map(str, scale))}"/></geometry></{kind}>'
        for k, (uri, scale, kind) in enumerate(shapes)
    )
    inertial = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    return f'<robot name="m"><link name="base">{inertial}{visuals}</link></robot>'


def placed(k, triangles, scale):
    """What the geom of shape k must be in the world: scaled, a mirror image turned right side out, turned, moved."""
    turn = np.array([[np.cos(0.1 * k), -np.sin(0.1 * k), 0], [np.sin(0.1 * k), np.cos(0.1 * k), 0], [0, 0, 1]])
    return (triangles * scale) @ turn.T + [k, 0, 0]


def geoms(model):
    """Corners of every mesh geom in the world, as compiled."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    found = []
    for geom in range(model.ngeom):
        mesh = model.geom_dataid[geom]
        points = model.mesh_vert[model.mesh_vertadr[mesh] :][: model.mesh_vertnum[mesh]]
        faces = model.mesh_face[model.mesh_faceadr[mesh] :][: model.mesh_facenum[mesh]]
        found.append((points @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])[faces])
    return found


def rows(triangles):
    """The corners as a set that does not depend on their order."""
    return np.unique(np.round(triangles.reshape(-1, 3), 5) + 0.0, axis=0)


@pytest.mark.parametrize("write", [sdf_of, urdf_of])
@pytest.mark.parametrize("ending", WRITERS)
@pytest.mark.parametrize("kind", ["visual", "collision"])
def test_every_geom_is_its_source(tmp_path, write, ending, kind):
    """Two files of one name in two folders, each at five scales, three of them mirror images: ten different geoms."""
    for folder, triangles in SHAPES.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"body.{ending}").write_bytes(WRITERS[ending](triangles))
    shapes = [(f"{folder}/body.{ending}", scale, kind) for folder, scale in itertools.product(SHAPES, SCALES)]
    suffix = "sdf" if write is sdf_of else "urdf"
    (tmp_path / f"m.{suffix}").write_text(write(shapes))
    made = import_file(tmp_path / f"m.{suffix}", tmp_path / "out")
    found = geoms(mujoco.MjModel.from_xml_path(str(made.folder / "model.xml")))
    assert len(found) == len(shapes)
    for k, (uri, scale, _) in enumerate(shapes):
        source = SHAPES[uri[0]]
        np.testing.assert_array_equal(rows(found[k]), rows(placed(k, source, scale)))
        expected = volume(source) * abs(np.prod(scale))  # positive: a mirror image is not inside out
        assert volume(found[k]) == pytest.approx(expected, rel=1e-5)
    assert [mesh for mesh, _ in made.renamed] == [f"b/body.{ending}"]
    assert "another mesh is called body" in made.renamed[0][1]
    readme = (made.folder / "README.md").read_text()
    assert f"a/body.{ending}" in readme and f"b/body.{ending}" in readme and "-1 1 1" in readme


def test_the_same_content_is_one_file(tmp_path):
    for folder in SHAPES:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "body.obj").write_bytes(obj(SHAPES["a"]))
    (tmp_path / "m.sdf").write_text(sdf_of([(f"{folder}/body.obj", (1, 1, 1), "visual") for folder in SHAPES]))
    made = import_file(tmp_path / "m.sdf", tmp_path / "out")
    assert [file.name for file in (made.folder / "meshes").iterdir()] == ["body.obj"] and not made.renamed


def test_the_same_content_with_other_materials_is_another_mesh(tmp_path):
    """The file of materials beside it says which faces have one colour, and so which are one mesh."""
    text = "mtllib m.mtl\n" + "".join(f"usemtl m{k}\n{obj(corner(1 + k, 1, 1)).decode()}" for k in range(3))
    for folder, colours in {"a": (1, 0, 1), "b": (1, 1, 0)}.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "body.obj").write_text(text)
        (tmp_path / folder / "m.mtl").write_text("".join(f"newmtl m{k}\nKd {c} 0 0\n" for k, c in enumerate(colours)))
    (tmp_path / "m.sdf").write_text(sdf_of([(f"{folder}/body.obj", (1, 1, 1), "visual") for folder in "ab"]))
    made = import_file(tmp_path / "m.sdf", tmp_path / "out")
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    red = [0.0, 0.0]
    for geom, triangles in enumerate(geoms(model)):
        if model.geom_rgba[geom][0] == 1.0:
            red[int(model.geom_pos[geom][0])] += 6.0 * volume(triangles)
    assert red == pytest.approx([1.0 + 3.0, 1.0 + 2.0], rel=1e-5)


def test_the_same_bytes_with_another_ending_are_another_mesh(tmp_path):
    """Text that is a mesh in both formats, a different one in each."""
    both = b"solid a\n" + text_stl(SHAPES["b"]).partition(b"\n")[2] + obj(SHAPES["a"])
    for ending in ("stl", "obj"):
        (tmp_path / f"body.{ending}").write_bytes(both)
    (tmp_path / "m.sdf").write_text(sdf_of([(f"body.{ending}", (1, 1, 1), "visual") for ending in ("stl", "obj")]))
    made = import_file(tmp_path / "m.sdf", tmp_path / "out")
    found = geoms(mujoco.MjModel.from_xml_path(str(made.folder / "model.xml")))
    for k, name in enumerate("ba"):
        np.testing.assert_array_equal(rows(found[k]), rows(placed(k, SHAPES[name], (1, 1, 1))))


def test_names_that_differ_in_capitals_alone(tmp_path):
    (tmp_path / "Body.obj").write_bytes(obj(SHAPES["a"]))
    (tmp_path / "body.obj").write_bytes(obj(SHAPES["b"]))
    (tmp_path / "m.sdf").write_text(sdf_of([(name, (1, 1, 1), "visual") for name in ("Body.obj", "body.obj")]))
    made = import_file(tmp_path / "m.sdf", tmp_path / "out")
    names = {file.name.lower() for file in (made.folder / "meshes").iterdir()}
    assert len(names) == 2


def test_names_of_mjcf_that_differ_in_capitals_alone(tmp_path):
    for name, shape in (("Body.stl", "a"), ("body.stl", "b"), ("BODY.stl", "a")):
        (tmp_path / name).write_bytes(binary_stl(SHAPES[shape]))
    meshes = "".join(f'<mesh name="m{k}" file="{name}.stl"/>' for k, name in enumerate(("Body", "body", "BODY")))
    shown = "".join(f'<geom type="mesh" mesh="m{k}"/>' for k in range(3))
    text = f'<mujoco><asset>{meshes}</asset><worldbody><body name="b"><freejoint/>{shown}</body></worldbody></mujoco>'
    (tmp_path / "m.xml").write_text(text)
    made = import_mjcf(tmp_path / "m.xml", tmp_path / "out")
    names = [file.name for file in (made.folder / "assets").iterdir()]
    assert len({name.lower() for name in names}) == len(names) == 2
    found = geoms(mujoco.MjModel.from_xml_path(str(made.folder / "model.xml")))
    for k, shape in enumerate("aba"):
        assert volume(found[k]) == pytest.approx(volume(SHAPES[shape]), rel=1e-5)


def test_a_mesh_that_is_written_anew_is_read_anew(tmp_path, vehicle):
    """As a script does that tries shapes: same name, same size, same second."""
    shown = '<body name="base"><freejoint/><geom type="mesh" mesh="body"/></body></worldbody>'
    folder = Path(vehicle(f'{shown}<asset><mesh file="body.stl"/></asset><worldbody>'))
    for size in (1.0, 2.0, 3.0):
        (folder / "body.stl").write_bytes(binary_stl(corner(size, 1, 1)))
        os.utime(folder / "body.stl", (1, 1))
        model = load(str(folder)).model
        assert model.body("toy/base").mass[0] == pytest.approx(1000.0 * size / 6.0, rel=1e-4)


def test_last_letter_lists_the_meshes_it_does_not_draw(model_folder, tmp_path):
    made = import_folder(model_folder(), tmp_path / "out")
    assert any("wheel.dae" in what for what, _ in made.lost)


@pytest.mark.parametrize("noise", [1e-18, -1e-18, 1e-12])
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_plate_without_thickness_has_no_inside_to_come_out_wrong(tmp_path, noise, axis):
    """Its volume is rounding, of any sign: a badge on a robot had made the import refuse the robot."""
    random = np.random.default_rng(3)
    flat = random.uniform(0.007, 0.13, (48, 3, 3))
    flat[..., axis] = -0.0005 + noise * random.uniform(size=flat.shape[:2])
    for turned in (flat, flat[:, ::-1]):
        (tmp_path / "badge.dae").write_bytes(dae(turned))
        (tmp_path / "m.sdf").write_text(sdf_of([("badge.dae", (1, 1, 1), "visual")]))
        made = import_file(tmp_path / "m.sdf", tmp_path / "out")
        found = geoms(mujoco.MjModel.from_xml_path(str(made.folder / "model.xml")))
        np.testing.assert_allclose(rows(found[0]), rows(turned), atol=1e-6)
        made.folder.rename(tmp_path / f"was{len(list(tmp_path.iterdir()))}")


def test_a_mesh_that_came_out_different_is_refused(tmp_path):
    (tmp_path / "body.obj").write_bytes(obj(SHAPES["a"]))
    (tmp_path / "m.sdf").write_text(sdf_of([("body.obj", (1, 1, 1), "visual")]))
    made = import_file(tmp_path / "m.sdf", tmp_path / "out")
    text = (made.folder / "model.xml").read_text()
    meshes = Meshes(tmp_path / "x")
    for other in ('scale="1 1 1.001"', 'scale="-1 1 1"'):
        wrong = text.replace('inertia="shell"', f'inertia="shell" {other}')
        model = mujoco.MjModel.from_xml_string(wrong, {"meshes/body.obj": obj(SHAPES["a"])})
        corners = SHAPES["a"].reshape(-1, 3)
        low, high = corners.min(axis=0), corners.max(axis=0)
        meshes.made = {("f", (1.0,)): Mesh("body", "f", tmp_path / "body.obj", (1, 1, 1), low, high, 1.0)}
        with pytest.raises(InputError, match="the mesh body came out different from its source"):
            meshes.compare(model)
        assert len(compiled_triangles(model, "body")) == 4


BAD = {
    "nan.obj": b"v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n",
    "word.obj": b"v 0 0 zero\n",
    "gone.obj": b"v 0 0 0\nf 1 2 3\n",
    "far.obj": b"v 0 0 0\nf 1 99999999999999999999 -7\n",
    "empty.obj": b"",
    "short.stl": binary_stl(SHAPES["a"])[:-7],
    "many.stl": b"x" * 80 + struct.pack("<I", 4_000_000_000),
    "nan.stl": binary_stl(SHAPES["a"] * np.nan),
    "odd.stl": b"solid a\nvertex 1 2 3\nvertex 1 2\n",
    "nan.dae": dae(SHAPES["a"]).replace(b'<float_array id="f">0.0', b'<float_array id="f">inf'),
    "index.dae": dae(SHAPES["a"]).replace(b"<p>0 ", b"<p>99 "),
    "minus.dae": dae(SHAPES["a"]).replace(b"<p>0 ", b"<p>-1 "),
    "word.dae": dae(SHAPES["a"]).replace(b"<p>0 ", b"<p>x "),
    "itself.dae": dae(SHAPES["a"]).replace(b"<node>", b'<node id="n"><instance_node url="#n"/>'),
    "offset.dae": dae(SHAPES["a"]).replace(b'offset="0"', b'offset="-3"'),
    "unit.dae": dae(SHAPES["a"]).replace(b"<asset>", b'<asset><unit meter="nan"/>'),
    "twice.dae": dae(SHAPES["a"]).replace(b'url="#g"', b'url="#v"').replace(b"#s", b"#g"),
    "no.dae": b"<html/>",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_meshes_are_named(tmp_path, name):
    (tmp_path / name).write_bytes(BAD[name])
    (tmp_path / "m.sdf").write_text(sdf_of([(name, (1, 1, 1), "visual")]))
    if name == "twice.dae":  # nothing is left of it, which is said
        made = import_file(tmp_path / "m.sdf", tmp_path / "out")
        assert any("holds nothing that can be drawn" in why for _, why in made.lost)
        return
    with pytest.raises(InputError, match=name):
        import_file(tmp_path / "m.sdf", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_scale_of_zero_is_refused(tmp_path):
    (tmp_path / "body.obj").write_bytes(obj(SHAPES["a"]))
    (tmp_path / "m.sdf").write_text(sdf_of([("body.obj", (1, 0, 1), "visual")]))
    with pytest.raises(InputError, match="visual s0: the scale of a mesh must not be zero"):
        import_file(tmp_path / "m.sdf", tmp_path / "out")
