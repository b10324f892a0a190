"""An actuator on a command channel: parts that read the channel see the servo's output instead of the command."""

from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.part import Actuator, Places, Row, row_type
from cupola.physics.servo import ServoState, first_order, limit_rate, second_order
from cupola.xmath import Number, clip, where


class ServoNumbers(NamedTuple):
    """One servo, first order (`time_constant`) or second order (`natural_frequency` > 0)."""

    time_constant: float = 0.0
    """[s]; 0 follows at once."""
    natural_frequency: float = 0.0
    """[rad/s]; 0 means first order."""
    damping: float = 1.0
    rate_max: float = 1e9
    """[channel units / s]."""
    low: float = -1.0
    high: float = 1.0


class Servo(Actuator):
    """Lag, rate limit and end stops between a command and what it drives."""

    kind: Literal["servo"]
    time_constant: float = Field(0.0, ge=0, description="[s] first-order lag")
    natural_frequency: float = Field(0.0, ge=0, description="[rad/s] second-order lag instead, when > 0")
    damping: float = Field(1.0, gt=0)
    rate_max: float = Field(1e9, gt=0, description="[1/s]")
    low: float = -1.0
    high: float = 1.0
    actuator: str | None = Field(None, description="MuJoCo actuator of the model that gets the output as its control")

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        row = np.zeros((), SERVO)
        for name in ServoNumbers._fields:
            row[name] = getattr(self, name)
        row["channel"] = places.channel(self.channel)
        row["state"] = places.state(0.0, 0.0)
        row["control"] = -1 if self.actuator is None else places.actuator(self.actuator)
        return row


SERVO = row_type(ServoNumbers, channel="i8", state="i8", control="i8", dead="i8")
"""Row of a servo; a `dead` one hears nothing and goes to its middle."""


def servo_step(row: Number, position: Number, rate: Number, command: Number, dt: Number) -> ServoState:
    """Position and rate of the output after one tick with a held command."""
    target = clip(where(row.dead > 0, 0.0, command), row.low, row.high)
    free = ServoState(first_order(position, target, row.time_constant, dt), 0.0)
    if row.natural_frequency > 0.0:
        free = second_order(position, rate, target, row.natural_frequency, row.damping, dt)
    limited = clip(limit_rate(position, free.position, row.rate_max, dt), row.low, row.high)
    return ServoState(limited, where(limited == free.position, free.rate, (limited - position) / dt))
