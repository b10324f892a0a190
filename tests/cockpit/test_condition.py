"""The page says how a vehicle is, not how its controller believes that it is."""

from typing import cast

import pytest

from cupola.cockpit import messages as say
from cupola.cockpit.condition import conditions
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.sim.world import load


class Letters:
    """A line that keeps what was told."""

    def __init__(self):
        self.changed = None

    def tell(self, message):
        if isinstance(message, say.Changed):
            self.changed = message


@pytest.fixture
def flight(tmp_path):
    world = load("hover")
    flight = Flight(world, cast(Link, Letters()), tmp_path, [], load)
    flight.obey(say.Mode(mode="assisted"))
    return flight


def now(flight):
    flight._next_look = 0.0
    flight.look()
    (found,) = flight.link.changed.conditions
    return found


def test_it_flies_and_nothing_is_wrong(flight):
    flight.step(200)
    assert now(flight) == say.Condition(name="moving", text="", alarm=False)


def test_an_emergency_stop_is_said_until_the_motors_are_on_again(flight):
    flight.obey(say.Emergency(on=True))
    flight.step(100)
    assert (now(flight).name, now(flight).alarm) == ("motors off", True)
    flight.obey(say.Emergency(on=False))
    flight.step(1)
    assert now(flight).name == "moving"


def test_upside_down_with_a_dead_motor_is_not_holding_its_place(flight):
    flight.obey(say.Fault(part="quadcopter.motor1", fault="off", amount=1.0))
    flight.step(20)
    assert now(flight).text == "motor1 off" and now(flight).alarm
    for _ in range(200):
        flight.step(50)
        if now(flight).name == "turned over":
            break
    assert now(flight).name == "turned over" and "motor1 off" in now(flight).text


def test_standing_on_the_ground_is_not_holding_its_place(flight):
    flight.obey(say.Emergency(on=True))
    flight.step(8000)
    flight.obey(say.Emergency(on=False))
    flight.step(1)
    assert now(flight).name == "on the ground" and not now(flight).alarm


def test_a_base_that_drives_does_not_say_that_it_stands_on_the_ground():
    world = load("omni_solo")
    world.step(200)
    assert {one.text for one in conditions(world)} == {""}


def test_a_simulation_that_ended_says_so_until_it_starts_over(flight, monkeypatch):
    def fail(ticks):
        raise RuntimeError("the state is not a number")

    monkeypatch.setattr(flight.world, "step", fail)
    with pytest.raises(RuntimeError):
        flight.step(1)
    assert now(flight).name == "stopped" and "not a number" in now(flight).text
    flight.obey(say.Reset())
    assert now(flight).name != "stopped"
