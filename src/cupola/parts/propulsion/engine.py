"""An engine with a governor, which turns the rotors that name it through their gears."""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.parts.binding import Row
from cupola.parts.part import Part
from cupola.physics.helicopter import DriveShaft, ShaftTorque, governed_step
from cupola.xmath import Number


class EngineNumbers(NamedTuple):
    """One engine."""

    speed: float
    power: float
    inertia: float
    kp: float
    ki: float


class EngineState(NamedTuple):
    """Its shaft, and the integral of its governor [rad]."""

    speed: Number = 0.0
    rate: Number = 0.0
    total: Number = 0.0


class EngineOutput(NamedTuple):
    """Its outputs."""

    speed: Number
    """[rad/s]"""
    throttle: Number
    """[1]"""
    power: Number
    """[W] that it gives."""
    torque: Number
    """[N m] torque of the rotors."""


class EngineMove(NamedTuple):
    """Answer of `actuate`."""

    state: EngineState
    output: EngineOutput


class Engine(Part):
    """Holds the speed of a shaft as well as its power allows, behind a freewheel. It starts at that speed."""

    kind: Literal["engine"]
    speed: float = Field(gt=0, description="[rad/s] that the governor holds")
    power: float = Field(gt=0, description="[W] at full throttle")
    inertia: float = Field(gt=0, description="[kg m²] of all that turns, about this shaft")
    kp: float = Field(ge=0, description="[s/rad] throttle per speed error")
    ki: float = Field(ge=0, description="[1/rad] throttle per integral of it")
    throttle: float = Field(0.0, ge=0, le=1, description="at the start, where it has its speed")

    Numbers = (EngineNumbers,)
    State = EngineState
    Output = EngineOutput
    gives = DriveShaft
    collects: ClassVar[dict[str, Any]] = {"resisting": ShaftTorque}
    order = 128
    failures = ("off",)

    def initial_state(self) -> EngineState:
        """At its speed."""
        return EngineState(self.speed, 0.0, self.throttle / self.ki if self.ki > 0.0 else 0.0)

    def fail(self, row: Row, failure: str) -> None:
        """Without fuel it gives no power."""
        row["power"] = 0.0

    @staticmethod
    def publish(state: EngineState) -> DriveShaft:
        """How its shaft turns."""
        return DriveShaft(state.speed, state.rate)

    @staticmethod
    def actuate(p: Number, state: EngineState, resisting: ShaftTorque, dt: Number) -> EngineMove:
        """Advance the shaft under the torque of the rotors."""
        now = governed_step(
            state.speed, state.total, resisting.torque, p.speed, p.power, p.inertia, p.kp, p.ki, dt
        )  # fmt: skip
        after = EngineState(now.speed, (now.speed - state.speed) / dt, now.total)
        return EngineMove(after, EngineOutput(now.speed, now.throttle, now.throttle * p.power, resisting.torque))

    @staticmethod
    def settled(p: Number, state: EngineState, resisting: ShaftTorque) -> EngineState:
        """At its speed, with the throttle that this takes."""
        total = resisting.torque * p.speed / (p.power * p.ki) if p.power * p.ki > 0.0 else state.total
        return EngineState(p.speed, 0.0, total)
