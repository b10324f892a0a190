"""Functions of channels other than flying: turn camera and laser, boxes, reset, the user's functions.

Called between two ticks, when a channel has changed or is held. The numbers remembered lie in the state of the world,
so a snapshot holds them, and the same sticks do the same things to the bit.
"""

from typing import Any

import numpy as np

from cupola.build.compile import VehicleInstance
from cupola.config.channels import HAND, NONE, STICK_CHANNELS, ChannelFunctions
from cupola.schema.plugins import load_class
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

ANGLE_STEP = 0.1
"""[rad] per step, camera and laser: Last_letter_2 §2.8."""
CAMERA_LIMIT, LASER_LIMIT = 2.0, 1.0
"""[rad]: Last_letter_2 §2.8."""
PRESSED = 1.0
"""Functions act when a channel reaches this value."""
NEVER = 1 << 62


def modes(world: World) -> "list[Functions]":
    """The functions of every vehicle of a world."""
    return [Functions(world, index, instance) for index, instance in enumerate(world.instances)]


class Functions:
    """The channel functions of one vehicle."""

    def __init__(self, world: World, index: int, instance: VehicleInstance) -> None:
        self._world, self._member, self._mix = world, instance, instance.vehicle.channel_mix
        self._sticks = world.arrays.sticks[index]
        self._memory = world.arrays.state[instance.hand : instance.hand + HAND]
        self._before = self._memory[:STICK_CHANNELS]
        self._every = max(1, round(world.scenario.physics_hz / self._mix.rate_hz))
        self._command = world.arrays.command[instance.channels]
        self._own = _make_functions(world, instance) if self._mix.own else None
        self._check_commands()

    def act(self, tick: int) -> int:
        """Execute the functions of the channels; returns the ticks until held channels must be checked again."""
        if self._before.tobytes() == self._sticks.tobytes():
            if not self._memory[STICK_CHANNELS]:
                return NEVER
        else:
            before = self._before.copy()
            self._before[:] = self._sticks
            for channel in np.flatnonzero(before != self._sticks).tolist():
                self._changed(channel, float(self._sticks[channel]), float(before[channel]))
        return self._turn(tick)

    def memory(self) -> dict[str, Any]:
        """State of the user's functions."""
        return self._own.memory() if self._own else {}

    def remember(self, memory: dict[str, Any]) -> None:
        """Restore what `memory` returned."""
        if self._own:
            self._own.remember(memory)

    def _changed(self, channel: int, value: float, before: float) -> None:
        name = self._member.name
        if value >= PRESSED > before:
            if channel == self._mix.drop_box:
                self._world.drop_box(name)
            elif channel == self._mix.remove_boxes:
                self._world.remove_boxes()
            elif channel == self._mix.reset:
                self._world.restart(name)
        if self._own:
            self._own.on_controller(channel, value, before)
            self._own.on_world(channel, value, before)
            self._own.on_model(channel, value, before)

    def _turn(self, tick: int) -> int:
        """Step the angles whose channel is held at an end; the laser turns the other way."""
        camera, laser = self._held(self._mix.camera_angle), self._held(self._mix.laser_angle)
        if not camera and not laser:
            self._memory[STICK_CHANNELS] = 0.0
            return NEVER
        if tick >= self._memory[STICK_CHANNELS]:
            self._step(self._mix.camera_command, camera, CAMERA_LIMIT)
            self._step(self._mix.laser_command, -laser, LASER_LIMIT)
            self._memory[STICK_CHANNELS] = tick + self._every
        return int(self._memory[STICK_CHANNELS]) - tick

    def _held(self, channel: int) -> int:
        value = 0.0 if channel == NONE else self._sticks[channel]
        return int(value >= PRESSED) - int(value <= -PRESSED)

    def _step(self, command: int, direction: int, limit: float) -> None:
        if direction:
            angle = self._command[command] + direction * ANGLE_STEP
            self._command[command] = min(max(angle, -limit), limit)

    def _check_commands(self) -> None:
        used = [self._mix.camera_command] * (self._mix.camera_angle != NONE)
        used += [self._mix.laser_command] * (self._mix.laser_angle != NONE)
        if used and max(used) >= len(self._command):
            count = len(self._command)
            raise InputError(
                f"{self._member.path}: channel_mix: there is no command channel {max(used)}; there are 0 to {count - 1}"
            )


def _make_functions(world: World, instance: VehicleInstance) -> ChannelFunctions:
    here = f"{instance.path}: channel_mix.own"
    try:
        reference, folder = str(instance.vehicle.channel_mix.own), instance.path.parent
        own = load_class(reference, ChannelFunctions, folder, world.assembly.trust, here)()
    except InputError as error:
        raise InputError(f"{here}: {error}") from error
    own.world, own.vehicle = world, instance.name
    return own
