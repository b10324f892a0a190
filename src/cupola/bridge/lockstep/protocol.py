"""Two processes in lock step over a socket of this machine: one asks, the other answers, nobody goes on alone.

A message is the length of what follows (uint32), its kind (one letter), and its content: JSON in UTF-8, or numbers
(float64); all little-endian. Both sides begin with a hello, which names the protocol and its version. Nothing that is
received is ever run, and a message longer than `LONGEST` is refused unread.
"""

import contextlib
import json
import socket
import struct
import time
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

PROTOCOL, VERSION = "cupola lockstep", 1
HERE = "127.0.0.1"
LONGEST = 1 << 24
"""[bytes] of one message."""
HELLO, COMPLAINT = b"H", b"E"
"""Kinds that every conversation knows; a complaint says why the other side hangs up."""
HEAD = struct.Struct("<I")


class PeerError(Exception):
    """The process on the other side is gone, late, or does not speak our language."""


class Message(NamedTuple):
    """What came."""

    kind: bytes
    content: bytes

    def json(self) -> Any:
        """Content as JSON."""
        try:
            return json.loads(self.content)
        except (ValueError, RecursionError):
            raise PeerError(f"a message {self.kind!r} is not JSON") from None

    def numbers(self) -> list[float]:
        """Content as numbers."""
        if len(self.content) % 8:
            raise PeerError(f"a message {self.kind!r} of {len(self.content)} bytes holds no whole float64 numbers")
        return list(struct.unpack(f"<{len(self.content) // 8}d", self.content))


class Link:
    """One end of a connection. `peer` names the other one in messages to people."""

    def __init__(self, connection: socket.socket, peer: str) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket, self.peer = connection, peer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def tell(self, kind: bytes, content: Any) -> None:
        """Send JSON."""
        self._send(kind, json.dumps(content).encode())

    def send(self, kind: bytes, numbers: Iterable[float] = ()) -> None:
        """Send numbers, to the bit."""
        row = tuple(numbers)
        self._send(kind, struct.pack(f"<{len(row)}d", *row))

    def receive(self, timeout: float | None) -> Message:
        """The next message, waited for at most `timeout` [s] (None: for ever)."""
        end = None if timeout is None else time.monotonic() + timeout
        (length,) = HEAD.unpack(self._read(HEAD.size, end, timeout))
        if not 1 <= length <= LONGEST:
            raise PeerError(f"{self.peer} announces a message of {length} bytes; 1 to {LONGEST} are allowed")
        content = self._read(length, end, timeout)
        return Message(content[:1], content[1:])

    def expect(self, kind: bytes, timeout: float | None) -> Message:
        """The next message, which must be of this kind."""
        message = self.receive(timeout)
        if message.kind == COMPLAINT:
            raise PeerError(f"{self.peer} says: {message.json()}")
        if message.kind != kind:
            raise PeerError(f"{self.peer} sent a message {message.kind!r} where {kind!r} was due")
        return message

    def complain(self, why: str) -> None:
        """Tell the other side, if it still listens, why this is the end."""
        with contextlib.suppress(PeerError):
            self.tell(COMPLAINT, why)

    def greet(self, role: str, **about: Any) -> None:
        """Say hello: who we are, and what the other side must know."""
        self.tell(HELLO, {"protocol": PROTOCOL, "version": VERSION, "role": role, **about})

    def meet(self, role: str, timeout: float | None) -> dict[str, Any]:
        """The other side's hello. Whoever is not what we expect is told why and refused."""
        hello = self.expect(HELLO, timeout).json()
        wanted = {"protocol": PROTOCOL, "version": VERSION, "role": role}
        for key, value in wanted.items():
            said = hello.get(key) if isinstance(hello, dict) else None
            if said != value:
                why = f"expected {key} {value!r}, got {said!r}"
                self.complain(why)
                raise PeerError(f"{self.peer} is refused: {why}")
        assert isinstance(hello, dict)
        return hello

    def _send(self, kind: bytes, content: bytes) -> None:
        try:
            self._socket.sendall(HEAD.pack(1 + len(content)) + kind + content)
        except OSError as error:
            raise PeerError(f"{self.peer} is gone ({error.strerror or error})") from None

    def _read(self, size: int, end: float | None, timeout: float | None) -> bytes:
        parts = b""
        while len(parts) < size:
            try:
                self._socket.settimeout(None if end is None else max(end - time.monotonic(), 1e-6))
                part = self._socket.recv(size - len(parts))
            except TimeoutError:
                raise PeerError(f"{self.peer} did not answer within {timeout:g} s") from None
            except OSError as error:
                raise PeerError(f"{self.peer} is gone ({error.strerror or error})") from None
            if not part:
                raise PeerError(f"{self.peer} is gone: it closed the connection")
            parts += part
        return parts


def listen(port: int) -> socket.socket:
    """A socket on which others of this machine may call; port 0 takes a free one."""
    try:
        return socket.create_server((HERE, port), backlog=1)
    except OSError as error:
        raise PeerError(f"cannot listen on port {port}: {error.strerror or error}") from None


def call(port: int, timeout: float, peer: str) -> Link:
    """Connect to whoever listens, now or within `timeout` [s]."""
    end = time.monotonic() + timeout
    while True:
        try:
            return Link(socket.create_connection((HERE, port), timeout), f"{peer} on port {port}")
        except OSError as error:
            if time.monotonic() > end:
                raise PeerError(f"{peer} does not listen on port {port}: {error.strerror or error}") from None
            time.sleep(0.02)
