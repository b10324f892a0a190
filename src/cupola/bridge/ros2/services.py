"""Services in ROS 2: their types, hashes and bytes. What carries them, DDS or Zenoh, is beside this file.

A call waits for the world, which comes to it between two ticks; the threads in which DDS and Zenoh deliver must not:
commands that the world waits for come through them. So calls are served one after the other in a thread of their own.
"""

import logging
import struct
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from rosbags.interfaces import Nodetype
from rosbags.serde import SerdeError
from rosbags.typesys import Stores, get_types_from_msg, get_typestore
from rosbags.typesys.store import Typestore

from cupola.bridge.lockstep.protocol import PeerError
from cupola.bridge.ros.definitions import MESSAGES, SERVICES
from cupola.bridge.ros.graph import Hearer, Service
from cupola.record.encode import template
from cupola.record.stream import RecordingError, Stream
from cupola.schema.yaml_files import InputError

log = logging.getLogger("cupola.bridge")
EMPTY = "uint8 structure_needs_at_least_one_member\n"
"""What ROS 2 puts into a message without fields."""
EVENT = "service_msgs/msg/ServiceEventInfo"
PADDING = 4
BYTES_16 = (Nodetype.ARRAY, ((Nodetype.BASE, ("uint8", 0)), 16))


@cache
def store() -> Typestore:
    """The types of ROS 2 Jazzy and those of all services, under ROS 2's names: `std_srvs/srv/Trigger_Request`."""
    found = get_typestore(Stores.ROS2_JAZZY)
    constants, fields = found.fielddefs[EVENT]
    # ROS 2 turns `char` into `uint8` before it takes the hash.
    found.fielddefs[EVENT] = (constants, [(n, BYTES_16 if n == "client_gid" else d) for n, d in fields])  # type: ignore[misc]
    for name, text in MESSAGES.items():
        if name not in found.fielddefs:
            found.register(get_types_from_msg(text, name))
    for service, texts in SERVICES.items():
        _register(found, service, texts)
    return found


def _register(known: Typestore, service: str, texts: tuple[str, str]) -> None:
    parts = [f"{service}_Request", f"{service}_Response"]
    for part, text in zip(parts, texts, strict=True):
        (described,) = get_types_from_msg(text or EMPTY, part.replace("/srv/", "/msg/")).values()
        known.register({part: described})
    both = [(Nodetype.SEQUENCE, ((Nodetype.NAME, part), 1)) for part in parts]
    event: Any = [("info", (Nodetype.NAME, EVENT)), ("request", both[0]), ("response", both[1])]
    names = ["request_message", "response_message", "event_message"]
    inside: Any = [(n, (Nodetype.NAME, part)) for n, part in zip(names, [*parts, f"{service}_Event"], strict=True)]
    known.register({f"{service}_Event": ([], event), service: ([], inside)})


def service_hash(service: str) -> str:
    """By which rmw_zenoh tells services apart (REP 2011)."""
    return str(store().hash_rihs01(service))


def read(wire: bytes, name: str) -> Any:
    """The message in some bytes; senders may fill them up to four."""
    for filling in range(PADDING):
        try:
            return store().deserialize_cdr(wire[: len(wire) - filling], name)
        except (SerdeError, struct.error):
            if filling == PADDING - 1:
                raise
    raise AssertionError


class Desk:
    """Serves calls, one after the other."""

    def __init__(self, hearer: Hearer) -> None:
        self._hearer = hearer
        self._thread = ThreadPoolExecutor(1, "services")

    def take(self, service: Service, request: bytes, answer: Callable[[bytes], None]) -> None:
        """Serve a call, later; `request` and what `answer` is given are CDR."""
        self._thread.submit(self._serve, service, request, answer)

    def _serve(self, service: Service, request: bytes, answer: Callable[[bytes], None]) -> None:
        try:
            found = self._hearer.call(service, read(request, f"{service.type}_Request"))
        except (InputError, ValueError, PeerError) as error:
            found = self._refusal(service, str(error))
        except (SerdeError, struct.error, IndexError) as error:
            log.warning("%s: what was asked cannot be read: %s", service.name, error)
            found = self._refusal(service, f"what was asked cannot be read: {error}")
        try:
            answer(template(Stream(service.name, f"{service.type}_Response", (), found), store()))
        except (RecordingError, OSError) as error:
            log.warning("%s: %s", service.name, error)

    def _refusal(self, service: Service, why: str) -> dict[str, Any]:
        """ROS 2 knows no failed call: the answer says so where it has a field for it, else the world's log alone."""
        fields = [name for name, _ in store().fielddefs[f"{service.type}_Response"][1]]
        said = next((name for name in ("message", "status_message") if name in fields), None)
        if said is None:
            log.warning("%s is refused, which its answer cannot tell: %s", service.name, why)
            return {}
        return {"success": False, said: why}

    def close(self) -> None:
        """Serve nobody any more."""
        self._thread.shutdown(wait=False, cancel_futures=True)
