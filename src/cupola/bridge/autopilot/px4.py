"""PX4's simulator interface: MAVLink over TCP, which PX4 calls; it answers each HIL_SENSOR with HIL_ACTUATOR_CONTROLS.

Written from docs.px4.io (Simulation, "Simulator MAVLink API") and MAVLink's message definitions. PX4 takes the time of
the world for its own. Until it has booted it answers nothing: the world then stands still, and only the time that PX4
is told goes on.
"""

import math
import select
import socket
import time
from collections import deque
from collections.abc import Sequence

from cupola.bridge.autopilot.autopilot import Autopilot
from cupola.bridge.autopilot.hil import CONTROLS, GPS, SENSOR, TRUTH, FrameError, Reader, Writer
from cupola.bridge.autopilot.px4_fields import TEMPERATURE, gps_fields, sensor_fields, truth_fields
from cupola.bridge.autopilot.seen import ALL, Fresh, Seen
from cupola.bridge.lockstep.protocol import PeerError, listen
from cupola.config.controller import parameter
from cupola.kernel.observation import Reference
from cupola.physics.airdata import pressure_altitude
from cupola.physics.atmosphere import GAS_CONSTANT

GNSS_EVERY = 0.1
"""[s] of PX4's time between two fixes while the world stands still."""
BOOTING = 0.02
"""[s] after which a sensor message that PX4 did not answer while it boots is followed by the next."""
ZERO_CELSIUS = 273.15
"""[K]."""
ARMED = 0x80
"""Bit of `mode`: without it nothing turns, whatever the controls say."""
MADE_FOR = 250.0
"""[Hz] of HIL_SENSOR in PX4's own simulations; its rate loop, which answers, has a rate of its own."""
LOCKSTEP = 1
"""Bit of `flags` with which PX4 says that it waits for us, too."""
REMEMBERED = 64
"""Moments whose answers are known for old when they come late."""


def come(link: socket.socket) -> bytes | None:
    """What has come; None: nothing."""
    try:
        content = link.recv(4096)
    except BlockingIOError:
        return None
    except OSError as error:
        raise PeerError(f"PX4 is gone ({error.strerror or error})") from None
    if not content:
        raise PeerError("PX4 is gone: it closed the connection")
    return content


class Px4(Autopilot):
    """PX4's SITL in another process: `cupola autopilot px4`."""

    called = "px4"
    peer = "PX4"
    transport = "TCP"

    port: parameter = parameter(4560.0, low=0.0, high=65535.0, about="TCP port to listen on; 0: a free one")

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self._listener: socket.socket | None = None
        self._link: socket.socket | None = None
        self._behind = 0
        """[µs] that PX4's time is ahead of the world's: how long it booted."""
        self._fixed_at = 0.0
        self._height = 0.0

    def open(self) -> int:
        """Listen; returns the port."""
        if self._listener is None:
            self._listener = listen(int(self.port))
        return int(self._listener.getsockname()[1])

    def close(self) -> None:
        """Hang up, and let go of the port."""
        for one in (self._link, self._listener):
            if one:
                one.close()
        self._link = self._listener = None

    def meet_peer(self, seen: Seen) -> None:
        """Wait for its call, then for its boot: show it the same moment, later and later, until it answers."""
        here = self.open()
        end = time.monotonic() + self.patience
        assert self._listener
        self._listener.settimeout(self.patience)
        try:
            self._link, _ = self._listener.accept()
        except TimeoutError:
            raise PeerError(f"PX4 did not call on TCP port {here} within {self.patience:g} s") from None
        self._link.setblocking(False)
        self._link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._writer, self._reader = Writer(1, 51), Reader(CONTROLS)
        self._shown: deque[int] = deque(maxlen=REMEMBERED)
        self._fixed_at, self._step = -math.inf, round(1e6 / self.rate_hz_here)
        self._behind = self._step  # a time of 0 means "never" in PX4
        while True:
            self._show(seen, ALL)
            if self._answer(BOOTING, of_any_moment=True) is not None:
                self._behind += self._step
                return
            if time.monotonic() > end:
                raise PeerError(
                    f"PX4 called on TCP port {here}, but sent no HIL_ACTUATOR_CONTROLS within {self.patience:g} s"
                )
            self._behind += self._step

    def exchange(self, seen: Seen, ref: Reference) -> Sequence[float]:
        """Sensors go out; actuators come back."""
        self._show(seen, seen.fresh)
        controls = self._answer(self.timeout)
        if controls is None:
            fast = f", shown {self.rate_hz_here:g} moments per second" if self.rate_hz_here > MADE_FOR else ""
            raise PeerError(f"PX4 did not answer within {self.timeout:g} s{fast}")
        return controls

    def _show(self, seen: Seen, fresh: Fresh) -> None:
        """The sensors of a moment, and what has been measured since the one before; a fix when there is a new one."""
        micros = round(seen.time * 1e6) + self._behind
        if fresh.pressure and seen.pressure is not None:
            self._height = float(pressure_altitude(seen.pressure))
        row = sensor_fields(seen, micros, fresh, self._height, self._pitot(seen))
        out = self._writer.frame(SENSOR, row)
        if fresh.fix and (fresh is not ALL or micros * 1e-6 >= self._fixed_at + GNSS_EVERY):
            self._fixed_at = micros * 1e-6
            assert seen.fix
            out += self._writer.frame(GPS, gps_fields(seen.fix, micros))
            out += self._writer.frame(TRUTH, truth_fields(seen, seen.fix, micros))
        self._shown.append(micros)
        assert self._link
        try:
            self._link.sendall(out)
        except BlockingIOError:
            raise PeerError("PX4 hangs: it does not read what it is sent") from None
        except OSError as error:
            raise PeerError(f"PX4 is gone ({error.strerror or error})") from None

    def _pitot(self, seen: Seen) -> float | None:
        """[Pa] of its pitot tube; of a plane without one, that of its airspeed in the air that PX4 is told."""
        assert self.match
        if seen.pitot is not None or "throttle" not in self.match.airframe.outputs or seen.pressure is None:
            return seen.pitot
        return 0.5 * seen.pressure / (GAS_CONSTANT * (TEMPERATURE + ZERO_CELSIUS)) * seen.airspeed * seen.airspeed

    def _answer(self, timeout: float, of_any_moment: bool = False) -> Sequence[float] | None:
        """Controls of the next HIL_ACTUATOR_CONTROLS; None: there was none in time."""
        assert self._link
        end = time.monotonic() + timeout
        while True:
            content = come(self._link)
            if content is None:
                content = self.polling.look(come, self._link)
            if content is not None and (found := self._newest(content, of_any_moment)) is not None:
                return found
            left = end - time.monotonic()
            if left <= 0.0 or (content is None and not select.select([self._link], [], [], left)[0]):
                return None

    def _newest(self, content: bytes, of_any_moment: bool) -> Sequence[float] | None:
        """The last of what came; once it has booted, no late answer to an earlier moment: one follows to this one.

        Who took the late one would be a moment behind for the rest of the flight.
        """
        now = self._shown[-1]
        try:
            rows = list(self._reader.take(content))
            came = [row for row in rows if of_any_moment or row[0] == now or row[0] not in self._shown]
        except FrameError as error:
            raise PeerError(f"PX4 speaks another version of MAVLink: {error}") from None
        if not came:
            return None
        _, flags, *controls, mode = came[-1]
        if not flags & LOCKSTEP:
            self.once("lockstep", "PX4 says that it does not wait for the world: build it with lock step")
        if not mode & ARMED:
            return [0.0] * len(controls)
        # What PX4 does not command is not a number.
        return [0.0 if math.isnan(value) else value for value in controls]
