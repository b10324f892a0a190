"""The mechanism of a robotic bird between the sticks of a plane and its wings, twists and tail flaps."""

from typing import Literal

import numpy as np
from pydantic import Field

from cupola.parts.part import Part, Places, Row, row_type
from cupola.physics.flapping import Drive, Flapping, Sticks, beat, flap
from cupola.xmath import Number

INPUTS, OUTPUTS = len(Sticks._fields), len(Drive._fields)


class FlappingMechanism(Part):
    """Roll, pitch, yaw and throttle in; angles of the wings, of their tips and of the tail flaps out [rad]."""

    kind: Literal["flapping"]
    mechanism: Flapping = Flapping()
    channel: int = Field(0, ge=0, description="the first of its four inputs")
    output: int = Field(
        4, ge=0, description="the first of its six outputs: wings, twists, tail flaps, each left, right"
    )

    def used_channels(self) -> tuple[int, ...]:
        """Inputs and outputs."""
        return (*range(self.channel, self.channel + INPUTS), *range(self.output, self.output + OUTPUTS))

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        if set(range(self.channel, self.channel + INPUTS)) & set(range(self.output, self.output + OUTPUTS)):
            raise ValueError(f"inputs from channel {self.channel} and outputs from channel {self.output} overlap")
        row = np.zeros((), FLAPPING)
        for name, value in self.mechanism._asdict().items():
            row[name] = value
        row["channel"], row["output"] = places.channel(self.channel), places.channel(self.output)
        row["state"] = places.state(0.0)
        return row


FLAPPING = row_type(Flapping, channel="i8", output="i8", state="i8")


def flap_step(row: Number, phase: Number, drive: Number, dt: Number) -> Number:
    """Write the outputs for the present phase [rad]; returns the phase after a tick."""
    c, o = drive[row.channel :], drive[row.output :]
    sticks = Sticks(c[0], c[1], c[2], c[3])
    out = flap(phase, sticks, row)
    o[0], o[1], o[2] = out.wing_left, out.wing_right, out.twist_left
    o[3], o[4], o[5] = out.twist_right, out.tail_left, out.tail_right
    return phase + beat(sticks, row) * dt
