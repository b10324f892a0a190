"""Groups of the arrays of the world: logged, remembered for a crash dump, kept in snapshots; and where each lies."""

from typing import Any

import numpy as np

from cupola.kernel.rows import SEGMENT

LOGGED: tuple[str, ...] = (
    "observations",
    "air_samples",
    "xpos",
    "xquat",
    "qpos",
    "qvel",
    "sticks",
    "command",
    "drive",
    "outputs",
)
LOGGED += ("state", "reported")
"""Arrays of a log row, after its tick."""
REMEMBERED = ("state", "turbulence", "command", "sticks", "air_samples", "external_wrench", "given")
"""Arrays of a kept state, after MuJoCo's; the counters stand last."""
KEPT = (*REMEMBERED, "counters", "drive", "applied_forces", "outputs", "reported", "samples")
"""Arrays of ours that a snapshot holds."""


def numbers_in(array: Any) -> int:
    """Numbers of 64 bits that an array holds."""
    return int(array.nbytes // 8)


def as_numbers(array: Any) -> Any:
    """The numbers of an array one after the other, those of rows too; not a copy."""
    return array.reshape(-1).view(np.float64)


def segments(arrays: dict[str, Any], names: tuple[str, ...]) -> Any:
    """Where some arrays lie, to be copied one after the other."""
    return np.array([(arrays[name].ctypes.data, numbers_in(arrays[name])) for name in names], SEGMENT)


def log_columns(arrays: Any) -> dict[str, slice]:
    """Where each array lies in a log row."""
    found, at = {}, 1
    for name in LOGGED:
        size = numbers_in(getattr(arrays, name))
        found[name] = slice(at, at + size)
        at += size
    return found
