"""Betaflight's SITL: packets of numbers over UDP, one of motors for each one of state.

The world sends the state to port + 2 and the sticks to port + 3 (9003 and 9004), and hears the motors on `port` (9001),
in the order of Betaflight's own mixer and in microseconds. Versions before 4.4 send the motors of a quadcopter to
port + 1 (9002) only, in another order, and know no pressure: `older`. Written from target/SITL of Betaflight: the
structures `fdm_packet`, `rc_packet`, `servo_packet` and `servo_packet_raw`. Its clock is that of the computer, scaled.
"""

import math
import socket
import struct
import time
from collections.abc import Sequence

from cupola.bridge.autopilot.autopilot import Autopilot
from cupola.bridge.autopilot.datagrams import bind, port_of, receive, send, waiting_already
from cupola.bridge.autopilot.radio import radio
from cupola.bridge.autopilot.seen import Seen
from cupola.bridge.lockstep.protocol import HERE, PeerError
from cupola.config.controller import parameter
from cupola.kernel.observation import Reference

STATE = struct.Struct("<17d")
"""Time, rate, specific force, attitude (w, x, y, z), velocity, position; newer versions add the pressure."""
PRESSURE = struct.Struct("<d")
RADIO = struct.Struct("<d16H")
RAW = struct.Struct("<H2x16f")
"""How many motors, then all outputs [µs]: motors, then servos."""
FOUR = struct.Struct("<4f")
"""Throttles, 0 to 1, front right, back left, front left, back right."""
OLD_ORDER = (1, 2, 3, 0)
"""Betaflight's motor of each number in `FOUR`."""
AGAIN = 0.5
"""[s] after which a state that nobody answered is sent again."""


def state_packet(seen: Seen, older: bool = False) -> bytes:
    """What Betaflight reads: what its sensors see, the attitude, then velocity and position.

    Newer versions read the last two as a satellite receiver's: longitude and latitude [degrees] and height; east,
    north, up. Older ones have them from the origin: north, east, down.
    """
    row = (seen.time, *seen.rate, *seen.force, *seen.quat)
    if older:
        return STATE.pack(*row, *seen.velocity, *seen.position)
    fix = seen.fix
    if fix is None or seen.pressure is None:
        raise PeerError("Betaflight needs a gnss and a barometer part: `cupola autopilot betaflight` adds them")
    place = math.degrees(fix.longitude), math.degrees(fix.latitude), fix.altitude
    return STATE.pack(*row, *fix.vel_w, *place) + PRESSURE.pack(seen.pressure)


class Betaflight(Autopilot):
    """Betaflight's SITL flies, in another process: `cupola autopilot betaflight`."""

    called = "betaflight"
    peer = "Betaflight"

    port: parameter = parameter(
        9001.0, low=0.0, high=65532.0, about="UDP port of the motors; the three above it are used too; 0: free ones"
    )
    older: parameter = parameter(0.0, low=0.0, high=1.0, about="1: a version before 4.4, motors on port + 1 only")

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self._raw: socket.socket | None = None
        self._four: socket.socket | None = None

    def open(self) -> int:
        """Listen for motors; returns the first of the four ports."""
        if self._raw is None:
            self._raw, self._four = bind_pair(int(self.port))
        return port_of(self._raw)

    def close(self) -> None:
        """Let go of the ports."""
        for one in (self._raw, self._four):
            if one:
                one.close()
        self._raw = self._four = None

    def meet_peer(self, seen: Seen) -> None:
        """It does not speak before it has seen something: the first exchange meets it."""
        self.open()

    def exchange(self, seen: Seen, ref: Reference) -> Sequence[float]:
        """State and sticks go out; motors come back. A state that meets a pause of Betaflight's is sent again."""
        assert self._raw and self._four
        here, older = port_of(self._raw), self.older >= 1.0
        heard = self._four if older else self._raw
        state = state_packet(seen, older)
        send(self._raw, RADIO.pack(seen.time, *radio(ref.sticks, nose_up=1000)), (HERE, here + 3))
        while waiting_already(heard) is not None:
            pass  # an answer to a state that was sent twice
        patience = self.timeout if self.exchanges else self.patience
        end = time.monotonic() + patience
        while (left := end - time.monotonic()) > 0.0:
            send(self._raw, state, (HERE, here + 2))
            try:
                content, _ = receive(heard, min(left, AGAIN), "")
            except PeerError:
                continue
            return outputs_of(content, older)
        raise PeerError(self._why(here, patience, older))

    def _why(self, here: int, patience: float, older: bool) -> str:
        """The reason for a silence."""
        assert self._four
        if not older and not self.exchanges and waiting_already(self._four) is not None:
            return (
                f"Betaflight sends motors to UDP port {here + 1} only, not to {here}: it is an older version, "
                "fly with --param older=1"
            )
        return f"Betaflight sent no motors to UDP port {here + older} within {patience:g} s"


def outputs_of(content: bytes, older: bool) -> Sequence[float]:
    """Outputs in Betaflight's order [µs]."""
    expected = FOUR if older else RAW
    if len(content) != expected.size:
        raise PeerError(
            f"Betaflight speaks another version: it sent {len(content)} bytes of motors, expected {expected.size}"
        )
    if not older:
        return expected.unpack(content)[1:]
    throttles = expected.unpack(content)
    found = [0.0] * 4
    for throttle, motor in zip(throttles, OLD_ORDER, strict=True):
        found[motor] = 1000.0 + 1000.0 * throttle
    return found


def bind_pair(port: int) -> tuple[socket.socket, socket.socket]:
    """Two sockets on neighbouring ports; 0: somewhere."""
    tries = 100 if port == 0 else 1
    for k in range(tries):
        first = bind(port)
        try:
            return first, bind(port_of(first) + 1)
        except (PeerError, OverflowError):
            first.close()
            if k == tries - 1:
                raise
    raise AssertionError
