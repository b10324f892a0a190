"""Which channels a controller commands, which ones parts obey, and what is told where the two differ."""

import logging
from collections.abc import Mapping, Sequence
from typing import Any, get_args, get_type_hints

from cupola.build.compile import Assembly, BoundPart
from cupola.build.controller_runner import ControllerRunner, shipped_controllers
from cupola.config.controller import Controller
from cupola.config.vehicle import ControllerEntry, Vehicle
from cupola.kernel.observation import observation_in
from cupola.parts.part import Part
from cupola.schema.plugins import shipped_class

log = logging.getLogger("cupola")
OURS = "cupola."


def mixed(parts: Mapping[str, Part], first: int) -> set[int]:
    """Channels of mixers: what those that are active set, and inputs that nobody reads because they are not.

    `first`: the first channel of the controller, which makes the mixer active that begins there.
    """
    found: set[int] = set()
    for part in parts.values():
        if (begins := part.first_input()) is None:
            continue
        moved = [parts[name] for name in part.commanded_parts()] if begins == first else [part]
        found.update(channel for one in moved for channel in one.used_channels())
    return found


def outputs_of(runner: ControllerRunner, observed: Any) -> int | None:
    """How many channels a controller sets; None where that is not known. `observed`: the row of its vehicle."""
    if not runner.pure:
        return None if runner.long else runner.commanded
    if (count := _declared(type(runner.controller))) is not None:
        return count
    law = type(runner.controller).law
    assert law is not None
    try:
        return len(law(observation_in(observed), runner.reference(), runner.state_now(), runner.controller)[0])
    except Exception:  # as it stands before the start it may not answer
        return None


def _declared(cls: type[Controller]) -> int | None:
    """How many channels a law sets by the types that it declares."""
    try:
        command, *_ = get_args(get_type_hints(cls.law)["return"])
        return len(command._fields)
    except (NameError, TypeError, KeyError, ValueError, AttributeError):  # a user's law that says nothing of types
        return None


def watch_commands(assembly: Assembly) -> None:
    """Let every controller of a world be heeded: pure laws now, others when they answer."""
    for instance, observed in zip(assembly.instances, assembly.arrays.observations, strict=True):
        own = [bound for bound in assembly.parts if bound.vehicle == instance.name]
        flying, given = instance.resolved.mode, instance.resolved.specs["mission"]
        if flying != "mission" and given.source.startswith("controllers["):
            others = type(instance.runners[flying].controller).__name__, type(instance.runner.controller).__name__
            log.warning(
                "%s begins in the mode %s, which %s flies: the given %s flies in the mode mission only",
                *(instance.name, flying, *others),
            )
        for runner in instance.runners.values():
            runner.heed = Heed(instance.name, instance.vehicle, own, runner).heed
            if runner.pure and (count := outputs_of(runner, observed)) is not None:
                runner.heed(count, assembly.arrays.command[instance.channels])


class Heed:
    """What the parts of a vehicle obey, for one of its controllers: says once what is left unset or not read."""

    def __init__(self, name: str, vehicle: Vehicle, parts: Sequence[BoundPart], runner: ControllerRunner) -> None:
        self._name, self._runner = name, runner
        self._own = not type(runner.controller).__module__.startswith(OURS)
        self._heard: dict[int, list[str]] = {}
        for bound in parts:
            for channel in bound.part.used_channels():
                if channel >= 0 and bound.name not in self._heard.setdefault(channel, []):
                    self._heard[channel].append(bound.name)
        for channel in [channel for bound in parts for channel in bound.part.written_channels()]:
            self._heard.pop(channel, None)
        thrusts = {bound.part.thrust_channel() for bound in parts}
        self._pushing = {channel for channel in thrusts if channel in self._heard}
        taken = mixed(vehicle.parts, runner.first_channel)
        self._obeyed = self._heard.keys() - taken
        self._wanted = (self._expected(vehicle) & self._obeyed) - _by_others(vehicle)
        self._last = 0
        self._said: set[str] = set()

    def _expected(self, vehicle: Vehicle) -> set[int]:
        """What pushes, and with a controller of one's own what the vehicle's others command, or else all."""
        if not self._own:
            return self._pushing
        known = [
            _commanded_by(entry, vehicle) for entry in (vehicle.controller, vehicle.assisted, vehicle.raw) if entry
        ]
        usual = set[int]().union(*known)
        return self._pushing | (usual & self._heard.keys() or self._heard.keys())

    def heed(self, count: int, command: Any) -> None:
        """A controller sets `count` channels; `command`: all of the vehicle, where another hand may have set some."""
        first = self._runner.first_channel
        set_now = set(range(first, first + count))
        unset = sorted(k for k in self._wanted - set_now if not command[k])
        # Ours leave what they leave by design, but for a vehicle with more motors than they know.
        if unset and (self._own or (first == 0 and self._pushing & set_now)):
            which = ", ".join(f"{k} ({', '.join(self._heard[k])})" for k in unset)
            self._say(f"gives {_many(count)}, and nobody commands channel {which}: 0 unless something else sets it")
        if self._own and 0 < count < self._last:
            self._say(f"gives {_many(count)} now and gave {self._last} before: the other channels stay as they were")
        begins, end = max(1 + max(self._obeyed, default=-1), first), first + count - 1
        if self._own and begins <= end:
            beyond = f"channels {begins} to {end}" if begins < end else f"channel {end}"
            self._say(f"gives {_many(count)}, but nothing obeys it on {beyond}")
        self._last = count

    def _say(self, what: str) -> None:
        if what not in self._said:
            self._said.add(what)
            log.warning("%s: the controller %s %s", self._name, type(self._runner.controller).__name__, what)


def _many(count: int) -> str:
    return "1 number" if count == 1 else f"{count} numbers"


def _by_others(vehicle: Vehicle) -> set[int]:
    """Channels that hands turn, beside any controller."""
    mix = vehicle.channel_mix
    turned = ((mix.camera_angle, mix.camera_command), (mix.laser_angle, mix.laser_command))
    return {command for stick, command in turned if stick >= 0}


def _commanded_by(entry: ControllerEntry, vehicle: Vehicle) -> set[int]:
    """What a controller that ships commands; nothing where that is not known."""
    shipped = shipped_controllers()
    if entry.use not in shipped:
        return set()
    count = _declared(shipped_class(shipped[entry.use], Controller)) or 0
    return set(range(entry.channel, entry.channel + count)) | (mixed(vehicle.parts, entry.channel) if count else set())
