"""Joints find their end stops: on three turntables with stops, friction and counters that start anywhere."""

import pytest

from cupola.control.space.homing import DONE, Homing, Stops, home
from cupola.control.space.motion import Joints

STOPS = Stops(
    angles=Joints(1.84447, -0.9542, -0.2856),
    push=Joints(0.15, 0.15, 0.15),
    stiffness=Joints(4.0, 2.0, 0.4),
    damping=Joints(2.0, 1.0, 0.15),
)
PERIOD, INERTIA, FRICTION = 0.01, (0.4, 0.2, 0.03), 0.3


def run(angles, offsets, seconds=60.0, stops=STOPS):
    """Turn until done; returns the homing, where the joints are, and the largest torque."""
    q, v, most = list(angles), [0.0, 0.0, 0.0], 0.0
    homing = Homing()
    for _ in range(round(seconds / PERIOD)):
        said = Joints(*(a - o for a, o in zip(q, offsets, strict=True)))
        homing, torques = home(homing, said, Joints(*v), PERIOD, stops)
        most = max(most, *map(abs, torques))
        if homing.joint == DONE:
            break
        for _ in range(10):
            for k in range(3):
                v[k] += PERIOD / 10 * (torques[k] - FRICTION * v[k]) / INERTIA[k]
                q[k] += PERIOD / 10 * v[k]
                end = stops.angles[k]
                if stops.sides[k] * (q[k] - end) >= 0.0:
                    q[k], v[k] = end, 0.0
    return homing, q, most


@pytest.mark.parametrize("offsets", [(0.0, 0.0, 0.0), (0.7, -1.3, 2.9)])
def test_offsets_are_found_wherever_the_counters_started(offsets):
    homing, q, most = run((-0.9, 1.5, 0.6), offsets)
    assert homing.joint == DONE
    assert homing.offsets == pytest.approx(offsets, abs=1e-9)
    assert most < 0.5 and q[0] == pytest.approx(STOPS.angles[0])


def test_joints_go_one_after_another_and_the_others_stay():
    homing, q, _ = run((-0.9, 1.5, 0.6), (0.0, 0.0, 0.0), seconds=3.0)
    assert homing.joint == 0 and q[0] > -0.6
    assert q[1:] == pytest.approx([1.5, 0.6], abs=1e-3)


def test_a_joint_that_is_already_at_its_stop_is_found():
    homing, *_ = run(STOPS.angles, (0.2, 0.3, 0.4))
    assert homing.offsets == pytest.approx((0.2, 0.3, 0.4), abs=1e-9)


def test_a_joint_that_lags_is_not_taken_for_one_at_its_stop():
    """Friction takes 0.18 of the 0.15 N m at this speed: it pushes all the way, but it moves."""
    homing, *_ = run((-0.9, 1.5, 0.6), (0.5, 0.5, 0.5), stops=STOPS._replace(speed=0.6))
    assert homing.offsets == pytest.approx((0.5, 0.5, 0.5), abs=1e-9)
