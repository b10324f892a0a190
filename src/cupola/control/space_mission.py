"""The whole capture in one controller: homing, approach, contact, soft grip, hard grip, rest.

Which state follows which is the table in `space_states`; what the robot sees comes from `space_eyes`, truth or sensors;
how the arm reaches for the target is the impedance law. Channels: torques [N m] on base (by the wheel), shoulder, elbow
and wrist, then the gripper's order, then the tare of the force sensor.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from cupola.control.space_eyes import Eyes, TruthEyes, View
SensorEyes=TruthEyes
from cupola.control.space_homing import DONE, Homing, Stops, Three, begin_homing, home
from cupola.control.space_impedance import Impedance, by_force, impedance_torques
from cupola.control.space_motion import (
    Change,
    Measured,
    Plan,
    Reference,
    contact_reference,
    coordinate_rates,
    coordinates,
    free_reference,
    mix_references,
    plan_from,
)
from cupola.control.space_states import (
    FIRST,
    TABLE,
    CatchLimits,
    Gap,
    Held,
    Signs,
    close_enough,
    hold,
    next_state,
)
from cupola.controller import Controller, parameter
from cupola.engine.seen import Seen, Wanted
from cupola.physics.impedance import Blend, contact_gains, impedance_acceleration, settling_gains
from cupola.physics.planar import Pose
from cupola.physics.quintic import quintic
from cupola.physics.rotation import wrap
from cupola.physics.space_arm import LISTING, SIMULATED, Arm, constants
from cupola.physics.space_task import Actuated, Floating, Task, dot, float_free

FAINT = 1e-4
"""[N m] the safe torque: at exactly zero the drivers fail (Cepheus thesis, appendix B.2)."""
GRIPS = {"open": 0.0, "soft": 1.0, "hard": 2.0}
SOFT, HARD = 1.0, 2.0
STOP, CLOSE, FOLD, GO_ON = 4, 5, 6, 7
"""Stick channels of the operator; above a half is an order."""
APART = 1.0
"""[s] out of reach of the gripper until the approach begins anew."""
BLIND = 0.5
"""[s] without a look at one of the bodies."""
HOMING_WHEEL = 2.0, 4.0
"""[N m/rad], [N m s/rad] of the base before the law can be used."""
STRAIGHT = math.sin(math.radians(12.0))
"""|sin q2| at which the arm counts as stretched; the law's inverse is damped from 10° on."""


class Load(NamedTuple):
    """What is gripped: its mass [kg], the distance of its centre from the grip [m], its inertia about that [kg m²]."""

    mass: float
    distance: float
    inertia: float


class SpaceMission(Controller):
    """Captures a floating target: homes, approaches, touches, grips, comes to rest."""

    rate_hz = 100.0
    safe_command = (FAINT, FAINT, FAINT, FAINT, None)
    arm: Arm = LISTING
    tool_mass = 0.6
    """[kg] beyond the force sensor."""
    target = Load(10.0, 0.15, 0.1125)

    eyes = parameter(1, low=0, high=1, about="0: the truth, 1: the sensors")
    homing = parameter(0, low=0, high=1, about="1: find the end stops first; 0: the encoders are known")
    duration = parameter(50.0, low=1.0, high=300.0, unit="s", about="of the planned motion to the target")
    intercept = parameter(0, low=0, high=1, about="1: the end of the path moves with the target")
    blend = parameter(2, low=0, high=2, about="law in contact by 0: force, 1: time, 2: the state of the mission")
    push = parameter(1.0, low=0.0, high=5.0, unit="N", about="on the target in contact")
    touch = parameter(0.3, low=0.0, high=5.0, unit="N", about="of measured push that counts as contact")
    contact_stiffness = parameter(100.0, low=0.0, high=1e4, unit="N/m", about="of the hand to the target in contact")
    wall = parameter(1e6, low=1.0, high=1e8, unit="N/m", about="stiffness of what is touched, as it is believed")
    follow = parameter(1.0, low=0, high=1, about="1: the law follows the target's acceleration in contact")
    base_settling = parameter(10.0, low=0.2, high=100.0, unit="s", about="of the base's attitude in the law")
    catch_distance = parameter(0.05, low=0.001, high=0.5, unit="m", about="of hand and target, along and across")
    catch_turn = parameter(0.2, low=0.01, high=1.0, unit="rad", about="the same, turned")
    catch_time = parameter(0.3, low=0.0, high=10.0, unit="s", about="for which they must be so close")
    grip = parameter(1, low=0, high=1, about="0: stay in contact and never grip")
    torque_max = parameter(10.0, low=0.01, high=20.0, unit="N m", about="of each joint and the wheel")
    posture_1 = parameter(-60.0, low=-180, high=180, unit="°", about="shoulder at the start")
    posture_2 = parameter(105.0, low=-180, high=180, unit="°", about="elbow")
    posture_3 = parameter(45.0, low=-180, high=180, unit="°", about="wrist")
    posture_time = parameter(10.0, low=1.0, high=100.0, unit="s", about="to get there")
    hold_settling = parameter(2.0, low=0.2, high=100.0, unit="s", about="of the joints where they are held")

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self.reset()

    def reset(self) -> None:
        """Nothing seen, nothing known."""
        super().reset()
        self.look: Eyes = SensorEyes(self.tool_mass) if self.eyes > 0.5 else TruthEyes(self.tool_mass)
        self.now, self.entered = FIRST, 0.0
        self.home_state = Homing(joint=0 if self.homing else DONE)
        self.home_begun = False
        self.near, self.away = Held(), Held()
        self.plan: Plan | None = None
        self.plan_at = 0.0
        self.held: Three = (0.0, 0.0, 0.0)
        self.base_yaw: float | None = None
        self.asked: tuple[float, float, float, float] = (FAINT, FAINT, FAINT, FAINT)
        self.order = 0.0
        self.view: View | None = None
        self.reference: Reference | None = None

    def step(self, seen: Seen, wanted: Wanted) -> Sequence[float]:
        """Look, decide, act."""
        view = self.view = self.look.see(self.sensors, seen, self.home_state.offsets)
        then = next_state(self.now, self._signs(view, wanted, seen))
        if then != self.now:
            self._enter(then, view, seen.time)
        torques = self._act(view, seen)
        limit = self.torque_max
        one, two, three, four = (max(-limit, min(limit, t)) or FAINT for t in torques)
        self.asked = one, two, three, four
        self.order = GRIPS.get(TABLE[self.now].grip, self.order)
        return (*self.asked, self.order, float(self.now == FIRST))

    def mission(self, seen: Seen, wanted: Wanted, state: Any) -> str:
        """The state of the table."""
        return self.now

    # what it looks at

    def _signs(self, view: View, wanted: Wanted, seen: Seen) -> Signs:
        m, state = view.measured, TABLE[self.now]
        gap = gap_between(m) if m else None
        limits = CatchLimits(self.catch_distance, self.catch_turn, self.catch_time)
        near = gap is not None and close_enough(gap, limits)
        in_contact = self.now == "contact"
        self.near, self.away = (hold(h, t and in_contact, seen.period) for h, t in ((self.near, near), (self.away, not near)))
        since = seen.time - self.entered
        arrived = self.plan is not None and seen.time - self.plan_at >= self.plan.duration
        return Signs(
            ready=m is not None and since > 0.5,
            blind=view.age > BLIND,
            homed=self.home_state.joint == DONE,
            there=since >= self.posture_time,
            touched=m is not None and (m.push > self.touch or (arrived and near)),
            apart=self.away.time > APART,
            caught=bool(self.grip) and self.near.time >= self.catch_time,
            soft_done=view.finished >= 1.0 and view.holding,
            hard_done=view.finished >= 2.0 and view.holding,
            opened=view.finished == 0.0,
            still=m is not None and since > 1.0 and self._still(m),
            strained=state.arm == "reach" and self.homed and abs(math.sin(view.joints[1])) < STRAIGHT,
            late=since > state.limit,
            stop=wanted.sticks[STOP] > 0.5,
            close=wanted.sticks[CLOSE] > 0.5,
            fold=wanted.sticks[FOLD] > 0.5,
            go_on=wanted.sticks[GO_ON] > 0.5,
        )

    @property
    def homed(self) -> bool:
        """Whether the angles of the joints are known."""
        return self.home_state.joint == DONE

    def _still(self, m: Measured) -> bool:
        return abs(wrap(m.base.yaw - self._yaw(m))) < math.radians(0.5) and abs(m.base_rate.yaw) < math.radians(0.2)

    # what it does

    def _enter(self, then: str, view: View, time: float) -> None:
        """Latch what the new state starts from."""
        arm = TABLE[then].arm
        if arm != TABLE[self.now].arm or then == "approach":
            self.held = view.joints
            self.plan = None
        if self.base_yaw is None and view.measured:
            self.base_yaw = view.measured.base.yaw
        self.now, self.entered = then, time
        if then == "approach" and view.measured:
            self.plan, self.plan_at = plan_from(view.measured, self.duration), time
            assert self.base_yaw is not None
            self.plan = self.plan._replace(base=self.base_yaw)

    def _act(self, view: View, seen: Seen) -> Sequence[float]:
        arm = TABLE[self.now].arm
        if arm == "slack":
            return (FAINT,) * 4
        if arm == "home":
            return self._home(view, seen)
        if arm == "reach" and view.measured and self.plan:
            return self._reach(view.measured._replace(time=seen.time - self.plan_at))
        goal = {"posture": self._posture(), "fold": SAFE_POSTURE}.get(arm, self.held)
        return self._turn(view, goal, seen.time - self.entered)

    def _home(self, view: View, seen: Seen) -> Sequence[float]:
        if self.homed:
            return (FAINT,) * 4
        if not self.home_begun:
            self.home_state, self.home_begun = begin_homing(view.said), True
        self.home_state, torques = home(self.home_state, view.said, view.rates, seen.period, Stops())
        return (self._wheel(view), *torques)

    def _turn(self, view: View, goal: Three, since: float) -> Sequence[float]:
        """Joints along a quintic to the goal, base as it was: each a mass on a spring and a damper to its own path."""
        m = view.measured
        if m is None:
            return (FAINT,) * 4
        path = quintic(since, self.posture_time)
        holds = settling_gains(1.0, self.hold_settling)
        steady = settling_gains(1.0, self.base_settling)
        wanted = [impedance_acceleration(wrap(m.base.yaw - self._yaw(m)), m.base_rate.yaw, 0.0, 0.0, steady)]
        for q, rate, start, end in zip(view.joints, view.rates, self.held, goal, strict=True):
            way = end - start
            e, e_rate = q - start - path.share * way, rate - path.rate * way
            wanted.append(path.acceleration * way + impedance_acceleration(e, e_rate, 0.0, 0.0, holds))
        arm = with_target(self.arm, self.target) if view.finished >= HARD and view.holding else self.arm
        floating = float_free(coordinates(m), coordinate_rates(m), constants(arm))
        return actuated_torques(floating, Actuated(*wanted))

    def _yaw(self, m: Measured) -> float:
        return float(m.base.yaw) if self.base_yaw is None else self.base_yaw

    def _wheel(self, view: View) -> float:
        """Holds the base while the angles of the joints are not known."""
        m = view.measured
        if m is None:
            return FAINT
        return float(-HOMING_WHEEL[0] * wrap(m.base.yaw - self._yaw(m)) - HOMING_WHEEL[1] * m.base_rate.yaw)

    def _reach(self, m: Measured) -> Sequence[float]:
        assert self.plan
        law = self._law()
        if self.now == "soft grip":
            law = law._replace(push=0.0)
        weights = self._weights(m, law)
        free = closing_reference(self.plan, m) if self.intercept else free_reference(self.plan, m.time)
        self.reference = mix_references(weights, free, contact_reference(self.plan, m, law.follow))
        return impedance_torques(m, self.reference, weights, constants(self.arm), law)

    def _law(self) -> Impedance:
        free = settling_gains(1.0, 0.2 * self.duration)
        contact = contact_gains(free, self.contact_stiffness, self.wall, 0.0)
        base = settling_gains(1.0, self.base_settling)
        return Impedance(free, contact, base, self.push, self.touch, follow=self.follow)

    def _weights(self, m: Measured, law: Impedance) -> Blend:
        assert self.plan
        if self.blend < 0.5:
            return by_force(m, law)
        touching = m.time > self.plan.duration if self.blend < 1.5 else self.now != "approach"
        return Blend(float(not touching), float(touching))

    def _posture(self) -> Three:
        return math.radians(self.posture_1), math.radians(self.posture_2), math.radians(self.posture_3)


SAFE_POSTURE: Three = (math.radians(45.0), math.radians(45.0), math.radians(10.0))
"""[rad] (Cepheus thesis, appendix C.2)."""


class SpaceMissionSimulated(SpaceMission):
    """The same for the robot of the thesis's simulation."""

    arm, tool_mass, target = SIMULATED, 0.046, Load(20.0, 0.045, 0.027)


def with_target(arm: Arm, load: Load) -> Arm:
    """The arm whose last link and the target are one body."""
    mass, length = arm.mass3 + load.mass, arm.l3 + arm.r3
    centre = (arm.mass3 * arm.l3 + load.mass * (length + load.distance)) / mass
    inertia = arm.inertia3 + arm.mass3 * (centre - arm.l3) ** 2
    inertia += load.inertia + load.mass * (length + load.distance - centre) ** 2
    return arm._replace(mass3=mass, l3=centre, r3=length - centre, inertia3=inertia)


def actuated_torques(f: Floating, w: Actuated) -> Actuated:
    """Torques [N m] that give base and joints these accelerations."""
    return Actuated(
        dot(f.base, w) + f.bias.base, dot(f.q1, w) + f.bias.q1, dot(f.q2, w) + f.bias.q2, dot(f.q3, w) + f.bias.q3
    )


def gap_between(m: Measured) -> Gap:
    """From the hand to the place of the grip, in the target's axes."""
    c, s = math.cos(m.target.yaw), math.sin(m.target.yaw)
    x, y = m.target.x - m.hand.x, m.target.y - m.hand.y
    return Gap(c * x + s * y, -s * x + c * y, wrap(m.target.yaw - m.hand.yaw))


def closing_reference(plan: Plan, m: Measured) -> Reference:
    """A path whose end moves with the target: at rest at its beginning, at rest relative to the target at its end."""
    yaw = m.hand.yaw + wrap(m.target.yaw - m.hand.yaw)
    path = free_reference(plan._replace(goal=Pose(m.target.x, m.target.y, yaw)), m.time)
    s, v = quintic(m.time, plan.duration), m.target_rate
    moved = Change(s.share * v.x, s.share * v.y, s.share * v.yaw)
    bent = Change(2.0 * s.rate * v.x, 2.0 * s.rate * v.y, 2.0 * s.rate * v.yaw)
    return Reference(path.place, _plus(path.rate, moved), _plus(path.acceleration, bent))


def _plus(task: Task, change: Change) -> Task:
    return Task(task.base, task.x + change.x, task.y + change.y, task.yaw + change.yaw)
