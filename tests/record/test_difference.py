"""Several recordings side by side: where two runs part, and by how much."""

import numpy as np
import pytest

import cupola
from cupola.record import Recorder, RecordingError, Stream
from cupola.record.difference import compare

TIMES = np.arange(100) * 10_000_000


def write(path, values, names=("x", "y"), topic="/a/odometry"):
    columns = tuple(f"pose.pose.position.{name}" for name in names)
    stream = Stream(topic, "nav_msgs/msg/Odometry", columns, {})
    with Recorder(path, [stream], metadata={}, attachments={"scenario.json": '{"physics_hz": 1000}'}) as recorder:
        recorder.write(topic, TIMES[: len(values)], TIMES[: len(values)], values)
    return cupola.Recording(path)


def curve(count=100):
    return np.stack([np.sin(0.1 * np.arange(count)), np.cos(0.1 * np.arange(count))], axis=1)


def test_runs_that_are_equal_are_said_to_be(tmp_path):
    (found,) = compare([write(tmp_path / "a.mcap", curve()), write(tmp_path / "b.mcap", curve(60))])
    assert found.parting is None and found.differences == [] and found.common_end == pytest.approx(0.59)


def test_the_first_tick_and_signal_that_differ_are_named(tmp_path):
    other = curve()
    other[42:, 1] += 1e-15 * np.arange(58) + 1e-15
    other[70, 0] += 0.5
    (found,) = compare([write(tmp_path / "a.mcap", curve()), write(tmp_path / "b.mcap", other)])
    assert found.parting is not None
    assert (found.parting.time, found.parting.tick) == (0.42, 420)
    assert found.parting.signals == ["a.odometry.pose.pose.position.y"]
    largest = found.differences[0]
    assert largest.signal == "a.odometry.pose.pose.position.x" and largest.unit == "m"
    assert largest.largest == pytest.approx(0.5) and largest.at == pytest.approx(0.7)
    assert largest.rms == pytest.approx(0.05)


def test_a_number_against_none_is_no_agreement(tmp_path):
    other = curve()
    other[10, 0] = np.nan
    (found,) = compare([write(tmp_path / "a.mcap", curve()), write(tmp_path / "b.mcap", other)])
    assert found.parting is not None and found.parting.tick == 100
    assert found.differences[0].largest == np.inf


def test_each_is_compared_with_the_first_and_what_one_lacks_is_named(tmp_path):
    first = write(tmp_path / "a.mcap", curve())
    both = compare([first, write(tmp_path / "b.mcap", curve()), write(tmp_path / "c.mcap", 2.0 * curve())])
    assert [one.parting is None for one in both] == [True, False]
    with pytest.raises(RecordingError, match="no topic in common"):
        compare([first, write(tmp_path / "d.mcap", curve(), topic="/b/odometry")])
    with pytest.raises(RecordingError, match="it takes two"):
        compare([first])
