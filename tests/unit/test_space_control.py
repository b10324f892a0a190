"""The space robot's laws in closed loop: a small model of robot and target in MuJoCo, ground truth, 100 Hz."""

import math
import time

import mujoco
import numpy as np
import pytest

from cupola.control.space.controllers import (
    SpaceImpedance,
    SpaceImpedanceByForce,
    SpaceImpedanceByTime,
    SpacePD,
)
from cupola.control.space.impedance import by_either, by_force, by_time, impedance_for, impedance_law
from cupola.control.space.motion import (
    REST,
    Change,
    Joints,
    Measured,
    Plan,
    contact_reference,
    error,
    free_reference,
    plan_from,
)
from cupola.control.space.pd import DAMPING, STIFFNESS, cartesian_pd, hold_posture
from cupola.control.space.space_controller import SpaceController
from cupola.control.space.torques import SMALLEST, awake, limit, never_zero
from cupola.kernel.jit import jit
from cupola.kernel.observation import Observation, Reference, observation_in
from cupola.kernel.rows import OBSERVATION
from cupola.physics.impedance import Blend, contact_gains, settling_gains
from cupola.physics.planar import Pose
from cupola.physics.space_arm import LISTING, SIMULATED, Coordinates, constants, directions, hand_jacobian, hand_pose
from cupola.physics.space_task import Actuated

STEP, TICKS = 0.001, 10
HALF = 0.045
FOLDED = Joints(*np.radians([100.0, -140.0, 70.0]))


def mjcf(a, target: Pose, mass: float, contact: str) -> str:
    """Robot and a cube on a plane without friction; they touch with the tip of the hand, a small ball, only."""
    links = ((a.l1, a.r1, a.mass1, a.inertia1), (a.l2, a.r2, a.mass2, a.inertia2), (a.l3, a.r3, a.mass3, a.inertia3))
    body, place, turn = "", (a.shoulder_x, a.shoulder_y), math.degrees(a.mount)
    for l, r, m, i in links:  # noqa: E741 - the book's letter
        body += f'<body pos="{place[0]} {place[1]} 0" euler="0 0 {turn!r}"><joint axis="0 0 1"/>'
        body += f'<inertial pos="{l} 0 0" mass="{m}" diaginertia="{i} {i} {i}"/>'
        place, turn = (l + r, 0.0), 0.0
    planar = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint axis="0 0 1"/>'
    touch = f'contype="1" conaffinity="1" condim="1" mass="0" solref="{contact}"'
    return f"""<mujoco><option timestep="{STEP}" integrator="RK4" gravity="0 0 0"/><worldbody>
      <body>{planar}<inertial pos="0 0 0" mass="{a.mass0}" diaginertia="{a.inertia0} {a.inertia0} {a.inertia0}"/>
      {body}<geom type="sphere" size="0.005" pos="{place[0] - 0.005} 0 0" {touch}/></body></body></body></body>
      <body pos="{target.x} {target.y} 0">{planar}<inertial pos="{HALF} 0 0" mass="{mass}" diaginertia="1 1 0.027"/>
      <geom type="box" size="{HALF} {HALF} {HALF}" pos="{HALF} 0 0" {touch}/></body>
    </worldbody></mujoco>"""


NOBODY = Reference([], [])


def at(time: float) -> Observation:
    return observation_in(np.zeros((), OBSERVATION))._replace(time=time, period=STEP * TICKS)


class Lab:
    """The target's frame lies in the middle of the face that is gripped, its x axis into the body."""

    def __init__(self, arm=SIMULATED, start=FOLDED, way=(0.1, 0.02, 0.1), mass=20.0, contact="0.005 1", drift=REST):
        self.constants = constants(arm)
        q = Coordinates(0.0, 0.0, 0.15, *start)
        hand = hand_pose(q, self.constants)
        self.origin = Pose(hand.x + way[0], hand.y + way[1], hand.yaw + way[2])
        self.model = mujoco.MjModel.from_xml_string(mjcf(arm, self.origin, mass, contact))
        self.data = mujoco.MjData(self.model)
        self.data.qpos[:6], self.data.qpos[8], self.data.qvel[6:9] = q, self.origin.yaw, drift
        self.mass, self.pushes, self.ticks = mass, [0.0], 0
        self._force = np.zeros(6)

    def measure(self, _seen=None) -> Measured:
        d = self.data
        q, v = Coordinates(*d.qpos[:6].tolist()), Coordinates(*d.qvel[:6].tolist())
        hand_rate = (np.array(hand_jacobian(directions(q, self.constants), self.constants)) @ np.array(v)).tolist()
        x, y, yaw = d.qpos[6:9].tolist()
        push = float(np.mean(self.pushes[-TICKS:]))
        follow = Change(push / self.mass * math.cos(yaw), push / self.mass * math.sin(yaw), 0.0)
        return Measured(
            Pose(*q[:3]), Change(*v[:3]), Joints(*q[3:]), Joints(*v[3:]), hand_pose(q, self.constants),
            Change(*hand_rate), Pose(self.origin.x + x, self.origin.y + y, yaw), Change(*d.qvel[6:9].tolist()),
            follow, push, self.ticks * STEP,
        )  # fmt: skip

    def run(self, controller: SpaceController, duration: float) -> "Flight":
        controller.measure = self.measure
        rows = []
        for _ in range(round(duration / (STEP * TICKS))):
            m = self.measure()
            torques = controller.step(at(m.time), NOBODY)[:4]
            assert controller.plan
            reference = free_reference(controller.plan, m.time)
            to_target = error(m, contact_reference(controller.plan, m, 0.0))
            rows.append([m.time, *error(m, reference), *to_target[1:], *torques, math.sin(m.joints.q2)])
            self.data.qfrc_applied[2:6] = torques
            for _ in range(TICKS):
                mujoco.mj_step(self.model, self.data)
                self.pushes.append(self._contact())
            self.ticks += TICKS
        return Flight(np.array(rows), np.array(self.pushes[1:]))

    def _contact(self) -> float:
        total = 0.0
        for k in range(self.data.ncon):
            mujoco.mj_contactForce(self.model, self.data, k, self._force)
            total += self._force[0]
        return total


class Flight:
    def __init__(self, rows: np.ndarray, pushes: np.ndarray) -> None:
        self.time, self.base, self.free, self.target = rows[:, 0], rows[:, 1], rows[:, 2:5], rows[:, 5:8]
        self.torques, self.fold, self.pushes = rows[:, 8:12], rows[:, 12], pushes
        self.touch = float(np.argmax(pushes > 0.0)) * STEP if pushes.any() else math.inf

    def steady(self, since: float) -> np.ndarray:
        return self.pushes[round(since / STEP) :]


def robot(kind=SpaceImpedance, arm=SIMULATED, **values) -> SpaceController:
    size = {"beyond": 0.0005, "most": 10.0, "friction": 0.0, "efficiency": 1.0, "smallest": 0.0}
    if issubclass(kind, SpaceImpedance):
        size |= {"contact_mass": 1.0, "contact_damping": 30.0, "contact_stiffness": 100.0, "push": 0.05}
        size |= {"dead_band": 0.001, "near": 0.01, "creep": 0.0}
    controller = kind(**{**size, **values})
    controller.know(arm)
    controller.reset()
    return controller


@pytest.fixture(scope="module")
def experiment() -> Flight:
    """The thesis's simulated experiment with the numbers of the simulated robot: 50 s of approach, then contact."""
    return Lab().run(robot(SpaceImpedanceByForce, push=0.04), 61.0)


def test_the_approach_is_tracked(experiment):
    before = experiment.time < min(experiment.touch, 50.0)
    assert np.abs(experiment.free[before, :2]).max() < 2e-6  # only the hold of 10 ms; the bar is 1 mm
    assert np.abs(np.degrees(experiment.free[before, 2])).max() < 1e-4
    assert np.abs(np.degrees(experiment.base[before])).max() < 1e-5


def test_contact_is_held_gently(experiment):
    """Bars: 1 mm, 0.4°, base 0.004°, 95 % of samples in contact, mean push within 10 %, torques up to 0.1 N m."""
    assert 45.0 < experiment.touch < 50.0
    after = experiment.time > 50.0
    assert np.abs(experiment.target[after, :2]).max() < 0.1e-3
    assert np.abs(np.degrees(experiment.target[after, 2])).max() < 0.05
    assert np.abs(np.degrees(experiment.base)).max() < 0.0005
    steady = experiment.steady(51.0)
    assert np.mean(steady > 0.0) > 0.99 and steady.mean() == pytest.approx(0.04, rel=0.01)
    assert np.abs(experiment.torques).max() < 0.02
    assert experiment.pushes.max() < 0.06


def test_the_switch_by_time_holds_contact_too():
    f = Lab(way=(0.05, 0.01, 0.05)).run(robot(SpaceImpedanceByTime, push=0.05, duration=10.0), 18.0)
    steady = f.steady(11.0)
    assert np.mean(steady > 0.0) > 0.99 and steady.mean() == pytest.approx(0.05, rel=0.02)
    after = f.time > 11.0
    assert np.abs(f.target[after, :2]).max() < 0.2e-3 and np.abs(np.degrees(f.base)).max() < 0.004


@pytest.mark.parametrize("contact", ["0.02 1", "-1000000 -2000"])
def test_the_thesis_s_own_gains_work_where_contact_is_damped(contact):
    """m_c 1, b_c 1.2, k_c 100, stiffness along the push too, base as slow as the hand: the listing."""
    free = settling_gains(1.0, 10.0)
    m, b, k = contact_gains(free, 100.0, 1e6, 0.0)
    who = robot(
        SpaceImpedanceByTime, push=0.05, duration=10.0, along=1.0, contact_mass=m, contact_damping=b,
        contact_stiffness=k, base_frequency=0.6, follow=0.0,
    )  # fmt: skip
    f = Lab(way=(0.05, 0.01, 0.0), contact=contact).run(who, 16.0)
    steady = f.steady(12.0)
    assert np.mean(steady > 0.0) > 0.95 and steady.mean() == pytest.approx(0.05, rel=0.1)


def test_a_target_that_moves_is_met_and_followed():
    """It drifts away and spins; the way leads to where it was, so only the time tells the hand to go on."""
    lab = Lab(way=(0.05, 0.0, 0.0), drift=Change(0.002, 0.001, 0.005))
    f = lab.run(robot(duration=6.0, push=0.05, along=1.0), 14.0)
    late = f.time > 10.0
    assert np.abs(f.target[late, :2]).max() < 1e-3 and np.abs(np.degrees(f.target[late, 2])).max() < 0.4
    assert np.mean(f.steady(10.0) > 0.0) > 0.95


def test_free_of_contact_the_error_is_that_of_the_desired_mass_spring_damper():
    """A hand that starts 10 mm off its reference comes back as m ë + b ė + k e = 0 says."""
    lab = Lab(way=(0.3, 0.0, 0.0))
    who = robot(SpaceImpedanceByForce, duration=20.0, beyond=0.0)
    m = lab.measure()
    who.plan = Plan(Pose(m.hand.x - 0.01, m.hand.y, m.hand.yaw), m.target, m.base.yaw, 1e9)
    f = lab.run(who, 6.0)
    w = 6.0 / (0.2 * 20.0)
    expected = 0.01 * (1.0 + w * f.time) * np.exp(-w * f.time)
    np.testing.assert_allclose(f.free[:, 0], expected, atol=0.4e-4)  # held for 10 ms: an error of half a step, w dt / 2
    assert np.abs(f.free[:, 1]).max() < 1e-5


def test_momentum_is_kept_while_the_base_drifts():
    lab = Lab(way=(0.2, 0.0, 0.0))
    lab.run(robot(SpaceImpedanceByForce, duration=10.0, beyond=0.0), 5.0)
    mujoco.mj_subtreeVel(lab.model, lab.data)
    momentum = lab.data.subtree_linvel[1] * lab.model.body_subtreemass[1]
    assert np.abs(momentum).max() < 1e-9 and abs(lab.data.qvel[0]) > 1e-5


def measured(**changes) -> Measured:
    q = Coordinates(0.0, 0.0, 0.1, -1.0, 1.8, -0.7)
    hand = hand_pose(q, constants(LISTING))
    joints, still = Joints(*q[3:]), Joints(0.0, 0.0, 0.0)
    start = Measured(
        Pose(*q[:3]), REST, joints, still, hand, REST, Pose(hand.x + 0.1, hand.y, 0.5), REST, REST, 0.0, 0.0
    )
    return start._replace(**changes)


def test_the_plan_is_latched_once():
    who, obs = robot(arm=LISTING, beyond=0.0), []
    who.measure = lambda _: obs[-1]
    obs.append(measured())
    who.step(at(0.0), NOBODY)
    first = who.plan
    obs.append(measured(target=Pose(9.0, 9.0, 0.0), time=1.0))
    who.step(at(1.0), NOBODY)
    assert who.plan is first and first.goal == obs[0].target and first.base == 0.1
    who.reset()
    who.step(at(0.0), NOBODY)
    assert who.plan.goal[:2] == (9.0, 9.0)


def test_the_goal_takes_the_shorter_turn():
    plan = plan_from(measured(hand=Pose(0.0, 0.0, 3.0), target=Pose(0.0, 0.0, -3.0)), 50.0)
    assert plan.goal.yaw == pytest.approx(2.0 * math.pi - 3.0)
    middle = free_reference(plan, 25.0)
    assert middle.place.yaw == pytest.approx(math.pi) and middle.rate.yaw > 0.0
    assert free_reference(plan, 80.0).place.yaw == plan.goal.yaw  # clamped after the end


def test_the_contact_reference_is_the_target():
    m = measured(target_rate=Change(0.01, 0.02, 0.03), target_acceleration=Change(0.1, 0.2, 0.3))
    plan = plan_from(m, 50.0)
    for follow, expected in ((0.0, (0.0, 0.0, 0.0, 0.0)), (1.0, (0.0, 0.1, 0.2, 0.3))):
        reference = contact_reference(plan, m, follow)
        assert reference.place == pytest.approx((0.1, *m.target)) and reference.rate == (0.0, 0.01, 0.02, 0.03)
        assert reference.acceleration == expected


def test_contact_by_force_by_time_by_either():
    p, plan = impedance_for(50.0, 0.05)._replace(dead_band=0.01), plan_from(measured(), 50.0)
    here = measured(target=measured().hand)
    assert by_force(here, 0.009, p) == Blend(1.0, 0.0)
    assert by_force(here, 0.011, p).contact == pytest.approx(1.0, abs=1e-3)
    assert by_force(measured(), 5.0, p) == Blend(1.0, 0.0)  # too far away to have touched it
    assert by_time(here._replace(time=50.0), plan) == (1.0, 0.0)
    assert by_time(here._replace(time=50.01), plan) == (0.0, 1.0)
    assert by_either(here._replace(time=51.0), plan, 0.0, p) == (0.0, 1.0)
    assert by_either(here, plan, 0.5, p).contact == pytest.approx(1.0, abs=1e-3)


def test_noise_of_the_sensor_moves_nothing_free_of_contact():
    m, arm = measured(), constants(LISTING)
    plan, p = plan_from(m, 50.0), impedance_for(50.0, 0.05)
    still = impedance_law(m, plan, Blend(1.0, 0.0), arm, p)
    assert impedance_law(m._replace(push=0.008), plan, Blend(1.0, 0.0), arm, p) == still


def test_in_contact_only_the_push_decides_along_it():
    """With `along` 0 a target measured a millimetre too near or far changes nothing; with 1 it does."""
    m, arm = measured(push=0.05, hand=Pose(0.8, 0.0, 0.0)), constants(LISTING)
    plan, p = plan_from(m, 50.0), impedance_for(50.0, 0.05)

    def shifted(x: float, along: float) -> Actuated:
        there = m._replace(target=Pose(0.8 + x, 0.0, 0.0))
        return impedance_law(there, plan, Blend(0.0, 1.0), arm, p._replace(along=along))

    assert shifted(0.001, 0.0) == pytest.approx(shifted(-0.001, 0.0), abs=1e-15)
    assert abs(shifted(0.001, 1.0).q2 - shifted(-0.001, 1.0).q2) > 0.01


def test_cartesian_pd_is_the_listing_s():
    m = measured(hand_rate=Change(0.1, 0.2, 0.3), base_rate=Change(0.0, 0.0, 0.02))
    plan = plan_from(m, 50.0)._replace(base=0.3)
    e = np.array([0.2, *(np.array(plan.start) - np.array(m.hand))])
    e_rate = -np.array([0.02, 0.1, 0.2, 0.3])
    kp = np.array([[0.5, 0, 0, 0], [0, 2, 0.5, 0], [0, 0.5, 2.5, 0], [0, 0, 0, 1.5]])
    kd = np.array([[20, 0, 0, 0], [0, 0.05, 0.001, 0], [0, 0.001, 0.05, 0], [0, 0, 0, 0.05]])
    np.testing.assert_allclose(cartesian_pd(m, plan, STIFFNESS, DAMPING), kp @ e + kd @ e_rate, atol=1e-15)
    who = robot(SpacePD, arm=LISTING, beyond=0.0)
    who.measure = lambda _: m
    assert who.step(at(0.0), NOBODY)[:4] == pytest.approx(kd @ e_rate, abs=1e-15)


def test_a_posture_is_held_and_the_singularity_is_not_steered():
    lab = Lab(start=Joints(0.5, 0.02, 0.3), way=(0.3, 0.0, 0.0))
    lab.data.qvel[4] = 0.1
    f = lab.run(robot(), 8.0)
    assert np.abs(lab.data.qpos[4] - 0.02) < 0.05 and np.abs(f.torques).max() < 1.0


def test_a_posture_is_gone_to_critically_damped():
    lab = Lab(way=(0.3, 0.0, 0.0))
    start = lab.measure()
    goal = Actuated(start.base.yaw, start.joints.q1 + 0.1, start.joints.q2, start.joints.q3)
    errors = []
    for _ in range(300):
        m = lab.measure()
        errors.append(goal.q1 - m.joints.q1)
        lab.data.qfrc_applied[2:6] = hold_posture(m, goal, lab.constants, 2.0)
        mujoco.mj_step(lab.model, lab.data, TICKS)
    t = 0.01 * np.arange(300)
    np.testing.assert_allclose(errors, 0.1 * (1.0 + 2.0 * t) * np.exp(-2.0 * t), atol=0.4e-3)


def test_torques_are_limited_and_never_zero():
    assert limit(Actuated(3.0, -3.0, 0.5, 0.0), Actuated(1.0, 2.0, 1.0, 1.0)) == (1.0, -2.0, 0.5, 0.0)
    assert (awake(0.0, -0.3), awake(0.0, 0.0), awake(1e-9, -1.0)) == (-SMALLEST, SMALLEST, 1e-9)
    sent = never_zero(Actuated(0.0, 0.1, 0.0, -0.2), Actuated(-1.0, -1.0, 1.0, 1.0))
    assert sent == (-SMALLEST, 0.1, SMALLEST, -0.2)


def test_a_controller_without_a_law_says_so():
    with pytest.raises(NotImplementedError, match="override law_of"):
        Lab().run(robot(SpaceController), 0.02)


def test_the_law_is_quick_enough_for_a_loop_of_200_hz():
    m, arm = measured(push=0.05), constants(LISTING)
    plan, p = plan_from(m, 50.0), impedance_for(50.0, 0.05)

    def once() -> float:
        begin = time.perf_counter()
        impedance_law(m, plan, Blend(0.0, 1.0), arm, p)
        return time.perf_counter() - begin

    assert min(once() for _ in range(50)) < 150e-6


def test_the_law_compiles():
    """Nothing in it is bound to Python: a compiled controller may call the same text."""
    m, arm = measured(push=0.05, hand_rate=Change(0.01, 0.02, 0.03)), constants(LISTING)
    plan, p = plan_from(m, 50.0), impedance_for(50.0, 0.05)
    weights = by_either(m, plan, 0.05, p)
    assert jit(by_either)(m, plan, 0.05, p) == pytest.approx(weights)
    compiled = jit(impedance_law)(m, plan, weights, arm, p)
    assert compiled == pytest.approx(impedance_law(m, plan, weights, arm, p), rel=1e-12)
