"""What a base knows of its way by its wheels, and what only an observer of the simulation knows."""

import math

import numpy as np
import pytest

import cupola
from cupola.config.ground import Floor
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry
from cupola.estimate.observer import Between
from cupola.physics.rotation import euler_from_quaternion
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

DRIVE = ControllerEntry(use="mecanum_route", rate_hz=1000)


def base(model="kinematic", friction=0.95, **parts):
    given = {**parts, "wheels": {"model": model, **parts.get("wheels", {})}}
    entry = VehicleEntry(model="velma_base", name="base", controller=DRIVE, parts=given)
    return World(Scenario(vehicles=(entry,), physics_hz=1000, floor=Floor(friction=friction)))


def driven(world, seconds=4.0, twist=(0.2, 0.1, 0.3)):
    """Where its encoders say that it is, and where it is."""
    world.sticks(list(twist))
    world.run(seconds)
    said, now = world.samples["base", "encoders"].latest(), world.motion()
    return np.array(said.pose), np.array([now.pos_w.x, now.pos_w.y, euler_from_quaternion(now.quat_wb).yaw]), said


def test_without_slip_the_way_of_the_wheels_is_that_of_the_base():
    said, true, sample = driven(base())
    np.testing.assert_allclose(said, true, atol=1e-9)
    assert sample.twist == pytest.approx((0.2, 0.1, 0.3))


def test_it_is_of_measured_wheels_not_of_commands_nor_of_the_truth():
    """On ice the wheels turn as they are told and the base stays behind; motors too weak turn them less."""
    said, true, _ = driven(base("friction", friction=0.02), 1.0, (0.5, 0.0, 0.0))
    assert said[0] > 0.4 > 0.2 > true[0]
    said, true, _ = driven(base("friction", wheels={"torque_max": 1.5}), 0.5, (0.5, 0.0, 0.0))
    assert said[0] == pytest.approx(true[0], abs=0.01) and said[0] < 0.15  # of 0.25 m


def test_it_has_the_errors_of_its_encoders():
    coarse, true, _ = driven(base(encoders={"marks": 50}))
    step = 2 * math.pi / 50 * 0.1016
    assert 1e-4 < np.linalg.norm(coarse[:2] - true[:2]) < step
    noisy, true, _ = driven(base(encoders={"angle_noise": 0.01}))
    assert 1e-5 < np.linalg.norm(noisy[:2] - true[:2]) < 0.02


def test_a_disc_off_its_centre_errs_once_a_turn_and_every_turn_alike():
    world = base(encoders={"runout": 0.02})
    world.sticks([0.2, 0.0, 0.0])
    errors = []
    for _ in range(650):  # two turns of 3.2 s
        world.run(0.01)
        angles = np.array(world.samples["base", "encoders"].latest().angles)
        errors.append(
            angles - np.array([world.data.joint(f"base/wheel_{c}").qpos[0] for c in ("fr", "fl", "rl", "rr")])
        )
    table, turn = np.array(errors), round(2 * math.pi / (0.2 / 0.1016) / 0.01)
    assert np.abs(table).max() == pytest.approx(0.02, rel=0.01)
    np.testing.assert_allclose(table[turn:], table[: len(table) - turn], atol=2e-4)
    assert np.ptp(table[0]) > 1e-3  # no two discs stand alike
    assert np.abs(table.mean(axis=0)).max() < 2e-3


@pytest.mark.parametrize(
    ("encoders", "words"),
    [({"odometry_of": "treads"}, "no Mecanum wheels 'treads'; there are: wheels"), ({"runout": -1.0}, "runout")],
)
def test_what_makes_no_sense_is_refused(encoders, words):
    with pytest.raises(InputError, match=words):
        base(encoders=encoders)


@pytest.fixture
def pair(tmp_path):
    """The scenario of two, recorded, and what the observer in Python saw."""
    world = cupola.load("omni_pair")
    watch, path = Between("omnivelma", "pseudovelma"), tmp_path / "pair.mcap"
    tap = WorldRecorder(world, path)
    world.observers += [tap, watch]
    world.max_ticks_per_batch = 1
    for name in ("omnivelma", "pseudovelma"):
        world.script([(0.0, [0.1, 0.3, 0.2])], name)
    world.run(0.3)
    tap.close()
    return world, Recording(path), watch.table()


def test_observer_and_odometry_are_in_a_scenario_and_in_its_recording(pair):
    world, recording, seen = pair
    table = recording.table("/omnivelma/ocznica")
    assert recording.topics["/omnivelma/ocznica"] == "cupola_msgs/msg/Relative"
    rows = min(len(seen), len(table["distance"]))
    assert rows >= 300
    np.testing.assert_allclose(table["distance"][-rows:], seen[-rows:, 1], atol=1e-12)
    np.testing.assert_allclose(table["angle"][-rows:], seen[-rows:, 2], atol=1e-12)
    assert table["distance"][-1] > 1e-4
    way = recording.table("/omnivelma/encoders/odometry")
    last = world.samples["omnivelma", "encoders"].latest().pose
    assert way["pose.pose.position.y"][-1] == pytest.approx(last.y)
    assert world.signal("omnivelma.ocznica.distance") == pytest.approx(table["distance"][-1])


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ({"kind": "relative", "to": "moon", "rate_hz": 10}, "no vehicle and no body 'moon'; vehicles are: base"),
        ({"kind": "relative", "rate_hz": 10}, "to"),
        ({"to": "base"}, "there is no part 'watch'.*A new one needs its kind"),
        ({"kind": "c", "file": "a.so", "rate_hz": 10}, "runs code, so it belongs in a vehicle file"),
    ],
)
def test_parts_that_a_scenario_adds_are_checked(part, words):
    with pytest.raises(InputError, match=words):
        base(watch=part)
