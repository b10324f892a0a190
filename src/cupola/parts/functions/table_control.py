"""A flight-control law by functions: what it computes from the flight and from channels, it writes to channels."""

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.kernel.memory import window
from cupola.kernel.motion import SiteFrame, SiteMotion
from cupola.kernel.records import size
from cupola.parts.binding import BindContext
from cupola.parts.functions.part import COLUMNS, QUANTITIES, FunctionPart
from cupola.parts.functions.quantities import AngleRates, air_velocity, angle_rates, at_rest, fill, root, run
from cupola.physics.flight_data import AirHere, Level
from cupola.physics.rotation import Vector
from cupola.schema.limits import CommandChannel
from cupola.schema.yaml_files import Entry
from cupola.xmath import Number

INPUTS = len(QUANTITIES)
MOST_STEPS, AT_REST = 20000, 1e-13
"""Ticks after which a law is taken to have come to rest, and the largest change by which it has, as a share."""
STRIDE, SLOWEST, LEAPS = 1000, 0.99, 10
"""For what is not at rest then: ticks between two looks at it, the largest share left after them with which its end is
foreseen, and how often that is done."""
HUGE = 1e300


class Remembered(Entry):
    """A number that is kept from tick to tick."""

    start: float = 0.0
    next: str = Field(description="what it becomes; `dt` is the length of a tick [s]")


class ControlOutput(NamedTuple):
    """What a law shows of itself."""

    outside: Number
    """[1] number of the first table that was left; 0: none."""


class ControlAnswer(NamedTuple):
    """Answer of `actuate`."""

    state: AngleRates
    output: ControlOutput
    ok: bool


SHOWN = size(ControlOutput)


class TableControl(FunctionPart):
    """Writes command channels once per tick, before servos and everything else that reads them."""

    kind: Literal["table_control"]
    site: str = Field(description="site whose axes are front, left, up; motion is that of the centre of mass")
    channels: dict[CommandChannel, str] = Field(description="command channels it writes, and their expressions")
    remembers: dict[str, Remembered] = Field({}, description="numbers it keeps from tick to tick, by name")
    controls: dict[CommandChannel, float | None] = Field(
        {},
        description="command channels that are stick axes for trim, and what channel value 1 counts [rad]; "
        "null: no angle",
    )

    Index: ClassVar[dict[str, str]] = {**dict.fromkeys(COLUMNS, "i8"), "slots": "i8", "slot_count": "i8"}
    State = AngleRates
    Output = ControlOutput
    order = 8
    events: ClassVar[dict[str, str]] = {"left": "outside its table"}

    def own_names(self) -> tuple[str, ...]:
        """Its state."""
        return tuple(self.remembers)

    def roots(self) -> dict[str, str]:
        """Its channels, then what is to be remembered."""
        following = {f"remembers.{name}.next": one.next for name, one in self.remembers.items()}
        return {**{f"channels.{number}": text for number, text in self.channels.items()}, **following}

    def initial_memory(self) -> list[float]:
        """Starting values."""
        return [one.start for one in self.remembers.values()]

    def used_channels(self) -> tuple[int, ...]:
        """Those it reads and those it writes."""
        return (*super().used_channels(), *self.channels)

    def written_channels(self) -> tuple[int, ...]:
        """Those it writes; one that it reads too is a command that it changes."""
        read = {*super().used_channels(), *self.controls}
        return tuple(number for number in self.channels if number not in read)

    def deflections(self) -> Mapping[int, float | None]:
        """Its stick axes."""
        return self.controls

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Its program, and the slots of its channels."""
        row = super().numbers(places)
        slots = len(places.constants)
        places.constants.extend(float(places.channel(number)) for number in self.channels)
        return {**row, "slots": slots, "slot_count": len(self.channels)}

    @staticmethod
    def actuate(
        p: Number,
        state: AngleRates,
        output: ControlOutput,
        motion: SiteMotion,
        centre_s: Vector,
        frame: SiteFrame,
        level: Level,
        air_here: AirHere,
        drive: Number,
        qpos: Number,
        constants: Number,
        outputs: Number,
        memory: Number,
        tick: Number,
        dt: Number,
    ) -> ControlAnswer:
        """One tick of the law."""
        vel_air = air_velocity(motion, centre_s)
        now = angle_rates(p, state, vel_air, dt, output.outside)
        block = window(constants, p.block, p.block_size)
        fill(p, block, motion, vel_air, frame, level, air_here, now, tick * dt, dt)
        return ControlAnswer(now, *step(p, block, constants, drive, qpos, outputs, memory))

    @staticmethod
    def settle(
        p: Number,
        motion: SiteMotion,
        centre_s: Vector,
        frame: SiteFrame,
        level: Level,
        air_here: AirHere,
        drive: Number,
        qpos: Number,
        constants: Number,
        outputs: Number,
        memory: Number,
        tick: Number,
        dt: Number,
    ) -> AngleRates:
        """Ticks under a held flight until what it remembers has come to rest."""
        vel_air = air_velocity(motion, centre_s)
        still = at_rest(vel_air)
        block = window(constants, p.block, p.block_size)
        fill(p, block, motion, vel_air, frame, level, air_here, still, tick * dt, dt)
        past = np.zeros((2, max(1, p.memory_size)))
        for ticks in range(1, MOST_STEPS + LEAPS * 3 * STRIDE + 1):
            step(p, block, constants, drive, qpos, outputs, memory)
            change = 0.0
            for k in range(p.memory_size):
                before = block[INPUTS + k]
                change = max(change, abs(memory[k] - before) / (1.0 + abs(before)))
            late = ticks - MOST_STEPS + 3 * STRIDE
            if change < AT_REST or (
                late > 0 and late % STRIDE == 0 and not look(p, past, memory, late // STRIDE % 3 == 0)
            ):
                break
        return still


def moves(change: Number, value: Number) -> Number:
    """Whether a number has changed by more than rounding does."""
    return abs(change) > AT_REST * (1.0 + abs(value))


def look(p: Number, past: Number, memory: Number, third: bool) -> bool:
    """Compare what is remembered with two looks before; at the third look, leap to where what decays evenly will end.

    Aitken's process: a heavy propeller takes minutes to come to rest. What goes one way, not yet slower, is given more
    time. Answers False if something turns round: a governor that hunts never comes to rest.
    """
    even = third
    for k in range(p.memory_size if third else 0):
        first, second = memory[k] - past[0, k], past[0, k] - past[1, k]
        if moves(first, memory[k]):
            if first * second <= 0.0:
                return False
            even = even and abs(first) < SLOWEST * abs(second)
    for k in range(p.memory_size):
        first, second = memory[k] - past[0, k], past[0, k] - past[1, k]
        if even and moves(first, memory[k]):
            memory[k] += first * first / (second - first)
        past[1, k], past[0, k] = past[0, k], memory[k]
    return True


def step(
    p: Number, block: Number, constants: Number, drive: Number, qpos: Number, outputs: Number, memory: Number
) -> tuple[ControlOutput, bool]:
    """Evaluate, write the channels, remember."""
    for k in range(p.memory_size):
        block[INPUTS + k] = memory[k]
    outside = run(p, block, drive, qpos, outputs, p.output + SHOWN)
    total = 0.0
    for k in range(p.root_count):
        total += abs(root(p, block, k))
    ok = total < HUGE
    if ok:
        for k in range(p.slot_count):
            drive[int(constants[p.slots + k])] = root(p, block, k)
        for k in range(p.memory_size):
            memory[k] = root(p, block, p.slot_count + k)
    return ControlOutput(outside), ok
