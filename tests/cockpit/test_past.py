"""Going back in a flight: to the bit, at any tick, and on from there in another way."""

from typing import cast

import numpy as np
import pytest

from cupola.cockpit import messages as say
from cupola.cockpit import past
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.record.read import Recording
from cupola.sim.world import load


class Silent:
    """A line to nobody, that keeps what was tuned."""

    def __init__(self):
        self.tuned = {}

    def tell(self, message):
        if isinstance(message, say.Tuned):
            self.tuned[message.name] = message.value


@pytest.fixture
def flight(tmp_path):
    """Five seconds in wind, flown by hand; `was` is the state between two commands."""
    flight = Flight(load("square"), cast(Link, Silent()), tmp_path, [], load)
    flight.obey(say.Mode(mode="assisted"))
    for k in range(20):
        flight.obey(say.Sticks(channels=[0.1 * (k % 3), -0.5, 0.0, 0.2]))
        if k == 11:
            flight.obey(say.Tune(name="quadcopter.assisted.velocity_kp", value=3.0))
        flight.step(250)
        was[flight.world.tick] = flight.world.state_hash()
        flight.step(251)
    return flight


was: dict[int, str] = {}


def test_every_moment_comes_back_to_the_bit(flight):
    end = flight.end
    for tick in np.random.default_rng(3).permutation(sorted(was)).tolist():
        flight.obey(say.Seek(time=tick * flight.dt))
        assert (flight.world.tick, flight.world.state_hash()) == (tick, was[tick])
        told = flight.link.tuned["quadcopter.assisted.velocity_kp"]
        assert told == (3.0 if tick > 11 * 501 else 2.5)
        assert flight.end == end


def test_a_branch_repeats_itself_and_cuts_the_future(flight):
    flight.obey(say.Record(on=True))
    found = []
    for _ in range(2):
        flight.obey(say.Seek(time=2.0))
        flight.obey(say.Sticks(channels=[0.0, 1.0, 0.0, 0.0]))
        flight.step(1500)
        assert flight.end == flight.world.time == pytest.approx(2.75)
        found.append(flight.world.state_hash())
        times = flight.timeline.between([0], 0.0, 1e6).times
        assert times[-1] <= flight.world.time and (np.diff(times) > 0.0).all()
    assert found[0] == found[1]
    flight.close()
    files = sorted(flight.folder.glob("*.mcap"))
    assert len(files) >= 2 and all(Recording(file).is_complete for file in files)


def test_looking_back_changes_nothing(flight):
    end, last = flight.end, flight.world.state_hash()
    flight.course.observe()
    before = flight.timeline.between([0, 1, 2], 0.0, 1e6)
    flight.obey(say.Seek(time=1.0))
    flight.look()
    flight.obey(say.Seek(time=1e6))
    assert (flight.end, flight.world.state_hash()) == (end, last)
    after = flight.timeline.between([0, 1, 2], 0.0, 1e6)
    np.testing.assert_array_equal(after.values, before.values)


def test_memory_of_the_past_is_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(past, "EVERY", 0.02)
    monkeypatch.setattr(past, "LEAST_WORK", 0.0)
    monkeypatch.setattr(past, "MOST_BYTES", 0.0)
    flight = Flight(load("hover"), cast(Link, Silent()), tmp_path, [], load)
    for _ in range(300):
        flight.step(10)
    assert past.FEWEST / 2 < len(flight.past._states) <= past.FEWEST
    last = flight.world.state_hash()
    flight.obey(say.Seek(time=0.3))
    assert flight.world.time == pytest.approx(0.3)
    flight.obey(say.Seek(time=flight.end))
    assert flight.world.state_hash() == last


def test_a_world_that_computes_fast_does_not_spend_its_time_on_keeping_states(tmp_path, monkeypatch):
    """To keep a state takes a millisecond or two: between two there is work of many times that."""
    monkeypatch.setattr(past, "EVERY", 0.001)
    monkeypatch.setattr(past, "LEAST_WORK", 1e3)
    monkeypatch.setattr(past, "WORK", 1e4)
    flight = Flight(load("hover"), cast(Link, Silent()), tmp_path, [], load)
    for _ in range(20):
        flight.step(10)
    assert len(flight.past._states) == 1
    flight.past.work(1e3)
    flight.step(10)
    assert len(flight.past._states) == 2
