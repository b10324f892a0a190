"""Mission items of MAVLink, and rows of a plan: what a waypoint controller of ours flies.

A change of speed is an item of its own and no row; so items are kept as they came, with the row that each begins.
"""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from cupola.bridge.mavlink.place import DEGREES, Origin, heading_deg, yaw_of
from cupola.kernel.observation import Waypoint
from cupola.physics.rotation import Vector

WAYPOINT, RETURN, LAND, TAKEOFF, SPEED = 16, 20, 21, 22, 178
GLOBAL, LOCAL_NED, RELATIVE, GLOBAL_INT, RELATIVE_INT = 0, 1, 3, 5, 6
"""Frames: above the sea, north-east-down, above home; the last two count 1e-7 degrees."""
FRAMES = (GLOBAL, LOCAL_NED, RELATIVE, GLOBAL_INT, RELATIVE_INT)
UNSUPPORTED_FRAME, UNSUPPORTED, BAD_1, BAD_2, BAD_X, BAD_Y, BAD_Z = 2, 3, 6, 7, 10, 11, 12
"""What a station is told when it is refused: MAV_MISSION_RESULT, the last ones by the parameter that is wrong."""
UNSET = 2**31 - 1
"""For x and y: no number, where they are whole."""
NO_CHANGE, DEFAULT = -1.0, -2.0
"""Speeds that are none."""
AIR, GROUND = 0, 1
"""Kinds of speed that a plan has; the others are climb and descent."""
SINK = 0.5
"""[m/s] on the way down."""


class RefusedError(ValueError):
    """An item that is not flown; `code` is MAVLink's."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Item(NamedTuple):
    """One item, or a command; x, y are 1e-7 degrees, or 1e-4 m in a local frame."""

    frame: int
    command: int
    param1: float
    param2: float
    param3: float
    param4: float
    x: int
    y: int
    z: float


def item_of(message: Any) -> Item:
    """From a MISSION_ITEM_INT or COMMAND_INT, or from a MISSION_ITEM, which counts degrees."""
    x, y = message.x, message.y
    if message.get_type() == "MISSION_ITEM":
        x, y = (whole(value, 1e4 if message.frame == LOCAL_NED else DEGREES) for value in (x, y))
    params = message.param1, message.param2, message.param3, message.param4
    return Item(message.frame, message.command, *params, x, y, float(message.z))


def whole(value: float, factor: float) -> int:
    """x or y of an item, of a number in degrees or metres; `UNSET` for what is no number, or beyond all places."""
    return round(value * factor) if abs(value * factor) < UNSET else UNSET


class Home(NamedTuple):
    """Where a vehicle began."""

    pos_w: Vector
    altitude: float
    """[m] above the sea."""


class Mission(NamedTuple):
    """Items and what they come to."""

    items: tuple[Item, ...]
    rows: tuple[Waypoint, ...]
    first: tuple[int, ...]
    """The row at which each item begins."""

    def item_at(self, row: int) -> int:
        """Number of the item that is flown in a row."""
        found = [k for k, first in enumerate(self.first) if first <= row and self.items[k].command != SPEED]
        return found[-1] if found else 0


def mission_of(items: Sequence[Item], origin: Origin, home: Home, speed: float, yaw: float) -> Mission:
    """What items come to; `speed` and `yaw` hold until one says otherwise. Raises RefusedError."""
    rows: list[Waypoint] = []
    first = []
    usual = speed
    for k, item in enumerate(items):
        first.append(len(rows))
        if item.command == SPEED:
            speed = _speed(k, item, speed, usual)
            continue
        if item.command not in (WAYPOINT, RETURN, LAND, TAKEOFF):
            raise RefusedError(UNSUPPORTED, f"item {k} is command {item.command}, which no controller of ours flies")
        here = Vector(rows[-1].x, rows[-1].y, rows[-1].z) if rows else home.pos_w
        try:
            place = place_of(item, origin, home, here)
        except RefusedError as error:
            raise RefusedError(error.code, f"item {k}: {error}") from None
        if item.command in (WAYPOINT, TAKEOFF) and math.isfinite(item.param4) and item.frame != LOCAL_NED:
            yaw = yaw_of(item.param4)
        hold = max(0.0, item.param1) if item.command == WAYPOINT else 0.0
        lands = item.command in (LAND, RETURN)
        if lands:  # it flies there at its height, and sinks then
            high = max(rows[-1].z if rows else place.z, place.z)
            rows.append(Waypoint(place.x, place.y, high, yaw, speed, 0.0, 0.0))
            rows.append(Waypoint(place.x, place.y, high, yaw, min(speed, SINK), 0.0, 1.0))
        else:
            rows.append(Waypoint(*place, yaw, speed, hold, 0.0))
    return Mission(tuple(items), tuple(rows), tuple(first))


def _speed(k: int, item: Item, speed: float, usual: float) -> float:
    """[m/s] from an item on that changes it."""
    if item.param1 not in (AIR, GROUND):
        raise RefusedError(BAD_1, f"item {k} changes speed {item.param1:g}; known: {AIR} (air), {GROUND} (ground)")
    if item.param2 == NO_CHANGE or math.isnan(item.param2):
        return speed
    if item.param2 == DEFAULT:
        return usual
    if not 0.0 < item.param2 < math.inf:
        raise RefusedError(BAD_2, f"item {k} changes the speed to {item.param2:g} m/s")
    return item.param2


def place_of(item: Item, origin: Origin, home: Home, here: Vector) -> Vector:
    """[m] world. A take-off, a landing or a command without a place is where one is. Raises RefusedError."""
    if item.command == RETURN:
        return home.pos_w
    if item.frame not in FRAMES:
        raise RefusedError(UNSUPPORTED_FRAME, f"frame {item.frame} is not known; known: {FRAMES}")
    if not math.isfinite(item.z):
        raise RefusedError(BAD_Z, f"{item.z:g} is no height")
    local, above = item.frame == LOCAL_NED, item.frame in (RELATIVE, RELATIVE_INT)
    if _is_here(item):
        height = -item.z if local else home.pos_w.z + item.z - (0.0 if above else home.altitude)
        return Vector(here.x, here.y, height)
    for value, code, most in ((item.x, BAD_X, 90.0), (item.y, BAD_Y, 180.0)):
        if value == UNSET or (not local and abs(value) > most * DEGREES):
            raise RefusedError(code, "it has no place" if value == UNSET else f"{value / DEGREES:g}° is no place")
    if local:
        return Vector(1e-4 * item.y, 1e-4 * item.x, -item.z)
    altitude = item.z + (home.altitude if above else 0.0)
    return origin.world(item.x / DEGREES, item.y / DEGREES, altitude)


def _is_here(item: Item) -> bool:
    """Whether it names no place, and needs none; 0° north, 0° east is none either, where one takes off or lands."""
    none = item.command in (TAKEOFF, LAND) and item.frame != LOCAL_NED and item.x == item.y == 0
    return item.command != WAYPOINT and (none or item.x == item.y == UNSET)


def items_of(rows: Iterable[Sequence[float]], origin: Origin, home: Home) -> Mission:
    """The plan that a vehicle has from its files."""
    items: list[Item] = []
    first: list[int] = []
    known = [Waypoint(*row) for row in rows]
    speed = math.nan
    for k, row in enumerate(known):
        if row.speed != speed and not row.land:
            speed = row.speed
            items.append(Item(RELATIVE_INT, SPEED, 1.0, speed, -1.0, 0.0, 0, 0, 0.0))
            first.append(k)
        there = origin.geodetic(Vector(row.x, row.y, row.z))
        x, y = (round(math.degrees(angle) * DEGREES) for angle in (there.latitude, there.longitude))
        command = LAND if row.land else WAYPOINT
        height = there.altitude - home.altitude
        items.append(Item(RELATIVE_INT, command, row.hold, 0.0, 0.0, heading_deg(row.yaw), x, y, height))
        first.append(k)
    return Mission(tuple(items), tuple(known), tuple(first))
