"""Parts that a controller leaves without a command, and what nothing obeys, are told; so is a rate of no effect."""

import logging

import numpy as np
import pytest

import cupola
from cupola import Controller, InputError
from cupola.kernel.observation import Observation


def giving(output, **more):
    """A class of controllers that answers with this, or with what this says at a time."""

    def step(self, obs, ref):
        return output(obs.time) if callable(output) else output

    return type("Mine", (Controller,), {"step": step, "__module__": "mine", **more})


def flown(caplog, vehicle, controller, seconds=0.02, **options):
    """The world after that time, and the warnings."""
    with caplog.at_level(logging.WARNING, logger="cupola"):
        world = cupola.load(vehicle, controllers={vehicle: controller} if controller else None, **options)
        world.run(seconds)
    return world, [record.getMessage() for record in caplog.records if record.name == "cupola"]


LEFT = {
    "two of four motors": ("quadcopter", 2, "nobody commands channel 2 (motor3), 3 (motor4)"),
    "nothing at all": ("quadcopter", 0, "gives 0 numbers, and nobody commands channel 0 (motor1), 1"),
    "one": ("quadcopter", 1, "gives 1 number, and nobody commands channel 1 (motor2)"),
    "five of six": ("hexacopter", 5, "nobody commands channel 5 (motor6)"),
    "no throttle": ("plane_1wing", 3, "nobody commands channel 3 (motor1)"),
    "half of a mixer": ("vtol", 2, "nobody commands channel 2 (mixer), 3 (mixer), 4 (left_wing, right_wing)"),
    "two of four wheels": ("velma_base", 2, "nobody commands channel 2 (wheels), 3 (wheels)"),
}


@pytest.mark.parametrize("kind", LEFT)
def test_channels_that_nobody_commands_are_named_once(caplog, kind):
    vehicle, count, words = LEFT[kind]
    _, said = flown(caplog, vehicle, giving([0.1] * count))
    assert sum(words in line for line in said) == 1, said


@pytest.mark.parametrize("vehicle", ["quadcopter", "cessna", "vtol", "velma_base", "plane_1wing_sensors", "cepheus"])
def test_controllers_that_ship_and_the_channels_they_leave_by_design_are_silent(caplog, vehicle):
    _, said = flown(caplog, vehicle, None)
    assert not [line for line in said if "commands" in line or "obeys" in line]


@pytest.mark.parametrize(("vehicle", "count"), [("quadcopter", 4), ("cessna", 4), ("cessna", 5), ("velma_base", 4)])
def test_one_of_ones_own_may_leave_what_those_of_the_vehicle_leave(caplog, vehicle, count):
    assert flown(caplog, vehicle, giving([0.0] * count))[1] == []


def test_one_that_ships_is_told_of_motors_that_it_does_not_know(caplog):
    _, said = flown(caplog, "hexacopter", "pass_through")
    assert any("PassThrough gives 4 numbers, and nobody commands channel 4 (motor5), 5 (motor6)" in x for x in said)


def test_a_law_is_told_before_it_flies(caplog):
    def law(obs: Observation, ref, state, p):
        return (0.1, 0.1), state

    _, said = flown(caplog, "quadcopter", giving(None, law=staticmethod(law), step=Controller.step), 0.0)
    assert any("gives 2 numbers, and nobody commands channel 2 (motor3), 3 (motor4)" in line for line in said)


def test_what_the_user_sets_is_not_called_unset(caplog):
    with caplog.at_level(logging.WARNING, logger="cupola"):
        world = cupola.load("quadcopter", controllers={"quadcopter": giving([0.1, 0.1])})
        world.turn(2, 0.1)
        world.step(1)
    assert "nobody commands channel 3 (motor4)" in caplog.text


def test_numbers_that_nothing_obeys_are_told(caplog):
    world, said = flown(caplog, "quadcopter", giving([0.1] * 6))
    assert said == ["quadcopter: the controller Mine gives 6 numbers, but nothing obeys it on channels 4 to 5"]
    assert world.command()[:6].tolist() == [0.1] * 6


def test_one_that_gives_fewer_than_before_is_told_that_the_others_stay(caplog):
    _, said = flown(caplog, "quadcopter", giving(lambda time: [0.1] * (4 if time < 0.01 else 3)))
    assert any("gives 3 numbers now and gave 4 before: the other channels stay as they were" in line for line in said)


@pytest.mark.parametrize(
    "output",
    [
        "12", b"12", ["0.1"] * 4, [0.1, 0.1, 0.1, "0.1"], np.array(["0.1"] * 4), [1j] * 4, None, 0.5, {"motor1": 1.0},
        {0.1, 0.2}, (x for x in (0.1, 0.2)), np.ones((2, 2)), np.array(0.5), [[0.1] * 4], [0.1] * 21,
    ],
    ids=lambda given: type(given).__name__,
)  # fmt: skip
def test_what_is_no_list_of_numbers_is_refused(caplog, output):
    with pytest.raises(InputError, match=r"Mine\.step must return up to 20 numbers, got"):
        flown(caplog, "quadcopter", giving(output))


@pytest.mark.parametrize(
    "output", [(0.1, 0.2, 0.3, 1.0), np.array([0.1, 0.2, 0.3, 1.0], np.float32), np.array([0, 0, 0, 1]), [True] * 4]
)
def test_any_list_of_numbers_is_taken(caplog, output):
    world, said = flown(caplog, "quadcopter", giving(output))
    assert said == []
    np.testing.assert_array_equal(world.command()[:4], np.asarray(output, float))


def test_an_array_that_it_changes_later_is_copied(caplog):
    kept = np.full(4, 0.1)

    def step(time):
        kept[:] = 0.1
        return kept

    world = cupola.load("quadcopter", controllers={"quadcopter": giving(step)})
    world.step(1)
    kept[:] = 0.9
    assert world.command()[:4].tolist() == [0.1] * 4


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf"), "50", None, [50], True])
def test_a_rate_that_is_none_is_refused(rate):
    with pytest.raises(InputError, match=r"quadcopter: Mine\.rate_hz: expected"):
        cupola.load("quadcopter", controllers={"quadcopter": giving([0.1] * 4, rate_hz=rate)})


@pytest.mark.parametrize("rate", [50, 333.3, 1e9])
def test_a_rate_of_the_class_that_does_not_count_is_told(caplog, rate):
    _, said = flown(caplog, "quadcopter", giving([0.1] * 4, rate_hz=rate), 0.0)
    assert said == [
        f"quadcopter: Mine.rate_hz is {rate:g}, but it is called at 400 Hz: `rate_hz` of its entry in the scenario or "
        "vehicle counts"
    ]


def test_a_rate_of_the_class_that_is_the_one_of_the_entry_is_silent(caplog):
    assert flown(caplog, "quadcopter", giving([0.1] * 4, rate_hz=400))[1] == []


def test_one_that_does_not_fly_at_first_is_told(caplog):
    """The scenario `hover` begins with another controller than that of the mission."""
    with caplog.at_level(logging.WARNING, logger="cupola"):
        cupola.load("hover", controllers={"quadcopter": giving([0.1] * 4)})
    assert (
        "quadcopter begins in the mode assisted, which" in caplog.text
        and "Mine flies in the mode mission" in caplog.text
    )
