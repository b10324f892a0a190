"""Channels that a vehicle obeys and that a hand may put somewhere: what no controller or part sets meanwhile.

A controller that passes the sticks on sets its channels too, but only to what the sticks say, so those are moved by
putting the sticks there. Everything else is `World.turn`, which recordings repeat and reset takes back.
"""

from typing import Any

import mujoco

from cupola.analysis.controls import find_channels, find_hinges
from cupola.build.commanded import mixed, outputs_of
from cupola.build.compile import VehicleInstance
from cupola.cockpit import messages as say
from cupola.config.stick_words import StickWords
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

NO_END = 1e6
"""Range of a channel whose parts declare none."""
STICKS = StickWords._fields
THROTTLE = STICKS.index("throttle")
RADIANS = 1e-9
"""By how much the angle at 1 may differ from 1 rad."""


def obeyed(world: World, instance: VehicleInstance, runner: Any) -> list[say.Obeyed]:
    """What a hand may set while a controller flies."""
    passed = _passed(instance, runner)
    taken = _commanded(world, instance, runner) - passed.keys() | mixed(instance.vehicle.parts, runner.first_channel)
    radians = _radians(world, instance)
    parts = instance.vehicle.parts.values()
    flies = any(part.lifts for part in parts)
    words = {channel: word for part in parts for channel, word in part.channel_words().items()}
    found = []
    for control in find_channels(world, instance):
        (channel,) = control.channels
        if channel in taken:
            continue
        low, high = max(control.low, -NO_END), min(control.high, NO_END)
        rests = _command_of(runner, THROTTLE, runner.controller.throttle_rests_at)
        middle = rests if passed.get(channel) == THROTTLE else 0.0
        unit, default = "rad" if channel in radians else "1", min(max(middle, low), high)
        stick = channel in passed
        word = STICKS[passed[channel]] if stick and flies else words.get(channel, "")
        name = f"{word}: {control.parts}" if word else control.parts
        one = say.Obeyed(channel=channel, name=name, low=low, high=high, unit=unit, default=default, stick=stick)
        found.append(one)
    return found


def turn(world: World, vehicle: str, channel: int, value: float) -> bool:
    """Put a channel there; True where this moved a stick."""
    instance = next(one for one in world.instances if one.name == vehicle)
    runner = world.runner(vehicle)
    offered = [one.channel for one in obeyed(world, instance, runner)]
    if channel not in offered:
        known = ", ".join(map(str, offered)) or "none"
        raise InputError(f"no hand can set channel {channel} of {vehicle} now; those that it can set: {known}")
    stick = _passed(instance, runner).get(channel)
    if stick is None:
        world.turn(channel, value, vehicle)
        return False
    index = world.instances.index(instance)
    sticks = world.arrays.sticks[index].tolist()
    sticks[instance.vehicle.channel_mix.sticks[stick]] = _stick_for(runner, stick, value)
    world.sticks(sticks, vehicle)
    return True


def _radians(world: World, instance: VehicleInstance) -> set[int]:
    """Channels that are the angles of hinges."""
    found = [one for one in find_hinges(world, instance) if abs(abs(one.angle) - 1.0) < RADIANS]
    kinds = {one.channel: int(world.model.joint(f"{instance.name}/{one.joint}").type[0]) for one in found}
    return {channel for channel, kind in kinds.items() if kind == mujoco.mjtJoint.mjJNT_HINGE}


def _passed(instance: VehicleInstance, runner: Any) -> dict[int, int]:
    """Channels that are sticks as they are, and which of the four: those that somebody can move."""
    if not runner.controller.passes_sticks or runner.script:
        return {}
    mix = instance.vehicle.channel_mix.sticks
    return {runner.first_channel + k: k for k in range(len(STICKS)) if mix[k] >= 0}


def _command_of(runner: Any, stick: int, at: float) -> float:
    low, high = runner.controller.passed_throttle if stick == THROTTLE else (-1.0, 1.0)
    return float(low + 0.5 * (at + 1.0) * (high - low))


def _stick_for(runner: Any, stick: int, command: float) -> float:
    low, high = runner.controller.passed_throttle if stick == THROTTLE else (-1.0, 1.0)
    return 2.0 * (command - low) / (high - low) - 1.0


def _commanded(world: World, instance: VehicleInstance, runner: Any) -> set[int]:
    """Channels that a controller sets; all where that is not known."""
    count = outputs_of(runner, world.arrays.observations[world.instances.index(instance)])
    slots = instance.channels.stop - instance.channels.start
    return set(range(runner.first_channel, slots if count is None else runner.first_channel + count))
