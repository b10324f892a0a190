"""The eleven ways to drive a Mecanum base by hand, their keys and their gears: data of Świątkiewicz (2018), §4.7.

Keys are named by their place, as a browser's `KeyboardEvent.code` does, those of a gamepad by what is printed on them.
"""

from typing import Literal, NamedTuple

Output = Literal["wheels", "velocity"]
Style = Literal["press", "smooth", "step", "pad", "mouse"]
"""press: full while a key is down; smooth: a key moves the value; step: each press does, by a tenth."""


class Mode(NamedTuple):
    """A mode of manual control."""

    name: str
    output: Output
    style: Style
    holds: bool = False
    """Whether zero is sent as NaN, with which a wheel keeps its command, instead of braking."""


MODES = (
    Mode("wheels, while pressed", "wheels", "press"),
    Mode("wheels, while pressed, idle ones left alone", "wheels", "press", holds=True),
    Mode("wheels, smooth", "wheels", "smooth"),
    Mode("wheels, in steps", "wheels", "step"),
    Mode("wheels, in steps, idle ones left alone", "wheels", "step", holds=True),
    Mode("wheels, gamepad", "wheels", "pad"),
    Mode("direction, while pressed", "velocity", "press"),
    Mode("direction, smooth", "velocity", "smooth"),
    Mode("direction, in steps", "velocity", "step"),
    Mode("direction, gamepad", "velocity", "pad"),
    Mode("direction, mouse", "velocity", "mouse"),
)
"""Mode 1 is the first."""

GEARS: dict[Output, tuple[float, ...]] = {
    "wheels": (0.01, 0.05, 0.1, 0.5, 1.0, 2.0, 5.0),
    "velocity": (0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.5),
}
"""Full deflection: [rad/s] of a wheel; [m/s] and [rad/s] of the base. Gear 1 is the first."""

WHEEL_KEYS = {
    "NumpadMultiply": (0, 1),
    "Numpad9": (0, -1),
    "NumpadDivide": (1, 1),
    "Numpad8": (1, -1),
    "Numpad5": (2, 1),
    "Numpad2": (2, -1),
    "Numpad6": (3, 1),
    "Numpad3": (3, -1),
}
"""Wheel and direction: front right, front left, rear left, rear right as they lie on the keypad."""
VELOCITY_KEYS = {
    "KeyW": (0, 1),
    "KeyS": (0, -1),
    "KeyA": (1, 1),
    "KeyD": (1, -1),
    "KeyQ": (2, 1),
    "KeyE": (2, -1),
}
"""Forward, left, counter-clockwise, and back."""
DRIVE_KEYS = {"wheels": WHEEL_KEYS, "velocity": VELOCITY_KEYS}

STOP_KEYS = ("Space", "PadStart")
NEXT_KEYS = ("KeyZ", "PadSelect")
GEAR_KEYS = {"KeyR": 1, "NumpadAdd": 1, "PadRB": 1, "KeyF": -1, "NumpadSubtract": -1, "PadLB": -1}
MODE_KEYS = {f"F{number}": number for number in range(1, len(MODES) + 1)}
PICK_KEYS = {f"Digit{gear}": gear for gear in range(1, 8)}
KEYS = (*WHEEL_KEYS, *VELOCITY_KEYS, *STOP_KEYS, *NEXT_KEYS, *GEAR_KEYS, *MODE_KEYS, *PICK_KEYS)
"""All that manual control listens to."""


class Pad(NamedTuple):
    """Sticks of a gamepad, -1 to 1, right and up positive."""

    left_x: float
    left_y: float
    right_x: float
    right_y: float
