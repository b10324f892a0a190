"""What a world says and hears: topics out and in, services. A dialect makes a `Graph` of a world, a link carries it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from cupola.record.stream import Stream

Commands = Mapping[int, float]
"""Values by channel of the vehicle."""


class Sample(NamedTuple):
    """One message to send."""

    stamp: int
    """[ns] of the world's time."""
    numbers: Sequence[float] = ()
    """Of the columns of the stream."""
    ending: bytes = b""
    """What a picture ends in."""
    texts: Mapping[str, str] = {}
    """Fields of the stream that are texts of this message alone."""


class Outgoing(NamedTuple):
    """A topic that the world publishes."""

    stream: Stream
    news: Callable[[], Iterable[Sample]]
    """What is new since the last call."""
    latched: bool = False
    """Whether the last message is kept for who comes later."""


class Incoming(NamedTuple):
    """A topic that the world subscribes to: it commands channels of a vehicle, or does something between two ticks."""

    topic: str
    type: str
    vehicle: str = ""
    """Without one, commands are for every vehicle that somebody commands."""
    commands: Callable[[Any], Commands] | None = None
    awaited: bool = False
    """In lock step, whether every step waits for one."""
    act: Callable[[Any], None] | None = None


class Service(NamedTuple):
    """A service of the world, done between two ticks; `act` returns the fields of the answer."""

    name: str
    type: str
    act: Callable[[Any], dict[str, Any]]


class Asked(NamedTuple):
    """A service of the other side that the world asks at every step for the commands of a vehicle."""

    name: str
    type: str
    vehicle: str
    commands: Callable[[Any], Commands]


class Graph(NamedTuple):
    """All of it."""

    outgoing: list[Outgoing]
    incoming: list[Incoming]
    services: list[Service]
    asked: Sequence[Asked] = ()


class Hearer(Protocol):
    """Who is told what arrives, in any thread."""

    def arrived(self, which: Incoming, message: Any) -> None:
        """A message came."""

    def call(self, which: Service, request: Any) -> dict[str, Any]:
        """Do it between two ticks; returns the answer."""


class Link(Protocol):
    """What carries a graph: rospy, DDS or Zenoh."""

    peer: str
    """Its name in sentences."""

    def open(self, graph: Graph, hearer: Hearer, lockstep: bool) -> None:
        """Announce everything. In lock step who comes late must get the newest state all the same, where that works."""

    def send(self, which: int, sample: Sample) -> None:
        """Publish on `graph.outgoing[which]`."""

    def senders(self, which: Incoming) -> frozenset[str]:
        """Who publishes on a topic that the world hears, and is connected now; one that comes anew has another name."""

    def ask(self, which: Asked, stamp: int, timeout: float) -> Any:
        """The answer of a service of the other side."""

    def close(self) -> None:
        """Take everything back."""
