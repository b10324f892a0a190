"""Addresses of MuJoCo's C functions and of its contacts, for compiled code."""

import ctypes
import functools
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np

SEARCHED = 1 << 16
"""Words of MuJoCo's data among which the pointer to its contacts is looked for."""


@functools.cache
def _library() -> Any:
    folder = Path(mujoco.__file__).parent
    for pattern in ("libmujoco.so*", "libmujoco*.dylib", "mujoco.dll"):
        for path in sorted(folder.glob(pattern)):
            return ctypes.CDLL(str(path))
    raise OSError(f"no MuJoCo library in {folder}")


def address(name: str) -> int:
    """Address of a C function of MuJoCo."""
    value = ctypes.cast(getattr(_library(), name), ctypes.c_void_p).value
    if value is None:
        raise OSError(f"MuJoCo has no function {name}")
    return value


class ContactLayout(NamedTuple):
    """Where MuJoCo keeps its contacts: offsets [bytes] in its data, and in each contact."""

    number: int
    """In the data: how many there are, int32."""
    first: int
    """In the data: pointer to the first one. It moves from step to step."""
    size: int
    pos: int
    """In a contact: where it is, 3 float64."""
    frame: int
    """In a contact: normal, two tangents, each 3 float64."""
    friction: int
    """In a contact: coefficients along the two tangents, then others, float64."""
    surfacevel: int
    """In a contact: how its second geom slips on its first along the two tangents, reversed [m/s], float64."""
    geom: int
    """In a contact: the two geoms, int32."""


@functools.cache
def contact_layout() -> ContactLayout:
    """Found by looking at a body that stands on 3, 5, 7 balls, and then on none."""
    found: list[set[int]] = []
    for balls in (3, 5, 7):
        model, data = _standing_on(balls)
        start, inside = _place(data.contact.dist), ("pos", "frame", "friction", "surfacevel", "geom")
        contact = (data.contact.dist.strides[0], *(_place(getattr(data.contact, name)) - start for name in inside))
        first = next(k for k in range(SEARCHED) if _word(data._address + 8 * k) == start)
        counts = np.ctypeslib.as_array((ctypes.c_int32 * (2 * first)).from_address(data._address))
        found.append(set(np.flatnonzero(counts == data.ncon)))
        data.qpos[2] = 10.0
        mujoco.mj_forward(model, data)
        found.append(set(np.flatnonzero(counts == 0)))
    (count,) = set.intersection(*found)
    return ContactLayout(4 * int(count), 8 * first, *contact)


def _standing_on(balls: int) -> tuple[Any, Any]:
    """A body in a floor, on some balls, with one contact each."""
    shapes = "".join(f'<geom size="0.1" pos="{k} 0 0"/>' for k in range(balls))
    floor = '<geom type="plane" size="50 50 1"/>'
    text = f'<mujoco><worldbody>{floor}<body pos="0 0 0.09"><freejoint/>{shapes}</body></worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def _word(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _place(array: Any) -> int:
    return int(array.__array_interface__["data"][0])
