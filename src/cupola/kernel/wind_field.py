"""Wind of a grid in space and time, between whose points it changes evenly; beyond its ends it stays as there.

All of it lies in one array: four counts, a mark, the times, the places x, y, z, then east, north, up of each point,
with z the fastest to change and the time the slowest.
"""

from cupola.kernel.memory import Views
from cupola.physics.rotation import Vector
from cupola.xmath import Number

AXES = ("t", "x", "y", "z")
MARK = 4
"""Where the mark lies: the sum of 1 (time), 2 (x), 4 (y), 8 (z) that a vehicle has left the grid along."""
HEAD = 5


def has_field(v: Views) -> Number:
    """Whether the wind comes from a grid."""
    return v.wind_field.shape[0] > 0 and v.air[0].wind_scale != 0.0


def field_wind(v: Views, x: Number, y: Number, height: Number) -> Vector:
    """Wind at a place and at the time of this tick, east, north, up [m/s]."""
    return _mixed(v, x, y, height, 0)


def field_slope(v: Views, x: Number, y: Number, height: Number) -> Vector:
    """Change of that wind per metre of height [1/s]."""
    return _mixed(v, x, y, height, 1)


def mark_leaving(v: Views, x: Number, y: Number, height: Number) -> None:
    """Remember that a vehicle is beyond the ends of the grid, for a sentence about it."""
    f = v.wind_field
    first, mark, left = HEAD, 1, int(f[MARK])
    for axis in range(4):
        count, value = int(f[axis]), _coordinate(v, axis, x, y, height)
        outside = count > 1 and (value < f[first] or value > f[first + count - 1])
        if outside and (left // mark) % 2 == 0:
            left += mark
        first, mark = first + count, 2 * mark
    f[MARK] = left


def _coordinate(v: Views, axis: Number, x: Number, y: Number, height: Number) -> Number:
    if axis == 0:
        return v.counters[0] * v.world[0].dt
    return x if axis == 1 else y if axis == 2 else height


def _mixed(v: Views, x: Number, y: Number, height: Number, slope: Number) -> Vector:
    """The wind between the sixteen points around, or its slope by height."""
    f = v.wind_field
    nt, nx, ny, nz = int(f[0]), int(f[1]), int(f[2]), int(f[3])
    first = HEAD + nt + nx + ny
    kt, st = _between(f, HEAD, nt, v.counters[0] * v.world[0].dt)
    kx, sx = _between(f, HEAD + nt, nx, x)
    ky, sy = _between(f, HEAD + nt + nx, ny, y)
    kz, sz = _between(f, first, nz, height)
    low, high = 1.0 - sz, sz
    if slope:
        inside = sz > 0.0 and sz < 1.0
        high = 1.0 / (f[first + kz + 1] - f[first + kz]) if inside else 0.0
        low = -high
    numbers, scale = first + nz, v.air[0].wind_scale
    east, north, up = 0.0, 0.0, 0.0
    for corner in range(16):
        a, b, c, d = corner // 8, (corner // 4) % 2, (corner // 2) % 2, corner % 2
        share = (st if a else 1.0 - st) * (sx if b else 1.0 - sx) * (sy if c else 1.0 - sy) * (high if d else low)
        if share != 0.0:
            point = ((kt + a) * nx + kx + b) * ny + ky + c
            place = numbers + 3 * (point * nz + kz + d)
            east, north, up = east + share * f[place], north + share * f[place + 1], up + share * f[place + 2]
    return Vector(scale * east, scale * north, scale * up)


def _between(f: Number, first: Number, count: Number, value: Number) -> tuple[Number, Number]:
    """Which two points of an axis a value lies between, and how far [0 to 1]; 0 of an axis of one point."""
    if count < 2:
        return 0, 0.0
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if value < f[first + middle]:
            high = middle
        else:
            low = middle
    share = (value - f[first + low]) / (f[first + low + 1] - f[first + low])
    return low, min(max(share, 0.0), 1.0)
