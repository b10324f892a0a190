"""Numbers with names: the names stand in the definition of their message, once, and every reader still finds them."""

import re

import numpy as np
import pytest
from mcap.reader import make_reader
from rosbags.highlevel import AnyReader

import cupola
from cupola.record.difference import compare
from cupola.record.messages import NUMBERS
from cupola.record.named_numbers import field_names, is_same_kind, names_in, with_names_once
from cupola.record.read import Recording
from cupola.record.recorder import Recorder
from cupola.record.stream import Stream
from cupola.record.world_recorder import WorldRecorder

REPORTS = "/quadcopter/controller"
ROS_FIELD = re.compile(r"(?!.*__)[a-z]([a-z0-9_]*[a-z0-9])?")


@pytest.fixture(scope="module")
def flown(tmp_path_factory):
    """A flight of a second, and the world at its end."""
    world = cupola.load("square")
    recorder = WorldRecorder(world, tmp_path_factory.mktemp("named") / "square.mcap")
    world.observers.append(recorder)
    world.run(1.0)
    recorder.close()
    return recorder.path, world


def test_no_message_of_numbers_holds_their_names(flown):
    path, _ = flown
    recording = Recording(path)
    kinds = [kind for kind in recording.topics.values() if kind.startswith(NUMBERS)]
    assert kinds and NUMBERS not in kinds
    with path.open("rb") as file:
        sizes = [len(m.data) for _, channel, m in make_reader(file).iter_messages() if channel.topic == REPORTS]
    count = len(names_in(recording.definition(REPORTS)))
    assert count > 10 and set(sizes) == {sizes[0]} and sizes[0] < 8 * count + 64


def test_columns_have_the_names_and_units_of_the_signals(flown):
    path, world = flown
    recording = Recording(path)
    signals = [s for s in world.signals() if s.name.startswith("quadcopter.controller.")]
    table = recording.named(REPORTS)
    assert list(table)[2:] == [s.name.removeprefix("quadcopter.controller.") for s in signals]
    for one in signals:
        np.testing.assert_equal(table[one.name.removeprefix("quadcopter.controller.")][-1], world.signal(one.name))
        assert f"  # {one.name.removeprefix('quadcopter.controller.')} [{one.unit}]\n" in recording.definition(REPORTS)


def test_other_tools_read_it_by_field(flown):
    path, world = flown
    fields = names_in(Recording(path).definition(REPORTS))
    with AnyReader([path]) as reader:
        last = [reader.deserialize(raw, c.msgtype) for c, _, raw in reader.messages() if c.topic == REPORTS][-1]
    for field, name in fields.items():
        np.testing.assert_equal(getattr(last, field), world.signal(f"quadcopter.controller.{name}"))


def test_any_names_become_fields_that_ros_allows():
    names = ["a.b", "a_b", "A.b", "2nd", "_", "header", "grün.x", "x__y_", "gain[0]"]
    fields = field_names(names)
    assert len(set(fields)) == len(names) and "header" not in fields
    assert all(ROS_FIELD.fullmatch(field) for field in fields), fields
    stream = Stream("/a/b", NUMBERS, tuple(f"value.{k}" for k in range(len(names))), {"name": names})
    made = with_names_once(stream, {"a.b.2nd": "m/s"})
    assert made.names == tuple(names) and is_same_kind(made.type, NUMBERS)


def test_a_recording_that_repeats_its_names_is_still_read_and_compared(tmp_path):
    old = Stream("/a/controller", NUMBERS, ("value.0", "value.1"), {"name": ["speed", "error.x"]})
    paths = []
    for k, stream in enumerate((old, with_names_once(old, {}))):
        paths.append(tmp_path / f"{k}.mcap")
        with Recorder(paths[-1], [stream], metadata={}) as recorder:
            recorder.write(stream.topic, [0, 10**9], [0, 10**9], [[1.0, 2.0], [3.0, 4.0]])
    tables = [Recording(path).named("/a/controller") for path in paths]
    assert list(tables[0]) == list(tables[1]) == ["time", "stamp", "speed", "error.x"]
    assert tables[1]["error.x"].tolist() == [2.0, 4.0]
    (compared,) = compare([Recording(path) for path in paths])
    assert compared.parting is None and compared.alike == 2
