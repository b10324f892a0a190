"""Changes of masses and inertias while a world runs; physically impossible ones are refused."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.schema.limits import beyond_unit
from cupola.schema.yaml_files import InputError

SAME_AXES = 1e-12
"""Products of inertia below this fraction of the largest moment count as zero."""


class Inertia(NamedTuple):
    """Of one body."""

    mass: float
    """[kg]"""
    com_b: tuple[float, ...]
    """Centre of mass in the axes of the body [m]."""
    about_com: tuple[float, ...]
    """xx, yy, zz, xy, xz, yz about the centre of mass, in the axes of the body [kg m²]."""


class BodyInertias:
    """Those of one world."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._arrays = (model.body_mass, model.body_ipos, model.body_iquat, model.body_inertia)
        self._first = tuple(array.copy() for array in self._arrays)
        self._given: dict[int, Inertia] = {}

    def put(self, body: int, mass: float, com_b: Sequence[float], about_com: Sequence[float]) -> None:
        """Give a body another mass and inertia."""
        given = Inertia(float(mass), tuple(map(float, com_b)), tuple(map(float, about_com)))
        check(given)
        before = dict(self._given)
        self._given[body] = given
        try:
            self._write()
        except mujoco.FatalError as error:
            self._given = before
            self._write()
            name = self._model.body(body).name
            raise InputError(f"MuJoCo cannot turn the principal axes of {name!r} while it runs: {error}") from None

    def now(self, body: int) -> Inertia:
        """That of a body at present."""
        model, turn = self._model, np.zeros(9)
        mujoco.mju_quat2Mat(turn, model.body_iquat[body])
        axes = turn.reshape(3, 3)
        full = axes @ np.diag(model.body_inertia[body]) @ axes.T
        moments = (*np.diag(full), full[0, 1], full[0, 2], full[1, 2])
        return Inertia(float(model.body_mass[body]), tuple(model.body_ipos[body].tolist()), tuple(map(float, moments)))

    def memory(self) -> dict[int, Inertia]:
        """What was changed."""
        return dict(self._given)

    def remember(self, memory: dict[int, Inertia]) -> None:
        """Restore what `memory` returned."""
        if memory != self._given:
            self._given = dict(memory)
            self._write()

    def _write(self) -> None:
        model = self._model
        for array, first in zip(self._arrays, self._first, strict=True):
            array[...] = first
        for body, given in self._given.items():
            moments, quat = _principal(_matrix(given), self._first[2][body])
            model.body_mass[body], model.body_ipos[body] = given.mass, given.com_b
            model.body_iquat[body], model.body_inertia[body] = quat, moments
        mujoco.mj_setConst(model, mujoco.MjData(model))  # in data of its own: it moves everything to the start


def _principal(matrix: Any, before: Any) -> tuple[Any, Any]:
    """Moments about principal axes, and these axes: the previous ones if they are still principal, else new ones."""
    turn, quat = np.zeros(9), np.array(before)
    mujoco.mju_quat2Mat(turn, quat)
    axes = turn.reshape(3, 3)
    here = axes.T @ matrix @ axes
    if np.abs(here - np.diag(np.diag(here))).max() <= SAME_AXES * np.abs(here).max():
        return np.diag(here), quat
    moments, axes = np.linalg.eigh(matrix)
    if np.linalg.det(axes) < 0.0:
        axes[:, 0] *= -1.0
    mujoco.mju_mat2Quat(quat, axes.ravel())
    return moments, quat


def _matrix(given: Inertia) -> Any:
    xx, yy, zz, xy, xz, yz = given.about_com
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def check(given: Inertia) -> None:
    """Refuse an inertia that no body of positive density can have."""
    if len(given.com_b) != 3 or len(given.about_com) != 6:
        raise InputError("an inertia needs a centre of mass of three numbers, and xx, yy, zz, xy, xz, yz")
    if not np.isfinite([given.mass, *given.com_b, *given.about_com]).all():
        raise InputError(f"an inertia needs finite numbers, got {given}")
    rows = {"mass": ([given.mass], "kg"), "centre of mass": (given.com_b, "m"), "inertia": (given.about_com, "kg m²")}
    for what, (values, unit) in rows.items():
        if problem := next(filter(None, (beyond_unit(value, unit) for value in values)), ""):
            raise InputError(f"the {what} of a body {problem}")
    if given.mass <= 0.0:
        raise InputError(f"a body needs a mass above 0 kg, got {given.mass:g}")
    small, middle, large = np.linalg.eigvalsh(_matrix(given))
    said = f"{small:.4g}, {middle:.4g}, {large:.4g} kg m²"
    if small <= 0.0:
        raise InputError(f"all principal moments of inertia must be above 0, got {said}")
    if large > (small + middle) * (1.0 + 1e-9):
        raise InputError(f"no principal moment may be larger than the other two together, got {said}")
