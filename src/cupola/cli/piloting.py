"""Source of the sticks of a flight: none, a file, a joystick or the keyboard."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple, Protocol

from cupola.cli.screen import say
from cupola.schema.yaml_files import InputError, read
from cupola.sim.world import World
from cupola.teleop.hid import LOGITECH_EXTREME_3D, HidMap
from cupola.teleop.joystick import Joystick
from cupola.teleop.stick_file import read_sticks

LONG_FLIGHT = 3600.0
"""[s]: a pilot with a vehicle alone flies until Ctrl-C."""


class InputChoice(NamedTuple):
    """The input device that moves the sticks."""

    joystick: bool = False
    map: Path | None = None
    keyboard: bool = False
    sticks: Path | None = None

    @property
    def live(self) -> bool:
        """True while a device moves the sticks."""
        return self.joystick or self.keyboard


class InputDevice(Protocol):
    """A source of stick values."""

    def sticks(self) -> list[float]:
        """The 20 channels now."""

    def close(self) -> None:
        """Let go."""


@contextlib.contextmanager
def hand_on(world: World, hands: InputChoice) -> Iterator[Callable[[], None]]:
    """Yields a function that copies the present device values to the sticks of the first vehicle."""
    if hands.joystick + hands.keyboard + (hands.sticks is not None) > 1:
        raise InputError("choose one of --joystick, --keyboard and --sticks")
    if hands.map and not hands.joystick:
        raise InputError("--map is the map of a joystick: add --joystick")
    if hands.sticks:
        world.script(read_sticks(hands.sticks))
    hand = _open(world, hands)
    if hand is None:
        yield lambda: None
        return
    try:
        yield lambda: world.sticks(hand.sticks())
    finally:
        hand.close()


def _open(world: World, hands: InputChoice) -> InputDevice | None:
    if hands.joystick:
        from cupola.teleop.sdl import SdlDevice

        mapping = read_map(hands.map)
        return Joystick(SdlDevice(), mapping)
    if hands.keyboard:
        from cupola.teleop import keyboard

        hand = keyboard.Keyboard(world.instances[0].vehicle.channel_mix)
        say(keyboard.HELP)
        return hand
    return None


def read_map(path: Path | None) -> HidMap:
    """The map in a file, or the default one."""
    return read(path, HidMap) if path else LOGITECH_EXTREME_3D
