"""What the mission adds to the law: a gripped target in the arm's model, a way to a moving target, losses of gears."""

import inspect
import math
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from cupola.control.space.mission import SpaceMission
from cupola.control.space.mission_acts import kept_still
from cupola.control.space.mission_signs import strained
from cupola.control.space.motion import REST, Change, Joints, Measured, Plan, free_reference
from cupola.control.space.payload_inertia import Load, closing_reference, gap_between, pressed_on, with_target
from cupola.control.space.room import Ranges
from cupola.control.space.sensed import push_felt
from cupola.control.space.states import HOLDS, RESTS
from cupola.control.space.torques import EAGER, geared
from cupola.control.space.view import Place
from cupola.physics.planar import Pose
from cupola.physics.space_arm import LISTING, SIMULATED, Coordinates, constants, hand_pose
from cupola.physics.space_task import Actuated

STILL = Joints(0.0, 0.0, 0.0)


def measured(hand, target, rate=REST, time=0.0):
    return Measured(Pose(0.0, 0.0, 0.0), REST, STILL, STILL, hand, REST, target, rate, REST, 0.0, time)


def test_hand_and_target_together_have_the_mass_centre_and_inertia_of_both():
    load = Load(10.0, 0.15, 0.1125)
    arm = with_target(LISTING, load)
    assert arm.mass3 == 11.0
    # About the wrist: both bodies by the parallel-axis theorem.
    about_wrist = 0.007908 + 1.0 * 0.15**2 + 0.1125 + 10.0 * 0.45**2
    assert arm.inertia3 + arm.mass3 * arm.l3**2 == pytest.approx(about_wrist, rel=1e-12)
    assert arm.mass3 * arm.l3 == pytest.approx(1.0 * 0.15 + 10.0 * 0.45, rel=1e-12)
    posture = Coordinates(0.1, 0.2, 0.3, -1.0, 1.5, 0.4)
    assert hand_pose(posture, constants(arm)) == pytest.approx(hand_pose(posture, constants(LISTING)), abs=1e-12)


def test_the_gap_is_seen_from_the_target():
    gap = gap_between(measured(Pose(1.0, 2.0, math.pi - 0.1), Pose(1.0, 2.5, -math.pi + 0.1)))
    assert gap.along == pytest.approx(0.5 * math.sin(-math.pi + 0.1))
    assert gap.across == pytest.approx(0.5 * math.cos(-math.pi + 0.1))
    assert gap.turn == pytest.approx(0.2)


PLAN, RATE = Plan(Pose(0.0, 0.0, 0.0), Pose(9.0, 9.0, 0.0), 0.1, 8.0), Change(0.02, -0.01, 0.03)


def closing(time):
    target = Pose(0.3 + RATE.x * time, 0.1 + RATE.y * time, 0.2 + RATE.yaw * time)
    return closing_reference(PLAN, measured(Pose(0.0, 0.0, 0.0), target, RATE, time))


def test_the_way_to_a_moving_target_begins_and_ends_at_rest_relative_to_both():
    start, end = closing(0.0), closing(8.0)
    assert start.place[1:] == start.rate[1:] == (0.0, 0.0, 0.0)
    assert end.place[1:] == pytest.approx((0.46, 0.02, 0.44))
    assert end.rate[1:] == pytest.approx(RATE) and end.acceleration[1:] == pytest.approx((0.0, 0.0, 0.0))
    assert start.place.base == end.place.base == 0.1


@pytest.mark.parametrize("time", [1.0, 3.0, 6.5])
def test_its_rate_and_acceleration_are_those_of_the_place(time):
    h = 1e-4
    before, now, after = closing(time - h), closing(time), closing(time + h)
    for k in (1, 2, 3):
        assert (after.place[k] - before.place[k]) / (2 * h) == pytest.approx(now.rate[k], abs=1e-7)
        assert (after.rate[k] - before.rate[k]) / (2 * h) == pytest.approx(now.acceleration[k], abs=1e-7)


def test_inertia_beyond_the_force_sensor_is_not_a_push():
    """A tool of 0.6 kg at 0.5 m/s² pulls the sensor back by 0.3 N; a push of 1 N adds to that."""
    at = Place(**{**dict.fromkeys(Place._fields, -1.0), "force": 0.0, "imu": 7.0})

    def felt(force, accelerated=True):
        imu = [0.0 if accelerated else -1.0, 0.5, 0.2, 9.81, 0.0, 0.0, 0.0]
        return push_felt(np.array([0.0, force, 0.0, 0.0, 0.0, 0.0, 0.0, *imu]), at, 0.6)

    assert felt(-0.3) == pytest.approx(0.0, abs=1e-15)
    assert felt(-1.3) == pytest.approx(1.0)
    assert felt(-1.3, accelerated=False) == pytest.approx(1.3)  # no sample of the accelerometer yet


def test_a_hand_that_arrived_creeps_on_until_it_touches_and_not_for_ever():
    still = Plan(Pose(0.0, 0.0, 0.0), Pose(0.3, 0.0, 0.0), 0.0, 8.0)
    for time, ahead, speed in ((7.9, 0.0, 0.0), (9.0, 0.002, 0.002), (20.0, 0.01, 0.0)):
        m = measured(Pose(0.0, 0.0, 0.0), Pose(0.3, 0.0, 0.5 * math.pi), time=time)
        free = free_reference(still, time)
        on = pressed_on(free, still, m, 0.002, 0.01)
        assert on.place.y - free.place.y == pytest.approx(ahead) and on.rate.y - free.rate.y == pytest.approx(speed)
        assert on.place.x == pytest.approx(free.place.x)


def test_friction_and_losses_of_gears_are_made_up_for_but_not_those_of_the_wheel():
    asked = geared(Actuated(0.5, 0.3, -0.3, 0.5 * EAGER), 0.08, 0.75)
    assert asked == pytest.approx((0.5, 0.38 / 0.75, -0.38 / 0.75, (0.5 * EAGER + 0.04) / 0.75))
    assert geared(Actuated(0.0, 0.0, 0.0, 0.0), 0.08, 0.75) == (0.0, 0.0, 0.0, 0.0)


def test_every_number_of_the_mission_is_read_by_its_law():
    """A number that can be chosen and does nothing is worse than none."""
    folder = Path(inspect.getfile(SpaceMission)).parent
    text = "\n".join(file.read_text(encoding="utf-8") for file in folder.glob("*.py"))
    idle = [name for name in SpaceMission.declared if not re.search(rf"\b(p|self|c)\.{name}\b", text)]
    assert len(SpaceMission.declared) > 25 and not idle


def test_the_guard_is_where_an_elbow_counts_as_straight():
    far = Joints(math.inf, math.inf, math.inf)
    free = Ranges(Joints(-math.inf, -math.inf, -math.inf), far)
    bent = Joints(0.0, math.asin(0.3), 0.0)
    assert not strained(bent, free, 0.2) and strained(bent, free, 0.4)
    assert strained(bent, Ranges(Joints(-1.0, -1.0, -1.0), Joints(1.0, 0.3, 1.0)), 0.0)  # at a stop


def test_an_arm_that_has_given_up_is_held_as_softly_as_hold_says():
    """Torques of a joint that is off its place go with the square of the frequency."""
    arm, joints, still = constants(SIMULATED), Joints(1.75, -2.4, 1.2), Joints(0.0, 0.0, 0.0)
    nowhere = Pose(0.0, 0.0, 0.0)
    now = Measured(nowhere, REST, joints, still, nowhere, REST, nowhere, REST, REST, push=0.0, time=0.0)
    off = Joints(joints.q1, joints.q2, joints.q3 + 0.1)

    def torque(arm_does, hold):
        p = SimpleNamespace(hold=hold, hold_frequency=2.0, base_frequency=5.0, posture_time=1.0)
        return kept_still(now, arm_does, 0.0, off, 0.0, arm, False, p).q3

    assert torque(RESTS, 2.0) == pytest.approx(torque(HOLDS, 0.5)) and torque(HOLDS, 9.0) == torque(HOLDS, 0.5)
    assert torque(RESTS, 1.0) == pytest.approx(0.25 * torque(RESTS, 2.0))
