"""A short campaign over every format, always the same: each input is read, or refused with a sentence, in time.

`make fuzz` goes on from here for as long as one likes.
"""

import os

import pytest

from .campaign import run
from .formats import CORPUS, FORMATS
from .mutation import mutate

INPUTS = {"scenario": 30, "vehicle": 30, "joystick": 30, "expression": 1000, "message": 1000}
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
def test_a_hang_is_a_finding(tmp_path, monkeypatch):
    import time

    monkeypatch.setattr("cupola.teleop.stick_file.read_rows", lambda path: time.sleep(60))
    module = run.__globals__
    monkeypatch.setitem(module, "PATIENCE", 0.2)
    tally = run(FORMATS["sticks"], tmp_path, 1, 2)
    assert [finding.what for finding in tally.findings] == ["more than 0.2 s"] * 2
