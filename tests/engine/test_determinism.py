"""The same seed gives the same bits: again, after a reset, in another process, in any portions, compiled or not."""

import subprocess
import sys

import numpy as np
import pytest

TICKS = 1100
ANOTHER_PROCESS = """
import hashlib, cupola
world = cupola.load("square")
world.step(1500)
print(hashlib.sha256(world.data.qpos.tobytes() + world.data.qvel.tobytes() + world.arrays.state.tobytes()).hexdigest())
"""


@pytest.fixture(params=["Euler-air", "RK4-air", "Euler-ground", "RK4-ground"])
def make(request, busy):
    integrator, _, place = request.param.partition("-")
    return lambda **changes: busy(grounded=place == "ground", integrator=integrator, **changes)


def test_two_worlds(make, digest):
    one, two = make(), make()
    one.step(TICKS)
    two.step(TICKS)
    assert digest(one) == digest(two)


def test_any_portions(make, digest):
    whole, single, odd = make(), make(), make()
    whole.step(TICKS)
    for _ in range(TICKS):
        single.step()
    for portion in (1, 99, 7, 493, 500):
        odd.step(portion)
    assert digest(whole) == digest(single) == digest(odd)


def test_run_and_step(make, digest):
    stepped, ran = make(), make()
    stepped.step(TICKS)
    ran.run(TICKS * ran.dt)
    assert digest(stepped) == digest(ran)


def test_after_a_reset(make, digest):
    world, fresh = make(), make()
    world.step(377)
    world.reset()
    assert digest(world) == digest(fresh)
    world.step(TICKS)
    fresh.step(TICKS)
    assert digest(world) == digest(fresh)


def test_another_seed_is_another_world(make, digest):
    one, two = make(), make(seed=6)
    one.step(TICKS)
    two.step(TICKS)
    assert np.abs(one.data.qpos - two.data.qpos).max() > 1e-6
    two.reset(seed=5)
    two.step(TICKS)
    assert digest(one) == digest(two)


def test_another_process(tmp_path):
    run = [sys.executable, "-c", ANOTHER_PROCESS]
    one, two = (subprocess.Popen(run, stdout=subprocess.PIPE, text=True, cwd=tmp_path) for _ in range(2))
    first, second = one.communicate()[0], two.communicate()[0]
    assert one.returncode == two.returncode == 0
    assert first == second and len(first.strip()) == 64


@pytest.mark.parametrize(
    "controller",
    [
        {"use": "quadcopter_pd", "rate_hz": 400, "sticks": [{"time": 0.5, "channels": [0.2, -0.1, 0.5, -0.8]}]},
        {"use": "quadcopter_waypoints", "rate_hz": 400, "plan": [{"position": [2, 1, 3], "yaw_deg": 90}]},
    ],
    ids=lambda entry: entry["use"],
)
def test_a_law_in_plain_python_flies_as_the_compiled_one(make_world, controller):
    entry = {"model": "quadcopter", "position": [0, 0, 2], "controller": controller}
    air = {"turbulence": {"sigma": [1, 1, 1], "length": [20, 20, 10]}}
    compiled, plain = (make_world(entry, air=air, options={"compiled": c}) for c in (True, False))
    compiled.step(4000)
    plain.step(4000)
    assert compiled.motion().pos_w != (0, 0, 2)
    np.testing.assert_array_equal(compiled.data.qpos, plain.data.qpos)
    np.testing.assert_array_equal(compiled.command(), plain.command())


def test_the_clock_is_an_integer(make_world):
    world = make_world("quadcopter", physics_hz=1200)
    for _ in range(3601):
        world.step()
    assert (world.tick, world.time, world.motion().time) == (3601, 3601 / 1200, 3601 / 1200)
