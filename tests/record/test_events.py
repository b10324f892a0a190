"""Phases and events: when a vehicle touches and leaves the floor, when something breaks, what its controller does."""

import numpy as np
import pytest

from cupola.record.plot import events_of
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder
from cupola.sim.world import load

BALL = '<body name="base"><freejoint/><geom type="sphere" size="0.1"/><site name="here"/></body>'


def record(world, path, *acts):
    recorder = WorldRecorder(world, path)
    world.observers.append(recorder)
    for act in acts:
        world.run(act) if isinstance(act, float) else act()
    recorder.close()
    return Recording(path)


def test_a_ball_that_falls_touches_the_floor_when_it_must(vehicle, make_world, tmp_path):
    world = make_world({"model": vehicle(BALL), "position": [0, 0, 1]}, floor={})
    recording = record(world, tmp_path / "fall.mcap", 1.0)
    touches = [one for one in recording.events if one.event == "touch"]
    assert touches[0][1:] == ("toy", "", "touch")
    # It falls 0.9 m; rows come every 10 ms.
    assert touches[0].time == pytest.approx(np.sqrt(2 * 0.9 / 9.81), abs=0.011)


def test_a_ball_that_is_pushed_up_takes_off(vehicle, make_world, tmp_path):
    world = make_world({"model": vehicle(BALL), "position": [0, 0, 0.0996]}, floor={})
    up = 3.0 * 9.81 * world.model.body_mass[1]
    recording = record(world, tmp_path / "up.mcap", 0.5, lambda: world.push("toy/base", [0.0, 0.0, up]), 1.0)
    (gone,) = recording.events
    assert gone.event == "take-off" and gone.time == pytest.approx(0.5, abs=0.02)


def test_a_touch_between_two_looks_is_found(vehicle, make_world, tmp_path):
    """An observer looks once a second; this ball falls and is back in the air by then."""
    springy = BALL.replace('size="0.1"', 'size="0.1" solref="-20000 -1"')
    world = make_world({"model": vehicle(springy), "position": [0, 0, 1]}, floor={})
    recording = record(world, tmp_path / "bounce.mcap", 0.6)
    assert world.motion().pos_w.z > 0.2
    assert [one.event for one in recording.events] == ["touch", "take-off"]
    assert all(0.42 < one.time < 0.5 for one in recording.events)


def test_what_breaks_and_is_mended_is_an_event(tmp_path):
    world = load("hover")
    acts = (lambda: world.fail("quadcopter.motor1", "off"), 0.1, lambda: world.fail("quadcopter.motor1", "off", 0.0))
    recording = record(world, tmp_path / "broken.mcap", 0.2, *acts)
    assert recording.events == [
        (0.2, "quadcopter", "motor1", "fault: off"),
        (pytest.approx(0.3), "quadcopter", "motor1", "mended: off"),
    ]


def test_phases_are_what_the_world_said_and_are_drawn(tmp_path):
    world = load("square")
    said, recorder = [], WorldRecorder(world, tmp_path / "square.mcap")
    world.observers.append(recorder)
    for _ in range(40):
        world.run(0.25)
        if not said or said[-1] != world.mission():
            said.append(world.mission())
    recorder.close()
    recording = Recording(tmp_path / "square.mcap")
    phases = recording.phases("quadcopter")
    assert phases[0].time == 0.0 and [phase.text for phase in phases] == said and len(said) > 1
    drawn = events_of(recording, "quadcopter")
    assert [(phase.time, phase.text) for phase in phases[1:]] == [(e.time, e.text) for e in drawn if e.text in said]


def test_a_reset_is_no_event(vehicle, make_world, tmp_path):
    world = make_world({"model": vehicle(BALL), "position": [0, 0, 1]}, floor={})
    recording = record(world, tmp_path / "again.mcap", 1.0, world.reset, 0.2)
    assert world.motion().pos_w.z > 0.5 and {one.event for one in recording.events} <= {"touch"}
