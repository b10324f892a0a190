"""Rows that measures keep: in memory or in a file they are the same rows, and memory stays flat."""

import io
import logging
import tempfile

import numpy as np
import pytest

from cupola.sim import kept_rows
from cupola.sim.kept_rows import KeptRows
from cupola.sim.signal_rows import SignalRows
from cupola.sim.world import load

RANDOM = np.random.default_rng(7)
ROWS = np.column_stack([np.arange(0.0, 3000.0, 3.0), RANDOM.normal(size=(1000, 2))])
SCENARIO = """
physics_hz: 400
vehicles:
  - model: quadcopter
    parts: {imu: {rate_hz: 10, delay: 0.03}}
measures:
  pull: mean(quadcopter.imu.accel_s.z)
  heard: duration(quadcopter.imu.accel_s.z > -1000)
  height: final(quadcopter.position.z)
"""


@pytest.mark.parametrize("most", [0, 500, 10_000, 10**9])
def test_a_table_in_a_file_is_the_table_in_memory(monkeypatch, most):
    monkeypatch.setattr(kept_rows, "MOST_IN_MEMORY", most)
    kept, plain = KeptRows(3), np.zeros((0, 3))
    assert kept.all().shape == (0, 3)
    for first in range(0, 1000, 70):
        kept.append(ROWS[first : first + 70])
        plain = np.concatenate([plain, ROWS[first : first + 70]])
        if first % 210 == 0:
            last = plain[-20, 0] + 1.0
            kept.cut(last)
            plain = plain[plain[:, 0] <= last]
        if first % 140 == 0:
            np.testing.assert_array_equal(kept.all(), plain)
    kept.cut(-1.0)
    kept.append(ROWS[:5])
    np.testing.assert_array_equal(kept.all(), ROWS[:5])


class _Full(io.BytesIO):
    """A disk that has room for three blocks and a half."""

    def write(self, data):
        room = 3.5 * len(data) - self.tell()
        super().write(data[: max(0, int(room))])
        if room < len(data):
            raise OSError(28, "No space left on device")
        return len(data)


def _nowhere(**_):
    raise FileNotFoundError(2, "No usable temporary directory found")


@pytest.mark.parametrize("disk", [_nowhere, lambda **_: _Full()])
def test_without_a_place_to_write_rows_stay_in_memory_and_that_is_said_once(monkeypatch, caplog, disk):
    monkeypatch.setattr(kept_rows, "MOST_IN_MEMORY", 100)
    monkeypatch.setattr(tempfile, "TemporaryFile", disk)
    monkeypatch.setattr(np, "memmap", lambda file, *_: np.frombuffer(file.getvalue()))
    kept = KeptRows(3)
    with caplog.at_level(logging.WARNING, "cupola"):
        for first in range(0, 1000, 100):
            kept.append(ROWS[first : first + 100])
    np.testing.assert_array_equal(kept.all(), ROWS)
    kept.cut(1500.0)
    np.testing.assert_array_equal(kept.all(), ROWS[ROWS[:, 0] <= 1500.0])
    assert len(caplog.records) == 1
    assert "cannot be written" in caplog.text


@pytest.fixture(scope="module")
def slow_imu(tmp_path_factory):
    path = tmp_path_factory.mktemp("scenario") / "slow_imu.yaml"
    path.write_text(SCENARIO, encoding="utf-8")
    return load(str(path))


def test_a_sensor_is_measured_alike_in_one_go_tick_by_tick_and_after_going_back(slow_imu):
    world = slow_imu
    world.reset()
    world.run(1.0)
    whole = world.measures()
    assert whole["heard"].value == pytest.approx(1.0 - 0.03, abs=0.02)  # from when the first sample has arrived
    world.reset()
    for _ in range(400):
        world.run(world.dt)
    assert world.measures() == whole
    world.reset()
    world.run(0.5)
    kept = world.snapshot()
    world.run(0.3)
    world.restore(kept)
    world.run(0.5)
    assert world.measures() == whole


def test_signals_of_a_slow_sensor_go_on_where_the_world_goes_back_to(slow_imu):
    world, rows = slow_imu, SignalRows(slow_imu)
    world.reset()
    rows.begin()
    world.run(0.43)
    kept = world.snapshot()
    rows.new(world)
    world.run(0.25)
    ticks, values = rows.new(world)
    world.restore(kept)
    rows.rewind(world)
    world.run(0.25)
    again, flown_again = rows.new(world)
    np.testing.assert_array_equal(again, ticks)
    np.testing.assert_array_equal(flown_again, values)
    place = [one.name for one in world.signals()].index("quadcopter.imu.accel_s.z")
    assert np.isfinite(values[:, place]).all()
