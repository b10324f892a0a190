"""A node of ROS 1 that carries a graph, through rospy.

rospy lives in the Python of the system. Where this Python is another environment of the same version, the folder of
the system's packages is looked through last, so that it changes nothing else.
"""

import importlib
import importlib.util
import logging
import os
import socket
import sys
import threading
import time
import warnings
from functools import partial
from pathlib import Path
from typing import Any

from cupola.bridge.lockstep.protocol import PeerError
from cupola.bridge.ros.definitions import request_of, response_of
from cupola.bridge.ros.graph import Asked, Graph, Hearer, Incoming, Sample, Service
from cupola.bridge.ros.template import Template
from cupola.bridge.ros1.messages import decoded, message_class, service_class, store, stream_of
from cupola.record.encode import template
from cupola.record.stream import Stream
from cupola.schema.libraries import library
from cupola.schema.yaml_files import InputError

log = logging.getLogger("cupola.bridge")
PLACES = ("/opt/ros/noetic/lib/python3/dist-packages", "/usr/lib/python3/dist-packages")
INSTALL = (
    "rospy cannot be imported: on Debian 12 `apt install ros-core python3-rospy python3-rosbag python3-tf2-ros`; where "
    "ROS 1 is installed elsewhere, source its setup.bash first"
)


def import_rospy() -> Any:
    """The module rospy, or how to get it."""
    there = _is_installed()
    place = next((place for place in PLACES if (Path(place) / "rospy").is_dir() and place not in sys.path), None)
    if there or place is None:
        return library("rospy", INSTALL)
    sys.path.append(place)  # last: whatever is installed here comes first
    try:
        return library("rospy", INSTALL)
    except InputError:
        sys.path.remove(place)
        raise


def _is_installed() -> bool:
    try:
        return importlib.util.find_spec("rospy") is not None
    except ImportError:
        return False


class Ros1:
    """The node of a world."""

    peer = "ROS 1"

    def __init__(self, name: str, remappings: tuple[str, ...] = (), timeout: float = 5.0) -> None:
        self._rospy = import_rospy()
        _check_master(os.environ.get("ROS_MASTER_URI", "http://localhost:11311"))
        self._base = importlib.import_module("genpy").Message
        self._name, self._remappings, self._timeout = name, remappings, timeout
        self._publishers: list[tuple[Any, Any, Template]] = []
        self._subscribers: dict[str, Any] = {}
        self._asking: dict[str, Any] = {}
        self._closing: list[Any] = []

    def open(self, graph: Graph, hearer: Hearer, lockstep: bool) -> None:
        """Register with the master. In lock step all topics are latched: who comes late is told, and only he."""
        rospy = self._rospy
        keep = list(logging.getLogger().handlers)
        rospy.init_node(self._name, argv=[self._name, *self._remappings], disable_signals=True, disable_rosout=True)
        logging.getLogger().handlers[:] = keep  # rospy puts its own there, which repeat every line on the screen
        rospy.set_param("/use_sim_time", True)
        for one in graph.outgoing:
            self._advertise(one.stream, one.latched or lockstep)
        for incoming in graph.incoming:
            self._subscribe(incoming, hearer)
        for service in graph.services:
            self._serve(service, hearer)
        for asked in graph.asked:
            self._asking[asked.name] = None

    def _advertise(self, stream: Stream, latched: bool) -> None:
        stream = stream_of(stream)
        cls = message_class(self._base, stream.type)
        # Without a queue: publishing is done when every subscriber has the message, in this order, none lost.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # rospy advises a queue to everybody
            publisher = self._rospy.Publisher(
                stream.topic, cls, subscriber_listener=_at_once(self._rospy, self._timeout), latch=latched
            )
        self._publishers.append((publisher, cls, Template(stream, store(), packed=True)))

    def _subscribe(self, incoming: Incoming, hearer: Hearer) -> None:
        cls = message_class(self._base, incoming.type)

        def heard(message: Any) -> None:
            hearer.arrived(incoming, decoded(incoming.type, message.wire))

        self._subscribers[incoming.topic] = self._rospy.Subscriber(
            incoming.topic, cls, heard, queue_size=None, tcp_nodelay=True
        )

    def _serve(self, service: Service, hearer: Hearer) -> None:
        cls = service_class(self._base, service.type)

        def handle(request: Any) -> Any:
            try:
                answer = hearer.call(service, decoded(request_of(service.type), request.wire))
            except (InputError, ValueError, PeerError) as error:
                raise self._rospy.ServiceException(str(error)) from None
            return cls._response_class(self._answer(service, answer))

        self._closing.append(self._rospy.Service(service.name, cls, handle))

    def _answer(self, service: Service, answer: dict[str, Any]) -> bytes:
        response = response_of(service.type)
        if response not in store().fielddefs:
            return b""
        return template(Stream(service.name, response, (), answer), store(), packed=True)

    def send(self, which: int, sample: Sample) -> None:
        """Publish; nothing is made where nobody listens and nothing is kept."""
        publisher, cls, maker = self._publishers[which]
        if publisher.impl is None or not (publisher.impl.is_latch or publisher.impl.has_connections()):
            return
        publisher.publish(cls(partial(maker.fill, sample)))

    def senders(self, which: Incoming) -> frozenset[str]:
        """Who publishes on a topic that the world hears; rospy keeps a connection that broke, without a socket."""
        found = list(self._subscribers[which.topic].impl.connections)
        return frozenset(one.endpoint_id for one in found if one.socket is not None and not one.done)

    def ask(self, which: Asked, stamp: int, timeout: float) -> Any:
        """The answer of a service of the other side, over one lasting connection."""
        rospy = self._rospy
        cls = service_class(self._base, which.type)
        request = template(Stream(which.name, request_of(which.type), (), _header(stamp)), store(), packed=True)
        end = time.monotonic() + timeout
        while True:
            left = end - time.monotonic()
            if left <= 0.0:
                raise PeerError(f"the service {which.name} did not answer within {timeout:g} s")
            try:
                if self._asking[which.name] is None:
                    rospy.wait_for_service(which.name, timeout=left)
                    self._asking[which.name] = rospy.ServiceProxy(which.name, cls, persistent=True)
                found = _within(left, lambda: self._asking[which.name](cls._request_class(request)))
                return decoded(response_of(which.type), found.wire)
            except (rospy.ServiceException, rospy.ROSException, OSError):
                self._hang_up(which.name)
                time.sleep(0.05)

    def _hang_up(self, name: str) -> None:
        if self._asking[name] is not None:
            self._asking[name].close()
        self._asking[name] = None

    def close(self) -> None:
        """Take everything back: nobody else is told that the world is still there."""
        for name in self._asking:
            self._hang_up(name)
        for service in self._closing:
            service.shutdown("the run is over")
        self._rospy.signal_shutdown("the run is over")


def _header(stamp: int) -> dict[str, Any]:
    seconds, rest = divmod(stamp, 1_000_000_000)
    return {"header.stamp.sec": seconds, "header.stamp.nanosec": rest}


def _within(seconds: float, ask: Any) -> Any:
    """Ask in a thread of its own: rospy has no time-out for the answer of a service."""
    found: list[Any] = []

    def run() -> None:
        try:
            found.append((True, ask()))
        except Exception as error:
            found.append((False, error))

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if not found:
        raise PeerError(f"a service did not answer within {seconds:g} s")
    worked, value = found[0]
    if not worked:
        raise value
    return value


def _at_once(rospy: Any, timeout: float) -> Any:
    """Small messages leave at once (TCP_NODELAY), and a subscriber that hangs is let go after the time-out."""

    class Listener(rospy.SubscribeListener):  # type: ignore[misc]
        def peer_subscribe(self, topic_name: str, topic_publish: Any, peer_publish: Any) -> None:
            for connection in list(topic_publish.__self__.connections):
                if connection.socket is not None:
                    connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    connection.socket.settimeout(timeout)

    return Listener()


def _check_master(uri: str) -> None:
    """Whether somebody listens there: rospy itself would wait for ever."""
    host, _, port = uri.partition("//")[2].strip("/").rpartition(":")
    try:
        socket.create_connection((host, int(port)), 5.0).close()
    except (OSError, ValueError) as error:
        raise InputError(f"there is no ROS master at ROS_MASTER_URI={uri}: start roscore ({error})") from None
