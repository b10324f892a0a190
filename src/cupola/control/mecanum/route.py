"""Drives what the sticks say in SI units, open loop: 0 forward, 1 left [m/s], 2 turn rate [rad/s].

With the `route` of a scenario it is the thesis's generator and inverse kinematics in one; without, the way in for
another program that commands velocities.
"""

from typing import Any

from cupola.control.mecanum.drive import MecanumGeometry, wheels_for
from cupola.kernel.observation import Seen, Wanted
from cupola.physics.mecanum import Wheels
from cupola.physics.planar import Twist
from cupola.sim.controller import NoState


def mecanum_route(seen: Seen, wanted: Wanted, state: NoState, p: Any) -> tuple[Wheels, NoState]:
    """Inverse kinematics of what the sticks say now."""
    return wheels_for(Twist(wanted.sticks[0], wanted.sticks[1], wanted.sticks[2]), p), state


class MecanumRoute(MecanumGeometry):
    """Sticks: forward, left [m/s], turn rate [rad/s]. Made for the `route` of a scenario."""

    law = staticmethod(mecanum_route)

    def mission(self, seen: Seen, wanted: Wanted, state: NoState) -> str:
        """What it drives now."""
        x, y, rate = wanted.sticks[:3]
        return f"driving {x:g} m/s forward, {y:g} m/s left, {rate:g} rad/s"
