"""Betaflight's SITL: packets of numbers over UDP, one of motors for each one of state.

The world sends the state to port + 2 and the sticks to port + 3 (9003 and 9004), and hears the motors on `port` (9001),
in the order of Betaflight's own mixer and in microseconds. Versions before 4.4 send the motors of a quadcopter to
port + 1 (9002) only, in another order, and know no pressure. Written from target/SITL of Betaflight: the structures
`fdm_packet`, `rc_packet`, `servo_packet` and `servo_packet_raw`. Its clock is that of the computer, scaled: `stamps`.

The signs of the state depend on the version, which Betaflight tells over MSP: `state_packet`.
"""

import math
import select
import socket
import struct
import time
from collections.abc import Sequence

from cupola.bridge.autopilot.autopilot import Autopilot
from cupola.bridge.autopilot.datagrams import bind, come_already, is_heard, port_of, receive, send, waiting_already
from cupola.bridge.autopilot.msp import version_on
from cupola.bridge.autopilot.radio import radio
from cupola.bridge.autopilot.seen import Seen, ned_from_frd
from cupola.bridge.autopilot.stamps import Stamps
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
AGAIN = 0.2
"""[s] after which a state that nobody answered is sent again; after 0.5 s Betaflight takes it for a new beginning, and
is silent once more."""
PULSE = (0.0, 0.0, 0.002, 0.0)
"""[s] after each state in a row that sets Betaflight's clock going: it takes its pace from the last two of them. That
of the first two is almost 0, for it measures them from the start of the computer, and a Betaflight that begins to sleep
meanwhile does not wake up again: so the third follows at once."""
GLANCE = 0.05
"""[s] between two looks whether it has started."""
BOOTS = 1.0
"""[s] for Betaflight's command line to open, when it hears UDP already."""
WITH_PRESSURE, AS_GAZEBO = 4.4, 26.0
"""Versions (year.month since 2025) from which the packets mean something else."""

Place = tuple[float, float]
"""Longitude and latitude [degrees]."""


def state_packet(seen: Seen, version: float = AS_GAZEBO, origin: Place | None = None) -> bytes:
    """What Betaflight reads: what its sensors see, the attitude, then velocity and position.

    It turns all three axes of the specific force around, and needs front, left, up: so the front is sent backwards.
    The rest depends on the version. From 4.4 on velocity and position are a satellite receiver's: east, north, up;
    longitude and latitude [degrees] and height; before, they are from the origin: north, east, down. Since 2026 it
    reads what Gazebo's plugin sends: the rate of yaw is positive to the left; the attitude is that of a body with its
    axes front, left, up in west, south, up, with the last two numbers turned around; and longitude and latitude are
    mirrored at the `origin`, the first that it is told.
    """
    rate, force = seen.rate, (-seen.force.x, seen.force.y, seen.force.z)
    if version < WITH_PRESSURE:
        return STATE.pack(seen.time, *rate, *force, *seen.quat, *seen.velocity, *seen.position)
    if seen.fix is None or seen.pressure is None:
        raise PeerError("Betaflight needs a gnss and a barometer part: `cupola autopilot betaflight` adds them")
    longitude, latitude = place = place_of(seen)
    attitude: Sequence[float] = seen.quat
    if version >= AS_GAZEBO:
        w, x, y, z = ned_from_frd(seen.quat)
        attitude = (-z, -y, -x, -w)
        rate = rate._replace(z=-rate.z)
        origin = origin or place
        longitude, latitude = 2.0 * origin[0] - longitude, 2.0 * origin[1] - latitude
    row = (seen.time, *rate, *force, *attitude, *seen.fix.vel_w, longitude, latitude, seen.fix.altitude)
    return STATE.pack(*row) + PRESSURE.pack(seen.pressure)


def place_of(seen: Seen) -> Place:
    """Where its receiver says that it is."""
    assert seen.fix
    return math.degrees(seen.fix.longitude), math.degrees(seen.fix.latitude)


class Betaflight(Autopilot):
    """Betaflight's SITL in another process: `cupola autopilot betaflight`."""

    called = "betaflight"
    peer = "Betaflight"

    port: parameter = parameter(
        9001.0, low=0.0, high=65532.0, about="UDP port of the motors; the three above it are used too; 0: free ones"
    )
    version: parameter = parameter(
        0.0, low=0.0, high=99.0, about="4.5, or year.month: 25.12; 0: it is asked for it; 25.12 for a build for X-Plane"
    )
    msp: parameter = parameter(5761.0, low=1.0, high=65535.0, about="TCP port on which it tells its version")
    older: parameter = parameter(0.0, low=0.0, high=1.0, about="1: a version before 4.4, motors on port + 1 only")

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self._raw: socket.socket | None = None
        self._four: socket.socket | None = None
        self._release = AS_GAZEBO
        self._origin: Place | None = None
        self._stamps = Stamps()

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
        """Wait until it has started, ask for its version, then show the state until it moves its motors."""
        here, end = self.open(), time.monotonic() + self.patience
        assert self._raw and self._four
        given = WITH_PRESSURE - 0.1 if self.older >= 1.0 else float(self.version)
        self._stamps, self._origin = Stamps(), place_of(seen) if seen.fix else None
        state_packet(seen, given or AS_GAZEBO)  # what is missing is said before anybody is waited for
        while not self._speaks(0.0) and not is_heard(here + 3):
            self._look_at(end, here)
            time.sleep(GLANCE)
        self._release = given or self._asked(time.monotonic() + BOOTS)
        while True:
            self._pulse(seen, here)
            if self._speaks(AGAIN):
                return
            self._look_at(end, here)

    def _speaks(self, within: float) -> bool:
        heard = [one for one in (self._raw, self._four) if one]
        return bool(select.select(heard, [], [], within)[0])

    def _look_at(self, end: float, here: int) -> None:
        if time.monotonic() > end:
            raise PeerError(f"Betaflight sent no motors to UDP port {here} within {self.patience:g} s")

    def _asked(self, end: float) -> float:
        """Its version. Who answers has booted: a state that comes earlier may stop it for good."""
        while not (found := version_on(int(self.msp))):
            if time.monotonic() > end:
                return self._unknown()
            time.sleep(GLANCE)
        return found

    def _unknown(self) -> float:
        self.once(
            "version",
            f"Betaflight does not tell its version on TCP port {self.msp:g} (MSP): it is taken for one of 2026 or "
            "later; for another, fly with --param version=4.5 or the like",
        )
        return AS_GAZEBO

    def exchange(self, seen: Seen, ref: Reference) -> Sequence[float]:
        """State and sticks go out; motors come back. A state that meets a pause of Betaflight's is sent again."""
        assert self._raw and self._four
        here, older = port_of(self._raw), self._release < WITH_PRESSURE
        heard = self._four if older else self._raw
        send(self._raw, RADIO.pack(seen.time, *radio(ref.sticks, nose_up=1000)), (HERE, here + 3))
        for _ in come_already(heard):
            pass  # an answer to a state that was sent twice
        patience = self.timeout if self.exchanges else self.patience
        end = time.monotonic() + patience
        send(self._raw, self._state(seen, 1.0 / self.rate_hz_here), (HERE, here + 2))
        while (left := end - time.monotonic()) > 0.0:
            try:
                content, _ = receive(heard, min(left, AGAIN), "", self.polling)
            except PeerError:
                self._pulse(seen, here)
                continue
            return outputs_of(content, older)
        raise PeerError(self._why(here, patience, older))

    def _pulse(self, seen: Seen, here: int) -> None:
        """The same state some times."""
        assert self._raw
        for pause in PULSE:
            send(self._raw, self._state(seen, 0.0), (HERE, here + 2))
            time.sleep(pause)

    def _state(self, seen: Seen, flown: float) -> bytes:
        stamp = self._stamps.next(time.monotonic(), flown)
        return state_packet(seen._replace(time=stamp), self._release, self._origin)

    def _why(self, here: int, patience: float, older: bool) -> str:
        """The reason for a silence."""
        assert self._four
        if not older and not self.exchanges and waiting_already(self._four) is not None:
            return (
                f"Betaflight sends motors to UDP port {here + 1} only, not to {here}: if it is a version before 4.4, "
                "fly with --param older=1; else it hangs, and must be started anew"
            )
        return f"Betaflight sent no motors to UDP port {here + older} within {patience:g} s"


def outputs_of(content: bytes, older: bool) -> Sequence[float]:
    """Outputs in Betaflight's order [µs]."""
    expected = FOUR if older else RAW
    if len(content) != expected.size:
        raise PeerError(
            f"Betaflight speaks another version: it sent {len(content)} bytes of motors, expected {expected.size}"
        )
    numbers = expected.unpack(content)
    if not all(map(math.isfinite, numbers)):
        raise PeerError("Betaflight sent motors that are no numbers")
    if not older:
        return numbers[1:]
    throttles = numbers
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
