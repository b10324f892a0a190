"""Curves in CSV files beside a vehicle: what is read, and that every mistake is named with its file and line."""

import numpy as np
import pytest

import cupola
from cupola.parts.binding import Curve
from cupola.parts.table import read_spline
from cupola.physics.curve import spline

GOOD = "break,a,b,c,d\n-1,1,2,3,4\n0.5,5,6,7,8\n\n2,,,,\n"
BODY = '<body name="base"><freejoint/><geom size="0.1" mass="1"/><site name="wing"/></body>'


def test_rows_become_breaks_and_coefficients(tmp_path):
    path = tmp_path / "lift.csv"
    path.write_text("\ufeff" + GOOD.replace(",", " , "), encoding="utf-8")
    curve = read_spline(path)
    assert curve == Curve(breaks=[-1, 0.5, 2], coefficients=[1, 2, 3, 4, 5, 6, 7, 8])
    assert spline(1.5, curve.breaks, curve.coefficients) == 5.0 + 6.0 + 7.0 + 8.0


MISTAKES = {
    "no rows": ("break,a,b,c,d\n1,,,,\n", "got 1 rows"),
    "empty": ("", ":1: the columns must be break,a,b,c,d, got none"),
    "other columns": ("alpha,cl\n0,1\n", ":1: the columns must be break,a,b,c,d, got alpha,cl"),
    "unsorted": (GOOD.replace("0.5", "-1.5"), ":3: break -1.5 does not lie above the one before it, -1"),
    "end before the last segment": (GOOD.replace("2,,,,", "0.5,,,,"), ":5: break 0.5 does not lie above"),
    "a coefficient too few": (GOOD.replace("5,6,7,8", "5,6,7"), ":3: d must be a finite number, got nothing"),
    "a cell too many": (GOOD.replace("1,2,3,4", "1,2,3,4,5"), ":2: 6 cells, expected 5"),
    "no end": (GOOD.replace("2,,,,\n", ""), ":3: the last row is the end of the range and holds only its break"),
    "text": (GOOD.replace("7", "seven"), ":3: c must be a finite number, got seven"),
    "not a number": (GOOD.replace("7", "nan"), ":3: c must be a finite number, got nan"),
    "infinite": (GOOD.replace("2,,,,", "inf,,,,"), ":5: break must be a finite number, got inf"),
}


@pytest.fixture
def wing(vehicle):
    """A vehicle with one wing that reads its lift from the given curve."""

    def write(lift, **files):
        part = {"kind": "airfoil", "site": "wing", "model": "curves", "surface": {"area": 1, "span": 1, "chord": 1}}
        flat = {"coefficients": [0.1]}
        return vehicle(BODY, parts={"wing": {**part, "lift": lift, "drag": flat}}, files=files)

    return write


@pytest.mark.parametrize(("text", "said"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_with_vehicle_part_file_and_line(wing, make_world, text, said):
    folder = wing({"file": "lift.csv"}, **{"lift.csv": text})
    with pytest.raises(cupola.InputError) as caught:
        make_world(folder)
    message = str(caught.value)
    assert f"{folder}/vehicle.yaml: parts.wing.lift.file: {folder}/lift.csv" in message and said in message


def test_a_missing_file_names_those_there_are(wing, make_world):
    folder = wing({"file": "lfit.csv"}, **{"lift.csv": GOOD})
    with pytest.raises(cupola.InputError, match=r"parts\.wing\.lift\.file: there is no file .*lfit\.csv; .*lift\.csv"):
        make_world(folder)


@pytest.mark.parametrize(
    ("lift", "said"),
    [
        ({}, "give either coefficients"),
        ({"file": "lift.csv", "coefficients": [1.0]}, "give either coefficients"),
        ({"breaks": [0.0, 2.0, 1.0], "coefficients": [1.0] * 8}, "breaks must rise"),
        ({"breaks": [0.0, 1.0, 2.0], "coefficients": [1.0] * 7}, "3 breaks need 8 coefficients, got 7"),
        ({"breaks": [0.0]}, "breaks must rise"),
    ],
)
def test_a_curve_written_in_the_file_is_checked_too(wing, make_world, lift, said):
    with pytest.raises(cupola.InputError) as caught:
        make_world(wing(lift, **{"lift.csv": GOOD}))
    assert "parts.wing.lift: " in str(caught.value) and said in str(caught.value)


def test_the_loop_flies_the_table(wing, make_world):
    world = make_world({"model": wing({"file": "lift.csv"}, **{"lift.csv": GOOD}), "velocity_b": [10, 0, -1]})
    world.step()
    now = world.part("wing").outputs
    assert now.alpha == pytest.approx(np.arctan2(1, 10))
    assert now.c_lift == pytest.approx(np.polyval([1, 2, 3, 4], now.alpha + 1))
