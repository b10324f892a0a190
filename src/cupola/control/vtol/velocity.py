"""Velocity sticks for a vehicle with wings and lift rotors; centred sticks hold the place.

The reference point of `multirotor_velocity` on the blend of `blend.py`: slow it hovers, fast it flies on its wing,
and the pilot need not know which. With the sticks centred the nose turns into the wind, where it is steadiest, and
so it does in wing flight, as in any coordinated turn.
"""

from typing import Any, NamedTuple

from cupola.config.controller import parameter
from cupola.control.multirotor.velocity import (
    CENTRED,
    SETTLED,
    VelocityState,
    VelocitySticks,
    follow_sticks,
    stick_signals,
)
from cupola.control.plane.loops import Trims
from cupola.control.vtol.blend import OFF, VtolCommand, VtolGains, blend, hover, rotor_share, turn_into_wind
from cupola.kernel.observation import PITCH, ROLL, Observation, Reference
from cupola.physics.rotation import Vector
from cupola.xmath import Number, absolute, maximum, where


class VtolVelocityState(NamedTuple):
    """The reference point, and the integrals of the surfaces."""

    point: VelocityState = VelocityState()
    pitch: Number = 0.0
    climb: Number = 0.0
    side: Number = 0.0


def vtol_velocity(
    obs: Observation, ref: Reference, state: VtolVelocityState, p: Any
) -> tuple[VtolCommand, VtolVelocityState]:
    """All channels from the sticks: velocity right, backward and up, turn rate."""
    centred = maximum(absolute(ref.sticks[ROLL]), absolute(ref.sticks[PITCH])) < CENTRED
    free = where(centred, 1.0, 1.0 - rotor_share(obs, p))
    turn = free * turn_into_wind(obs, p)
    wish = follow_sticks(obs, ref, turn, state.point, p)
    if wish.state.rested >= SETTLED:
        return OFF, VtolVelocityState(wish.state, 0.0, 0.0, 0.0)
    trims = Trims(state.pitch, state.climb, 0.0, state.side)
    flown = blend(hover(wish.accel_w, wish.velocity_w.z, wish.yaw, wish.yaw_rate, obs, p), trims, obs, p)
    return flown.command, VtolVelocityState(wish.state, flown.trims.pitch, flown.trims.climb, flown.trims.side)


class VtolVelocitySignals(NamedTuple):
    """Those of the velocity sticks, and the blend."""

    position: Vector
    """[m] of the reference point, world axes."""
    velocity: Vector
    """[m/s] set-point: of the reference, and towards it, world axes."""
    yaw: Number
    """[rad] set-point."""
    error: Vector
    """[m] of the position, world axes."""
    velocity_error: Vector
    """[m/s], world axes."""
    yaw_error: Number
    """[rad]."""
    blend: Number
    """[1] share of the lift rotors: 1 in hover, 0 on the wing."""
    phase: Number
    """[1]."""


def vtol_velocity_signals(obs: Observation, ref: Reference, state: VtolVelocityState, p: Any) -> VtolVelocitySignals:
    """From the state after a call."""
    s, share = stick_signals(obs, ref, state.point, p), rotor_share(obs, p)
    return VtolVelocitySignals(s.position, s.velocity, s.yaw, s.error, s.velocity_error, s.yaw_error, share, s.phase)


class VtolVelocity(VelocitySticks, VtolGains):
    """Sticks: velocity right, backward and up, turn rate; for a `mixer` followed by the channels of a plane."""

    State = VtolVelocityState
    Signals = VtolVelocitySignals
    law = staticmethod(vtol_velocity)
    report = staticmethod(vtol_velocity_signals)

    @staticmethod
    def point(state: Any) -> VelocityState:
        """The reference point, in the state of the law."""
        found: VelocityState = state.point
        return found

    speed_max: parameter = parameter(10.0, low=0.1, high=40, unit="m/s", about="at full roll or pitch stick")
    stick_accel: parameter = parameter(1.5, low=0.1, high=20, unit="m/s²", about="most acceleration of the reference")
    stick_bandwidth: parameter = parameter(
        2.0, low=0.2, high=20, unit="1/s", about="how soon the reference has the stick's speed"
    )
    turn_max: parameter = parameter(0.5, low=0.1, high=6, unit="rad/s", about="at full yaw stick")
    leash: parameter = parameter(3.0, low=0.05, high=20, unit="m", about="how far the reference may run ahead")
    rest_height: parameter = parameter(
        0.3, low=0.01, high=5, unit="m", about="height of the root below which it may stand"
    )
    sink_slope: parameter = parameter(0.3, low=0.05, high=5, unit="1/s", about="how much faster it may sink per height")
    tilt_bandwidth: parameter = parameter(5.0, low=1, high=40, unit="rad/s")
