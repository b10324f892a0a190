"""Where the joints will be when the hand meets a moving target, and how much room they have there."""

import math
from typing import Any, NamedTuple

import numpy as np

from cupola.control.space.motion import Joints, Measured
from cupola.physics.planar import Pose
from cupola.physics.rotation import wrap
from cupola.physics.space_arm import Constants
from cupola.xmath import Number

PACES = (1.0, 0.7, 0.5, 1.5, 2.0)
"""Times the usual duration that a way may take."""
ENOUGH = math.radians(10.0)
"""[rad] of room with which a pace is taken without looking at others."""
GRIPPING = 2.5
"""[s] after the touch in which the target still moves on."""
OUT_OF_REACH = -math.pi
Array = np.ndarray[Any, Any]


class Ranges(NamedTuple):
    """[rad] between the stops of the joints; infinite without one."""

    low: Joints
    high: Joints


def room_at(grip: Pose, base: Pose, p: Constants, bend: Number, ranges: Ranges) -> Number:
    """[rad] to the nearest end stop, or to a straight or folded elbow, with the hand at `grip`; negative out of reach.

    The elbow is to the side of `bend`.
    """
    c, s = math.cos(base.yaw), math.sin(base.yaw)
    x = grip.x - p.length3 * math.cos(grip.yaw) - base.x - c * p.shoulder_x + s * p.shoulder_y
    y = grip.y - p.length3 * math.sin(grip.yaw) - base.y - s * p.shoulder_x - c * p.shoulder_y
    a, b = p.length1, p.length2
    cosine = (x * x + y * y - a * a - b * b) / (2.0 * a * b)
    if abs(cosine) > 1.0:
        return OUT_OF_REACH
    q2 = math.copysign(math.acos(cosine), bend)
    q1 = wrap(math.atan2(y, x) - math.atan2(b * math.sin(q2), a + b * cosine) - base.yaw - p.mount)
    q3 = wrap(grip.yaw - base.yaw - p.mount - q1 - q2)
    low, high = ranges.low, ranges.high
    stops = min(q1 - low.q1, high.q1 - q1, q2 - low.q2, high.q2 - q2, q3 - low.q3, high.q3 - q3)
    return min(stops, abs(q2), math.pi - abs(q2))


def room_after(m: Measured, time: Number, p: Constants, ranges: Ranges) -> Number:
    """The same when the hand meets the target `time` [s] from now, the base where it is."""
    v = m.target_rate
    grip = Pose(m.target.x + time * v.x, m.target.y + time * v.y, m.target.yaw + time * v.yaw)
    return room_at(grip, m.base, p, m.joints.q2, ranges)


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
        if room > most:
            best, most = k, room
    return best
