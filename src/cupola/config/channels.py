"""Functions of the 20 stick channels, and hooks for functions of your own."""

import copy
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from cupola.schema.yaml_files import Entry

STICK_CHANNELS = 20
HAND = STICK_CHANNELS + 1
"""State per vehicle: the last channel values, and the next check of held channels."""
NONE = -1
Channel = Annotated[int, Field(ge=NONE, lt=STICK_CHANNELS)]
ARROWS = ("up", "down", "left", "right")


def _key(name: str) -> str:
    if len(name) != 1 and name not in ARROWS:
        raise ValueError(f"{name!r} is not a key; expected one character, or one of {', '.join(ARROWS)}")
    return name


Key = Annotated[str, AfterValidator(_key)]


class ChannelMix(Entry):
    """Channel number of each function, -1 for none; the defaults are those of Last_letter_2 (its Annex B.1)."""

    roll: Channel = Field(0, description="becomes stick 0 of controllers")
    pitch: Channel = Field(1, description="becomes stick 1")
    yaw: Channel = Field(2, description="becomes stick 2")
    throttle: Channel = Field(3, description="becomes stick 3")
    camera_angle: Channel = Field(NONE, description="at 1 or -1: turns command channel `camera_command`, up to 2 rad")
    laser_angle: Channel = Field(NONE, description="the same for `laser_command`, up to 1 rad, the other way round")
    camera_command: int = Field(4, ge=0, description="command channel with the camera angle [rad]; a servo reads it")
    laser_command: int = Field(5, ge=0, description="command channel with the laser angle [rad]")
    drop_box: Channel = Field(6, description="at 1: drop a box below the vehicle (scenario: boxes)")
    remove_boxes: Channel = Field(7, description="at 1: take all boxes away")
    reset: Channel = Field(17, description="at 1: this vehicle starts over")
    keys: dict[Key, Channel] = Field(
        {},
        description="keys of the page and of --keyboard that press a channel of the vehicle's own controller and do "
        "nothing else: {w: 8, left: 9}",
    )
    rate_hz: float = Field(20.0, gt=0, description="[Hz] steps of 0.1 rad while an angle channel is held")
    own: str | None = Field(None, description="functions of your own: file.py:Class, a ChannelFunctions")

    @property
    def sticks(self) -> tuple[int, int, int, int]:
        """Channels of the four sticks."""
        return self.roll, self.pitch, self.yaw, self.throttle


class ChannelFunctions:
    """Functions of your own on the channels. Override what you need; each is called once per channel that changed.

    The three correspond to the thesis's three hook points and are called in this order, between two ticks.
    """

    world: Any
    """The `World`, with `tune`, `drop_box`, `restart`, `motion`, `turn`."""
    vehicle: str
    """Name of the vehicle whose channels these are."""

    def on_controller(self, channel: int, value: float, before: float) -> None:
        """Change the controller: `self.world.tune(f"{self.vehicle}.kp", 0.4)`."""

    def on_world(self, channel: int, value: float, before: float) -> None:
        """Call a service of the world: `self.world.drop_box(self.vehicle)`."""

    def on_model(self, channel: int, value: float, before: float) -> None:
        """Move a part: `self.world.turn(4, 0.5, self.vehicle)`, where a servo reads channel 4."""

    def memory(self) -> dict[str, Any]:
        """State for a snapshot."""
        return copy.deepcopy({name: value for name, value in vars(self).items() if name not in ("world", "vehicle")})

    def remember(self, memory: dict[str, Any]) -> None:
        """Restore what `memory` returned."""
        world, vehicle = self.world, self.vehicle
        vars(self).clear()
        vars(self).update(copy.deepcopy(memory), world=world, vehicle=vehicle)
