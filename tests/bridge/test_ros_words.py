"""Messages of nodes that mean nothing here: said once, and the flight goes on as if they had not come."""

import math
from types import SimpleNamespace
from typing import Any

import pytest
from tests.bridge.test_ros_wire import Nobody, opened

import cupola
from cupola.bridge.ros.commander import Commander
from cupola.cli.flight import RunOptions
from cupola.cli.ros import Wanted, fly
from cupola.config.scenario import Scenario, VehicleEntry

NOW: Any = SimpleNamespace(time=0.0)
NOTHING: Any = None


def heard(exchange, link, topic, **fields):
    """A message comes on a topic."""
    which = next(one for one in link.graph.incoming if one.topic == topic)
    exchange.arrived(which, SimpleNamespace(**fields))
    exchange.act()
    exchange._before = {}
    return which


def test_a_word_that_the_gripper_does_not_know_leaves_it_as_it_is(caplog):
    exchange, link = opened("cepheus", cupola.load("cepheus_capture"))
    which = heard(exchange, link, "/tsoulias_hear", data="softgrip")
    pilot = Commander(exchange, which.vehicle, 0, 20)
    grip = list(pilot.step(NOW, NOTHING))
    assert grip.count(1.0) == 1
    for _ in range(2):
        heard(exchange, link, "/tsoulias_hear", data="squeeze")
        assert list(pilot.step(NOW, NOTHING)) == grip
    heard(exchange, link, "/cepheus/left_wrist_effort_controller/command", data=0.25)
    assert 0.25 in pilot.step(NOW, NOTHING)
    assert caplog.text.count("'squeeze' is no order of the gripper; known: softgrip") == 1
    heard(exchange, link, "/tsoulias_hear", data="release")
    assert 1.0 not in pilot.step(NOW, NOTHING)


def test_channels_that_a_vehicle_does_not_have_are_said(caplog):
    exchange, link = opened("cupola", cupola.load("quadcopter"))
    pilot = Commander(exchange, "quadcopter", 0, 4)
    heard(
        exchange, link, "/quadcopter/command", data=[0.1, 0.2, 0.3, 0.4, 0.0, 0.0]
    )  # what is not asked for is no fault
    assert list(pilot.step(NOW, NOTHING)) == [0.1, 0.2, 0.3, 0.4] and not caplog.text
    for _ in range(2):
        heard(exchange, link, "/quadcopter/command", data=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
        assert list(pilot.step(NOW, NOTHING)) == [0.1, 0.2, 0.3, 0.4]
    assert caplog.text.count("quadcopter has channels 0 to 3") == 1


@pytest.mark.parametrize(
    ("names", "topic", "field"),
    [
        ("cupola", "/plane_1wing/sticks", "axes"),
        ("last_letter", "/joy", "axes"),
        ("last_letter", "/last_letter_2/channels", "value"),
    ],
)
@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_sticks_that_are_no_number_stay_where_they_are(names, topic, field, value, caplog):
    world = cupola.load("plane_1wing")
    exchange, link = opened(names, world, commanded=False)
    heard(exchange, link, topic, **{field: [0.1, -0.2, 0.3, 0.4]})
    heard(exchange, link, topic, **{field: [0.5, value, 0.5, 0.5]})
    assert world.runner().sticks[:4].tolist() == pytest.approx([0.1, -0.2, 0.3, 0.4])
    assert "sticks" in caplog.text and topic in caplog.text
    world.run(0.01)


@pytest.mark.parametrize(("names", "idle"), [("omnivelma", "drone"), ("last_letter", "drone"), ("cupola", "")])
def test_vehicles_that_a_dialect_cannot_command_are_named(names, idle, caplog):
    """One of two: last_letter's names are those of the first vehicle, omnivelma's those of bases."""
    link: Any = Nobody()
    link.ask = lambda *_: SimpleNamespace(channels=[0.0] * 20)
    options = RunOptions("landing_on_base", duration=0.01, speed="max", record=False, plain=True)
    fly(options, Wanted(names, "free", None, 1.0, 1.0), link, as_json=False)
    said = [record.getMessage() for record in caplog.records if "has no commands for" in record.getMessage()]
    assert said == ([f"--names {names} has no commands for {idle}: they stay 0"] if idle else [])


def test_more_motors_than_a_message_holds_are_named(monkeypatch, caplog):
    monkeypatch.setattr("cupola.bridge.ros.last_letter.MOST", 2)
    opened("last_letter", cupola.load("quadcopter"))
    assert "model_states has 2 places: " in caplog.text and "motor3, " in caplog.text


@pytest.mark.parametrize("name", ["drohne", "A_1", "dröhne", "a__b", "x_"])
def test_names_that_ros_does_not_know_are_said(name, caplog):
    opened("cupola", cupola.World(Scenario(vehicles=(VehicleEntry(model="quadcopter", name=name),))))
    assert ("cannot name" in caplog.text) == (name in ("dröhne", "a__b"))
    assert (f"/{name}/odometry" in caplog.text) == (name in ("dröhne", "a__b"))
