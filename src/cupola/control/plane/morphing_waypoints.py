"""Flies a plan as `plane_waypoints` does, with the span that suits the speed: out when slow, in when fast.

Lift costs least with a long wing, speed with a small one: the span is a schedule over the airspeed asked for, so that
it is set before the speed is reached.
"""

from typing import Any, NamedTuple

from cupola.control.plane.path import Progress, track
from cupola.control.plane.waypoints import PlaneState, PlaneWaypoints, plane_waypoints
from cupola.kernel.observation import Seen, Wanted
from cupola.sim.controller import parameter
from cupola.xmath import Number, clip


class MorphingCommand(NamedTuple):
    """Channels of a plane, then span and sweep, 0 to 1."""

    roll: Number
    pitch: Number
    yaw: Number
    throttle: Number
    span: Number
    sweep: Number


def scheduled_span(speed: Number, p: Any) -> Number:
    """How far the wings are out, 0 to 1, at an airspeed [m/s]."""
    return clip((p.speed_in - speed) / (p.speed_in - p.speed_out), 0.0, 1.0)


def morphing_waypoints(seen: Seen, wanted: Wanted, state: PlaneState, p: Any) -> tuple[MorphingCommand, PlaneState]:
    """Channels that follow the plan."""
    c, after = plane_waypoints(seen, wanted, state, p)
    speed = track(seen, wanted, Progress(after.phase, after.index, after.x, after.y, after.z), p).speed
    span = scheduled_span(speed, p)
    return MorphingCommand(
        c.roll, c.pitch, c.yaw, c.throttle, p.morph * span + (1.0 - p.morph) * p.fixed_span, 0.0
    ), after


class MorphingWaypoints(PlaneWaypoints):
    """Flies the `plan` of the scenario with a plane that can change its span."""

    State = PlaneState
    law = staticmethod(morphing_waypoints)  # type: ignore[assignment]  # it commands two channels more

    speed_out = parameter(14.0, low=5, high=60, unit="m/s", about="airspeed below which the wings are all out")
    speed_in = parameter(22.0, low=6, high=80, unit="m/s", about="airspeed above which they are all in")
    morph = parameter(1.0, low=0, high=1, about="1: the span follows the speed, 0: it stays")
    fixed_span = parameter(0.5, low=0, high=1, about="span that stays")
