"""The mission as one compiled law: look, decide, act. Its memory is an array that the world keeps."""

from typing import Any

import numpy as np

from cupola.control.space.homing import DONE, Homing
from cupola.control.space.mission_acts import acted, arms
from cupola.control.space.mission_memory import (
    FILTERS_AT,
    KEPT_AT,
    SIGNS,
    TRIED_AT,
    VIEW_AT,
    Aim,
    Body,
    Clock,
    Fixed,
    Kept,
    read_fixed,
    read_kept,
    write_kept,
    write_signals,
    write_signs,
    write_view,
)
from cupola.control.space.mission_signs import APPROACH, HARD_GRIP, PREPARE, SETTLE, posture, signs_of, timed
from cupola.control.space.motion import Change, Plan, plan_from
from cupola.control.space.payload_inertia import gap_between
from cupola.control.space.room import PACES, best_pace
from cupola.control.space.signals import (
    NO_GAP,
    NO_POSE,
    NO_RATE,
    NOT_SEEN,
    SpaceSignals,
    Torques,
    as_offset,
    as_pose,
    as_rate,
    as_seen,
    off_by,
)
from cupola.control.space.state_source import looked
from cupola.control.space.states import (
    ARMS,
    SLACK,
    next_number,
)
from cupola.control.space.view import MEMORY as FILTER_ROWS
from cupola.control.space.view import WINDOWS, Now, View
from cupola.control.told import NOTHING, PlanarPose
from cupola.estimate.windows import ROW
from cupola.kernel.observation import Observation, Reference
from cupola.physics.planar import Pose
from cupola.physics.rotation import euler_from_quaternion
from cupola.physics.space_arm import Constants

Array = np.ndarray[Any, Any]


def fly(obs: Observation, ref: Reference, state: Array, p: Any, seen: Array, command: Array, reported: Array) -> None:
    """Look, decide, act: torques [N m] on base, shoulder, elbow, wrist, the gripper's order, three pairs of thrusters,
    the drivers' reset, the tare of the force sensor."""
    f, k = read_fixed(state, 0), read_kept(state, KEPT_AT)
    tried, filters = state[TRIED_AT:VIEW_AT], state[FILTERS_AT:].reshape((FILTER_ROWS, ROW))
    arm, loaded = arms(f, p)
    homing = Homing(1.0, DONE + 0.0, k.body.homing.wanted, 0.0, posture(p)) if p.homing < 0.5 else k.body.homing
    eyes = int(p.eyes + 0.5)
    yaw = euler_from_quaternion(obs.quat_wb).yaw
    now = Now(
        obs.time,
        obs.period,
        Pose(obs.pos_w.x, obs.pos_w.y, yaw),
        Change(obs.vel_w.x, obs.vel_w.y, obs.rate_b.z),
        homing.offsets,
    )
    view = looked(seen, f.place, f.setting, WINDOWS[eyes], arm, now, eyes, filters)
    write_view(state, VIEW_AT, view)
    clock = timed(k, view, f, p, obs.period)
    found = np.zeros(SIGNS)
    write_signs(found, 0, signs_of(clock, k, view, homing, f, p, ref, obs))
    then = next_number(int(clock.now), found, k.aim.tries < p.tries)
    aim = k.aim
    if then != int(clock.now):
        aim = latched_at(then, int(clock.now), k.aim, view, arm, f, p, tried)
        started = obs.time if then == APPROACH else clock.started
        clock = Clock(then + 0.0, obs.time, started, 0.0, 0.0, 0.0)
    body = acted(clock, aim, k.body, homing, view, arm, loaded, f, p, obs.period, obs.time, then != int(k.clock.now))
    write_kept(state, KEPT_AT, Kept(clock, aim, body))
    send(command, body, clock)
    write_signals(reported, 0, told(clock, aim, body, view, p))


def latched_at(then: int, now: int, a: Aim, view: View, arm: Constants, f: Fixed, p: Any, tried: Array) -> Aim:
    """What the new state starts from. Another try goes at a pace that has not failed, where the arm will have room."""
    m, sees = view.measured, view.seen > 0.0
    # The pair is held where it came together.
    joints = view.joints if ARMS[then] != ARMS[now] or then == SETTLE else a.latched
    yaw, known = a.yaw, a.known
    if sees and known == 0.0:
        yaw, known = m.base.yaw, 1.0
    plan, tries = a.plan, a.tries
    if then == PREPARE:
        tries = 0.0
        tried[:] = 0.0
    if then == APPROACH:
        pace = best_pace(m, p.duration, tried, arm, f.ranges) if p.intercept > 0.5 else 0
        tried[pace] += 1.0
        tries += 1.0
        new = plan_from(m, PACES[pace] * p.duration)
        plan = Plan(new.start, new.goal, yaw, new.duration)
    place = m.base if sees and then == HARD_GRIP else a.place
    return Aim(known, yaw, joints, plan, tries, place)


def send(command: Array, b: Body, c: Clock) -> None:
    """To the channels."""
    tare = 1.0 if c.now == PREPARE else 0.0
    sent = (b.asked.base, b.asked.q1, b.asked.q2, b.asked.q3, b.order, b.valves.q1, b.valves.q2, b.valves.q3, 0.0, tare)
    for k in range(min(len(sent), len(command))):
        command[k] = sent[k]


def told(c: Clock, a: Aim, b: Body, view: View, p: Any) -> SpaceSignals:
    """Set-points, measurements and errors."""
    m, slack = view.measured, ARMS[int(c.now)] == SLACK
    x, y, yaw = NOTHING, NOTHING, NOTHING
    if b.keeps > 0.0:
        x, y = a.place.x, a.place.y
    if view.seen > 0.0 and not slack:
        yaw = a.yaw if a.known > 0.0 else m.base.yaw
    base, hand, hand_rate = PlanarPose(x, y, yaw), NO_POSE, NO_RATE
    if b.steers > 0.0:
        hand, hand_rate = as_pose(b.reference.place), as_rate(b.reference.rate)
    torques = Torques(b.asked.base, b.asked.q1, b.asked.q2, b.asked.q3)
    base_error, error, gap, seen, push = NO_POSE, NO_POSE, NO_GAP, NOT_SEEN, NOTHING
    if view.seen > 0.0:
        base_error, error = off_by(m.base, base), off_by(m.hand, hand)
        gap, seen, push = as_offset(gap_between(m)), as_seen(m), m.push
    return SpaceSignals(
        base,
        hand,
        hand_rate,
        base_error,
        error,
        gap,
        b.blend,
        push,
        b.push_wanted,
        seen,
        torques,
        view.wheel,
        a.tries,
        c.now,
    )
