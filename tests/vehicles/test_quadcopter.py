"""The quadcopter of Last_letter_2: weight, hover, height error of its law, and the sense of every command."""

import math

import numpy as np
import pytest

from cupola.control.mixing import mix_quad
from cupola.physics.rotation import Vector, rotate

G, MASS = 9.81, 1.0128
THROTTLE_FULL = 0.5 * 1.225 * 0.017 * 0.17 * 80.0**2  # B.4: half density, area, coefficient, slipstream squared
HOVER = math.sqrt(MASS * G / (4 * THROTTLE_FULL))


@pytest.fixture(scope="module")
def flying(make_world):
    """In the air at rest; the sticks are the signals of the four motors."""
    world = make_world(
        {"model": "quadcopter", "preset": "thesis", "controller": {"use": "pass_through", "rate_hz": 400}}
    )

    def start(motors):
        world.reset()
        a, b, c, d = motors
        world.sticks([a, b, c, 2 * d - 1])  # pass-through makes a throttle of the fourth stick
        return world

    return start


def motors(world):
    """What the four motors show."""
    return [world.part(f"motor{k}").outputs for k in (1, 2, 3, 4)]


def test_mass_and_inertia_are_those_of_the_geometry(flying):
    model = flying([0] * 4).model
    assert model.body_subtreemass[1] == pytest.approx(MASS, abs=1e-12)
    # Body, four arms on the diagonals, motors, axles and propellers at their ends: boxes about their centres, and
    # Steiner. Seen along z all four arms are alike.
    arm = 0.072 / 12 * (0.3**2 + 0.02**2) + 0.072 * 0.15**2
    end = 2 * 0.20506097**2
    small = 0.03 / 12 * 2 * 0.02**2 + 0.0006 / 2 * 0.002**2 + 0.0006 / 12 * (0.15**2 + 0.015**2)
    about_z = 0.6 / 12 * 2 * 0.1**2 + 4 * (arm + (0.03 + 0.0012) * end + small)
    assert model.body_inertia[1].max() == pytest.approx(about_z, rel=1e-6)


def test_full_thrust_is_456_percent_of_the_weight(flying):
    world = flying([1] * 4)
    world.step()
    thrust = np.array([motor.thrust for motor in motors(world)])
    assert thrust == pytest.approx([11.33] * 4, abs=0.005)
    assert thrust.sum() / (MASS * G) == pytest.approx(4.56, abs=0.005)


def test_hovers_at_0468(flying):
    assert abs(HOVER - 0.468) < 0.0005
    world = flying([HOVER] * 4)
    world.step(1000)
    # Density at the start height of 0.3 m is 3e-5 below that of sea level: 3e-4 m/s² after half a second.
    np.testing.assert_allclose(world.motion().vel_w, 0, atol=2e-4)
    np.testing.assert_allclose(world.motion().rate_b, 0, atol=1e-12)


def test_the_law_hangs_156_cm_below_its_reference(make_world):
    entry = {
        "model": "quadcopter",
        "preset": "thesis",
        "position": [0, 0, 3],
        "controller": {"use": "quadcopter_pd", "rate_hz": 400},
    }
    world = make_world(entry)
    world.sticks([0, 0, 0, -0.8])  # 50 m x (1 - 0.8) / 2 = 5 m
    world.step(2000 * 20)
    # Without an integral k_p e must be the hover throttle: e = 0.468 / 0.30.
    assert 5 - world.motion().pos_w.z == pytest.approx(HOVER / 0.30, abs=1e-3)
    assert 5 - world.motion().pos_w.z == pytest.approx(1.56, abs=0.005)


def axes(world):
    """Body front and left in world components."""
    quat = world.motion().quat_wb
    return rotate(quat, Vector(1, 0, 0)), rotate(quat, Vector(0, 1, 0))


WANTED = {"roll": (0.3, 0, 0), "pitch": (0, 0.3, 0), "yaw": (0, 0, 1)}


def answer(axis, time, inertia):
    """Angle [rad] of the linear equation J e" = -K (k_p e + k_d e'), e = wanted - angle, after the stick has moved.

    Two motors get a signal more and two less, so that the torque is linear in it: K = 8 s times the arm times full
    thrust, or times the drag of the propellers. Roll and pitch jump to 0.24 rad, the heading moves on at 0.4 rad/s.
    """
    if axis == "yaw":
        k, gains, error, rate = 8 * HOVER * 2e-5 * 254**2 / inertia.max(), (0.11, 0.10), 0.0, 0.4
    else:
        k, gains, error, rate = 8 * HOVER * 0.20506097 * THROTTLE_FULL / inertia.min(), (0.09, 0.02), 0.3 * 0.8, 0.0
    first, second = np.roots([1.0, k * gains[1], k * gains[0]]).astype(complex)
    share = (rate - second * error) / (first - second)
    left = share * np.exp(first * time) + (error - share) * np.exp(second * time)
    return float(error + rate * time - left.real)


@pytest.mark.parametrize("axis", WANTED)
@pytest.mark.parametrize("sign", [1, -1])
def test_sticks_of_the_law(make_world, axis, sign):
    start = 5 - HOVER / 0.30  # where the law holds its height: the motors turn at hover from the first tick on
    entry = {
        "model": "quadcopter",
        "preset": "thesis",
        "position": [0, 0, start],
        "controller": {"use": "quadcopter_pd", "rate_hz": 400},
    }
    world = make_world(entry)
    sticks = [sign * value for value in WANTED[axis]]
    world.sticks([*sticks, -0.8])
    for ticks in (100, 100, 200, 200, 400, 1000):
        world.step(ticks)
        front, left = axes(world)
        lean = {"roll": left.z, "pitch": front.z, "yaw": -front.y}  # right side down, nose up, nose right
        expected = sign * math.sin(answer(axis, world.time, world.model.body_inertia[1]))
        # The law is called every 2.5 ms: at up to 0.8 rad/s it is late by 2 mrad.
        assert lean.pop(axis) == pytest.approx(expected, abs=2e-3)
        assert max(abs(other) for other in lean.values()) < 1e-9
    drift = {"roll": -world.motion().vel_w.y, "pitch": -world.motion().vel_w.x, "yaw": 1}[axis]
    assert drift * sign > 0 or axis == "yaw"  # it goes where it leans: to the right, and back


def test_mixing_is_the_inverse_of_the_printed_matrix():
    # §5.4: throttle, roll, pitch, yaw are a quarter of these sums of the motors 1 to 4.
    matrix = np.array([[1, 1, 1, 1], [-1, -1, 1, 1], [1, -1, -1, 1], [-1, 1, -1, 1]]) / 4
    demand = np.array([0.5, 0.1, -0.2, 0.05])
    np.testing.assert_allclose(matrix @ mix_quad(*demand), demand, atol=1e-15)
    assert min(mix_quad(0.1, 1.0, 1.0, 1.0)) == 0.0 and max(mix_quad(0.9, 1.0, 1.0, 1.0)) == 1.0


@pytest.mark.parametrize("axis", WANTED)
@pytest.mark.parametrize("sign", [1, -1])
def test_mixed_motors_turn_the_vehicle_the_right_way(flying, axis, sign):
    amount = dict.fromkeys(WANTED, 0.0) | {axis: sign * 0.02}
    world = flying(mix_quad(HOVER, **amount))
    world.step(20)
    rate = world.motion().rate_b
    turns = {"roll": rate.x, "pitch": -rate.y, "yaw": -rate.z}
    assert turns.pop(axis) * sign > 1e-4
    assert max(abs(other) for other in turns.values()) < 1e-10


def test_the_reaction_torque_opposes_the_rotation(flying):
    directions = [-1, 1, -1, 1]
    world = flying([0.5, 0.5, 0.5, 0.5])
    world.step()
    assert [motor.omega for motor in motors(world)] == pytest.approx([d * 254 * 0.5 for d in directions])
    assert [motor.torque for motor in motors(world)] == pytest.approx(
        [-d * 2e-5 * (254 * 0.5) ** 2 for d in directions]
    )
    for motor, direction in enumerate(directions):
        world = flying([0.5 if k == motor else 0.0 for k in range(4)])
        world.step(4)
        assert world.motion().rate_b.z * direction < 0


def test_yaw_acceleration(flying):
    world = flying(mix_quad(HOVER, 0.0, 0.0, 0.05))
    world.step(200)
    torque = 2 * 2e-5 * 254**2 * ((HOVER - 0.05) ** 2 - (HOVER + 0.05) ** 2)  # motors 1, 3 left, 2, 4 right
    inertia = world.model.body_inertia[1].max()
    assert world.motion().rate_b.z == pytest.approx(torque / inertia * 0.1, rel=1e-4)


def test_falling_with_motors_off_gains_no_energy(make_world):
    # Nothing drives the propellers, so height and speed together can only lose: g z + v² / 2 <= g z0.
    options = {"controllers": {"quadcopter": "pass_through"}}
    world = make_world({"model": "quadcopter", "position": [0, 0, 1000]}, options=options)
    world.sticks([0.0, 0.0, 0.0, -1.0])
    for _ in range(10):
        world.step(2000)
        obs = world.motion()
        energy = 9.81 * obs.pos_w.z + 0.5 * sum(v * v for v in obs.vel_w)
        assert energy < 9.81 * 1000
