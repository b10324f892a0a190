"""PX4's simulator interface: MAVLink over TCP, which PX4 calls; it answers each HIL_SENSOR with HIL_ACTUATOR_CONTROLS.

Written from docs.px4.io (Simulation, "Simulator MAVLink API") and MAVLink's message definitions; `pymavlink` writes and
reads the messages. PX4 takes the time of the world for its own. Until it has booted it answers nothing: the world then
stands still, and only the time that PX4 is told goes on.
"""

import math
import socket
import time
from collections.abc import Sequence
from typing import Any

from cupola.bridge.autopilot.autopilot import Autopilot
from cupola.bridge.autopilot.seen import Seen
from cupola.bridge.lockstep.protocol import PeerError, listen
from cupola.config.controller import parameter
from cupola.kernel.observation import Reference
from cupola.parts.sensors.gnss import GnssReading
from cupola.physics.airdata import pressure_altitude
from cupola.schema.yaml_files import InputError

ACCEL, GYRO, MAG, PRESSURE = 0x007, 0x038, 0x1C0, 0x200 | 0x800 | 0x1000
"""Bits of `fields_updated`; the last also says height and temperature."""
TESLA = 1e4
"""[gauss]."""
GNSS_EVERY = 0.1
"""[s] of the world between two fixes."""
BOOTING = 0.02
"""[s] after which a sensor message that PX4 did not answer while it boots is followed by the next."""
TEMPERATURE = 15.0
"""[°C] told with the pressure."""
LOCKSTEP = 1
"""Bit of `flags` with which PX4 says that it waits for us, too."""


def dialect_of_mavlink() -> Any:
    """MAVLink's common messages."""
    try:
        from pymavlink.dialects.v20 import common
    except ImportError:
        raise InputError("px4 needs pymavlink: pip install 'cupola[mavlink]'") from None
    return common


def sensor_fields(seen: Seen, micros: int, fresh: int) -> tuple[Any, ...]:
    """HIL_SENSOR: front-right-down [m/s², rad/s, gauss], pressure [hPa]; `fresh` are bits of what is new."""
    if seen.field is None or seen.pressure is None or seen.fix is None:
        raise PeerError("PX4 needs a magnetometer, a barometer and a gnss part: `cupola autopilot px4` adds them")
    height = float(pressure_altitude(seen.pressure))
    field = [value * TESLA for value in seen.field]
    air = seen.pressure / 100.0, 0.0, height, TEMPERATURE
    return micros, *seen.force, *seen.rate, *field, *air, fresh


def gps_fields(fix: GnssReading, micros: int) -> tuple[Any, ...]:
    """HIL_GPS: 1e-7 degrees, mm, cm/s, hundredths of degrees."""
    east, north, up = (100.0 * value for value in fix.vel_w)
    course = math.degrees(math.atan2(east, north)) % 360.0
    place = round(math.degrees(fix.latitude) * 1e7), round(math.degrees(fix.longitude) * 1e7), round(fix.altitude * 1e3)
    speed = round(math.hypot(east, north))
    return micros, 3, *place, 30, 40, speed, round(north), round(east), round(-up), round(100.0 * course) % 36000, 12


def truth_fields(seen: Seen, fix: GnssReading, micros: int) -> tuple[Any, ...]:
    """HIL_STATE_QUATERNION, which PX4 only logs: 1e-7 degrees, mm, cm/s, thousandths of g."""
    _, _, *place = gps_fields(fix, micros)[:5]
    velocity = [round(100.0 * value) for value in seen.velocity]
    air = round(100.0 * seen.airspeed)
    force = [round(value / 9.80665e-3) for value in seen.force]
    return micros, list(seen.quat), *seen.rate, *place, *velocity, air, air, *force


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
        self._mavlink: Any = None
        self._behind = 0
        """[µs] that PX4's time is ahead of the world's: how long it booted."""
        self._fixed_at = -1.0

    def open(self) -> int:
        """Listen; returns the port."""
        self._mavlink = dialect_of_mavlink()
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
        self._link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._codec = self._mavlink.MAVLink(None, srcSystem=1, srcComponent=51)
        self._fixed_at, self._behind = -1.0, 0
        while True:
            self._show(seen)
            if self._answer(BOOTING) is not None:
                self._behind += round(1e6 / self.rate_hz_here)
                return
            if time.monotonic() > end:
                raise PeerError(
                    f"PX4 called on TCP port {here}, but sent no HIL_ACTUATOR_CONTROLS within {self.patience:g} s"
                )
            self._behind += round(1e6 / self.rate_hz_here)

    def exchange(self, seen: Seen, ref: Reference) -> Sequence[float]:
        """Sensors go out; actuators come back."""
        self._show(seen)
        controls = self._answer(self.timeout)
        if controls is None:
            raise PeerError(f"PX4 did not answer within {self.timeout:g} s")
        return controls

    def _show(self, seen: Seen) -> None:
        """All sensors of a moment; fixes less often."""
        micros = round(seen.time * 1e6) + self._behind
        fresh = ACCEL | GYRO | MAG | PRESSURE
        out = [self._codec.hil_sensor_encode(*sensor_fields(seen, micros, fresh))]
        if micros * 1e-6 >= self._fixed_at + GNSS_EVERY or self._fixed_at < 0.0:
            self._fixed_at = micros * 1e-6
            assert seen.fix
            out.append(self._codec.hil_gps_encode(*gps_fields(seen.fix, micros)))
            out.append(self._codec.hil_state_quaternion_encode(*truth_fields(seen, seen.fix, micros)))
        assert self._link
        try:
            self._link.sendall(b"".join(message.pack(self._codec) for message in out))
        except OSError as error:
            raise PeerError(f"PX4 is gone ({error.strerror or error})") from None

    def _answer(self, timeout: float) -> Sequence[float] | None:
        """Controls of the next HIL_ACTUATOR_CONTROLS; None: there was none in time."""
        assert self._link
        end = time.monotonic() + timeout
        while (left := end - time.monotonic()) > 0.0:
            self._link.settimeout(left)
            try:
                content = self._link.recv(4096)
            except TimeoutError:
                return None
            except OSError as error:
                raise PeerError(f"PX4 is gone ({error.strerror or error})") from None
            if not content:
                raise PeerError("PX4 is gone: it closed the connection")
            found = self._newest(content)
            if found is not None:
                return found
        return None

    def _newest(self, content: bytes) -> Sequence[float] | None:
        try:
            messages = self._codec.parse_buffer(bytearray(content)) or []
        except self._mavlink.MAVError as error:
            raise PeerError(f"PX4 speaks another version of MAVLink: {error}") from None
        actuators = [one for one in messages if one.get_type() == "HIL_ACTUATOR_CONTROLS"]
        if not actuators:
            return None
        if not actuators[-1].flags & LOCKSTEP:
            self.once("lockstep", "PX4 says that it does not wait for the world: build it with lock step")
        # What PX4 does not command, as a motor before it is armed, is not a number.
        return [0.0 if math.isnan(value) else value for value in actuators[-1].controls]
