"""Actions of the space mission in each state: torques, gripper command, valves."""

import math
from typing import Any, NamedTuple

from cupola.control.space.base import Station, StationState, keep_station
from cupola.control.space.homing import DONE, Homing, home
from cupola.control.space.impedance import Impedance, impedance_for
from cupola.control.space.mission_memory import (
    NO_MOTION,
    Aim,
    Body,
    Clock,
    Fixed,
)
from cupola.control.space.mission_signs import CONTACT, HARD, posture
from cupola.control.space.motion import Joints, Measured, Plan
from cupola.control.space.payload_inertia import Stiff, Way, held_torques, with_rotors, with_target
from cupola.control.space.states import (
    ARMS,
    FOLDS,
    GRIPS,
    HOLDS,
    HOMES,
    KEEP,
    POSTURE,
    REACHES,
    RESTS,
    SLACK,
)
from cupola.control.space.steering import BY_FORCE, Reach, Steered, steer
from cupola.control.space.torques import geared, limit, never_zero, together
from cupola.control.space.view import View
from cupola.physics.impedance import Gains, gains
from cupola.physics.planar import Pose
from cupola.physics.rotation import wrap
from cupola.physics.space_arm import Constants, constants
from cupola.physics.space_task import Actuated
from cupola.xmath import Number

RISE = 0.2
"""[s] in which the wanted push grows once one is felt: the way may have ended long before."""
HOMING_BASE, HOMING_DAMPED = 2.6, 1.3
"""[rad/s] of the base while the angles of the joints are not known, and its damping."""
FAST, SLOW, UNLOADS = 0.75, 0.075, 0.14
"""Shares of the wheel's largest speed at which unloading begins and ends, and of the thrusters' torque for it."""
SLOWLY, QUICKLY, INNER, OUTER = 0.3, 1.0, 0.005, 0.01
"""Of the station, as `Station` explains them."""
SAFE_POSTURE = Joints(math.radians(45.0), math.radians(45.0), math.radians(10.0))
"""[rad] (Cepheus thesis, appendix C.2)."""


class Arms(NamedTuple):
    """Numbers of the arm with its motors, and of the arm with the target in its hand."""

    free: Constants
    loaded: Constants


def arms(f: Fixed, p: Any) -> Arms:
    """With the inertia of the motors that the parameters say."""
    moving = with_rotors(f.arm, p.rotor)
    return Arms(constants(moving), constants(with_target(moving, f.load)))


def acted(
    c: Clock,
    a: Aim,
    b: Body,
    homing: Homing,
    view: View,
    arm: Constants,
    loaded: Constants,
    f: Fixed,
    p: Any,
    period: Number,
    time: Number,
    entered: bool,
) -> Body:
    """Torques, orders and valves of a look."""
    now, m = int(c.now), view.measured
    arm_does = ARMS[now]
    yaw = a.yaw if a.known > 0.0 else m.base.yaw
    order = b.order if GRIPS[now] == KEEP else GRIPS[now]
    nothing = Actuated(0.0, 0.0, 0.0, 0.0)
    torques, steered = nothing, Steered(nothing, NO_MOTION, 0.0, 0.0, 0.0 if entered else b.held)
    steers, kept = 0.0, Unloaded(Joints(0.0, 0.0, 0.0), 0.0, b.keeping, nothing)
    if arm_does == HOMES and homing.joint < DONE:
        found = home(homing, view.said, view.rates, period, f.stops)
        homing, q = found.homing, found.torques
        back = gains(arm.p6, HOMING_DAMPED, HOMING_BASE)
        turn = -back.stiffness * wrap(m.base.yaw - yaw) - back.damping * m.base_rate.yaw if view.seen > 0.0 else 0.0
        torques = Actuated(turn, q.q1, q.q2, q.q3)
    elif arm_does != SLACK and arm_does != HOMES and view.seen > 0.0:
        if arm_does == REACHES:
            pressing = min(1.0, c.near / RISE) if now == CONTACT else 0.0
            steered, steers = reached(m, a.plan, time - c.started, pressing, steered.held, period, arm, p), 1.0
            torques = steered.torques
        else:
            one_body = view.finished >= HARD and view.holding > 0.5
            torques = kept_still(
                m, arm_does, yaw, a.latched, time - c.entered, loaded if one_body else arm, one_body, p
            )
        kept = unloaded(view, m, a.place, b.keeping, torques, loaded.p1, f, p, period)
        torques = kept.torques
    asked = driven(torques, arm_does, b.asked, f, p)
    return Body(
        steered.held,
        order,
        asked,
        kept.valves,
        kept.keeps,
        kept.keeping,
        homing,
        steers,
        steered.reference,
        steered.blend,
        steered.push_wanted,
    )


def reached(
    m: Measured, plan: Plan, time: Number, pressing: Number, held: Number, period: Number, arm: Constants, p: Any
) -> Steered:
    """The impedance law, blended by the push alone; it begins to push gently."""
    told = Measured(
        m.base,
        m.base_rate,
        m.joints,
        m.joint_rates,
        m.hand,
        m.hand_rate,
        m.target,
        m.target_rate,
        m.target_acceleration,
        m.push,
        time,
    )
    usual = impedance_for(p.duration, p.push)
    contact = Gains(p.contact_mass, p.contact_damping, p.contact_stiffness)
    base, push = gains(1.0, 1.0, p.base_frequency), p.push * pressing
    law = Impedance(usual.free, contact, base, push, p.along, p.dead_band, p.near, p.sharpness, p.follow)
    reach = Reach(plan, BY_FORCE, p.intercept, p.creep, p.beyond, held, p.release, period, law)
    return steer(told, reach, arm)


def kept_still(
    m: Measured, arm_does: int, yaw: Number, latched: Joints, time: Number, arm: Constants, one_body: bool, p: Any
) -> Actuated:
    """Joints on a way, or where they are; base as it was. What is gripped is a part of the arm."""
    goal = latched
    if arm_does == POSTURE:
        goal = posture(p)
    elif arm_does == FOLDS:
        goal = SAFE_POSTURE
    joints = gains(1.0, 1.0, p.hold if arm_does == RESTS else p.hold_frequency)
    base = joints if one_body else gains(1.0, 1.0, p.base_frequency)
    return held_torques(m, yaw, Way(latched, goal, p.posture_time), time, Stiff(base, joints), arm)


class Unloaded(NamedTuple):
    """What the thrusters do, and the torques with what the wheel does against that."""

    valves: Joints
    keeps: Number
    keeping: StationState
    torques: Actuated


def unloaded(
    view: View,
    m: Measured,
    place: Pose,
    keeping: StationState,
    torques: Actuated,
    mass: Number,
    f: Fixed,
    p: Any,
    period: Number,
) -> Unloaded:
    """Thrusters slow down a wheel that has become too fast, and keep the place of the two where that is asked for; the
    wheel takes up what they do to the yaw."""
    keeps = p.station > 0.5 and view.finished >= HARD and view.holding > 0.5
    fast, slow = FAST * f.fastest, SLOW * f.fastest
    wheel = 0.0 if math.isnan(view.wheel) else view.wheel
    if f.thrust == 0.0 or not (keeps or abs(wheel) > fast or keeping.unloading > 0.5):
        return Unloaded(Joints(0.0, 0.0, 0.0), 0.0, keeping, torques)
    n = f.nozzles
    turning = f.thrust * (abs(n.front.torque) + abs(n.left.torque) + abs(n.right.torque))
    inner, outer = (INNER, OUTER) if keeps else (math.inf, math.inf)
    station = Station(
        mass, 0.0, f.thrust, max(f.shortest, 2.0 * period), SLOWLY, QUICKLY, inner, outer, fast, slow, UNLOADS * turning
    )
    found, after = keep_station(m.base, m.base_rate, wheel, place, keeping, n, station, period)
    valves = Joints(found.front, found.left, found.right)
    held = Actuated(torques.base + found.wheel, torques.q1, torques.q2, torques.q3)
    return Unloaded(valves, 1.0 if keeps else 0.0, after, held)


def driven(torques: Actuated, arm_does: int, before: Actuated, f: Fixed, p: Any) -> Actuated:
    """Commands of the motors: gears, limits, never exactly zero. Friction helps to hold."""
    if arm_does == SLACK:
        return Actuated(f.faint, f.faint, f.faint, f.faint)
    still = arm_does in (HOLDS, RESTS)
    n = f.motors
    most = Actuated(min(p.most, n.base), min(p.most, n.q1), min(p.most, n.q2), min(p.most, n.q3))
    asked = geared(together(torques, most), 0.0 if still else p.friction, p.efficiency)
    return never_zero(limit(asked, most), before, p.smallest)
