"""A recording for other viewers: as a file of Foxglove with the robot in it, or of Rerun."""

import logging
from pathlib import Path

import numpy as np

from cupola.bridge.viewers.foxglove import add_scene
from cupola.bridge.viewers.rerun import RerunViewer
from cupola.bridge.viewers.rows import Rows
from cupola.record.held_files import HeldRecording
from cupola.record.picture import PICTURES, pack
from cupola.record.read import Recording
from cupola.record.shown_world import world_of
from cupola.record.stream import Stream
from cupola.record.topics import log_topics, phase_streams, sensor_topics, site_frames
from cupola.schema.hostile_text import writable
from cupola.schema.whole_files import whole_path
from cupola.sim.world import World

MOST_PICTURES = 500
"""Of one camera in a file of Rerun."""
SECOND = 1e9

log = logging.getLogger("cupola.bridge")


def write_foxglove(source: Path, target: Path) -> Path:
    """The recording with the shapes of its bodies."""
    return add_scene(source, world_of(HeldRecording(Recording(source)), source).model, target)


def write_rerun(source: Path, target: Path) -> Path:
    """The recording as Rerun keeps it."""
    with whole_path(target) as hidden:
        _fill_rerun(source, hidden)
    return target


def _fill_rerun(source: Path, target: Path) -> None:
    recording = Recording(source)
    world = world_of(HeldRecording(recording), source)
    fixed, transforms = site_frames(world)
    streams = [fixed, *(t.stream for t in log_topics(world)), *(t.stream for t in sensor_topics(world))]
    viewer = RerunViewer(
        source, [*streams, *phase_streams(world)], model=world.model, name=writable(source.stem), file=target
    )
    viewer.write(fixed.topic, [0], [0], [transforms])
    for stream in (one for one in streams[1:] if one.topic in recording.topics):
        if stream.type in PICTURES:
            _show_pictures(recording, stream.topic, world, viewer)
            continue
        table = recording.table(stream.topic)
        stamps = np.rint(table["stamp"] * SECOND).astype(np.int64)
        rows = np.empty((len(stamps), len(stream.columns)))  # a camera's description has none
        for k, column in enumerate(stream.columns):
            rows[:, k] = table.get(column, np.nan)
        viewer.write(stream.topic, stamps, stamps, rows)
    for topic in (one for one in recording.topics if one not in viewer.streams):
        numbers = recording.named(topic)  # of controllers, which do not fly here
        stamps = np.rint(numbers.pop("stamp") * SECOND).astype(np.int64)
        del numbers["time"]
        if numbers and recording.topics[topic] not in PICTURES:
            stream = Stream(topic, recording.topics[topic], tuple(numbers))
            viewer.show(stream, stamps, np.column_stack([*numbers.values()]))
    for note in recording.notes:
        viewer.note(int(note.time * SECOND), note.text)
    for vehicle in world.instances:
        for phase in recording.phases(vehicle.name):
            viewer.say(f"/{vehicle.name}/phase", int(phase.time * SECOND), data=phase.text)
    viewer.close(recording.interrupted)


def _show_pictures(recording: Recording, topic: str, world: World, viewer: Rows) -> None:
    shots = recording.pictures(topic, MOST_PICTURES)
    if len(shots) == MOST_PICTURES:
        log.warning("%s: %d pictures are shown, evenly spread over the recording", topic, MOST_PICTURES)
    for shot in shots:
        stamp = int(shot.time * SECOND)
        viewer.write_bytes(topic, stamp, stamp, pack(shot.pixels, world.scenario.record.pictures))
