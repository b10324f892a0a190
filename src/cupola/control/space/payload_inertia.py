"""How the space robot moves where it does not reach for the target: joints held or turned, the base as it was.

Also what changes once the target is gripped, and a way to a target that moves.
"""

from typing import NamedTuple

from cupola.control.space.motion import (
    Change,
    DesiredMotion,
    Joints,
    Measured,
    Plan,
    coordinate_rates,
    coordinates,
    free_reference,
)
from cupola.control.space.states import Gap
from cupola.physics.impedance import Gains, impedance_acceleration
from cupola.physics.planar import Pose
from cupola.physics.quintic import Progress, quintic
from cupola.physics.rotation import wrap
from cupola.physics.space_arm import Arm, Constants
from cupola.physics.space_task import Actuated, Task, actuated_torques, float_free
from cupola.xmath import Number, clip, cos, sin, where


class Load(NamedTuple):
    """The gripped target."""

    mass: float
    """[kg]."""
    distance: float
    """[m] from the grip to its centre of mass, straight ahead."""
    inertia: float
    """[kg m²] about that."""


class Way(NamedTuple):
    """Of the joints, along quintics: elbow and wrist first, then the shoulder, so that the arm swings folded."""

    start: Joints
    goal: Joints
    """[rad]."""
    duration: Number
    """[s]."""


def with_target(arm: Arm, load: Load) -> Arm:
    """The arm whose last link and the target are one body."""
    mass, length = arm.mass3 + load.mass, arm.l3 + arm.r3
    centre = (arm.mass3 * arm.l3 + load.mass * (length + load.distance)) / mass
    own, other = centre - arm.l3, length + load.distance - centre
    inertia = arm.inertia3 + arm.mass3 * own * own + load.inertia + load.mass * other * other
    return changed(arm, mass, inertia, centre, length - centre, arm.rotor1, arm.rotor2, arm.rotor3)


def with_rotors(arm: Arm, rotor: Number) -> Arm:
    """The arm whose joints feel motors of this inertia [kg m²]."""
    return changed(arm, arm.mass3, arm.inertia3, arm.l3, arm.r3, rotor, rotor, rotor)


def changed(
    arm: Arm, mass3: Number, inertia3: Number, l3: Number, r3: Number, rotor1: Number, rotor2: Number, rotor3: Number
) -> Arm:
    """The arm with another last link and other motors: compiled code has no `_replace`."""
    return Arm(
        arm.mass0,
        arm.mass1,
        arm.mass2,
        mass3,
        arm.inertia0,
        arm.inertia1,
        arm.inertia2,
        inertia3,
        arm.l1,
        arm.r1,
        arm.l2,
        arm.r2,
        l3,
        r3,
        arm.shoulder_x,
        arm.shoulder_y,
        arm.mount,
        rotor1,
        rotor2,
        rotor3,
    )


class Stiff(NamedTuple):
    """Holding gains."""

    base: Gains
    joints: Gains


def held_torques(m: Measured, yaw: Number, way: Way, time: Number, stiff: Stiff, arm: Constants) -> Actuated:
    """The base at `yaw` [rad] and the joints where the way has them at `time` [s]: springs and dampers to both."""
    half = 0.5 * way.duration
    late, early = quintic(time - half, half), quintic(time, half)
    wanted = Actuated(
        impedance_acceleration(wrap(m.base.yaw - yaw), m.base_rate.yaw, 0.0, 0.0, stiff.base),
        _along(late, m.joints.q1, m.joint_rates.q1, way.start.q1, way.goal.q1, stiff.joints),
        _along(early, m.joints.q2, m.joint_rates.q2, way.start.q2, way.goal.q2, stiff.joints),
        _along(early, m.joints.q3, m.joint_rates.q3, way.start.q3, way.goal.q3, stiff.joints),
    )
    return actuated_torques(float_free(coordinates(m), coordinate_rates(m), arm), wanted)


def _along(s: Progress, q: Number, rate: Number, start: Number, goal: Number, p: Gains) -> Number:
    """Acceleration [rad/s²] of a joint along its way, back to it where it is off."""
    far = goal - start
    return s.acceleration * far + impedance_acceleration(q - start - s.share * far, rate - s.rate * far, 0.0, 0.0, p)


def gap_between(m: Measured) -> Gap:
    """From the hand to the place of the grip, in the target's axes."""
    c, s = cos(m.target.yaw), sin(m.target.yaw)
    x, y = m.target.x - m.hand.x, m.target.y - m.hand.y
    return Gap(c * x + s * y, -s * x + c * y, wrap(m.target.yaw - m.hand.yaw))


def closing_reference(plan: Plan, m: Measured) -> DesiredMotion:
    """A way whose end moves with the target: at rest at its beginning, at rest relative to the target at its end."""
    yaw = m.hand.yaw + wrap(m.target.yaw - m.hand.yaw)
    path = free_reference(Plan(plan.start, Pose(m.target.x, m.target.y, yaw), plan.base, plan.duration), m.time)
    s, v = quintic(m.time, plan.duration), m.target_rate
    moved = Change(s.share * v.x, s.share * v.y, s.share * v.yaw)
    bent = Change(2.0 * s.rate * v.x, 2.0 * s.rate * v.y, 2.0 * s.rate * v.yaw)
    return DesiredMotion(path.place, _plus(path.rate, moved), _plus(path.acceleration, bent))


def pressed_on(reference: DesiredMotion, plan: Plan, m: Measured, creep: Number, beyond: Number) -> DesiredMotion:
    """After the end of the way the reference goes on with `creep` [m/s], `beyond` [m] at most, until the hand touches.

    So contact is found by touching, whatever the target's measured place is off.
    """
    late = m.time - plan.duration
    ahead = clip(creep * late, 0.0, beyond)
    speed = where(late <= 0.0, 0.0, where(creep * late < beyond, creep, 0.0))
    c, s = cos(m.target.yaw), sin(m.target.yaw)
    place, rate = reference.place, reference.rate
    return DesiredMotion(
        Task(place.base, place.x + ahead * c, place.y + ahead * s, place.yaw),
        Task(rate.base, rate.x + speed * c, rate.y + speed * s, rate.yaw),
        reference.acceleration,
    )


def _plus(task: Task, change: Change) -> Task:
    return Task(task.base, task.x + change.x, task.y + change.y, task.yaw + change.yaw)
