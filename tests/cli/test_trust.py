"""Files are data: code that they name runs only if the user named it too, or trusts its folder."""

import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcap.reader import make_reader
from mcap.writer import Writer

import cupola as api
from cupola.cli.commands import app, new
from cupola.config.scenario import Scenario
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.trust import Code, Trust, remember, trusted_folders
from cupola.schema.yaml_files import InputError, parse
from cupola.sim.world import World

TRIPWIRE = """
from pathlib import Path
Path({mark!r}).touch()
from cupola import Controller, Load, Wrench, Vector
from cupola.config.channels import ChannelFunctions

class Pilot(Controller):
    def step(self, obs, ref):
        return [0.5] * 4

class Push(Load):
    def step(self, motion, density, drive):
        return Wrench(Vector(0.0, 0.0, 1.0), Vector(0.0, 0.0, 0.0))

class Hand(ChannelFunctions):
    pass
"""
LIBRARY = """
#include <stdio.h>
__attribute__((constructor)) static void trip(void) {{ FILE *f = fopen("{mark}", "w"); if (f) fclose(f); }}
const char *cupola_names(int which) {{ return ""; }}
int cupola_step(const double *in, double *out, double *s, const double *p, double t, double dt) {{ return 0; }}
"""
BODY = '<body name="base"><freejoint/><geom type="sphere" size="0.1"/><site name="here"/></body>'
PILOT = {"use": "evil.py:Pilot", "rate_hz": 100}
PUSH = {"kind": "evil.py:Push", "site": "here"}
EVIL: dict[str, Any] = {
    "controller": {"controller": PILOT},
    "assisted mode": {"assisted": PILOT},
    "part": {"parts": {"push": PUSH}},
    "channel functions": {"channel_mix": {"own": "evil.py:Hand"}},
    "C library": {"parts": {"model": {"kind": "c", "file": "evil.so"}}},
    "FMU": {"parts": {"model": {"kind": "fmu", "file": "evil.fmu"}}},
    "module of this folder": {"controller": {"use": "evil.py:x:Pilot", "rate_hz": 100}},
}


@pytest.fixture
def stranger(tmp_path, monkeypatch, vehicle):
    """A folder from a stranger, in which every file that is run leaves a mark; nothing is trusted."""
    monkeypatch.setenv("CUPOLA_CONFIG", str(tmp_path / "config"))
    monkeypatch.chdir(tmp_path)
    mark = tmp_path / "tripped"

    def write(name="evil", **entry):
        folder = Path(vehicle(BODY, name=name, files={"evil.py": TRIPWIRE.format(mark=str(mark))}, **entry))
        if "evil.so" in str(entry) or "evil.fmu" in str(entry):
            (folder / "evil.c").write_text(LIBRARY.format(mark=mark))
            subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "evil.so", folder / "evil.c"], check=True)
            shutil.copy(folder / "evil.so", folder / "evil.fmu")
        return folder

    return SimpleNamespace(write=write, tripped=mark.exists, mark=mark, folder=tmp_path)


@pytest.mark.parametrize("what", EVIL)
def test_check_lists_code_and_runs_none(what, stranger, cupola):
    folder = stranger.write(**EVIL[what])
    answer = cupola("check", "evil", "--json")
    assert not stranger.tripped()
    if what == "module of this folder":
        assert answer.code == 2 and "evil.py:x:Pilot" in answer.err
        return
    assert answer.code == 0, answer.err
    (code,) = answer.json["code"]
    assert Path(code["file"]).parent == folder.resolve() and not code["trusted"]
    said = " ".join(cupola("check", "evil").out.split())  # however wide the terminal is
    assert "not run here, not trusted" in said and not stranger.tripped()
    remember([folder])  # not even then
    assert cupola("check", "evil", "--json").json["code"][0]["trusted"] and not stranger.tripped()


RUN_WORLDS: dict[str, list[str]] = {
    "run": ["evil"],
    "fly": ["evil"],
    "trim": ["evil", "--airspeed", "10"],
    "linearize": ["evil", "--airspeed", "10"],
    "autopilot": ["ardupilot", "evil", "--dry"],
}
"""Commands that would run the code of a vehicle if it were trusted."""
READ_FILES: dict[str, list[str]] = {
    "check": ["evil", "--converge"],
    "sweep": ["study.yaml", "--processes", "1"],
    "learn": ["task.yaml", "--steps", "4", "--worlds", "2"],
    "tune": ["evil", "--measure", "off", "--gain", "evil.a=0:1", "--gain", "evil.b=0:1"],
    "new vehicle": ["mine", "--like", "evil"],
    "ros1": ["evil", "--messages", "catkin"],
    "ros2": ["evil", "--duration", "0.01", "--patience", "0.1"],
    "export": ["fmu", "evil", "--out", "evil"],
    "joystick": ["--map", "evil/vehicle.yaml", "--seconds", "0"],
}
"""Commands that take a file and never ask for trust."""
RECORDED = ["replay", "share", "plot", "compare", "export", "verify", "identify", "check", "list"]
"""Commands that are tried on a hostile recording."""
OTHERWISE = {
    **dict.fromkeys(RECORDED, "recordings, below"),
    "import": "models of others, below",
    "serve": "its argument names the code that it runs",
    **dict.fromkeys(("bench", "reproduce", "new notebook", "new examples", "new study", "new controller"), "no file"),
}


def test_each_command_that_exists_is_tried_on_hostile_files():
    """A new command must be put into one of the tables."""
    tried = {*RUN_WORLDS, *READ_FILES, *OTHERWISE}
    groups = {"": app, "new ": new}
    made = [(before, one) for before, group in groups.items() for one in group.registered_commands]
    assert {before + str(one.name or one.callback.__name__) for before, one in made} == tried


@pytest.mark.parametrize("what", EVIL)
@pytest.mark.parametrize("command", READ_FILES)
def test_no_command_runs_what_a_vehicle_names(command, what, stranger, cupola):
    stranger.write(**EVIL[what])
    study = {"scenario": "evil", "numbers": {"air.temperature_offset": {"values": [0.0, 1.0]}}}
    Path("study.yaml").write_text(json.dumps(study))
    action = {"push": {"channel": 0, "low": 0, "high": 1}}
    seen = {"observation": ["evil.position.z"], "reward": "0", "success": "evil.position.z > 0 m"}
    Path("task.yaml").write_text(json.dumps({"scenario": "evil", "limit": 1, "action": action, **seen}))
    cupola(*command.split(), *READ_FILES[command])
    assert not stranger.tripped()


@pytest.mark.parametrize("what", EVIL)
@pytest.mark.parametrize("command", RUN_WORLDS)
def test_what_runs_worlds_refuses_code_and_says_how_to_allow_it(command, what, stranger, cupola):
    stranger.write(**EVIL[what])
    answer = cupola(command, *RUN_WORLDS[command])
    assert answer.code == 2 and not stranger.tripped()
    if what != "module of this folder":
        assert "evil/evil." in answer.err and "--trust" in answer.err and "trust=True" in answer.err
        assert "vehicle.yaml: " in answer.err  # who names it


def test_check_takes_the_word_of_code_for_what_it_gives(stranger, cupola):
    """A motor may hang on a battery that is code: that it gives a supply cannot be known without running it."""
    numbers = {"k_v": 13.3, "r_motor": 0.04, "i_0": 0.9, "r_battery": 0.0, "cells": 3.0, "cell_voltage": 4.0}
    limits = {"omega_min": 0.01, "omega_max": 1000.0, "thrust_max": 138.0, "j_min": 0.0, "j_max": 0.8}
    electric = {**numbers, **limits, "prop_diameter": 0.3, "inertia": 8e-4}
    curves = {"efficiency": {"coefficients": [0.0, 3.19]}, "c_power": {"coefficients": [0.0661]}}
    motor = {"kind": "rotor", "site": "here", "channel": 0, "direction": 1, "electric": electric, **curves}
    stranger.write(parts={"motor": {**motor, "battery": "pack"}, "pack": PUSH})
    answer = cupola("check", "evil", "--json")
    assert answer.code == 0, answer.err
    assert answer.json["vehicles"]["evil"]["parts"] == {"motor": "rotor", "pack": "evil.py:Push"}
    assert not stranger.tripped()


def test_a_scenario_cannot_lead_to_code_elsewhere(stranger, cupola):
    """Neither by an absolute path, nor by .., nor by a link: what it leads to must be trusted."""
    folder, own = stranger.write(), stranger.folder / "mine"
    own.mkdir()
    (own / "linked.py").symlink_to(folder / "evil.py")
    remember([own])
    for use in (folder / "evil.py", "../evil/evil.py", "linked.py"):
        text = json.dumps({"vehicles": [{"model": "quadcopter", "controller": {"use": f"{use}:Pilot"}}]})
        (own / "own.yaml").write_text(text)
        answer = cupola("run", "mine/own.yaml", "--no-record")
        assert answer.code == 2 and str(folder / "evil.py") in answer.err and not stranger.tripped()
        assert cupola("check", "mine/own.yaml").code == 0 and not stranger.tripped()


def test_the_numbers_of_a_scenario_cannot_bring_code(stranger, cupola):
    folder = stranger.write(**EVIL["C library"])
    (folder / "harmless.so").touch()
    vehicle = folder / "vehicle.yaml"
    vehicle.write_text(vehicle.read_text().replace("evil.so", "harmless.so"))
    entry = {"model": str(folder), "parts": {"model": {"file": "evil.so"}}}
    Path("own.yaml").write_text(json.dumps({"vehicles": [entry]}))
    answer = cupola("run", "own.yaml", "--no-record")
    assert answer.code == 2 and "evil.so" in answer.err and not stranger.tripped()


@pytest.fixture
def hostile(stranger):
    """A recording whose vehicle, controller and attachments are all traps."""
    folder = stranger.write(**{**EVIL["part"], **EVIL["controller"], **EVIL["channel functions"]})
    world = api.load(str(folder), trust=True)
    path = stranger.folder / "evil.mcap"
    WorldRecorder(world, path).close()
    data, trap = path.read_bytes(), (folder / "evil.py").read_bytes()
    with path.open("wb") as file, io.BytesIO(data) as old:
        reader, writer = make_reader(old), Writer(file)
        writer.start("ros2", "cupola 0.1.0")
        for one in reader.iter_metadata():
            writer.add_metadata(one.name, one.metadata)
        for one in reader.iter_attachments():
            writer.add_attachment(0, 0, one.name, one.media_type, one.data)
        for name in ("evil/evil.py", "evil/sitecustomize.py", "../evil.py", "/evil.py", "evil/../../evil.py"):
            writer.add_attachment(0, 0, name, "text/x-python", trap)
        schemas = {}
        for schema, channel, message in reader.iter_messages():
            if channel.topic not in schemas:
                number = writer.register_schema(schema.name, schema.encoding, schema.data)
                schemas[channel.topic] = writer.register_channel(channel.topic, "cdr", number)
            writer.add_message(schemas[channel.topic], message.log_time, message.data, message.publish_time)
        writer.finish()
    stranger.mark.unlink()
    return stranger


@pytest.mark.parametrize("gone", [False, True], ids=["beside its vehicle", "alone"])
@pytest.mark.parametrize("command", RECORDED)
def test_no_command_runs_what_a_recording_carries(command, gone, hostile, cupola):
    if gone:
        shutil.rmtree(hostile.folder / "evil")
    before = set(hostile.folder.rglob("*.py"))
    more = {
        "replay": ("--duration", "0.2", "--no-browser"),
        "plot": ("--out", "plots"),
        "identify": ("--fit", "a.b"),
    }.get(command, ())
    answer = cupola(command, *(["evil.mcap"] if command != "list" else []), *more)
    assert not hostile.tripped()
    assert set(hostile.folder.rglob("*.py")) == before
    if command in ("replay", "share", "plot", "list"):
        assert answer.code == 0, answer.err
    elif command == "verify":
        assert answer.code == 2 and ("is not there" if gone else "--trust") in answer.err


IMPORTED = {
    "name.xacro": """<robot xmlns:xacro="http://x" name="${{__import__('pathlib').Path({mark!r}).touch()}}">
        <link name="base"/></robot>""",
    "property.xacro": """<robot xmlns:xacro="http://x" name="a">
        <xacro:property name="p" value="${{open({mark!r}, 'w')}}"/><link name="${{p}}"/></robot>""",
    "plugin.urdf": """<robot name="a"><link name="base"/>
        <gazebo><plugin name="p" filename="evil.so"/></gazebo></robot>""",
    "plugin.sdf": """<sdf version="1.9"><model name="a"><link name="base"/>
        <plugin name="p" filename="evil.so"/></model></sdf>""",
}


@pytest.mark.parametrize("name", IMPORTED)
def test_import_runs_no_code(name, stranger, cupola):
    stranger.write(**EVIL["C library"])
    shutil.copy(stranger.folder / "evil" / "evil.so", stranger.folder / "evil.so")
    Path(name).write_text(IMPORTED[name].format(mark=str(stranger.mark)))
    cupola("import", name, "--out", "made")
    assert not stranger.tripped()


def test_trust_is_given_once_and_for_one_folder(stranger, cupola):
    stranger.write(**EVIL["controller"])
    stranger.write("other", **EVIL["controller"])
    short = ("--duration", "0.01", "--no-record")
    allowed = cupola("run", "evil", "--trust", *short)
    assert allowed.code == 0 and "trusted from now on: " in allowed.err and stranger.tripped()
    assert trusted_folders() == [(stranger.folder / "evil").resolve()]
    stranger.mark.unlink()
    assert cupola("run", "evil", *short).code == 0
    assert cupola("run", "other", *short).code == 2
    assert oct((stranger.folder / "config" / "trusted_folders").stat().st_mode & 0o777) == "0o600"


def test_code_that_was_named_runs(stranger, cupola):
    stranger.write()
    named = ("run", "quadcopter", "--controller", "evil/evil.py:Pilot", "--duration", "0.01", "--no-record")
    assert cupola(*named).code == 0 and stranger.tripped()
    stranger.mark.unlink()
    stranger.write("other", **EVIL["part"])  # naming one file does not allow another
    assert cupola("run", "other", "--controller", "evil/evil.py:Pilot", "--no-record").code == 2


@pytest.mark.parametrize(("answer", "runs"), [("y", True), ("", False), ("n", False)])
def test_who_sits_at_a_terminal_is_asked(answer, runs, stranger, cupola, monkeypatch):
    stranger.write(**EVIL["controller"])
    terminal = SimpleNamespace(isatty=lambda: True)
    monkeypatch.setattr("cupola.cli.trusting.sys", SimpleNamespace(stdin=terminal, stderr=terminal))
    monkeypatch.setattr("builtins.input", lambda: answer)
    done = cupola("run", "evil", "--duration", "0.01", "--no-record")
    assert (done.code == 0) is runs
    assert "evil/evil.py" in done.err and "Trust the code in" in done.err
    assert [folder.name for folder in trusted_folders()] == ["evil"] * runs


def test_nobody_is_asked_without_a_terminal(stranger, cupola, monkeypatch):
    stranger.write(**EVIL["controller"])
    monkeypatch.setattr("builtins.input", lambda: pytest.fail("asked"))
    assert cupola("run", "evil", "--no-record").code == 2


def test_a_name_cannot_write_on_the_terminal(stranger, cupola):
    """The question must show what it asks: no codes that move the cursor, no letters that turn the text around."""
    folder = stranger.write()
    (folder / "a\x1b[2K\u202eyp.py").write_text("")
    text = json.dumps({"vehicles": [{"model": "quadcopter", "controller": {"use": "a\x1b[2K\u202eyp.py:Pilot"}}]})
    (folder / "own.yaml").write_text(text)
    answer = cupola("run", "evil/own.yaml")
    assert answer.code == 2 and "\x1b" not in answer.err and "\u202e" not in answer.err
    assert r"a\x1b[2K\u202eyp.py" in answer.err


def test_python_refuses_what_a_file_names_and_runs_what_the_caller_names(stranger):
    folder = stranger.write(**EVIL["controller"])
    with pytest.raises(InputError, match="would run code that you have not allowed"):
        api.load(str(folder))
    with pytest.raises(InputError, match="would run code that you have not allowed"):
        World(parse("vehicles: [{model: evil}]", "own", Scenario))
    assert not stranger.tripped()
    assert api.load(str(folder), trust=True).command().size and stranger.tripped()
    stranger.mark.unlink()
    api.load("quadcopter", controllers={"quadcopter": "evil/evil.py:Pilot"})


def test_what_ships_needs_no_trust(stranger):
    """Shipped models are part of the package."""
    shipped = Path(api.__file__).parent / "models" / "quadcopter" / "own.py"
    assert Trust().allows(Code(shipped, "own.py:Own", "vehicle.yaml"))
    assert not Trust().allows(Code(shipped.parent / "../../../own.py", "own.py:Own", "vehicle.yaml"))


def test_a_home_folder_is_trusted_for_once_only(stranger, monkeypatch):
    """Whatever is downloaded into it later would be trusted, too."""
    monkeypatch.setenv("HOME", str(stranger.folder / "home"))
    (stranger.folder / "home" / "work").mkdir(parents=True)
    wide = [stranger.folder / "home", stranger.folder, Path("/")]
    assert remember([*wide, stranger.folder / "home" / "work"]) == [path.resolve() for path in wide]
    assert trusted_folders() == [(stranger.folder / "home" / "work").resolve()]


@pytest.mark.parametrize("words", [("list",), ("run", "quadcopter", "--duration", "0.01")])
def test_modules_of_the_present_folder_are_not_taken(words, stranger):
    """Neither by the command nor by its helpers, which compile: with an empty cache there are some."""
    trap = f"open({str(stranger.mark)!r}, 'w')\nraise SystemExit(3)\n"
    for module in ("numpy", "numba", "mujoco", "yaml", "typing", "struct", "multiprocessing", "sitecustomize"):
        Path(f"{module}.py").write_text(trap)
    installed = [sys.executable, "-P", "-c", "from cupola.cli import main; main()"]  # as the command `cupola` does
    done = subprocess.run([*installed, *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert not stranger.tripped()


SETTINGS = {
    ".numba_config.yaml": "disable_jit: 1\nbroken: [",
    "matplotlibrc": "text.usetex: True\nbackend: module://evil\n",
}
"""Files that libraries below us obey where they find them: the first stops every command, the second runs TeX."""


@pytest.mark.parametrize("program", ["command", "helper of a command"])
def test_settings_of_the_present_folder_are_not_obeyed(program, stranger):
    for name, text in SETTINGS.items():
        Path(name).write_text(text)
    asks = "import matplotlib, numba; print(numba.config.DISABLE_JIT, matplotlib.rcParams['text.usetex'])"
    environment = dict(os.environ)
    if program == "command":
        asks = f"from cupola.cli import main\ntry: main(['list'])\nfinally: {asks}"
    else:  # as `compile_together` and the page start them
        asks, environment["PYTHONSAFEPATH"] = f"import cupola; {asks}", "cupola"
    done = subprocess.run([sys.executable, "-P", "-c", asks], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "0 False"
    assert (program == "command") == all(name in done.stderr for name in SETTINGS)  # said once
