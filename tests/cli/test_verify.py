"""A recording is run again from what it holds, and proves its state, or says where it parts."""

import inspect
import shutil
from pathlib import Path

import pytest

from cupola.record.read import Recording
from cupola.schema.yaml_files import InputError
from cupola.sim.events import ACTS, Command, repeat
from cupola.sim.interaction import Interaction
from cupola.sim.world import load

OWN = """
from cupola import Controller

class Mine(Controller):
    def step(self, obs, ref):
        return [{throttle}] * 4
"""


@pytest.mark.parametrize("scenario", ["square", "omni_three_wheels", "sensor_plane_takeoff"])
def test_a_recording_proves_its_state(scenario, cupola):
    """Wind, routes, tables and sensors included."""
    assert cupola("run", scenario, "--duration", "0.5", "--seed", "7").code == 0
    found = cupola("verify", f"out/{scenario}.mcap", "--json").json
    assert found["same"] and found["first"] is None and found["versions"] == {}
    assert found["hash"] == found["recorded_hash"] == Recording(f"out/{scenario}.mcap").ending["state_sha256"]
    assert "the same: " in cupola("verify", f"out/{scenario}.mcap").out


def test_what_people_did_is_done_again(tmp_path, cupola):
    from cupola.record.world_recorder import WorldRecorder

    world = load("hover")
    tap = WorldRecorder(world, tmp_path / "flight.mcap")
    world.observers.append(tap)
    world.run(0.1)
    world.sticks([0.3, 0.5])
    world.run(0.1)
    world.push("quadcopter/base", (1.0, 0.0, 0.0))
    world.take_over("raw")
    world.tune("air.wind_speed", 4.0)
    world.run(0.2)
    world.fail("quadcopter.motor1", "off")
    world.run(0.1)
    tap.close()
    assert cupola("verify", "flight.mcap", "--json").json["same"]


def test_sticks_from_a_file_are_in_the_recording(cupola):
    Path("sticks.csv").write_text("0.0, 0.2, 0.1, 0, 0.7\n0.1, -0.3, 0.1, 0, 0.9\n")
    assert cupola("run", "plane_1wing", "--sticks", "sticks.csv", "--duration", "0.3").code == 0
    Path("sticks.csv").unlink()
    assert cupola("verify", "out/plane_1wing.mcap", "--json").json["same"]


def test_it_holds_the_files_of_its_vehicle(cupola, vehicle):
    """The vehicle is in the recording: it is run again after its files are gone."""
    body = '<body name="base" pos="0 0 3"><freejoint/><geom size="0.1"/><site name="here"/></body>'
    vehicle(body, parts={"imu": {"kind": "imu", "site": "here", "rate_hz": 50}})
    assert cupola("run", "toy", "--duration", "0.3").code == 0
    shutil.rmtree("toy")
    answer = cupola("verify", "out/toy.mcap", "--json")
    assert answer.code == 0 and answer.json["same"]


def test_the_first_tick_and_signal_that_differ_are_named(cupola, monkeypatch):
    assert cupola("run", "quadcopter", "--duration", "0.3").code == 0
    real = repeat

    def other(world, commands, until):
        real(world, commands, 200)
        world.push("quadcopter/base", (0.0, 0.5, 0.0))
        real(world, [], until)

    monkeypatch.setattr("cupola.record.verify.repeat", other)
    monkeypatch.setattr("cupola.record.verify.provenance", lambda: {"mujoco": "1.2.3", "numpy": "0"})
    answer = cupola("verify", "out/quadcopter.mcap", "--json")
    assert answer.code == 1
    first, versions = answer.json["first"], answer.json["versions"]
    assert first["tick"] == 205 and first["signal"].startswith("/quadcopter/imu:")  # its first sample after tick 200
    assert first["recorded"] != first["now"] and versions["mujoco"][1] == "1.2.3"
    said = cupola("verify", "out/quadcopter.mcap")
    assert "first at tick 205 (0.1025 s): /quadcopter/imu:" in said.err and "mujoco was " in said.err


def test_code_runs_from_the_disk_if_it_is_the_same_and_trusted(cupola, monkeypatch, tmp_path):
    monkeypatch.setenv("CUPOLA_CONFIG", str(tmp_path / "config"))
    Path("mine.py").write_text(OWN.format(throttle=0.5))
    assert cupola("run", "quadcopter", "--controller", "mine.py:Mine", "--duration", "0.1").code == 0
    refused = cupola("verify", "out/quadcopter.mcap")
    assert refused.code == 2 and "mine.py" in refused.err and "--trust" in refused.err
    assert cupola("verify", "out/quadcopter.mcap", "--trust").code == 0
    Path("mine.py").write_text(OWN.format(throttle=0.6))
    assert "is not what ran then" in cupola("verify", "out/quadcopter.mcap").err
    Path("mine.py").unlink()
    gone = cupola("verify", "out/quadcopter.mcap")
    assert gone.code == 2 and "mine.py" in gone.err and "is not there" in gone.err


def test_a_recording_begun_in_flight_is_refused(cupola, tmp_path):
    from cupola.record.world_recorder import WorldRecorder

    world = load("quadcopter")
    world.run(0.1)
    WorldRecorder(world, tmp_path / "late.mcap").close()
    answer = cupola("verify", "late.mcap")
    assert answer.code == 2 and "begins at tick 200" in answer.err


def test_a_recording_can_tell_a_world_only_what_people_can():
    """Not to write files, nor anything else that a method of its class does."""
    world = load("quadcopter")
    for call in ("restore", "run", "__init__", "dump", "_tell"):
        with pytest.raises(InputError, match="is not a recorded command"):
            repeat(world, [Command(0, call, ("x",), True)], 1)
    with pytest.raises(InputError, match="cannot push"):
        repeat(world, [Command(0, "push", (), True)], 1)
    files = {inspect.getfile(one) for one in Interaction.__mro__ if one.__module__.startswith("cupola")}
    source = "".join(Path(file).read_text() for file in sorted(files))
    assert {name for name in ACTS if f'self._tell("{name}"' in source} == set(ACTS)
    assert source.count('self._tell("') == len(ACTS)


def test_a_damaged_or_missing_file_is_refused(cupola):
    Path("a.mcap").write_bytes(b"nothing")
    damaged, missing = cupola("verify", "a.mcap"), cupola("verify", "missing.mcap")
    assert damaged.code == 1 and "a.mcap is not an MCAP file" in damaged.err
    assert missing.code == 2 and "there is no recording missing.mcap" in missing.err
