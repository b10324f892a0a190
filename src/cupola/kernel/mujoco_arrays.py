"""The arrays of `Views` that MuJoCo owns, or that are read off its model once."""

from typing import Any

import mujoco
import numpy as np

DATA = "qpos qvel qacc qacc_warmstart xpos xquat xipos cvel cacc cdof cdof_dot M cfrc_int ximat subtree_com site_xpos"
DATA += " site_xmat xfrc_applied qfrc_applied ctrl actuator_force"
MODEL = "body_mass body_inertia site_pos site_quat body_ipos body_iquat actuator_forcerange geom_friction"
MODEL += " dof_frictionloss"
INTEGERS = "body_rootid site_bodyid jnt_qposadr jnt_dofadr dof_parentid M_rowadr M_rownnz M_colind"


def mujoco_arrays(model: Any, data: Any) -> dict[str, Any]:
    """The arrays of `Views` that MuJoCo owns. Integers and `reflectivity` are copies that never change."""
    return {
        **{name: getattr(data, name) for name in DATA.split()},
        **{name: getattr(model, name) for name in MODEL.split()},
        **{name: np.array(getattr(model, name), np.int64) for name in INTEGERS.split()},
        "reflectivity": _reflectivity(model),
        "turning": _turning(model),
        "last_dof": _last_dof(model),
    }


def _last_dof(model: Any) -> Any:
    last = np.full(model.nbody, -1, np.int64)
    for body in range(1, model.nbody):
        count, first = model.body_dofnum[body], model.body_dofadr[body]
        last[body] = first + count - 1 if count else last[model.body_parentid[body]]
    return last


def _reflectivity(model: Any) -> Any:
    """The red of a geom's colour, or of its material: the nearest to the infrared that a model says."""
    red = np.array(model.geom_rgba[:, 0], np.float64)
    dressed = model.geom_matid >= 0
    red[dressed] = model.mat_rgba[model.geom_matid[dressed], 0]
    return red


def _turning(model: Any) -> Any:
    starts = np.zeros(model.nv, np.int64)
    for kind, first in zip(model.jnt_type, model.jnt_dofadr, strict=True):
        if kind == mujoco.mjtJoint.mjJNT_BALL:
            starts[first] = 1
        elif kind == mujoco.mjtJoint.mjJNT_FREE:
            starts[first + 3] = 1
    return starts
