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
UNSUPPORTED_FRAME, UNSUPPORTED, INVALID = 2, 3, 5
"""What a station is told when it is refused."""
SINK = 0.5
"""[m/s] on the way down."""


class RefusedError(ValueError):
    """An item that is not flown; `code` is MAVLink's."""

    def __init__(self, code: int, text: str) -> None:
        super().__init__(text)
        self.code = code


class Item(NamedTuple):
    """One item; x, y are 1e-7 degrees, or 1e-4 m in a local frame."""

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
    """From a MISSION_ITEM_INT, or a MISSION_ITEM, which counts degrees."""
    factor = 1.0
    if message.get_type() == "MISSION_ITEM":
        factor = 1e4 if message.frame == LOCAL_NED else DEGREES
    x, y = round(message.x * factor), round(message.y * factor)
    params = message.param1, message.param2, message.param3, message.param4
    return Item(message.frame, message.command, *params, x, y, float(message.z))


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
    for k, item in enumerate(items):
        first.append(len(rows))
        if item.command == SPEED:
            if item.param2 > 0.0:
                speed = item.param2
            continue
        if item.command not in (WAYPOINT, RETURN, LAND, TAKEOFF):
            raise RefusedError(UNSUPPORTED, f"item {k} is command {item.command}, which no controller of ours flies")
        if item.frame not in FRAMES:
            raise RefusedError(UNSUPPORTED_FRAME, f"item {k} is in frame {item.frame}; known: {FRAMES}")
        place = _place(item, origin, home, rows)
        if not all(map(math.isfinite, place)):
            raise RefusedError(INVALID, f"item {k} has no place")
        if item.command in (WAYPOINT, TAKEOFF) and math.isfinite(item.param4) and item.frame != LOCAL_NED:
            yaw = yaw_of(item.param4)
        hold = max(0.0, item.param1) if item.command == WAYPOINT else 0.0
        lands = item.command in (LAND, RETURN)
        if lands:  # it flies there at its height, and sinks then
            high = rows[-1].z if rows else place.z
            rows.append(Waypoint(place.x, place.y, max(high, place.z), yaw, speed, 0.0, 0.0))
            rows.append(Waypoint(place.x, place.y, max(high, place.z), yaw, min(speed, SINK), 0.0, 1.0))
        else:
            rows.append(Waypoint(*place, yaw, speed, hold, 0.0))
    return Mission(tuple(items), tuple(rows), tuple(first))


def _place(item: Item, origin: Origin, home: Home, rows: list[Waypoint]) -> Vector:
    """[m] world. A take-off or a landing without a place is where one is."""
    if item.command == RETURN:
        return home.pos_w
    if item.frame == LOCAL_NED:
        return Vector(1e-4 * item.y, 1e-4 * item.x, -item.z)
    if item.x == 0 and item.y == 0 and item.command in (TAKEOFF, LAND):
        here = Vector(rows[-1].x, rows[-1].y, 0.0) if rows else home.pos_w
        return Vector(here.x, here.y, home.pos_w.z + item.z)
    altitude = item.z + (home.altitude if item.frame in (RELATIVE, RELATIVE_INT) else 0.0)
    return origin.world(item.x / DEGREES, item.y / DEGREES, altitude)


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
