"""Worlds beside each other, in turn and in threads, and vehicles in one world do not influence each other."""

import threading

import numpy as np
import pytest

TICKS = 3000
WEATHER = {"turbulence": {"sigma": [1, 1, 0.6], "length": [20, 20, 10]}, "wind": {"speed": 3, "from_deg": 250}}
FAR = [500, 300, 2]
QUAD = {"model": "quadcopter", "position": [0, 0, 2], "controller": {"use": "quadcopter_pd", "rate_hz": 400}}
PLANE = {"model": "plane_1wing", "position": [100, 0, 50], "velocity_b": [18, 0.5, 0], "rate_b": [0.2, 0, 0.1]}


@pytest.fixture(scope="module")
def worlds(make_world):
    """Two unlike worlds, made anew by each call."""

    def make():
        quad = make_world(QUAD, air=WEATHER, seed=3)
        plane = make_world(PLANE, air=WEATHER, seed=4, integrator="RK4")
        quad.sticks([0.1, -0.1, 0.3, -0.9])
        plane.sticks([0.2, 0.1, 0, 0.5])
        return quad, plane

    return make


@pytest.fixture(scope="module")
def alone(worlds, digest):
    """Hashes of each world run by itself."""
    hashes = []
    for world in worlds():
        world.step(TICKS)
        hashes.append(digest(world))
    return hashes


def test_two_worlds_in_turn(worlds, digest, alone):
    together = worlds()
    for portion in (1, 2, 97, 400, 2500):
        for world in together:
            world.step(portion)
    assert [digest(world) for world in together] == alone


def test_two_worlds_in_two_threads(worlds, digest, alone):
    together = [*worlds(), *worlds()]
    gate = threading.Barrier(len(together))

    def go(world):
        gate.wait()
        for _ in range(TICKS // 10):
            world.step(10)

    threads = [threading.Thread(target=go, args=(world,)) for world in together]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [digest(world) for world in together] == alone * 2


def test_two_vehicles_fly_as_each_would_alone(make_world):
    both = make_world(QUAD, PLANE)
    alone = [make_world(QUAD), make_world(PLANE)]
    for world in (both, alone[0]):
        world.sticks([0.1, -0.1, 0.3, -0.9], vehicle="quadcopter")
    for world in (both, alone[1]):
        world.sticks([0.2, 0.1, 0, 0.5], vehicle="plane_1wing")
    for world in (both, *alone):
        world.step(TICKS)
    np.testing.assert_array_equal(both.data.qpos, np.concatenate([world.data.qpos for world in alone]))
    np.testing.assert_array_equal(both.data.qvel, np.concatenate([world.data.qvel for world in alone]))
    assert both.motion("plane_1wing") == alone[1].motion()


def test_two_of_a_kind_have_sticks_gains_and_turbulence_of_their_own(make_world):
    world = make_world({**QUAD, "name": "a"}, {**QUAD, "name": "b", "position": FAR}, air=WEATHER)
    world.sticks([0.2, 0, 0, -0.9], vehicle="b")
    world.tune("b.roll_kp", 0.05)
    world.step(400)
    assert world.parameters["a.roll_kp"][1] == 0.09
    assert world.command("a").tolist() != world.command("b").tolist()
    one, other = ([air.gust_x, air.gust_y, air.gust_z] for air in world.arrays.air_samples)
    assert np.abs(np.subtract(one, other)).min() > 1e-3


def test_a_vehicle_stands_on_another(make_world):
    # One world means contact, too: a quadcopter dropped onto another does not fall through it.
    off = {"use": "pass_through", "rate_hz": 400, "sticks": [{"time": 0, "channels": [0, 0, 0, -1]}]}
    stack = [{**QUAD, "name": name, "position": [0, 0, z], "controller": off} for name, z in (("a", 0.02), ("b", 0.1))]
    world = make_world(*stack, floor={})
    world.step(4000)
    assert world.motion("a").pos_w.z == pytest.approx(0.01, abs=2e-3)
    assert world.motion("b").pos_w.z > 0.025
