"""Signals of a fused batch: which of a world's have a row in the state of the flight, and how they are read."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cupola.kernel.records import leaves
from cupola.kernel.rows import OBSERVATION
from cupola.parts.shown import Signal
from cupola.physics.rotation import Quaternion, Vector, euler_from_quaternion, length, unrotate
from cupola.sim.signals import COMPUTED, DERIVED, SENSED, sensors_with_signals

if TYPE_CHECKING:
    from cupola.many.fused import FusedBatch

OBSERVED = {"x": "pos.x", "y": "pos.y", "z": "pos.z", "vx": "vel.x", "vy": "vel.y", "vz": "vel.z"}
OBSERVED |= {"p": "rate.x", "q": "rate.y", "r": "rate.z"}
IN_BODY = {"u": 0, "v": 1, "w": 2}
ARRAYS = {"sticks": "sticks", "command": "held", "drive": "drive"}


def readable(batch: "FusedBatch", signal: Signal) -> bool:
    """Whether a flight keeps what a signal shows."""
    if signal.array == DERIVED:
        return list(COMPUTED)[signal.place] != "airspeed"
    if signal.array == "observations":
        name = (OBSERVATION.names or ())[signal.place]
        return name in OBSERVED or name in IN_BODY
    return row_of(batch, signal) in batch.rows


def row_of(batch: "FusedBatch", signal: Signal) -> str:
    """Name of the row of a signal that is a number of an array; empty for one that has none."""
    world = batch.world
    if signal.array in ARRAYS:
        return f"{ARRAYS[signal.array]}.{signal.place}"
    if signal.array == "state":
        for k, bound in enumerate(world.assembly.parts):
            names, first = leaves(bound.group.kind.State), int(bound.row["state"])
            if names and 0 <= signal.place - first < len(names):
                return f"state_{k}.{names[signal.place - first]}"
    if signal.array == SENSED:
        parts = {id(bound.part): k for k, bound in enumerate(world.assembly.parts)}
        for sensed in sensors_with_signals(world):
            for column, one in zip(sensed.columns, sensed.signals, strict=True):
                if one.name == signal.name:
                    return f"sample_{parts[id(sensed.samples.part)]}.{column}"
    return ""


def read_signal(batch: "FusedBatch", signal: Signal, row: Callable[[str], Any]) -> Any:
    """Its value in every world; `row` gives a row of the state by its name, as an array of any library."""
    if signal.array == "observations":
        name = (OBSERVATION.names or ())[signal.place]
        return row(OBSERVED[name]) if name in OBSERVED else _in_body(row)[IN_BODY[name]]
    if signal.array == DERIVED:
        what = list(COMPUTED)[signal.place]
        if what == "speed":
            return length(_velocity(row))
        angles = euler_from_quaternion(_attitude(row))
        return angles[("attitude.roll", "attitude.pitch", "attitude.yaw").index(what)]
    return row(row_of(batch, signal))


def _attitude(row: Callable[[str], Any]) -> Quaternion:
    return Quaternion(*(row(f"quat.{a}") for a in "wxyz"))


def _velocity(row: Callable[[str], Any]) -> Vector:
    return Vector(*(row(f"vel.{a}") for a in "xyz"))


def _in_body(row: Callable[[str], Any]) -> Vector:
    return unrotate(_attitude(row), _velocity(row))
