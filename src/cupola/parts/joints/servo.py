"""An actuator on a command channel: parts that read the channel see the servo's output instead of the command."""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field, model_validator

from cupola.parts.binding import BindContext, Row
from cupola.parts.families import Actuator
from cupola.physics.servo import ServoState, first_order, limit_rate, second_order
from cupola.xmath import Number, clip, where

LONG = 1e6
"""[s] after which every servo has arrived."""


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
    middle: float = 0.0
    """[1] what a channel at 0 means."""


class ServoOutput(NamedTuple):
    """Where a servo is."""

    position: Number
    """[1] of its channel."""
    rate: Number
    """[1/s]"""


class ServoMove(NamedTuple):
    """Answer of `actuate`."""

    state: ServoState
    output: ServoOutput
    channel: Number
    control: Number


class Servo(Actuator):
    """Servo with lag, rate limit and end stops between a command and what it drives."""

    kind: Literal["servo"]
    time_constant: float = Field(0.0, ge=0, description="[s] first-order lag")
    natural_frequency: float = Field(0.0, ge=0, description="[rad/s] second-order lag instead, when > 0")
    damping: float = Field(1.0, gt=0)
    rate_max: float = Field(1e9, gt=0, description="[1/s]")
    low: float = -1.0
    high: float = 1.0
    middle: float = Field(0.0, description="where it begins, and stands while its channel is 0; the channel is added")
    actuator: str | None = Field(None, description="MuJoCo actuator of the model that gets the output as its control")

    @model_validator(mode="after")
    def _check_middle(self) -> "Servo":
        if self.middle and not self.low <= self.middle <= self.high:
            raise ValueError(f"middle: {self.middle:g} is beyond its end stops, {self.low:g} and {self.high:g}")
        return self

    Numbers = (ServoNumbers,)
    Index: ClassVar[dict[str, str]] = dict.fromkeys(("channel", "control", "dead"), "i8")
    State = ServoState
    Output = ServoOutput
    order = 30
    failures = ("off", "stuck")

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Its lag and limits, and what it moves."""
        control = -1 if self.actuator is None else places.actuator(self.actuator)
        return {**super().numbers(places), "control": control}

    def channel_limits(self) -> dict[int, tuple[float, float]]:
        """Its end stops, as the channel reaches them."""
        return {self.channel: (self.low - self.middle, self.high - self.middle)}

    def initial_state(self) -> ServoState:
        """At its middle."""
        return ServoState(self.middle, 0.0)

    def moved_actuator(self) -> str | None:
        """The one it is given."""
        return self.actuator

    def fail(self, row: Row, failure: str) -> None:
        """off: it hears nothing and goes to its middle; stuck: it stays."""
        if failure == "off":
            row["dead"] = 1
        else:
            row["rate_max"] = 0.0

    @staticmethod
    def actuate(p: Number, state: ServoState, command: Number, dt: Number) -> ServoMove:
        """Position and rate of the output after one tick with a held command."""
        new = servo_step(p, state.position, state.rate, command, dt)
        return ServoMove(new, ServoOutput(new.position, new.rate), new.position, new.position)

    @staticmethod
    def settle(p: Number, state: ServoState, command: Number) -> ServoState:
        """Where it has arrived after a long time."""
        return ServoState(servo_step(p, state.position, 0.0, command, LONG).position, 0.0)


def servo_step(row: Number, position: Number, rate: Number, command: Number, dt: Number) -> ServoState:
    """Position and rate of the output after one tick with a held command."""
    target = clip(row.middle + where(row.dead > 0, 0.0, command), row.low, row.high)
    free = ServoState(first_order(position, target, row.time_constant, dt), 0.0)
    if row.natural_frequency > 0.0:
        free = second_order(position, rate, target, row.natural_frequency, row.damping, dt)
    limited = clip(limit_rate(position, free.position, row.rate_max, dt), row.low, row.high)
    return ServoState(limited, where(limited == free.position, free.rate, (limited - position) / dt))
