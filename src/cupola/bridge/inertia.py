"""Inertias that no body has, brought to the nearest that one could have.

Other simulators take any six numbers; MuJoCo refuses a tensor that is not positive or that breaks A + B >= C, as it
should. What it accepts is left as it is, to the last digit.
"""

from collections.abc import Sequence
from typing import Any

import mujoco
import numpy as np

from cupola.bridge.report import Report

Array = np.ndarray[Any, Any]
SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Places of xx, yy, zz, xy, xz, yz in a tensor."""
SMALLEST = 1e-12
"""[kg m²] and [kg]: below, a body that moves has no dynamics."""
SAME = 1e-6
"""Share by which two moments of inertia may differ that mean the same."""
THIN = 1e-9
"""Share by which A + B stays above C after a repair."""


def repair_inertia(mass: float, tensor: Array, where: str, report: Report, shapes: Sequence[Array] = ()) -> Array:
    """The tensor [kg m²], about the centre of mass, of a body that can be; a change is noted with both tensors.

    `shapes` are tensors that the body's own shapes would have: where one has two of the three moments, the third is a
    misprint, and the shape's is taken. Products of inertia that contradict moments which are possible without them are
    dropped, as a misprint too; else the principal moments move to the nearest triple with A + B >= C (least squares),
    about the same axes.
    """
    if _possible(mass, tensor):
        return tensor
    for shape in shapes:
        if _is_misprint_of(tensor, shape):
            why = "no body has these; its shape has two of the three moments, and so the third is the shape's"
            report.repair(f"{where}: inertia", six_numbers(tensor), six_numbers(shape), why)
            return shape
    diagonal = np.diag(np.diag(tensor))
    if np.any(tensor != diagonal) and _possible(mass, diagonal):
        why = "no body has these: its products of inertia are too large for its moments; they were left out"
        report.repair(f"{where}: inertia", six_numbers(tensor), six_numbers(diagonal), why)
        return diagonal
    moments, axes = np.linalg.eigh(0.5 * (tensor + tensor.T))
    found: Array = axes @ np.diag(nearest_moments(moments)) @ axes.T
    a, b, c = (f"{x:.6g}" for x in moments)
    why = f"no body has the principal moments {a}, {b}, {c}: none may be negative or exceed the sum of the others"
    report.repair(f"{where}: inertia", six_numbers(tensor), six_numbers(found), why)
    return found


def _is_misprint_of(tensor: Array, shape: Array) -> bool:
    """Whether a tensor is that of a shape but for one moment."""
    same = np.isclose(np.diag(tensor), np.diag(shape), rtol=SAME, atol=0.0)
    return bool(same.sum() == 2 and np.allclose(tensor - np.diag(np.diag(tensor)), 0.0))


def nearest_moments(moments: Array) -> Array:
    """Three moments, ascending, that lie nearest to the given ones and can be those of a body."""
    a, b, c = (max(float(x), 0.0) for x in moments)
    short = c - a - b
    if short > 0.0:  # the plane A + B = C is nearest along (1, 1, -1)
        a, b, c = a + short / 3.0, b + short / 3.0, c - short / 3.0
    a, b, c = max(a, SMALLEST), max(b, SMALLEST), max(c, SMALLEST)
    return np.array([a, b, min(c, (a + b) * (1.0 - THIN))])


def six_numbers(tensor: Array) -> str:
    """xx yy zz xy xz yz, as they are read."""
    return " ".join(f"{tensor[i, j]:.9g}" for i, j in SIX)


def _possible(mass: float, tensor: Array) -> bool:
    """Whether MuJoCo takes it, which is asked of MuJoCo."""
    six = " ".join(repr(float(tensor[i, j])) for i, j in SIX)
    inertial = f'<inertial pos="0 0 0" mass="{max(mass, SMALLEST)!r}" fullinertia="{six}"/>'
    try:
        mujoco.MjModel.from_xml_string(f"<mujoco><worldbody><body><freejoint/>{inertial}</body></worldbody></mujoco>")
    except ValueError:
        return False
    return True
