"""The figure of the bench is that of the coupling: it sees a slow model, and takes off what is the FMU's own."""

import pytest

from cupola.bench import external

SLOW = """
import time

def wait(x, now, dt):
    time.sleep(0.002)
    return {"torque": 0.0, "force": 0.0}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(external, "STEPS", 10)
    monkeypatch.setattr(external, "ROUNDS", 3)
    monkeypatch.setattr(external, "ALONE", 20)
    (tmp_path / "model.xml").write_text(external.MODEL)
    (tmp_path / "slow.py").write_text(SLOW)
    return tmp_path


def test_a_slow_model_is_seen_and_its_own_time_taken_off(folder):
    import time

    part = {"kind": "slow.py:wait"}
    assert external._beyond(folder, part) > 2000.0
    assert external._beyond(folder, part, lambda steps: time.sleep(0.002 * steps)) < 1500.0


def test_every_door_has_a_row(folder):
    rows = list(external.cases())
    doors = ["FMU, FMI 2", "FMU, FMI 3", "model in C", "model in C, isolated", "model in Python"]
    assert [row.case.split(":")[0] for row in rows] == doors
    assert all(isinstance(row.value, float) for row in rows)
    judged, (python,) = rows[:4], rows[4:]
    bars = [external.BAR] * 3 + [external.ISOLATED_BAR]
    assert [row.passed for row in judged] == [float(row.value) <= bar for row, bar in zip(judged, bars, strict=True)]
    assert python.bar == "none" and python.passed is (0.0 < float(python.value) < float("inf"))


def test_without_a_compiler_it_says_so(folder, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    *without, python = external.cases()
    assert [(row.passed, "no-such-compiler" in str(row.value)) for row in without] == [(False, True)] * 4
    assert isinstance(python.value, float) and python.value > 0.0


def test_an_exchange_that_was_not_measured_does_not_pass(folder, monkeypatch):
    for measure in ("_beyond", "_isolated"):
        monkeypatch.setattr(external, measure, lambda *_: float("nan"))
    assert [row.passed for row in external.cases()] == [False] * 5
