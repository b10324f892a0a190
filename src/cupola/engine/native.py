"""Addresses of MuJoCo's C functions, for compiled code to call."""

import ctypes
import functools
from pathlib import Path
from typing import Any

import mujoco


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
