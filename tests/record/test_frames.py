"""Recordings as pandas, xarray and Parquet: the same numbers, with texts, arrays and units, of all vehicles."""

import importlib

import numpy as np
import pytest

import cupola
from cupola.record import Recorder, RecordingError, Stream, write_parquet
from cupola.record.field_units import units_of

RAYS = 5


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A scan, an odometry with its covariance, named numbers and texts, of two vehicles."""
    path = tmp_path_factory.mktemp("frames") / "made.mcap"
    rays = tuple(f"ranges.{k}" for k in range(RAYS))
    places = ("pose.pose.position.x", *(f"pose.covariance.{k}" for k in range(36)))
    streams = [
        Stream("/a/scan", "sensor_msgs/msg/LaserScan", ("angle_min", *rays), {"header.frame_id": "a/base"}),
        Stream("/a/odometry", "nav_msgs/msg/Odometry", places, {"child_frame_id": "a/base"}),
        Stream("/b/odometry", "nav_msgs/msg/Odometry", places, {"child_frame_id": "b/base"}),
        Stream("/a/grip", "cupola_msgs/msg/Numbers", ("value.0", "value.1"), {"name": ["force", "pull"]}),
        Stream("/a/motor", "cupola_msgs/msg/Rotor", ("thrust", "omega"), {}),
        Stream("/a/phase", "std_msgs/msg/String", ()),
    ]
    units = '{"a.grip.force": "N", "a.grip.pull": "N m"}'
    with Recorder(path, streams, metadata={"scenario": "made"}, attachments={"signals.json": units}) as recorder:
        times = np.arange(10) * 10_000_000
        recorder.write("/a/scan", times[::5], times[::5], np.arange(2 * (1 + RAYS)).reshape(2, -1))
        for name, shift in (("a", 0.0), ("b", 100.0)):
            recorder.write(f"/{name}/odometry", times, times, shift + np.arange(370.0).reshape(10, 37))
        recorder.write("/a/grip", times, times, np.arange(20.0).reshape(10, 2))
        recorder.write("/a/motor", times, times, np.arange(20.0).reshape(10, 2))
        recorder.say("/a/phase", 0, data="approach")
    return path


def test_a_frame_has_the_numbers_texts_arrays_and_units(file):
    recording = cupola.Recording(file)
    scan = recording.frame("/a/scan")
    assert scan.index.name == "time" and scan.index.tolist() == [0.0, 0.05]
    assert scan["ranges"].iloc[1].tolist() == [7.0, 8.0, 9.0, 10.0, 11.0]
    assert scan["header.frame_id"].tolist() == ["a/base"] * 2
    assert scan.attrs["units"]["ranges"] == "m" and scan.attrs["units"]["angle_min"] == "rad"
    odometry = recording.frame("/b/odometry")
    table = recording.table("/b/odometry")
    assert odometry["pose.pose.position.x"].tolist() == table["pose.pose.position.x"].tolist()
    assert np.stack(odometry["pose.covariance"].to_list()).shape == (10, 36)
    assert recording.frame("/a/grip").attrs["units"] == {"stamp": "s", "force": "N", "pull": "N m"}
    assert recording.frame("/a/motor").attrs["units"]["omega"] == "rad/s"  # from the definition in the file
    assert recording.frame("/a/phase")["data"].tolist() == ["approach"]
    with pytest.raises(RecordingError, match="no topic '/a/scn'"):
        recording.frame("/a/scn")


def test_a_dataset_holds_all_vehicles_over_shared_times(file):
    recording = cupola.Recording(file)
    whole = recording.dataset()
    for name in ("a", "b"):
        x = whole[f"{name}.odometry.pose.pose.position.x"]
        assert x.dims == ("time",) and x.attrs["units"] == "m"
        assert x.values.tolist() == recording.table(f"/{name}/odometry")["pose.pose.position.x"].tolist()
    assert whole["a.odometry.pose.covariance"].shape == (10, 36)
    assert whole["a.scan.ranges"].dims == ("time_a.scan", "a.scan.ranges.index")
    assert str(whole["a.phase.data"].values[0]) == "approach"
    assert whole.attrs["scenario"] == "made"
    alone = recording.dataset("/a/scan")
    assert alone["ranges"].shape == (2, RAYS) and alone["time"].attrs["units"] == "s"


def test_parquet_gives_the_same_numbers_back(file, tmp_path):
    import pyarrow.parquet as parquet

    written = write_parquet(file, tmp_path)
    assert {path.name for path in written} >= {"a.scan.parquet", "b.odometry.parquet", "a.phase.parquet"}
    table = parquet.read_table(tmp_path / "a.scan.parquet")
    assert table["ranges"].to_pylist() == [[1.0, 2.0, 3.0, 4.0, 5.0], [7.0, 8.0, 9.0, 10.0, 11.0]]
    assert table.schema.field("ranges").metadata == {b"units": b"m"}
    assert parquet.read_table(tmp_path / "a.phase.parquet")["data"].to_pylist() == ["approach"]


def test_a_package_that_is_missing_is_named(file, monkeypatch):
    real = importlib.import_module

    def without(name, *rest):
        if name.partition(".")[0] in ("pandas", "xarray", "pyarrow"):
            raise ModuleNotFoundError(name)
        return real(name, *rest)

    monkeypatch.setattr("cupola.schema.libraries.importlib.import_module", without)
    recording = cupola.Recording(file)
    for call, name in ((lambda: recording.frame("/a/scan"), "pandas"), (recording.dataset, "xarray")):
        with pytest.raises(RecordingError, match=rf"needs {name}: pip install 'cupola\[data\]'"):
            call()


def test_nearly_every_recorded_number_has_a_unit(tmp_path):
    world = cupola.load("quadcopter")
    recorder = cupola.WorldRecorder(world, tmp_path / "a.mcap")
    recorder.close()
    recording = cupola.Recording(tmp_path / "a.mcap")
    without = []
    for topic in recording.topics:
        names = list(recording.named(topic))
        known = units_of(recording, topic, names)
        without += [f"{topic}:{name}" for name in names if name not in known and "covariance" not in name]
    assert {name.rpartition(":")[0] for name in without} <= {"/quadcopter/channels", "/parameters", "/commands", "/log"}
