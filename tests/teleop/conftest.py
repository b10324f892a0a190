"""A joystick made of software: SDL's own virtual device, read through the same code as one with a plug."""

import ctypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

AXES, BUTTONS, HATS = 4, 12, 1
RIGHT, UP = 2, 1
"""Bits of a hat."""


class VirtualJoystick:
    """Plug in, move, unplug."""

    def __init__(self, sdl: Any) -> None:
        self._sdl = sdl
        self._pointer: ctypes.c_void_p | None = None

    def plug(self) -> None:
        assert self._sdl.SDL_JoystickAttachVirtual(1, AXES, BUTTONS, HATS) >= 0
        self._pointer = None

    def unplug(self) -> None:
        assert self._sdl.SDL_JoystickDetachVirtual(0) == 0

    def move(self, axis: int, value: int) -> None:
        """-32768 to 32767; positive is right, or back."""
        self._sdl.SDL_JoystickSetVirtualAxis(self._open(), axis, ctypes.c_int16(value))

    def press(self, button: int, on: bool = True) -> None:
        self._sdl.SDL_JoystickSetVirtualButton(self._open(), button, ctypes.c_uint8(on))

    def hat(self, bits: int) -> None:
        self._sdl.SDL_JoystickSetVirtualHat(self._open(), 0, ctypes.c_uint8(bits))

    def _open(self) -> ctypes.c_void_p:
        if self._pointer is None:
            self._sdl.SDL_JoystickOpen.restype = ctypes.c_void_p
            self._pointer = ctypes.c_void_p(self._sdl.SDL_JoystickOpen(0))
        return self._pointer


@pytest.fixture
def stick() -> Iterator[VirtualJoystick]:
    """Not plugged in yet. SDL runs while the test does."""
    from cupola.teleop.sdl import SdlDevice

    keeper = SdlDevice()
    maps = Path("/proc/self/maps").read_text().splitlines()
    library = next(line.split()[-1] for line in maps if "libSDL2-2" in line)
    sdl = ctypes.CDLL(library)
    yield VirtualJoystick(sdl)
    if sdl.SDL_NumJoysticks() > 0:
        sdl.SDL_JoystickDetachVirtual(0)
    keeper.close()
