"""A joystick as input device: its last sticks are held when it is disconnected, and it is found again."""

import logging
from typing import NamedTuple, Protocol

from cupola.config.channels import STICK_CHANNELS
from cupola.teleop.hid import HidMap, channels, missing

log: logging.Logger = logging.getLogger("cupola.teleop")


class State(NamedTuple):
    """What a device shows now: axes -1 to 1 with the signs of ROS's joy node, buttons 0 or 1."""

    axes: list[float]
    buttons: list[int]


class Device(Protocol):
    """A joystick that may come and go."""

    name: str
    """Name of the device; empty without one."""

    def read(self) -> State | None:
        """Its present state; None without a device."""

    def close(self) -> None:
        """Release it."""


class Joystick:
    """The channels of a device."""

    def __init__(self, device: Device, mapping: HidMap) -> None:
        self._device, self._mapping = device, mapping
        self._channels = [0.0] * STICK_CHANNELS
        self._present: bool | None = None

    def sticks(self) -> list[float]:
        """The 20 channels now."""
        state = self._device.read()
        if (state is not None) != self._present:
            self._tell(state)
        if state is not None:
            self._channels = channels(self._mapping, state.axes, state.buttons)
        return list(self._channels)

    def close(self) -> None:
        """Release the device."""
        self._device.close()

    def _tell(self, state: State | None) -> None:
        if state is None:
            lost = "the joystick is gone: the sticks stay where they are until it is plugged in again"
            log.warning(lost if self._present else "there is no joystick: plug one in; until then all sticks are at 0")
        else:
            log.info("joystick: %s, %d axes, %d buttons", self._device.name, len(state.axes), len(state.buttons))
            if lacking := missing(self._mapping, len(state.axes), len(state.buttons)):
                log.warning("%s has no %s; these channels stay 0", self._device.name, ", ".join(lacking))
        self._present = state is not None
