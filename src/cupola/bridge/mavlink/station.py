"""A ground station looks at a world and commands it: QGroundControl, MAVProxy or Mission Planner, over UDP.

The world speaks first, to the address on which the station listens. Each vehicle is a system of its own, from 1 on.
Everything that a station asks for becomes a call of the world between two ticks, so a recording repeats it.
"""

import itertools
import logging
import socket
from typing import Any

from cupola.bridge.mavlink.commands import asked, obey, set_mode
from cupola.bridge.mavlink.missions import Missions
from cupola.bridge.mavlink.place import Origin
from cupola.bridge.mavlink.telemetry import RATES, Subject, heartbeat, home_position, kind_of, messages
from cupola.physics.rotation import Vector
from cupola.schema.input_files import reason
from cupola.schema.libraries import library
from cupola.schema.validation_messages import short
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

PORT = 14550
"""On which stations listen."""
COMPONENT = 1
"""MAV_COMP_ID_AUTOPILOT1."""
LARGEST = 65535
AT_ONCE = 64
"""Datagrams heard between two ticks."""
REQUEST_MESSAGE, GET_HOME, HOME, VERSION = 512, 410, 242, 148
CAN = 4 | 8 | 0x2000
"""MAV_PROTOCOL_CAPABILITY: missions in whole numbers, commands in whole numbers, MAVLink 2."""
LONGEST_NAME = 16
"""Letters of a parameter."""
REAL32 = 9
OF_NO_CONSEQUENCE = {"REQUEST_DATA_STREAM", "PING", "TIMESYNC", "COMMAND_ACK"}
"""Messages that a station does not miss an answer to."""
UNUSED = 2**15 - 1
"""For a stick that a station does not have."""

log = logging.getLogger("cupola.bridge")


def dialect() -> Any:
    """MAVLink's common messages."""
    return library("pymavlink.dialects.v20.common", "a ground station needs pymavlink: pip install 'cupola[mavlink]'")


def address_of(text: str) -> tuple[str, int]:
    """`HOST:PORT`, `HOST` or `PORT`."""
    host, _, port = text.rpartition(":") if ":" in text else (("", "", text) if text.isdecimal() else (text, "", ""))
    number = port or f"{PORT}"
    if not number.isdecimal() or not 0 < int(number) < 65536:
        raise InputError(f"--mavlink: expected HOST:PORT, as 127.0.0.1:{PORT}, got {text!r}")
    return host or "127.0.0.1", int(number)


def _found(address: tuple[str, int]) -> tuple[str, int]:
    """The address in numbers: a name that does not exist is refused before the start."""
    try:
        found = socket.getaddrinfo(*address, socket.AF_INET, socket.SOCK_DGRAM)[0][4]
    except (OSError, UnicodeError) as error:  # UnicodeError: of a name that none can have
        raise InputError(f"--mavlink: there is no address {short(address[0])!r}: {reason(error)}") from None
    return str(found[0]), int(found[1])


class Station:
    """The link; `exchange` is called between two ticks."""

    def __init__(self, world: World, address: tuple[str, int]) -> None:
        self._mav = dialect()
        self._world, self._address = world, _found(address)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self._parser = self._mav.MAVLink(None)
        self._parser.robust_parsing = True
        names = [one.name for one in world.instances]
        self._subjects = {k: Subject(name, k, kind_of(world, name)) for k, name in enumerate(names, 1)}
        self._senders = {k: self._mav.MAVLink(None, srcSystem=k, srcComponent=COMPONENT) for k in self._subjects}
        self._start: dict[int, Vector] = {k: world.motion(one.name).pos_w for k, one in self._subjects.items()}
        self._missions = {
            k: Missions(self._mav, world, one.name, lambda message, k=k: self._send(k, message))  # type: ignore[misc]
            for k, one in self._subjects.items()
        }
        self._origin = Origin.of(world)
        self._sent: dict[str, float] = {}
        self._reached: dict[int, int] = {}
        self._passed_over: set[tuple[int, str]] = set()
        self.heard = 0
        """Messages of stations so far."""

    def exchange(self) -> None:
        """Tell what is due, hear what was said; one who never stops talking is heard on the next time."""
        for content in itertools.takewhile(bool, (self._receive() for _ in range(AT_ONCE))):
            for message in self._parse(content):
                self.heard += 1
                self._hear(message)
        now = self._world.time
        due = {
            name for name, rate in RATES.items() if now < self._sent.get(name, -1e9) or self._is_due(name, rate, now)
        }
        self._sent |= dict.fromkeys(due, now)
        for k, subject in self._subjects.items():
            self._missions[k].remind()
            for message in messages(self._mav, self._world, subject, self._origin, self._start[k], due):
                self._send(k, message)
            if "status" in due:
                self._send(k, self._mav.MAVLink_mission_current_message(self._missions[k].current()))
            self._tell_reached(k)

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _is_due(self, name: str, rate: float, now: float) -> bool:
        return now >= self._sent.get(name, -1e9) + 1.0 / rate - 1e-9

    def _tell_reached(self, k: int) -> None:
        """An item that is behind it."""
        current = self._missions[k].current()
        before = self._reached.get(k, current)
        if current > before:
            self._send(k, self._mav.MAVLink_mission_item_reached_message(before))
        self._reached[k] = current

    def _receive(self) -> bytes:
        """The next datagram; empty: there is none."""
        try:
            content, self._address = self._socket.recvfrom(LARGEST)
        except (BlockingIOError, ConnectionError):  # nobody listens there yet
            return b""
        return content

    def _parse(self, content: bytes) -> list[Any]:
        found = self._parser.parse_buffer(content) or []
        return [message for message in found if message.get_type() != "BAD_DATA"]

    def _send(self, system: int, message: Any) -> None:
        try:
            self._socket.sendto(message.pack(self._senders[system]), self._address)
        except (BlockingIOError, ConnectionError):
            return  # a station that is gone may come again
        self._senders[system].seq = (self._senders[system].seq + 1) % 256

    def _hear(self, message: Any) -> None:
        target = getattr(message, "target_system", getattr(message, "target", 0))
        station = message.get_srcSystem(), message.get_srcComponent()
        for k in self._subjects if target == 0 else [target] * (target in self._subjects):
            if not self._missions[k].hear(message, station):
                act = getattr(self, f"_on_{message.get_type().lower()}", None)
                if act is not None:
                    act(k, message)
                elif target:
                    self._pass_over(k, message.get_type())

    def _pass_over(self, k: int, kind: str) -> None:
        """What is meant for one vehicle and means nothing here is said, once."""
        if kind not in OF_NO_CONSEQUENCE and (k, kind) not in self._passed_over:
            self._passed_over.add((k, kind))
            self._warn(k, f"{kind} is not known: nothing happens")

    def _on_command_long(self, k: int, message: Any) -> None:
        what = asked(message)
        if what.command in (REQUEST_MESSAGE, GET_HOME):
            told = self._told(k, HOME if what.command == GET_HOME else what.param1)
            self._acknowledge(k, message, 0 if told is not None else 3)
            if told is not None:
                self._send(k, told)
            return
        result, why = obey(self._world, self._subjects[k].name, self._missions[k], what)
        self._acknowledge(k, message, result)
        if why:
            self._warn(k, why)
        self._send(k, heartbeat(self._mav, self._world, self._subjects[k]))

    _on_command_int = _on_command_long

    def _warn(self, k: int, why: str) -> None:
        log.warning("%s: %s", self._subjects[k].name, why)
        self._send(k, self._mav.MAVLink_statustext_message(4, why.encode()[:50]))

    def _acknowledge(self, k: int, message: Any, result: int) -> None:
        self._send(k, self._mav.MAVLink_command_ack_message(message.command, result))

    def _told(self, k: int, number: float) -> Any:
        if number == HOME:
            return home_position(self._mav, self._origin, self._start[k])
        if number == VERSION:
            none = [0] * 8
            return self._mav.MAVLink_autopilot_version_message(CAN, 0, 0, 0, 0, none, none, none, 0, 0, k)
        return None

    def _on_set_mode(self, k: int, message: Any) -> None:
        try:
            set_mode(self._world, self._subjects[k].name, message.base_mode, message.custom_mode)
        except InputError as error:
            self._warn(k, str(error))
        self._send(k, heartbeat(self._mav, self._world, self._subjects[k]))

    def _on_manual_control(self, k: int, message: Any) -> None:
        """Sticks, -1000 to 1000, the throttle 0 to 1000: x pitch, y roll, z throttle, r yaw; unused ones stay."""
        name, told = self._subjects[k].name, (message.y, message.x, message.r, message.z)
        runner = self._world.runner(name)
        before = runner.sticks.tolist()
        row = list(before)
        for place, channel in enumerate(runner.order):
            value = 0.001 * told[place] if place < 3 else 0.002 * told[place] - 1.0
            if channel >= 0:
                row[channel] = before[place] if told[place] == UNUSED else max(-1.0, min(1.0, value))
        self._world.sticks(row, name)

    def _on_param_request_list(self, k: int, message: Any) -> None:
        known = self._parameters(k)
        for name in known:
            self._tell_parameter(k, name, known)

    def _on_param_request_read(self, k: int, message: Any) -> None:
        known, name = self._parameters(k), message.param_id
        name = list(known)[message.param_index] if 0 <= message.param_index < len(known) else name
        if name in known:
            self._tell_parameter(k, name, known)

    def _on_param_set(self, k: int, message: Any) -> None:
        known, name = self._parameters(k), message.param_id
        if name not in known:
            self._warn(k, f"no parameter {name!r}; its controller has {', '.join(known) or 'none'}")
            return
        try:
            self._world.tune(f"{self._subjects[k].name}.{name}", message.param_value)
        except InputError as error:
            self._warn(k, str(error))
        self._tell_parameter(k, name, self._parameters(k))

    def _parameters(self, k: int) -> dict[str, float]:
        """Numbers of its controller whose names are short enough for MAVLink."""
        before = f"{self._subjects[k].name}."
        parameters = self._world.parameters
        found = {name.removeprefix(before): told[1] for name, told in parameters.items() if name.startswith(before)}
        return {name: value for name, value in found.items() if "." not in name and len(name) <= LONGEST_NAME}

    def _tell_parameter(self, k: int, name: str, known: dict[str, float]) -> None:
        told = name.encode(), known[name], REAL32, len(known), list(known).index(name)
        self._send(k, self._mav.MAVLink_param_value_message(*told))
