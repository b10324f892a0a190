"""What of the world around it matters to a vehicle: an up, air, wind, and the channels that something hears.

The page shows instruments, sliders and channels only where they say or do something. What a part feels is read from
what its kernels ask for, what a channel does from who listens to it; no vehicle is known by its name.
"""

import inspect
from collections.abc import Iterator
from typing import Any

import mujoco

from cupola.build.compile import BoundPart, VehicleInstance
from cupola.cockpit import messages as say
from cupola.config.channels import NONE, STICK_CHANNELS
from cupola.config.stick_words import STICK_NAMES, StickWords
from cupola.engine.adapters import kernel_of
from cupola.parts.part import STAGE_KERNELS
from cupola.sim.world import World

AIR = {"density", "matrix_density", "air", "air_here"}
"""What kernels ask for who feel the air."""
FLOW = {"motion", "wind_slope_w"}
"""What they ask for, beside it, who feel how it moves."""
WHOLE = "v"
DRIVES = ("actuate", "exchange", "load", "before_step")
"""Stages in which who is given the whole world may use its air to push."""
OF_WIND = ("air.wind_", "air.gust_", "air.turbulence_")
UPRIGHT = 0.999
"""Cosine beyond which an axis is vertical."""


def feels_air(world: World) -> bool:
    """Whether pressure, density or temperature of the air matter to anything."""
    return not world.scenario.air.space and any(_feels(bound, wind=False) for bound in world.assembly.parts)


def feels_wind(world: World) -> bool:
    """Whether anything is moved by the wind."""
    return not world.scenario.air.space and any(_feels(bound, wind=True) for bound in world.assembly.parts)


def acts(name: str, *, air: bool, wind: bool) -> bool:
    """Whether a parameter of this name does something in a world whose air or wind is felt or not."""
    return wind if name.startswith(OF_WIND) else air or not name.startswith("air.")


def moves(world: World, instance: VehicleInstance) -> tuple[bool, bool]:
    """Whether the body that carries a vehicle can move up and down, and whether it can tilt."""
    model, lifts, tilts = world.model, False, False
    first, body = int(model.body_jntadr[instance.root]), instance.root
    for k in range(first, first + int(model.body_jntnum[body])):
        kind, upright = int(model.jnt_type[k]), abs(float(model.jnt_axis[k][2]))
        free, ball = kind == mujoco.mjtJoint.mjJNT_FREE, kind == mujoco.mjtJoint.mjJNT_BALL
        lifts |= free or (kind == mujoco.mjtJoint.mjJNT_SLIDE and upright > 1.0 - UPRIGHT)
        tilts |= free or ball or (kind == mujoco.mjtJoint.mjJNT_HINGE and upright < UPRIGHT)
    return lifts, tilts


def stick_words(instance: VehicleInstance, runner: Any) -> StickWords:
    """What the sticks do; where they are passed on as they are, what hears them.

    Those of a vehicle with wings are surfaces and a throttle. Else they are called as the parts that they move.
    """
    words: StickWords = runner.controller.stick_words
    if not runner.controller.passes_sticks:
        return words
    parts = instance.vehicle.parts
    flies = any(part.lifts for part in parts.values())
    found = {}
    for channel, (name, said) in enumerate(words._asdict().items(), runner.first_channel):
        heard = [one for one, part in parts.items() if channel in part.used_channels()]
        called = f"{heard[0]}{' …' if len(heard) > 1 else ''}" if heard else ""
        found[name] = ("", "") if not heard else said if flies else (f"{called} +", f"{called} −")
    return StickWords(**found)


def channels(world: World, instance: VehicleInstance, runner: Any) -> list[say.ChannelInfo]:
    """The channels that do something while a controller flies, each with a word for it."""
    mix, controller = instance.vehicle.channel_mix, runner.controller
    words = stick_words(instance, runner)
    found = {at: name for name, at in zip(words._fields, mix.sticks, strict=True) if any(getattr(words, name))}
    found |= controller.channel_words
    unknown = controller.stick_words is STICK_NAMES and not controller.channel_words
    if unknown or mix.own:  # whoever does not say what they hear may hear any
        found = dict.fromkeys(range(STICK_CHANNELS), "") | found
    functions = {mix.reset: "start over", mix.camera_angle: "camera", mix.laser_angle: "laser"}
    if world.boxes.count:
        functions |= {mix.drop_box: "drop a box", mix.remove_boxes: "remove boxes"}
    keys = {at: f"key {name}" for name, at in mix.keys.items() if at in found}
    found |= keys | functions
    return [say.ChannelInfo(channel=at, name=found[at]) for at in sorted(found) if at != NONE]


def _feels(bound: BoundPart, *, wind: bool) -> bool:
    if bound.part.plain:
        return True
    asked = {stage: set(_asked(bound, stage)) for stage in STAGE_KERNELS}
    if any(WHOLE in asked[stage] for stage in DRIVES):
        return True
    everything: set[str] = set().union(*asked.values())
    return bool(everything & AIR) and (not wind or bool(everything & FLOW))


def _asked(bound: BoundPart, stage: str) -> Iterator[str]:
    """What a kernel is given, and what those are given from whom it takes it."""
    kind, variant = bound.group
    kernel = kernel_of(kind, stage, variant)
    for name in inspect.signature(kernel).parameters if kernel is not None else ():
        yield name
        if name in kind.derived:
            yield from _asked(bound, kind.derived[name])
