"""Where the joints will be when the hand meets a moving target, and how much room they have there."""

import math
from typing import Any, NamedTuple

import numpy as np

from cupola.control.space.motion import Joints, Measured, coordinates
from cupola.physics.planar import Pose
from cupola.physics.rotation import wrap
from cupola.physics.space_arm import Constants, directions
from cupola.xmath import Number

PACES = (1.0, 0.7, 0.5, 1.5, 2.0)
"""Times the usual duration that a way may take."""
ENOUGH = math.radians(10.0)
"""[rad] of room with which a pace is taken without looking at others."""
BETTER = math.radians(1.0)
"""[rad] more than another that counts: the usual pace is not left for what noise may be."""
GRIPPING = 2.5
"""[s] after the touch in which the target still moves on."""
Array = np.ndarray[Any, Any]


class Ranges(NamedTuple):
    """[rad] between the stops of the joints; infinite without one."""

    low: Joints
    high: Joints


def room_at(grip: Pose, centre: Pose, p: Constants, bend: Number, ranges: Ranges) -> Number:
    """[rad] to the nearest end stop, or to a straight or folded elbow, with the hand at `grip`; negative out of reach.

    `centre` is the common centre of mass with the yaw of the base. It stays while the base gives way to the arm, so the
    arm is that of the virtual manipulator: shorter by each link's share of the mass (Vafa and Dubowsky, International
    Journal of Robotics Research 9 (1990) 3). The elbow is to the side of `bend`.
    """
    c, s = math.cos(centre.yaw), math.sin(centre.yaw)
    shoulder_x, shoulder_y = p.shoulder_x - p.p2 / p.p1, p.shoulder_y - p.p3 / p.p1
    last = p.length3 - p.p15 / p.p1
    x = grip.x - last * math.cos(grip.yaw) - centre.x - c * shoulder_x + s * shoulder_y
    y = grip.y - last * math.sin(grip.yaw) - centre.y - s * shoulder_x - c * shoulder_y
    a, b = p.length1 - p.p4 / p.p1, p.length2 - p.p5 / p.p1
    cosine = (x * x + y * y - a * a - b * b) / (2.0 * a * b)
    if abs(cosine) > 1.0:
        return -math.acosh(abs(cosine))  # so that of two places out of reach the nearer one counts as better
    q2 = math.copysign(math.acos(cosine), bend)
    q1 = wrap(math.atan2(y, x) - math.atan2(b * math.sin(q2), a + b * cosine) - centre.yaw - p.mount)
    q3 = wrap(grip.yaw - centre.yaw - p.mount - q1 - q2)
    low, high = ranges.low, ranges.high
    stops = min(q1 - low.q1, high.q1 - q1, q2 - low.q2, high.q2 - q2, q3 - low.q3, high.q3 - q3)
    return min(stops, abs(q2), math.pi - abs(q2))


def centre_of(m: Measured, p: Constants) -> Pose:
    """The common centre of mass of base and arm, with the yaw of the base."""
    d = directions(coordinates(m), p)
    x = p.p2 * d.c0 - p.p3 * d.s0 + p.p4 * d.c1 + p.p5 * d.c2 + p.p15 * d.c3
    y = p.p2 * d.s0 + p.p3 * d.c0 + p.p4 * d.s1 + p.p5 * d.s2 + p.p15 * d.s3
    return Pose(m.base.x + x / p.p1, m.base.y + y / p.p1, m.base.yaw)


def room_after(m: Measured, time: Number, p: Constants, ranges: Ranges) -> Number:
    """The same when the hand meets the target `time` [s] from now."""
    v = m.target_rate
    grip = Pose(m.target.x + time * v.x, m.target.y + time * v.y, m.target.yaw + time * v.yaw)
    return room_at(grip, centre_of(m, p), p, m.joints.q2, ranges)


def best_pace(m: Measured, duration: Number, tried: Array, p: Constants, ranges: Ranges) -> int:
    """Which pace to take: the first that was not `tried` and leaves the arm room enough, or the one with most room.

    A pace that has failed is not taken again while there is another.
    """
    best, most, fewest = 0, -np.inf, tried.min()
    for k in range(len(PACES)):
        if tried[k] > fewest:
            continue
        met = PACES[k] * duration
        room = min(room_after(m, met, p, ranges), room_after(m, met + GRIPPING, p, ranges))
        if room >= ENOUGH:
            return k
        if room > most + BETTER:
            best, most = k, room
    return best
