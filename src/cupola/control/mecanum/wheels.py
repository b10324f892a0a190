"""Raw driving of a base on Mecanum wheels: every stick is the speed of a wheel. No number leaves that wheel alone."""

from typing import Any

from cupola.kernel.observation import Seen, Wanted
from cupola.physics.mecanum import Wheels
from cupola.sim.controller import Controller, NoState, parameter


def mecanum_wheels(seen: Seen, wanted: Wanted, state: NoState, p: Any) -> tuple[Wheels, NoState]:
    """Sticks 0 to 3 to the wheels front right, front left, rear left, rear right."""
    s = wanted.sticks
    return Wheels(p.speed * s[0], p.speed * s[1], p.speed * s[2], p.speed * s[3]), state


class MecanumWheels(Controller):
    """Sticks: four wheel speeds."""

    needs = "mecanum"
    law = staticmethod(mecanum_wheels)

    speed = parameter(1.0, low=0, high=50, unit="rad/s", about="of a wheel whose stick is at 1")

    def mission(self, seen: Seen, wanted: Wanted, state: NoState) -> str:
        """It aims at nothing."""
        return "sticks straight to the wheels"
