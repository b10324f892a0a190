"""Raw driving of a base on Mecanum wheels: every stick is the speed of a wheel. No number leaves that wheel alone."""

from typing import Any, NamedTuple

from cupola.config.controller import Controller, NoState, parameter
from cupola.config.stick_words import StickWords
from cupola.kernel.commands import WHEEL_SPEEDS
from cupola.kernel.observation import Observation, Reference
from cupola.physics.mecanum import Wheels


def mecanum_wheels(obs: Observation, ref: Reference, state: NoState, p: Any) -> tuple[Wheels, NoState]:
    """Sticks 0 to 3 to the wheels front right, front left, rear left, rear right."""
    s = ref.sticks
    return Wheels(p.speed * s[0], p.speed * s[1], p.speed * s[2], p.speed * s[3]), state


class WheelSignals(NamedTuple):
    """Wheel speeds from the sticks; NaN keeps the command of a wheel."""

    wheels: Wheels
    """[rad/s] commanded."""


def wheel_signals(obs: Observation, ref: Reference, state: NoState, p: Any) -> WheelSignals:
    """The command itself."""
    return WheelSignals(mecanum_wheels(obs, ref, state, p)[0])


class MecanumWheels(Controller):
    """Sticks: four wheel speeds."""

    needs = WHEEL_SPEEDS
    stick_words = StickWords(
        roll=("front right on", "front right back"),
        pitch=("front left on", "front left back"),
        yaw=("rear left on", "rear left back"),
        throttle=("rear right on", "rear right back"),
    )
    law = staticmethod(mecanum_wheels)
    Signals = WheelSignals
    report = staticmethod(wheel_signals)

    speed: parameter = parameter(1.0, low=0, high=50, unit="rad/s", about="of a wheel whose stick is at 1")

    def mission(self, obs: Observation, ref: Reference, state: NoState) -> str:
        """It has no set-point."""
        return "sticks straight to the wheels"
