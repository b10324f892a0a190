"""A world that an FMU holds, in a process of its own: `fmu/world.h` starts it and asks over its standard input.

Time of the importer is time of the world plus the start time of the experiment. Inputs act between two ticks; one that
did not change is not told again. Everything that a world needs is among the resources of the FMU, as in a recording.
"""

import json
import math
import socket
import struct
import sys
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from cupola.bridge.fmi.archive import LARGEST_UNPACKED
from cupola.bridge.fmi.inputs import commanded, find_inputs
from cupola.parts.shown import Signal
from cupola.record.held_files import HeldRecording
from cupola.record.provenance import NUMERICS, provenance
from cupola.schema.input_files import read_bytes
from cupola.schema.yaml_files import InputError
from cupola.sim.world import Snapshot, World

ABOUT = "unit.json"
"""Names of inputs and outputs, and the versions that exported it."""
HEAD = struct.Struct("=ii")
"""What is asked or answered, and how many bytes follow."""
STEP, START, RESET, KEEP, GO_BACK, FORGET = range(6)
OK, ERROR = 0, 3
LONGEST = 1000
"""[bytes] of a message in words."""
NEAR = 1e-6
"""Of a tick: how far a time or a step may be off."""


class Attachments(NamedTuple):
    """The resources of an FMU, by name."""

    path: Path
    attached: Mapping[str, bytes]


class Kept(NamedTuple):
    """A state that the importer may ask for again."""

    world: Snapshot
    values: list[float]
    applied: list[float]
    begin: float


class Unit:
    """A world behind a row of numbers: inputs, outputs, the seed, the time."""

    def __init__(self, folder: Path) -> None:
        files = {
            path.relative_to(folder).as_posix(): read_bytes(path, LARGEST_UNPACKED)
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        about = json.loads(files.pop(ABOUT))
        held = HeldRecording(Attachments(folder, files))
        names = [entry.name or Path(entry.model).name for entry in held.scenario.vehicles]
        pilots = commanded(about["inputs"], names)
        self.world = World(held.scenario, controllers=pilots, name=about["name"], source=about["name"], held=held.held)
        self.inputs = find_inputs(self.world, about["inputs"], pilots)
        self.outputs: list[Signal] = list(
            dict.fromkeys(one for name in about["outputs"] for one, _ in self.world.find_signals(name))
        )
        self._seed = float(self.world.arrays.world["seed"][0])
        self._applied = [one.start for one in self.inputs]
        self._begin = 0.0
        self._kept: dict[int, Kept] = {}
        self._next = 0
        self._first = self._state([*self._applied])
        _warn(about["versions"])

    def values(self) -> list[float]:
        """The whole row, as it is now."""
        given = [*self._applied, *(_number(self.world.signal(one.name)) for one in self.outputs)]
        return [*given, float(self.world.arrays.world["seed"][0]), self._begin + self.world.time]

    def answer(self, asked: int, numbers: Sequence[float]) -> list[float]:
        """What a request comes to."""
        if asked == STEP:
            return self._step(numbers[0], numbers[1], numbers[2:])
        if asked == START:
            return self._start(numbers)
        if asked == RESET:
            self._go_back(self._first)
        elif asked == KEEP:
            self._next += 1
            self._kept[self._next] = self._state(list(numbers[: len(self.inputs)]))
            return [float(self._next)]
        elif asked == GO_BACK:
            kept = self._kept[int(numbers[0])]
            self._go_back(kept)
            return [*kept.values, *self.values()[len(kept.values) :]]
        elif asked == FORGET:
            return [float(self._kept.pop(int(numbers[0]), None) is not None)]
        return self.values()

    def _start(self, values: Sequence[float]) -> list[float]:
        """End of the initialization: the start time, the seed and the first inputs are known."""
        self._begin, seed = values[-1], values[-2]
        if seed != self.world.arrays.world["seed"][0]:
            if seed != int(seed):
                raise InputError(f"seed: expected a whole number, got {seed:g}")
            self.world.reset(int(seed))
        self._apply(values)
        return self.values()

    def _step(self, time: float, dt: float, values: Sequence[float]) -> list[float]:
        world = self.world
        ticks = round(dt / world.dt) if math.isfinite(dt) else 0
        if ticks < 1 or abs(dt / world.dt - ticks) > NEAR * ticks:
            raise InputError(f"a step of {dt:g} s is no multiple of {world.dt:g} s, the step of the physics")
        now = self._begin + world.time
        if not abs(time - now) <= max(NEAR * world.dt, 1e-12 * abs(now)):
            raise InputError(f"a step from {time!r} s was asked for, and the world is at {now!r} s")
        self._apply(values)
        world.step(ticks)
        return self.values()

    def _apply(self, values: Sequence[float]) -> None:
        for k, one in enumerate(self.inputs):
            if not math.isfinite(values[k]):
                raise InputError(f"{one.name}: expected a finite number, got {values[k]}")
        for k, one in enumerate(self.inputs):
            if values[k] != self._applied[k]:
                one.put(values[k])
                self._applied[k] = values[k]

    def _state(self, values: list[float]) -> Kept:
        return Kept(self.world.snapshot(), values, [*self._applied], self._begin)

    def _go_back(self, kept: Kept) -> None:
        self.world.restore(kept.world)
        self._applied, self._begin = [*kept.applied], kept.begin


def _number(value: float | tuple[float, ...]) -> float:
    assert isinstance(value, float)
    return value


def _warn(then: Mapping[str, str]) -> None:
    """Another version may give other digits."""
    now = provenance()
    for name in ("cupola", *NUMERICS):
        if then.get(name) != now[name]:
            print(f"cupola: exported with {name} {then.get(name)}, run with {now[name]}: digits may differ")


def folder_of(resources: str) -> Path:
    """FMI 2 gives an address, FMI 3 a path; some importers give either."""
    if resources.startswith("file:"):
        return Path(urllib.request.url2pathname(urllib.parse.urlsplit(resources).path))
    return Path(resources)


def serve(link: socket.socket, unit: Unit) -> None:
    """Answer until nobody listens any more."""
    _say(link, OK, _packed(unit.values()))
    while len(head := link.recv(HEAD.size, socket.MSG_WAITALL)) == HEAD.size:
        asked, size = HEAD.unpack(head)
        content = link.recv(size, socket.MSG_WAITALL) if size else b""
        try:
            said, text = OK, _packed(unit.answer(asked, struct.unpack(f"={size // 8}d", content)))
        except Exception as error:  # whatever it is, the importer must hear of it
            said, text = ERROR, _words(error)
        _say(link, said, text)


def _packed(numbers: Sequence[float]) -> bytes:
    return struct.pack(f"={len(numbers)}d", *numbers)


def _words(error: Exception) -> bytes:
    return (str(error) or type(error).__name__).encode()[:LONGEST].decode(errors="ignore").encode()


def _say(link: socket.socket, status: int, content: bytes) -> None:
    link.sendall(HEAD.pack(status, len(content)) + content)


def main(resources: str) -> None:
    """What the FMU starts."""
    link: Any = socket.socket(fileno=0)
    try:
        unit = Unit(folder_of(resources))
    except Exception as error:
        _say(link, ERROR, _words(error))
        raise
    serve(link, unit)


if __name__ == "__main__":
    main(sys.argv[1])
