"""A short campaign over every format, always the same: each input is read, or refused with a sentence, in time.

`make fuzz` goes on from here for as long as one likes.
"""

import ast
import os
import time
from pathlib import Path

import pytest

import cupola
from cupola.bridge.sdf.folder import SUFFIXES
from cupola.bridge.sdf.shapes import MESHES
from cupola.cli import importing
from cupola.engine.units import Piece, compile_together

from .campaign import run
from .formats import CORPUS, FORMATS, OF_ENDINGS, OF_YAML
from .mutation import mutate

INPUTS = dict.fromkeys(("scenario", "vehicle", "joystick", "study", "task", "yaml_sticks"), 30)
INPUTS |= {"expression": 1000, "message": 1000}
USUAL = 80


@pytest.mark.parametrize("name", FORMATS)
def test_every_input_is_read_or_refused(name, tmp_path):
    one = FORMATS[name]
    most = len(list((CORPUS / name).glob("*"))) + len(one.made()) + INPUTS.get(name, USUAL)
    tally = run(one._replace(seeds="" if one.made() or (CORPUS / name).is_dir() else one.seeds), tmp_path, 1, most)
    assert [finding.what for finding in tally.findings] == []
    assert tally.read and tally.refused, "both must happen, or nothing is tested"
    assert tally.read + tally.refused == tally.inputs == most


def test_the_corpus_belongs_to_formats():
    assert {folder.name for folder in CORPUS.iterdir()} <= set(FORMATS)


def test_every_ending_that_import_reads_has_a_format():
    read = {*importing.FILES, *importing.OTHERS, *SUFFIXES, *MESHES}
    assert read == set(OF_ENDINGS) and set(OF_ENDINGS.values()) <= set(FORMATS)


def test_every_class_that_is_read_from_yaml_has_a_format():
    package = Path(cupola.__file__).parent
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in package.rglob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and len(node.args) > 1]
    named = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id in ("read", "parse")]
    found = {node.args[-1].id for node in named if isinstance(node.args[-1], ast.Name)}
    found = {name for name in found if name[0].isupper()} - {"VehicleFile", "Dialects"}  # that of Vehicle, and our own
    assert found == set(OF_YAML) and set(OF_YAML.values()) <= set(FORMATS)


def test_the_same_seed_gives_the_same_damage():
    import random

    data = b"time,roll\n0,1\n" * 5
    made = [mutate(data, random.Random(seed), (b",",), data) for seed in (1, 1, 2)]
    assert made[0] == made[1] != made[2]


def test_a_finding_is_a_finding(tmp_path):
    """The judge itself: what escapes, what says nothing and what hangs are found."""
    one = FORMATS["sticks"]

    def escape(data, folder):
        raise KeyError("no sentence")

    def say_nothing(data, folder):
        raise one.errors[0]("")

    for reader, said in ((escape, "KeyError"), (say_nothing, "without a sentence")):
        tally = run(one._replace(read=reader), tmp_path, 1, 3)
        assert len(tally.findings) == 3 and said in tally.findings[0].what


@pytest.mark.skipif(os.name == "nt", reason="no alarm on Windows")
def test_compiling_kernels_is_no_hang(tmp_path, monkeypatch):
    """On a machine that has none yet, an import whose model is flown takes a minute."""

    def compute():
        end = time.process_time() + 0.5
        while time.process_time() < end:
            pass

    monkeypatch.setitem(run.__globals__, "PATIENCE", 0.1)
    one = FORMATS["sticks"]._replace(read=lambda data, folder: compile_together([Piece("slow", lambda: True, compute)]))
    tally = run(one, tmp_path, 1, 1)
    assert tally.findings == [] and tally.read == 1


def compute_for_ever(path):
    while True:
        pass


@pytest.mark.skipif(os.name == "nt", reason="no alarm on Windows")
@pytest.mark.parametrize("limit, hang", [("PATIENCE", compute_for_ever), ("LONGEST_WAIT", lambda path: time.sleep(60))])
def test_a_hang_is_a_finding(tmp_path, monkeypatch, limit, hang):
    """Computing is judged by processor time, so that a busy machine finds nothing; waiting by the clock."""
    monkeypatch.setattr("cupola.teleop.stick_file.read_rows", hang)
    monkeypatch.setitem(run.__globals__, limit, 0.2)
    tally = run(FORMATS["sticks"], tmp_path, 1, 2)
    assert len(tally.findings) == 2 and all("more than" in finding.what for finding in tally.findings)
