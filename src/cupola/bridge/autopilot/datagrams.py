"""UDP on this machine, waited for: a datagram within a time-out, or the reason why there is none."""

import socket
import time

from cupola.bridge.lockstep.protocol import HERE, PeerError

Address = tuple[str, int]
LONGEST = 65535


def bind(port: int) -> socket.socket:
    """A socket on which this machine is heard; port 0 takes a free one."""
    found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        found.bind((HERE, port))
    except OSError as error:
        found.close()
        raise PeerError(f"cannot listen on UDP port {port}: {error.strerror or error}") from None
    return found


def port_of(listener: socket.socket) -> int:
    """Where it listens."""
    return int(listener.getsockname()[1])


def receive(listener: socket.socket, timeout: float, why: str) -> tuple[bytes, Address]:
    """The next datagram; `why` is said when none comes within `timeout` [s]."""
    end = time.monotonic() + timeout
    while True:
        left = min(timeout, end - time.monotonic())
        if left <= 0.0:
            raise PeerError(why)
        if abs(left - (listener.gettimeout() or 0.0)) > 1e-3:  # to set it takes longer than to receive
            listener.settimeout(left)
        try:
            return listener.recvfrom(LONGEST)
        except TimeoutError:
            raise PeerError(why) from None
        except ConnectionError:
            continue  # what was sent last found nobody: who is gone may come back until the end


def send(listener: socket.socket, content: bytes, to: Address) -> None:
    """Send one datagram; that nobody is there shows when no answer comes."""
    try:
        listener.sendto(content, to)
    except ConnectionError:
        pass
    except OSError as error:
        raise PeerError(f"cannot send to {to[0]}:{to[1]}: {error.strerror or error}") from None


def waiting_already(listener: socket.socket) -> tuple[bytes, Address] | None:
    """A datagram that has come before it was asked for; None: there is none."""
    listener.setblocking(False)
    try:
        return listener.recvfrom(LONGEST)
    except (BlockingIOError, ConnectionError):
        return None


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
