"""Recordings and sticks of a flight, and a server that stands still: nothing ends the flight."""

import os
import signal
import time
from typing import cast

import numpy as np
import pytest

from cupola.cockpit import messages as say
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.cockpit.opening import flying
from cupola.cockpit.wires import PAGES
from cupola.record.stream import RecordingError
from cupola.sim.world import load


class Line:
    """What pages would be told."""

    def __init__(self):
        self.said = []

    def tell(self, message):
        self.said.append(message)


@pytest.fixture
def flight(tmp_path):
    def of(name):
        return Flight(load(name), cast(Link, Line()), tmp_path, [name], load)

    return of


def test_a_recording_that_cannot_go_on_ends_and_the_flight_does_not(flight, monkeypatch):
    flown = flight("hover")
    flown.obey(say.Record(on=True))
    assert flown.recording

    def fail(world):
        raise RecordingError("no space left")

    monkeypatch.setattr(flown.tape._recorder, "observe", fail)
    flown.look()
    assert not flown.recording
    assert [m.text for m in flown.link.said if isinstance(m, say.Notice)] == ["the recording ended: no space left"]
    assert flown.step(10) == 10


def test_neutral_is_where_the_throttle_rests(flight):
    flown = flight("hover")
    flown.obey(say.Mode(mode="raw"))
    flown.obey(say.Sticks(channels=[0.5, 0.5, 0.5, 0.5]))
    flown.obey("neutral")
    assert flown.world.signal("quadcopter.stick") == (0.0, 0.0, 0.0, flown.world.throttle_rests_at())
    assert flown.world.throttle_rests_at() == -1.0


def test_a_long_step_loses_no_row_of_the_recording(flight):
    from cupola.record.read import Recording

    flown = flight("hover")
    flown.obey(say.Record(on=True))
    path = flown.tape.path
    flown.step(3 * flown.world.max_ticks_per_batch + 17)
    flown.close()
    times = Recording(path).table("/quadcopter/odometry")["time"]
    assert len(times) == 301 and np.ptp(np.diff(times)) < 1e-9


def test_a_jump_goes_on_in_another_file(flight, tmp_path):
    flown = flight("hover")
    flown.obey(say.Record(on=True))
    flown.step(100)
    flown.obey(say.Reset())
    flown.step(100)
    flown.close()
    assert sorted(path.name for path in tmp_path.glob("*.mcap")) == ["hover-1.mcap", "hover-2.mcap"]


def test_a_server_that_stands_still_never_stops_the_simulation(tmp_path):
    link = Link(tmp_path, port=0)
    with flying(load("hover"), link, load=load, scenarios=[], folder=tmp_path) as runner:
        runner.turn()
        os.kill(link._process.pid or 0, signal.SIGSTOP)
        link._counters[PAGES] = 1  # as if a page watched
        before, begun = runner.ticks, time.monotonic()
        while time.monotonic() < begun + 0.5:
            for _ in range(20):
                link.tell(say.Notice(level="info", text="x" * 1000))
            runner.turn()
        assert (runner.ticks - before) * runner.show.dt > 0.3
    assert not link._process.is_alive()
