"""The flapping wing in the wind tunnel: kinematics, and every model against the measured curve."""

import math
from pathlib import Path

import numpy as np
import pytest

from cupola.reproduce.morphing import yeo as morphing_yeo
from cupola.reproduce.row import data_file


def test_kinematics_are_the_papers():
    angles = np.degrees([morphing_yeo.flap(t / 3300.0) for t in range(1000)])
    assert (angles.min(), angles.max()) == (pytest.approx(-18.03, abs=0.01), pytest.approx(25.83, abs=0.01))
    for time in (0.0, 0.07, 0.2):
        slope = (morphing_yeo.flap(time + 1e-6) - morphing_yeo.flap(time - 1e-6)) / 2e-6
        assert morphing_yeo.flap_rate(time) == pytest.approx(slope, abs=1e-6)


def test_without_its_data_the_row_says_so(monkeypatch):
    monkeypatch.setattr(morphing_yeo, "data_file", lambda name: f"no {name}: CUPOLA_DATA is not set")
    (row,) = morphing_yeo.rows(True)
    assert not row.passed and row.measured == "no flapping/planform.csv: CUPOLA_DATA is not set"


@pytest.mark.data("flapping/planform.csv", "flapping/experimental_lift.csv")
def test_stalling_wings_are_closer_than_the_attached_lattice():
    plate = morphing_yeo.Plate(Path(data_file("flapping/planform.csv")))
    assert plate.chord @ np.full(18, plate.width) == pytest.approx(0.0122, rel=0.02)
    lift, _ = morphing_yeo.measured(Path(data_file("flapping/experimental_lift.csv")))
    assert math.sqrt((lift**2).mean()) == pytest.approx(0.0715, abs=5e-5)
    error = {name: np.abs(values - lift).mean() for name, values in morphing_yeo.lifts(plate).items()}
    assert error["lattice"] == pytest.approx(0.029, abs=0.001)
    assert max(error[name] for name in error if name != "lattice") < 0.0255
