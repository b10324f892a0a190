"""What a station may ask of a vehicle, and the answer: MAVLink's command protocol, onto the world's own methods."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from cupola.bridge.mavlink.items import LAND, RETURN, SINK, TAKEOFF
from cupola.bridge.mavlink.place import DEGREES, Origin, yaw_of
from cupola.kernel.observation import Waypoint
from cupola.physics.rotation import Vector, euler_from_quaternion
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

ACCEPTED, DENIED, UNSUPPORTED, FAILED = 0, 2, 3, 4
SET_MODE, REPOSITION, START, ARM, FAILURE = 176, 192, 300, 400, 420
FORCE = 21196
"""With which a station insists; nothing here needs it."""
UNITS = {0: ("imu",), 1: ("imu",), 2: ("magnetometer",), 3: ("barometer",), 4: ("gnss",), 7: ("rangefinder",)}
"""Kinds of parts by FAILURE_UNIT_SENSOR_…"""
MOTOR = 101
"""FAILURE_UNIT_SYSTEM_MOTOR."""
FAULTS = {1: ("off", "loss"), 2: ("stuck",)}
"""Faults of ours, the first that a part knows, by FAILURE_TYPE_…; 0 mends."""


class Asked(NamedTuple):
    """A COMMAND_LONG or COMMAND_INT; x and y are degrees."""

    command: int
    params: tuple[float, float, float, float]
    x: float
    y: float
    z: float


def asked(message: Any) -> Asked:
    """From either message."""
    params = message.param1, message.param2, message.param3, message.param4
    if message.get_type() == "COMMAND_INT":
        return Asked(message.command, params, message.x / DEGREES, message.y / DEGREES, message.z)
    return Asked(message.command, params, message.param5, message.param6, message.param7)


def obey(world: World, vehicle: str, start: Vector, what: Asked) -> tuple[int, str]:
    """Do it; returns MAV_RESULT and, if it was not done, why."""
    act: Callable[[World, str, Vector, Asked], None] | None = ACTS.get(what.command)
    if act is None:
        return UNSUPPORTED, f"command {what.command} is not known; known: {', '.join(map(str, ACTS))}"
    try:
        act(world, vehicle, start, what)
    except InputError as error:
        return DENIED, str(error)
    return ACCEPTED, ""


def _arm(world: World, vehicle: str, start: Vector, what: Asked) -> None:
    world.stop_motors(what.params[0] < 0.5, vehicle)


def set_mode(world: World, vehicle: str, number: float) -> None:
    """The mode of a number, as heartbeats count them."""
    modes = world.modes(vehicle)
    if not 0 <= number < len(modes) or number != int(number):
        listed = ", ".join(f"{k}: {mode}" for k, mode in enumerate(modes))
        raise InputError(f"there is no mode {number:g}; there are: {listed}")
    world.take_over(modes[int(number)], vehicle)


def _set_mode(world: World, vehicle: str, start: Vector, what: Asked) -> None:
    set_mode(world, vehicle, what.params[1])


def _start(world: World, vehicle: str, start: Vector, what: Asked) -> None:
    """The mission from its first item, or from the one that is named."""
    _into_mission(world, vehicle)
    world.plan(_plan(world, vehicle), vehicle)


def _take_off(world: World, vehicle: str, start: Vector, what: Asked) -> None:
    """Straight up to a height above home, and stay."""
    if not what.z > 0.0:
        raise InputError(f"take-off: to which height? It was {what.z:g} m")
    here = world.motion(vehicle).pos_w
    _fly_to(world, vehicle, [_row(world, vehicle, Vector(here.x, here.y, start.z + what.z))])


def _land(world: World, vehicle: str, start: Vector, what: Asked) -> None:
    """Here."""
    here = world.motion(vehicle).pos_w
    _fly_to(world, vehicle, [_row(world, vehicle, here, land=True)])


def _return(world: World, vehicle: str, start: Vector, what: Asked) -> None:
    """Home at the present height, and down there."""
    high = Vector(start.x, start.y, world.motion(vehicle).pos_w.z)
    _fly_to(world, vehicle, [_row(world, vehicle, high), _row(world, vehicle, high, land=True)])


def _reposition(world: World, vehicle: str, start: Vector, what: Asked) -> None:
    """Go to a place; its height is above home, or above the sea where the frame says so."""
    origin = Origin.of(world)
    there = origin.world(what.x, what.y, origin.geodetic(start).altitude + what.z)
    row = _row(world, vehicle, there)
    if math.isfinite(what.params[3]):
        row = row._replace(yaw=yaw_of(math.degrees(what.params[3])))
    if what.params[0] > 0.0:
        row = row._replace(speed=what.params[0])
    _fly_to(world, vehicle, [row])


def _fail(world: World, vehicle: str, start: Vector, what: Asked) -> None:
    """Break a motor or a sensor, all of a kind or one by its number, or mend it."""
    unit, kind, number = (int(value) for value in what.params[:3])
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


def _plan(world: World, vehicle: str) -> list[list[float]]:
    mission = next(one.runners["mission"] for one in world.instances if one.name == vehicle)
    rows: list[list[float]] = mission.plan.tolist()
    return rows


def _into_mission(world: World, vehicle: str) -> None:
    if world.mode(vehicle) != "mission":
        world.take_over("mission", vehicle)


def _fly_to(world: World, vehicle: str, rows: list[Waypoint]) -> None:
    world.plan(rows, vehicle)
    _into_mission(world, vehicle)


def usual_speed(world: World, vehicle: str) -> float:
    """[m/s] of the plan that it has; 2 without one."""
    rows = _plan(world, vehicle)
    return max((row[4] for row in rows if not row[6]), default=2.0)


def _row(world: World, vehicle: str, place: Vector, land: bool = False) -> Waypoint:
    speed = usual_speed(world, vehicle)
    yaw = euler_from_quaternion(world.motion(vehicle).quat_wb).yaw
    return Waypoint(*place, yaw, min(speed, SINK) if land else speed, 0.0, float(land))


ACTS: dict[int, Callable[[World, str, Vector, Asked], None]] = {
    ARM: _arm,
    SET_MODE: _set_mode,
    START: _start,
    TAKEOFF: _take_off,
    LAND: _land,
    RETURN: _return,
    REPOSITION: _reposition,
    FAILURE: _fail,
}
"""By the number of the command."""
