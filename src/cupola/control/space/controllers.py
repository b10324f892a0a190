"""The laws of the Cepheus thesis as controllers."""

from typing import ClassVar

import numpy as np

from cupola.config.controller import parameter
from cupola.control.space.impedance import Impedance, impedance_for
from cupola.control.space.motion import Measured, Plan, free_reference
from cupola.control.space.pd import DAMPING, STIFFNESS, cartesian_pd
from cupola.control.space.robot_arm import (
    chosen,
    load_of,
    quiet_push_of,
    reach_of,
)
from cupola.control.space.space_controller import SpaceController
from cupola.control.space.steering import (
    BY_FORCE,
    BY_TIME,
    EITHER,
    Reach,
    Steered,
    steer_numbers,
)
from cupola.kernel.records import construct, flat, size
from cupola.physics.impedance import Gains, gains
from cupola.physics.space_task import Actuated


class SpaceImpedance(SpaceController):
    """One impedance law from approach through contact, blended by the push, and by time after the end of the way."""

    rule: ClassVar[float] = EITHER
    """Conditions for contact."""
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
    dead_band: parameter = chosen(quiet_push_of, 0, 1e5, "N", "push that is noise: four times its spread")
    sharpness: parameter = parameter(
        1e7, low=1e-3, high=1e20, unit="1/N", about="of the blend beyond the dead band: the thesis's a1"
    )
    near: parameter = chosen(
        lambda robot, c: 0.2 * reach_of(robot, c), 0, 10, "m", "distance within which a push is contact"
    )
    release: parameter = parameter(0.5, low=0.001, high=10, unit="s", about="with which a lost contact is forgotten")
    follow: parameter = parameter(
        1.0, low=0, high=1, unit="1", about="share of the target's acceleration in the reference"
    )
    intercept: parameter = parameter(0, low=0, high=1, about="1: the end of the way moves with the target")
    beyond: parameter = chosen(
        lambda robot, c: 0.2 * reach_of(robot, c), 0, 10, "m", "past the target that the hand goes on until it touches"
    )
    creep: parameter = chosen(
        lambda robot, c: 0.04 * reach_of(robot, c),
        0,
        10,
        "m/s",
        "with which it does; 0: the way ends there",
    )

    def reset(self) -> None:
        """Forget the touch too."""
        super().reset()
        self.held = 0.0
        """[N] push, remembered."""
        self._law = np.zeros(size(Impedance))
        self._reach, self._steered = np.zeros(size(Reach)), np.zeros(size(Steered))

    def _beyond(self, plan: Plan) -> Plan:
        """To the target itself where the hand creeps on from there."""
        return plan if self.creep > 0.0 else super()._beyond(plan)

    def impedance(self) -> Impedance:
        """Its parameters as the law wants them."""
        return impedance_for(self.duration, self.push)._replace(
            contact=Gains(self.contact_mass, self.contact_damping, self.contact_stiffness),
            base=gains(1.0, 1.0, self.base_frequency),
            along=self.along,
            dead_band=self.dead_band,
            near=self.near,
            sharpness=self.sharpness,
            follow=self.follow,
        )

    def law_of(self, m: Measured, plan: Plan, period: float) -> Actuated:
        """Torques [N m]; it notes what else came out."""
        if self._stale:
            self._law[:], self._stale = flat(self.impedance()), False
        told = self._reach
        numbers = len(told) - len(self._law)
        told[:numbers] = (
            *(*plan.start, *plan.goal, plan.base, plan.duration),
            *(self.rule, self.intercept, self.creep, self.beyond, self.held, self.release, period),
        )
        told[numbers:] = self._law
        steer_numbers(self.seen, told, self.arm_numbers, self._steered)
        found: Steered = construct(Steered, self._steered.tolist())
        self.reference, self.contact, self.push_wanted = found.reference, found.blend, found.push_wanted
        self.held = found.held
        return found.torques


class SpaceImpedanceByForce(SpaceImpedance):
    """The thesis's theory: the push alone decides about contact."""

    rule = BY_FORCE


class SpaceImpedanceByTime(SpaceImpedance):
    """The thesis's program: contact begins at the end of the path."""

    rule = BY_TIME


class SpacePD(SpaceController):
    """The thesis's Cartesian PD: each error of the hand acts on one joint; tuned for one posture."""

    def law_of(self, m: Measured, plan: Plan, period: float) -> Actuated:
        """Torques [N m]."""
        self.reference = free_reference(plan, m.time)
        return cartesian_pd(m, plan, STIFFNESS, DAMPING)
