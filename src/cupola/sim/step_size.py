"""Whether a step of the physics is short enough for what is stiff in a world: an estimate, before anything runs.

A spring on a mass is followed well where stiffness × step² / mass is small, a damper where damping × step / mass is.
Masses are those that the place feels at the start: the inverse of J M⁻¹ Jᵀ. Actuators of MuJoCo are counted as the
chosen integrator treats them: `implicit` and `implicitfast` take their damping at the end of the step.
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


RUNGE_KUTTA = 1.39
"""How much longer a step of RK4 may be: it is stable up to 2.78 of damping × step / mass, where Euler is up to 2."""


class Caution(NamedTuple):
    """Something that is stiff for the step."""

    text: str
    hopeless: bool
    """Whether the run will not only be inexact but break down."""


def cautions(assembly: Assembly, dt: float) -> list[Caution]:
    """Of the state that the world is in."""
    model, data = assembly.model, assembly.data
    if model.nv == 0:
        return []
    inverse = _InverseMass(model, data)
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

    def __init__(self, model: Any, data: Any) -> None:
        self.model, self.data = model, mujoco.MjData(model)
        self.data.qpos[:] = data.qpos
        mujoco.mj_kinematics(model, self.data)
        mujoco.mj_comPos(model, self.data)
        mujoco.mj_makeM(model, self.data)
        mujoco.mj_factorM(model, self.data)

    def of_dof(self, dof: int) -> float:
        unit, out = np.zeros((1, self.model.nv)), np.zeros((1, self.model.nv))
        unit[0, dof] = 1.0
        mujoco.mj_solveM(self.model, self.data, out, unit)
        return float(out[0, dof])

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
    felt = inverse.of_dof(int(model.jnt_dofadr[joint]))
    gear = float(model.actuator_gear[k, 0]) ** 2
    stiffness, damping = -float(model.actuator_biasprm[k, 1]) * gear, -float(model.actuator_biasprm[k, 2]) * gear
    units = ("N m/rad", "N m s/rad", "kg m²") if turns else ("N/m", "N s/m", "kg")
    what = f"the motor of {model.joint(joint).name} with {stiffness:g} {units[0]} and {damping:g} {units[1]}"
    damped = 0.0 if int(model.opt.integrator) in IMPLICIT else damping * felt * dt
    return _judge(what, stiffness * felt * dt * dt, damped, 1.0 / felt, units[2], dt)


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
    """A sentence with the numbers, where one of the two is too large."""
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
