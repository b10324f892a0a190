"""A run in real time: when it waits for the clock, and when its observers are called."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

import cupola
from cupola.sim import world as world_module
from cupola.sim.pace import Pace


class Calls:
    """Ticks at which an observer is called."""

    def __init__(self):
        self.ticks = []

    def observe(self, world):
        self.ticks.append(world.tick)


def flown(monkeypatch, pace, speed, most=None, seconds=0.31):
    """Ticks of the waits and of the calls; nothing sleeps."""
    world, calls, waits = cupola.load("quadcopter"), Calls(), []
    clock = SimpleNamespace(perf_counter=lambda: 0.0, sleep=lambda _: waits.append(world.tick))
    monkeypatch.setattr(world_module, "time", clock)
    world.observers.append(calls)
    world.pace = pace
    world.max_ticks_per_batch = most or world.max_ticks_per_batch
    world.run(seconds, speed=speed)
    assert calls.ticks[-1] == world.tick  # whatever the pace, the end is seen
    return world.scenario.physics_hz, waits, calls.ticks


@pytest.mark.parametrize("speed", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("pace", [Pace(), Pace(wait=0.002), Pace(observe=0.1), Pace(wait=0.03, observe=0.1)])
def test_no_piece_of_a_run_is_longer_than_its_pace(monkeypatch, pace, speed):
    hz, waits, calls = flown(monkeypatch, pace, speed)
    for ticks, longest in ((waits, pace.wait), (calls, pace.observe)):
        assert max(b - a for a, b in pairwise([0, *ticks])) <= round(longest * speed * hz)


@pytest.mark.parametrize("pace", [Pace(wait=0.003, observe=0.1), Pace(wait=0.004, observe=0.004)])
def test_observers_miss_no_row_however_slow_the_pace(monkeypatch, pace):
    _, _, calls = flown(monkeypatch, pace, 1.0, most=10)
    assert max(b - a for a, b in pairwise([0, *calls])) <= 10


def test_few_calls_are_made_where_few_are_asked_for(monkeypatch):
    _, waits, often = flown(monkeypatch, Pace(), 1.0)
    _, the_same, seldom = flown(monkeypatch, Pace(observe=0.1), 1.0)
    assert waits == the_same and len(seldom) < len(often) / 3


def test_the_flight_is_the_same_at_every_pace():
    def state(**given):
        world = cupola.load("quadcopter")
        world.pace = Pace(wait=0.003, observe=0.05)
        world.run(0.2, **given)
        return world.state_hash()

    assert state(speed=20.0) == state()
