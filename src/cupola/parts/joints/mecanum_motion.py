"""How Mecanum wheels turn and grip: motors and their supply, friction along the rollers, and the exact arc of a base
without slip.
"""

import math
from typing import NamedTuple

import numpy as np
from numba import carray

from cupola.kernel.floor import contact_at, contact_geoms, contact_number, patch_friction, set_friction
from cupola.kernel.jit import pointer
from cupola.kernel.motion import body_quaternion
from cupola.kernel.records import reader, size
from cupola.physics.creep import creep
from cupola.physics.mecanum import DIAGONAL, Wheels, body_twist
from cupola.physics.planar import Pose, Twist, advance
from cupola.physics.rotation import (
    Euler,
    Quaternion,
    Vector,
    cross,
    dot,
    euler_from_quaternion,
    length,
    multiply,
    quaternion_from_euler,
    rotate,
    scale,
    subtract,
    unrotate,
)
from cupola.xmath import Number, clip, maximum, minimum

KINEMATIC, FRICTION, ROLLERS = 0, 1, 2
MODELS = {"kinematic": KINEMATIC, "friction": FRICTION, "rollers": ROLLERS}
WHEELS = 4


class MecanumNumbers(NamedTuple):
    """Sizes, frictions and motors of one base."""

    radius: float
    track: float
    wheelbase: float
    """[m] between the wheels of an axle, and between the axles."""
    along: float
    across: float
    torque_max: float
    angle_gain: float
    speed_gain: float
    supply_voltage: float
    supply_current_max: float
    supply_patience: float
    askew: float
    creep: float


class SupplyState(NamedTuple):
    """The supply of the motors."""

    tripped: Number = 0.0
    """[1] whether it has given up."""
    over: Number = 0.0
    """[s] for which it gave too much."""


class FreePose(NamedTuple):
    """Coordinates of a free joint."""

    pos_w: Vector
    quat_wb: Quaternion


class Corners(NamedTuple):
    """One number per wheel: front right, front left, rear left, rear right."""

    fr: Number
    fl: Number
    rl: Number
    rr: Number


class WheelsOutput(NamedTuple):
    """What the motors do now."""

    target: Corners
    """[rad/s] that each was asked for last."""
    torque: Corners
    """[N m] of each."""
    current: Number
    """[A] of the supply."""
    tripped: Number
    """[1] whether it has given up."""


class MecanumMove(NamedTuple):
    """Answer of `actuate`."""

    state: SupplyState
    output: WheelsOutput
    ok: bool


class Gripped(NamedTuple):
    """Answer of `contact`."""

    ok: bool


ANGLES, SPEEDS, PLANNED = 0, WHEELS, 2 * WHEELS
"""In the memory of a base: the angles and speeds that its motors are asked for, and for a kinematic base where it will
be."""
POSE = size(FreePose)
MEMORY = PLANNED + POSE
wheels_at, corners_at, pose_at = reader(Wheels), reader(Corners), reader(FreePose)


def spin_wheels(
    p: Number,
    state: SupplyState,
    memory: Number,
    drive: Number,
    qpos: Number,
    qvel: Number,
    ctrl: Number,
    actuator_force: Number,
    actuator_forcerange: Number,
    dt: Number,
) -> MecanumMove:
    """What the motors are asked for in this tick, and whether their supply bears it."""
    asked = drive[p.channel : p.channel + WHEELS + 1]
    current = supply_current(p, actuator_force, qvel)
    supply = supply_step(p, state, current, asked[WHEELS] > 0.5, dt)
    most = 0.0 if supply.tripped > 0.0 else p.torque_max
    slack = p.torque_max / maximum(p.angle_gain, 1e-9)
    total = current + slack
    for k in range(WHEELS):
        if p.source[k] >= 0:
            memory[SPEEDS + k] = qvel[p.source[k]]
        elif not math.isnan(asked[k]):
            memory[SPEEDS + k] = asked[k]
        asked[k] = memory[SPEEDS + k]
        angle = qpos[p.angle[k]]
        if p.model == KINEMATIC:
            memory[ANGLES + k] = angle + asked[k] * dt
        elif most > 0.0:  # a motor that cannot follow does not remember how far it is behind
            memory[ANGLES + k] = clip(memory[ANGLES + k] + asked[k] * dt, angle - slack, angle + slack)
        else:
            memory[ANGLES + k] = angle
        ctrl[p.motor[k]] = p.angle_gain * memory[ANGLES + k] + p.speed_gain * asked[k]
        total += ctrl[p.motor[k]]
        actuator_forcerange[p.motor[k], 0], actuator_forcerange[p.motor[k], 1] = -most, most
    given = actuator_force
    torque = Corners(given[p.motor[0]], given[p.motor[1]], given[p.motor[2]], given[p.motor[3]])
    shown = WheelsOutput(corners_at(memory, SPEEDS), torque, current, supply.tripped)
    return MecanumMove(supply, shown, abs(total) < 1e300)


def supply_current(p: Number, actuator_force: Number, qvel: Number) -> Number:
    """Current that the motors draw [A]."""
    power = 0.0
    for k in range(WHEELS):
        power += maximum(actuator_force[p.motor[k]] * qvel[p.speed[k]], 0.0)
    return power / p.supply_voltage


def supply_step(p: Number, state: SupplyState, current: Number, switched_on: bool, dt: Number) -> SupplyState:
    """More current than the supply gives, for longer than it stands, trips it."""
    too_much = p.supply_current_max > 0.0 and current > p.supply_current_max
    over = state.over + dt if too_much else 0.0
    tripped = state.tripped
    if over > p.supply_patience:
        tripped = 1.0
    elif switched_on:
        tripped = 0.0
    return SupplyState(tripped, over)


def grip(v: Number, p: Number) -> bool:
    """Turn the friction of a base's wheels along their rollers and let them creep; False: without numbers."""
    total = 0.0
    for c in range(contact_number(v)):
        contact = contact_at(v, c)
        geoms = contact_geoms(v, contact)
        if geoms[0] < 0 or geoms[1] < 0:  # a soft body has no geom
            continue
        for side in range(2):
            wheel = wheel_of(v.constants, p, geoms[side])
            if wheel >= 0:
                patch = patch_friction(v, contact)
                floor = patch if patch >= 0.0 else v.geom_friction[geoms[1 - side], 0]
                total += align(v, p, wheel, floor, 1.0 - 2.0 * side, contact)
    return abs(total) < 1e300


def wheel_of(constants: Number, p: Number, geom: Number) -> Number:
    """Number of the wheel that a geom is the tread of, -1 for none."""
    k = geom - p.tread_geom
    return int(constants[p.tread_start + k]) if 0 <= k < p.tread_count else -1


def align(v: Number, p: Number, k: Number, floor: Number, side: Number, contact: Number) -> Number:
    """One contact: first tangent along the roller; `side` is 1 if the wheel is the first geom, -1 if the second.

    Returns a number that is none if one of those it wrote is none.
    """
    w = v.world[0]
    frame = carray(pointer(contact + w.contact_frame), (9,), np.float64)
    normal = Vector(frame[0], frame[1], frame[2])
    axis = rotate(body_quaternion(v, p.root), roller_axis(k, p.askew))
    along = subtract(axis, scale(dot(axis, normal), normal))
    along = scale(1.0 / length(along), along)
    across = cross(normal, along)
    frame[3], frame[4], frame[5] = along.x, along.y, along.z
    frame[6], frame[7], frame[8] = across.x, across.y, across.z
    slip = carray(pointer(contact + w.contact_surfacevel), (3,), np.float64)
    slip[0] = side * creep_now(v, p)[k] if p.creep > 0.0 else 0.0
    if p.model == FRICTION:  # the more slippery of wheel and floor counts, as in the thesis
        set_friction(v, contact, minimum(p.along, floor), minimum(p.across, floor))
    return along.x + along.y + along.z + slip[0] + p.along + p.across


def roller_axis(wheel: Number, askew: Number) -> Vector:
    """Axis of the roller on the floor below a wheel, in the axes of the base; not of length 1 where it is askew."""
    aside = DIAGONAL * (1.0 + askew)
    return Vector(DIAGONAL, aside if wheel % 2 == 0 else -aside, 0.0)


def creep_now(v: Number, p: Number) -> Wheels:
    """How fast the wheels slip along their rollers at the present motion of the base [m/s]."""
    dq, speed = v.qvel[p.free : p.free + 6], v.qvel
    moving = unrotate(body_quaternion(v, p.root), Vector(dq[0], dq[1], dq[2]))
    wheels = Wheels(speed[p.speed[0]], speed[p.speed[1]], speed[p.speed[2]], speed[p.speed[3]])
    return creep(Twist(moving.x, moving.y, dq[5]), wheels, p, p.creep)


def plan_arc(p: Number, memory: Number, qpos: Number, dt: Number) -> None:
    """Where a base without slip will be after this tick: the exact arc of its wheels' speeds."""
    twist = body_twist(wheels_at(memory, SPEEDS), p)
    now = pose_at(qpos, p.free_q)
    then = advance(Pose(now.pos_w.x, now.pos_w.y, euler_from_quaternion(now.quat_wb).yaw), twist, dt)
    turned = multiply(quaternion_from_euler(Euler(0.0, 0.0, twist.yaw * dt)), now.quat_wb)
    q = memory[PLANNED : PLANNED + POSE]
    q[0], q[1], q[2] = then.x, then.y, now.pos_w.z
    q[3], q[4], q[5], q[6] = turned.w, turned.x, turned.y, turned.z


def follow_arc(p: Number, memory: Number, qpos: Number, qvel: Number) -> None:
    """Put it there, with the speeds of its wheels."""
    twist = body_twist(wheels_at(memory, SPEEDS), p)
    for k in range(POSE):
        qpos[p.free_q + k] = memory[PLANNED + k]
    moving = rotate(pose_at(memory, PLANNED).quat_wb, Vector(twist.x, twist.y, 0.0))
    dq = qvel[p.free : p.free + 6]
    dq[0], dq[1], dq[2] = moving.x, moving.y, 0.0
    dq[3], dq[4], dq[5] = 0.0, 0.0, twist.yaw
    for k in range(WHEELS):
        qpos[p.angle[k]], qvel[p.speed[k]] = memory[ANGLES + k], memory[SPEEDS + k]
