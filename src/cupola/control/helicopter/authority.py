"""What collective, cyclic and tail rotor do to a helicopter in hover, from the numbers of its rotors.

Small angles and uniform inflow: thrust is ρ (l Ω² θ - s Ω v), with v = √(T / 2ρA) (Johnson, "Helicopter Theory",
section 2-4).
"""

import math
from typing import NamedTuple

from cupola.config.parameters import parameter
from cupola.config.robot import Robot
from cupola.parts.described import BladedDisc
from cupola.physics.blades import SEA_LEVEL
from cupola.physics.rotation import cross

STANDARD = 9.81
UPRIGHT = 0.7


class Hover(NamedTuple):
    """A helicopter at rest in still air at sea level. Commands are those of its channels."""

    collective: float
    """That carries the weight."""
    idle: float
    """Without thrust."""
    climb: float
    """[m/s²] per collective."""
    lag: float
    """[s] by which the disc follows: tilt that a steady turn of the body leaves behind, per rate."""
    roll: float
    pitch: float
    """[s/rad] command per rate about body x and y."""
    tail: float
    """Command of the tail rotor that holds the torque."""
    yaw: float
    """[rad/s²] about body z per command of the tail rotor."""


def hover_of(robot: Robot, channel: int) -> Hover:
    """Of a robot with a rotor that lifts, with cyclic, and one at its tail; refuses others."""
    main = [one for one in robot.discs.values() if one.axis.z > UPRIGHT and min(one.tilt_channels) >= 0]
    tail = [one for one in robot.discs.values() if abs(one.axis.z) <= UPRIGHT]
    if len(main) != 1 or len(tail) != 1:
        there = ", ".join(robot.discs) or "none"
        raise ValueError(
            f"{robot.name} needs a helicopter_rotor with cyclic that lifts and one at the tail; it has {there}"
        )
    heard = (main[0].channel, *reversed(main[0].tilt_channels), tail[0].channel)
    if heard != tuple(range(channel, channel + 4)):
        raise ValueError(f"collective, roll, pitch and tail must be channels {channel} to {channel + 3}, got {heard}")
    return _hover(robot, main[0], tail[0])


def _hover(robot: Robot, main: BladedDisc, tail: BladedDisc) -> Hover:
    """Thrust that carries the weight, torque of it, and the thrust of the tail that holds that."""
    weight = robot.mass * (robot.gravity or STANDARD)
    lift = at_thrust(main, weight)
    torque = weight * lift.induced / main.speed + SEA_LEVEL * main.profile * main.speed * main.speed
    arm = cross(tail.place, tail.axis).z
    held = at_thrust(tail, main.direction * torque / arm)
    pitch, roll = main.tilt
    return Hover(
        (lift.pitch - main.collective_rest) / main.collective_gain,
        -main.collective_rest / main.collective_gain,
        main.collective_gain * lift.per_pitch / robot.mass,
        main.lag,
        main.lag / roll.x,
        main.lag / pitch.y,
        (held.pitch - tail.collective_rest) / tail.collective_gain,
        tail.collective_gain * held.per_pitch * arm / robot.inertia[2].z,
    )


class Lift(NamedTuple):
    """A disc at a thrust."""

    pitch: float
    """[rad] of its blades."""
    induced: float
    """[m/s]."""
    per_pitch: float
    """[N/rad] thrust once the inflow has followed."""


def at_thrust(disc: BladedDisc, thrust: float) -> Lift:
    """Without wind [N]."""
    area = 2.0 * SEA_LEVEL * disc.area
    induced = math.copysign(math.sqrt(abs(thrust) / area), thrust)
    per_pitch = SEA_LEVEL * disc.lift * disc.speed * disc.speed
    per_speed = SEA_LEVEL * disc.slope * disc.speed
    steady = per_pitch / (1.0 + per_speed / max(2.0 * area * abs(induced), 1e-9))
    return Lift((thrust + per_speed * induced) / per_pitch, induced, steady)


def of_hover(name: str, unit: str, about: str) -> parameter:
    """A parameter that follows from the robot."""

    def read(robot: Robot, channel: int) -> float:
        return float(getattr(hover_of(robot, channel), name))

    return parameter(robot=read, low=-1e4, high=1e4, unit=unit, within=math.inf, about=about)
