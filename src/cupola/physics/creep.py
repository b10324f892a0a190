"""Why a Mecanum base drives sideways less far than its wheels say: loaded rollers creep along their axes.

A roller that rolls resists a little, in proportion to its load. Driving sideways, the wheels must push as hard along
the rollers' axes, and a soft roller that rolls while it is pushed aside creeps, as a tyre does at a slip angle: slip
per rolling speed = push / (stiffness × load). Resistance and stiffness appear only as their ratio, `share`.
"""

from cupola.physics.mecanum import Contact, Mecanum, Wheels, contacts, forward_part
from cupola.physics.planar import Twist
from cupola.xmath import Number, absolute

SLOW = 1e-3
"""[m/s] of rolling below which the resistance fades."""


def creep(twist: Twist, w: Wheels, p: Mecanum, share: Number) -> Wheels:
    """Slip of each wheel along its roller [m/s] in steady motion, where the pushes balance the resistances."""
    c = contacts(twist, w, p)
    fr, fl = _resistance(c.front_right), _resistance(c.front_left)
    rl, rr = _resistance(c.rear_left), _resistance(c.rear_right)
    # Across a roller is unit (-slope, 1) front right and rear left, unit (slope, 1) at the others; wheels at (±x, ±y).
    unit, slope = forward_part(p.slope), p.slope
    force_x = unit * slope * (fl + rr - fr - rl)
    force_y = unit * (fr + fl + rl + rr)
    turn = 0.5 * (p.wheelbase - slope * p.track) * unit * (fr + fl - rl - rr)
    # The pushes along the rollers that balance them with the least effort: the transposed columns, as they are normal.
    half = -0.25 * (1.0 + slope * slope) * unit
    ahead, left = half * force_x, half / slope * force_y
    twisting = -turn / (2.0 * unit * (p.track + slope * p.wheelbase))
    return Wheels(
        -share * absolute(c.front_right.across) * (ahead + left + twisting),
        -share * absolute(c.front_left.across) * (ahead - left - twisting),
        -share * absolute(c.rear_left.across) * (ahead + left - twisting),
        -share * absolute(c.rear_right.across) * (ahead - left + twisting),
    )


def _resistance(c: Contact) -> Number:
    """Against the rolling of a roller, 1 at most."""
    return -c.across / (absolute(c.across) + SLOW)
