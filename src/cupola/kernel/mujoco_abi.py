"""Addresses of MuJoCo's C functions and of its contacts, for compiled code."""

import ctypes
import functools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np
from mujoco.introspect import structs

C_TYPES = {
    "mjtNum": ctypes.c_double,
    "double": ctypes.c_double,
    "float": ctypes.c_float,
    "int": ctypes.c_int,
    "mjtBool": ctypes.c_uint8,
    "mjtByte": ctypes.c_uint8,
    "mjtSize": ctypes.c_int64,
    "size_t": ctypes.c_size_t,
    "uintptr_t": ctypes.c_size_t,
    "uint64_t": ctypes.c_uint64,
}
"""MuJoCo's number types. An enumeration is an `int`."""


@functools.cache
def _library() -> Any:
    folder = Path(mujoco.__file__).parent
    for pattern in ("libmujoco.so*", "libmujoco*.dylib", "mujoco.dll"):
        for path in sorted(folder.glob(pattern)):
            return ctypes.CDLL(str(path))
    raise OSError(f"no MuJoCo library in {folder}")


def address(name: str) -> int:
    """Address of a C function or a variable of MuJoCo."""
    value = ctypes.cast(getattr(_library(), name), ctypes.c_void_p).value
    if value is None:
        raise OSError(f"MuJoCo has no function {name}")
    return value


@contextmanager
def without_clock() -> Iterator[None]:
    """MuJoCo without the clock that Python's MuJoCo gives it to fill `mjData.timer`, as our loop runs."""
    place = ctypes.c_size_t.from_address(address("mjcb_time"))
    clock, place.value = place.value, 0
    try:
        yield
    finally:
        place.value = clock


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
    """In a contact: the two geoms, int32; -1 where it is a soft body."""


@functools.cache
def c_struct(name: str) -> Any:
    """A struct of MuJoCo as its own description lists it; C's rules give the offsets."""
    fields = [(field.name, _c_type(field.type)) for field in structs.STRUCTS[name].fields]
    return type(name, (ctypes.Structure,), {"_fields_": fields})


def _c_type(declared: Any) -> Any:
    if hasattr(declared, "extents"):
        count = 1
        for extent in declared.extents:
            count *= extent
        return _c_type(declared.inner_type) * count
    if hasattr(declared, "inner_type"):
        return ctypes.c_void_p
    if declared.name in structs.STRUCTS:
        return c_struct(declared.name)
    return C_TYPES.get(declared.name, ctypes.c_int)


@functools.cache
def contact_layout() -> ContactLayout:
    """Offsets from MuJoCo's description of itself, checked on a contact."""
    data, contact = c_struct("mjData"), c_struct("mjContact")
    inside = (getattr(contact, name).offset for name in ("pos", "frame", "friction", "surfacevel", "geom"))
    layout = ContactLayout(data.ncon.offset, data.contact.offset, ctypes.sizeof(contact), *inside)
    check_layout(layout, *_resting())
    return layout


def check_layout(layout: ContactLayout, model: Any, data: Any) -> None:
    """Refuse a MuJoCo whose data is not laid out as it says: writing to wrong places would be silent.

    `data` must have two contacts whose forces differ.
    """
    first = ctypes.c_int64.from_address(data._address + layout.first).value
    count = ctypes.c_int32.from_address(data._address + layout.number).value
    places = {name: _place(getattr(data.contact, name)) - first for name in ("pos", "frame", "friction", "geom")}
    wrong = [name for name, place in places.items() if place != getattr(layout, name)]
    strange = count != data.ncon or data.contact.dist.strides[0] != layout.size or bool(wrong)
    if strange or not _is_followed(layout, model, data):
        raise OSError(f"MuJoCo {mujoco.__version__} does not lay out its contacts as it describes them")


def _is_followed(layout: ContactLayout, model: Any, data: Any) -> bool:
    """Whether MuJoCo itself finds its contacts by this pointer: moved on by one, the first is the second.

    Contacts lie first in MuJoCo's arena, so that the pointer to the arena, another field, has the same value.
    """
    pointer = ctypes.c_int64.from_address(data._address + layout.first)
    second = _force(model, data, 1)
    pointer.value += layout.size
    moved = _force(model, data, 0)
    pointer.value -= layout.size
    return moved == second != _force(model, data, 0)


def _force(model: Any, data: Any, contact: int) -> float:
    """Normal force in a contact [N], as MuJoCo finds it."""
    force = np.zeros(6)
    mujoco.mj_contactForce(model, data, contact, force)
    return float(force[0])


def _resting() -> tuple[Any, Any]:
    """Two balls of different weight in a floor: two contacts."""
    balls = "".join(f'<body pos="{r} 0 {0.9 * r}"><freejoint/><geom size="{r}"/></body>' for r in (0.1, 0.4))
    text = f'<mujoco><worldbody><geom type="plane" size="1 1 1"/>{balls}</worldbody></mujoco>'
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def _place(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


STATE_ARRAYS = ("qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied")
"""What MuJoCo's state holds after the time, in its order, in a model without equalities, mocap bodies and plugins."""


def state_segments(model: Any, data: Any, signature: int) -> list[tuple[int, int]]:
    """Address and length of each piece of MuJoCo's state, for copying it faster than `mj_getState` does.

    Empty where the state holds more than those pieces: then MuJoCo must copy it.
    """
    pieces = [(data._address + c_struct("mjData").time.offset, 1)]
    pieces += [(_place(array), array.size) for name in STATE_ARRAYS if (array := getattr(data, name)).size]
    theirs, ours = np.zeros(mujoco.mj_stateSize(model, signature)), []
    mujoco.mj_getState(model, data, theirs, signature)
    for address_, count in pieces:
        ours += np.ctypeslib.as_array((ctypes.c_double * count).from_address(address_)).tolist()
    return pieces if np.array_equal(ours, theirs, equal_nan=True) and _is_plain(model) else []


def _is_plain(model: Any) -> bool:
    return not (model.neq or model.nmocap or model.nuserdata or model.npluginstate)
