"""ROS 2 over DDS with Eclipse Cyclone DDS (`pip install 'cupola[ros2]'`): what rmw_cyclonedds and rmw_fastrtps speak.

The bytes of a message are made as for a recording; Cyclone is handed a type for its announcements only.
"""

import dataclasses
import types as python_types
from functools import cache
from typing import Any

from rosbags.interfaces import Nodetype

from cupola.bridge.ros.definitions import learn
from cupola.bridge.ros.graph import Asked, Graph, Hearer, Incoming, Sample, Service
from cupola.bridge.ros.template import Template
from cupola.bridge.ros2.names import dds_service, dds_topic, dds_type, remapped
from cupola.bridge.ros2.services import Desk
from cupola.bridge.ros2.services import store as service_types
from cupola.record.messages import types
from cupola.schema.libraries import library
from cupola.schema.yaml_files import InputError

INSTALL = "cyclonedds is not installed: pip install 'cupola[ros2]'"
MOST = 1000
"""Messages that are read at once."""
BEFORE = 20
"""Bytes before the fields of a request or a reply: four of CDR, then who asked and the number of the question."""
WHO = ("guid", (Nodetype.BASE, ("uint64", 0))), ("seq", (Nodetype.BASE, ("int64", 0)))


def _import(name: str) -> Any:
    return library(name, INSTALL)


class Dds:
    """A participant of a domain."""

    peer = "ROS 2 over DDS"

    def __init__(self, domain: int = 0, timeout: float = 5.0, names: dict[str, str] | None = None) -> None:
        self._timeout, self._names = timeout, names or {}
        self._participant = _import("cyclonedds.domain").DomainParticipant(domain)
        self._writers: list[tuple[Any, Any, Template]] = []
        self._readers: dict[str, Any] = {}
        self._desk: Desk | None = None
        self._served: list[Any] = []

    def open(self, graph: Graph, hearer: Hearer, lockstep: bool) -> None:
        """Announce everything."""
        self._desk = desk = Desk(hearer)
        for service in graph.services:
            self._serve(service, desk)
        topic_class = _import("cyclonedds.topic").Topic
        pub, sub = _import("cyclonedds.pub"), _import("cyclonedds.sub")
        for one in graph.outgoing:
            learn(types(), one.stream.type)
            cls = idl_class(one.stream.type)
            name = dds_topic(remapped(one.stream.topic, self._names))
            qos = quality(one.latched, self._timeout)
            writer = pub.DataWriter(self._participant, topic_class(self._participant, name, cls), qos=qos)
            self._writers.append((writer, cls, Template(one.stream, types())))
        for incoming in graph.incoming:
            cls = idl_class(incoming.type)
            name = dds_topic(remapped(incoming.topic, self._names))
            listener = _listener(incoming, hearer)
            topic = topic_class(self._participant, name, cls)
            reader = sub.DataReader(self._participant, topic, qos=quality(False, self._timeout), listener=listener)
            self._readers[incoming.topic] = reader

    def _serve(self, service: Service, desk: Desk) -> None:
        """As rmw_cyclonedds: a topic of requests and one of replies, each of which begins with who asked, and when."""
        topic_class = _import("cyclonedds.topic").Topic
        pub, sub = _import("cyclonedds.pub"), _import("cyclonedds.sub")
        names = dds_service(remapped(service.name, self._names))
        classes = [service_class(f"{service.type}_{part}") for part in ("Request", "Response")]
        asked, said = (topic_class(self._participant, name, cls) for name, cls in zip(names, classes, strict=True))
        qos = quality(False, self._timeout)
        writer = pub.DataWriter(self._participant, said, qos=qos)

        class Listener(_import("cyclonedds.core").Listener):  # type: ignore[misc]
            def on_data_available(self, reader: Any) -> None:
                for message in reader.take(N=MOST):
                    wire = getattr(message, "wire", None)
                    if wire is not None and len(wire) >= BEFORE:
                        desk.take(service, wire[:4] + wire[BEFORE:], _replier(writer, classes[1], wire[4:BEFORE]))

        reader = sub.DataReader(self._participant, asked, qos=qos, listener=Listener())
        self._served += [writer, reader]

    def send(self, which: int, sample: Sample) -> None:
        """Publish; a reliable subscriber that is slow is waited for, up to the time-out."""
        writer, cls, maker = self._writers[which]
        message = cls.__new__(cls)
        message.wire = maker.fill(sample)
        writer.write(message)

    def senders(self, which: Incoming) -> frozenset[str]:
        """Who publishes on a topic that the world hears."""
        return frozenset(str(one) for one in self._readers[which.topic].get_matched_publications())

    def ask(self, which: Asked, stamp: int, timeout: float) -> Any:
        """Services of others are not asked."""
        raise InputError(f"{which.name} is a service of another node, and those are not asked over DDS: see --names")

    def close(self) -> None:
        """Leave the domain."""
        if self._desk:
            self._desk.close()
        self._served.clear()
        self._writers.clear()
        self._readers.clear()
        self._participant = None


def quality(latched: bool, timeout: float) -> Any:
    """Reliable, everything kept until it is delivered; what is latched, the last for who comes later."""
    core, util = _import("cyclonedds.core"), _import("cyclonedds.util")
    policy = core.Policy
    return core.Qos(
        policy.Reliability.Reliable(util.duration(seconds=timeout)),
        policy.Durability.TransientLocal if latched else policy.Durability.Volatile,
        policy.History.KeepLast(1) if latched else policy.History.KeepAll,
        policy.DataRepresentation(use_cdrv0_representation=True, use_xcdrv2_representation=False),
    )


def _listener(incoming: Incoming, hearer: Hearer) -> Any:
    class Listener(_import("cyclonedds.core").Listener):  # type: ignore[misc]
        def on_data_available(self, reader: Any) -> None:
            for message in reader.take(N=MOST):
                if getattr(message, "wire", None) is not None:
                    hearer.arrived(incoming, types().deserialize_cdr(message.wire, incoming.type))

    return Listener()


def _replier(writer: Any, cls: Any, who: bytes) -> Any:
    def answer(content: bytes) -> None:
        message = cls.__new__(cls)
        message.wire = content[:4] + who + content[4:]
        writer.write(message)

    return answer


@cache
def idl_class(name: str) -> Any:
    """A type of Cyclone's for a message type of ROS 2, whose bytes are given and taken as they are."""
    learn(types(), name)
    return _idl_class(name, types().fielddefs[name][1])


@cache
def service_class(name: str) -> Any:
    """The same for a request or a reply."""
    return _idl_class(name, [*WHO, *service_types().fielddefs[name][1]])


def _idl_class(name: str, described: Any) -> Any:
    idl = _import("cyclonedds.idl")
    fields = {field: _idl_type(kind) for field, kind in described}
    called = dds_type(name).replace("::", ".")

    def body(namespace: dict[str, Any]) -> None:
        namespace["__annotations__"] = fields
        namespace["serialize"] = lambda self, *_, **__: self.wire
        namespace["deserialize"] = classmethod(_taken)

    made = python_types.new_class(name.rpartition("/")[2] + "_", (idl.IdlStruct,), {"typename": called}, body)
    return dataclasses.dataclass(made)


def _taken(cls: Any, wire: Any, *_: Any, **__: Any) -> Any:
    message = cls.__new__(cls)
    message.wire = bytes(wire)
    return message


def _idl_type(described: Any) -> Any:
    """Of one field."""
    idl = _import("cyclonedds.idl.types")
    kind, content = described
    if kind == Nodetype.NAME:
        return idl_class(content)
    if kind == Nodetype.BASE:
        plain = {"string": str, "bool": bool, "byte": idl.byte, "char": idl.uint8}
        return plain.get(content[0]) or getattr(idl, content[0])
    item, count = content
    inner = _idl_type(item)
    if kind == Nodetype.ARRAY:
        return idl.array[inner, count]
    return idl.sequence[inner, count] if count else idl.sequence[inner]
