"""Which airframe of an autopilot a vehicle is, found by where its rotors are and how they turn.

The orders and signs are data: `airframes.yaml`. What is matched here is the geometry of the compiled model, so that a
vehicle file says nothing about autopilots, and motors that are numbered otherwise are still the right ones.
"""

import math
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import Field, field_validator

from cupola.config.robot import Robot
from cupola.parts.described import RotorPlace
from cupola.schema.yaml_files import Entry, read

FILE = Path(__file__).with_name("airframes.yaml")
ROTOR = re.compile(r"(-?\d+) (c?cw)")
SURFACES = {"roll": 0, "pitch": 1, "yaw": 2}
"""Channels of a plane, from its first."""
THROTTLE = 3
NEAR = 25.0
"""[degrees] between the bearing of a rotor and that of the airframe; the rotors of a hexacopter are 60 apart."""
UPRIGHT = 0.7
"""Cosine of a shaft to the vertical beyond which a rotor lifts, and to the nose beyond which it pushes."""


class Airframe(Entry):
    """One type of airframe of one autopilot."""

    program: str = Field("", description="of the autopilot that flies it")
    tell: str = Field(description="what the autopilot must be told")
    outputs: tuple[str, ...] = Field(description="what each output moves")

    @field_validator("outputs")
    @classmethod
    def _check(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for text in given:
            if not ROTOR.fullmatch(text) and text.lstrip("-") not in (*SURFACES, "throttle", "none"):
                known = "'BEARING cw', 'BEARING ccw', roll, pitch, yaw, throttle or none"
                raise ValueError(f"an output is {known}; got {text!r}")
        return given


class Dialect(Entry):
    """What is known of one autopilot."""

    rate_hz: float = Field(gt=0, description="exchanges per second; the nearest that divides the physics is taken")
    port: int = Field(ge=0, le=65535)
    next_port: int = Field(0, description="added for each further vehicle")
    speed: float | Literal["max"] = Field(description="times real time: max where the autopilot takes our clock")
    low: float
    middle: float
    high: float
    start: str = Field(description="what to type on the other side")
    sensors: dict[str, dict[str, float]] = Field(
        default_factory=dict, description="kinds of sensors that it cannot do without; added where there are none"
    )
    airframes: dict[str, Airframe]


class Dialects(Entry):
    """The data file."""

    ardupilot: Dialect
    betaflight: Dialect
    px4: Dialect
    xplane: Dialect


class Moved(NamedTuple):
    """What an output moves: a channel of the vehicle."""

    output: int
    channel: int
    centre: bool
    """Whether it rests in the middle: a surface."""
    sign: float


class Match(NamedTuple):
    """The airframe that a vehicle is."""

    name: str
    airframe: Airframe
    moved: tuple[Moved, ...]


@cache
def dialect(autopilot: str) -> Dialect:
    """What is known of an autopilot, from the data file."""
    found: Dialect = getattr(read(FILE, Dialects), autopilot)
    return found


def match(robot: Robot, airframes: dict[str, Airframe]) -> Match:
    """The airframe whose outputs all find something on the robot, and that leaves no rotor over."""
    lifting = [r for r in robot.rotors.values() if r.axis.z > UPRIGHT]
    pushing = [r for r in robot.rotors.values() if r.axis.x > UPRIGHT]
    for name, airframe in airframes.items():
        moved = _moved(airframe.outputs, lifting, pushing)
        if moved is not None:
            return Match(name, airframe, moved)
    there = ", ".join(f"{_bearing(r):.0f} {_spin(r)}" for r in lifting) or "none"
    known = "; ".join(f"{name}: {', '.join(frame.outputs)}" for name, frame in airframes.items())
    raise ValueError(
        f"{robot.name} is no airframe of this autopilot. Its lifting rotors (bearing in degrees, clockwise from the "
        f"nose, and turn): {there}; those that push forward: {len(pushing)}. Known: {known}"
    )


def _moved(outputs: Sequence[str], lifting: list[RotorPlace], pushing: list[RotorPlace]) -> tuple[Moved, ...] | None:
    left, found = list(lifting), []
    throttles = {rotor.channel for rotor in pushing}
    is_plane = "throttle" in outputs
    if bool(throttles) != is_plane:
        return None
    first = min(throttles) - THROTTLE if throttles else 0
    if first < 0:
        return None
    for k, text in enumerate(outputs):
        sign = -1.0 if text.startswith("-") and not ROTOR.fullmatch(text) else 1.0
        if rotor := ROTOR.fullmatch(text):
            fitting = [r for r in left if _fits(r, float(rotor[1]), rotor[2])]
            if len(fitting) != 1:
                return None
            left.remove(fitting[0])
            found.append(Moved(k, fitting[0].channel, False, 1.0))
        elif text == "throttle":
            found += [Moved(k, channel, False, 1.0) for channel in sorted(throttles)]
        elif text != "none":
            found.append(Moved(k, first + SURFACES[text.lstrip("-")], True, sign))
    return None if left else tuple(found)


def _bearing(rotor: RotorPlace) -> float:
    """[degrees] clockwise from the nose."""
    return math.degrees(math.atan2(-rotor.place.y, rotor.place.x))


def _spin(rotor: RotorPlace) -> str:
    return "ccw" if rotor.direction > 0 else "cw"


def _fits(rotor: RotorPlace, bearing: float, spin: str) -> bool:
    away = abs((_bearing(rotor) - bearing + 180.0) % 360.0 - 180.0)
    return away <= NEAR and _spin(rotor) == spin
