"""The hexacopter of Last_letter_2: weight, hover, its mixing and law, and the sense of every command."""

import math

import numpy as np
import pytest

import cupola
from cupola.control.mixing import mix_hexa
from cupola.control.multirotor.hexacopter_pd import HexacopterPD
from cupola.control.multirotor.quadcopter_pd import QuadcopterPD
from cupola.physics.rotation import Vector, euler_from_quaternion, rotate

G, MASS = 9.81, 1.492
THROTTLE_FULL = 0.5 * 1.225 * 0.017 * 0.17 * 80.0**2  # B.4: half density, area, coefficient, slipstream squared
HOVER = math.sqrt(MASS * G / (6 * THROTTLE_FULL))
ANGLES = np.radians([0, -60, -120, 180, 120, 60])  # §5.4, positive to the left
DIRECTIONS = np.array([-1, 1, -1, 1, -1, 1])
# §5.4: rows throttle, roll, pitch, yaw of the matrix whose pseudo-inverse mixes.
MATRIX = np.array(
    [
        [1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6, 1 / 6],
        [0, -1 / 4, -1 / 4, 0, 1 / 4, 1 / 4],
        [1 / 3, 1 / 6, -1 / 6, -1 / 3, -1 / 6, 1 / 6],
        [-1 / 3, 1 / 12, -1 / 12, 1 / 3, -1 / 12, 1 / 12],
    ]
)


@pytest.fixture(scope="module")
def flying(make_world):
    """In the air at rest at sea level; the signals of the six motors are set by hand."""
    entry = {
        "model": "hexacopter",
        "preset": "thesis",
        "position": [0, 0, 0],
        "controller": {"use": "pass_through", "rate_hz": 400},
    }
    world = make_world(entry)

    def start(motors):
        world.reset()
        a, b, c, d, e, f = motors
        world.sticks([a, b, c, 2 * d - 1])  # pass-through makes a throttle of the fourth stick
        world.turn(4, e)
        world.turn(5, f)
        return world

    return start


def test_mass_and_inertia_are_those_of_the_geometry(flying):
    model = flying([0] * 6).model
    assert model.body_subtreemass[1] == pytest.approx(MASS, abs=1e-12)
    # Cylinders m r² / 2, boxes m (x² + y²) / 12, and Steiner: the arm's centre at 0.15 m, motors at 0.29 m.
    arm = 0.05 / 12 * (0.3**2 + 0.01**2) + 0.05 * 0.15**2
    end = 0.03 / 2 * 0.01**2 + 0.001 / 2 * 0.003**2 + 0.001 / 12 * (0.15**2 + 0.015**2) + 0.032 * 0.29**2
    assert model.body_inertia[1].max() == pytest.approx(0.5 * 1.0 * 0.05**2 + 6 * (arm + end), rel=1e-6)


def test_motors_stand_where_the_source_puts_them(flying):
    world = flying([0] * 6)
    places = [world.data.site(f"hexacopter/motor{n}") for n in range(1, 7)]
    expected = np.column_stack([0.29 * np.cos(ANGLES), 0.29 * np.sin(ANGLES), np.full(6, 0.01)])
    np.testing.assert_allclose([site.xpos for site in places], expected, atol=1e-8)
    np.testing.assert_allclose([site.xmat.reshape(3, 3)[:, 0] for site in places], [[0, 0, 1]] * 6, atol=1e-12)


def test_full_thrust_is_464_percent_of_the_weight(flying):
    world = flying([1] * 6)
    world.step()
    thrust = np.array([world.part(f"motor{n}").outputs.thrust for n in range(1, 7)])
    assert thrust == pytest.approx([11.33] * 6, abs=0.005)
    assert thrust.sum() / (MASS * G) == pytest.approx(4.64, abs=0.005)


def test_hovers_at_0464(flying):
    assert abs(HOVER - 0.464) < 0.0005
    world = flying([HOVER] * 6)
    world.step(1000)
    np.testing.assert_allclose(world.motion().vel_w, 0, atol=1e-5)  # the printed density has four digits
    np.testing.assert_allclose(world.motion().rate_b, 0, atol=1e-9)


def test_mixing_is_the_pseudo_inverse_of_the_printed_matrix():
    columns = [np.array(mix_hexa(0.5, *(0.25 * unit))) - 0.5 for unit in np.eye(3)]
    mixing = np.column_stack([mix_hexa(1.0, 0.0, 0.0, 0.0), *(column / 0.25 for column in columns)])
    np.testing.assert_allclose(mixing, np.linalg.pinv(MATRIX), atol=1e-14)
    assert min(mix_hexa(0.1, 1.0, 1.0, 1.0)) == 0.0 and max(mix_hexa(0.9, 1.0, 1.0, 1.0)) == 1.0


@pytest.mark.parametrize("axis", ["roll", "pitch", "yaw"])
@pytest.mark.parametrize("sign", [1, -1])
def test_mixed_motors_turn_the_vehicle_the_right_way(flying, axis, sign):
    amount = dict.fromkeys(("roll", "pitch", "yaw"), 0.0) | {axis: sign * 0.02}
    world = flying(mix_hexa(HOVER, **amount))
    world.step(20)
    rate = world.motion().rate_b
    turns = {"roll": rate.x, "pitch": -rate.y, "yaw": -rate.z}
    turn = turns.pop(axis) * sign
    assert turn > 1e-2
    if axis == "pitch":  # the source's matrix lets pitch leak into yaw: see the model's README
        assert turns.pop("yaw") * sign > 1e-2
    # Nothing else, but for the gyroscopic term that two rates make together: of second order.
    assert max(abs(other) for other in turns.values()) < 1e-3 * turn


def test_pitch_leaks_into_yaw_as_much_as_the_matrix_says(flying):
    demand = 0.02
    signals = np.array(mix_hexa(HOVER, 0.0, demand, 0.0))
    world = flying(signals)
    world.step(20)
    # Thrust and torque go with the signal squared; nose right is against the direction of the faster motors.
    torque = -2e-5 * 254**2 * np.sum(DIRECTIONS * signals**2)
    assert world.motion().rate_b.z == pytest.approx(torque / world.model.body_inertia[1].max() * 20 / 2000, rel=1e-4)
    assert torque < -0.05  # six motors, 3 units of the demand in their sum: 2 x 3 x 0.464 x 0.02 x 1.29 N m


def test_the_gains_are_those_of_the_source():
    quad, hexa = ({name: p.default for name, p in c.parameters.items()} for c in (QuadcopterPD, HexacopterPD))
    names = ["roll_kp", "roll_kd", "pitch_kp", "pitch_kd", "yaw_kp", "yaw_kd", "alt_kp", "alt_kd"]
    assert [quad[name] for name in names] == [0.09, 0.02, 0.09, 0.02, 0.11, 0.10, 0.30, 0.26]
    assert [hexa[name] for name in names] == [0.10, 0.02, 0.16, 0.04, 0.09, 0.07, 0.18, 0.17]
    assert {(p.low, p.high) for p in HexacopterPD.parameters.values()} == {(0, 1)}


def test_the_law_hangs_258_cm_below_its_reference(make_world):
    entry = {"model": "hexacopter", "preset": "thesis", "controller": {"use": "hexacopter_pd", "rate_hz": 400}}
    world = make_world(entry)
    world.sticks([0, 0, 0, -0.8])  # 50 m x (1 - 0.8) / 2 = 5 m
    world.step(2000 * 20)
    # Without an integral k_p e must be the hover throttle: e = 0.464 / 0.18.
    assert 5 - world.motion().pos_w.z == pytest.approx(HOVER / 0.18, abs=1e-3)
    assert 5 - world.motion().pos_w.z == pytest.approx(2.58, abs=0.005)


WANTED = {"roll": (0.3, 0, 0), "pitch": (0, 0.3, 0), "yaw": (0, 0, 1)}


@pytest.mark.parametrize("axis", WANTED)
@pytest.mark.parametrize("sign", [1, -1])
def test_sticks_of_the_law(make_world, axis, sign):
    entry = {
        "model": "hexacopter",
        "preset": "thesis",
        "position": [0, 0, 3],
        "controller": {"use": "hexacopter_pd", "rate_hz": 400},
    }
    world = make_world(entry)
    world.sticks([*(sign * value for value in WANTED[axis]), -0.75])
    world.step(3000)
    quat = world.motion().quat_wb
    front, left = rotate(quat, Vector(1, 0, 0)), rotate(quat, Vector(0, 1, 0))
    lean = {"roll": left.z, "pitch": front.z, "yaw": -front.y}  # right side down, nose up, nose right
    angle = 0.4 * 1.5 if axis == "yaw" else 0.3 * 0.8  # 0.4 rad/s for 1.5 s; 0.8 rad at full stick
    assert lean.pop(axis) == pytest.approx(sign * math.sin(angle), rel=0.1)
    assert max(abs(other) for other in lean.values()) < 0.02


def test_flies_its_scenario():
    world = cupola.load("hexacopter_hover")
    world.run(8.0)
    assert world.motion().pos_w.z == pytest.approx(7.5 - 2.58, abs=0.005)
    world.run(1.0)
    angles = np.degrees(euler_from_quaternion(world.motion().quat_wb))
    assert angles[:2] == pytest.approx([4.58, -4.58], abs=0.1)  # 0.08 rad right side down and nose up
    world.run(11.0)
    end = world.motion()
    assert np.degrees(euler_from_quaternion(end.quat_wb)) == pytest.approx([0, 0, -68.75], abs=0.1)  # 0.4 rad/s for 3 s
    assert end.pos_w.z == pytest.approx(7.5 - 2.58, abs=0.005) and np.hypot(end.vel_w.x, end.vel_w.y) < 0.2
