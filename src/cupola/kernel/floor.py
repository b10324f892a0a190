"""Contacts between MuJoCo's collision and its constraints, and the floor's patches with a friction of their own."""

import numpy as np
from numba import carray

from cupola.kernel.jit import pointer
from cupola.kernel.memory import Views
from cupola.xmath import Number, maximum

SLIPPERY = 1e-5
"""The least friction that MuJoCo's cone allows."""
NO_PATCH = -1.0


def contact_number(v: Views) -> Number:
    """How many contacts there are now."""
    w = v.world[0]
    return carray(pointer(w.data + w.contact_number), (1,), np.int32)[0]


def contact_at(v: Views, index: Number) -> Number:
    """Address of a contact."""
    w = v.world[0]
    return carray(pointer(w.data + w.contact_first), (1,), np.int64)[0] + index * w.contact_size


def contact_geoms(v: Views, contact: Number) -> Number:
    """The two geoms of a contact; -1 where it is a soft body."""
    return carray(pointer(contact + v.world[0].contact_geom), (2,), np.int32)


def contact_place(v: Views, contact: Number) -> Number:
    """Where a contact is [m], world."""
    return carray(pointer(contact + v.world[0].contact_pos), (3,), np.float64)


def contact_frame(v: Views, contact: Number) -> Number:
    """Normal and the two tangents of a contact, one after the other, world axes."""
    return carray(pointer(contact + v.world[0].contact_frame), (9,), np.float64)


def contact_friction(v: Views, contact: Number) -> Number:
    """Friction of a contact along its two tangents."""
    return carray(pointer(contact + v.world[0].contact_friction), (2,), np.float64)


def contact_slip(v: Views, contact: Number) -> Number:
    """How its second geom slips on its first along the two tangents and about the normal, reversed [m/s, rad/s]."""
    return carray(pointer(contact + v.world[0].contact_surfacevel), (3,), np.float64)


def set_friction(v: Views, contact: Number, first: Number, second: Number) -> None:
    """Friction of a contact along its two tangents, within what MuJoCo allows."""
    friction = contact_friction(v, contact)
    friction[0] = maximum(first, SLIPPERY)
    friction[1] = maximum(second, SLIPPERY)


def set_patches(v: Views) -> None:
    """Give contacts with the floor the friction of the patch that they lie on."""
    for k in range(contact_number(v)):
        contact = contact_at(v, k)
        friction = patch_friction(v, contact)
        if friction >= 0.0:
            set_friction(v, contact, friction, friction)


def patch_friction(v: Views, contact: Number) -> Number:
    """Friction of the floor's patch at a contact; -1 where there is none, or where nothing touches the floor."""
    floor, geoms = v.world[0].floor, contact_geoms(v, contact)
    if floor < 0 or (geoms[0] != floor and geoms[1] != floor):  # a soft body has no geom, and is not a missing floor
        return NO_PATCH
    pos = contact_place(v, contact)
    found = NO_PATCH
    for i in range(v.patches.shape[0]):
        row = v.patches[i]
        if row.x_min <= pos[0] <= row.x_max and row.y_min <= pos[1] <= row.y_max:
            found = row.friction
    return found
