"""Every scenario that ships flies in the cockpit, and a disk that fails does not end the flight."""

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
from cupola.config.scenario import shipped_scenarios
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


@pytest.mark.parametrize("name", shipped_scenarios())
def test_it_flies_in_every_mode(flight, name):
    flown = flight(name)
    hello, scene = flown.begin()
    assert hello.length == len(flown.frame.numbers) and say.Hello.model_validate_json(hello.model_dump_json()) == hello
    for vehicle, info in enumerate(scene.vehicles):
        for mode, rest in zip(info.modes, info.throttle_rests_at, strict=True):
            flown.obey(say.Mode(vehicle=vehicle, mode=mode))
            flown.obey(say.Sticks(vehicle=vehicle, channels=[0.1, -0.1, 0.1, rest]))
            assert flown.step(100) == 100
            flown.look()
            flown.frame.fill()
            assert flown.link.said[-1].modes[vehicle] == mode
    bodies = flown.frame.numbers[flown.frame.layout[1].offset :][: 7 * len(scene.bodies)]
    assert np.isfinite(bodies).all()


def test_a_recording_that_cannot_go_on_ends_and_the_flight_does_not(flight, monkeypatch):
    flown = flight("hover")
    flown.obey(say.Record(on=True))
    assert flown.recording

    def fail(world):
        raise RecordingError("no space left")

    monkeypatch.setattr(flown._recorder, "observe", fail)
    flown.look()
    assert not flown.recording
    assert [m.text for m in flown.link.said if isinstance(m, say.Notice)] == ["the recording ended: no space left"]
    assert flown.step(10) == 10


def test_neutral_is_where_the_throttle_rests(flight):
    flown = flight("hover")
    flown.obey(say.Mode(mode="raw"))
    flown.obey(say.Sticks(channels=[0.5, 0.5, 0.5, 0.5]))
    flown.obey("neutral")
    assert flown.world.arrays.sticks[0, :4].tolist() == [0.0, 0.0, 0.0, flown.world.throttle_rests_at()]
    assert flown.world.throttle_rests_at() == -1.0


def test_a_long_step_loses_no_row_of_the_recording(flight):
    from cupola.record.read import Recording

    flown = flight("hover")
    flown.obey(say.Record(on=True))
    path = flown._recorder.path
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
