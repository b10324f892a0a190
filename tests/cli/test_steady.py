"""`cupola trim` and `cupola linearize`."""

import json
import math

import numpy as np
import pytest

from cupola.cli import screen


def test_trim_prints_angles_and_commands(cupola):
    answer = cupola("trim", "aerosonde", "--airspeed", "25")
    assert answer.code == 0
    assert "aerosonde flies steadily: 25 m/s at 100 m" in answer.out
    for word in (
        "angle of attack",
        "aileron",
        "elevator",
        "rudder",
        "throttle",
        "channel 3 at 0.67768",
        "what is left",
    ):
        assert word in answer.out


def test_trim_as_json_can_be_flown(cupola, tmp_path):
    found = cupola("trim", "plane_1wing", "--airspeed", "22", "--turn", "-120", "--altitude", "300", "--json").json
    assert max(abs(value) for value in found["residuals"].values()) < 1e-8
    assert found["turn_rate"] == pytest.approx(-22.0 / 120.0)
    assert found["state"]["phi"] < 0 and found["start"]["position"] == [0.0, 0.0, 300.0]
    commands = {c: one["command"] for one in found["controls"].values() for c in one["channels"]}
    sticks = [commands[0], commands[1], commands[2], 2 * commands[3] - 1]
    controller = {"use": "pass_through", "sticks": [{"time": 0, "channels": sticks}]}
    entry = {"model": "plane_1wing", **found["start"], "controller": controller}
    (tmp_path / "turn.yaml").write_text(json.dumps({"duration": 5, "vehicles": [entry]}))
    flight = cupola("run", "turn.yaml", "--json", "--no-record").json
    end = flight["vehicles"]["plane_1wing"]["end"]
    assert end[2] == pytest.approx(300.0, abs=0.05)
    assert end[1] > 0  # to the left


def test_turns_are_radii_or_rates(cupola):
    words = ("trim", "aerosonde", "--airspeed", "25", "--climb", "5", "--json", "--turn")
    radius = 25.0 * math.cos(math.radians(5.0)) / math.radians(10.0)
    rates = [cupola(*words, turn).json["turn_rate"] for turn in ("10deg/s", f"{radius}m", f"{radius}")]
    assert rates == pytest.approx([math.radians(10.0)] * 3)
    for wrong in ("0", "fast", "12rpm", "1.2.3"):
        answer = cupola(*words, wrong)
        assert answer.code == 2
        assert f"--turn '{wrong}': give a radius (80, 80m) or a rate (12deg/s)" in answer.err


def test_linearize_prints_the_modes(cupola):
    answer = cupola("linearize", "aerosonde", "--airspeed", "25")
    assert answer.code == 0
    for word in ("short period", "phugoid", "Dutch roll", "roll", "spiral", "u_dot", "psi_dot", "elevator"):
        assert word in answer.out
    assert "-0.000 " not in answer.out and "-0.000°" not in answer.out


def test_linearize_fits_a_small_terminal(cupola, monkeypatch):
    screen.stdout.cache_clear()
    monkeypatch.setenv("COLUMNS", "80")
    answer = cupola("linearize", "plane_1wing", "--airspeed", "25", "--turn", "150")
    screen.stdout.cache_clear()
    assert answer.code == 0
    assert "…" not in answer.out
    assert max(map(len, answer.out.splitlines())) <= 80


def test_linearize_as_json_and_npz(cupola, tmp_path):
    answer = cupola("linearize", "aerosonde", "--airspeed", "25", "--npz", "model.npz", "--json")
    found = answer.json
    with np.load(tmp_path / "model.npz") as file:
        for name in "ABCD":
            np.testing.assert_array_equal(file[name], found[name])
        assert file["states"].tolist() == found["states"]
    A = np.array(found["A"])
    assert A.shape == (12, 12) and np.array(found["D"]).shape == (20, 4)
    values = np.array([complex(*pair) for pair in found["eigenvalues"]])
    assert values.sum().real == pytest.approx(np.trace(A), rel=1e-9)
    named = {mode["name"]: mode for mode in found["modes"]}
    assert list(named) == ["short period", "phugoid", "Dutch roll", "roll", "spiral"]
    assert named["roll"]["period"] is None and named["roll"]["time_constant"] == pytest.approx(0.0466, abs=1e-3)
    assert np.abs(values - complex(*named["Dutch roll"]["eigenvalue"])).min() < 1e-2
    forward = cupola("linearize", "aerosonde", "--airspeed", "25", "--forward", "0.01", "--json").json["A"]
    difference = np.abs(np.array(forward) - A)[:9, :9]
    assert 1e-4 < difference.max() < 0.1  # the step shows


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["trim", "plane_1wing", "--airspeed", "15"], "elevator saturates at 0.3491 rad"),
        (["trim", "quadcopter", "--airspeed", "5"], "quadcopter has no airfoil"),
        (["trim", "aerosonde"], "Missing option '--airspeed'"),
        (["trim", "zeppelin", "--airspeed", "5"], "no scenario or vehicle 'zeppelin'; scenarios: "),
        (
            ["trim", "plane_1wings", "--airspeed", "5"],
            "no scenario or vehicle 'plane_1wings'; the nearest: plane_1wing,",
        ),
        (["linearize", "aerosonde", "--airspeed", "25", "--forward", "0"], "must be positive, got 0"),
        (["linearize", "aerosonde", "--airspeed", "25", "--npz", "/proc/where.npz"], "where.npz cannot be written"),
    ],
)
def test_what_goes_wrong_is_one_sentence(cupola, words, message):
    answer = cupola(*words)
    assert answer.code == 2
    assert message in answer.err
    assert "Traceback" not in answer.err


def test_wind_changes_no_trim(cupola, tmp_path):
    wind = {"wind": {"speed": 8, "from_deg": 90}}
    (tmp_path / "windy.yaml").write_text(json.dumps({"air": wind, "vehicles": [{"model": "aerosonde"}]}))
    windy, still = (cupola("trim", name, "--airspeed", "25", "--json").json for name in ("windy.yaml", "aerosonde"))
    assert windy["controls"] == still["controls"]
