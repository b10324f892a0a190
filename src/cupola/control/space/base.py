"""Keep a floating base in its place with three pairs of on/off thrusters and a reaction wheel, and unload the wheel.

The wheel turns the base, the thrusters shift it. A valve knows only open and shut and a shortest pulse: the wanted
impulse of each pair is saved up until it fills one, so little is lost and nothing chatters. Inside a dead band nothing
is wanted. When the wheel has become too fast, the thrusters turn the base and the wheel, against them, slows down.
"""

from typing import NamedTuple

from cupola.control.space.motion import Change
from cupola.physics.planar import Pose
from cupola.physics.rotation import wrap
from cupola.xmath import Number, absolute, both, clip, cos, sin, where


class Pairs(NamedTuple):
    """One number for each pair of nozzles."""

    front: Number
    left: Number
    right: Number


class Nozzles(NamedTuple):
    """Place [m] of a pair in base axes from the centre of mass, and where its positive thrust points [rad]."""

    x: Number
    y: Number
    heading: Number


class Push(NamedTuple):
    """Force [N] and torque [N m] on the base, about its centre of mass, in one set of axes."""

    x: Number
    y: Number
    torque: Number


def push_of(n: Nozzles) -> Push:
    """Effect of one newton of a pair, in base axes."""
    c, s = cos(n.heading), sin(n.heading)
    return Push(c, s, n.x * s - n.y * c)


class Layout(NamedTuple):
    """Effect of one newton of each pair, in base axes."""

    front: Push
    left: Push
    right: Push


def _triple(a: Push, b: Push, c: Push) -> Number:
    """Determinant of three columns."""
    return (
        a.x * (b.y * c.torque - b.torque * c.y)
        - b.x * (a.y * c.torque - a.torque * c.y)
        + c.x * (a.y * b.torque - a.torque * b.y)
    )


def pair_forces(wanted: Push, layout: Layout) -> Pairs:
    """Force of each pair [N], signed, that together give the push in base axes: Cramer's rule."""
    a, b, c = layout
    det = _triple(a, b, c)
    return Pairs(_triple(wanted, b, c) / det, _triple(a, wanted, c) / det, _triple(a, b, wanted) / det)


class Valve(NamedTuple):
    """Of one pair: -1, 0 or 1, how long it stays so [s], and the impulse not yet given [N s]."""

    open: Number = 0.0
    left: Number = 0.0
    owed: Number = 0.0


def pulse(valve: Valve, wanted: Number, thrust: Number, shortest: Number, dt: Number) -> Valve:
    """The next state of a valve: an open one stays so for its shortest pulse, a shut one opens when one is owed.

    More than its thrust is not saved up: a nozzle could never give it back.
    """
    owed = valve.owed + clip(wanted, -thrust, thrust) * dt
    # Half a tick is rounding: a pulse of three ticks is over after three.
    going = valve.left > 0.5 * dt
    full = absolute(owed) >= thrust * shortest
    side = where(going, valve.open, where(full, where(owed < 0.0, -1.0, 1.0), 0.0))
    left = where(going, valve.left, where(full, shortest, 0.0))
    return Valve(side, where(side == 0.0, 0.0, left - dt), owed - side * thrust * dt)


class Station(NamedTuple):
    """Numbers of the base and how firmly it keeps its place."""

    mass: Number
    """[kg] that the thrusters move."""
    inertia: Number
    """[kg m²] that the wheel turns."""
    thrust: Number
    """[N] of a nozzle."""
    shortest: Number
    """[s] that a valve stays open."""
    frequency: Number = 0.3
    """[rad/s] of the place; critically damped."""
    yaw_frequency: Number = 1.0
    """[rad/s] of the yaw."""
    inner: Number = 0.005
    outer: Number = 0.01
    """[m]: beyond the outer distance it goes back, until it is within the inner one; drift counts with its time."""
    fast: Number = 300.0
    slow: Number = 30.0
    """[rad/s] of the wheel at which unloading begins and ends."""
    unload: Number = 0.05
    """[N m] of the thrusters meanwhile."""


class StationState(NamedTuple):
    """Its state."""

    front: Valve = Valve()
    left: Valve = Valve()
    right: Valve = Valve()
    going_back: Number = 0.0
    unloading: Number = 0.0


class Commands(NamedTuple):
    """Torque of the wheel on the base [N m], and the valves: -1, 0 or 1."""

    wheel: Number
    front: Number
    left: Number
    right: Number


def switch(on: Number, value: Number, low: Number, high: Number) -> Number:
    """1 above `high`, 0 below `low`, as before in between."""
    return where(value > high, 1.0, where(value < low, 0.0, on))


def keep_station(
    base: Pose,
    rate: Change,
    wheel_speed: Number,
    wanted: Pose,
    state: StationState,
    layout: Layout,
    p: Station,
    dt: Number,
) -> tuple[Commands, StationState]:
    """One step. The wheel's speed is that against the base."""
    x, y, yaw = base.x - wanted.x, base.y - wanted.y, wrap(base.yaw - wanted.yaw)
    # Where it will be after the time that the law itself takes to bring it back.
    ahead = 1.0 / p.frequency
    off_x, off_y = absolute(x + ahead * rate.x), absolute(y + ahead * rate.y)
    going_back = switch(state.going_back, where(off_x > off_y, off_x, off_y), p.inner, p.outer)
    stiffness, damping = p.mass * p.frequency * p.frequency, 2.0 * p.mass * p.frequency
    force_x, force_y = (
        -going_back * (stiffness * x + damping * rate.x),
        -going_back * (stiffness * y + damping * rate.y),
    )
    unloading = switch(state.unloading, absolute(wheel_speed), p.slow, p.fast)
    torque = -unloading * where(wheel_speed < 0.0, -p.unload, p.unload)
    c, s = cos(base.yaw), sin(base.yaw)
    pairs = pair_forces(Push(c * force_x + s * force_y, c * force_y - s * force_x, torque), layout)
    idle = both(going_back == 0.0, unloading == 0.0)
    front = pulse(_paid(state.front, idle), pairs.front, p.thrust, p.shortest, dt)
    left = pulse(_paid(state.left, idle), pairs.left, p.thrust, p.shortest, dt)
    right = pulse(_paid(state.right, idle), pairs.right, p.thrust, p.shortest, dt)
    # What the open valves really do to the yaw, the wheel takes up at once; so unloading does not turn the base.
    given = p.thrust * (
        layout.front.torque * front.open + layout.left.torque * left.open + layout.right.torque * right.open
    )
    hold = -p.inertia * p.yaw_frequency * (p.yaw_frequency * yaw + 2.0 * rate.yaw)
    return Commands(hold - given, front.open, left.open, right.open), StationState(
        front, left, right, going_back, unloading
    )


def _paid(valve: Valve, idle: Number) -> Valve:
    """Nothing is owed where nothing is wanted any more."""
    return Valve(valve.open, valve.left, where(idle, 0.0, valve.owed))
