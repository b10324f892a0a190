"""`cupola run`, `check` and `plot`: what they print, write and return."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from cupola.config.scenario import Scenario
from cupola.record import Recording

INTERRUPT = """
from cupola import Controller

class Mine(Controller):
    def step(self, obs, ref):
        if obs.time >= 0.5:
            raise KeyboardInterrupt
        return [0.5] * 4
"""
LOUD = """
from cupola import Controller

print("loaded")

class Mine(Controller):
    def step(self, obs, ref):
        print("stepped")
        return [0.5] * 4
"""


def test_a_flight_is_recorded_and_summed_up(cupola):
    answer = cupola("run", "--duration", "6", "--json", "--seed", "7", "--param", "hover=0.47", "--out", "here")
    assert answer.code == 0
    result = answer.json
    assert (result["scenario"], result["seed"], result["interrupted"]) == ("square", 7, False)
    assert (result["simulated_time"], result["ticks"]) == (6.0, 12000)
    assert result["recording"] == {"file": "here/square.mcap", "bytes": Path("here/square.mcap").stat().st_size}
    recording = Recording("here/square.mcap")
    assert recording.metadata["seed"] == "7"
    assert ("quadcopter.hover", 0.47) in [(p.name, p.value) for p in recording.parameters]


def test_the_figures_are_those_of_the_recording(cupola):
    figures = cupola("run", "--duration", "9", "--json").json["vehicles"]["quadcopter"]
    motion = Recording("out/square.mcap").table("/quadcopter/odometry")
    place = np.stack([motion[f"pose.pose.position.{axis}"] for axis in "xyz"], axis=1)
    speed = np.linalg.norm([motion[f"twist.twist.linear.{axis}"] for axis in "xyz"], axis=0)
    x, y = (motion[f"pose.pose.orientation.{axis}"] for axis in "xy")
    assert figures["end"] == pytest.approx(place[-1].tolist(), abs=1e-12)
    assert figures["distance"] == pytest.approx(np.linalg.norm(np.diff(place, axis=0), axis=1).sum(), rel=1e-6)
    assert figures["highest"] == place[:, 2].max()
    assert figures["top_speed"] == pytest.approx(speed.max(), rel=1e-12)
    assert figures["largest_tilt"] == pytest.approx(np.arccos(1 - 2 * (x**2 + y**2)).max(), rel=1e-12)


def test_the_table_says_what_happened(cupola):
    answer = cupola("run", "quadcopter", "--duration", "2", "--no-record")
    assert answer.code == 0
    for words in ("simulated +2 s", "wall time +", "× real time", "steps/s", "distance", "top speed", "end position"):
        assert re.search(words, answer.out), words
    first, last = answer.err.splitlines()
    assert first == "flying quadcopter: 2 s as fast as possible"
    assert last.startswith("flew 2 s in ")
    assert not Path("out").exists()


def test_measures_of_the_scenario_stand_in_the_table_instead(cupola):
    answer = cupola("run", "square", "--no-record")
    for words in (
        r"tracking error +0\.\d+ m\s",
        r"largest tilt +\d+\.\d+°\s",
        r"landed after +\d+\.\d+ s\s",
        "end position",
    ):
        assert re.search(words, answer.out), words
    assert not re.search("distance|highest|top speed", answer.out)


def test_measures_are_in_the_json(cupola):
    result = cupola("run", "square", "--duration", "3", "--no-record", "--json").json
    assert result["measures"]["largest tilt"]["unit"] == "rad"
    # At 2 m the wind blows with 2.9 m/s, and gusts of three sigma with 5.9: drag of 0.25 /s and 0.0147 /m asks for a
    # lean of 0.088 to 0.20 rad.
    assert 0.088 < result["measures"]["largest tilt"]["value"] < 0.2
    assert result["measures"]["landed after"] == {"value": None, "unit": "s", "published": None}
    assert result["vehicles"]["quadcopter"]["highest"] > 1.0
    assert cupola("run", "quadcopter", "--duration", "1", "--no-record", "--json").json["measures"] == {}


def test_what_a_publication_states_stands_beside_the_measure(cupola):
    Path("printed.yaml").write_text(
        "vehicles: [{model: quadcopter}]\n"
        "duration: 0.1\n"
        "measures: {fastest turn: max(quadcopter.rate_b.z), height: max(quadcopter.position.z)}\n"
        "published: {fastest turn: about 2°/s}\n"
    )
    answer = cupola("run", "printed.yaml", "--no-record")
    assert re.search(r"fastest turn +\S+°/s +published: about 2°/s", answer.out)
    assert re.search(r"height +\S+ m *\n", answer.out)
    measures = cupola("run", "printed.yaml", "--no-record", "--json").json["measures"]
    assert measures["fastest turn"]["published"] == "about 2°/s"
    assert measures["height"]["published"] is None
    assert "published" not in cupola("run", "square", "--duration", "0.1", "--no-record").out


def test_a_published_figure_needs_its_measure(cupola):
    Path("wrong.yaml").write_text(
        "vehicles: [{model: quadcopter}]\nmeasures: {height: final(quadcopter.position.z)}\npublished: {width: 2 m}\n"
    )
    answer = cupola("run", "wrong.yaml", "--no-record")
    assert answer.code == 2
    assert "published: there is no measure 'width'" in answer.err
    assert "the scenario has: height" in answer.err
    assert Scenario.load("cepheus_simulation").with_({"measures": {}}).measures == {}


def test_a_wrong_measure_says_where(cupola):
    text = "vehicles: [{model: quadcopter}]\nmeasures: {error: %s}\n"
    Path("wrong.yaml").write_text(text % "rms(quadcopter.position.w)")
    answer = cupola("run", "wrong.yaml", "--no-record")
    assert answer.code == 2
    assert "wrong.yaml: measures.error: character 5" in answer.err and "quadcopter.position has: x, y, z" in answer.err
    Path("wrong.yaml").write_text(text % "rms(quadcopter.position.z")
    answer = cupola("run", "wrong.yaml", "--no-record")
    assert answer.code == 2
    assert "error: character 26: expected ')'" in answer.err


def test_speed_paces_the_run(cupola):
    result = cupola("run", "--duration", "1", "--speed", "4", "--no-record", "--json").json
    assert result["real_time_factor"] == pytest.approx(4.0, rel=0.2)


def test_the_same_seed_gives_the_same_flight_and_plain_controllers_fly_it_too(cupola):
    def end(*words: str) -> list[float]:
        return cupola("run", "--duration", "3", "--no-record", "--json", *words).json["vehicles"]["quadcopter"]["end"]

    assert end() == end()
    assert end("--seed", "2") != end()
    assert end("--plain") == pytest.approx(end(), abs=1e-9)


def test_a_pause_without_a_terminal_does_not_wait(cupola):
    answer = cupola("run", "--duration", "1", "--no-record", "--paused")
    assert answer.code == 0
    assert "starting at once" in answer.err


def test_a_pause_lasts_until_somebody_presses_enter(tmp_path):
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "cupola", "run", "--duration", "1", "--no-record", "--paused"]
    process = subprocess.Popen(
        words, stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    said = ""
    while "press Enter to start" not in said:
        said += process.stderr.read(1)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.5)
    os.write(ours, b"\n")
    assert process.wait(60) == 0


def test_an_interrupt_completes_the_recording(cupola):
    Path("mine.py").write_text(INTERRUPT)
    answer = cupola("run", "quadcopter", "--controller", "quadcopter=mine.py:Mine", "--json")
    assert answer.code == 130
    assert answer.json["interrupted"]
    assert "stopped at 0.5 s of 10 s" in answer.err
    recording = Recording("out/quadcopter.mcap")
    assert recording.is_complete
    assert recording.table("/quadcopter/odometry")["time"][-1] == pytest.approx(0.5)


def test_what_my_file_prints_stays_out_of_the_json(cupola):
    Path("mine.py").write_text(LOUD)
    answer = cupola("run", "quadcopter", "--controller", "mine.py:Mine", "--duration", "1", "--no-record", "--json")
    assert answer.json["ticks"] == 2000
    assert "loaded" in answer.err
    assert "stepped" in answer.err


def test_on_a_terminal_there_is_a_bar_and_control_c_ends_cleanly(tmp_path):
    above, below = pty.openpty()
    words = [sys.executable, "-m", "cupola", "run", "--speed", "2"]
    process = subprocess.Popen(
        words,
        cwd=tmp_path,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "60"},
        stdin=below,
        stdout=below,
        stderr=below,
    )
    os.close(below)
    shown = read_until(above, rb"[2-9]\.\d/28 s")  # the bar has moved
    process.send_signal(signal.SIGINT)
    shown += read_until(above, rb"recording.*out/square.mcap")
    assert process.wait(30) == 130
    os.close(above)
    assert "━".encode() in shown
    assert b"Traceback" not in shown
    recording = Recording(tmp_path / "out" / "square.mcap")
    assert recording.is_complete
    assert recording.table("/quadcopter/odometry")["time"][-1] > 1.9


def read_until(terminal: int, pattern: bytes) -> bytes:
    """What a terminal shows until `pattern` appears; a cold start compiles first."""
    shown, late = b"", time.monotonic() + 200
    while not re.search(pattern, shown):
        assert time.monotonic() < late, shown[-500:]
        if select.select([terminal], [], [], 1.0)[0]:
            shown += os.read(terminal, 65536)
    return shown


def test_plot_draws_and_writes_csv(cupola):
    cupola("run", "--duration", "2")
    answer = cupola("plot", "out/square.mcap", "--csv", "tables", "--json")
    assert answer.code == 0
    drawn = answer.json["plots"]
    assert "out/square/quadcopter.overview.png" in drawn
    assert all(Path(file).read_bytes().startswith(b"\x89PNG") for file in drawn)
    odometry = Path("tables/quadcopter.odometry.csv").read_text().splitlines()
    assert odometry[0].startswith("time,stamp,")
    assert len(odometry) == 1 + 201
    assert "tables/quadcopter.odometry.csv" in answer.json["tables"]


def test_run_plots_beside_the_recording(cupola):
    answer = cupola("run", "--duration", "1", "--plot", "--json")
    assert [Path(file).parent for file in answer.json["plots"]] == [Path("out/square")] * len(answer.json["plots"])
    assert Path("out/square/quadcopter.overview.png").is_file()


def test_check_sums_up_a_scenario_and_a_vehicle(cupola):
    scenario = cupola("check", "square", "--json").json
    assert (scenario["ok"], scenario["kind"], scenario["physics_hz"]) == (True, "scenario", 2000)
    vehicle = scenario["vehicles"]["quadcopter"]
    assert vehicle["mass"] == pytest.approx(1.0128, rel=1e-3)
    assert (vehicle["controller_hz"], vehicle["sensors_hz"]) == (400.0, {"imu": 400.0})
    assert list(vehicle["parts"].values()) == ["rotor"] * 4 + ["mixer", "bluff", "imu"]
    answer = cupola("check", "plane_1wing")
    assert answer.code == 0
    assert answer.out.startswith("OK  plane_1wing is a vehicle\n")


def test_check_lists_the_pushes_of_a_scenario(cupola):
    push = "{time: 3, duration: 0.2, body: bee/base, force_w: [2, 0, 0], torque_w: [0, 0, 0.1]}"
    Path("pushed.yaml").write_text(f"vehicles: [{{model: quadcopter, name: bee}}]\npushes: [{push}]\n")
    said = "bee/base: force (2, 0, 0) N and torque (0, 0, 0.1) N m from 3 s for 0.2 s"
    assert cupola("check", "pushed.yaml", "--json").json["pushes"] == [said]


def test_a_vehicle_file_of_any_name_is_known_by_its_keys(cupola):
    cupola("new", "vehicle", "bee")
    Path("bee/vehicle.yaml").rename("bee/small-one.yaml")
    assert cupola("check", "bee/small-one.yaml", "--json").json["kind"] == "vehicle"
    flight = cupola("run", "bee/small-one.yaml", "--duration", "1", "--json").json
    assert flight["recording"]["file"] == "out/small_one.mcap"
    assert list(flight["vehicles"]) == ["small_one"]
