"""Fly a plane by what it should do instead of by its surfaces: bank, climb rate, airspeed.

With the roll stick centred and the wings level it holds the course over ground, with the pitch stick centred and the
climb over it holds the height. The loops are those of `plane_loops`.
"""

from typing import Any, NamedTuple

from cupola.control.pass_through import PlaneCommand
from cupola.control.plane_loops import Goal, PlaneGains, Trims, bank_for, climb_for, fly
from cupola.engine.seen import Seen, Wanted
from cupola.physics.rotation import euler_from_quaternion
from cupola.xmath import Number, absolute, atan2, clip, where

CENTRED = 0.02
LEVEL = 0.1
"""[rad] of bank, and [1] of the fastest climb, below which a released stick has come to rest."""


class HoldState(NamedTuple):
    """Course [rad] and height [m] held, and the integrals of the loops; `started` is 0 before the first call."""

    started: Number = 0.0
    course: Number = 0.0
    height: Number = 0.0
    turning: Number = 0.0
    climbing: Number = 0.0
    pitch: Number = 0.0
    climb: Number = 0.0
    speed: Number = 0.0
    side: Number = 0.0


def plane_hold(seen: Seen, wanted: Wanted, state: HoldState, p: Any) -> tuple[PlaneCommand, HoldState]:
    """Channels from sticks: bank, climb rate, rudder on top of the coordination, airspeed (cruise in the middle)."""
    sticks = wanted.sticks
    roll = euler_from_quaternion(seen.quat_wb).roll
    # A stick that was moved keeps its axis until the motion has ended: the held value is where the plane comes to rest.
    moved = absolute(sticks[0]) > CENTRED
    turning = where(moved, 1.0, where(absolute(roll) < LEVEL, 0.0, state.turning))
    moved = absolute(sticks[1]) > CENTRED
    climbing = where(moved, 1.0, where(absolute(seen.vel_w.z) < LEVEL * p.climb_max, 0.0, state.climbing))
    course, height = state.course, state.height
    if turning > 0.5 or state.started < 0.5:
        course = atan2(seen.vel_w.y, seen.vel_w.x)
    if climbing > 0.5 or state.started < 0.5:
        height = seen.pos_w.z
    bank = where(turning > 0.5, p.bank_max * clip(sticks[0], -1.0, 1.0), bank_for(course, 0.0, seen, p))
    climb = where(climbing > 0.5, p.climb_max * clip(sticks[1], -1.0, 1.0), climb_for(height, 0.0, seen, p))
    span = where(sticks[3] > 0.0, p.speed_max - p.cruise, p.cruise - p.speed_min)
    held = fly(
        Goal(bank, climb, p.cruise + sticks[3] * span),
        Trims(state.pitch, state.climb, state.speed, state.side),
        seen,
        p,
    )
    c, t = held.command, held.trims
    command = PlaneCommand(c.roll, c.pitch, clip(c.yaw + sticks[2], -1.0, 1.0), c.throttle)
    return command, HoldState(1.0, course, height, turning, climbing, t.pitch, t.climb, t.speed, t.side)


class PlaneHold(PlaneGains):
    """Sticks: bank, climb rate, rudder, airspeed; centred they hold course and height."""

    State = HoldState
    law = staticmethod(plane_hold)
