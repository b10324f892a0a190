"""A controller of a space robot that looks, plans once, and steers the hand to the target by a law of its own.

The plan is latched at the first look, to the target where it is then. Commands are the torque on the base and those of
the joints [N m], then the gripper, which stays open, three pairs of thrusters, the reset of the drivers and the tare of
the force sensor. Beyond `guard` the posture is too near the singularity to be steered: it is held instead.
"""

import math
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from cupola.config.controller import Controller, parameter
from cupola.config.robot import Robot
from cupola.config.stick_words import NO_STICKS
from cupola.control.space.motion import DesiredMotion, Measured, Plan, plan_from
from cupola.control.space.payload_inertia import gap_between
from cupola.control.space.pd import hold_posture, posture_of
from cupola.control.space.robot_arm import (
    Chain,
    arm_of,
    chain_of,
    check_sensors,
    check_strength,
    chosen,
    drives_of,
    faint_of,
    motors_of,
    reach_of,
    start_posture_of,
    tool_mass_of,
)
from cupola.control.space.signals import (
    NO_GAP,
    NO_POSE,
    NO_RATE,
    NOT_SEEN,
    SpaceSignals,
    Torques,
    as_offset,
    as_pose,
    as_rate,
    as_seen,
    off_by,
)
from cupola.control.space.state_source import Eyes
from cupola.control.space.states import BRISK, WAIT
from cupola.control.space.steering import (
    Drivers,
    drive_numbers,
)
from cupola.control.space.torques import SMALLEST
from cupola.control.space.view import View
from cupola.control.told import NOTHING
from cupola.kernel.observation import Observation, Reference
from cupola.kernel.records import flat, size
from cupola.physics.planar import Pose
from cupola.physics.space_arm import Arm, constants
from cupola.physics.space_task import Actuated

MADE_UP = 0.9
"""Of the dry friction of a gear: all of it would move the arm by itself."""
MADE = size(Drivers) - size(Actuated)
"""Numbers of `Drivers` before what was sent last."""
LOOKS, FOLLOWS, HOLDS = "looks", "follows its reference", "holds its posture: the elbow is straight"


class SpaceController(Controller):
    """Looks, latches the plan, limits the torques, holds what it cannot steer. Override `law_of`."""

    stick_words = NO_STICKS
    rate_hz = 100.0
    Signals = SpaceSignals
    phases: ClassVar[tuple[str, ...]] = (LOOKS, FOLLOWS, HOLDS)
    duration: parameter = parameter(50.0, low=0.1, high=1000, unit="s", about="of the way to the target")
    beyond: parameter = chosen(
        lambda robot, c: 0.01 * reach_of(robot, c), 0, 1, "m", "past the target that the way ends, so that it touches"
    )
    guard: parameter = parameter(0.05, low=0, high=1, unit="1", about="least |sin q2| at which the hand is steered")
    hold: parameter = parameter(
        2.0, low=0.01, high=20, unit="rad/s", about="with which a posture is held beyond the guard"
    )
    most: parameter = chosen(lambda robot, _: BRISK * robot.inertia[2].z, 0, 1e9, "N m", "torque of any actuator")
    eyes: parameter = parameter(
        2, low=0, high=2, about="0: the truth, 1: sensors, filtered as in the thesis, 2: encoders first"
    )
    friction: parameter = chosen(
        lambda robot, c: MADE_UP * max(one.dry for one in drives_of(robot, c)), 0, 1e3, "N m", "of gears, made up for"
    )
    efficiency: parameter = chosen(
        lambda robot, c: min(one.efficiency for one in drives_of(robot, c)), 0.1, 1, "1", "of gears, made up for"
    )
    smallest: parameter = chosen(
        lambda robot, c: faint_of(robot, c, SMALLEST),
        0,
        1,
        "N m",
        "sent in the place of exactly zero, at which drivers fail",
    )

    def __init__(self, **values: Any) -> None:
        self._look: Eyes | None = None
        self._stale = self._stale_drivers = True
        self.chain: Chain | None = None
        self.tool_mass = 0.0
        """[kg] beyond the force sensor."""
        self.motors = Actuated(math.inf, math.inf, math.inf, math.inf)
        """[N m] that they give at most."""
        self.offsets: Sequence[float] = (0.0, 0.0, 0.0)
        """[rad] of encoders that count from where they were switched on."""
        super().__init__(**values)

    def accept(self, robot: Robot, channel: int) -> None:
        """Learn the robot's arm and tool; refuse a robot that lacks what it looks at."""
        self.know(arm_of(robot, channel))
        self.chain = chain_of(robot, channel)
        check_sensors(robot, round(self.eyes), ())
        check_strength(robot, channel)
        self.tool_mass, self.offsets = tool_mass_of(robot), start_posture_of(robot, channel)
        self.motors = motors_of(robot, channel)

    def know(self, arm: Arm) -> None:
        """Reckon with an arm."""
        self.arm, self.constants = arm, constants(arm)
        self.arm_numbers = np.array(flat(self.constants))

    def set(self, name: str, value: Any) -> None:
        """Numbers that the compiled law reads follow."""
        super().set(name, value)
        self._stale = self._stale_drivers = True

    def on_tune(self, name: str) -> None:
        """Restart the measurements with another source."""
        if name == "eyes":
            self._look = None

    def reset(self) -> None:
        """Forget the plan."""
        super().reset()
        self._look, self._stale = None, True
        self.view: View | None = None
        self.plan: Plan | None = None
        self.started = 0.0
        self.held_posture: Actuated | None = None
        self.measured: Measured | None = None
        self.reference: DesiredMotion | None = None
        """Where the law wants base and hand; None while it steers neither."""
        self.contact, self.push_wanted = 0.0, 0.0
        """Share of contact in the law, and the push that it wants [N]."""
        self.seen = np.zeros(size(Measured))
        """The measurement as compiled code reads it."""
        self.asked = Actuated(0.0, 0.0, 0.0, 0.0)
        """[N m] sent last."""
        self._torques, self._drivers, self._stale_drivers = np.zeros(4), np.zeros(size(Drivers)), True

    def memory(self) -> dict[str, Any]:
        """All but where in the world the samples lie."""
        look, self._look = self._look, None
        try:
            kept = super().memory()
        finally:
            self._look = look
        return {**kept, "filters": look.memory.copy() if look else None}

    def remember(self, memory: dict[str, Any]) -> None:
        """Filters go back too."""
        filters = memory["filters"]
        super().remember({name: value for name, value in memory.items() if name != "filters"})
        if filters is not None:
            self._look = self.begin_to_look()
            self._look.memory[:] = filters

    def begin_to_look(self) -> Eyes:
        """With the sensors that there are."""
        return Eyes(self.sensors, round(self.eyes), self.tool_mass, self.constants, self.chain)

    def glance(self, obs: Observation) -> View:
        """Look once."""
        if self._look is None:
            self._look = self.begin_to_look()
        self.view = self._look.see(obs, self.offsets)
        self.seen[:] = self._look.found[: len(self.seen)]
        return self.view

    def measure(self, obs: Observation) -> Measured | None:
        """What the law is to know now; its time is that since it could see. None: not yet."""
        view = self.glance(obs)
        if obs.time < WAIT or view.seen < 0.5:
            self.started = obs.time
            return None
        return view.measured._replace(time=obs.time - self.started)

    def law_of(self, m: Measured, plan: Plan, period: float) -> Actuated:
        """Torques [N m]."""
        raise NotImplementedError(f"{type(self).__name__} has no law: override law_of(m, plan, period)")

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Torque on the base, shoulder, elbow, wrist [N m], an open gripper, shut thrusters, no reset, the tare."""
        m = self.measured = self.measure(obs)
        if m is None:
            return (*self.driven((0.0, 0.0, 0.0, 0.0)), 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
        self.seen[:] = flat(m)
        if self.plan is None:
            self.plan = self._beyond(plan_from(m, self.duration))
        if abs(math.sin(m.joints.q2)) >= self.guard:
            self.held_posture = None
            torques = self.law_of(m, self.plan, obs.period)
        else:
            self.held_posture, self.reference = self.held_posture or posture_of(m), None
            torques = hold_posture(m, self.held_posture, self.constants, self.hold)
        return (*self.driven(torques), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)

    def driven(self, torques: Sequence[float], made_up: bool = True) -> Actuated:
        """Commands of the motors."""
        told = self._drivers
        if self._stale_drivers:
            told[:MADE] = flat(Drivers(self.friction, self.efficiency, *self._limits(), self.asked))[:MADE]
            self._stale_drivers = False
        told[0], told[MADE:] = self.friction if made_up else 0.0, self.asked
        self._torques[:] = torques
        drive_numbers(self._torques, told)
        self.asked = Actuated(*self._torques.tolist())
        return self.asked

    def _limits(self) -> tuple[Actuated, float]:
        """The largest torques and the smallest [N m]."""
        most = Actuated(*(min(self.most, motor) for motor in self.motors))
        return most, self.smallest

    def _beyond(self, plan: Plan) -> Plan:
        """The way ends a little past the target, along the heading of the goal."""
        x, y, yaw = plan.goal
        return plan._replace(goal=Pose(x + self.beyond * math.cos(yaw), y + self.beyond * math.sin(yaw), yaw))

    def signals(self) -> SpaceSignals:
        """Set-points, measurements and errors."""
        yaw = self.held_posture.base if self.held_posture else self.plan.base if self.plan else None
        phase = LOOKS if self.plan is None else HOLDS if self.held_posture else FOLLOWS
        m = self.measured
        hand, hand_rate, base = NO_POSE, NO_RATE, NO_POSE
        if self.reference is not None:
            hand, hand_rate = as_pose(self.reference.place), as_rate(self.reference.rate)
        if yaw is not None:
            base = base._replace(yaw=yaw)
        return SpaceSignals(
            base,
            hand,
            hand_rate,
            NO_POSE if m is None else off_by(m.base, base),
            NO_POSE if m is None else off_by(m.hand, hand),
            NO_GAP if m is None else as_offset(gap_between(m)),
            self.contact,
            NOTHING if m is None else m.push,
            self.push_wanted,
            NOT_SEEN if m is None else as_seen(m),
            Torques(*self.asked),
            NOTHING if self.view is None else self.view.wheel,
            float(self.plan is not None),
            float(self.phases.index(phase)),
        )

    def mission(self, obs: Observation, ref: Reference, state: object) -> str:
        """Approaching, or holding because it is singular."""
        return LOOKS if self.plan is None else HOLDS if self.held_posture else FOLLOWS
