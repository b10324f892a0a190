"""The multirotor law of Last_letter_2: PD on roll, pitch, heading and height. A vehicle adds its gains and its mixing.

Stick scales are those of the thesis's repository (§5.3). Decisions: the heading error wraps properly (the original
jumps to ±0.1 near the back), and the stick turns the heading at 0.4 rad/s, which is its 0.001 rad per step at 400 Hz
made independent of the rate. There is no integral term, so a steady height error remains: that is the law.
"""

from typing import Any, NamedTuple

from cupola.config.controller import Controller, Setpoint
from cupola.config.robot import Robot
from cupola.config.stick_words import StickWords
from cupola.control.multirotor.authority import Mix, authority_of, check_response
from cupola.kernel.observation import PITCH, ROLL, THROTTLE, YAW, Observation, Reference
from cupola.physics.rotation import Euler, euler_from_quaternion, wrap
from cupola.xmath import Number, clip

STICK_ANGLE = 0.8
"""[rad] of roll or pitch at full stick."""
STICK_HEIGHT = 50.0
"""[m] at full throttle stick."""
HEADING_RATE = 0.4
"""[rad/s] at full yaw stick."""


class PDState(NamedTuple):
    """Heading reference (nose right positive) and the errors of the last call; `started` is 0 before the first."""

    heading: Number = 0.0
    roll: Number = 0.0
    pitch: Number = 0.0
    yaw: Number = 0.0
    height: Number = 0.0
    started: Number = 0.0


class PDSignals(NamedTuple):
    """Set-points from the sticks, and errors (actual minus set-point)."""

    height: Number
    """[m] set-point."""
    attitude: Euler
    """[rad] set-point."""
    height_error: Number
    """[m]."""
    attitude_error: Euler
    """[rad]."""


def pd_signals(obs: Observation, ref: Reference, state: PDState, p: Any) -> PDSignals:
    """From the errors of the call: pitch and heading are nose-up and nose-right positive there."""
    sticks = ref.sticks
    return PDSignals(
        stick_height(sticks[THROTTLE]),
        Euler(STICK_ANGLE * sticks[ROLL], -STICK_ANGLE * sticks[PITCH], -state.heading),
        -state.height,
        Euler(-state.roll, state.pitch, state.yaw),
    )


class StickFlight(Controller):
    """What the thesis's multirotor controllers share beside their law: their gains are published for one vehicle."""

    State = PDState
    Signals = PDSignals
    report = staticmethod(pd_signals)
    throttle_rests_at = -1.0
    stick_words = StickWords(
        roll=("tilt right", "tilt left"),
        pitch=("tilt back", "tilt forward"),
        yaw=("turn right", "turn left"),
        throttle=("higher", "lower"),
    )

    def accept(self, robot: Robot, channel: int) -> None:
        """Refuse a robot that these gains do not fly."""
        found = authority_of(robot, channel, *self.mixing())
        for axis, effect in (("roll", found.roll), ("pitch", found.pitch), ("yaw", found.yaw)):
            check_response(axis, self.value_of(f"{axis}_kp"), self.value_of(f"{axis}_kd"), effect)

    def mixing(self) -> tuple[Mix, int]:
        """How its demands become motor signals, and of how many motors."""
        raise NotImplementedError(f"{type(self).__name__} must override mixing()")

    def take_over(self, obs: Observation, before: PDState) -> PDState:
        """The nose stays where it is."""
        return PDState(heading=-float(euler_from_quaternion(obs.quat_wb).yaw))

    def goal(self, obs: Observation, ref: Reference, state: PDState) -> Setpoint | None:
        """Above or below itself, at the height that the throttle stick asks for."""
        return Setpoint(obs.pos_w.x, obs.pos_w.y, stick_height(ref.sticks[THROTTLE]), -state.heading)

    def mission(self, obs: Observation, ref: Reference, state: PDState) -> str:
        """The height is all it aims at."""
        return f"sticks of the thesis: height {stick_height(ref.sticks[THROTTLE]):.1f} m"


class Demand(NamedTuple):
    """What the motors together shall do: throttle 0..1; roll, pitch and yaw -1..1, as `control.mixing` counts them."""

    throttle: Number
    roll: Number
    pitch: Number
    yaw: Number


def stick_height(throttle: Number) -> Number:
    """Height that the throttle stick asks for [m]."""
    return STICK_HEIGHT * 0.5 * (throttle + 1.0)


def multirotor_pd(obs: Observation, ref: Reference, state: PDState, p: Any) -> tuple[Demand, PDState]:
    """Demand from four sticks. Pitch and heading are nose-up and nose-right positive, so both change sign."""
    sticks = ref.sticks
    roll, pitch, yaw = euler_from_quaternion(obs.quat_wb)
    heading = wrap(state.heading + HEADING_RATE * obs.period * sticks[YAW])
    now = PDState(
        heading,
        STICK_ANGLE * sticks[ROLL] - roll,
        STICK_ANGLE * sticks[PITCH] + pitch,
        wrap(heading + yaw),
        stick_height(sticks[THROTTLE]) - obs.pos_w.z,
        1.0,
    )
    per_second = state.started / obs.period  # no derivative before there is a last error
    return Demand(
        clip(p.alt_kp * now.height + p.alt_kd * per_second * (now.height - state.height), 0.0, 1.0),
        clip(p.roll_kp * now.roll + p.roll_kd * per_second * (now.roll - state.roll), -1.0, 1.0),
        clip(p.pitch_kp * now.pitch + p.pitch_kd * per_second * (now.pitch - state.pitch), -1.0, 1.0),
        clip(p.yaw_kp * now.yaw + p.yaw_kd * per_second * wrap(now.yaw - state.yaw), -1.0, 1.0),
    ), now
