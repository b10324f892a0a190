"""ROS 2 over Zenoh (`pip install 'cupola[ros2]'`), in the form of rmw_zenoh: keys, attachments, liveliness tokens.

Written from the design notes of rmw_zenoh: a message goes to `DOMAIN/TOPIC/TYPE/HASH` with its number, its time and who
sent it; tokens under `@ros2_lv` let `ros2 topic list` see the world. A router, `zenohd` or that of rmw_zenoh, is usual.
"""

import json
import os
import struct
import time
from typing import Any

from cupola.bridge.ros.definitions import learn
from cupola.bridge.ros.graph import Asked, Graph, Hearer, Incoming, Sample, Service
from cupola.bridge.ros.template import Template
from cupola.bridge.ros2.names import dds_type, remapped, type_hash
from cupola.bridge.ros2.services import Desk, service_hash
from cupola.record.messages import types
from cupola.schema.libraries import library
from cupola.schema.yaml_files import InputError

INSTALL = "zenoh is not installed: pip install 'cupola[ros2]'"
ROUTER = "tcp/localhost:7447"
TOKENS = "@ros2_lv"
PUBLISHER, SUBSCRIBER, SERVICE, NODE = "MP", "MS", "SS", "NN"
ATTACHED = struct.Struct("<qqB16s")
"""Number of the message, its time [ns], and the name of its sender, of 16 bytes."""
RELIABLE, KEPT = "::,10:,:,:,,", ":1:,1:,:,:,,"
"""Quality of service in a token: reliable, the last ten; reliable, transient local, the last one."""


def topic_key(domain: int, topic: str, name: str) -> str:
    """Where messages of a topic go."""
    return f"{domain}/{topic.strip('/')}/{dds_type(name)}/{type_hash(name)}"


def service_key(domain: int, service: str, name: str) -> str:
    """Where calls of a service go."""
    return f"{domain}/{service.strip('/')}/{dds_type(name)}/{service_hash(name)}"


def mangled(name: str) -> str:
    """A name with slashes as one part of a key."""
    return name.replace("/", "%")


class Zenoh:
    """A session, as a node of ROS 2."""

    peer = "ROS 2 over Zenoh"

    def __init__(
        self,
        node: str = "cupola",
        domain: int = 0,
        connect: tuple[str, ...] = (),
        listen: tuple[str, ...] = (),
        names: dict[str, str] | None = None,
    ) -> None:
        self._zenoh: Any = library("zenoh", INSTALL)
        self._node, self._domain, self._names = node, domain, names or {}
        self._session = self._join(connect, listen)
        self._gid = os.urandom(16)
        self._publishers: list[tuple[Any, Template]] = []
        self._kept: dict[int, tuple[bytes, bytes]] = {}
        self._counts: list[int] = []
        self._tokens: list[Any] = []
        self._subscribers: list[Any] = []
        self._there: dict[str, set[str]] = {}
        self._desk: Desk | None = None
        self._ids = 0

    def _join(self, connect: tuple[str, ...], listen: tuple[str, ...]) -> Any:
        given = os.environ.get("ZENOH_SESSION_CONFIG_URI")
        config = self._zenoh.Config.from_file(given) if given else self._zenoh.Config()
        if not given:  # as rmw_zenoh: through a router of this machine, and no shouting into the network
            config.insert_json5("scouting/multicast/enabled", "false")
            connect = connect or (() if listen else (ROUTER,))
        for path, addresses in (("connect/endpoints", connect), ("listen/endpoints", listen)):
            if addresses:
                config.insert_json5(path, json.dumps(addresses))
        try:
            return self._zenoh.open(config)
        except self._zenoh.ZError as error:
            raise InputError(f"no session of Zenoh: {error}") from None

    def open(self, graph: Graph, hearer: Hearer, lockstep: bool) -> None:
        """Announce everything."""
        self._announce(NODE, "")
        self._desk = desk = Desk(hearer)
        for service in graph.services:
            self._serve(service, desk)
        for k, one in enumerate(graph.outgoing):
            learn(types(), one.stream.type)
            topic = remapped(one.stream.topic, self._names)
            key = topic_key(self._domain, topic, one.stream.type)
            blocking = self._zenoh.CongestionControl.BLOCK
            publisher = self._session.declare_publisher(key, congestion_control=blocking)
            self._publishers.append((publisher, Template(one.stream, types())))
            self._counts.append(0)
            told = self._announce(PUBLISHER, self._described(topic, one.stream.type, one.latched))
            if one.latched:
                self._keep(k, f"{key}/@adv/pub/{self._session.info.zid()}/{told}/_", key)
        for incoming in graph.incoming:
            topic = remapped(incoming.topic, self._names)
            key = topic_key(self._domain, topic, incoming.type)
            self._subscribers.append(self._session.declare_subscriber(key, _hearing(incoming, hearer)))
            self._announce(SUBSCRIBER, self._described(topic, incoming.type, False))
            self._watch(incoming, topic)

    def _described(self, topic: str, name: str, latched: bool) -> str:
        return f"/{mangled(topic)}/{dds_type(name)}/{type_hash(name)}/{KEPT if latched else RELIABLE}"

    def _announce(self, kind: str, rest: str) -> int:
        """A token that lives as long as the session."""
        number, self._ids = self._ids, self._ids + 1
        before = f"{TOKENS}/{self._domain}/{self._session.info.zid()}/0/{number}/{kind}/%/%/{self._node}"
        self._tokens.append(self._session.liveliness().declare_token(before + rest))
        return number

    def _keep(self, which: int, key: str, topic: str) -> None:
        """The last message, for who comes later and asks, as rmw_zenoh's transient local subscribers do."""

        def answer(query: Any) -> None:
            if which in self._kept:
                payload, attachment = self._kept[which]
                query.reply(topic, payload, attachment=attachment)

        self._subscribers.append(self._session.declare_queryable(key, answer))

    def _serve(self, service: Service, desk: Desk) -> None:
        """Answer queries; the answer has the number and the sender of the question, by which a client knows it."""
        name = remapped(service.name, self._names)
        key = service_key(self._domain, name, service.type)

        def asked(query: Any) -> None:
            number, _, _, sender = ATTACHED.unpack(query.attachment.to_bytes()) if query.attachment else (0, 0, 0, b"")

            def answer(content: bytes) -> None:
                attachment = ATTACHED.pack(number, time.time_ns(), len(self._gid), sender)
                query.reply(key, content, attachment=attachment)
                query.drop()

            desk.take(service, query.payload.to_bytes() if query.payload else b"", answer)

        self._subscribers.append(self._session.declare_queryable(key, asked, complete=True))
        told = f"/{mangled(name)}/{dds_type(service.type)}/{service_hash(service.type)}/{RELIABLE}"
        self._announce(SERVICE, told)

    def send(self, which: int, sample: Sample) -> None:
        """Publish."""
        publisher, maker = self._publishers[which]
        self._counts[which] += 1
        attachment = ATTACHED.pack(self._counts[which], time.time_ns(), len(self._gid), self._gid)
        payload = maker.fill(sample)
        self._kept[which] = payload, attachment
        publisher.put(payload, attachment=attachment)

    def _watch(self, incoming: Incoming, topic: str) -> None:
        """Keep in mind who publishes on a topic that the world hears."""
        there = self._there.setdefault(incoming.topic, set())

        def changed(sample: Any) -> None:
            gone = sample.kind == self._zenoh.SampleKind.DELETE
            (there.discard if gone else there.add)(str(sample.key_expr))

        key = f"{TOKENS}/{self._domain}/*/*/*/{PUBLISHER}/*/*/*/{mangled(topic)}/{dds_type(incoming.type)}/**"
        watching = self._session.liveliness().declare_subscriber(key, changed, history=True)
        self._subscribers.append(watching)

    def senders(self, which: Incoming) -> frozenset[str]:
        """Who publishes on a topic that the world hears."""
        return frozenset(self._there[which.topic])

    def ask(self, which: Asked, stamp: int, timeout: float) -> Any:
        """Services of others are not asked."""
        raise InputError(f"{which.name} is a service of another node, and those are not asked over Zenoh: see --names")

    def close(self) -> None:
        """Leave."""
        if self._desk:
            self._desk.close()
        self._session.close()


def _hearing(incoming: Incoming, hearer: Hearer) -> Any:
    def heard(sample: Any) -> None:
        hearer.arrived(incoming, types().deserialize_cdr(sample.payload.to_bytes(), incoming.type))

    return heard
