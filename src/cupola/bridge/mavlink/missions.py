"""MAVLink's mission protocol, for one vehicle: a station reads its plan, or writes it another one.

https://mavlink.io/en/services/mission.html. Whoever writes is asked for item after item; an item that does not come is
asked for again, and after some times the old plan stays.
"""

import logging
import math
import time
from collections.abc import Callable
from typing import Any

from cupola.bridge.mavlink.items import (
    LOCAL_NED,
    UNSET,
    Home,
    Item,
    Mission,
    RefusedError,
    item_of,
    items_of,
    mission_of,
)
from cupola.bridge.mavlink.place import Origin
from cupola.physics.rotation import euler_from_quaternion
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

ACCEPTED, ERROR, NO_SPACE, INVALID_SEQUENCE, CANCELLED = 0, 1, 4, 13, 15
MOST = 1000
"""Items of a mission."""
AGAIN = 0.5
"""[s] after which an item is asked for again ..."""
TIMES = 8
"""... so often."""
FLIGHT = 0
"""The kind of mission that is not a fence and not rally points."""
EVERY = 255
"""The kind of mission that a station clears which means all kinds."""
UNSUPPORTED = 3
"""MAV_MISSION_RESULT."""

log = logging.getLogger("cupola.bridge")


class Missions:
    """The plan of one vehicle, and a transfer under way."""

    def __init__(self, mav: Any, world: World, vehicle: str, say: Callable[[Any], None]) -> None:
        self._mav, self._world, self._vehicle, self._say = mav, world, vehicle, say
        self.origin = Origin.of(world)
        start = world.motion(vehicle).pos_w
        self.home = Home(start, self.origin.geodetic(start).altitude)
        self._runner = next(one.runners["mission"] for one in world.instances if one.name == vehicle)
        self._known: tuple[Any, Mission] | None = None
        self._wanted = 0
        self._came: list[Item] = []
        self._asked = 0.0
        self._left = 0
        self._station = (0, 0)

    @property
    def mission(self) -> Mission:
        """Items of the plan as it is now: those that were written, or made of the plan of the files."""
        plan = self._runner.plan
        if self._known is None or self._known[0] is not plan:
            self._known = plan, items_of(plan.tolist(), self.origin, self.home)
        return self._known[1]

    def current(self) -> int:
        """Number of the item that is flown; 0 for a controller without a plan."""
        state = self._runner.state_now()
        flies = "index" in getattr(state, "_fields", ())
        return self.mission.item_at(int(state.index)) if flies else 0

    def fly_from(self, number: int) -> None:
        """The mission, from an item on."""
        mission = self.mission
        if number >= len(mission.first):
            raise InputError(f"there is no item {number}: the mission has {len(mission.first)}")
        self._fly(mission, mission.first[number])

    def hear(self, message: Any, station: tuple[int, int]) -> bool:
        """Answer a message of the protocol; False for any other."""
        act = getattr(self, f"_on_{message.get_type().lower()}", None)
        if act is None:
            return False
        self._station = station
        given = getattr(message, "mission_type", FLIGHT)
        if given != FLIGHT and not (given == EVERY and message.get_type() == "MISSION_CLEAR_ALL"):
            self._on_other(message)
        else:
            act(message)
        return True

    def remind(self) -> None:
        """Ask again for an item that did not come."""
        if self._wanted and time.monotonic() > self._asked + AGAIN:
            if self._left:
                self._left -= 1
                self._ask()
            else:
                log.warning("%s: item %d of a mission did not come; the old one stays", self._vehicle, len(self._came))
                self._end(CANCELLED)

    def _on_other(self, message: Any) -> None:
        """A fence or rally points: there are none, and none are taken."""
        kind = message.get_type()
        if kind == "MISSION_REQUEST_LIST":
            self._say(self._mav.MAVLink_mission_count_message(*self._station, 0, message.mission_type))
        elif kind != "MISSION_ACK":  # that ends the station's reading, and asks nothing
            self._say(self._mav.MAVLink_mission_ack_message(*self._station, UNSUPPORTED, message.mission_type))

    def _on_mission_request_list(self, message: Any) -> None:
        self._say(self._mav.MAVLink_mission_count_message(*self._station, len(self.mission.items), FLIGHT))

    def _on_mission_request_int(self, message: Any) -> None:
        self._give(message.seq, self._mav.MAVLink_mission_item_int_message, whole=True)

    def _on_mission_request(self, message: Any) -> None:
        self._give(message.seq, self._mav.MAVLink_mission_item_message, whole=False)

    def _give(self, number: int, kind: Callable[..., Any], whole: bool) -> None:
        items = self.mission.items
        if number >= len(items):
            self._acknowledge(INVALID_SEQUENCE)
            return
        item = items[number]
        place: tuple[float, ...] = item.x, item.y
        frame = item.frame
        if not whole:
            unit = 1e-4 if frame == LOCAL_NED else 1e-7
            place = tuple(math.nan if value == UNSET else value * unit for value in place)
            frame = {6: 3, 5: 0}.get(frame, frame)
        head = *self._station, number, frame, item.command, int(number == self.current()), 1
        self._say(kind(*head, *item[2:6], *place, item.z, FLIGHT))

    def _on_mission_count(self, message: Any) -> None:
        if message.count > MOST:
            self._acknowledge(NO_SPACE)
            return
        self._wanted, self._came, self._left = message.count, [], TIMES
        self._take_up([]) if message.count == 0 else self._ask()

    def _on_mission_item_int(self, message: Any) -> None:
        if not self._wanted or message.seq != len(self._came):
            return  # it came twice, or nobody asked
        self._came.append(item_of(message))
        self._left = TIMES
        self._ask() if len(self._came) < self._wanted else self._take_up(self._came)

    _on_mission_item = _on_mission_item_int

    def _on_mission_write_partial_list(self, message: Any) -> None:
        self._acknowledge(UNSUPPORTED)

    def _on_mission_clear_all(self, message: Any) -> None:
        self._take_up([])

    def _on_mission_set_current(self, message: Any) -> None:
        try:
            self.fly_from(message.seq)
        except InputError as error:
            log.warning("%s: %s", self._vehicle, error)
            self._acknowledge(INVALID_SEQUENCE)
        else:
            self._say(self._mav.MAVLink_mission_current_message(message.seq))

    def _on_mission_ack(self, message: Any) -> None:
        """The station has read everything, or gave up."""
        self._wanted = 0

    def _ask(self) -> None:
        self._asked = time.monotonic()
        self._say(self._mav.MAVLink_mission_request_int_message(*self._station, len(self._came), FLIGHT))

    def _take_up(self, items: list[Item]) -> None:
        yaw = euler_from_quaternion(self._world.motion(self._vehicle).quat_wb).yaw
        speed = usual_speed(self._world, self._vehicle)
        try:
            self._fly(mission_of(items, self.origin, self.home, speed, yaw), 0)
        except RefusedError as error:
            log.warning("%s: the mission of a station is refused: %s", self._vehicle, error)
            self._end(error.code)
        except InputError as error:
            log.warning("%s: the mission of a station is refused: %s", self._vehicle, error)
            self._end(ERROR)
        else:
            self._end(ACCEPTED)

    def _fly(self, mission: Mission, first: int) -> None:
        self._world.plan(mission.rows, self._vehicle, min(first, max(0, len(mission.rows) - 1)))
        self._known = self._runner.plan, mission

    def _end(self, code: int) -> None:
        self._wanted = 0
        self._acknowledge(code)

    def _acknowledge(self, code: int) -> None:
        self._say(self._mav.MAVLink_mission_ack_message(*self._station, code, FLIGHT))


def usual_speed(world: World, vehicle: str) -> float:
    """[m/s] of the plan that it has; 2 without one."""
    mission = next(one.runners["mission"] for one in world.instances if one.name == vehicle)
    return max((row[4] for row in mission.plan.tolist() if not row[6]), default=2.0)
