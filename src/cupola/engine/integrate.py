"""One physics step with MuJoCo's own stages; before and after it all motion is current.

Euler and the implicit integrators use MuJoCo's split step. RK4 is written out over MuJoCo's public stages because the
loads must be evaluated at every stage: MuJoCo's own would need a process-wide callback for that. It also averages the
rates of a turning body as if they shared one axis, which is of second order only; ours is of fourth.
"""

from cupola.engine.loads import add_loads
from cupola.kernel.jit import call
from cupola.kernel.memory import Views, copy, window
from cupola.kernel.stages import AFTER_STEP, BEFORE_STEP, CONTACT, INERTIA, MOTION, TALLY, blame, run_stage
from cupola.physics.rotation import Vector, cross
from cupola.xmath import Number

TOO_FAST = 1e6
"""No coordinate of a robot moves at this speed [m/s, rad/s]: the state is diverging."""


def refresh(v: Views) -> None:
    """Positions, contacts and velocities from the coordinates, and what MuJoCo's own sensors make of them."""
    hold_air(v)
    revisit(v)


def revisit(v: Views) -> None:
    """The same after a restore, with the inertia that the air had then."""
    w = v.world[0]
    if not w.split:
        call(w.mj_step1, (w.model, w.data))
        return
    _forward(v)
    call(w.mj_sensorPos, (w.model, w.data))
    call(w.mj_sensorVel, (w.model, w.data))


def hold_air(v: Views) -> None:
    """The mass matrix is made with the air as it was sampled last."""
    for vehicle in range(v.air_samples.shape[0]):
        v.air_samples[vehicle].matrix_density = v.air_samples[vehicle].density


def _forward(v: Views) -> None:
    """Positions, contacts and velocities from the coordinates."""
    w = v.world[0]
    if w.split:  # MuJoCo's `mj_fwdPosition`, with ours on the mass matrix and on the contacts
        call(w.mj_fwdKinematics, (w.model, w.data))
        call(w.mj_makeM, (w.model, w.data))
        run_stage(v, INERTIA, 0.0)
        call(w.mj_factorM, (w.model, w.data))
        call(w.mj_collision, (w.model, w.data))
        run_stage(v, CONTACT, 0.0)
        call(w.mj_makeConstraint, (w.model, w.data))
        call(w.mj_island, (w.model, w.data))
        call(w.mj_transmission, (w.model, w.data))
        call(w.mj_projectConstraint, (w.model, w.data))
    else:
        call(w.mj_fwdPosition, (w.model, w.data))
    call(w.mj_fwdVelocity, (w.model, w.data))


def accelerate(v: Views) -> Number:
    """Loads and accelerations at the present motion; 0 or what went wrong."""
    problem = add_loads(v)
    w = v.world[0]
    call(w.mj_fwdActuation, (w.model, w.data))
    call(w.mj_fwdAcceleration, (w.model, w.data))
    call(w.mj_fwdConstraint, (w.model, w.data))
    return problem


def split_step(v: Views) -> Number:
    """One step of Euler or of an implicit integrator; 0 or what went wrong."""
    run_stage(v, BEFORE_STEP, 0.0)
    problem = add_loads(v)
    if problem != 0:
        return problem
    run_stage(v, TALLY, v.world[0].dt)
    call(v.world[0].mj_step2, (v.world[0].model, v.world[0].data))
    return _arrive(v)


def runge_kutta_step(v: Views) -> Number:
    """One step of the fourth order; 0 or what went wrong."""
    run_stage(v, BEFORE_STEP, 0.0)
    problem = _runge_kutta(v)
    return problem if problem != 0 else _arrive(v)


def _arrive(v: Views) -> Number:
    """After the step all motion is current, and nothing runs away."""
    run_stage(v, AFTER_STEP, 0.0)
    problem = _check_motion(v)
    if problem == 0:
        refresh(v)
    return problem


def _check_motion(v: Views) -> Number:
    """0, or MOTION if a coordinate diverges: MuJoCo's collision detection may crash on places that are no numbers."""
    for i in range(v.qvel.shape[0]):
        if not abs(v.qvel[i]) < TOO_FAST:
            return blame(v, MOTION, i, 0)
    return 0


def _runge_kutta(v: Views) -> Number:
    """Classical fourth order: Hairer, Nørsett, Wanner, Solving Ordinary Differential Equations I, II.1."""
    h = v.world[0].dt
    nq, nv = v.qpos.shape[0], v.qvel.shape[0]
    qpos, qvel, rate = window(v.buffer, 0, nq), window(v.buffer, nq, nv), window(v.buffer, nq + nv, nv)
    sum_rate, sum_acc = window(v.buffer, nq + 2 * nv, nv), window(v.buffer, nq + 3 * nv, nv)
    copy(v.qpos, qpos)
    copy(v.qvel, qvel)
    problem = accelerate(v)
    if problem != 0:
        return problem
    run_stage(v, TALLY, h / 6.0)
    copy(v.qvel, rate)
    copy(v.qvel, sum_rate)
    copy(v.qacc, sum_acc)
    for stage in range(1, 4):
        part = h if stage == 3 else 0.5 * h
        weight = 1.0 if stage == 3 else 2.0
        _move(v, qpos, rate, part)
        for i in range(nv):
            v.qvel[i] = qvel[i] + part * v.qacc[i]
        problem = _check_motion(v)
        if problem == 0:
            hold_air(v)
            _forward(v)
            problem = accelerate(v)
        if problem != 0:
            copy(qpos, v.qpos)
            return problem
        run_stage(v, TALLY, weight * h / 6.0)
        _along(v, rate, part)
        for i in range(nv):
            sum_rate[i] += weight * rate[i]
            sum_acc[i] += weight * v.qacc[i]
    for i in range(nv):
        rate[i] = sum_rate[i] / 6.0
        v.qacc_warmstart[i] = v.qacc[i]
        v.qacc[i] = sum_acc[i] / 6.0
        v.qvel[i] = qvel[i] + h * v.qacc[i]
    _move(v, qpos, rate, h)
    return 0


def _along(v: Views, rate: Number, duration: Number) -> None:
    """Replace the rate that led to this stage by the one here, as seen from the start of the step.

    A turn u made so far changes by w + u x w / 2 + u x (u x w) / 12 when the body turns at w. Without these terms the
    method is of second order as soon as the axis of rotation moves: Munthe-Kaas, BIT 38 (1998) 92-111.
    """
    i = 0
    while i < rate.shape[0]:
        if v.turning[i] == 0:
            rate[i] = v.qvel[i]
            i += 1
            continue
        turned = Vector(duration * rate[i], duration * rate[i + 1], duration * rate[i + 2])
        now = Vector(v.qvel[i], v.qvel[i + 1], v.qvel[i + 2])
        first = cross(turned, now)
        second = cross(turned, first)
        rate[i] = now.x + first.x / 2.0 + second.x / 12.0
        rate[i + 1] = now.y + first.y / 2.0 + second.y / 12.0
        rate[i + 2] = now.z + first.z / 2.0 + second.z / 12.0
        i += 3


def _move(v: Views, start: Number, rate: Number, duration: Number) -> None:
    """Coordinates `duration` after `start` at a constant rate."""
    copy(start, v.qpos)
    call(v.world[0].mj_integratePos, (v.world[0].model, v.qpos.ctypes.data, rate.ctypes.data, duration))
