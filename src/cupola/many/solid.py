"""A vehicle as one free body: mass and inertia of all that moves with it, and what keeps it from being one."""

from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

Array = np.ndarray[Any, Any]
ROUND = 1e-9
"""Relative: a wheel whose moments across its axle differ by less is round."""


class Wheel(NamedTuple):
    """A round body that turns freely about an axle: it keeps its own spin, whatever the vehicle does."""

    moment: float
    """[kg m²] about the axle."""
    axle_b: Array
    speed: int
    """Velocity coordinate of its hinge."""


class Whole(NamedTuple):
    """The vehicle without the spin of its wheels."""

    mass: float
    com_b: Array
    inertia: Array
    """[kg m²] about the centre, body axes."""
    wheels: tuple[Wheel, ...]

    def numbers(self) -> list[float]:
        """In the order of `engine.free_body.Solid`."""
        i, j = self.inertia, np.linalg.inv(self.inertia)
        places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
        return [self.mass, *self.com_b.tolist(), *(float(m[p]) for m in (i, j) for p in places)]


def whole(world: World) -> Whole:
    """The only vehicle of a world as one body; refuses what is none."""
    model, root = world.model, world.instances[0].root
    if model.body_jntnum[root] != 1 or model.jnt_type[model.body_jntadr[root]] != mujoco.mjtJoint.mjJNT_FREE:
        raise InputError(f"fused: the root of {world.instances[0].name} does not move freely; use the back-end threads")
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    R = data.xmat[root].reshape(3, 3)
    bodies = [k for k in range(model.nbody) if model.body_rootid[k] == root]
    mass = float(sum(model.body_mass[k] for k in bodies))
    centre = sum(model.body_mass[k] * data.xipos[k] for k in bodies) / mass
    inertia, wheels = np.zeros((3, 3)), []
    for k in bodies:
        axes, arm = data.ximat[k].reshape(3, 3), data.xipos[k] - centre
        own = axes @ np.diag(model.body_inertia[k]) @ axes.T
        inertia += own + model.body_mass[k] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
        if k != root and model.body_jntnum[k]:
            wheels.append(_wheel(world, data, int(k), own, R))
            inertia -= wheels[-1].moment * np.outer(R @ wheels[-1].axle_b, R @ wheels[-1].axle_b)
    return Whole(mass, R.T @ (centre - data.xpos[root]), R.T @ inertia @ R, tuple(wheels))


def _wheel(world: World, data: Any, body: int, own: Array, R: Array) -> Wheel:
    """A body on a hinge, if nothing but its bearing holds it and it is round about its axle."""
    model, joint = world.model, int(world.model.body_jntadr[body])
    axle, dof = data.xaxis[joint], int(model.jnt_dofadr[joint])
    off = np.cross(data.xipos[body] - data.xanchor[joint], axle)
    moment = float(axle @ own @ axle)
    across = own - moment * np.outer(axle, axle)
    size = 0.5 * float(np.trace(across))
    is_round = np.abs(across - size * (np.eye(3) - np.outer(axle, axle))).max() < ROUND * size
    free = not (model.dof_damping[dof] or model.dof_frictionloss[dof] or model.dof_armature[dof])
    free = free and not model.jnt_stiffness[joint] and not (model.actuator_trnid[:, 0] == joint).any()
    hinge = model.body_jntnum[body] == 1 and model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE
    sited = {int(b.row["body"]) for b in world.assembly.parts}
    if not (hinge and free and is_round and np.abs(off).max() < ROUND and body not in sited):
        name = model.body(body).name
        raise InputError(f"fused: {name!r} moves against its vehicle and is no free wheel; use the back-end threads")
    return Wheel(moment, R.T @ axle, dof)


def box_of(world: World) -> tuple[Array, Array] | None:
    """Centre and half sizes, body axes, of a box around all that can touch the floor; None if nothing can."""
    model, root = world.model, world.instances[0].root
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    R, low, high = data.xmat[root].reshape(3, 3), [], []
    for g in range(model.ngeom):
        if model.body_rootid[model.geom_bodyid[g]] == root and (model.geom_contype[g] or model.geom_conaffinity[g]):
            turn = R.T @ data.geom_xmat[g].reshape(3, 3)
            centre = R.T @ (data.geom_xpos[g] - data.xpos[root]) + turn @ model.geom_aabb[g, :3]
            half = np.abs(turn) @ model.geom_aabb[g, 3:]
            low.append(centre - half)
            high.append(centre + half)
    if not low or world.scenario.floor is None:
        return None
    bottom, top = np.min(low, axis=0), np.max(high, axis=0)
    return 0.5 * (bottom + top), 0.5 * (top - bottom)
