"""What a station may ask of a vehicle, and the answer: MAVLink's command protocol, onto the world's own methods."""

import math
from collections.abc import Callable
from typing import Any

from cupola.bridge.mavlink.items import (
    LAND,
    RELATIVE,
    RETURN,
    SINK,
    TAKEOFF,
    UNSET,
    Item,
    RefusedError,
    item_of,
    place_of,
    whole,
)
from cupola.bridge.mavlink.missions import Missions, usual_speed
from cupola.bridge.mavlink.place import DEGREES, yaw_of
from cupola.kernel.observation import Waypoint
from cupola.physics.rotation import Vector, euler_from_quaternion
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

ACCEPTED, DENIED, UNSUPPORTED, FAILED = 0, 2, 3, 4
SET_MODE, REPOSITION, SET_CURRENT, START, ARM, FAILURE = 176, 192, 224, 300, 400, 420
CUSTOM = 1
"""MAV_MODE_FLAG_CUSTOM_MODE_ENABLED: the number of the mode is given."""
UNITS = {0: ("imu",), 1: ("imu",), 2: ("magnetometer",), 3: ("barometer",), 4: ("gnss",), 7: ("rangefinder",)}
"""Kinds of parts by FAILURE_UNIT_SENSOR_…"""
MOTOR = 101
"""FAILURE_UNIT_SYSTEM_MOTOR."""
FAULTS = {1: ("off", "loss"), 2: ("stuck",)}
"""Faults of ours, the first that a part knows, by FAILURE_TYPE_…; 0 mends."""


def asked(message: Any) -> Item:
    """From a COMMAND_INT, or a COMMAND_LONG, which counts degrees, and heights above home."""
    if message.get_type() == "COMMAND_INT":
        return item_of(message)
    params = message.param1, message.param2, message.param3, message.param4
    x, y = whole(message.param5, DEGREES), whole(message.param6, DEGREES)
    return Item(RELATIVE, message.command, *params, x, y, message.param7)


def obey(world: World, vehicle: str, missions: Missions, what: Item) -> tuple[int, str]:
    """Do it; returns MAV_RESULT and, if it was not done, why."""
    act: Callable[[World, str, Missions, Item], None] | None = ACTS.get(what.command)
    if act is None:
        return UNSUPPORTED, f"command {what.command} is not known; known: {', '.join(map(str, ACTS))}"
    try:
        act(world, vehicle, missions, what)
    except (InputError, RefusedError) as error:
        return DENIED, str(error)
    return ACCEPTED, ""


def _arm(world: World, vehicle: str, missions: Missions, what: Item) -> None:
    if what.param1 not in (0.0, 1.0):
        raise InputError(f"arm: expected 1, or 0 to disarm, got {what.param1:g}")
    world.stop_motors(what.param1 == 0.0, vehicle)


def set_mode(world: World, vehicle: str, flags: float, number: float) -> None:
    """The mode of a number, as heartbeats count them."""
    modes = world.modes(vehicle)
    listed = ", ".join(f"{k}: {mode}" for k, mode in enumerate(modes))
    if not (0 <= flags < 256 and int(flags) & CUSTOM):
        raise InputError(f"mode flags {flags:g} name no mode of this vehicle: set {CUSTOM}, and one of {listed}")
    if not 0 <= number < len(modes) or number != int(number):
        raise InputError(f"there is no mode {number:g}; there are: {listed}")
    world.take_over(modes[int(number)], vehicle)


def _set_mode(world: World, vehicle: str, missions: Missions, what: Item) -> None:
    set_mode(world, vehicle, what.param1, what.param2)


def _start(world: World, vehicle: str, missions: Missions, what: Item) -> None:
    """The mission from its first item, or from the one that is named."""
    missions.fly_from(_number(what.param1, "first item"))
    _into_mission(world, vehicle)


def _set_current(world: World, vehicle: str, missions: Missions, what: Item) -> None:
    missions.fly_from(missions.current() if what.param1 == -1.0 else _number(what.param1, "item"))


def _take_off(world: World, vehicle: str, missions: Missions, what: Item) -> None:
    """To a height, and stay; straight up where no place is given."""
    there = _place(world, vehicle, missions, what)
    if not there.z > missions.home.pos_w.z:
        raise InputError(f"take-off: to which height? It was {what.z:g} m")
    _fly_to(world, vehicle, [_row(world, vehicle, there)])


def _land(world: World, vehicle: str, missions: Missions, what: Item) -> None:
    """Here, or at a place, to which it flies at its height."""
    high = _place(world, vehicle, missions, what._replace(z=0.0))._replace(z=world.motion(vehicle).pos_w.z)
    _fly_to(world, vehicle, [_row(world, vehicle, high), _row(world, vehicle, high, land=True)])


def _return(world: World, vehicle: str, missions: Missions, what: Item) -> None:
    """Home at the present height, and down there."""
    high = missions.home.pos_w._replace(z=world.motion(vehicle).pos_w.z)
    _fly_to(world, vehicle, [_row(world, vehicle, high), _row(world, vehicle, high, land=True)])


def _reposition(world: World, vehicle: str, missions: Missions, what: Item) -> None:
    """Go to a place; where it, or its height, is no number, that stays."""
    here = world.motion(vehicle).pos_w
    there = _place(world, vehicle, missions, what._replace(z=0.0) if math.isnan(what.z) else what)
    row = _row(world, vehicle, there._replace(z=here.z) if math.isnan(what.z) else there)
    if math.isfinite(what.param4):
        row = row._replace(yaw=yaw_of(math.degrees(what.param4)))
    if what.param1 > 0.0:
        row = row._replace(speed=what.param1)
    _fly_to(world, vehicle, [row])


def _fail(world: World, vehicle: str, missions: Missions, what: Item) -> None:
    """Break a motor or a sensor, all of a kind or one by its number, or mend it."""
    unit, kind = _number(what.param1, "failure unit"), _number(what.param2, "failure type")
    number = _number(what.param3, "number")
    wanted = ("rotor",) if unit == MOTOR else UNITS.get(unit, ())
    parts = [b for b in world.assembly.parts if b.vehicle == vehicle and b.part.kind in wanted]
    chosen = parts if number == 0 else parts[number - 1 : number]
    if not chosen:
        there = ", ".join(b.name for b in parts) or "none"
        raise InputError(f"failure unit {unit}, number {number}: {vehicle} has {there}")
    for bound in chosen:
        known = [kind_ for kind_ in FAULTS.get(kind, ()) if kind_ in bound.part.failures]
        if kind == 0:
            for one in bound.part.failures:
                world.fail(bound.full_name, one, 0.0)
        elif known:
            world.fail(bound.full_name, known[0])
        else:
            raise InputError(f"failure type {kind}: {bound.full_name} knows {', '.join(bound.part.failures)}")


def _number(value: float, what: str) -> int:
    """A whole number, that a parameter is."""
    if not 0.0 <= value < UNSET or value != int(value):
        raise InputError(f"{what}: expected 0, 1, 2, ..., got {value:g}")
    return int(value)


def _place(world: World, vehicle: str, missions: Missions, what: Item) -> Vector:
    return place_of(what, missions.origin, missions.home, world.motion(vehicle).pos_w)


def _into_mission(world: World, vehicle: str) -> None:
    if world.mode(vehicle) != "mission":
        world.take_over("mission", vehicle)


def _fly_to(world: World, vehicle: str, rows: list[Waypoint]) -> None:
    world.plan(rows, vehicle)
    _into_mission(world, vehicle)


def _row(world: World, vehicle: str, place: Vector, land: bool = False) -> Waypoint:
    speed = usual_speed(world, vehicle)
    yaw = euler_from_quaternion(world.motion(vehicle).quat_wb).yaw
    return Waypoint(*place, yaw, min(speed, SINK) if land else speed, 0.0, float(land))


ACTS: dict[int, Callable[[World, str, Missions, Item], None]] = {
    ARM: _arm,
    SET_MODE: _set_mode,
    START: _start,
    TAKEOFF: _take_off,
    LAND: _land,
    RETURN: _return,
    REPOSITION: _reposition,
    SET_CURRENT: _set_current,
    FAILURE: _fail,
}
"""By the number of the command."""
