"""Every kind of part of the registry, over both ROS and in the files of both viewers."""

import pytest
from mcap.reader import make_reader
from tests.bridge.test_ros_wire import opened
from tests.engine.every_kind import SETTINGS, build, peer

from cupola.bridge.ros.definitions import learn
from cupola.bridge.ros.template import Template
from cupola.bridge.ros1.messages import store, stream_of
from cupola.bridge.viewers.recorded import write_foxglove, write_rerun
from cupola.record.messages import types
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder


@pytest.fixture(scope="module", params=SETTINGS)
def told(request, tmp_path_factory):
    """What a world said to ROS in half a second, and its recording."""
    folder = tmp_path_factory.mktemp("told")
    with peer(folder) as port:
        world = build(request.param, folder, port)
        recorder = WorldRecorder(world, folder / "flight.mcap")
        world.observers.append(recorder)
        exchange, link = opened("cupola", world, commanded=False)
        for _ in range(5):
            world.run(0.1)
            exchange.publish()
        recorder.close()
    return link, folder / "flight.mcap"


def test_what_is_recorded_is_told_on_both_wires(told):
    link, path = told
    said = set()
    for out, sample in link.sent:
        kind = out.stream.type
        learn(types(), kind)
        store().deserialize_ros1(Template(stream_of(out.stream), store(), packed=True).fill(sample), kind)
        types().deserialize_cdr(Template(out.stream, types()).fill(sample), kind)
        said.add(out.stream.topic)
    recorded = {topic for topic in Recording(path).topics if topic.startswith("/it/")}
    own = {"/it/controller", "/it/log", "/it/phase"}
    assert len(recorded) > 4 and recorded - own <= said


def spoken_in(path):
    """Topics with messages."""
    with path.open("rb") as file:
        return {channel.topic for _, channel, _ in make_reader(file).iter_messages()}


def test_both_viewers_have_every_topic(told, tmp_path):
    _, path = told
    pytest.importorskip("foxglove", reason="pip install 'cupola[foxglove]'")
    assert spoken_in(path) <= spoken_in(write_foxglove(path, tmp_path / "foxglove.mcap"))
    pytest.importorskip("rerun", reason="pip install 'cupola[rerun]'")
    assert write_rerun(path, tmp_path / "flight.rrd").stat().st_size > 10_000
