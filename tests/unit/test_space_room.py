"""How much room the arm of a free-floating robot has where it will meet its target, and the pace that follows."""

import math

import numpy as np
import pytest

from cupola.control.space.motion import REST, Change, Joints, Measured
from cupola.control.space.room import PACES, Ranges, best_pace, centre_of, room_after, room_at
from cupola.control.space.torques import together
from cupola.physics.planar import Pose
from cupola.physics.space_arm import LISTING, Coordinates, constants, hand_pose
from cupola.physics.space_task import Actuated

ARM = constants(LISTING)
FREE = Ranges(Joints(*(-math.inf,) * 3), Joints(*(math.inf,) * 3))
POSTURE = Joints(-1.0, 1.5, 0.9)


def measured(joints=POSTURE, target=None, rate=REST):
    hand = hand_pose(Coordinates(0.3, -0.2, 0.4, *joints), ARM)
    base = Pose(0.3, -0.2, 0.4)
    return Measured(base, REST, joints, Joints(0, 0, 0), hand, REST, target or hand, rate, REST, 0.0, 0.0)


def test_a_hand_that_stays_has_the_room_of_its_posture():
    m = measured()
    assert room_after(m, 5.0, ARM, FREE) == pytest.approx(min(abs(POSTURE.q2), math.pi - POSTURE.q2), abs=1e-12)


@pytest.mark.parametrize("joints", [Joints(-0.8, 1.0, 0.9), Joints(-0.4, 2.0, -0.5)])
def test_the_base_gives_way_to_the_arm(joints):
    """The same centre of mass, another posture: the room is that posture's, though the base has moved."""
    m = measured()
    centre = centre_of(m, ARM)
    there = centre_of(measured(joints), ARM)
    moved = Coordinates(0.3 + centre.x - there.x, -0.2 + centre.y - there.y, 0.4, *joints)
    room = room_at(hand_pose(moved, ARM), centre, ARM, joints.q2, FREE)
    assert room == pytest.approx(min(abs(joints.q2), math.pi - abs(joints.q2)), abs=1e-9)


def test_out_of_reach_the_nearer_place_is_better():
    hand = measured().hand
    rooms = [
        room_at(Pose(hand.x + far, hand.y, hand.yaw), Pose(0.3, -0.2, 0.4), ARM, 1.0, FREE) for far in (0.6, 0.7, 1)
    ]
    assert 0.0 > rooms[0] > rooms[1] > rooms[2]


def test_a_target_that_leaves_is_met_early_though_it_will_be_out_of_reach():
    m = measured(rate=Change(0.1, 0.0, 0.0))
    assert room_after(m, 4.0 + 2.5, ARM, FREE) < 0.0
    assert PACES[best_pace(m, 4.0, np.zeros(len(PACES)), ARM, FREE)] == min(PACES)


def test_torques_are_cut_together_where_the_wheel_can_give_no_more():
    asked, most = Actuated(2.0, 4.0, -1.0, 0.5), Actuated(0.25, 10.0, 10.0, 10.0)
    assert together(asked, most) == pytest.approx([0.25, 0.5, -0.125, 0.0625])
    assert together(asked, Actuated(*(math.inf,) * 4)) == asked
    assert together(asked, Actuated(2.0, 4.0, 1.0, 0.5)) == asked
    assert together(asked, Actuated(0.0, 1.0, 1.0, 1.0)) == (0.0, 0.0, 0.0, 0.0)
