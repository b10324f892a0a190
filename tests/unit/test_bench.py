"""The benchmark judges right and compares like with like. How fast this machine is, no test asks."""

import contextlib
import json
import math
import mmap
import sys
from pathlib import Path
from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

from cupola import bench
from cupola.bench import batch as many
from cupola.bench import beside, sensing, speed, start
from cupola.bench.flights import against_bare, world_in_flight
from cupola.bench.recording import fly_recorded, resident
from cupola.bench.result import Result, absent, at_most, ratio_at_least, ratio_at_most, unjudged
from cupola.bench.sensing import SMALL, bare_scan, scanner_among_posts
from cupola.bench.timing import Side, pair
from cupola.record.read import Recording
from cupola.reproduce import peer

KEYS = ["bar", "baseline", "case", "pass", "ratio", "unit", "value"]


@pytest.mark.parametrize(("ratio", "below", "above"), [(1.9, True, False), (2.0, True, True), (2.1, False, True)])
def test_a_ratio_is_judged_by_its_bar(ratio, below, above):
    assert ratio_at_most("x", 1.0, "steps/s", ratio, ratio, 2.0).passed is below
    assert ratio_at_least("x", 1.0, "steps/s", ratio, ratio, 2.0).passed is above


def test_a_value_is_judged_by_its_bar():
    assert at_most("x", 3.0, "s", 3.0).passed and not at_most("x", 3.01, "s", 3.0).passed
    assert at_most("x", 3.0, "s", 3.0).bar == "≤ 3 s"


def test_what_is_not_a_number_never_passes():
    assert not at_most("x", math.nan, "s", 3.0).passed
    assert not ratio_at_most("x", 1.0, "s", 1.0, math.nan, 3.0).passed
    assert not ratio_at_least("x", 1.0, "s", 1.0, math.nan, 3.0).passed


def test_without_a_bar_a_figure_passes_if_it_was_measured():
    assert unjudged("x", 3.0, "s").passed and unjudged("x", 3.0, "s").bar == "none"
    assert not any(unjudged("x", value, "s").passed for value in (math.nan, math.inf, 0.0, -1.0))


def test_the_table_has_its_keys(monkeypatch):
    rows = (at_most("a", 1.0, "s", 2.0), absent("b", "not installed", "steps/s", "none"))
    monkeypatch.setattr(bench, "CASES", (lambda: rows,))
    told = []
    table = bench.run(progress=told.append)
    assert [sorted(row) for row in table] == [KEYS, KEYS]
    assert [row["pass"] for row in table] == [True, False]
    assert told == ["a", "b"]
    assert json.loads(json.dumps(table, allow_nan=False)) == table


def test_peers_come_only_when_asked_for(monkeypatch):
    monkeypatch.setattr(bench, "CASES", ())
    monkeypatch.setattr(beside, "cases", lambda: [Result("peer", 1.0, "steps/s", None, None, "none", True)])
    assert bench.run() == []
    assert [row["case"] for row in bench.run(peers=True)] == ["peer"]


def test_pairs_take_turns_and_prepare_before_every_call(monkeypatch):
    calls = []
    clock = iter(range(1000))
    monkeypatch.setattr("time.perf_counter", lambda: float(next(clock)))
    ours = Side(lambda: calls.append("a"), lambda: calls.append("1"))
    theirs = Side(lambda: calls.append("b"), lambda: calls.append("2"))
    assert pair(ours, theirs, rounds=2) == (1.0, 1.0, 1.0)
    assert "".join(calls) == "1a2b" + "1a2b" + "2b1a"


def test_the_ratio_is_that_of_neighbours(monkeypatch):
    # Half way the machine becomes ten times slower for both: medians of either side alone would be off.
    clock = iter([0, 2, 2, 3, 0, 2, 2, 3, 0, 10, 10, 30, 0, 20, 20, 30])
    monkeypatch.setattr("time.perf_counter", lambda: float(next(clock)))
    assert pair(Side(list), Side(list), rounds=3).ratio == 2.0


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("quadcopter", False),
        ("quadcopter", True),
        ("plane_1wing", False),
        ("plane_1wing", True),
        ("plane_3wing_2motor", False),
    ],
)
def test_vehicles_fly_blind_and_touch_nothing(name, plain):
    world = world_in_flight(name, sensors=False, plain=plain)
    assert world.samples == {} and len(world.arrays.sensors) == 0
    assert world.instances[0].runner.compiled is not plain
    assert (world.scenario.physics_hz, world.instances[0].runner.every) == (2000, 5)
    assert world.data.ncon == 0
    assert world.motion().pos_w.z == pytest.approx(500.0, abs=20.0)
    found = against_bare(world, rounds=1)
    assert min(found) > 0.0
    assert world.data.ncon == 0


def test_the_bare_engine_starts_where_the_world_is(monkeypatch):
    world = world_in_flight("quadcopter", sensors=False)
    seen = []
    monkeypatch.setattr(mujoco, "mj_step", lambda model, data, n: seen.append((model, data.qpos.copy(), n)))
    start_z = world.data.qpos[2]
    against_bare(world, rounds=1)
    assert all(model is world.model and n == 2000 and qpos[2] == start_z for model, qpos, n in seen)
    assert len(seen) == 2


@pytest.mark.parametrize("clocked", [True, False])
def test_the_bare_engine_keeps_its_clock_unless_told_otherwise(monkeypatch, clocked):
    world, step, asked, during = world_in_flight("quadcopter", sensors=False), mujoco.mj_step, [], []

    def tell():
        asked.append(0.0)
        return 0.0

    def count(model, data, n):
        before = len(asked)
        step(model, data, 1)
        during.append(len(asked) - before)

    monkeypatch.setattr(mujoco, "mj_step", count)
    mujoco.set_mjcb_time(tell)
    try:
        against_bare(world, rounds=1, clocked=clocked)
    finally:
        mujoco.set_mjcb_time(None)
    assert during
    assert all(bool(asks) is clocked for asks in during)


def test_small_sensors_replace_those_of_the_vehicle():
    world = world_in_flight("quadcopter", sensors=SMALL)
    assert {name for _, name in world.samples} == set(SMALL)
    assert [samples.count for samples in world.samples.values()] == [p["rate_hz"] + 1 for p in SMALL.values()]


def test_the_scanner_sees_what_bare_rays_see():
    world = scanner_among_posts()
    cast, distances = bare_scan(world)
    cast()
    seen = np.array(world.samples["scanner", "laser"].latest().ranges)
    assert 100 < np.isfinite(seen).sum() < 720
    assert np.array_equal(np.isfinite(seen), distances >= 0)
    np.testing.assert_allclose(seen[distances >= 0], distances[distances >= 0], atol=6 * 0.01)
    count = world.samples["scanner", "laser"].count
    world.step(20)
    assert world.samples["scanner", "laser"].count == count + 20


def test_a_picture_is_timed_and_missing_libraries_are_said(monkeypatch):
    result = sensing.camera()
    assert result.passed and result.unit == "ms" and float(result.value) > 0.1
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    monkeypatch.setattr("cupola.sim.rendering.LIBRARIES", {"egl": "libNoSuchThing.so.1"})
    result = sensing.camera()
    assert not result.passed and "libegl1" in str(result.value)


def test_a_recorded_flight_leaves_its_file(tmp_path):
    world = world_in_flight("quadcopter", sensors=True)
    fly_recorded(world, tmp_path / "flight.mcap", 0.5)
    topics = Recording(tmp_path / "flight.mcap").topics
    assert "/quadcopter/imu" in topics
    assert world.observers == []


def test_memory_is_that_of_this_process():
    before = resident()
    with mmap.mmap(-1, 60_000_000) as held:  # fresh pages: the allocator may have some to give again
        held.write(b"\1" * 60_000_000)
        assert resident() - before > 50_000_000


def test_a_missing_jsbsim_is_said_and_does_not_pass(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    result = speed.against_jsbsim("plane_3wing_2motor", 1.5)
    assert not result.passed and "not installed" in str(result.value)


def test_a_missing_peer_is_said_and_does_not_pass():
    result = beside.against("Nobody", beside.Peer("no_such_simulator", "quadcopter"), 1.0)
    assert not result.passed and "not installed" in str(result.value)


def test_a_peer_is_found_in_another_environment(monkeypatch):
    assert peer.interpreter_with("json") == sys.executable
    monkeypatch.setenv("CUPOLA_PEERS_PYTHON", "/no/such/python")
    assert peer.interpreter_with("no_such_simulator") is None


def test_the_lattice_is_not_timed_without_its_peer(monkeypatch):
    monkeypatch.setattr(beside, "last_line", lambda module, *_: f"not installed: {module}")
    monkeypatch.setattr(beside, "data_file", lambda name: Path(name))
    result = beside.lattice()
    assert not result.passed and result.value == "not installed: pterasoftware"
    monkeypatch.setattr(beside, "data_file", lambda name: f"no {name}")
    assert beside.lattice().value == "no flapping/planform.csv"


def test_jsbsim_beside_ours_says_what_it_did():
    result = beside.against("JSBSim", beside.PEERS["JSBSim"], 1e5)
    assert result.passed and "c172x" in result.case
    assert result.ratio == pytest.approx(1e5 / float(result.value))


def test_a_failing_command_does_not_pass(monkeypatch):
    monkeypatch.setattr(start, "COMMAND", ("run", "no_such_vehicle"))
    (result,) = start.first_second()
    assert not result.passed and "failed" in str(result.value)


def test_loading_is_timed_in_fresh_interpreters_and_a_failure_does_not_pass(monkeypatch):
    monkeypatch.setattr(start, "STARTS", 2)
    assert isinstance(start.loading().value, float)  # what is timed can be run
    monkeypatch.setattr(start, "LOAD", "print(1.25)")
    result = start.loading()
    assert result.value == 1.25 and result.passed
    monkeypatch.setattr(start, "LOAD", "raise SystemExit(3)")
    assert not start.loading().passed


def test_crazyflow_runs_with_as_many_worlds_as_suit_it(monkeypatch):
    speeds = {"512": 2e6, "4096": 3e6, "16384": 1e6}
    monkeypatch.setattr(many, "last_line", lambda _, n: {"version": "0.4.0", "steps_per_second": speeds[n]})
    world = contextlib.nullcontext(SimpleNamespace(step=None))
    monkeypatch.setattr(many, "batch", lambda given, n, backend, precision: world)
    monkeypatch.setattr(many, "_speed", lambda step, n, ticks: {64: 16e6, 1024: 12e6}[n])
    short, long = many.beside_crazyflow()
    assert (short.value, short.baseline, short.passed) == (16e6, 3e6, True) and "64 worlds" in short.case
    assert "float32" in short.case and "float64" in long.case
    monkeypatch.setattr(many, "last_line", lambda _, n: "not installed")
    assert all("not installed" in one.case for one in many.beside_crazyflow())
