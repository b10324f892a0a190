"""Rays into the scene, by MuJoCo's own ray casting. The body that carries the sensor is not seen."""

from typing import NamedTuple

import numpy as np

from cupola.kernel.jit import call
from cupola.kernel.memory import Views
from cupola.xmath import Number

GHOST = 1
"""Group of geoms that rays pass through: looks, and a base that only shows where another one should be."""
NULL = 0
ALSO_STATIC = np.uint8(1)
SOLID = np.array([group != GHOST for group in range(6)], np.uint8)
"""Groups of geoms that a ray hits."""


class RayDirection(NamedTuple):
    """Direction of a ray in the x-y plane of a sensor's site: cosine and sine of its angle from x."""

    cosine: float
    sine: float


def cast(
    v: Views,
    row: Number,
    directions_w: Number,
    out: Number,
    reach: Number,
    geoms: Number = NULL,
    normals: Number = NULL,
) -> None:
    """Distances [m] from a sensor's site along world `directions_w` into `out`; -1 where nothing is hit in `reach`.

    Addresses of `geoms` and `normals`, where given, take what is hit and which way it faces.
    """
    w = v.world[0]
    where_from = v.site_xpos[row.site].ctypes.data
    seeing = (w.model, w.data, where_from, directions_w.ctypes.data, SOLID.ctypes.data, ALSO_STATIC, np.int32(row.body))
    call(w.mj_multiRay, (*seeing, geoms, out.ctypes.data, normals, np.int32(out.shape[0]), reach))


def cast_ahead(v: Views, row: Number, reach: Number) -> Number:
    """Distance [m] along the x axis of a sensor's site; -1 for nothing within `reach`."""
    R = v.site_xmat[row.site]
    direction_w = np.array([R[0], R[3], R[6]])
    out = np.empty(1)
    cast(v, row, direction_w, out, reach)
    return out[0]


def cast_fan(v: Views, row: Number, rays: Number, out: Number, reach: Number) -> None:
    """Distances [m] in the x-y plane of a sensor's site, along `rays`: rows of `RayDirection`."""
    cast(v, row, _fan(v, row, rays), out, reach)


def cast_bright_fan(v: Views, row: Number, rays: Number, out: Number, reach: Number) -> tuple[Number, Number]:
    """The same; returns the cosine at which each ray meets what it hits, and how much of its light that sends back."""
    directions_w = _fan(v, row, rays)
    geoms, normals = np.empty(out.shape[0], np.int32), np.empty(3 * out.shape[0])
    cast(v, row, directions_w, out, reach, geoms.ctypes.data, normals.ctypes.data)
    cosines, reflectivities = np.zeros(out.shape[0]), np.zeros(out.shape[0])
    for k in range(out.shape[0]):
        if geoms[k] >= 0:
            n, d = normals[3 * k : 3 * k + 3], directions_w[3 * k : 3 * k + 3]
            cosines[k] = abs(n[0] * d[0] + n[1] * d[1] + n[2] * d[2])
            reflectivities[k] = v.reflectivity[geoms[k]]
    return cosines, reflectivities


def _fan(v: Views, row: Number, rays: Number) -> Number:
    R = v.site_xmat[row.site]
    directions_w = np.empty(3 * rays.shape[0])
    for k in range(rays.shape[0]):
        c, s = rays[k].cosine, rays[k].sine
        directions_w[3 * k] = R[0] * c + R[1] * s
        directions_w[3 * k + 1] = R[3] * c + R[4] * s
        directions_w[3 * k + 2] = R[6] * c + R[7] * s
    return directions_w
