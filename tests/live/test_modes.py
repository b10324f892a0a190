"""Who flies: mission, assisted, raw; the emergency stop; the goal and the words that a controller tells."""

import math

import numpy as np
import pytest

import cupola
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World


@pytest.fixture
def hover():
    return cupola.load("hover")


def speed(world):
    return math.hypot(*world.motion().vel_w)


def test_a_beginner_cannot_lose_it(hover):
    hover.run(2.0)
    assert hover.mode() == "assisted" and speed(hover) < 0.02
    hover.sticks([0.0, 0.5, 0.0, 0.0])
    hover.run(3.0)
    fast = speed(hover)
    assert fast > 1.0
    hover.sticks([0.0, 0.0, 0.0, 0.0])
    hover.run(4.0)
    place = np.array(hover.motion().pos_w)
    hover.run(4.0)
    assert speed(hover) < 0.05
    assert np.linalg.norm(np.array(hover.motion().pos_w) - place) < 0.1


def test_the_mission_goes_on_where_it_was_left(hover):
    hover.take_over("mission")
    hover.run(6.0)
    assert hover.mode() == "mission"
    assert np.array(hover.motion().pos_w) == pytest.approx([0.0, 0.0, 2.0], abs=0.1)
    goal = hover.goal()
    assert (goal.x, goal.y, goal.z) == (0.0, 0.0, 2.0)
    assert "waypoint" in hover.mission() or "hold" in hover.mission()


def test_a_take_over_in_flight_does_not_jerk_it():
    world = cupola.load("square")
    for name in ("wind_speed", "turbulence_sigma_x", "turbulence_sigma_y", "turbulence_sigma_z"):
        world.tune(f"air.{name}", 0.0)  # gusts would move it
    world.run(6.0)
    before = world.motion()
    world.take_over("assisted")
    world.step()
    after = world.motion()
    assert math.dist(before.vel_w, after.vel_w) < 0.05
    world.run(3.0)
    assert speed(world) < 0.1  # the sticks were left alone: it stops and holds


def test_what_it_has_not_it_names(hover):
    with pytest.raises(InputError, match="quadcopter has no mode 'autopilot'; it has: mission, assisted, raw"):
        hover.take_over("autopilot")
    assert hover.modes() == ["mission", "assisted", "raw"]


def test_a_scenario_may_not_start_in_a_mode_that_is_missing():
    with pytest.raises(InputError, match=r"vehicles\[0\].mode: simple_model has no controller 'assisted'"):
        World(Scenario(vehicles=(VehicleEntry(model="simple_model", mode="assisted"),)))


def test_the_emergency_stop_cuts_the_motors_until_it_is_released(hover):
    hover.run(0.5)
    hover.stop_motors()
    assert hover.stopped()
    hover.run(0.2)
    assert np.all(hover.arrays.drive[hover.instances[0].channels] == 0.0)
    assert hover.motion().vel_w.z == pytest.approx(-9.81 * 0.2, rel=0.02)  # falls freely
    hover.stop_motors(False)
    hover.run(3.0)
    assert not hover.stopped() and speed(hover) < 0.1 and hover.motion().pos_w.z > 0.5


def test_one_vehicle_stops_and_the_other_flies_on():
    pair = tuple(
        VehicleEntry(model="quadcopter", name=n, position=(x, 0, 2), mode="assisted") for n, x in (("a", 0), ("b", 3))
    )
    world = World(Scenario(vehicles=pair))
    world.stop_motors(vehicle="b")
    world.run(0.5)
    assert world.motion("b").pos_w.z < 1.0 < 1.9 < world.motion("a").pos_w.z


def test_a_reset_releases_everything(hover):
    hover.stop_motors()
    hover.take_over("raw")
    hover.push("quadcopter/base", (1.0, 0.0, 0.0))
    hover.reset()
    assert not hover.stopped() and hover.mode() == "assisted" and not hover.arrays.applied_forces.any()
