"""Names and texts of strangers: on the terminal, as names of files, in spreadsheets, on drawings."""

import ast
import csv
import io
import json
import os
import re
import struct
from pathlib import Path

import pytest
from mcap.reader import make_reader
from mcap.writer import Writer

import cupola as api
from cupola.cli import screen
from cupola.record import RecordingError, write_csv, write_parquet
from cupola.record.plot import figures, plot
from cupola.record.read import Recording
from cupola.record.shown_figure import ShownFigure
from cupola.schema.hostile_text import UNSEEN, cell, shown

FORMULA = '=HYPERLINK("http://x", "y")'
NAMES = {
    "cursor": "\x1b[2K\x1b]0;title\x07",
    "cursor in one letter": "\x9b31m",
    "turned around": "a\u202eb",
    "nul": "a\0b",
    "lines": "a\r\nb",
    "markup of the terminal": "[/red]x[link=http://e]",
    "mathematics": r"a$\frac{$",
    "long": "x" * 300,
    "hidden": ".",
    "none": "",
    "formula": "=1+1",
    "Windows": "..\\..\\x",
    "html": "<img src=x onerror=alert(1)>",
}


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    path = tmp_path_factory.mktemp("own") / "hover.mcap"
    world = api.load("hover")
    recorder = api.WorldRecorder(world, path)
    world.observers.append(recorder)
    world.run(0.05)
    recorder.close()
    return path


@pytest.fixture
def hostile(recording, tmp_path):
    """The recording as a stranger changed it: the vehicle and the scenario have another name, and a topic of texts."""

    def write(name):
        target = tmp_path / "theirs.mcap"
        with recording.open("rb") as old, target.open("wb") as new:
            reader, writer, channels = make_reader(old), Writer(new), {}
            writer.start("ros2", "cupola 0.1.0")
            for schema, channel, message in reader.iter_messages():
                if channel.id not in channels:
                    number = writer.register_schema(schema.name, schema.encoding, schema.data)
                    topic = channel.topic.replace("/quadcopter/", f"/{name}/")
                    channels[channel.id] = writer.register_channel(topic, "cdr", number, channel.metadata)
                writer.add_message(channels[channel.id], message.log_time, message.data, message.publish_time)
            for one in reader.iter_attachments():
                writer.add_attachment(0, 0, one.name, one.media_type, one.data)
            for one in reader.iter_metadata():
                writer.add_metadata(one.name, {**one.metadata, "scenario": name})
            number = writer.register_schema("theirs/msg/Said", "ros2msg", b"string data\nfloat64 x")
            said = FORMULA.encode() + b"\0"
            data = b"\0\1\0\0" + struct.pack("<I", len(said)) + said
            data += bytes(-(len(data) - 4) % 8) + struct.pack("<d", -1.5)
            writer.add_message(writer.register_channel("/theirs/text", "cdr", number), 1, data, 1)
            writer.finish()
        return target

    return write


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_no_name_of_a_recording_moves_the_cursor_or_names_a_file_elsewhere(name, hostile, recording, cupola, tmp_path):
    path = hostile(name)
    commands = [
        ("plot", path, "--out", "plots", "--csv", "tables"),
        ("export", path, "--out", "tables"),
        ("compare", path, recording, "--out", "compared"),
        ("share", path, "-o", "flight.html"),
        ("check", path),
        ("verify", path),
        ("identify", path),
        ("plot", path, "--out", "plots", "--json"),
    ]
    if name != NAMES["cursor"]:  # drawing takes a second
        commands = commands[1:3]
    for words in commands:
        answer = cupola(*map(str, words))
        assert shown(answer.out) == answer.out and shown(answer.err) == answer.err, words
        assert "bug in Cupola" not in answer.err and "Traceback" not in answer.err, words
        if words[0] in ("plot", "export", "share"):
            assert answer.code == 0 or ("would both become" in answer.err and name == NAMES["long"]), answer.err
        if "--json" in words:
            assert json.loads(answer.out)["plots"]
    made = [one for one in tmp_path.rglob("*") if one.is_file()]
    assert {one.parent.name for one in made} <= {tmp_path.name, "plots", "tables", "compared"}
    assert all(re.fullmatch(r"\w[\w.-]*", one.name) for one in made)


def test_a_table_for_a_spreadsheet_computes_nothing(hostile, tmp_path):
    """Neither its heading nor its texts; numbers are as they were."""
    found = {one.name: one for one in write_csv(hostile("=1+1"), tmp_path)}
    with found["theirs.text.csv"].open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][-2:] == ["data", "x"] and rows[1][-2:] == [f"'{FORMULA}", "-1.5"]
    assert [cell(text) for text in ("=a", "+a", "-a", "@a", "\ta", "\ra")] == [
        f"'{text}" for text in ("=a", "+a", "-a", "@a", "\ta", "\ra")
    ]
    assert cell(-1.0) == -1.0 and cell("a=b") == "a=b"


@pytest.mark.parametrize("write", [write_csv, write_parquet, plot])
def test_two_names_that_would_be_one_file_are_refused(write, hostile, tmp_path):
    path = hostile(NAMES["long"])
    with pytest.raises(RecordingError, match="would both become"):
        write(path, tmp_path)


def test_two_names_that_this_disk_takes_for_one_are_refused(recording, tmp_path, monkeypatch):
    """As disks do that know no capitals; here each name leads to the file of the first."""
    usual, first = os.stat, []

    def look(path, *more, **how):
        if str(path).endswith(".csv"):
            first[:] = first or [str(path)]
            return usual(first[0], *more, **how)
        return usual(path, *more, **how)

    monkeypatch.setattr(os, "stat", look)
    with pytest.raises(RecordingError, match="would both become"):
        write_csv(recording, tmp_path)
    monkeypatch.undo()
    assert len([*tmp_path.iterdir()]) == 1
    assert len(write_csv(recording, tmp_path)) > 1, "once more over those of before"


def test_a_name_with_mathematics_is_drawn_as_it_is(hostile):
    import matplotlib as mpl

    from cupola.record.draw import STYLE

    with mpl.rc_context(STYLE):
        _, figure = next(figures(Recording(hostile(r"a$\frac{$")), ShownFigure))
        figure.savefig(io.BytesIO(), format="png")
    assert r"a$\frac{$" in [text.get_text() for text in figure.texts]


def test_what_a_terminal_shows(capsys, monkeypatch):
    """Letters of all alphabets, lines and tabulators stay; a bar on a terminal takes no markup from a name."""
    assert shown("π ⚙ 漢\n\t\u00a0\u2009x") == "π ⚙ 漢\n\t\u00a0\u2009x"
    assert {"Cc", "Cf"} <= set(UNSEEN) and shown("\x1b[1m\u2066") == r"\x1b[1m\u2066"
    screen.stderr.cache_clear()
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    try:
        with screen.waiting("drawing [/x]\x1b]0;t\x07.mcap"):
            screen.say("a\x1b[2Kb", title="error: ", style="bold red")
    finally:
        screen.stderr.cache_clear()
    said = capsys.readouterr().err
    assert r"a\x1b[2Kb" in said and r"[/x]\x1b]0;t\x07.mcap" in said and "\x1b]0;t" not in said
    assert "\x1b[1;31merror: " in said  # our own colours stay


def test_every_message_goes_through_the_screen():
    """Nothing of the command line prints around it."""
    found = set()
    for path in Path(screen.__file__).parent.rglob("*.py"):
        calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        found |= {path.name for call in calls if ast.unparse(call.func) in ("print", "typer.echo", "rich.print")}
    assert found == {"screen.py", "flying.py"}  # `show_json`, and the version
