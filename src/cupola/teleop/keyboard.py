"""The keyboard of a terminal as input device. A terminal reports key presses only, so keys move sticks in steps."""

import os
import select
import sys
import termios
import tty

from cupola.config.channels import STICK_CHANNELS, ChannelMix
from cupola.schema.yaml_files import InputError

STEP = 0.1
ROLL, PITCH, YAW, THROTTLE = 0, 1, 2, 3
MOVES = {
    "\x1b[C": (ROLL, STEP),
    "\x1b[D": (ROLL, -STEP),
    "\x1b[B": (PITCH, STEP),  # arrow down: stick pulled, nose up
    "\x1b[A": (PITCH, -STEP),
    "d": (YAW, STEP),
    "a": (YAW, -STEP),
    "w": (THROTTLE, STEP),
    "s": (THROTTLE, -STEP),
}
ARROWS = {"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D"}
"""Keys that a vehicle names, as a terminal tells of them."""
PRESETS = {"1": 8, "2": 9, "3": 10}
"""Channels of controllers that have presets: take-off, cruise, landing."""
HELP = (
    "arrows: roll and pitch (down pulls) · a d: yaw · w s: throttle · space: roll, pitch, yaw to 0 · "
    "b: drop a box · n: remove the boxes · r: start over · i k: camera · j l: laser · 1 2 3: presets · q: end"
)


class Keyboard:
    """Sticks that stay where the keys put them; functions are pressed for one reading."""

    def __init__(self, mix: ChannelMix, descriptor: int | None = None) -> None:
        self._in = sys.stdin.fileno() if descriptor is None else descriptor
        if not os.isatty(self._in):
            raise InputError("--keyboard: this is not a terminal; use --joystick, or --sticks with a file")
        self._sticks = [0.0] * 4
        self._text = ""
        self._order = mix.sticks
        self._taps = {"b": (mix.drop_box, 1.0), "n": (mix.remove_boxes, 1.0), "r": (mix.reset, 1.0)}
        self._taps |= {"i": (mix.camera_angle, 1.0), "k": (mix.camera_angle, -1.0)}
        self._taps |= {"j": (mix.laser_angle, 1.0), "l": (mix.laser_angle, -1.0)}
        self._taps |= {key: (channel, 1.0) for key, channel in PRESETS.items()}
        self._own = {ARROWS.get(key, key): channel for key, channel in mix.keys.items()}
        self._before = termios.tcgetattr(self._in)
        tty.setcbreak(self._in)

    def sticks(self) -> list[float]:
        """The 20 channels now; `q` ends the flight as Ctrl-C does, unless the vehicle has taken it for itself."""
        channels = [0.0] * STICK_CHANNELS
        for key in self._keys():
            if key in self._own:
                channels[self._own[key]] = 1.0
            elif key == "q":
                raise KeyboardInterrupt
            elif key == " ":
                self._sticks[:3] = [0.0] * 3
            elif key in MOVES:
                stick, step = MOVES[key]
                self._sticks[stick] = min(max(round(self._sticks[stick] + step, 6), -1.0), 1.0)
            elif key in self._taps:
                channel, value = self._taps[key]
                channels[channel] = value if channel >= 0 else channels[channel]
        for value, channel in zip(self._sticks, self._order, strict=True):
            if channel >= 0:
                channels[channel] = value
        return channels

    def close(self) -> None:
        """Give the terminal back as it was."""
        termios.tcsetattr(self._in, termios.TCSADRAIN, self._before)

    def _keys(self) -> list[str]:
        """Keys pressed since the last call; an arrow key is three characters, which may come in pieces."""
        while select.select([self._in], [], [], 0)[0] and (piece := os.read(self._in, 1024)):
            self._text += piece.decode("utf-8", "ignore")
        keys = []
        while self._text:
            size = 3 if self._text.startswith("\x1b[") else 1
            if self._text == "\x1b" or len(self._text) < size:
                break
            keys.append(self._text[:size])
            self._text = self._text[size:]
        return keys
