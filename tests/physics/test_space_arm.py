"""The floating arm's closed forms, against printed numbers, MuJoCo, Pinocchio and laws that any such arm obeys."""

import math

import mujoco
import numpy as np
import pinocchio as pin
import pytest

from cupola.physics.space_arm import (
    LISTING,
    SIMULATED,
    Constants,
    Coordinates,
    constants,
    directions,
    hand_jacobian,
    hand_jacobian_rate,
    hand_pose,
)
from cupola.physics.space_dynamics import coriolis, mass_matrix
from cupola.physics.space_task import Task, float_free, reduce, task_torques
from cupola.reproduce.cepheus.closed_forms import C_BAR, H_BAR, HAND, J_BAR, POSTURE, PUSHED, RATES, TORQUES, C, H, P

GEARED = LISTING._replace(shoulder_y=0.03, mount=-0.4868, rotor1=0.03, rotor2=0.02, rotor3=0.01)
ARMS = {"listing": LISTING, "simulated": SIMULATED, "geared": GEARED}
UPPER = np.triu_indices(6)
U, NOTHING = Task(0.001, 0.01, -0.02, 0.005), Task(0.0, 0.0, 0.0, 0.0)
HALF_DIGIT = 0.51e-6


def matrix(q: Coordinates, p: Constants) -> np.ndarray:
    full = np.zeros((6, 6))
    full[UPPER] = mass_matrix(directions(q, p), p)
    return full + np.triu(full, 1).T


def states(seed: int = 0, count: int = 20) -> list[tuple[Coordinates, Coordinates]]:
    rng = np.random.default_rng(seed)
    return [(Coordinates(*rng.uniform(-3, 3, 6)), Coordinates(*rng.normal(0, 1, 6))) for _ in range(count)]


def test_constants_are_the_printed_ones():
    assert constants(LISTING)[:19] == pytest.approx(P, rel=1e-12)


def test_a_printed_state_is_met_to_its_digits():
    p = constants(LISTING)
    d = directions(POSTURE, p)
    assert hand_pose(POSTURE, p) == pytest.approx(HAND, abs=HALF_DIGIT)
    np.testing.assert_allclose(mass_matrix(d, p), H, rtol=0, atol=HALF_DIGIT)
    np.testing.assert_allclose(coriolis(d, RATES, p), C, rtol=0, atol=HALF_DIGIT)
    f = float_free(POSTURE, RATES, p)
    r = reduce(f)
    np.testing.assert_allclose(np.ravel(r[:4]), H_BAR, rtol=0, atol=HALF_DIGIT)
    np.testing.assert_allclose(r.bias, C_BAR, rtol=0, atol=HALF_DIGIT)
    np.testing.assert_allclose(np.ravel(r[5:]), J_BAR, rtol=0, atol=HALF_DIGIT)
    tau = task_torques(f, U, NOTHING)
    np.testing.assert_allclose(tau, TORQUES, rtol=0, atol=HALF_DIGIT)
    # The specification's force acts on the hand; our push is its opposite.
    tau = task_torques(f, U, Task(0.0, -0.5, 0.0, 0.0))
    np.testing.assert_allclose(tau, PUSHED, rtol=0, atol=HALF_DIGIT)


def mjcf(a) -> str:
    """The same chain for MuJoCo: three slides and hinges, one body per link; moments about x and y do not matter."""
    links = [(a.l1, a.mass1, a.inertia1, a.rotor1), (a.l2, a.mass2, a.inertia2, a.rotor2)]
    links += [(a.l3, a.mass3, a.inertia3, a.rotor3)]
    places = [(a.shoulder_x, a.shoulder_y), (a.l1 + a.r1, 0.0), (a.l2 + a.r2, 0.0)]
    text = '<body><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint axis="0 0 1"/>'
    text += f'<inertial pos="0 0 0" mass="{a.mass0}" diaginertia="{a.inertia0} {a.inertia0} {a.inertia0}"/>'
    for i, ((x, y), (com, mass, inertia, rotor)) in enumerate(zip(places, links, strict=True)):
        turn = math.degrees(a.mount) if i == 0 else 0.0
        text += f'<body name="l{i + 1}" pos="{x} {y} 0" euler="0 0 {turn!r}"><joint axis="0 0 1" armature="{rotor}"/>'
        text += f'<inertial pos="{com} 0 0" mass="{mass}" diaginertia="{inertia} {inertia} {inertia}"/>'
    text += f'<site name="hand" pos="{a.l3 + a.r3} 0 0"/>' + "</body>" * 4
    return f'<mujoco><option gravity="0 0 0"/><worldbody>{text}</worldbody></mujoco>'


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_equal_to_mujoco(arm):
    p = constants(arm)
    model = mujoco.MjModel.from_xml_string(mjcf(arm))
    data = mujoco.MjData(model)
    hand, body = model.site("hand").id, model.body("l3").id
    for q, v in states():
        data.qpos[:], data.qvel[:] = q, v
        mujoco.mj_forward(model, data)
        mass = np.zeros((6, 6))
        mujoco.mj_fullM(model, data, mass)
        lin, ang, rate = np.zeros((3, 6)), np.zeros((3, 6)), np.zeros((3, 6))
        mujoco.mj_jacSite(model, data, lin, ang, hand)
        mujoco.mj_jacDot(model, data, rate, None, data.site_xpos[hand], body)
        d = directions(q, p)
        np.testing.assert_allclose(matrix(q, p), mass, rtol=0, atol=1e-9)
        np.testing.assert_allclose(coriolis(d, v, p), data.qfrc_bias, rtol=0, atol=1e-9)
        np.testing.assert_allclose(hand_jacobian(d, p), [lin[0], lin[1], ang[2]], rtol=0, atol=1e-9)
        np.testing.assert_allclose(hand_jacobian_rate(d, v, p)[:2], rate[:2], rtol=0, atol=1e-9)
        np.testing.assert_allclose(hand_pose(q, p)[:2], data.site_xpos[hand][:2], rtol=0, atol=1e-9)


def chain(a) -> tuple[pin.Model, int]:
    """The same chain for Pinocchio."""
    model = pin.Model()
    turn = pin.utils.rotate("z", a.mount)
    places = [pin.SE3(turn, np.array([a.shoulder_x, a.shoulder_y, 0.0]))]
    places += [pin.SE3(np.eye(3), np.array([x, 0.0, 0.0])) for x in (a.l1 + a.r1, a.l2 + a.r2)]
    joint = 0
    for kind in (pin.JointModelPX(), pin.JointModelPY(), pin.JointModelRZ()):
        joint = model.addJoint(joint, kind, pin.SE3.Identity(), f"base{joint}")
    model.appendBodyToJoint(joint, pin.Inertia(a.mass0, np.zeros(3), a.inertia0 * np.eye(3)), pin.SE3.Identity())
    masses, comes = (a.mass1, a.mass2, a.mass3), (a.l1, a.l2, a.l3)
    inertias = (a.inertia1, a.inertia2, a.inertia3)
    for place, mass, com, inertia in zip(places, masses, comes, inertias, strict=True):
        joint = model.addJoint(joint, pin.JointModelRZ(), place, f"q{joint - 2}")
        body = pin.Inertia(mass, np.array([com, 0.0, 0.0]), inertia * np.eye(3))
        model.appendBodyToJoint(joint, body, pin.SE3.Identity())
    model.armature = np.array([0.0, 0.0, 0.0, a.rotor1, a.rotor2, a.rotor3])
    model.gravity = pin.Motion.Zero()
    hand = pin.SE3(np.eye(3), np.array([a.l3 + a.r3, 0.0, 0.0]))
    return model, model.addFrame(pin.Frame("hand", joint, hand, pin.FrameType.OP_FRAME))


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_equal_to_pinocchio(arm):
    p = constants(arm)
    model, hand = chain(arm)
    data = model.createData()
    world = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    for q, v in states(1):
        at, rate = np.array(q), np.array(v)
        d = directions(q, p)
        upper = np.triu(pin.crba(model, data, at))
        np.testing.assert_allclose(np.triu(matrix(q, p)), upper, rtol=0, atol=1e-9)
        bias = pin.nonLinearEffects(model, data, at, rate)
        np.testing.assert_allclose(coriolis(d, v, p), bias, rtol=0, atol=1e-9)
        pin.computeJointJacobiansTimeVariation(model, data, at, rate)
        pin.updateFramePlacements(model, data)
        full, change = (
            pin.getFrameJacobian(model, data, hand, world),
            pin.getFrameJacobianTimeVariation(model, data, hand, world),
        )
        np.testing.assert_allclose(hand_jacobian(d, p), full[[0, 1, 5]], rtol=0, atol=1e-9)
        np.testing.assert_allclose(hand_jacobian_rate(d, v, p), change[[0, 1, 5]], rtol=0, atol=1e-9)


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_coriolis_forces_do_no_work_of_their_own(arm):
    """Ḣ - 2 C is skew, so vᵀ c = ½ vᵀ Ḣ v; and the base's translation only shifts the origin."""
    p, step = constants(arm), 1e-6
    for q, v in states(2):
        ahead, behind = (matrix(Coordinates(*(np.array(q) + s * np.array(v))), p) for s in (step, -step))
        power = 0.5 * np.array(v) @ ((ahead - behind) / (2 * step)) @ np.array(v)
        assert np.dot(v, coriolis(directions(q, p), v, p)) == pytest.approx(power, abs=1e-7)
        assert np.linalg.eigvalsh(matrix(q, p)).min() > 0.0


def thesis_reduction(q: Coordinates, v: Coordinates, p: Constants):
    """Section 3.6 of the specification, matrix by matrix."""
    d = directions(q, p)
    h, c, j = matrix(q, p), np.array(coriolis(d, v, p)), np.array(hand_jacobian(d, p))
    j1, j1_rate = np.vstack([np.eye(3, 6), j]), np.vstack([np.zeros((3, 6)), hand_jacobian_rate(d, v, p)])
    back = np.linalg.inv(j1)
    h_star, j_star = back.T @ h @ back, back.T
    c_star = back.T @ (c - h @ back @ j1_rate @ np.array(v))
    je_star = back.T @ j.T
    x = h_star[2:, :2] @ np.linalg.inv(h_star[:2, :2])
    parts = (h_star[2:, 2:] - x @ h_star[:2, 2:], c_star[2:] - x @ c_star[:2])
    return *parts, j_star[2:, 2:] - x @ j_star[:2, 2:], je_star[2:] - x @ je_star[:2]


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_the_reduction_is_the_thesis_s(arm):
    p = constants(arm)
    for q, v in states(3, 60):
        if abs(math.sin(q.q2)) < 0.2:
            continue
        inertia, bias, torque_map, push_map = thesis_reduction(q, v, p)
        r = reduce(float_free(q, v, p))
        np.testing.assert_allclose(r[:4], inertia, rtol=0, atol=1e-9)
        np.testing.assert_allclose(r.bias, bias, rtol=0, atol=1e-9)
        np.testing.assert_allclose(r[5:], torque_map, rtol=0, atol=1e-9)
        np.testing.assert_allclose(push_map, np.vstack([np.zeros(3), np.eye(3)]), rtol=0, atol=1e-9)


@pytest.mark.parametrize("arm", ARMS.values(), ids=ARMS)
def test_torques_give_exactly_the_accelerations_asked_for(arm):
    """Through all six equations of motion, with a push and a moment on the target at the same time."""
    p, rng, tried = constants(arm), np.random.default_rng(4), 0
    for q, v in states(5, 60):
        if abs(math.sin(q.q2)) < 0.2:
            continue
        u, push = Task(*rng.normal(0, 1, 4)), Task(0.0, *rng.normal(0, 1, 3))
        tau = task_torques(float_free(q, v, p), u, push)
        d = directions(q, p)
        j = np.array(hand_jacobian(d, p))
        force = np.array([0.0, 0.0, *tau]) - np.array(coriolis(d, v, p)) - j.T @ np.array(push[1:])
        a = np.linalg.solve(matrix(q, p), force)
        hand = j @ a + np.array(hand_jacobian_rate(d, v, p)) @ np.array(v)
        np.testing.assert_allclose([a[2], *hand], u, rtol=0, atol=1e-10)
        tried += 1
    assert tried > 30


def test_near_the_singularity_torques_stay_small_and_continuous():
    p, u = constants(LISTING), Task(0.0, 0.1, 0.1, 0.0)
    folds = np.linspace(-0.6, 0.6, 2401)
    tau = np.array([task_torques(float_free(POSTURE._replace(q2=float(b)), RATES, p), u, NOTHING) for b in folds])
    assert np.abs(tau).max() < 1.0  # 0.1 m/s² of everything; without the guard it grows without bound at 0
    assert np.abs(np.diff(tau, axis=0)).max() < 0.02
    inside = np.abs(np.sin(folds)) < 0.17
    exact = np.array([solved_without_guard(POSTURE._replace(q2=float(b)), p, u) for b in folds[~inside]])
    np.testing.assert_allclose(tau[~inside], exact, rtol=0, atol=1e-10)


def solved_without_guard(q: Coordinates, p: Constants, u: Task) -> np.ndarray:
    inertia, bias, torque_map, _ = thesis_reduction(q, RATES, p)
    return np.linalg.solve(torque_map, inertia @ np.array(u) + bias)
