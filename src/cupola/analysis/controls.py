"""Controls of an aircraft: one control per channel that deflects surfaces, one throttle for all that pushes forward."""

import math
from collections.abc import Iterator
from typing import NamedTuple

import mujoco
import numpy as np

from cupola.build.compile import VehicleInstance
from cupola.sim.world import World

FORWARD = 0.7
"""A rotor pushes forward when the cosine between its axis and the nose is larger."""


class Control(NamedTuple):
    """A surface or a throttle."""

    name: str
    channels: tuple[int, ...]
    """Command channels that move it, all alike."""
    unit: str
    scale: float
    """Its value when the command is 1."""
    low: float
    high: float
    """Range of its value."""
    parts: str = ""
    """Parts that read it."""
    pushes: bool = False
    """Whether it is a thrust, which has no slope at zero."""

    def command(self, value: float) -> float:
        """Commands of its channels."""
        return value / self.scale


class Hinge(NamedTuple):
    """A joint that a servo holds at an angle."""

    joint: str
    channel: int
    place: int
    """Of its angle among the coordinates."""
    angle: float
    """[rad] when the command is 1."""
    both_ways: bool
    """Whether the servo goes below zero; flaps do not, they are set and not flown."""


def find_controls(world: World, instance: VehicleInstance) -> list[Control]:
    """Surfaces by channel, still without a name, then the throttle."""
    return [*find_surfaces(instance), *_hinged(world, instance), *_throttle(world, instance)]


def find_channels(world: World, instance: VehicleInstance) -> list[Control]:
    """Every command channel that a part reads and none writes, in its own units, with its range if parts define one."""
    heard: dict[int, list[str]] = {}
    ends: dict[int, tuple[float, float]] = {}
    thrusts: set[int] = set()
    for bound in world.assembly.parts:
        if bound.vehicle != instance.name:
            continue
        limits = dict(bound.part.channel_limits())
        limits |= dict.fromkeys(bound.part.deflections(), (-1.0, 1.0))
        if (pushes := bound.part.thrust_channel()) is not None:
            limits[pushes] = (0.0, 1.0)
            thrusts.add(pushes)
        for channel in bound.part.used_channels():
            if channel >= 0 and bound.name not in heard.setdefault(channel, []):
                heard[channel].append(bound.name)
        for channel, (low, high) in limits.items():
            before = ends.get(channel, (-math.inf, math.inf))
            ends[channel] = (max(low, before[0]), min(high, before[1]))
    return [
        Control(f"channel_{k}", (k,), "1", 1.0, *ends.get(k, (-math.inf, math.inf)), ", ".join(heard[k]), k in thrusts)
        for k in sorted(heard.keys() - _written(instance))
    ]


def _written(instance: VehicleInstance) -> set[int]:
    """Channels written by a law of the vehicle itself: setting them has no effect."""
    return {channel for part in instance.vehicle.parts.values() for channel in part.written_channels()}


def find_hinges(world: World, instance: VehicleInstance) -> list[Hinge]:
    """Joints that follow commands: their actuators push with gain u - stiffness q, where q may have several of them.

    A joint that two channels move stands twice: its angle is the sum.
    """
    model, found = world.model, []
    stiff = np.zeros(model.njnt)
    for k in range(model.nu):
        if model.actuator_trntype[k] == mujoco.mjtTrn.mjTRN_JOINT:
            stiff[model.actuator_trnid[k, 0]] -= model.actuator_biasprm[k, 1]
    for part in instance.vehicle.parts.values():
        moved = part.moved_actuator()
        for channel, (low, _) in part.channel_limits().items() if moved else ():
            actuator = model.actuator(f"{instance.name}/{moved}")
            if actuator.trntype[0] != mujoco.mjtTrn.mjTRN_JOINT:
                continue
            joint = int(actuator.trnid[0])
            if stiff[joint] > 0.0:
                name = model.joint(joint).name.removeprefix(f"{instance.name}/")
                angle = float(actuator.gainprm[0] / stiff[joint])
                found.append(Hinge(name, channel, int(model.jnt_qposadr[joint]), angle, low < 0.0))
    return found


def _hinged(world: World, instance: VehicleInstance) -> list[Control]:
    """Hinges that surfaces listen to, by channel, in radians."""
    parts = instance.vehicle.parts.values()
    heard = {joint for part in parts for joint in part.control_joints()}
    moved = [hinge for hinge in find_hinges(world, instance) if hinge.joint in heard and hinge.both_ways]
    scales = {hinge.channel: abs(hinge.angle) for hinge in reversed(moved)}
    return [Control("", (channel,), "rad", scale, -scale, scale) for channel, scale in sorted(scales.items())]


def find_surfaces(instance: VehicleInstance) -> list[Control]:
    """In radians where all that a channel deflects agree, else in channel units."""
    limits: dict[int, list[float | None]] = {}
    for part in instance.vehicle.parts.values():
        for channel, limit in part.deflections().items():
            limits.setdefault(channel, []).append(limit)
    found = []
    for channel in sorted(limits.keys() - _written(instance)):
        given = limits[channel]
        low, high = _stops(instance, channel)
        angle = given[0] if len(set(given)) == 1 else None
        scale, unit = (1.0, "1") if angle is None else (angle, "rad")
        ends = sorted((low * scale, high * scale))
        found.append(Control("", (channel,), unit, scale, ends[0], ends[1]))
    return found


def _stops(instance: VehicleInstance, channel: int) -> tuple[float, float]:
    """Range of a command, narrowed by a servo on its channel."""
    low, high = -1.0, 1.0
    for part in instance.vehicle.parts.values():
        if channel in part.channel_limits():
            stops = part.channel_limits()[channel]
            low, high = max(low, stops[0]), min(high, stops[1])
    return low, high


def _throttle(world: World, instance: VehicleInstance) -> list[Control]:
    """All forward rotors; lifting rotors are stopped."""
    channels = {int(channel) for _, channel, forward in _thrusts(world, instance) if forward}
    return [Control("throttle", tuple(sorted(channels)), "1", 1.0, 0.0, 1.0)] if channels else []


def stopped(world: World, instance: VehicleInstance) -> list[str]:
    """Parts whose thrust does not point ahead: they stand still in a trim."""
    return [name for name, _, forward in _thrusts(world, instance) if not forward]


def _thrusts(world: World, instance: VehicleInstance) -> Iterator[tuple[str, int, bool]]:
    """Parts that give thrust, the channel of each, and whether it points ahead."""
    data, parts = world.data, instance.vehicle.parts
    nose = data.xmat[instance.root].reshape(3, 3)[:, 0]
    mixed = {name for part in parts.values() for name in part.commanded_parts()}
    for bound in world.assembly.parts:
        channel = bound.part.thrust_channel()
        if bound.vehicle == instance.name and channel is not None and bound.name not in mixed:
            axis = data.site_xmat[int(bound.row["site"])].reshape(3, 3)[:, 0]
            yield bound.name, channel, bool(axis @ nose > FORWARD)
