"""Conditions of the space mission that lead from one state to the next."""

import math
from typing import Any

from cupola.control.space.homing import DONE, Homing
from cupola.control.space.mission_memory import (
    Clock,
    Fixed,
    Kept,
)
from cupola.control.space.motion import Joints, Measured
from cupola.control.space.payload_inertia import gap_between
from cupola.control.space.room import Ranges
from cupola.control.space.states import (
    ARMS,
    BRISK,
    LIMITS,
    NAMES,
    REACHES,
    WAIT,
    CatchLimits,
    Signs,
    close_enough,
    held_for,
)
from cupola.control.space.view import View
from cupola.kernel.observation import Observation, Reference
from cupola.physics.rotation import wrap
from cupola.physics.space_task import Actuated
from cupola.xmath import Number

STOP, CLOSE, FOLD, GO_ON = 8, 9, 10, 11
"""Stick channels of the operator; above a half is an order."""
SOFT, HARD = 1.0, 2.0
APART = 1.0
"""[s] out of reach of the gripper until the approach begins anew."""
OVERDUE = 5.0
"""[s] after the end of the way that the hand may creep on without a touch."""
BLIND = 0.5
"""[s] without a look at one of the bodies."""
STILL, STILL_RATE, JOINT_STILL = math.radians(0.5), math.radians(0.2), math.radians(0.5)
"""[rad], [rad/s] of the base and [rad/s] of a joint that count as rest."""
REST, REST_TIME = 0.1, 1.0
"""[rad/s²] with which the largest torque would turn the whole robot at rest, and [s] for which that must last."""
EASY = 0.25
"""Share of the largest torque of a motor that counts as rest."""
ASTRAY = math.radians(4.0)
"""[rad] that the base may turn away while the arm reaches or goes back: twice what the thesis's emulator did, and more
than in any capture over twice the declared envelope."""
SPUN = 0.98
"""Of the largest speed of the wheel: nothing is left to steer with."""
STRAIGHT = math.sin(math.radians(12.0))
"""|sin q2| at which the arm counts as stretched; the law's inverse is damped from 10° on."""
MARGIN = math.radians(1.0)
"""[rad] from an end stop at which the arm has no room."""
FULL = 0.999
"""Share of the regulator's pressure below which the air bearings no longer carry as they should."""
PREPARE, APPROACH, CONTACT = NAMES.index("prepare"), NAMES.index("approach"), NAMES.index("contact")
HARD_GRIP, SETTLE = NAMES.index("hard grip"), NAMES.index("settle")


def posture(p: Any) -> Joints:
    """[rad] before the approach."""
    return Joints(math.radians(p.posture_1), math.radians(p.posture_2), math.radians(p.posture_3))


def timed(k: Kept, view: View, f: Fixed, p: Any, period: Number) -> Clock:
    """How long hand and target have been close together or apart, and the robot at rest."""
    c, m = k.clock, view.measured
    contact, settles = c.now == CONTACT, c.now == SETTLE
    near = view.seen > 0.0 and close_enough(gap_between(m), CatchLimits(p.catch_distance, p.catch_turn))
    felt = p.push == 0.0 or k.body.blend > 0.5  # who does not push need not feel it
    rests = view.seen > 0.0 and at_rest(m, k.aim.yaw) and hardly_asked(k.body.asked, p.most * REST / BRISK, f.motors)
    return Clock(
        c.now,
        c.entered,
        c.started,
        held_for(c.near, near and contact and felt, period),
        held_for(c.away, contact and not near, period),
        held_for(c.still, settles and rests, period),
    )


def at_rest(m: Measured, yaw: Number) -> bool:
    """Base and joints hardly move, and the base is where it was."""
    base = abs(wrap(m.base.yaw - yaw)) < STILL and abs(m.base_rate.yaw) < STILL_RATE
    joints = max(abs(m.joint_rates.q1), abs(m.joint_rates.q2), abs(m.joint_rates.q3)) < JOINT_STILL
    return bool(base and joints)


def hardly_asked(asked: Actuated, most: Number, motors: Actuated) -> bool:
    """No torque is asked for that would move the robot, nor much of what a motor can give."""
    return bool(
        abs(asked.base) < min(most, EASY * motors.base)
        and abs(asked.q1) < min(most, EASY * motors.q1)
        and abs(asked.q2) < min(most, EASY * motors.q2)
        and abs(asked.q3) < min(most, EASY * motors.q3)
    )


def signs_of(
    c: Clock, k: Kept, view: View, homing: Homing, f: Fixed, p: Any, ref: Reference, obs: Observation
) -> Signs:
    """Conditions of the mission."""
    m, now, since = view.measured, int(c.now), obs.time - c.entered
    sees, reaching = view.seen > 0.0, ARMS[now] == REACHES
    near = sees and close_enough(gap_between(m), CatchLimits(p.catch_distance, p.catch_turn))
    late = obs.time - c.started - k.aim.plan.duration
    arrived = reaching and late >= 0.0
    no_thrust = f.thrust == 0.0 or view.gas < FULL
    sticks = ref.sticks
    return Signs(
        sees and since >= WAIT,
        view.age > BLIND,
        view.gas < FULL,
        abs(view.wheel) > SPUN * f.fastest and no_thrust,
        sees and k.aim.known > 0.0 and abs(wrap(m.base.yaw - k.aim.yaw)) > ASTRAY,
        sees and math.hypot(m.target.x - m.base.x, m.target.y - m.base.y) < p.safety_distance,
        homing.joint >= DONE,
        since >= p.posture_time or in_posture(view.joints, posture(p)),
        near and (m.push > p.touch or arrived),
        c.away > APART,
        p.grip > 0.5 and c.near >= p.catch_time,
        view.finished >= SOFT and view.holding > 0.5,
        view.finished >= HARD and view.holding > 0.5,
        view.finished == 0.0,
        c.still >= REST_TIME,
        reaching and strained(view.joints, f.ranges, p.guard),
        late > OVERDUE if now == APPROACH else p.grip > 0.5 and c.near == 0.0 and since > OVERDUE,
        since > LIMITS[now],
        sticks[STOP] > 0.5,
        sticks[CLOSE] > 0.5,
        sticks[FOLD] > 0.5,
        sticks[GO_ON] > 0.5,
    )


def in_posture(q: Joints, goal: Joints) -> bool:
    """Whether the joints are where they shall be before the approach."""
    return bool(max(abs(q.q1 - goal.q1), abs(q.q2 - goal.q2), abs(q.q3 - goal.q3)) < MARGIN)


def strained(q: Joints, ranges: Ranges, guard: Number) -> bool:
    """Whether a joint is at its stop, or the elbow straight."""
    low, high = ranges.low, ranges.high
    room = min(q.q1 - low.q1, high.q1 - q.q1, q.q2 - low.q2, high.q2 - q.q2, q.q3 - low.q3, high.q3 - q.q3)
    return bool(room <= MARGIN or abs(math.sin(q.q2)) < guard)
