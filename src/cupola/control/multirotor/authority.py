"""What a unit of throttle, roll, pitch or yaw signal does to a multirotor in hover, from the places of its rotors."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from cupola.config.parameters import parameter
from cupola.config.robot import Robot, one_at
from cupola.parts.described import RotorPlace

Mix = Callable[[float, float, float, float], Sequence[float]]
"""From throttle, roll, pitch, yaw to motor signals."""
SMALL = 1e-3
STANDARD = 9.81
LIFTING = 0.7
"""[m/s²]."""
MIXED = 0.2
"""Share of a signal's effect that may go into another axis."""


class Authority(NamedTuple):
    """Per unit of signal, at the throttle that carries the weight."""

    hover: float
    """That throttle."""
    climb: float
    """[m/s²]."""
    roll: float
    pitch: float
    yaw: float
    """[rad/s²], right side down, nose up, nose right."""


def authority_of(robot: Robot, channel: int, mix: Mix, count: int) -> Authority:
    """Of a robot whose rotors listen from a channel on in the order of a mixing; refuses rotors that do not fit it."""
    rotors: list[RotorPlace] = [one_at(robot.rotors, channel + k, "rotor", robot.name) for k in range(count)]
    lift = math.fsum(rotor.full_thrust * rotor.axis.z for rotor in rotors)
    gravity = robot.gravity or STANDARD  # also where nothing weighs anything a thrust of that size is asked for
    weight = robot.mass * gravity
    if not lift > 1.2 * weight:
        raise ValueError(f"its {count} rotors lift {lift:.3g} N at full throttle, and it weighs {weight:.3g} N")
    hover = math.sqrt(weight / lift)
    rest = mix(hover, 0.0, 0.0, 0.0)
    turns = []
    for axis in range(3):
        signal = [SMALL if k == axis else 0.0 for k in range(3)]
        more = [(a - b) / SMALL for a, b in zip(mix(hover, *signal), rest, strict=True)]
        turns.append(_turn(robot, rotors, [2.0 * hover * m for m in more]))
    for name, axis, turn in zip(("roll", "pitch", "yaw"), range(3), turns, strict=True):
        beside = max(abs(turn[k]) for k in range(2) if k != axis)  # a mixing may leak into the slow yaw
        if turn[axis] <= 0.0 or beside > MIXED * turn[axis]:
            places = ", ".join(f"{channel + k} at ({r.place.x:.3g}, {r.place.y:.3g}) m" for k, r in enumerate(rotors))
            raise ValueError(f"its rotors do not stand where the {name} signal expects them; by channel: {places}")
    return Authority(hover, 2.0 * gravity / hover, turns[0][0], turns[1][1], turns[2][2])


def _turn(robot: Robot, rotors: list[RotorPlace], more: list[float]) -> tuple[float, float, float]:
    """Angular acceleration, right side down, nose up, nose right, of more full thrust on each rotor."""
    x = y = z = 0.0
    for rotor, share in zip(rotors, more, strict=True):
        force = share * rotor.full_thrust
        a, p = rotor.axis, rotor.place
        x += force * (p.y * a.z - p.z * a.y + rotor.torque_ratio * a.x)
        y += force * (p.z * a.x - p.x * a.z + rotor.torque_ratio * a.y)
        z += force * (p.x * a.y - p.y * a.x + rotor.torque_ratio * a.z)
    inertia = robot.inertia
    return x / inertia[0].x, -y / inertia[1].y, -z / inertia[2].z


def stiffness(axis: str, mix: Mix, count: int, bandwidth: float) -> parameter:
    """A gain [signal per rad or m] that gives a robot this bandwidth [rad/s]."""
    return _gain(axis, mix, count, bandwidth * bandwidth, "1/m" if axis == "climb" else "1/rad")


def damping(axis: str, mix: Mix, count: int, bandwidth: float, ratio: float) -> parameter:
    """A gain [signal s per rad or m] that damps this bandwidth [rad/s] by this ratio."""
    return _gain(axis, mix, count, 2.0 * ratio * bandwidth, "s/m" if axis == "climb" else "s/rad")


def _gain(axis: str, mix: Mix, count: int, wanted: float, unit: str) -> parameter:
    def read(robot: Robot, channel: int) -> float:
        return wanted / float(getattr(authority_of(robot, channel, mix, count), axis))

    return parameter(robot=read, low=0, high=1e3, unit=unit, within=math.inf)


def hover_drag(robot: Robot, channel: int) -> float:
    """[1/s] by which the lifting rotors of a robot slow it down across their shafts, in hover."""
    lifting = [one for one in robot.rotors.values() if one.axis.z > LIFTING]
    each = robot.mass * (robot.gravity or STANDARD) / max(len(lifting), 1)
    return math.fsum(one.side_drag * math.sqrt(each) for one in lifting) / robot.mass if robot.mass else 0.0


SLOWEST, FASTEST = 2.0, 40.0
"""[rad/s] of an attitude loop that a multirotor of any size flies with."""
LEAST, MOST = 0.25, 5.0
"""The same for its damping ratio."""


def check_response(axis: str, kp: float, kd: float, effect: float) -> None:
    """Refuse gains that were made for another vehicle: what they make of this one, and what it needs."""
    bandwidth = math.sqrt(kp * effect)
    ratio = kd * effect / (2.0 * bandwidth) if bandwidth else math.inf
    if not (SLOWEST <= bandwidth <= FASTEST and LEAST <= ratio <= MOST):
        raise ValueError(
            f"{axis}_kp {kp:g} and {axis}_kd {kd:g} give it {bandwidth:.3g} rad/s with a damping ratio of {ratio:.3g}; "
            f"it needs {SLOWEST:g} to {FASTEST:g} rad/s and {LEAST:g} to {MOST:g}"
        )
