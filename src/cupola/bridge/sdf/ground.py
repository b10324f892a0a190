"""Where a model without a world begins: not inside the ground, from which it would be thrown."""

import math
from typing import Any

import mujoco
import numpy as np

from cupola.physics.rotation import Euler, quaternion_from_euler

DEEP = 1e-3
"""[m] in the ground from which on a start is lifted."""


def below_ground(vehicle: dict[str, Any], model: mujoco.MjModel) -> float:
    """[m] by which the lowest collision shape of a vehicle reaches below height 0 where it starts; 0: it does not."""
    start, root = vehicle.get("start"), model.body(vehicle["root"]).id
    joint = int(model.body_jntadr[root])
    if start is None or joint < 0 or model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
        return 0.0
    data, at = mujoco.MjData(model), int(model.jnt_qposadr[joint])
    angles = Euler(*(math.radians(angle) for angle in start["attitude_deg"]))
    data.qpos[at : at + 7] = [*start["position"], *quaternion_from_euler(angles)]
    mujoco.mj_kinematics(model, data)
    touching = [k for k in range(model.ngeom) if model.geom_contype[k] or model.geom_conaffinity[k]]
    lowest = min((float(data.geom_xpos[k, 2]) - _reach(model, data, k) for k in touching), default=0.0)
    return -lowest if lowest < -DEEP else 0.0


def _reach(model: mujoco.MjModel, data: mujoco.MjData, geom: int) -> float:
    """[m] from the middle of a geom down to its lowest point."""
    down, size = -data.geom_xmat[geom].reshape(3, 3)[2], model.geom_size[geom]
    match mujoco.mjtGeom(int(model.geom_type[geom])):
        case mujoco.mjtGeom.mjGEOM_SPHERE:
            return float(size[0])
        case mujoco.mjtGeom.mjGEOM_CAPSULE:
            return float(size[0] + size[1] * abs(down[2]))
        case mujoco.mjtGeom.mjGEOM_CYLINDER:
            return float(size[0] * math.hypot(down[0], down[1]) + size[1] * abs(down[2]))
        case mujoco.mjtGeom.mjGEOM_ELLIPSOID:
            return float(np.linalg.norm(size * down))
        case mujoco.mjtGeom.mjGEOM_BOX:
            return float(size @ np.abs(down))
        case mujoco.mjtGeom.mjGEOM_MESH:
            mesh = int(model.geom_dataid[geom])
            first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
            return float(np.max(model.mesh_vert[first : first + count] @ down))
    return 0.0
