"""The wing in the tunnel: its stroke is the published one, and its lift is nearer to the measured than a lattice."""

import numpy as np
import pytest

from cupola.reproduce.morphing import flapper
from cupola.reproduce.morphing.flapper import PUBLISHED, beat, rows

MEASURED = (-0.0757, -0.0649, -0.0119, 0.0580, 0.1094, 0.1128, 0.0886, 0.0561, 0.0033, -0.0396)
"""Lift at each tenth of a beat [N]: Yeo, Atkins and Shyy 2011, from the pressures digitised for PteraSoftware (MIT)."""


@pytest.fixture(scope="module")
def judged():
    return {row.id: row for row in rows(False)}


def test_stroke_is_the_published_one(judged):
    assert judged["flapper_stroke"].passed


@pytest.mark.data("flapping/experimental_lift.csv")
def test_lift_of_a_beat_is_nearer_than_the_published_lattice(judged):
    assert judged["flapper_lift"].passed, judged["flapper_lift"].measured


def test_without_the_measured_lift_its_row_says_so_and_does_not_pass(monkeypatch):
    monkeypatch.setattr(flapper, "data_file", lambda name: f"no {name}: CUPOLA_DATA is not set")
    monkeypatch.setattr(flapper, "beat", lambda: (np.zeros(1), np.zeros(1), 0.0))
    row = next(row for row in rows(False) if row.id == "flapper_lift")
    assert not row.passed and "CUPOLA_DATA is not set" in str(row.measured)


def test_lift_at_tenths_of_a_beat():
    fraction, lift, _ = beat()
    found = np.interp(np.arange(10) / 10.0, fraction, lift, period=1.0)
    assert np.abs(found - MEASURED).mean() < PUBLISHED
