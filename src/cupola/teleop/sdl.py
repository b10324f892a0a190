"""Joysticks and gamepads of this machine, through SDL."""

import os
from typing import Any

from cupola.schema.libraries import library
from cupola.teleop.joystick import State


class SdlDevice:
    """The first joystick that SDL finds; when it is unplugged, the first one that comes."""

    name = ""

    def __init__(self) -> None:
        # SDL hands out joystick events with its video part only, and we want no window.
        os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
        os.environ.setdefault("SDL_JOYSTICK_ALLOW_BACKGROUND_EVENTS", "1")
        os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
        pygame: Any = library("pygame", "a joystick needs pygame: pip install 'cupola[joystick]'")
        self._pygame = pygame
        self._device: Any = None
        pygame.display.init()
        pygame.joystick.init()

    def read(self) -> State | None:
        """Axes, then two more per hat (left and forward are +1), and buttons."""
        for event in self._pygame.event.get():
            if event.type == self._pygame.JOYDEVICEREMOVED and self._is_ours(event.instance_id):
                self._drop()
        if self._device is None and not self._find():
            return None
        device = self._device
        axes = [_to_ros(device.get_axis(i)) for i in range(device.get_numaxes())]
        for i in range(device.get_numhats()):
            right, up = device.get_hat(i)
            axes += [0.0 - right, float(up)]
        return State(axes, [device.get_button(i) for i in range(device.get_numbuttons())])

    def close(self) -> None:
        """Stop SDL."""
        self._drop()
        self._pygame.joystick.quit()
        self._pygame.display.quit()

    def _find(self) -> bool:
        if self._pygame.joystick.get_count():
            self._device = self._pygame.joystick.Joystick(0)
            self.name = self._device.get_name()
        return self._device is not None

    def _is_ours(self, instance: int) -> bool:
        return self._device is not None and bool(self._device.get_instance_id() == instance)

    def _drop(self) -> None:
        if self._device is not None:
            self._device.quit()
        self._device, self.name = None, ""


def _to_ros(value: float) -> float:
    """SDL counts right and back as positive, from -1 to 32767/32768; ROS's joy node the other way, from -1 to 1."""
    return min(max(0.0 - value * 32768 / 32767, -1.0), 1.0)
