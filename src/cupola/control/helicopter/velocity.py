"""Sticks command the velocity of a helicopter; centred sticks hold the place. As `multirotor_velocity`."""

from typing import Any, NamedTuple

from cupola.config.controller import parameter
from cupola.control.helicopter.steering import DiscGains, HelicopterCommand, steer
from cupola.control.multirotor.velocity import (
    SETTLED,
    VelocitySignals,
    VelocityState,
    VelocitySticks,
    follow_sticks,
    stick_signals,
)
from cupola.kernel.commands import BLADE_ANGLES
from cupola.kernel.observation import Observation, Reference
from cupola.xmath import Number


class StickState(NamedTuple):
    """The reference point, and what the yaw loop has learnt [rad/s²]."""

    point: VelocityState = VelocityState()
    turning: Number = 0.0


def helicopter_velocity(
    obs: Observation, ref: Reference, state: StickState, p: Any
) -> tuple[HelicopterCommand, StickState]:
    """Collective, cyclic and tail rotor that follow the sticks."""
    wish = follow_sticks(obs, ref, 0.0, state.point, p)
    if wish.state.rested >= SETTLED:
        return HelicopterCommand(p.idle_collective, 0.0, 0.0, 0.0), StickState(wish.state, 0.0)
    now = steer(wish.accel_w, wish.yaw, wish.yaw_rate, state.turning, obs, p)
    return now.command, StickState(wish.state, now.turning)


def helicopter_stick_signals(obs: Observation, ref: Reference, state: StickState, p: Any) -> VelocitySignals:
    """Set-points from the sticks."""
    return stick_signals(obs, ref, state.point, p)


class HelicopterVelocity(DiscGains, VelocitySticks):
    """Sticks: velocity right, backward and up, turn rate; for a helicopter."""

    needs = BLADE_ANGLES
    State = StickState
    Signals = VelocitySignals
    law = staticmethod(helicopter_velocity)
    report = staticmethod(helicopter_stick_signals)

    @staticmethod
    def point(state: Any) -> VelocityState:
        """The reference point, in the state of the law."""
        found: VelocityState = state.point
        return found

    rest_height: parameter = parameter(
        0.3, low=0.01, high=5, unit="m", about="height of the root below which it may stand"
    )
    leash: parameter = parameter(2.0, low=0.05, high=20, unit="m", about="how far the reference may run ahead")
