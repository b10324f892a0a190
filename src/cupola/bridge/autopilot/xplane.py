"""X-Plane's UDP interface, with which iNav and others fly: they ask for datarefs, and write those of the controls.

Written from X-Plane's "Exchanging data with X-Plane" (RREF, DREF). A peer subscribes to datarefs (RREF) on port 49000,
gets their values, and writes others (DREF). X-Plane itself waits for nobody; here the world waits until roll, pitch,
heading and throttle have each been written after the values went out, which iNav does for every packet of values.
"""

import math
import socket
import struct
import time
from collections.abc import Sequence

from cupola.bridge.autopilot.autopilot import Autopilot
from cupola.bridge.autopilot.datagrams import Address, bind, come_already, port_of, receive, send
from cupola.bridge.autopilot.seen import Seen
from cupola.bridge.lockstep.protocol import PeerError
from cupola.config.controller import parameter
from cupola.kernel.observation import PITCH, ROLL, THROTTLE, YAW, Reference
from cupola.physics.rotation import Quaternion, Vector, euler_from_quaternion

ASK = struct.Struct("<4sxii400s")
"""RREF: values per second (0: none any more), the number under which they are sent, the dataref."""
WRITE = struct.Struct("<4sxf500s")
"""DREF: the value, the dataref."""
ANSWER = b"RREF,"
CONTROLS = {
    "sim/joystick/yoke_roll_ratio": 0,
    "sim/joystick/yoke_pitch_ratio": 1,
    "sim/cockpit2/engine/actuators/throttle_ratio_all": 2,
    "sim/joystick/yoke_heading_ratio": 3,
}
"""What is written, and the output that it is: the order of `plane` in `airframes.yaml`."""
IGNORED = ("sim/operation/override/", "sim/cockpit2/engine/actuators/cowl_flap_ratio")
"""Switches that a peer sets and that change nothing here."""
PLUGIN = "inav_xitl/"
"""Datarefs of a plugin of iNav's: it asks for its version first, and goes on as without it where that is 0."""
GRAVITY = 9.80665
INCH_OF_MERCURY = 3386.389
"""[Pa]."""
AGAIN = 0.25
"""[s] after which values are sent again to a peer that starts up."""
AXES = {f"sim/joystick/joy_mapped_axis_value[{place}]": k for k, place in enumerate((58, 59, 60, 61), 4)}
"""Free channels of a radio, which have the axes of cowl flaps."""


def flight_values(seen: Seen) -> dict[str, float]:
    """What may be asked for of the flight, in X-Plane's units and signs."""
    roll, pitch, yaw = map(math.degrees, euler_from_quaternion(seen.quat))
    north, east, down = seen.velocity
    ahead, right, below = seen.force
    p, q, r = map(math.degrees, seen.rate)
    latitude, longitude, height = seen.fix[:3] if seen.fix else (math.nan,) * 3
    return {
        "sim/flightmodel/position/latitude": math.degrees(latitude),
        "sim/flightmodel/position/longitude": math.degrees(longitude),
        "sim/flightmodel/position/elevation": height,
        "sim/flightmodel/position/y_agl": -seen.position.z,
        "sim/flightmodel/position/local_vx": east,
        "sim/flightmodel/position/local_vy": -down,
        "sim/flightmodel/position/local_vz": -north,
        "sim/flightmodel/position/groundspeed": math.hypot(north, east),
        "sim/flightmodel/position/true_airspeed": seen.airspeed,
        "sim/flightmodel/position/phi": roll,
        "sim/flightmodel/position/theta": pitch,
        "sim/flightmodel/position/psi": yaw % 360.0,
        "sim/flightmodel/position/hpath": math.degrees(math.atan2(east, north)) % 360.0,
        "sim/flightmodel/forces/g_axil": -ahead / GRAVITY,
        "sim/flightmodel/forces/g_side": -right / GRAVITY,
        "sim/flightmodel/forces/g_nrml": -below / GRAVITY,
        "sim/flightmodel/position/P": p,
        "sim/flightmodel/position/Q": q,
        "sim/flightmodel/position/R": r,
        "sim/weather/barometer_current_inhg": (seen.pressure or math.nan) / INCH_OF_MERCURY,
        "sim/time/total_running_time_sec": seen.time,
    }


def stick_values(sticks: Sequence[float], flown: bool) -> dict[str, float]:
    """The radio as a joystick; a stick that is pushed is high, the throttle and free channels are 0 to 1."""
    axes = {"[1]": -sticks[PITCH], "[2]": sticks[ROLL], "[3]": sticks[YAW], "[57]": 0.5 * (sticks[THROTTLE] + 1.0)}
    found = {f"sim/joystick/joy_mapped_axis_value{axis}": value for axis, value in axes.items()}
    found |= {name: 0.5 * (sticks[k] + 1.0) for name, k in AXES.items()}
    return {**found, "sim/joystick/has_joystick": float(flown)}


ZERO, REST = Vector(0.0, 0.0, 0.0), Quaternion(1.0, 0.0, 0.0, 0.0)
OF_FLIGHT = frozenset(flight_values(Seen(0.0, ZERO, ZERO, ZERO, ZERO, REST, 0.0)))
OF_RADIO = frozenset(stick_values([0.0] * 20, False))


class XPlane(Autopilot):
    """An autopilot with X-Plane's interface flies a plane: `cupola autopilot xplane`."""

    called = "xplane"
    peer = "the autopilot (X-Plane's interface)"

    port: parameter = parameter(49000.0, low=0.0, high=65535.0, about="UDP port to listen on; 0: a free one")
    rc: parameter = parameter(0.0, low=0.0, high=1.0, about="1: the sticks of the world are its radio")

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self._socket: socket.socket | None = None
        self._peer: Address | None = None
        self._asked: dict[int, str] = {}
        self._outgoing: list[float] = []
        """Numbers and values of what is asked for; empty: to be made anew."""
        self._written: dict[int, float] = {}
        self._known: dict[bytes, int] = {}
        """Controls by the bytes that name them: as a peer fills them up, so it always does."""

    def open(self) -> int:
        """Listen; returns the port."""
        if self._socket is None:
            self._socket = bind(int(self.port))
        return port_of(self._socket)

    def close(self) -> None:
        """Let go of the port; who asks anew must subscribe anew."""
        if self._socket:
            self._socket.close()
        self._socket, self._peer, self._asked, self._outgoing, self._written = None, None, {}, [], {}

    def meet_peer(self, seen: Seen) -> None:
        """Its first subscription says where it is."""
        here, end = self.open(), time.monotonic() + self.patience
        why = f"nobody asked for datarefs on UDP port {here} within {self.patience:g} s"
        assert self._socket
        while not self._asked:
            self._take(*receive(self._socket, end - time.monotonic(), why, self.polling))

    def exchange(self, seen: Seen, ref: Reference) -> Sequence[float]:
        """Values go out; all four controls come back. Before the first time the values are repeated: it starts up."""
        if seen.fix is None or seen.pressure is None:
            raise PeerError(
                "X-Plane's interface needs a gnss and a barometer part: `cupola autopilot xplane` adds them"
            )
        assert self._socket
        for early in come_already(self._socket):
            self._take(*early)
        self._written = {}
        patience = self.timeout if self.exchanges else self.patience
        end = time.monotonic() + patience
        self._show(seen, ref)
        while len(self._written) < len(CONTROLS):
            left = end - time.monotonic()
            try:
                wait = left if self.exchanges else min(left, AGAIN)
                self._take(*receive(self._socket, wait, lambda: self._why(patience), self.polling))
            except PeerError:
                if self.exchanges or time.monotonic() > end:
                    raise
                self._show(seen, ref)
        return [self._written[k] for k in range(len(CONTROLS))]

    def _show(self, seen: Seen, ref: Reference) -> None:
        """All values that were asked for, in one packet."""
        assert self._socket and self._peer
        if not self._outgoing:
            self._outgoing = [value for number in self._asked for value in (number, 0.0)]
            self._packing = struct.Struct("<" + "if" * len(self._asked))
            self._with_radio = not OF_RADIO.isdisjoint(self._asked.values())
        values = flight_values(seen)
        if self._with_radio:
            values |= stick_values(ref.sticks, self.rc >= 1.0)
        self._outgoing[1::2] = [values.get(name, 0.0) for name in self._asked.values()]
        send(self._socket, ANSWER + self._packing.pack(*self._outgoing), self._peer)

    def _take(self, content: bytes, sender: Address) -> None:
        """A subscription, or a value that is written."""
        kind = content[:4]
        if kind == b"DREF" and len(content) >= WRITE.size:
            _, value, name = WRITE.unpack_from(content)
            control = self._known.get(name)
            if control is None or not math.isfinite(value):
                self._write(name, value)
            else:
                self._written[control] = value
        elif kind == b"RREF" and len(content) >= ASK.size:
            self._peer = sender
            self._subscribe(*ASK.unpack_from(content)[1:])
        else:
            raise PeerError(
                f"{self.peer} sent {len(content)} bytes that begin with {bytes(kind)!r}: known are RREF "
                f"({ASK.size} bytes) and DREF ({WRITE.size} bytes)"
            )

    def _subscribe(self, rate: int, number: int, name: bytes) -> None:
        wanted, self._outgoing = _text(name), []
        if rate == 0:
            self._asked.pop(number, None)
        else:
            self._asked[number] = wanted
            known = wanted in OF_FLIGHT or wanted in OF_RADIO
            if not known and not wanted.startswith(PLUGIN):
                self.once(wanted, f"{self.peer} asks for {wanted}, which is not known here: it gets 0, as from X-Plane")
        if rate and rate != round(self.rate_hz_here):
            self.once("rate", f"{self.peer} asks for {rate} values per second and gets {self.rate_hz_here:g}")

    def _write(self, field: bytes, value: float) -> None:
        name = _text(field)
        if name in CONTROLS:
            if not math.isfinite(value):
                raise PeerError(f"{self.peer} wrote {value} to {name}")
            self._written[CONTROLS[name]] = value
            if len(self._known) < len(CONTROLS):
                self._known[field] = CONTROLS[name]
        elif not name.startswith(IGNORED):
            self.once(name, f"{self.peer} writes {name}, which changes nothing here")

    def _why(self, patience: float) -> str:
        missing = [name for name, k in CONTROLS.items() if k not in self._written]
        return f"{self.peer} did not write {', '.join(missing)} within {patience:g} s"


def _text(field: bytes) -> str:
    """A name that ends in a zero or in blanks."""
    return field.partition(b"\0")[0].decode(errors="replace").strip()
