"""Distance and angle between two bodies of a world."""

import math

import numpy as np
import pytest

from cupola.config.scenario import Scenario, VehicleEntry
from cupola.estimate.observer import Between, body_pose, relative
from cupola.physics.planar import Pose
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World


def test_the_angle_does_not_jump_at_half_a_turn():
    """The thesis's program makes a spike there."""
    nearly = relative(Pose(0.0, 0.0, math.pi - 0.01), Pose(3.0, 4.0, -math.pi + 0.01))
    assert nearly == pytest.approx((5.0, -0.02))


def test_whole_recordings_at_once():
    yaw = np.array([0.1, 3.0, -3.0])
    paths = relative(Pose(yaw * 0, yaw * 0, yaw), Pose(yaw * 0 + 3.0, yaw * 0 + 4.0, -yaw))
    np.testing.assert_allclose(paths.distance, 5.0)
    np.testing.assert_allclose(paths.angle, [0.2, 6.0 - 2 * math.pi, 2 * math.pi - 6.0])


@pytest.fixture(scope="module")
def world():
    model = "simple_model"
    return World(
        Scenario(
            vehicles=(
                VehicleEntry(model=model, name="one", position=(0, 0, 5)),
                VehicleEntry(model=model, name="two", position=(3, 4, 9), attitude_deg=(0, 0, 90)),
            )
        )
    )


def test_two_vehicles_of_a_world_in_every_tick(world):
    watch = Between("one", "two")
    world.max_ticks_per_batch = 1
    world.observers = [watch]
    world.run(0.01)
    table = watch.table()
    np.testing.assert_allclose(table[:, 0], world.dt * np.arange(1, 21))
    np.testing.assert_allclose(table[:, 1], 5.0)
    np.testing.assert_allclose(table[:, 2], -math.pi / 2)


def test_any_body_by_its_name(world):
    root = world.model.body(world.instances[1].root).name
    assert body_pose(world, root) == body_pose(world, "two")


def test_an_unknown_body_is_named(world):
    with pytest.raises(InputError, match=r"no body 'three' to watch; there are: one, two, one/"):
        body_pose(world, "three")
