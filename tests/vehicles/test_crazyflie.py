"""The Crazyflie: hover, its controllers, and RotorPy's own prediction when it is given RotorPy's numbers."""

import math

import numpy as np
import pytest

import cupola
from cupola.analysis.flight_replay import fly, motors_of
from cupola.analysis.real_flight import STEPS, Prediction, Windows, turn_between
from cupola.reproduce.nanobench import crazyflie_fit
from cupola.reproduce.nanobench.crazyflie_fit import START, change, crazyflie, numbers
from cupola.reproduce.nanobench.peers import fly_rotorpy
from cupola.reproduce.nanobench.side_by_side import predict
from cupola.schema.input_files import InputError

HOVER = math.sqrt(0.03 * 9.81 / (4.0 * 2.3e-8))


MOTORS = ("motor1", "motor2", "motor3", "motor4")


@pytest.fixture(scope="module")
def world():
    return crazyflie()


def windows(count=4, spread=1.0):
    """Motions and commands near hover."""
    chance = np.random.default_rng(7)
    quat = np.array([1.0, 0.0, 0.0, 0.0]) + spread * 0.1 * chance.normal(size=(count, 4))
    vel, rate = spread * chance.normal(size=(2, count, 3))
    commands = HOVER + spread * 30.0 * chance.normal(size=(count, STEPS, 4))
    nothing = Prediction(*(np.zeros((count, STEPS, n)) for n in (3, 3, 4, 3)))
    unit = quat / np.linalg.norm(quat, axis=1, keepdims=True)
    speeds, start = np.full((count, 4), HOVER), 0.1 * np.arange(count)
    return Windows(np.zeros((count, 3)), vel, unit, rate, speeds, commands, nothing, start)


def test_hovers_at_the_throttle_of_its_page(world):
    assert (round(HOVER, 1), round(HOVER / 2500.0, 4)) == (1788.6, 0.7154)
    end = fly(world, windows(1, spread=0.0))
    # At sea level the standard atmosphere has 1.225 kg/m³ to six digits: 1e-6 of gravity for half a second.
    np.testing.assert_allclose(end.vel_w[0, -1], 0.0, atol=5e-6)
    np.testing.assert_allclose(end.rate_b[0, -1], 0.0, atol=1e-12)


def test_thrust_to_weight_is_that_of_its_page(world):
    world.reset()
    for channel in range(4, 8):
        world.turn(channel, 1.0)
    world.step(1000)  # fourteen time constants; it climbs, and inflow takes some
    climb = world.motion().vel_w.z
    full = 4 * (2.3e-8 * 2500.0**2 - 1.687e-6 * 2500.0 * climb)
    assert sum(world.part(name).outputs.thrust for name in MOTORS) == pytest.approx(full, rel=1e-3)
    assert round(4 * 2.3e-8 * 2500.0**2 / (0.03 * 9.81), 3) == 1.954


def test_with_the_numbers_of_rotorpy_it_flies_as_rotorpy(world):
    rows = [world.part(name).row for name in MOTORS]
    kept = rows[0].k_torque
    fitted = numbers(world)
    try:
        for row in rows:
            row.k_torque, row.k_inflow = 7.8e-10, 7.553e-7
        change(world, {"i_xx": 1.43e-5, "i_yy": 1.43e-5, "k_drag": 10.2506e-7, "k_flap": 0.0, "k_damping": 0.0})
        ours, theirs = fly(world, windows()), fly_rotorpy(windows())
    finally:
        change(world, {name: fitted[name] for name in START})
        for row in rows:
            row.k_torque, row.k_inflow = kept, fitted["k_inflow"]
    # Ours is a first-order step of 1 ms: an attitude that turns at some rad/s is late by half of it, and speeds held in
    # a tick are ahead by as much. Over 0.5 s at 10 rad/s² that is a few mrad and mm.
    assert np.abs(ours.pos_w - theirs.pos_w).max() < 5e-3
    assert np.linalg.norm(turn_between(ours.quat_wb, theirs.quat_wb), axis=-1).max() < 2e-2
    assert np.abs(ours.rate_b - theirs.rate_b).max() < 0.05
    assert np.abs(theirs.rate_b[:, -1]).max() > 1.0  # there was something to agree on


def test_what_is_fitted_flies_as_the_world(world):
    """All windows side by side in NumPy, for the fit, against the compiled world, which is scored."""
    here, fitted = windows(), numbers(world)
    ours, fast = fly(world, here), predict(here, fitted)
    assert np.abs(ours.pos_w - fast.pos_w).max() < 2e-3
    assert np.linalg.norm(turn_between(ours.quat_wb, fast.quat_wb), axis=-1).max() < 1e-2
    assert np.abs(ours.rate_b - fast.rate_b).max() < 0.03


def test_moving_forward_raises_the_nose_and_is_dragged(world):
    start = windows(1, spread=0.0)._replace(vel_w=np.array([[1.0, 0.0, 0.0]]))
    end = fly(world, start)
    assert end.rate_b[0, 4, 1] < -0.2  # about the left axis: nose up
    assert 1.0 - end.vel_w[0, 4, 0] == pytest.approx(0.457 * 0.05, rel=0.2)


@pytest.mark.parametrize("use", ["multirotor_velocity", "multirotor_geometric", "multirotor_waypoints"])
def test_controllers_of_the_house_fly_it(make_world, use):
    plan = [] if use == "multirotor_velocity" else [{"position": [1.0, -0.5, 1.5], "yaw_deg": 30}]
    controller = {"use": use, "rate_hz": 500, "plan": plan}
    here = make_world({"model": "crazyflie", "name": "it", "position": [0, 0, 1.0], "controller": controller})
    here.run(20.0)
    goal = [0.0, 0.0, 1.0] if use == "multirotor_velocity" else [1.0, -0.5, 1.5]
    np.testing.assert_allclose(here.motion().pos_w, goal, atol=0.03)
    assert np.linalg.norm(here.motion().vel_w) < 0.02 and np.linalg.norm(here.motion().rate_b) < 0.02


def test_the_scenario_follows_its_sticks():
    world = cupola.load("crazyflie_hover")
    world.run(3.0)
    world.sticks([0.0, -0.5, 0.0, 0.0])
    world.run(2.0)
    assert world.motion().vel_w.x > 0.5 and abs(world.motion().vel_w.y) < 0.05
    motors = motors_of(crazyflie(), crazyflie_fit.OFFSET, crazyflie_fit.SLOPE)
    assert motors.speed(np.array([2.96])) == pytest.approx(HOVER, rel=0.01)
    assert 4.0 * motors.lift * HOVER**2 == pytest.approx(9.81)


def test_a_vehicle_that_cannot_replay_shaft_speeds_says_so(make_world):
    with pytest.raises(InputError, match=r"need rotors with `lagged` numbers; without them: motor1, motor2"):
        motors_of(make_world({"model": "quadcopter"}))
    with pytest.raises(InputError, match="it has no rotors"):
        motors_of(make_world({"model": "velma_base"}))
