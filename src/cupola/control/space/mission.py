"""The whole capture in one controller: homing, approach, contact, soft grip, hard grip, rest.

Which state follows which is the table in `states.py`; what the robot sees comes from `state_source.py`, truth or
sensors; how the arm reaches for the target is the impedance law of `controllers.py`, how it is held in between
`payload_inertia.py`.
"""

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from cupola.config.controller import parameter
from cupola.config.robot import Robot
from cupola.control.space.base import Station, StationState, keep_station
from cupola.control.space.controllers import SpaceImpedance, SpaceSignals
from cupola.control.space.homing import DONE, Homing, Three, begin_homing, home
from cupola.control.space.impedance import impedance_torques
from cupola.control.space.motion import (
    Measured,
    Plan,
    contact_reference,
    free_reference,
    mix_references,
    plan_from,
)
from cupola.control.space.payload_inertia import (
    Stiff,
    Way,
    closing_reference,
    gap_between,
    held_torques,
    with_target,
)
from cupola.control.space.robot_arm import (
    TARGET,
    arm_of,
    chosen,
    layout_of,
    load_of,
    posture_of,
    push_noise_of,
    ranges_of,
    reach_of,
    stops_of,
    tilt_of,
    tool_mass_of,
)
from cupola.control.space.state_source import ArmEyes, Eyes, SensorEyes, TruthEyes, View
from cupola.control.space.states import FIRST, TABLE, CatchLimits, Held, Signs, close_enough, hold, next_state
from cupola.control.space.torques import geared, limit
from cupola.kernel.observation import Observation, Reference
from cupola.physics.impedance import Blend, gains, held_push
from cupola.physics.planar import Pose
from cupola.physics.rotation import wrap
from cupola.physics.space_arm import constants
from cupola.physics.space_task import Actuated

FAINT = 1e-4
"""[N m] the safe torque: at exactly zero the drivers fail (Cepheus thesis, appendix B.2)."""
ORDERS = {"open": 0.0, "soft": 1.0, "hard": 2.0}
SOFT, HARD = 1.0, 2.0
STOP, CLOSE, FOLD, GO_ON = 8, 9, 10, 11
"""Stick channels of the operator; above a half is an order."""
WAIT = 0.5
"""[s] of looking, and of taring the force sensor, before anything moves."""
RISE = 0.2
"""[s] in which the wanted push grows after a touch."""
APART = 1.0
"""[s] out of reach of the gripper until the approach begins anew."""
BLIND = 0.5
"""[s] without a look at one of the bodies."""
STILL = math.radians(0.5), math.radians(0.2)
"""[rad], [rad/s] of the base that count as rest."""
MARGIN = math.radians(1.0)
"""[rad] from an end stop at which the arm has no room."""
STRAIGHT = math.sin(math.radians(12.0))
"""|sin q2| at which the arm counts as stretched; the law's inverse is damped from 10° on."""
HOMING_BASE, HOMING_DAMPED = 2.6, 1.3
"""[rad/s] of the base while the angles of the joints are not known, and its damping."""
QUIET = 3.0
"""Times the spread of the force sensor that a touch must be."""
SEEN = ("force", "gripper_imu", "grip")
"""Sensors that every look needs."""
SEEN_BY = (("hand_truth", "joints"), ("base_mocap", "hand_mocap"), ("base_mocap", "hand_mocap"))
SEEN_OF_TARGET = ("truth", "mocap", "mocap")
"""The same for each kind of `eyes`."""
SAFE_POSTURE: Three = (math.radians(45.0), math.radians(45.0), math.radians(10.0))
"""[rad] (Cepheus thesis, appendix C.2)."""


def _posture_parameter(joint: int, about: str) -> parameter:
    """A choice of its own, so that any angle goes."""
    return chosen(lambda robot, c: math.degrees(posture_of(robot, c)[joint]), -180, 180, "°", about)


class SpaceMission(SpaceImpedance):
    """Captures a floating target: homes, approaches, touches, grips, comes to rest."""

    phases = tuple(TABLE)
    safe_command = (FAINT, FAINT, FAINT, FAINT, None)
    faint: ClassVar[float] = FAINT
    look: Eyes | None
    view: View | None
    home_state: Homing
    ranges: tuple[tuple[float, float], ...]

    eyes: parameter = parameter(
        2, low=0, high=2, about="0: the truth, 1: sensors, filtered as in the thesis, 2: encoders first"
    )
    homing: parameter = parameter(
        0, low=0, high=1, about="1: find the end stops first; 0: it was switched on in its posture"
    )
    intercept: parameter = parameter(0, low=0, high=1, about="1: the end of the way moves with the target")
    grip: parameter = parameter(1, low=0, high=1, about="0: stay in contact and never grip")
    touch: parameter = chosen(
        lambda robot, c: 0.03 * load_of(robot, c).mass, 0.0, 1e6, "N", "of measured push that counts as contact"
    )
    catch_distance: parameter = chosen(
        lambda robot, c: 0.8 * reach_of(robot, c), 1e-6, 50, "m", "of hand and target, along and across"
    )
    catch_turn: parameter = chosen(lambda robot, c: 0.57 * tilt_of(robot, c), 0.01, 1.0, "rad", "the same, turned")
    catch_time: parameter = parameter(0.3, low=0.0, high=10.0, unit="s", about="for which they must be so close")
    posture_1: parameter = _posture_parameter(0, "shoulder before the approach; unless given, as at the start")
    posture_2: parameter = _posture_parameter(1, "elbow")
    posture_3: parameter = _posture_parameter(2, "wrist")
    posture_time: parameter = parameter(10.0, low=0.1, high=100.0, unit="s", about="to get there")
    hold_frequency: parameter = parameter(
        2.0, low=0.1, high=20.0, unit="rad/s", about="of the joints where they are held"
    )
    station: parameter = parameter(0, low=0, high=1, about="1: once it holds the target, thrusters keep its place")
    friction: parameter = parameter(0.0, low=0, high=1, unit="N m", about="of a joint's gear, made up for")
    efficiency: parameter = parameter(1.0, low=0.1, high=1, about="of a joint's gear, made up for")
    rotor: parameter = parameter(
        robot=lambda robot, c: arm_of(robot, c).rotor1,
        low=0,
        high=1e3,
        unit="kg m²",
        about="inertia of a motor as its joint feels it",
    )

    def accept(self, robot: Robot, channel: int) -> None:
        """Learn arm, tool, target, stops and nozzles; refuse a robot that lacks what the mission looks at."""
        super().accept(robot, channel)
        self._check_sensors(robot)
        self.load = load_of(robot, channel)
        self.tool_mass: float = tool_mass_of(robot)
        """[kg] beyond the force sensor."""
        self.ranges = ranges_of(robot, channel)
        self.nozzles = layout_of(robot, channel)
        self.stops = stops_of(robot, channel, self.constants)
        noise = push_noise_of(robot)
        if self.touch < QUIET * noise:
            raise ValueError(
                f"touch: it would take the noise of its force sensor, {noise:.3g} N, for a touch of {self.touch:.3g} N"
            )
        self._check_choices()

    def on_tune(self, name: str) -> None:
        """What was computed at the first step follows."""
        self._check_choices()
        if name in ("rotor", "eyes") and self.look:
            found, self.look = self.home_state, self._begin()
            self.home_state = found

    def _check_choices(self) -> None:
        if self.station > 0.5 and self.nozzles is None:
            raise ValueError("station: the robot has no pairs of thrusters to keep its place with")
        if self.homing > 0.5 and self.stops is None:
            raise ValueError("homing: a joint of the robot has no end stop to be found")

    def _check_sensors(self, robot: Robot) -> None:
        eyes, target = round(self.eyes), robot.others.get(TARGET)
        lacking = [name for name in (*SEEN, *SEEN_BY[eyes]) if name not in robot.parts]
        if target is not None and SEEN_OF_TARGET[eyes] not in target.parts:
            lacking.append(f"{TARGET}/{SEEN_OF_TARGET[eyes]}")
        if lacking:
            raise ValueError(
                f"eyes: {eyes} looks at {', '.join(lacking)}, which are not there; {robot.name} has: "
                f"{', '.join(robot.parts)}"
            )

    def reset(self) -> None:
        """Nothing seen, nothing known."""
        super().reset()
        self.look, self.view = None, None
        self.now, self.entered, self.started = FIRST, 0.0, 0.0
        self.home_state = Homing()
        self.near_for, self.away_for = Held(), Held()
        self.latched: Three = (0.0, 0.0, 0.0)
        self.base_yaw: float | None = None
        self.asked, self.order = self._slack(), 0.0
        self.keeping, self.place = StationState(), Pose(0.0, 0.0, 0.0)
        self.valves, self.keeps = (0.0, 0.0, 0.0), False
        self.loaded = self.constants

    def _begin(self) -> Eyes:
        """At the first step, when all parameters have been set."""
        moving = self.arm._replace(rotor1=self.rotor, rotor2=self.rotor, rotor3=self.rotor)
        self.constants, self.loaded = constants(moving), constants(with_target(moving, self.load))
        if self.homing < 0.5:
            self.home_state = Homing(DONE, offsets=self._posture())
        if self.eyes < 0.5:
            return TruthEyes(self.tool_mass)
        return SensorEyes(self.tool_mass) if self.eyes < 1.5 else ArmEyes(self.tool_mass, self.constants)

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Look, decide, act: torques [N m] on base, shoulder, elbow, wrist, the gripper's order, three pairs of
        thrusters, the drivers' reset, the tare of the force sensor."""
        self.look = self.look or self._begin()
        view = self.view = self.look.see(self.sensors, obs, self.home_state.offsets)
        then = next_state(self.now, self._signs(view, ref, obs))
        if then != self.now:
            self._enter(then, view, obs.time)
        still = TABLE[self.now].arm == "hold"  # then friction helps
        torques = geared(self._act(view, obs), 0.0 if still else self.friction, self.efficiency)
        self.asked = limit(torques, Actuated(self.most, self.most, self.most, self.most))
        self.order = ORDERS.get(TABLE[self.now].grip, self.order)
        tare = float(self.now == FIRST)
        return (*(t or self.faint for t in self.asked), self.order, *self.valves, 0.0, tare)

    def signals(self) -> SpaceSignals:
        """What it wants, and how far it is off."""
        m = self.view.measured if self.view else None
        yaw = None if m is None or TABLE[self.now].arm == "slack" else self._yaw(m)
        return self.signals_of(m, yaw, self.place if self.keeps else None, float(self.phases.index(self.now)))

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """The state of the table."""
        return self.now

    @property
    def homed(self) -> bool:
        """Whether the angles of the joints are known."""
        return self.home_state.joint == DONE

    def _signs(self, view: View, ref: Reference, obs: Observation) -> Signs:
        m, state, since = view.measured, TABLE[self.now], obs.time - self.entered
        limits = CatchLimits(self.catch_distance, self.catch_turn)
        near = m is not None and close_enough(gap_between(m), limits)
        contact = self.now == "contact"
        self.near_for = hold(self.near_for, near and contact, obs.period)
        self.away_for = hold(self.away_for, contact and not near, obs.period)
        arrived = self.now == "approach" and since >= self.duration
        return Signs(
            ready=m is not None and since >= WAIT,
            blind=view.age > BLIND,
            homed=self.homed,
            there=since >= self.posture_time or self._in_posture(view.joints),
            touched=m is not None and near and (m.push > self.touch or arrived),
            apart=self.away_for.time > APART,
            caught=self.grip > 0.5 and self.near_for.time >= self.catch_time,
            soft_done=view.finished >= SOFT and view.holding,
            hard_done=view.finished >= HARD and view.holding,
            opened=view.finished == 0.0,
            still=m is not None and since > 1.0 and self._still(m),
            strained=state.arm == "reach" and self._strained(view.joints),
            late=since > state.limit,
            stop=ref.sticks[STOP] > 0.5,
            close=ref.sticks[CLOSE] > 0.5,
            fold=ref.sticks[FOLD] > 0.5,
            go_on=ref.sticks[GO_ON] > 0.5,
        )

    def _in_posture(self, joints: Three) -> bool:
        return all(abs(q - goal) < MARGIN for q, goal in zip(joints, self._posture(), strict=True))

    def _strained(self, joints: Three) -> bool:
        at_stop = any(not low + MARGIN < q < high - MARGIN for q, (low, high) in zip(joints, self.ranges, strict=True))
        return bool(at_stop) or abs(math.sin(joints[1])) < STRAIGHT

    def _still(self, m: Measured) -> bool:
        return bool(abs(wrap(m.base.yaw - self._yaw(m))) < STILL[0] and abs(m.base_rate.yaw) < STILL[1])

    def _yaw(self, m: Measured) -> float:
        return float(m.base.yaw) if self.base_yaw is None else self.base_yaw

    def _enter(self, then: str, view: View, time: float) -> None:
        """Latch what the new state starts from."""
        m = view.measured
        if TABLE[then].arm != TABLE[self.now].arm or then == "settle":  # the pair is held where it came together
            self.latched, self.reference = view.joints, None
        if m and self.base_yaw is None:
            self.base_yaw = m.base.yaw
        if m and then == "approach":
            plan = plan_from(m, self.duration)._replace(base=self._yaw(m))
            self.plan, self.held, self.started = self._beyond(plan), 0.0, time
        if m and then == "hard grip":
            self.place = m.base
        self.now, self.entered, self.valves = then, time, (0.0, 0.0, 0.0)
        self.contact, self.push_wanted, self.keeps = 0.0, 0.0, False

    def _act(self, view: View, obs: Observation) -> Actuated:
        arm, m = TABLE[self.now].arm, view.measured
        if arm == "home" and not self.homed:
            return self._home(view, obs.period)
        if arm == "reach" and m and self.plan:
            touching = obs.time - self.entered if self.now == "contact" else 0.0
            return self._reach(m._replace(time=obs.time - self.started), self.plan, obs.period, touching)
        if arm in ("slack", "home") or m is None:
            return self._slack()
        goal = {"posture": self._posture(), "fold": SAFE_POSTURE}.get(arm, self.latched)
        one_body = view.finished >= HARD and view.holding
        joints = gains(1.0, 1.0, self.hold_frequency)
        stiff = Stiff(joints if one_body else gains(1.0, 1.0, self.base_frequency), joints)
        way = Way(self.latched, goal, self.posture_time)
        model = self.loaded if one_body else self.constants
        torques = held_torques(m, self._yaw(m), way, obs.time - self.entered, stiff, model)
        return self._keep(m, torques, obs.period) if self.station > 0.5 and one_body else torques

    def _keep(self, m: Measured, torques: Actuated, period: float) -> Actuated:
        """Thrusters bring the base back to its place; the wheel takes up what they do to its yaw."""
        assert self.nozzles is not None
        layout, thrust, shortest = self.nozzles
        station = Station(self.loaded.p1, 0.0, thrust, max(shortest, 2.0 * period), fast=math.inf)
        found, self.keeping = keep_station(m.base, m.base_rate, 0.0, self.place, self.keeping, layout, station, period)
        self.valves, self.keeps = (found.front, found.left, found.right), True
        return torques._replace(base=torques.base + found.wheel)

    def _home(self, view: View, period: float) -> Actuated:
        if self.home_state == Homing():
            self.home_state = begin_homing(view.said)
        assert self.stops is not None
        self.home_state, torques = home(self.home_state, view.said, view.rates, period, self.stops)
        m, inertia = view.measured, self.constants.p6
        if m is None:
            return Actuated(0.0, *torques)
        back = gains(inertia, HOMING_DAMPED, HOMING_BASE)
        return Actuated(-back.stiffness * wrap(m.base.yaw - self._yaw(m)) - back.damping * m.base_rate.yaw, *torques)

    def _reach(self, m: Measured, plan: Plan, period: float, touching: float) -> Actuated:
        """The impedance law; it begins to push gently."""
        self.held: float = held_push(self.held, m.push, period, self.release)
        p = self.impedance()._replace(push=self.push * min(1.0, touching / RISE))
        weights = Blend(0.0, 1.0) if self.now == "contact" else self.weights(m, plan, p)
        free = closing_reference(plan, m) if self.intercept > 0.5 else free_reference(plan, m.time)
        self.contact, self.push_wanted = weights.contact, weights.contact * p.push
        self.reference = mix_references(weights, free, contact_reference(plan, m, p.follow))
        return impedance_torques(m, self.reference, weights, self.constants, p)

    def _slack(self) -> Actuated:
        return Actuated(self.faint, self.faint, self.faint, self.faint)

    def _posture(self) -> Three:
        return math.radians(self.posture_1), math.radians(self.posture_2), math.radians(self.posture_3)


class SpaceMissionSimulated(SpaceMission):
    """The same for the robot of the thesis's simulation, and its cube."""

    faint = 0.0
    safe_command = (0.0, 0.0, 0.0, 0.0, None)
