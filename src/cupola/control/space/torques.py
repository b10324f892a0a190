"""From the torques of a law to what the motors are asked for: losses of gears, limits, and never exactly zero.

Ratio and sense of the gears are the motors' own: `parts/joints/joint_motor.py`.

The drivers of the Cepheus robot fault at a command of exactly zero (NTUA 2025, appendix B.2), so the last step gives
them the smallest torque instead, in the direction of the one before.
"""

from cupola.physics.space_task import Actuated
from cupola.xmath import Number, clip, maximum, minimum, where

SMALLEST = 1e-5
"""[N m]."""
EAGER = 0.01
"""[N m]."""
TINY = 1e-300


def together(torques: Actuated, most: Actuated) -> Actuated:
    """All four by one share, so that none is beyond its own bound [N m].

    The torques of a law belong together. Where the wheel alone is cut, the arm's reaction stays on the base without its
    answer, the base turns, and the law asks for ever more of both.
    """
    share = minimum(
        minimum(_share(torques.base, most.base), _share(torques.q1, most.q1)),
        minimum(_share(torques.q2, most.q2), _share(torques.q3, most.q3)),
    )
    return Actuated(share * torques.base, share * torques.q1, share * torques.q2, share * torques.q3)


def _share(torque: Number, most: Number) -> Number:
    """Of a torque that its bound leaves."""
    return where(abs(torque) > most, most / maximum(abs(torque), TINY), 1.0)


def limit(torques: Actuated, most: Actuated) -> Actuated:
    """Each within its own bounds [N m]."""
    return Actuated(
        clip(torques.base, -most.base, most.base),
        clip(torques.q1, -most.q1, most.q1),
        clip(torques.q2, -most.q2, most.q2),
        clip(torques.q3, -most.q3, most.q3),
    )


def geared(torques: Actuated, friction: Number, efficiency: Number) -> Actuated:
    """What the motors of the joints are asked for so that these torques are left behind gears with dry friction [N m].

    Friction is made up for in the direction of the torque, in full from `EAGER` on: less than there is moves nothing.
    """
    return Actuated(
        torques.base,
        _geared(torques.q1, friction, efficiency),
        _geared(torques.q2, friction, efficiency),
        _geared(torques.q3, friction, efficiency),
    )


def _geared(torque: Number, friction: Number, efficiency: Number) -> Number:
    return (torque + friction * clip(torque / EAGER, -1.0, 1.0)) / efficiency


def awake(torque: Number, before: Number, smallest: Number = SMALLEST) -> Number:
    """The torque, or the smallest one with the sign of the one before if it is exactly zero."""
    return where(torque == 0.0, where(before < 0.0, -smallest, smallest), torque)


def never_zero(torques: Actuated, before: Actuated, smallest: Number = SMALLEST) -> Actuated:
    """For all four drivers. `before` is what was sent last; `smallest` 0 leaves zero as it is."""
    return Actuated(
        awake(torques.base, before.base, smallest),
        awake(torques.q1, before.q1, smallest),
        awake(torques.q2, before.q2, smallest),
        awake(torques.q3, before.q3, smallest),
    )
