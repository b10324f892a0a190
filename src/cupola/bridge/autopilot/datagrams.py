"""UDP on this machine, waited for: a datagram within a time-out, or the reason why there is none."""

import os
import select
import socket
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

from cupola.bridge.lockstep.protocol import HERE, PeerError

Address = tuple[str, int]
LONGEST = 65535
MOST = 1000
"""Datagrams taken at once."""
POLLED = 5e-4
"""[s] that an answer is looked for before the thread sleeps: to be woken takes longer, and all is slower after it."""


let_run: Callable[[], None] = getattr(os, "sched_yield", lambda: None)
"""Gives the core away for a moment; not on Windows."""


Found = TypeVar("Found")


class Polling:
    """Looks for an answer without sleeping."""

    def __init__(self) -> None:
        self.spent = 0.0
        """[s] of the thread's own time, in vain."""

    def look(self, ask: Callable[[socket.socket], Found | None], link: socket.socket) -> Found | None:
        """What `ask` finds within `POLLED`; None: nothing."""
        end = time.perf_counter() + POLLED
        began = last = time.thread_time()
        try:
            while time.perf_counter() < end:
                if (found := ask(link)) is not None:
                    return found
                let_run()  # the other end may have to run on this core
                last = time.thread_time()
            return None
        finally:
            self.spent += last - began


def bind(port: int) -> socket.socket:
    """A socket on which this machine is heard; port 0 takes a free one."""
    found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    found.setblocking(False)
    try:
        found.bind((HERE, port))
    except OSError as error:
        found.close()
        raise PeerError(f"cannot listen on UDP port {port}: {error.strerror or error}") from None
    return found


def port_of(listener: socket.socket) -> int:
    """Where it listens."""
    return int(listener.getsockname()[1])


def receive(
    listener: socket.socket, timeout: float, why: str | Callable[[], str], polling: Polling
) -> tuple[bytes, Address]:
    """The next datagram; `why` is said when none comes within `timeout` [s]."""
    if (found := waiting_already(listener)) is not None:
        return found
    end = time.monotonic() + timeout
    while True:
        if (found := polling.look(waiting_already, listener)) is not None:
            return found
        left = end - time.monotonic()
        if left <= 0.0 or not select.select([listener], [], [], left)[0]:
            raise PeerError(why if isinstance(why, str) else why())


def send(listener: socket.socket, content: bytes, to: Address) -> None:
    """Send one datagram; that nobody is there shows when no answer comes."""
    try:
        listener.sendto(content, to)
    except ConnectionError:
        pass
    except OSError as error:
        raise PeerError(f"cannot send to {to[0]}:{to[1]}: {error.strerror or error}") from None


def waiting_already(listener: socket.socket) -> tuple[bytes, Address] | None:
    """A datagram that has come; None: there is none, or what was sent last found nobody, who may come back."""
    try:
        return listener.recvfrom(LONGEST)
    except (BlockingIOError, ConnectionError):
        return None


def come_already(listener: socket.socket) -> Iterator[tuple[bytes, Address]]:
    """Datagrams that have come before they were asked for; who never stops talking does not keep the world."""
    for _ in range(MOST):
        if (found := waiting_already(listener)) is None:
            return
        yield found


def is_heard(port: int) -> bool:
    """Whether somebody on this machine listens on a UDP port, found out by sending there what is no message."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.connect((HERE, port))
        try:
            for _ in range(2):  # that nobody listened to the first is the answer to the second
                link.send(b"\0")
        except ConnectionRefusedError:
            return False
    return True
