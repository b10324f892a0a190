"""What happened in a run is told once, at its time, live and from a recording of the same flight."""

import json
from itertools import pairwise
from typing import cast

import pytest

from cupola.cockpit import messages as say
from cupola.cockpit import run_events
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.cockpit.replay import Replay
from cupola.cockpit.run_events import words_of
from cupola.record.read import Recording
from cupola.sim.events import ACTS
from cupola.sim.world import load

QUIET = {"sticks", "turn", "script", "push", "fail"}
"""What goes on all the time, and faults, which are events of the world."""
ARGUMENTS = {
    "take_over": ("raw", "quadcopter"),
    "stop_motors": (True, None),
    "restart": ("quadcopter",),
    "drop_box": ("quadcopter",),
    "remove_boxes": (),
    "plan": ((), "quadcopter", 0),
    "tune": ("quadcopter.assisted.velocity_kp", 3.0),
    "set_inertia": ("quadcopter/base", 1.0, (0, 0, 0), (1, 1, 1, 0, 0, 0)),
}


class Answers:
    """A line that keeps the answers."""

    def __init__(self):
        self.kept = {}

    def tell(self, message):
        pass

    def answer(self, number, content):
        self.kept[number] = json.loads(content)


def events(show):
    show.obey(say.AskEvents(number=3))
    return [(round(one["time"], 6), one["text"], one["alarm"]) for one in show.link.kept[3]["events"]]


@pytest.fixture
def flight(tmp_path):
    return Flight(load("square"), cast(Link, Answers()), tmp_path, [], load)


def fly(flight, seconds):
    flight.step(round(seconds / flight.dt))


def test_a_flight_and_its_recording_tell_the_same(flight, tmp_path):
    flight.obey(say.Record(on=True))
    fly(flight, 6.0)
    flight.obey(say.Tune(name="air.wind_speed", value=1.0))
    fly(flight, 0.5)
    flight.obey(say.Mode(mode="assisted"))
    flight.obey(say.Fault(part="quadcopter.motor1", fault="off", amount=1.0))
    fly(flight, 5.0)
    flight.obey(say.Emergency(on=True))
    live = events(flight)
    texts = [text for _, text, _ in live]
    assert "touch" in texts[texts.index("motor1 fault: off") :]
    assert [text for _, text, alarm in live if alarm] == ["motor1 fault: off", "motors off"]
    assert (6.0, "air.wind_speed = 1", False) in live and (6.5, "mode assisted", False) in live
    assert len({text for _, text, _ in live if text.startswith("waypoint")}) > 1
    flight.close()
    replay = Replay(next(tmp_path.glob("*.mcap")), cast(Link, Answers()))
    assert events(replay) == live
    shared = replay.flown().events.events
    assert [(round(one.time, 6), one.text, one.alarm) for one in shared] == live


def test_looking_back_doubles_nothing_and_a_branch_forgets(flight):
    fly(flight, 3.0)
    flight.obey(say.Fault(part="quadcopter.motor1", fault="off", amount=1.0))
    fly(flight, 1.0)
    before = events(flight)
    for moment in (1.0, 3.5, 0.0, flight.end):
        flight.obey(say.Seek(time=moment))
        flight.look()
        assert events(flight) == before
    flight.obey(say.Seek(time=2.0))
    fly(flight, 0.5)
    assert events(flight) == [one for one in before if one[0] <= 2.0]
    number = flight.course.kept.events.number
    flight.obey(say.Reset())
    assert events(flight) == [] and flight.course.kept.events.number > number


def test_a_slider_that_is_dragged_is_one_event(flight):
    fly(flight, 0.1)
    for k in range(20):
        flight.obey(say.Tune(name="air.wind_speed", value=0.1 * k))
        fly(flight, 0.02)
    flight.obey(say.Tune(name="air.wind_from_deg", value=30.0))
    found = [text for _, text, _ in events(flight) if " = " in text]
    assert found == ["air.wind_speed = 1.9", "air.wind_from_deg = 30"]


def test_what_is_lost_is_told(flight, monkeypatch):
    monkeypatch.setattr(run_events, "MOST", 5)
    for k in range(8):
        flight.course.kept.events.add(float(k), f"event {k}")
    told = flight.course.kept.events.all()
    assert told.lost == 3 and [one.text for one in told.events] == [f"event {k}" for k in range(3, 8)]


@pytest.mark.parametrize("call", ACTS)
def test_all_that_can_be_done_to_a_world_is_told_or_goes_on_all_the_time(call):
    assert (words_of(call, ARGUMENTS.get(call, ())) is None) == (call in QUIET)
    assert call in QUIET or call in ARGUMENTS


def test_wheels_that_rattle_do_not_fill_the_list(tmp_path):
    """A plane that rolls fast hops a hundred times a minute; its first touch and what follows the last hop are told."""
    flight = Flight(load("plane_1wing"), cast(Link, Answers()), tmp_path, [], load)
    flight.obey(say.Record(on=True))
    fly(flight, 25.0)
    live = events(flight)
    flight.close()
    file = next(tmp_path.glob("*.mcap"))
    raw = [one for one in Recording(file).events if one.event in ("touch", "take-off")]
    told = [one for one in live if one[1] in ("touch", "take-off")]
    print(len(raw), told)
    assert len(raw) > 50 and len(told) < len(raw) / 5
    assert events(Replay(file, cast(Link, Answers()))) == live
    for (left, out, _), (down, again, _) in pairwise(told):
        assert out != again and (out == "touch" or down - left >= run_events.HOP)
