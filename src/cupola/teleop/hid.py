"""From axes and buttons of a joystick to channels: the three arrays of Last_letter_2's HID.yaml (its §4.3.1.3).

channel = value / throw. Axes count as ROS's joy node shows them: +1 is left, or forward; a hat gives two more axes.
So a throw of -1 on a stick makes right, or pulled, the positive side.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import Field, model_validator

from cupola.config.channels import NONE, STICK_CHANNELS
from cupola.schema.yaml_files import Entry

Source = Annotated[int, Field(ge=NONE)]


class HidMap(Entry):
    """One entry per channel, in the order of the channels; channels that are left out get nothing."""

    axes: list[Source] = Field(default_factory=list, max_length=STICK_CHANNELS, description="axis, -1 for none")
    buttons: list[Source] = Field(default_factory=list, max_length=STICK_CHANNELS, description="button, -1 for none")
    throws: list[float] = Field(
        default_factory=list,
        max_length=STICK_CHANNELS,
        description="value of the axis at the channel's positive end, or of the pressed button; 1 where left out",
    )
    dead_zone: float = Field(0.01, ge=0, lt=1, description="of every axis, around its centre")

    @classmethod
    def prepare(cls, data: dict[str, Any]) -> dict[str, Any]:
        """The arrays may stand under the parameter prefix `HID`, or have it in their names, as in Last_letter_2."""
        inner = data.get("HID")
        if set(data) == {"HID"} and isinstance(inner, dict):
            return inner
        return {key.removeprefix("/HID/") if isinstance(key, str) else key: value for key, value in data.items()}

    @model_validator(mode="after")
    def _check(self) -> "HidMap":
        for channel, (axis, button) in enumerate(zip(self.axes, self.buttons, strict=False)):
            if axis != NONE and button != NONE:
                raise ValueError(f"channel {channel} has both axis {axis} and button {button}: make one of them -1")
        if 0.0 in self.throws:
            raise ValueError(f"the throw of channel {self.throws.index(0.0)} must not be 0")
        return self


LOGITECH_EXTREME_3D = HidMap(
    axes=[0, 1, 2, 3, 4, 5],
    buttons=[NONE] * 6 + list(range(12)),
    throws=[-1.0, -1.0, -1.0],
)
"""Default of Last_letter_2 (its §5.5): stick, twist, lever, hat on channels 0 to 5, twelve buttons on 6 to 17."""


def without_dead_zone(value: float, dead_zone: float) -> float:
    """0 around the centre and no jump at its edge; the ends stay -1 and 1."""
    beyond = max(abs(value) - dead_zone, 0.0) / (1.0 - dead_zone)
    return beyond if value > 0 else -beyond if value < 0 else 0.0


def channels(mapping: HidMap, axes: Sequence[float], buttons: Sequence[float]) -> list[float]:
    """The 20 channels; an axis comes before a button, and what the device does not have stays 0."""
    values = [0.0] * STICK_CHANNELS
    for channel in range(STICK_CHANNELS):
        axis, button = _entry(mapping.axes, channel), _entry(mapping.buttons, channel)
        if 0 <= axis < len(axes):
            value = without_dead_zone(axes[axis], mapping.dead_zone)
        elif axis == NONE and 0 <= button < len(buttons):
            value = float(buttons[button])
        else:
            continue
        throw = mapping.throws[channel] if channel < len(mapping.throws) else 1.0
        values[channel] = value / throw
    return values


def missing(mapping: HidMap, axes: int, buttons: int) -> list[str]:
    """What the map asks for and a device with so many axes and buttons lacks."""
    lacking = [f"axis {a} (channel {c})" for c, a in enumerate(mapping.axes) if a >= axes]
    return lacking + [f"button {b} (channel {c})" for c, b in enumerate(mapping.buttons) if b >= buttons]


def _entry(values: Sequence[int], channel: int) -> int:
    return values[channel] if channel < len(values) else NONE
