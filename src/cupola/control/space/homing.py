"""Finding the angles of joints whose encoders count from wherever they were switched on.

One joint after another is turned gently against an end stop whose angle is known. What the encoder lacks there is its
offset. Meanwhile the other joints are held.
"""

from typing import NamedTuple

from cupola.control.space.motion import Joints
from cupola.xmath import Number, clip

NONE = Joints(0.0, 0.0, 0.0)
DONE = 3
"""Joints that there are."""
SIDES = Joints(1.0, -1.0, -1.0)
"""Which stop of shoulder, elbow and wrist is sought: the positive one, the negative ones (Cepheus thesis, C.2)."""


class Stops(NamedTuple):
    """Of shoulder, elbow and wrist."""

    angles: Joints
    """[rad] where they are."""
    push: Joints
    """[N m] at most, also against the stop."""
    stiffness: Joints
    """[N m/rad] that follows the wanted angle, and holds the other joints."""
    damping: Joints
    """[N m s/rad], the same."""
    sides: Joints = SIDES
    """Which way each one is turned."""
    speed: Number = 0.2
    """[rad/s]."""
    creep: Number = 0.01
    """[rad/s] below which a joint that is pushed has arrived."""
    time: Number = 0.5
    """[s] for which it must."""


class Homing(NamedTuple):
    """How far it is."""

    begun: Number = 0.0
    """1 once the encoders have been read."""
    joint: Number = 0.0
    """Which one is turned now; 3: all are found."""
    wanted: Joints = NONE
    """[rad] by the encoders."""
    waited: Number = 0.0
    """[s] against the stop."""
    offsets: Joints = NONE
    """[rad] to add to what the encoders say."""


class Homed(NamedTuple):
    """One look later, and the torques on the joints [N m]."""

    homing: Homing
    torques: Joints


def home(h: Homing, said: Joints, rates: Joints, period: Number, p: Stops) -> Homed:
    """One look later, from where the encoders are at the first one."""
    if h.begun == 0.0:
        h = Homing(1.0, 0.0, said, 0.0, h.offsets)
    k = int(h.joint)
    if k < DONE:
        pushed = p.stiffness[k] * abs(h.wanted[k] - said[k]) >= p.push[k]
        waited = h.waited + period if pushed and abs(rates[k]) < p.creep else 0.0
        if waited >= p.time:
            found = put(h.offsets, k, p.angles[k] - said[k])
            h = Homing(1.0, k + 1.0, put(h.wanted, k, said[k]), 0.0, found)
        else:
            ahead = h.wanted[k] + (0.0 if pushed else p.sides[k] * p.speed * period)
            h = Homing(1.0, h.joint, put(h.wanted, k, ahead), waited, h.offsets)
    return Homed(h, Joints(_torque(h, said, rates, p, 0), _torque(h, said, rates, p, 1), _torque(h, said, rates, p, 2)))


def _torque(h: Homing, said: Joints, rates: Joints, p: Stops, k: int) -> Number:
    """Spring and damper to the wanted angle; the joint that is turned pushes no harder than it may."""
    turned = k == h.joint
    speed = p.sides[k] * p.speed if turned and h.waited == 0.0 else 0.0
    wish = p.stiffness[k] * (h.wanted[k] - said[k]) + p.damping[k] * (speed - rates[k])
    return clip(wish, -p.push[k], p.push[k]) if turned else wish


def put(values: Joints, k: int, value: Number) -> Joints:
    """The three with another one at a place."""
    return Joints(value if k == 0 else values.q1, value if k == 1 else values.q2, value if k == 2 else values.q3)
