"""Mecanum wheels in the loop: motors before the step, the grip of wheels and floor between collision and constraints,
and bases that follow their wheels exactly after it.
"""

import math

import numpy as np
from numba import carray

from cupola.kernel.jit import pointer
from cupola.kernel.motion import body_quaternion
from cupola.parts.joints.mecanum import FRICTION, KINEMATIC, WHEELS, roller_axis
from cupola.physics.creep import creep
from cupola.physics.mecanum import Wheels, body_twist
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

SLIPPERY = 1e-5
"""The least friction that MuJoCo's cone allows."""
TRIPPED, OVER, PLANNED = 2 * WHEELS, 2 * WHEELS + 1, 2 * WHEELS + 2
"""In the state of a base, after the angles and speeds that its motors are asked for: whether its supply has tripped,
for how long it gave too much [s], and for a kinematic base where it will be."""


def spin_wheels(v: Number) -> None:
    """What the motors are asked for in this tick, and whether their supply bears it."""
    dt = v.world[0].dt
    for i in range(v.mecanums.shape[0]):
        row = v.mecanums[i]
        s, drive = v.state[row.state :], v.drive[row.channel : row.channel + WHEELS + 1]
        current = _supply(v, row, s, drive[WHEELS] > 0.5)
        most = 0.0 if s[TRIPPED] > 0.0 else row.torque_max
        slack = row.torque_max / maximum(row.angle_gain, 1e-9)
        for k in range(WHEELS):
            if row.source[k] >= 0:
                s[WHEELS + k] = v.qvel[row.source[k]]
            elif not math.isnan(drive[k]):
                s[WHEELS + k] = drive[k]
            drive[k] = s[WHEELS + k]
            angle = v.qpos[row.angle[k]]
            if row.model == KINEMATIC:
                s[k] = angle + drive[k] * dt
            else:  # a motor that cannot follow does not remember how far it is behind
                s[k] = clip(s[k] + drive[k] * dt, angle - slack, angle + slack) if most > 0.0 else angle
            v.ctrl[row.motor[k]] = row.angle_gain * s[k] + row.speed_gain * drive[k]
            v.motor_range[row.motor[k], 0], v.motor_range[row.motor[k], 1] = -most, most
            v.outputs[row.output + k] = v.motor_force[row.motor[k]]
        v.outputs[row.output + WHEELS], v.outputs[row.output + WHEELS + 1] = current, s[TRIPPED]


def _supply(v: Number, row: Number, s: Number, switched_on: bool) -> Number:
    """Current that the motors draw [A]; more than the supply gives for longer than it stands trips it."""
    power = 0.0
    for k in range(WHEELS):
        power += maximum(v.motor_force[row.motor[k]] * v.qvel[row.speed[k]], 0.0)
    current = power / row.supply_voltage
    over = row.supply_current_max > 0.0 and current > row.supply_current_max
    s[OVER] = s[OVER] + v.world[0].dt if over else 0.0
    if s[OVER] > row.supply_patience:
        s[TRIPPED] = 1.0
    elif switched_on:
        s[TRIPPED] = 0.0
    return current


def grips(v: Number) -> bool:
    """Whether contacts of this world need `grip`."""
    return bool(v.mecanums.shape[0] > 0 or v.patches.shape[0] > 0)


def grip(v: Number) -> None:
    """Between collision and constraints: turn the friction of wheels along their rollers and let them creep."""
    w = v.world[0]
    count = carray(pointer(w.data + w.contact_number), (1,), np.int32)[0]
    first = carray(pointer(w.data + w.contact_first), (1,), np.int64)[0]
    for c in range(count):
        place = first + c * w.contact_size
        geoms = carray(pointer(place + w.contact_geom), (2,), np.int32)
        patch = _patch(v, place) if w.floor in (geoms[0], geoms[1]) else -1.0
        if patch >= 0.0:
            friction = carray(pointer(place + w.contact_friction), (2,), np.float64)
            friction[0] = friction[1] = maximum(patch, SLIPPERY)
        for side in range(2):
            tread = v.treads[geoms[side]]
            if tread >= 0:
                floor = patch if patch >= 0.0 else v.geom_friction[geoms[1 - side], 0]
                _align(v, v.mecanums[tread // WHEELS], tread % WHEELS, floor, 1.0 - 2.0 * side, place)


def _patch(v: Number, place: Number) -> Number:
    """Friction of the floor's patch at a contact; -1 where there is none."""
    pos = carray(pointer(place + v.world[0].contact_pos), (2,), np.float64)
    found = -1.0
    for i in range(v.patches.shape[0]):
        row = v.patches[i]
        if row.x_min <= pos[0] <= row.x_max and row.y_min <= pos[1] <= row.y_max:
            found = row.friction
    return found


def _align(v: Number, row: Number, k: Number, floor: Number, side: Number, place: Number) -> None:
    """One contact: first tangent along the roller; `side` is 1 if the wheel is the first geom, -1 if the second."""
    w = v.world[0]
    frame = carray(pointer(place + w.contact_frame), (9,), np.float64)
    normal = Vector(frame[0], frame[1], frame[2])
    axis = rotate(body_quaternion(v, row.root), roller_axis(k, row.askew))
    along = subtract(axis, scale(dot(axis, normal), normal))
    along = scale(1.0 / length(along), along)
    across = cross(normal, along)
    frame[3], frame[4], frame[5] = along.x, along.y, along.z
    frame[6], frame[7], frame[8] = across.x, across.y, across.z
    slip = carray(pointer(place + w.contact_surfacevel), (3,), np.float64)
    slip[0] = side * _creep(v, row)[k] if row.creep > 0.0 else 0.0
    if row.model == FRICTION:  # the more slippery of wheel and floor counts, as in the thesis
        friction = carray(pointer(place + w.contact_friction), (2,), np.float64)
        friction[0] = maximum(minimum(row.along, floor), SLIPPERY)
        friction[1] = maximum(minimum(row.across, floor), SLIPPERY)


def _creep(v: Number, row: Number) -> Wheels:
    """How fast the wheels slip along their rollers at the present motion of the base [m/s]."""
    dq, speed = v.qvel[row.free : row.free + 6], v.qvel
    moving = unrotate(body_quaternion(v, row.root), Vector(dq[0], dq[1], dq[2]))
    wheels = Wheels(speed[row.speed[0]], speed[row.speed[1]], speed[row.speed[2]], speed[row.speed[3]])
    return creep(Twist(moving.x, moving.y, dq[5]), wheels, row, row.creep)


def plan_arcs(v: Number) -> None:
    """Where kinematic bases will be after this tick: the exact arc of their wheels' speeds."""
    dt = v.world[0].dt
    for i in range(v.mecanums.shape[0]):
        row = v.mecanums[i]
        if row.model != KINEMATIC:
            continue
        s, q = v.state[row.state :], v.qpos[row.free_q : row.free_q + 7]
        twist = body_twist(Wheels(s[WHEELS], s[WHEELS + 1], s[WHEELS + 2], s[WHEELS + 3]), row)
        attitude = Quaternion(q[3], q[4], q[5], q[6])
        then = advance(Pose(q[0], q[1], euler_from_quaternion(attitude).yaw), twist, dt)
        turned = multiply(quaternion_from_euler(Euler(0.0, 0.0, twist.yaw * dt)), attitude)
        p = s[PLANNED : PLANNED + 7]
        p[0], p[1], p[2], p[3], p[4], p[5], p[6] = then.x, then.y, q[2], turned.w, turned.x, turned.y, turned.z


def follow_arcs(v: Number) -> None:
    """Put kinematic bases there, whatever the step did to them."""
    for i in range(v.mecanums.shape[0]):
        row = v.mecanums[i]
        if row.model != KINEMATIC:
            continue
        s = v.state[row.state :]
        twist = body_twist(Wheels(s[WHEELS], s[WHEELS + 1], s[WHEELS + 2], s[WHEELS + 3]), row)
        q, dq = v.qpos[row.free_q : row.free_q + 7], v.qvel[row.free : row.free + 6]
        for k in range(7):
            q[k] = s[PLANNED + k]
        moving = rotate(Quaternion(q[3], q[4], q[5], q[6]), Vector(twist.x, twist.y, 0.0))
        dq[0], dq[1], dq[2] = moving.x, moving.y, 0.0
        dq[3], dq[4], dq[5] = 0.0, 0.0, twist.yaw
        for k in range(WHEELS):
            v.qpos[row.angle[k]], v.qvel[row.speed[k]] = s[k], s[WHEELS + k]
