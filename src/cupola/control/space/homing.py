"""Finding the angles of joints whose encoders count from wherever they were switched on.

One joint after another is turned gently against an end stop whose angle is known. What the encoder lacks there is its
offset. Meanwhile the other joints are held.
"""

from typing import NamedTuple

Three = tuple[float, float, float]
NONE: Three = (0.0, 0.0, 0.0)
DONE = 3
"""Joints that there are."""


SIDES: Three = (1.0, -1.0, -1.0)
"""Which stop of shoulder, elbow and wrist is sought: the positive one, the negative ones (Cepheus thesis, C.2)."""


class Stops(NamedTuple):
    """Of shoulder, elbow and wrist."""

    angles: Three
    """[rad] where they are."""
    push: Three
    """[N m] at most, also against the stop."""
    stiffness: Three
    """[N m/rad] that follows the wanted angle, and holds the other joints."""
    damping: Three
    """[N m s/rad], the same."""
    sides: Three = SIDES
    """Which way each one is turned."""
    speed: float = 0.2
    """[rad/s]."""
    creep: float = 0.01
    """[rad/s] below which a joint that is pushed has arrived."""
    time: float = 0.5
    """[s] for which it must."""


class Homing(NamedTuple):
    """How far it is."""

    joint: int = 0
    """Which one is turned now; 3: all are found."""
    wanted: Three = NONE
    """[rad] by the encoders."""
    waited: float = 0.0
    """[s] against the stop."""
    offsets: Three = NONE
    """[rad] to add to what the encoders say."""


def begin_homing(said: Three) -> Homing:
    """From where the encoders are now."""
    return Homing(wanted=said)


def home(h: Homing, said: Three, rates: Three, period: float, p: Stops) -> tuple[Homing, Three]:
    """One look later, and the torques on the joints [N m]."""
    k = h.joint
    if k < DONE:
        pushed = p.stiffness[k] * abs(h.wanted[k] - said[k]) >= p.push[k]
        waited = h.waited + period if pushed and abs(rates[k]) < p.creep else 0.0
        if waited >= p.time:
            h = Homing(k + 1, _put(h.wanted, k, said[k]), 0.0, _put(h.offsets, k, p.angles[k] - said[k]))
        else:
            ahead = h.wanted[k] + (0.0 if pushed else p.sides[k] * p.speed * period)
            h = h._replace(wanted=_put(h.wanted, k, ahead), waited=waited)
    return h, _torques(h, said, rates, p)


def _torques(h: Homing, said: Three, rates: Three, p: Stops) -> Three:
    """Spring and damper to the wanted angles; the joint that is turned pushes no harder than it may."""

    def torque(k: int) -> float:
        speed = p.sides[k] * p.speed if k == h.joint and h.waited == 0.0 else 0.0
        wish = p.stiffness[k] * (h.wanted[k] - said[k]) + p.damping[k] * (speed - rates[k])
        return max(-p.push[k], min(p.push[k], wish)) if k == h.joint else wish

    return torque(0), torque(1), torque(2)


def _put(values: Three, k: int, value: float) -> Three:
    one, two, three = (value if i == k else old for i, old in enumerate(values))
    return one, two, three
