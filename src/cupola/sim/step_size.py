"""Whether a step of the physics is short enough for what is stiff in a world: an estimate, before anything runs.

A spring on a mass is followed well where stiffness × step² / mass is small, a damper where damping × step / mass is.
Masses are those that the place feels at the start: the inverse of J M⁻¹ Jᵀ, with the air that a wing carries along.
Actuators of MuJoCo are counted as the chosen integrator treats them: `implicit` and `implicitfast` take their damping
at the end of the step. A motor that only creeps to its place is judged by how fast it creeps.
"""

from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.build.compile import Assembly
from cupola.build.layout_builder import LayoutBuilder

FOLLOWED = 0.5
"""Stiffness × step² / mass up to which a run tells the truth within per cents: half the bar of MuJoCo's own `2 dt`."""
DAMPED = 1.0
"""Damping × step / mass, the same."""
IMPLICIT = (int(mujoco.mjtIntegrator.mjINT_IMPLICIT), int(mujoco.mjtIntegrator.mjINT_IMPLICITFAST))
UNSTABLE = 4.0
"""Stiffness × step² / mass, or twice damping × step / mass, at which an explicit step grows without bound."""
CREEP, FADES = 0.05, 0.5
"""Of a motor that creeps: share by which the step may change its pace, and what a step may leave of its fast part."""

RUNGE_KUTTA = 1.39
"""How much longer a step of RK4 may be: it is stable up to 2.78 of damping × step / mass, where Euler is up to 2."""


class Caution(NamedTuple):
    """An element that is stiff for the step."""

    text: str
    hopeless: bool
    """Whether the run will be unstable, not only inexact."""


def cautions(assembly: Assembly, dt: float) -> list[Caution]:
    """Of the state that the world is in."""
    model = assembly.model
    if model.nv == 0:
        return []
    inverse = _InverseMass(assembly)
    reach = RUNGE_KUTTA if int(model.opt.integrator) == mujoco.mjtIntegrator.mjINT_RK4 else 1.0
    found = [_of_actuator(model, inverse, k, dt) for k in range(model.nu)]
    for bound in assembly.parts:
        builder = LayoutBuilder.rebind(bound.offsets)
        for spring in bound.part.springs(builder):
            felt = inverse.at_site(spring.site)
            what = f"{bound.full_name}.{spring.name} {spring.stiffness:g} N/m"
            stiff, damped = spring.stiffness * felt * dt * dt / reach**2, spring.damping * felt * dt / reach
            found.append(_judge(what, stiff, damped, 1.0 / felt, "kg", dt))
    found += _of_contacts(assembly, dt)
    return [caution for caution in found if caution is not None]


class _InverseMass:
    """What places and joints feel at the start, in data of its own: the world's stays as it is, to the bit.

    Contacts are left out: a wheel on the floor also moves its base, so without it the mass is the least it can be.
    """

    def __init__(self, assembly: Assembly) -> None:
        model = self.model = assembly.model
        self.data = mujoco.MjData(model)
        self.data.qpos[:] = assembly.data.qpos
        mujoco.mj_kinematics(model, self.data)
        mujoco.mj_comPos(model, self.data)
        mujoco.mj_makeM(model, self.data)
        for bound in assembly.parts:
            if "added" in bound.row.dtype.names:
                self._add_air(bound.row, float(assembly.arrays.air_samples["density"][bound.row["vehicle"]]))
        mujoco.mj_factorM(model, self.data)

    def _add_air(self, wing: Any, density: float) -> None:
        """Added mass of a wing, as `parts.aero.added_mass` adds it to the mass matrix."""
        model, size = self.model, (3, self.model.nv)
        move, turn = np.zeros(size), np.zeros(size)
        mujoco.mj_jacSite(model, self.data, move, turn, wing["site"])
        axes = self.data.site_xmat[wing["site"]].reshape(3, 3)
        motion = np.concatenate([axes.T @ turn, axes.T @ move])
        push = density * wing["added"].reshape(6, 6) @ motion
        rows = np.repeat(np.arange(model.nv), model.M_rownnz)
        self.data.M += (push[:, rows] * motion[:, model.M_colind]).sum(0)

    def of_dof(self, dof: int) -> Any:
        """Response to a force there: of its own coordinate, and of all others."""
        unit, out = np.zeros((1, self.model.nv)), np.zeros((1, self.model.nv))
        unit[0, dof] = 1.0
        mujoco.mj_solveM(self.model, self.data, out, unit)
        return out[0]

    def at_site(self, site: int) -> float:
        jacobian, solved = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        mujoco.mj_jacSite(self.model, self.data, jacobian, None, site)
        mujoco.mj_solveM(self.model, self.data, solved, jacobian)
        return float(np.linalg.eigvalsh(jacobian @ solved.T).max())


def _of_actuator(model: Any, inverse: _InverseMass, k: int, dt: float) -> Caution | None:
    """A position or velocity actuator on a joint."""
    plain = int(model.actuator_biastype[k]) == mujoco.mjtBias.mjBIAS_NONE
    if plain or int(model.actuator_trntype[k]) != mujoco.mjtTrn.mjTRN_JOINT:
        return None
    joint = int(model.actuator_trnid[k, 0])
    turns = int(model.jnt_type[joint]) == mujoco.mjtJoint.mjJNT_HINGE
    if not turns and int(model.jnt_type[joint]) != mujoco.mjtJoint.mjJNT_SLIDE:
        return None
    moved = inverse.of_dof(int(model.jnt_dofadr[joint]))
    felt = float(moved[model.jnt_dofadr[joint]])
    gear = float(model.actuator_gear[k, 0]) ** 2
    stiffness, damping = -float(model.actuator_biasprm[k, 1]) * gear, -float(model.actuator_biasprm[k, 2]) * gear
    units = ("N m/rad", "N m s/rad", "kg m²") if turns else ("N/m", "N s/m", "kg")
    what = f"the motor of {model.joint(joint).name} with {stiffness:g} {units[0]} and {damping:g} {units[1]}"
    damped = 0.0 if int(model.opt.integrator) in IMPLICIT else damping * felt * dt
    stiff = stiffness * felt * dt * dt
    # Two motors on one light body shake each other: at worst all that it moves answers in step.
    shared = sum(abs(float(moved[dof])) * kv for dof, kv in _dampers(model).items()) * dt if damped else 0.0
    creeps = _creeps(stiff, damped) and _creeps(stiff, max(damped, shared))
    return None if creeps else _judge(what, stiff, damped, 1.0 / felt, units[2], dt)


def _dampers(model: Any) -> dict[int, float]:
    """Damping by motors of the degrees of freedom that have any."""
    found: dict[int, float] = {}
    for k in range(model.nu):
        if int(model.actuator_trntype[k]) == mujoco.mjtTrn.mjTRN_JOINT and model.actuator_biasprm[k, 2] < 0.0:
            dof = int(model.jnt_dofadr[model.actuator_trnid[k, 0]])
            found[dof] = found.get(dof, 0.0) - float(model.actuator_biasprm[k, 2] * model.actuator_gear[k, 0] ** 2)
    return found


def _creeps(stiff: float, damped: float) -> bool:
    """Whether damping leaves a motor one slow way to its place, which explicit steps follow, and a fast one that fades.

    In units of the step and the mass the motor is λ² + damped λ + stiff = 0, its steps are
    z² - (2 - damped - stiff) z + 1 - damped = 0.
    """
    if stiff <= 0.0 or damped * damped <= 4.0 * stiff:
        return False
    slow = max(np.roots([1.0, damped, stiff]).real)
    fast, steps = sorted(np.roots([1.0, damped + stiff - 2.0, 1.0 - damped]), key=abs)
    return bool(abs(fast) <= FADES and steps.imag == 0.0 < steps.real and abs(np.log(steps.real) / slow - 1.0) <= CREEP)


def _of_contacts(assembly: Assembly, dt: float) -> list[Caution | None]:
    """Geoms whose contacts are given as stiffness and damping per mass, not as times."""
    model = assembly.model
    found: dict[tuple[str, float, float], str] = {}
    for geom in range(model.ngeom):
        stiffness, damping = (-float(value) for value in model.geom_solref[geom])
        if model.geom_contype[geom] and stiffness > 0.0:
            owner = model.body(model.geom_bodyid[geom]).name.partition("/")[0]
            found.setdefault((owner, stiffness, damping), model.geom(geom).name or f"geom {geom}")
    return [
        _judge(f"contacts of {owner} ({name}) with {k:g} N/m per kg", 0.25 * k * dt * dt, 0.25 * c * dt, 1.0, "kg", dt)
        for (owner, k, c), name in found.items()
    ]


def _judge(what: str, stiff: float, damped: float, mass: float, unit: str, dt: float) -> Caution | None:
    """A message with the numbers, if one of the two is too large."""
    if stiff <= FOLLOWED and damped <= DAMPED:
        return None
    worst = max(stiff / FOLLOWED, (damped / DAMPED) ** 2)
    needed = round(1.0 / dt * worst**0.5 / 100.0 + 0.5) * 100
    text = (
        f"{what} on {mass:.3g} {unit} is stiff for a step of {1e3 * dt:g} ms: stiffness × step² / mass is {stiff:.2g} "
        f"(up to {FOLLOWED:g} is followed), damping × step / mass {damped:.2g} (up to {DAMPED:g}); "
        f"physics_hz: {needed} would do, or softer gains"
    )
    return Caution(text, stiff > UNSTABLE or damped > 0.5 * UNSTABLE)
