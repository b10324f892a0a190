"""The laws of the space robot as controllers. Who knows how to measure gives them a `measure`; they know the rest.

The plan is latched at the first step, to the target where it is then. Commands are the torque on the base and those of
the joints [N m]. Beyond `guard` the posture is too near the singularity to be steered: it is held instead.
"""

import math
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from cupola.config.controller import Controller, parameter
from cupola.config.robot import Robot
from cupola.control.space.impedance import Impedance, by_either, by_force, by_time, impedance_for, impedance_torques
from cupola.control.space.motion import (
    DesiredMotion,
    Measured,
    Plan,
    contact_reference,
    free_reference,
    mix_references,
    plan_from,
)
from cupola.control.space.payload_inertia import gap_between
from cupola.control.space.pd import (
    DAMPING,
    STIFFNESS,
    cartesian_pd,
    hold_posture,
    posture_of,
)
from cupola.control.space.robot_arm import arm_of, chosen, load_of, reach_of
from cupola.control.space.torques import limit
from cupola.control.told import NOTHING, PlanarPose
from cupola.kernel.observation import Observation, Reference
from cupola.physics.impedance import Blend, Gains, gains, held_push
from cupola.physics.planar import Pose
from cupola.physics.rotation import wrap
from cupola.physics.space_arm import Arm, constants
from cupola.physics.space_task import Actuated
from cupola.xmath import Number


class Offset(NamedTuple):
    """From the hand to the place of the grip, in the target's axes."""

    along: Number
    """[m]."""
    across: Number
    """[m]."""
    turn: Number
    """[rad]."""


class SpaceSignals(NamedTuple):
    """What the robot wants, and how far it is off: what is, less what is wanted. Nothing where nothing is held."""

    base: PlanarPose
    """Wanted of the base; its place only while thrusters keep it."""
    hand: PlanarPose
    """Wanted of the hand, while it is steered."""
    base_error: PlanarPose
    """Of the base."""
    error: PlanarPose
    """Of the hand."""
    gap: Offset
    """From the hand to the place of the grip."""
    blend: Number
    """[1] share of contact in the law: 0 free, 1 in contact."""
    push: Number
    """[N] of the hand on the target, as measured."""
    push_wanted: Number
    """[N]."""
    phase: Number
    """[1]."""


BRISK = 8.0
"""[rad/s²] at which the largest torque would turn the whole stretched robot."""
NO_POSE = PlanarPose(NOTHING, NOTHING, NOTHING)


class SpaceController(Controller):
    """Latches the plan, limits the torques, holds what it cannot steer. Override `measure` and `law_of`."""

    rate_hz = 100.0
    Signals = SpaceSignals
    phases: ClassVar[tuple[str, ...]] = ("follows its reference", "holds its posture: the elbow is straight")
    duration: parameter = parameter(50.0, low=0.1, high=1000, unit="s", about="of the way to the target")
    beyond: parameter = chosen(
        lambda robot, c: 0.01 * reach_of(robot, c), 0, 1, "m", "past the target that the way ends, so that it touches"
    )
    guard: parameter = parameter(0.05, low=0, high=1, unit="1", about="least |sin q2| at which the hand is steered")
    hold: parameter = parameter(
        2.0, low=0.01, high=20, unit="rad/s", about="with which a posture is held beyond the guard"
    )
    most: parameter = chosen(lambda robot, _: BRISK * robot.inertia[2].z, 0, 1e9, "N m", "torque of any actuator")

    def accept(self, robot: Robot, channel: int) -> None:
        """Learn the robot's arm."""
        self.know(arm_of(robot, channel))

    def know(self, arm: Arm) -> None:
        """Reckon with an arm."""
        self.arm, self.constants = arm, constants(arm)

    def reset(self) -> None:
        """Forget the plan."""
        super().reset()
        self.plan: Plan | None = None
        self.held_posture: Actuated | None = None
        self.measured: Measured | None = None
        self.reference: DesiredMotion | None = None
        """Where the law wants base and hand; None while it steers neither."""
        self.contact, self.push_wanted = 0.0, 0.0
        """Share of contact in the law, and the push that it wants [N]."""

    def measure(self, obs: Observation) -> Measured:
        """What the law is to know now; its time is that since the plan was made."""
        raise NotImplementedError(f"{type(self).__name__} does not know how to measure: override measure(seen)")

    def law_of(self, m: Measured, plan: Plan, period: float) -> Actuated:
        """Torques [N m]."""
        raise NotImplementedError(f"{type(self).__name__} has no law: override law_of(m, plan, period)")

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Torque on the base, shoulder, elbow, wrist [N m]."""
        m = self.measured = self.measure(obs)
        if self.plan is None:
            self.plan = self._beyond(plan_from(m, self.duration))
        if abs(math.sin(m.joints.q2)) >= self.guard:
            self.held_posture = None
            torques = self.law_of(m, self.plan, obs.period)
        else:
            self.held_posture, self.reference = self.held_posture or posture_of(m), None
            torques = hold_posture(m, self.held_posture, self.constants, self.hold)
        return limit(torques, Actuated(self.most, self.most, self.most, self.most))

    def _beyond(self, plan: Plan) -> Plan:
        """The way ends a little past the target, along the heading of the goal."""
        x, y, yaw = plan.goal
        return plan._replace(goal=Pose(x + self.beyond * math.cos(yaw), y + self.beyond * math.sin(yaw), yaw))

    def signals(self) -> SpaceSignals:
        """What it wants, and how far it is off."""
        yaw = self.held_posture.base if self.held_posture else self.plan.base if self.plan else None
        return self.signals_of(self.measured, yaw, None, float(self.held_posture is not None))

    def signals_of(self, m: Measured | None, yaw: float | None, place: Pose | None, phase: float) -> SpaceSignals:
        """Those of a measurement, with the yaw [rad] and the place that the base shall keep."""
        hand = error = base = base_error = NO_POSE
        if self.reference is not None:
            hand = PlanarPose(self.reference.place.x, self.reference.place.y, self.reference.place.yaw)
        if place is not None:
            base = base._replace(x=place.x, y=place.y)
        if yaw is not None:
            base = base._replace(yaw=yaw)
        gap = Offset(NOTHING, NOTHING, NOTHING)
        if m is not None:
            gap = Offset(*gap_between(m))
            error, base_error = _off(m.hand, hand), _off(m.base, base)
        push = NOTHING if m is None else m.push
        return SpaceSignals(base, hand, base_error, error, gap, self.contact, push, self.push_wanted, phase)

    def mission(self, obs: Observation, ref: Reference, state: object) -> str:
        """Approaching, or holding because it is singular."""
        return "holds its posture: the elbow is straight" if self.held_posture else "follows its reference"


class SpaceImpedance(SpaceController):
    """One impedance law from approach through contact, blended by the push, and by time after the end of the way."""

    push: parameter = chosen(lambda robot, c: 0.005 * load_of(robot, c).mass, 0, 1e6, "N", "wanted on the target")
    contact_mass: parameter = chosen(
        lambda robot, c: 0.1 * load_of(robot, c).mass, 1e-6, 1e6, "kg", "that the hand feels like"
    )
    contact_damping: parameter = chosen(lambda robot, c: 3.0 * load_of(robot, c).mass, 0, 1e8, "N s/m", "of the hand")
    contact_stiffness: parameter = chosen(lambda robot, c: 10.0 * load_of(robot, c).mass, 0, 1e9, "N/m", "of the hand")
    along: parameter = parameter(
        0.0, low=0, high=1, unit="1", about="share of that stiffness along the push; 1 is the thesis"
    )
    base_frequency: parameter = parameter(
        5.0, low=0.01, high=30, unit="rad/s", about="with which the base goes back to its yaw"
    )
    dead_band: parameter = chosen(
        lambda robot, c: 1e-4 * load_of(robot, c).mass, 0, 1e5, "N", "push that is noise: four times its spread"
    )
    near: parameter = chosen(
        lambda robot, c: 0.2 * reach_of(robot, c), 0, 10, "m", "distance within which a push is contact"
    )
    release: parameter = parameter(0.5, low=0.001, high=10, unit="s", about="with which a lost contact is forgotten")
    follow: parameter = parameter(
        1.0, low=0, high=1, unit="1", about="share of the target's acceleration in the reference"
    )

    def reset(self) -> None:
        """Forget the touch too."""
        super().reset()
        self.held = 0.0

    def impedance(self) -> Impedance:
        """Its parameters as the law wants them."""
        return impedance_for(self.duration, self.push)._replace(
            contact=Gains(self.contact_mass, self.contact_damping, self.contact_stiffness),
            base=gains(1.0, 1.0, self.base_frequency),
            along=self.along,
            dead_band=self.dead_band,
            near=self.near,
            follow=self.follow,
        )

    def weights(self, m: Measured, plan: Plan, p: Impedance) -> Blend:
        """How much of contact there is."""
        return by_either(m, plan, self.held, p)

    def law_of(self, m: Measured, plan: Plan, period: float) -> Actuated:
        """Torques [N m]."""
        self.held = held_push(self.held, m.push, period, self.release)
        p = self.impedance()
        weights = self.weights(m, plan, p)
        self.contact, self.push_wanted = weights.contact, weights.contact * p.push
        free, contact = free_reference(plan, m.time), contact_reference(plan, m, p.follow)
        self.reference = mix_references(weights, free, contact)
        return impedance_torques(m, self.reference, weights, self.constants, p)


class SpaceImpedanceByForce(SpaceImpedance):
    """The theory: only the push decides what is contact."""

    def weights(self, m: Measured, plan: Plan, p: Impedance) -> Blend:
        """By the remembered push."""
        return by_force(m, self.held, p)


class SpaceImpedanceByTime(SpaceImpedance):
    """The thesis's program: contact begins when the way ends."""

    def weights(self, m: Measured, plan: Plan, p: Impedance) -> Blend:
        """By the clock."""
        return by_time(m, plan)


class SpacePD(SpaceController):
    """The thesis's Cartesian PD."""

    def law_of(self, m: Measured, plan: Plan, period: float) -> Actuated:
        """Torques [N m]."""
        self.reference = free_reference(plan, m.time)
        return cartesian_pd(m, plan, STIFFNESS, DAMPING)


def _off(actual: Pose, ref: PlanarPose) -> PlanarPose:
    turn = NOTHING if math.isnan(ref.yaw) else wrap(actual.yaw - ref.yaw)
    return PlanarPose(actual.x - ref.x, actual.y - ref.y, turn)
