"""Rays into the scene, by MuJoCo's own ray casting. The body that carries the sensor is not seen."""

import numpy as np

from cupola.engine.compiled import call
from cupola.xmath import Number

NULL = 0
ALSO_STATIC = np.uint8(1)


def cast(v: Number, row: Number, directions_w: Number, out: Number, reach: Number) -> None:
    """Distances [m] from a sensor's site along world `directions_w` into `out`; -1 where nothing is hit in `reach`."""
    w = v.world[0]
    where_from = v.site_xpos[row.site].ctypes.data
    seeing = (w.model, w.data, where_from, directions_w.ctypes.data, NULL, ALSO_STATIC, np.int32(row.body))
    call(w.mj_multiRay, (*seeing, NULL, out.ctypes.data, NULL, np.int32(out.shape[0]), reach))


def cast_ahead(v: Number, row: Number, reach: Number) -> Number:
    """Distance [m] along the x axis of a sensor's site; -1 for nothing within `reach`."""
    R = v.site_xmat[row.site]
    direction_w = np.array([R[0], R[3], R[6]])
    out = np.empty(1)
    cast(v, row, direction_w, out, reach)
    return out[0]


def cast_fan(v: Number, row: Number, plane: Number, out: Number, reach: Number) -> None:
    """Distances [m] in the x-y plane of a sensor's site; `plane` holds cosine and sine of each ray's angle from x."""
    R = v.site_xmat[row.site]
    directions_w = np.empty(3 * out.shape[0])
    for k in range(out.shape[0]):
        c, s = plane[2 * k], plane[2 * k + 1]
        directions_w[3 * k] = R[0] * c + R[1] * s
        directions_w[3 * k + 1] = R[3] * c + R[4] * s
        directions_w[3 * k + 2] = R[6] * c + R[7] * s
    cast(v, row, directions_w, out, reach)
