"""ROS 2 through `rclpy`, where a ROS 2 is installed and sourced: `cupola ros2 --over rclpy`.

For an rmw that is neither DDS nor Zenoh, and for machines whose ROS decides about networks and security. Messages pass
as bytes, those of a recording; of rclpy only what Humble and later document is used. Message packages must be built.
"""

import importlib
import logging
import queue
import threading
from typing import Any

from cupola.bridge.ros.definitions import learn
from cupola.bridge.ros.exchange import SERVED
from cupola.bridge.ros.graph import Asked, Graph, Hearer, Incoming, Sample, Service
from cupola.bridge.ros.template import Template
from cupola.bridge.ros2.names import remapped
from cupola.bridge.ros2.services import Desk
from cupola.record.messages import types
from cupola.schema.libraries import library
from cupola.schema.yaml_files import InputError

log = logging.getLogger("cupola.bridge")
INSTALL = (
    "rclpy cannot be imported: source the setup.bash of ROS 2, whose Python must be of the version of this one; "
    "--over dds and --over zenoh need no ROS"
)
BUILD = "build it for ROS 2 (`cupola ros1 SCENARIO --messages FOLDER` writes its messages) and source that workspace"
THREADS = 3
"""One for what is heard, one for services, which wait for the world, and one to spare."""


class Rclpy:
    """A node of rclpy."""

    peer = "ROS 2 through rclpy"

    def __init__(self, node: str = "cupola", domain: int = 0, names: dict[str, str] | None = None) -> None:
        self._rclpy: Any = library("rclpy", INSTALL)
        self._names = names or {}
        self._context = importlib.import_module("rclpy.context").Context()
        no_signals = importlib.import_module("rclpy.signals").SignalHandlerOptions.NO
        self._rclpy.init(args=[], context=self._context, domain_id=domain, signal_handler_options=no_signals)
        self._node = self._rclpy.create_node(node, context=self._context)
        self._executor = importlib.import_module("rclpy.executors").MultiThreadedExecutor(
            num_threads=THREADS, context=self._context
        )
        self._thread = threading.Thread(target=self._executor.spin, daemon=True)
        self._publishers: list[tuple[Any, Template]] = []
        self._desk: Desk | None = None

    def open(self, graph: Graph, hearer: Hearer, lockstep: bool) -> None:
        """Announce everything for which there is a message package; what there is not is said."""
        groups = importlib.import_module("rclpy.callback_groups")
        hearing, serving = groups.MutuallyExclusiveCallbackGroup(), groups.MutuallyExclusiveCallbackGroup()
        self._desk = desk = Desk(hearer)
        missing: dict[str, list[str]] = {}
        for one in graph.outgoing:
            learn(types(), one.stream.type)
            kind, topic = self._kind(one.stream.type, one.stream.topic, missing), self._called(one.stream.topic)
            publisher = self._node.create_publisher(kind, topic, _quality(one.latched)) if kind else None
            self._publishers.append((publisher, Template(one.stream, types())))
        for incoming in graph.incoming:
            if kind := self._kind(incoming.type, incoming.topic, missing):
                heard, topic = _hearing(incoming, hearer), self._called(incoming.topic)
                self._node.create_subscription(kind, topic, heard, _quality(False), callback_group=hearing, raw=True)
            elif incoming.awaited:
                raise InputError(f"{incoming.topic} needs {incoming.type}, which cannot be imported: {BUILD}")
        for service in graph.services:
            if kind := self._kind(service.type, service.name, missing):
                handle, name = _handling(service, desk, kind), self._called(service.name)
                self._node.create_service(kind, name, handle, callback_group=serving)
        for package, those in missing.items():
            log.warning("%s cannot be imported, so there is no %s: %s", package, ", ".join(those), BUILD)
        self._executor.add_node(self._node)
        self._thread.start()

    def _called(self, name: str) -> str:
        return remapped(name, self._names)

    def _kind(self, name: str, what: str, missing: dict[str, list[str]]) -> Any:
        """The class of a message or service; None where its package cannot be imported or lacks it."""
        package, kind, short = name.split("/")
        try:
            return getattr(importlib.import_module(f"{package}.{kind}"), short)
        except (ImportError, AttributeError):
            missing.setdefault(package, []).append(what)
            return None

    def send(self, which: int, sample: Sample) -> None:
        """Publish."""
        publisher, maker = self._publishers[which]
        if publisher is not None:
            publisher.publish(maker.fill(sample))

    def senders(self, which: Incoming) -> frozenset[str]:
        """Who publishes on a topic that the world hears."""
        found = self._node.get_publishers_info_by_topic(self._called(which.topic))
        return frozenset(str(list(one.endpoint_gid)) for one in found)

    def ask(self, which: Asked, stamp: int, timeout: float) -> Any:
        """Services of others are not asked."""
        raise InputError(f"{which.name} is a service of another node, and those are not asked over ROS 2: see --names")

    def close(self) -> None:
        """Leave."""
        if self._desk:
            self._desk.close()
        self._executor.shutdown()
        if self._thread.is_alive():
            self._thread.join()
        self._node.destroy_node()
        self._rclpy.shutdown(context=self._context)


def _quality(latched: bool) -> Any:
    """Reliable, everything kept until it is delivered; what is latched, the last for who comes later."""
    qos = importlib.import_module("rclpy.qos")
    reliable = qos.ReliabilityPolicy.RELIABLE
    if latched:
        kept, last = qos.DurabilityPolicy.TRANSIENT_LOCAL, qos.HistoryPolicy.KEEP_LAST
        return qos.QoSProfile(history=last, depth=1, reliability=reliable, durability=kept)
    return qos.QoSProfile(history=qos.HistoryPolicy.KEEP_ALL, reliability=reliable)


def _hearing(incoming: Incoming, hearer: Hearer) -> Any:
    def heard(wire: bytes) -> None:
        hearer.arrived(incoming, types().deserialize_cdr(wire, incoming.type))

    return heard


def _handling(service: Service, desk: Desk, kind: Any) -> Any:
    """Through the bytes of request and response, as over DDS and Zenoh."""
    wire = importlib.import_module("rclpy.serialization")

    def handle(request: Any, response: Any) -> Any:
        answer: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        desk.take(service, wire.serialize_message(request), answer.put)
        try:
            return wire.deserialize_message(answer.get(timeout=2.0 * SERVED), kind.Response)
        except queue.Empty:
            log.warning("%s: the world is gone, and who asked gets an empty answer", service.name)
            return response

    return handle
