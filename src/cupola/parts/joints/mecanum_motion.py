"""How Mecanum wheels grip: friction along the rollers, and the exact arc of a base without slip."""

from typing import NamedTuple

from cupola.kernel.floor import (
    contact_at,
    contact_frame,
    contact_geoms,
    contact_number,
    contact_slip,
    patch_friction,
    set_friction,
)
from cupola.kernel.memory import Views
from cupola.kernel.motion import body_quaternion
from cupola.kernel.records import reader, size
from cupola.parts.joints.mecanum_motor import ANGLES, KINEMATIC, SPEEDS, WHEELS, wheels_at
from cupola.physics.creep import creep
from cupola.physics.mecanum import Contact, Wheels, body_twist, contact, forward_part
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
from cupola.xmath import Number, minimum, sqrt

FRICTION, ROLLERS = 1, 2
MODELS = {"kinematic": KINEMATIC, "friction": FRICTION, "rollers": ROLLERS}


class MecanumNumbers(NamedTuple):
    """Sizes and frictions of one base."""

    radius: float
    track: float
    wheelbase: float
    """[m] between the wheels of an axle, and between the axles."""
    slope: float
    load: float
    """[N] on a wheel at rest, the mean of all."""
    along: float
    across: float
    slip_along: float
    slip_across: float
    askew: float
    creep: float


class FreePose(NamedTuple):
    """Coordinates of a free joint."""

    pos_w: Vector
    quat_wb: Quaternion


class Gripped(NamedTuple):
    """Answer of `contact`."""

    ok: bool


PLANNED = 2 * WHEELS
"""In the memory of a base, after what its motors remember: where a kinematic base will be."""
POSE = size(FreePose)
MEMORY = PLANNED + POSE
pose_at = reader(FreePose)


def grip(v: Views, p: Number) -> bool:
    """Turn the friction of a base's wheels along their rollers and let them creep; False: without numbers."""
    total = 0.0
    for c in range(contact_number(v)):
        touch = contact_at(v, c)
        geoms = contact_geoms(v, touch)
        if geoms[0] < 0 or geoms[1] < 0:  # a soft body has no geom
            continue
        for side in range(2):
            wheel = wheel_of(v.constants, p, geoms[side])
            if wheel >= 0:
                patch = patch_friction(v, touch)
                floor = patch if patch >= 0.0 else v.geom_friction[geoms[1 - side], 0]
                total += align(v, p, wheel, floor, 1.0 - 2.0 * side, touch)
    return abs(total) < 1e300


def wheel_of(constants: Number, p: Number, geom: Number) -> Number:
    """Number of the wheel that a geom is the tread of, -1 for none."""
    k = geom - p.tread_geom
    return int(constants[p.tread_start + k]) if 0 <= k < p.tread_count else -1


def align(v: Views, p: Number, k: Number, floor: Number, side: Number, touch: Number) -> Number:
    """One contact: first tangent along the roller; `side` is 1 if the wheel is the first geom, -1 if the second.

    Returns a number that is none if one of those it wrote is none.
    """
    frame = contact_frame(v, touch)
    normal = Vector(frame[0], frame[1], frame[2])
    axis = rotate(body_quaternion(v, p.root), roller_axis(k, p.slope, p.askew))
    along = subtract(axis, scale(dot(axis, normal), normal))
    along = scale(1.0 / length(along), along)
    across = cross(normal, along)
    frame[3], frame[4], frame[5] = along.x, along.y, along.z
    frame[6], frame[7], frame[8] = across.x, across.y, across.z
    slip = contact_slip(v, touch)
    slip[0] = side * creep_now(v, p)[k] if p.creep > 0.0 else 0.0
    if p.model == FRICTION:  # the more slippery of wheel and floor counts, as in the thesis
        first, second = minimum(p.along, floor), minimum(p.across, floor)
        if p.slip_along > 0.0 or p.slip_across > 0.0:
            push = slipping_push(slide_now(v, p, k), p) / p.load
            first, second = yielding(first, push, p.slip_along), yielding(second, push, p.slip_across)
        set_friction(v, touch, first, second)
    return along.x + along.y + along.z + slip[0] + p.along + p.across


def slipping_push(slides: Contact, p: Number) -> Number:
    """√(Σ v² / slip), v the speeds of sliding: the frictions that push by v / slip each way are this / √slip / load.

    MuJoCo's friction lies on an ellipse and against the sliding: of friction² × v by the same factor each way.
    """
    along = slides.along * slides.along / p.slip_along if p.slip_along > 0.0 else 0.0
    across = slides.across * slides.across / p.slip_across if p.slip_across > 0.0 else 0.0
    return sqrt(along + across)


def yielding(friction: Number, push: Number, slip: Number) -> Number:
    """Friction of a contact that gives way: see `slipping_push`."""
    return minimum(friction, push / sqrt(slip)) if slip > 0.0 else friction


def roller_axis(wheel: Number, slope: Number, askew: Number) -> Vector:
    """Axis of the roller on the floor below a wheel, in the axes of the base; not of length 1 where it is askew."""
    ahead = forward_part(slope)
    aside = ahead * slope * (1.0 + askew)
    return Vector(ahead, aside if wheel % 2 == 0 else -aside, 0.0)


def twist_now(v: Views, p: Number) -> Twist:
    """Motion of the base in its own axes."""
    dq = v.qvel[p.free : p.free + 6]
    moving = unrotate(body_quaternion(v, p.root), Vector(dq[0], dq[1], dq[2]))
    return Twist(moving.x, moving.y, dq[5])


def slide_now(v: Views, p: Number, k: Number) -> Contact:
    """How fast the lowest point of a wheel slides over the floor."""
    x = 0.5 * p.wheelbase if k < 2 else -0.5 * p.wheelbase
    y = 0.5 * p.track if k in (1, 2) else -0.5 * p.track
    return contact(twist_now(v, p), v.qvel[p.speed[k]], x, y, 1.0 if k % 2 == 0 else -1.0, p)


def creep_now(v: Views, p: Number) -> Wheels:
    """How fast the wheels slip along their rollers at the present motion of the base [m/s]."""
    speed = v.qvel
    wheels = Wheels(speed[p.speed[0]], speed[p.speed[1]], speed[p.speed[2]], speed[p.speed[3]])
    return creep(twist_now(v, p), wheels, p, p.creep)


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
