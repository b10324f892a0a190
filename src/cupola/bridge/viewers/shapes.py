"""The shapes of a model as triangles, body by body: what a viewer needs to show the robot itself."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

ROUND = 24
"""Sides of what is round."""
SHOWN_GROUPS = 3
"""MuJoCo shows the geoms of groups 0 to 2 unless told otherwise; 3 and above hold collision shapes."""
GROUND = 50.0
"""[m] half size of a plane that has no end."""
WORLD = "world"

Points = NDArray[np.float64]
Faces = NDArray[np.int64]


class Solid(NamedTuple):
    """A shape in the axes of its body."""

    body: str
    """Its frame, as in /tf."""
    name: str
    rgba: tuple[float, float, float, float]
    points: Points
    """(n, 3) [m]."""
    faces: Faces
    """(m, 3), counter-clockwise seen from outside."""


def solids(model: Any) -> Iterator[Solid]:
    """Every shape that MuJoCo shows; one of a kind that has no surface here is left out."""
    for k in range(model.ngeom):
        rgba = model.mat_rgba[model.geom_matid[k]] if model.geom_matid[k] >= 0 else model.geom_rgba[k]
        if model.geom_group[k] >= SHOWN_GROUPS or rgba[3] == 0.0:
            continue
        found = _surface(model, k)
        if found is None:
            continue
        turn = np.zeros(9)
        mujoco.mju_quat2Mat(turn, model.geom_quat[k])
        points = found[0] @ turn.reshape(3, 3).T + model.geom_pos[k]
        body = int(model.geom_bodyid[k])
        frame = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, body) if body else WORLD
        name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_GEOM, k) or f"geom{k}"
        red, green, blue, alpha = (float(value) for value in rgba)
        yield Solid(frame, name, (red, green, blue, alpha), points, found[1])


def _surface(model: Any, k: int) -> tuple[Points, Faces] | None:
    """Points and faces in the axes of the geom."""
    kind, size = mujoco.mjtGeom(int(model.geom_type[k])), model.geom_size[k]
    if kind == mujoco.mjtGeom.mjGEOM_MESH:
        return _mesh(model, int(model.geom_dataid[k]))
    if kind == mujoco.mjtGeom.mjGEOM_HFIELD:
        return _height_field(model, int(model.geom_dataid[k]))
    if kind == mujoco.mjtGeom.mjGEOM_PLANE:
        x, y = (float(half) or GROUND for half in size[:2])
        return np.array([[-x, -y, 0.0], [x, -y, 0.0], [x, y, 0.0], [-x, y, 0.0]]), np.array([[0, 1, 2], [0, 2, 3]])
    if kind == mujoco.mjtGeom.mjGEOM_BOX:
        return _box(size)
    if kind == mujoco.mjtGeom.mjGEOM_CYLINDER:
        return _turned(np.array([[size[0], -size[1]], [size[0], size[1]]]))
    angles = np.linspace(-np.pi / 2, np.pi / 2, ROUND // 2 + 1)
    ball = np.column_stack([np.cos(angles), np.sin(angles)])[1:-1]
    if kind == mujoco.mjtGeom.mjGEOM_CAPSULE:
        half = np.where(ball[:, 1] > 0.0, size[1], -size[1])
        middle = ball[:, 1] == 0.0
        ends = np.repeat(ball * size[0] + np.column_stack([np.zeros(len(half)), half]), 1 + middle, axis=0)
        twice = np.flatnonzero(middle)
        ends[twice + 1, 1] = size[1]
        return _turned(ends, size[0] + size[1])
    if kind in (mujoco.mjtGeom.mjGEOM_SPHERE, mujoco.mjtGeom.mjGEOM_ELLIPSOID):
        points, faces = _turned(ball, 1.0)
        return points * (size if kind == mujoco.mjtGeom.mjGEOM_ELLIPSOID else size[0]), faces
    return None


def _turned(profile: Points, tip: float | None = None) -> tuple[Points, Faces]:
    """A body of revolution about z: rings (radius, height) from below, closed in points at ±tip or by flat ends."""
    top = profile[-1, 1] if tip is None else tip
    bottom = profile[0, 1] if tip is None else -tip
    angles = 2.0 * np.pi * np.arange(ROUND) / ROUND
    rings = [np.column_stack([r * np.cos(angles), r * np.sin(angles), np.full(ROUND, z)]) for r, z in profile]
    points = np.vstack([*rings, [[0.0, 0.0, bottom], [0.0, 0.0, top]]])
    here = np.arange(ROUND)
    after = (here + 1) % ROUND
    faces = []
    for k in range(len(profile) - 1):
        low, high = k * ROUND, (k + 1) * ROUND
        faces += [np.column_stack([low + here, low + after, high + after])]
        faces += [np.column_stack([low + here, high + after, high + here])]
    last, ends = (len(profile) - 1) * ROUND, len(profile) * ROUND
    faces += [np.column_stack([after, here, np.full(ROUND, ends)])]
    faces += [np.column_stack([last + here, last + after, np.full(ROUND, ends + 1)])]
    return points, np.vstack(faces)


def _box(half: Points) -> tuple[Points, Faces]:
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * half
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, np.array([face for a, b, c, d in sides for face in ((a, b, c), (a, c, d))])


def _mesh(model: Any, k: int) -> tuple[Points, Faces]:
    first, count = model.mesh_vertadr[k], model.mesh_vertnum[k]
    points = model.mesh_vert[first : first + count].astype(np.float64)
    first, count = model.mesh_faceadr[k], model.mesh_facenum[k]
    return points, model.mesh_face[first : first + count].astype(np.int64)


def _height_field(model: Any, k: int) -> tuple[Points, Faces]:
    rows, columns = int(model.hfield_nrow[k]), int(model.hfield_ncol[k])
    x, y, height, _ = model.hfield_size[k]
    heights = model.hfield_data[model.hfield_adr[k] : model.hfield_adr[k] + rows * columns].astype(np.float64)
    across, along = np.meshgrid(np.linspace(-x, x, columns), np.linspace(-y, y, rows))
    points = np.column_stack([across.ravel(), along.ravel(), height * heights])
    corner = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).ravel()
    halves = [corner, corner + 1, corner + columns + 1], [corner, corner + columns + 1, corner + columns]
    return points, np.vstack([np.column_stack(half) for half in halves])
