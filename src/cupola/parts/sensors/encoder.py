"""Encoders on hinges: angle and speed of each, ideal unless told otherwise."""

import math
from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.joints.joint_motor import JointMotor
from cupola.parts.part import Places, Row, row_type
from cupola.parts.sensors.sensor import Chance, Message, Sensor, draw
from cupola.xmath import Number, floor

CORNERS = ("fr", "fl", "rl", "rr")
"""How names of a base's four wheels end."""


class EncoderNumbers(NamedTuple):
    """Errors of all hinges."""

    step: float
    """[rad] between two marks; 0: none."""
    angle_noise: float
    speed_noise: float
    incremental: float
    """1: counts from where it was switched on."""


class EncoderReading(NamedTuple):
    """One sample, in the order of the joints."""

    angles: tuple[float, ...]
    """[rad]."""
    speeds: tuple[float, ...]
    """[rad/s]."""


class Encoder(Sensor):
    """Angle and speed of some hinges. With `marks`, angles are steps, and speeds are differences of them."""

    kind: Literal["encoder"]
    site: str = "base"
    joints: list[str] = Field(min_length=1, description="hinges of the model")
    marks: int = Field(0, ge=0, description="per turn of the hinge; 0: ideal")
    incremental: bool = Field(False, description="angles count from where the hinges were at the start")
    reversed: list[str] = Field([], description="hinges whose encoders count backward")
    coupled: dict[str, str] = Field(
        {}, description="hinge whose encoder turns with another hinge too: it says the sum of both"
    )
    angle_noise: float = Field(0.0, ge=0, description="[rad] standard deviation of a sample")
    speed_noise: float = Field(0.0, ge=0, description="[rad/s] standard deviation of a sample")

    Numbers = EncoderNumbers
    chance = ("angle_noise", "speed_noise")
    _places: tuple[tuple[int, ...], ...] = ()

    def bind(self, places: Places) -> Row:
        """As any sensor; its hinges, those that turn with them, signs, and gears with play follow its numbers."""
        for name in (*self.reversed, *self.coupled):
            if name not in self.joints:
                raise ValueError(f"{name!r} is none of its joints: {', '.join(self.joints)}")
        self._places = tuple(
            (
                places.joint(name),
                places.joint(self.coupled[name]) if name in self.coupled else -1,
                -1 if name in self.reversed else 1,
                _ahead_at(places, name) if self.marks else -1,
            )
            for name in self.joints
        )
        return super().bind(places)

    def width(self) -> int:
        """Angles, then speeds."""
        return 2 * len(self.joints)

    def numbers(self) -> list[float]:
        """Errors, then the hinges."""
        step = 2.0 * math.pi / self.marks if self.marks else 0.0
        places = [float(place) for one in self._places for place in one]
        return [step, self.angle_noise, self.speed_noise, float(self.incremental), *places]

    def memory_at_start(self) -> tuple[float, ...]:
        """The last angles, those at the start, and whether these are known."""
        return (0.0,) * (2 * len(self.joints) + 1)

    def reading(self, s: list[float]) -> EncoderReading:
        """Angles and speeds."""
        n = len(self.joints)
        return EncoderReading(tuple(s[:n]), tuple(s[n:]))

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A JointState; of the four wheels of a base also the thesis's message, wheel by wheel."""
        n = len(self.joints)
        fields = {f"position.{k}": k for k in range(n)} | {f"velocity.{k}": n + k for k in range(n)}
        joints = Message("sensor_msgs/msg/JointState", fields, {"header.frame_id": frame, "name": self.joints})
        corners = [name.rpartition("_")[2] for name in self.joints]
        if sorted(corners) != sorted(CORNERS):
            return (joints,)
        wheels = {f"angle.{wheel}": k for k, wheel in enumerate(corners)}
        wheels |= {f"velocity.{wheel}": n + k for k, wheel in enumerate(corners)}
        return (joints, Message("cupola_msgs/msg/Encoders", wheels, {"header.frame_id": frame}, "wheels"))


ENCODER_NUMBERS = row_type(EncoderNumbers)


def _ahead_at(places: Places, joint: str) -> int:
    """Where the state has how far the motor of a joint turns ahead of it; a real encoder sits on the motor."""
    found = [one for one in places.parts.values() if isinstance(one, JointMotor) and one.joint == joint]
    return found[0].ahead_at() if found else -1


class Turned(NamedTuple):
    """What one encoder says: [rad], [rad/s]."""

    angle: Number
    speed: Number


def measure_turn(
    p: EncoderNumbers, angle: Number, speed: Number, before: Number, lane: Number, chance: Chance
) -> Turned:
    """Angle and speed of one hinge with its errors; `before` is what was said of the angle last time."""
    noise = draw(chance, lane)
    said = angle + p.angle_noise * noise.a
    if p.step > 0.0:
        said = p.step * floor(said / p.step)
        first = chance.index == 0
        return Turned(said, (0.0 if first else (said - before) / chance.interval) + p.speed_noise * noise.b)
    return Turned(said, speed + p.speed_noise * noise.b)
