"""Each format has one boundary: hostile MJCF, archives, tables, YAML and dumps end in one sentence; commands say it."""

import io
import os
import re
import shutil
import struct
import sys
import zipfile
import zlib

import numpy as np
import pytest

from cupola.analysis.real_flight import read_flight
from cupola.bridge.fmi.archive import open_archive
from cupola.build.mjcf import read_held, read_mjcf
from cupola.cli import main
from cupola.config.held import HeldVehicle
from cupola.config.routes import read_route
from cupola.config.scenario import Scenario
from cupola.config.vehicle import MODELS, Vehicle
from cupola.config.wind_field import parse_wind_field
from cupola.engine.errors import recent_states
from cupola.many.study import Study
from cupola.parts.table import read_spline
from cupola.schema.input_files import InputError, boundary, finite, read_bytes, reason
from cupola.schema.xml_files import parse_xml
from cupola.schema.yaml_files import LARGEST, parse, read
from cupola.teleop.stick_file import read_sticks

pytestmark = pytest.mark.timeout(120)
BODY = '<body name="b"><geom size="1"/></body>'
REPLICA = '<replicate count="100" offset="0 0 1">'
GEOM = '<geom size="0.1"/>'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f'<worldbody><replicate count="100000000" offset="0 0 1">{BODY}</replicate></worldbody>', "; at most 5000"),
        (f"<worldbody>{REPLICA * 4}{BODY}{'</replicate>' * 4}</worldbody>", "copies; at most 5000 are"),
        (f"<worldbody>{REPLICA}{GEOM * 90}</replicate></worldbody>", "its replicas add"),
        ('<worldbody><flexcomp name="f" count="999 999 9" spacing="1 1 1"/></worldbody>', "<flexcomp> requests"),
        ('<asset><hfield name="h" nrow="1000000" ncol="1000000" size="1 1 1 1"/></asset>', "<hfield> requests 1e+12"),
        ('<asset><texture name="t" builtin="flat" width="1000000" height="1000000"/></asset>', "<texture> requests"),
        (f'<size nkey="2000000000"/><worldbody>{BODY}</worldbody>', "<size nkey='2000000000'>"),
        ('<worldbody><body name="b" pos="nan 0 0"/></worldbody>', "<body b> has pos='nan 0 0': not finite numbers"),
        ('<worldbody><body><geom size="1" mass="INF"/></body></worldbody>', "<geom> has mass='INF': not finite"),
        ('<worldbody><body pos="1e999 0 0"><geom size="1"/></body></worldbody>', "m.xml: "),
        ("<worldbody>" + "<body>" * 460 + "</body>" * 460 + "</worldbody>", "nested more than 450 deep"),
        ("<worldbody>", "not valid XML"),
        ('<include file="m.xml"/>', "already included"),
        ('<extension><plugin plugin="/tmp/x.so"/></extension>', "plugin /tmp/x.so not found"),
        ('<worldbody><body><geom type="what"/></body></worldbody>', "MuJoCo refuses the model"),
    ],
)  # fmt: skip
def test_hostile_mjcf(tmp_path, text, complaint):
    (tmp_path / "m.xml").write_text(f"<mujoco>{text}</mujoco>")
    with pytest.raises(InputError) as error:
        read_mjcf(tmp_path / "m.xml", "f")
    assert complaint in str(error.value) and "m.xml" in str(error.value) and "\n" not in str(error.value)


def png(width, height, rows=b""):
    """A picture that says to have so many points."""
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows)),
        (b"IEND", b""),
    ]
    packed = (struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)


def model_with(text):
    """A model that says this, too."""
    return f"<mujoco>{text}<worldbody>{BODY}</worldbody></mujoco>"


NAMING = {
    "mesh": '<asset><mesh name="m" file="{file}"/></asset>',
    "texture": '<asset><texture name="t" type="2d" file="{file}"/></asset>',
    "cube texture": '<asset><texture name="t" type="cube" fileup="{file}"/></asset>',
    "height field": '<asset><hfield name="h" size="1 1 1 1" file="{file}"/></asset>',
    "skin": '<asset><skin name="s" file="{file}"/></asset>',
    "include": '<include file="{file}"/>',
    "model": '<asset><model name="m" file="{file}"/></asset>',
    "mesh in a folder": '<compiler meshdir="in"/><asset><mesh name="m" file="{file}"/></asset>',
    "mesh by its last name": '<compiler strippath="true"/><asset><mesh name="m" file="far/{file}"/></asset>',
}


@pytest.mark.skipif(sys.platform == "win32", reason="no such files")
@pytest.mark.parametrize("what", NAMING)
def test_mjcf_names_a_pipe(tmp_path, what):
    """MuJoCo would wait for ever; also where another file names it."""
    (tmp_path / "in").mkdir()
    for name in ("p.obj", "in/p.obj"):
        os.mkfifo(tmp_path / name)
    (tmp_path / "m.xml").write_text(
        f"<mujoco>{NAMING[what].format(file='p.obj')}<worldbody>{BODY}</worldbody></mujoco>"
    )
    (tmp_path / "outer.xml").write_text('<mujoco><include file="m.xml"/></mujoco>')
    for name in ("m.xml", "outer.xml"):
        with pytest.raises(InputError, match="is not a regular file"):
            read_mjcf(tmp_path / name, "f")


def test_mjcf_names_a_picture_without_end(tmp_path):
    (tmp_path / "p.png").write_bytes(png(30_000, 30_000))
    (tmp_path / "m.xml").write_text(
        f"<mujoco>{NAMING['texture'].format(file='p.png')}<worldbody>{BODY}</worldbody></mujoco>"
    )
    with pytest.raises(InputError, match="a picture of 30000 by 30000"):
        read_mjcf(tmp_path / "m.xml", "f")
    (tmp_path / "p.png").write_bytes(png(2, 2, bytes(2 * 7)))
    assert read_mjcf(tmp_path / "m.xml", "f")


def _attaching(name, file, times):
    attached = "".join(f'<frame><attach model="{name}" prefix="p{k}_"/></frame>' for k in range(times))
    asset = f'<asset><model name="{name}" file="{file}"/></asset>'
    return f"<mujoco>{asset}<worldbody><body>{GEOM}{attached}</body></worldbody></mujoco>"


MODELS_OF_MODELS = {
    "itself": ({"m.xml": _attaching("x", "m.xml", 1)}, "is made of itself"),
    "itself by another name": ({"m.xml": _attaching("x", "../{folder}/m.xml", 1)}, "is made of itself"),
    "each other": ({"m.xml": _attaching("x", "n.xml", 1), "n.xml": _attaching("x", "m.xml", 1)}, "is made of itself"),
    "by an include": (
        {"m.xml": '<mujoco><include file="n.xml"/></mujoco>', "n.xml": _attaching("x", "m.xml", 1)},
        "is made of itself",
    ),
    "ever more": (
        {f"{'m' if k == 0 else k}.xml": _attaching("x", f"{k + 1}.xml", 8) for k in range(12)}
        | {"12.xml": f"<mujoco><worldbody>{BODY}</worldbody></mujoco>"},
        "models that are attached add",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", MODELS_OF_MODELS)
def test_models_that_are_made_of_each_other(tmp_path, what):
    """MuJoCo follows them until the program crashes, or the memory is full."""
    texts, words = MODELS_OF_MODELS[what]
    for name, text in texts.items():
        (tmp_path / name).write_text(text.replace("{folder}", tmp_path.name))
    with pytest.raises(InputError, match=words):
        read_mjcf(tmp_path / "m.xml", "f")
    held = HeldVehicle(tmp_path / "vehicle.yaml", "", texts["m.xml"], {k: v.encode() for k, v in texts.items()})
    if "{folder}" not in texts["m.xml"]:
        with pytest.raises(InputError, match=words):
            read_held(held, held.path)


def test_models_that_are_attached_stay_so(tmp_path):
    (tmp_path / "m.xml").write_text(_attaching("x", "n.xml", 3))
    (tmp_path / "n.xml").write_text(f'<mujoco model="x"><worldbody>{BODY}</worldbody></mujoco>')
    assert len(read_mjcf(tmp_path / "m.xml", "f").compile().geom_size) == 4


LONG = "x" * 2000


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f'<!DOCTYPE a [<!ATTLIST b c CDATA "{LONG}">]><a>{"<b/>" * 10}</a>', "the declaration of 'c' of <b>"),
        (f'<a xmlns="{LONG}">{"<b/>" * 10}</a>', "the address of a name space has 2000 characters"),
        (f'<a xmlns:n="{LONG}">{"<n:b/>" * 10}</a>', "the address of a name space has 2000 characters"),
    ],
)
def test_xml_that_grows_without_entities(text, words):
    """A default of an attribute, or a name space, comes with every element that is read."""
    with pytest.raises(InputError, match=re.escape(words)):
        parse_xml(text, "f.xml")


@pytest.mark.parametrize(
    "text",
    [
        "scenario: hover\nnumbers:\n" + "".join(f"  n{k}: {{low: 0, high: 1, levels: 9}}\n" for k in range(400)),
        "scenario: hover\nmethod: latin\nsamples: 10000000\nrepeats: 1000000\nnumbers: {a: {low: 0, high: 1}}",
        "scenario: hover\nmethod: sobol\nnumbers:\n" + "".join(f"  n{k}: {{low: 0, high: 1}}\n" for k in range(2000)),
    ],
)
def test_a_study_without_end(text):
    with pytest.raises(InputError, match=r"a study may have 10000000 values|at most 1000 items"):
        parse(text, "f.yaml", Study)


@pytest.mark.parametrize("line", ["a:\n", "? \n", "? - \n"])
def test_the_same_fault_again_and_again_is_one_sentence(line):
    with pytest.raises(InputError) as error:
        parse(line * (100_000 // len(line)), "f.yaml", Study)
    assert len(str(error.value)) < 5000 and " more" in str(error.value)


def test_a_wind_field_of_too_many_rows():
    with pytest.raises(InputError, match="has 1000002 rows; 1000000 are read"):
        parse_wind_field(b"u,v\n" + b"0,0\n" * 1_000_001, "f.csv", 100.0)


@pytest.mark.skipif(sys.platform == "win32", reason="no such files")
def test_a_recorded_flight_that_is_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "f.csv")
    with pytest.raises(InputError, match="is not a regular file"):
        read_flight(tmp_path / "f.csv")


def test_mjcf_that_is_fine_stays_so(tmp_path):
    """A body may be called nan; comments may have two dashes; replicas and deep chains are used."""
    chain = "".join(f'<body name="c{k}"><geom size="0.1"/><joint/>' for k in range(150)) + "</body>" * 150
    called = BODY.replace('"b"', '"nan"')
    world = f"<worldbody>{called}<!-- a -- b -->{REPLICA}{GEOM}</replicate>{chain}</worldbody>"
    contact = '<contact><exclude body1="nan" body2="c0"/></contact>'
    (tmp_path / "m.xml").write_text(f"<mujoco>{world}{contact}</mujoco>")
    assert len(read_mjcf(tmp_path / "m.xml", "f").compile().geom_size) == 251


def archive(**files):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name.replace("__", "/").replace("_xml", ".xml"), data)
    return made.getvalue()


FINE = b'<fmiModelDescription fmiVersion="3.0"/>'
LAUGHS = b'<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><fmiModelDescription>&b;</fmiModelDescription>'


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        (archive(modelDescription_xml=LAUGHS), "the entity 'a'"),
        (archive(modelDescription_xml=b"<a>" * 1000), "nested more than 100 deep"),
        (archive(modelDescription_xml=b"<html/>"), "expected <fmiModelDescription>"),
        (archive(modelDescription_xml=b" " * (65 << 20)), "larger than 64 MiB"),
        (archive(other=b""), "there is no modelDescription.xml in it; there is: other"),
        (archive(modelDescription_xml=FINE, **{"..__..__x": b""}), "leads out of it: ../../x"),
        (archive(modelDescription_xml=FINE, **{f"f{k}": b"" for k in range(20_000)}), "20001 files"),
    ],
)
def test_hostile_archives(tmp_path, data, complaint):
    (tmp_path / "f.fmu").write_bytes(data)
    with pytest.raises(ValueError, match=re.escape(complaint)):
        open_archive(tmp_path / "f.fmu")


def test_an_archive_that_unpacks_without_end(tmp_path, monkeypatch):
    monkeypatch.setattr("cupola.bridge.fmi.archive.LARGEST_UNPACKED", 1 << 20)
    (tmp_path / "f.fmu").write_bytes(archive(modelDescription_xml=FINE, bomb=bytes(2 << 20)))
    assert (tmp_path / "f.fmu").stat().st_size < 10_000
    with pytest.raises(ValueError, match="unpacks to 2 MiB"):
        open_archive(tmp_path / "f.fmu")


TABLES = {
    b'0,"' + b"1" * 140_000 + b'"\n': "field larger than field limit",
    b"\xff\xfe0,1": "is not UTF-8 text",
    b"0,1\n" * 3_000_000: "is larger than the 8 MiB",
    b"nan,0,0,0\n0,0,0,0\n": ":1: ",
    b"0,0,0,inf\n": ":1: ",
    b"0,0,0,1e999\n": ":1: ",
    b"0,0,0,1_0\n": ":1: ",
    b"0,0,0,\xd9\xa1\n": ":1: ",
    b"": "f.csv",
}


@pytest.mark.parametrize("reader", [read_sticks, read_route, read_spline])
@pytest.mark.parametrize("data", TABLES)
def test_hostile_tables(tmp_path, reader, data):
    (tmp_path / "f.csv").write_bytes(data)
    with pytest.raises((InputError, ValueError)) as error:
        reader(tmp_path / "f.csv")
    said = str(error.value)
    assert "f.csv" in said and len(said) < 500
    if reader is read_sticks:
        assert TABLES[data] in said


def test_headings_are_words(tmp_path):
    (tmp_path / "f.csv").write_text("\ntime, roll\n0, 1\n")
    assert read_sticks(tmp_path / "f.csv") == [(0.0, [1.0])]
    (tmp_path / "r.csv").write_text("duration vx vy wz\n1 2 3 4\n")
    assert len(read_route(tmp_path / "r.csv")) == 1


@pytest.mark.parametrize("model", [Scenario, Vehicle])
@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("a: 1\n" * LARGEST, "characters, more than"),
        ("a: &a [*a]", "anchors (&), aliases (*) and tags (!) are not used here"),
        ("? [1, 2]\n: 3", "has a list or mapping as a key"),
        ("[" * 3000, "nested deeper"),
        ("a: " + "{b: " * 40 + "1" + "}" * 40, "nested deeper than 32 levels"),
        ("".join(f"k{n}: 1\n" for n in range(3000)), "and "),
        ("a: 1e999", "must be a finite number"),
        ("a: \ud800", "not valid YAML"),
        ("\0", "not valid YAML"),
    ],
)
def test_hostile_yaml(model, text, complaint):
    with pytest.raises(InputError) as error:
        parse(text, "f.yaml", model)
    assert complaint in str(error.value) and len(str(error.value)) < 30_000


@pytest.mark.skipif(sys.platform == "win32", reason="no such files")
def test_files_that_never_end_are_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    for path in (tmp_path / "pipe.yaml", tmp_path / "zero.yaml"):
        if "zero" in path.name:
            path.symlink_to("/dev/zero")
        with pytest.raises(InputError, match="is not a regular file"):
            read(path, Scenario)
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes(tmp_path / ("x" * 5000), 10)
    with pytest.raises(InputError, match="cannot be read"):
        read_bytes(tmp_path / "a\0b", 10)


def test_what_a_boundary_says():
    with pytest.raises(InputError, match=r"^here: cannot be read: KeyError: 'x'$"), boundary("here", "cannot be read"):
        raise KeyError("x")
    with pytest.raises(InputError, match=r"^as it was$"), boundary("here", "cannot be read"):
        raise InputError("as it was")
    assert reason(RecursionError("deep")) == "it is nested too deeply" and len(reason(ValueError("x" * 9999))) == 300
    assert [finite(text) for text in ("1", " -2.5e3 ", ".5", "nan", "1e999", "1_0", "", "0x1")] == [
        1.0, -2500.0, 0.5, None, None, None, None, None
    ]  # fmt: skip


HOSTILE = {
    "evil.yaml": b"vehicles: [{model: &a [*a]}]",
    "evil.sdf": b"<sdf version='1.9'><model name='m'><link name='a'><pose>nan 0 0 0 0 0</pose></link></model></sdf>",
    "evil.xacro": b"<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><link name='${9**9**9}'/></robot>",
    "evil.mcap": b"\x89MCAP0\r\n" + bytes(50) + b"\x03" + b"\xff" * 40,
    "evil.csv": b"nan,0\n0,0\n",
}
COMMANDS = {
    ("check", "evil.yaml"): (2,),
    ("run", "evil.yaml"): (2,),
    ("import", "evil.sdf"): (2,),
    ("import", "evil.xacro"): (2,),
    ("plot", "evil.mcap"): (0, 1),
    ("compare", "evil.mcap"): (1,),
    ("replay", "evil.mcap", "--no-browser"): (1, 2),
    ("run", "velma_base", "--route", "evil.csv"): (2,),
}


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_commands_say_one_sentence(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    for name, data in HOSTILE.items():
        (tmp_path / name).write_bytes(data)
    with pytest.raises(SystemExit) as left:
        main(list(words))
    said = capsys.readouterr().err
    assert left.value.code in COMMANDS[words], said
    if left.value.code:
        assert "error: " in said and "Traceback" not in said and "bug in Cupola" not in said
        lines = said.strip().splitlines()
        assert [line for line in lines if not line.startswith("warning: ")] == lines[-1:] and "evil" in lines[-1]


def test_a_dump_of_states_that_is_none(tmp_path, make_world):
    world = make_world("quadcopter")
    path = tmp_path / "d.npz"
    for data in (b"", b"PK\3\4" * 9, archive(states=b"x")):
        path.write_bytes(data)
        with pytest.raises(InputError, match=r"d\.npz: cannot be read as the states of a run that stopped"):
            world.restore(path)
    for states in (np.zeros((0, 5)), np.zeros(5), np.zeros((2, 5)), np.array([[None]], object)):
        np.savez(path, states=states, samples=np.zeros(1), seed=np.array(1), applied_forces=np.zeros(1))
        with pytest.raises(InputError, match=r"d\.npz"):
            world.restore(path)


def test_a_dump_of_states_that_are_no_plain_numbers(tmp_path, make_world):
    world = make_world("quadcopter")
    world.run(0.01)
    arrays, path = world.arrays, tmp_path / "d.npz"
    whole = {"states": recent_states(arrays, world.tick), "samples": arrays.samples}
    whole |= {"applied_forces": arrays.applied_forces, "seed": np.array(1)}
    np.savez(path, **whole)
    world.restore(path)
    kinds = ("U5", "?", "f2", "f4", "c16", "i8", "M8[s]")
    wrong = [
        {name: np.ones(whole[name].shape).astype(kind)}
        for name in ("states", "samples", "applied_forces")
        for kind in kinds
    ]
    for one in (*wrong, {"applied_forces": np.full_like(arrays.applied_forces, np.inf)}):
        np.savez(path, **{**whole, **one})
        with pytest.raises(InputError, match=r"d\.npz: its states, samples and forces must be numbers of 64 bits"):
            world.restore(path)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (r"c_prop: [\d.]+", "c_prop: 0.0", "its numbers cannot be used together: ZeroDivisionError"),
        (r"(raw: .*)rate_hz: [\d.]+", r"\1rate_hz: 1e-320", "rate_hz: must be at least"),
    ],
)
def test_numbers_that_do_not_go_together(tmp_path, make_world, old, new, complaint):
    folder = tmp_path / "hexa"
    shutil.copytree(MODELS / "hexacopter", folder)
    text = (folder / "vehicle.yaml").read_text()
    (folder / "vehicle.yaml").write_text(re.sub(old, new, text))
    assert text != (folder / "vehicle.yaml").read_text()
    with pytest.raises(InputError) as error:
        make_world(str(folder))
    assert complaint in str(error.value) and "vehicle.yaml" in str(error.value)
