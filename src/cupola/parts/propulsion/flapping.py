"""The mechanism of a robotic bird between the sticks of a plane and its wings, twists and tail flaps."""

import math
from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.parts.binding import BindContext
from cupola.parts.described import Swing
from cupola.parts.part import Part
from cupola.physics.flapping import Drive, Flapping, Sticks, beat, flap
from cupola.xmath import Number

INPUTS, OUTPUTS = len(Sticks._fields), len(Drive._fields)


class CrankState(NamedTuple):
    """The crank that flaps the wings."""

    phase: Number = 0.0
    """[rad] turned so far."""


class FlapMove(NamedTuple):
    """Answer of `actuate`."""

    state: CrankState
    ok: bool


class FlapHeld(NamedTuple):
    """Answer of `settle`."""

    ok: bool


class FlappingMechanism(Part):
    """Roll, pitch, yaw and throttle in; angles of the wings, of their tips and of the tail flaps out [rad]."""

    kind: Literal["flapping"]
    mechanism: Flapping = Flapping()
    channel: int = Field(0, ge=0, description="the first of its four inputs")
    output: int = Field(
        4, ge=0, description="the first of its six outputs: wings, twists, tail flaps, each left, right"
    )

    Numbers = (Flapping,)
    Index: ClassVar[dict[str, str]] = dict.fromkeys((*Sticks._fields, *Drive._fields), "i8")
    State = CrankState
    order = 20

    def used_channels(self) -> tuple[int, ...]:
        """Inputs and outputs."""
        return (*self._inputs(), *self._outputs())

    def written_channels(self) -> tuple[int, ...]:
        """Its outputs."""
        return tuple(self._outputs())

    def channel_limits(self) -> dict[int, tuple[float, float]]:
        """Sticks to either side, and the throttle."""
        return dict(zip(self._inputs(), (*[(-1.0, 1.0)] * 3, (0.0, 1.0)), strict=True))

    def swings(self) -> dict[int, Swing]:
        """Wings and their tips."""
        p, first = self.mechanism, self.output
        wing = Swing(-2.0 * math.pi * p.frequency * p.amplitude, p.glide)
        return dict(enumerate((wing, wing, Swing(0.0, -p.twist_swing), Swing(0.0, -p.twist_swing)), first))

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Of the mechanism, and the channel of each stick and of each angle."""
        if set(self._inputs()) & set(self._outputs()):
            raise ValueError(f"inputs from channel {self.channel} and outputs from channel {self.output} overlap")
        row: dict[str, Any] = self.mechanism._asdict()
        row |= dict(zip(Sticks._fields, map(places.channel, self._inputs()), strict=True))
        return row | dict(zip(Drive._fields, map(places.channel, self._outputs()), strict=True))

    def _inputs(self) -> range:
        return range(self.channel, self.channel + INPUTS)

    def _outputs(self) -> range:
        return range(self.output, self.output + OUTPUTS)

    @staticmethod
    def actuate(p: Number, state: CrankState, drive: Number, dt: Number) -> FlapMove:
        """Write the angles of the present phase into their channels; the crank turns on for a tick."""
        sticks = Sticks(drive[p.roll], drive[p.pitch], drive[p.yaw], drive[p.throttle])
        ok = put_angles(p, state.phase, sticks, drive)
        return FlapMove(CrankState(state.phase + beat(sticks, p) * dt), ok)

    @staticmethod
    def settle(p: Number, state: CrankState, drive: Number) -> FlapHeld:
        """The angles of the present phase: servos behind it come to rest there."""
        sticks = Sticks(drive[p.roll], drive[p.pitch], drive[p.yaw], drive[p.throttle])
        return FlapHeld(put_angles(p, state.phase, sticks, drive))


def put_angles(p: Number, phase: Number, sticks: Sticks, drive: Number) -> bool:
    """Write the angles of a phase into their channels; False: not numbers."""
    out = flap(phase, sticks, p)
    drive[p.wing_left], drive[p.wing_right] = out.wing_left, out.wing_right
    drive[p.twist_left], drive[p.twist_right] = out.twist_left, out.twist_right
    drive[p.tail_left], drive[p.tail_right] = out.tail_left, out.tail_right
    total = out.wing_left + out.wing_right + out.twist_left + out.twist_right + out.tail_left + out.tail_right
    return bool(abs(total) < 1e300)
