"""ArduPilot's JSON interface: a datagram of servo outputs in, a line of JSON out, nobody goes on alone.

Written from libraries/SITL/examples/JSON/readme.md of ArduPilot. It speaks first, from a port of its own, to which is
answered; it takes the time of the world for its own.
"""

import logging
import socket
import struct
import time
from collections.abc import Sequence

from cupola.bridge.autopilot.autopilot import Autopilot
from cupola.bridge.autopilot.datagrams import Address, bind, come_already, port_of, receive, send
from cupola.bridge.autopilot.radio import radio
from cupola.bridge.autopilot.seen import Seen
from cupola.bridge.lockstep.protocol import PeerError
from cupola.config.controller import parameter
from cupola.kernel.observation import Reference

log = logging.getLogger("cupola.bridge")
MAGIC = {18458: 16, 29569: 32}
"""What a packet begins with, and how many outputs follow."""
HEAD = struct.Struct("<HHI")
"""Magic number, rate that the autopilot asks for [Hz], number of the frame."""
OUTPUTS = {count: struct.Struct(f"<{count}H") for count in MAGIC.values()}
STATE = (
    '\n{"timestamp":%r,"imu":{"gyro":[%r,%r,%r],"accel_body":[%r,%r,%r]},"position":[%r,%r,%r],'
    '"quaternion":[%r,%r,%r,%r],"velocity":[%r,%r,%r],"airspeed":%r%s}\n'
)
"""A line of JSON, filled in one go: it is written a thousand times a second."""
BUSY = 0.5
"""[s] after which ArduPilot may have repeated itself; it does so every 10 s, and every second when it starts."""
CHANNELS = 12
"""Of a radio, that ArduPilot reads from JSON."""


class Frame:
    """One packet of servo outputs."""

    def __init__(self, content: bytes) -> None:
        if len(content) < HEAD.size:
            raise PeerError(f"ArduPilot sent {len(content)} bytes: too few for a packet of servo outputs")
        magic, self.rate_hz, self.count = HEAD.unpack_from(content)
        if magic not in MAGIC:
            known = ", ".join(f"{number} ({count} outputs)" for number, count in MAGIC.items())
            raise PeerError(f"ArduPilot speaks another version: magic number {magic}, known: {known}")
        outputs = OUTPUTS[MAGIC[magic]]
        if len(content) != HEAD.size + outputs.size:
            raise PeerError(
                f"ArduPilot sent {len(content)} bytes with magic number {magic}: expected {HEAD.size + outputs.size}"
            )
        self.pwm: tuple[int, ...] = outputs.unpack_from(content, HEAD.size)
        """[µs]."""


def state_text(seen: Seen, rc: Sequence[int] = ()) -> bytes:
    """What ArduPilot reads: all digits of every number."""
    more = "".join(f',"rng_{k}":{value!r}' for k, value in enumerate(seen.ranges, 1))
    if rc:
        more += ',"rc":{' + ",".join(f'"rc_{k}":{value}' for k, value in enumerate(rc, 1)) + "}"
    numbers = seen.time, *seen.rate, *seen.force, *seen.position, *seen.quat, *seen.velocity, seen.airspeed
    return (STATE % (*numbers, more)).encode()


class ArduPilot(Autopilot):
    """ArduCopter or ArduPlane in another process: `cupola autopilot ardupilot`."""

    called = "ardupilot"
    peer = "ArduPilot"

    port: parameter = parameter(9002.0, low=0.0, high=65535.0, about="UDP port to listen on; 0: a free one")
    rc: parameter = parameter(0.0, low=0.0, high=1.0, about="1: the sticks of the world are its radio")

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self._socket: socket.socket | None = None
        self._peer: Address | None = None
        self._former: set[Address] = set()
        """Where it called from before it was started anew."""
        self._count = -1

    def open(self) -> int:
        """Listen; returns the port."""
        if self._socket is None:
            self._socket = bind(int(self.port))
        return port_of(self._socket)

    def close(self) -> None:
        """Let go of the port."""
        if self._socket:
            self._socket.close()
        self._socket, self._peer, self._former, self._count = None, None, set(), -1

    def meet_peer(self, seen: Seen) -> None:
        """Its first packet says where it is."""
        here = self.open()
        assert self._socket
        if self._peer is None:
            why = f"ArduPilot did not call on UDP port {here} within {self.patience:g} s"
            self._take(*receive(self._socket, self.patience, why, self.polling))

    def exchange(self, seen: Seen, ref: Reference) -> Sequence[float]:
        """The state goes out; the next frame is the answer. One that comes again, or anew, did not get it."""
        text = state_text(seen, radio(ref.sticks)[:CHANNELS] if self.rc >= 1.0 else ())
        assert self._socket
        if time.perf_counter() > self.ended.wall + BUSY:
            for content, sender in come_already(self._socket):
                if not self._is_strange(content, sender):
                    self._take(content, sender)  # repeated while the world was busy: one answer is enough
        end = time.monotonic() + self.timeout
        why = f"ArduPilot did not answer within {self.timeout:g} s"
        while True:
            assert self._peer
            send(self._socket, text, self._peer)
            before = self._count
            frame = self._hear(end, why)
            if frame.count > before:
                if frame.count > before + 1:
                    self.once("lost", f"ArduPilot went from frame {before} to {frame.count}: packets were lost")
                return frame.pwm
            if frame.count < before:
                log.warning("ArduPilot was started anew at %g s; the world goes on where it was", seen.time)

    def _hear(self, end: float, why: str) -> Frame:
        """The next frame."""
        assert self._socket
        while True:
            content, sender = receive(self._socket, end - time.monotonic(), why, self.polling)
            if not self._is_strange(content, sender):
                return self._take(content, sender)

    def _is_strange(self, content: bytes, sender: Address) -> bool:
        """Whether somebody else sent what is no frame: that is no reason to end a flight."""
        if sender == self._peer:
            return False
        try:
            Frame(content)
        except PeerError as error:
            self.once("strange", f"{sender[0]}:{sender[1]} is not the ArduPilot that flies and is not heard: {error}")
            return True
        return False

    def _take(self, content: bytes, sender: Address) -> Frame:
        frame = Frame(content)
        if sender in self._former:
            raise PeerError(
                f"two ArduPilots call on UDP port {self.open()}, from {self._peer} and {sender}: start the second "
                "with -I1 for a second vehicle"
            )
        if self._peer and sender != self._peer:
            self._former.add(self._peer)
        self._count, self._peer = frame.count, sender
        if frame.rate_hz and frame.rate_hz != round(self.rate_hz_here):
            self.once(
                "rate",
                f"ArduPilot asks for {frame.rate_hz} exchanges per second (SIM_RATE_HZ) and gets "
                f"{self.rate_hz_here:g}; its time is that of the world all the same",
            )
        return frame
