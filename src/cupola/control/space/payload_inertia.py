"""How the space robot moves where it does not reach for the target: joints held or turned, the base as it was.

Also what changes once the target is gripped, and a way to a target that moves.
"""

import math
from typing import NamedTuple

from cupola.control.space.homing import Three
from cupola.control.space.motion import (
    Change,
    DesiredMotion,
    Measured,
    Plan,
    coordinate_rates,
    coordinates,
    free_reference,
)
from cupola.control.space.states import Gap
from cupola.physics.impedance import Gains, impedance_acceleration
from cupola.physics.planar import Pose
from cupola.physics.quintic import quintic
from cupola.physics.rotation import wrap
from cupola.physics.space_arm import Arm, Constants
from cupola.physics.space_task import Actuated, Task, actuated_torques, float_free


class Load(NamedTuple):
    """What is gripped."""

    mass: float
    """[kg]."""
    distance: float
    """[m] from the grip to its centre of mass, straight ahead."""
    inertia: float
    """[kg m²] about that."""


class Way(NamedTuple):
    """Of the joints, along quintics: elbow and wrist first, then the shoulder, so that the arm swings folded."""

    start: Three
    goal: Three
    """[rad]."""
    duration: float
    """[s]."""


def with_target(arm: Arm, load: Load) -> Arm:
    """The arm whose last link and the target are one body."""
    mass, length = arm.mass3 + load.mass, arm.l3 + arm.r3
    centre = (arm.mass3 * arm.l3 + load.mass * (length + load.distance)) / mass
    inertia = arm.inertia3 + arm.mass3 * (centre - arm.l3) ** 2
    inertia += load.inertia + load.mass * (length + load.distance - centre) ** 2
    return arm._replace(mass3=mass, l3=centre, r3=length - centre, inertia3=inertia)


class Stiff(NamedTuple):
    """What holds them."""

    base: Gains
    joints: Gains


def held_torques(m: Measured, yaw: float, way: Way, time: float, stiff: Stiff, arm: Constants) -> Actuated:
    """The base at `yaw` [rad] and the joints where the way has them at `time` [s]: springs and dampers to both."""
    half = 0.5 * way.duration
    shares = quintic(time - half, half), quintic(time, half), quintic(time, half)
    wanted = [impedance_acceleration(wrap(m.base.yaw - yaw), m.base_rate.yaw, 0.0, 0.0, stiff.base)]
    for s, q, rate, start, goal in zip(shares, m.joints, m.joint_rates, way.start, way.goal, strict=True):
        far = goal - start
        error, error_rate = q - start - s.share * far, rate - s.rate * far
        wanted.append(s.acceleration * far + impedance_acceleration(error, error_rate, 0.0, 0.0, stiff.joints))
    return actuated_torques(float_free(coordinates(m), coordinate_rates(m), arm), Actuated(*wanted))


def gap_between(m: Measured) -> Gap:
    """From the hand to the place of the grip, in the target's axes."""
    c, s = math.cos(m.target.yaw), math.sin(m.target.yaw)
    x, y = m.target.x - m.hand.x, m.target.y - m.hand.y
    return Gap(c * x + s * y, -s * x + c * y, wrap(m.target.yaw - m.hand.yaw))


def closing_reference(plan: Plan, m: Measured) -> DesiredMotion:
    """A way whose end moves with the target: at rest at its beginning, at rest relative to the target at its end."""
    yaw = m.hand.yaw + wrap(m.target.yaw - m.hand.yaw)
    path = free_reference(plan._replace(goal=Pose(m.target.x, m.target.y, yaw)), m.time)
    s, v = quintic(m.time, plan.duration), m.target_rate
    moved = Change(s.share * v.x, s.share * v.y, s.share * v.yaw)
    bent = Change(2.0 * s.rate * v.x, 2.0 * s.rate * v.y, 2.0 * s.rate * v.yaw)
    return DesiredMotion(path.place, _plus(path.rate, moved), _plus(path.acceleration, bent))


def _plus(task: Task, change: Change) -> Task:
    return Task(task.base, task.x + change.x, task.y + change.y, task.yaw + change.yaw)
