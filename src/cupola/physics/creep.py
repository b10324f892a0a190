"""Why a Mecanum base drives sideways less far than its wheels say: loaded rollers creep along their axes.

A roller that rolls resists a little, in proportion to its load. Driving sideways, the wheels must push as hard along
the rollers' axes, and a soft roller that rolls while it is pushed aside creeps, as a tyre does at a slip angle: slip
per rolling speed = push / (stiffness × load). Resistance and stiffness appear only as their ratio, `share`.
"""

from cupola.physics.mecanum import DIAGONAL, Contact, Mecanum, Wheels, contacts
from cupola.physics.planar import Twist
from cupola.xmath import Number, absolute

SLOW = 1e-3
"""[m/s] of rolling below which the resistance fades."""


def creep(twist: Twist, w: Wheels, p: Mecanum, share: Number) -> Wheels:
    """Slip of each wheel along its roller [m/s] in steady motion, where the pushes balance the resistances."""
    c = contacts(twist, w, p)
    fr, fl = _resistance(c.front_right), _resistance(c.front_left)
    rl, rr = _resistance(c.rear_left), _resistance(c.rear_right)
    # Across a roller is (-1, 1) / √2 front right and rear left, (1, 1) / √2 at the others; wheels at (±x, ±y).
    force_x = DIAGONAL * (fl + rr - fr - rl)
    force_y = DIAGONAL * (fr + fl + rl + rr)
    turn = 0.5 * (p.wheelbase - p.track) * DIAGONAL * (fr + fl - rl - rr)
    # The pushes along the rollers that balance them with the least effort: the transposed columns, as they are normal.
    ahead, left = -0.5 * DIAGONAL * force_x, -0.5 * DIAGONAL * force_y
    twisting = -turn / (2.0 * DIAGONAL * (p.track + p.wheelbase))
    return Wheels(
        -share * absolute(c.front_right.across) * (ahead + left + twisting),
        -share * absolute(c.front_left.across) * (ahead - left - twisting),
        -share * absolute(c.rear_left.across) * (ahead + left - twisting),
        -share * absolute(c.rear_right.across) * (ahead - left + twisting),
    )


def _resistance(c: Contact) -> Number:
    """Against the rolling of a roller, 1 at most."""
    return -c.across / (absolute(c.across) + SLOW)
