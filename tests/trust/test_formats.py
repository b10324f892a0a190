"""Each format has one boundary: hostile MJCF, archives, tables, YAML and dumps end in one sentence; commands say it."""

import io
import os
import re
import shutil
import sys
import zipfile

import numpy as np
import pytest

from cupola.bridge.fmi.archive import open_archive
from cupola.build.mjcf import read_mjcf
from cupola.cli.commands import main
from cupola.config.routes import read_route
from cupola.config.scenario import Scenario
from cupola.config.vehicle import MODELS, Vehicle
from cupola.parts.table import read_spline
from cupola.schema.input_files import InputError, boundary, finite, read_bytes, reason
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
