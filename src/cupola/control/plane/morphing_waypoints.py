"""Flies a plan as `plane_waypoints` does, with the span that suits the speed: out when slow, in when fast.

Lift costs least with a long wing, speed with a small one: the span is a schedule over the airspeed asked for, so that
it is set before the speed is reached.
"""

from typing import Any, NamedTuple

from cupola.config.controller import parameter
from cupola.control.plane.path import Progress, track
from cupola.control.plane.waypoints import PlaneState, PlaneWaypoints, plane_signals, plane_waypoints
from cupola.kernel.observation import Observation, Reference
from cupola.xmath import Number, clip, maximum


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
    return clip((p.speed_in - speed) / maximum(p.speed_in - p.speed_out, 0.1), 0.0, 1.0)


def morphing_waypoints(
    obs: Observation, ref: Reference, state: PlaneState, p: Any
) -> tuple[MorphingCommand, PlaneState]:
    """Channels that follow the plan."""
    c, after = plane_waypoints(obs, ref, state, p)
    return MorphingCommand(c.roll, c.pitch, c.yaw, c.throttle, wanted_span(obs, ref, after, p), p.fixed_sweep), after


def wanted_span(obs: Observation, ref: Reference, after: PlaneState, p: Any) -> Number:
    """How far the wings shall be out, 0 to 1, on this part of the plan."""
    speed = track(obs, ref, Progress(after.phase, after.index, after.x, after.y, after.z), p).speed
    span = scheduled_span(speed, p)
    return p.morph * span + (1.0 - p.morph) * p.fixed_span


class MorphingSignals(NamedTuple):
    """Those of a plane, and the span."""

    height: Number
    """[m] set-point."""
    climb: Number
    """[m/s] set-point."""
    airspeed: Number
    """[m/s] set-point."""
    course: Number
    """[rad] set-point, over ground."""
    bank: Number
    """[rad] set-point, right side down."""
    height_error: Number
    """[m]."""
    airspeed_error: Number
    """[m/s]."""
    course_error: Number
    """[rad]."""
    path_error: Number
    """[m] to the left of the path over ground."""
    span: Number
    """[1] set-point, 0 to 1."""
    waypoint: Number
    """[1] its number, from 1; 0 without a plan."""
    phase: Number
    """[1]."""


def morphing_signals(obs: Observation, ref: Reference, state: PlaneState, p: Any) -> MorphingSignals:
    """Set-points and errors, from the state after a call."""
    s = plane_signals(obs, ref, state, p)
    span = wanted_span(obs, ref, state, p)
    errors = (s.height_error, s.airspeed_error, s.course_error, s.path_error)
    return MorphingSignals(s.height, s.climb, s.airspeed, s.course, s.bank, *errors, span, s.waypoint, s.phase)


class MorphingWaypoints(PlaneWaypoints):
    """Flies the `plan` of the scenario with a plane that can change its span."""

    State = PlaneState
    Signals = MorphingSignals  # type: ignore[assignment]  # it tells the span, too
    law = staticmethod(morphing_waypoints)  # type: ignore[assignment]  # it commands two channels more
    report = staticmethod(morphing_signals)  # type: ignore[assignment]

    speed_out: parameter = parameter(
        14.0, low=5, high=60, unit="m/s", about="airspeed below which the wings are all out"
    )
    speed_in: parameter = parameter(22.0, low=6, high=80, unit="m/s", about="airspeed above which they are all in")
    morph: parameter = parameter(1.0, low=0, high=1, about="1: the span follows the speed, 0: it stays")
    fixed_span: parameter = parameter(0.5, low=0, high=1, about="span that stays")
    fixed_sweep: parameter = parameter(0.0, low=0, high=1, about="sweep that stays")
