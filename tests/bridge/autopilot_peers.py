"""Autopilots in the place of real ones, each written from the documents of its protocol; they share no code with it.

Run as a program, one of them flies as a process of its own: `python autopilot_peers.py ardupilot PORT`.
"""

import contextlib
import json
import math
import select
import socket
import struct
import sys
import threading
import time
from typing import Any, NamedTuple

HERE = "127.0.0.1"
HOVER = 0.47
"""Throttle at which the quadcopter of Last_letter_2 hovers."""


class Told(NamedTuple):
    """What the state says, as an autopilot reads it: north-east-down, front-right-down."""

    time: float
    gyro: list[float]
    accel: list[float]
    position: list[float]
    velocity: list[float]
    euler: list[float]


def euler(q):
    w, x, y, z = q
    return [
        math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
        math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x)))),
        math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    ]


def cascade(told, goal=(0.0, 0.0, 3.0), heading=math.pi / 2, reversed_spin=True):
    """A plain quadcopter controller in the autopilot's axes.

    Returns the throttles of the motors front right, back left, front left, back right.
    """
    roll, pitch, yaw = told.euler
    p, q, r = told.gyro
    n, e, d = told.position
    vn, ve, vd = told.velocity
    want_n, want_e = 0.8 * (goal[0] - n) - 1.2 * vn, 0.8 * (goal[1] - e) - 1.2 * ve
    forward, right = (
        want_n * math.cos(yaw) + want_e * math.sin(yaw),
        -want_n * math.sin(yaw) + want_e * math.cos(yaw),
    )
    limit = 0.25
    want_pitch = max(-limit, min(limit, -forward / 9.81))
    want_roll = max(-limit, min(limit, right / 9.81))
    off = (heading - yaw + math.pi) % (2 * math.pi) - math.pi
    up = HOVER + 0.10 * (goal[2] + d) + 0.12 * vd
    turn = 0.10 * (want_roll - roll) * 4 - 0.05 * p
    lift = 0.10 * (want_pitch - pitch) * 4 - 0.05 * q
    spin = (0.10 * off - 0.15 * r) * (-1 if reversed_spin else 1)
    signs = ((-1, 1, 1), (1, -1, 1), (1, 1, -1), (-1, -1, -1))
    return [max(0.0, min(1.0, up + a * turn + b * lift + c * spin)) for a, b, c in signs]


def read_ardupilot(text):
    """The JSON line that ArduPilot reads."""
    assert text.startswith(b"\n") and text.endswith(b"\n")
    found = json.loads(text)
    angles = found.get("attitude") or euler(found["quaternion"])
    imu = found["imu"]
    return Told(found["timestamp"], imu["gyro"], imu["accel_body"], found["position"], found["velocity"], angles)


def servo_packet(count, pwm, rate=1000, magic=18458, channels=16):
    """What ArduPilot sends."""
    row = [*pwm, *[1500] * (channels - len(pwm))]
    return struct.pack(f"<HHI{channels}H", magic, rate, count, *row)


def pwm_of(throttles):
    return [round(1000 + 1000 * value) for value in throttles]


def ardupilot(port, law=cascade, frames=1 << 30, rate=1000, magic=18458, first=0, channels=16, wait=20.0, hurt=None):
    """Fly the world on a port for some frames. `hurt(count)` says what goes wrong at a frame: "twice" or "skip"."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.settimeout(wait)
        pwm, count = [1000] * 4, first
        for _ in range(frames):
            packet = servo_packet(count, pwm, rate, magic, channels)
            link.sendto(packet, (HERE, port))
            wrong = hurt(count) if hurt else ""
            if wrong == "twice":
                link.sendto(packet, (HERE, port))
            try:
                text = link.recv(65535)
            except (TimeoutError, ConnectionError):
                return
            told = read_ardupilot(text)
            pwm = pwm_of(law(told))
            count += 2 if wrong == "skip" else 1


def betaflight(port, law=cascade, frames=1 << 30, wait=20.0, version=26.0, size=None, radio=None):
    """Answer each state with motors, as target/SITL of Betaflight does; `radio` collects what its receiver hears."""
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver,
    ):
        link.bind((HERE, port + 2))
        receiver.bind((HERE, port + 3))
        link.settimeout(wait)
        receiver.setblocking(False)
        older, origin, answered, clock = version < 4.4, None, 0, BetaflightClock()
        while answered < frames:
            try:
                state = link.recv(65535)
            except (TimeoutError, ConnectionError):
                return
            assert len(state) == 8 * (17 if older else 18)
            origin = origin or struct.unpack_from("<2d", state, 14 * 8)
            told = read_betaflight(state, version, origin)
            if radio is not None:
                with contextlib.suppress(BlockingIOError):
                    heard = receiver.recv(65535)
                    radio += [struct.unpack("<d16H", heard)] if len(heard) == 40 else []
            front_right, back_left, front_left, back_right = law(told)
            four = [front_right, back_left, front_left, back_right]
            if not older:  # the newest send them in their own order
                four = [back_right, front_right, back_left, front_left]
            link.sendto(struct.pack("<4f", *four), (HERE, port + 1))
            pwm = [1000 + 1000 * value for value in (back_right, front_right, back_left, front_left)]
            raw = struct.pack("<Hxx16f", 4, *pwm, *[0.0] * 12)
            goes = clock.goes(struct.unpack_from("<d", state)[0], time.monotonic())
            if not older and goes:  # else it only shows that it is there
                link.sendto(raw[:size], (HERE, port))
            answered += older or goes


class BetaflightClock:
    """The computer's, times a factor: the step of two times on packets by the time between them, if below 20 ms.

    After a pause of 0.5 s a packet is only answered; the moment of the packet before is 0 until two have been taken, so
    that the first factor is almost 0 and the clock stands still.
    """

    def __init__(self):
        self.stamp, self.seen, self.taken, self.factor = 0.0, -math.inf, 0.0, 1.0

    def goes(self, stamp, now):
        """Take a packet; returns whether the clock goes and motors follow."""
        if now > self.seen + 0.5:
            self.stamp, self.seen = stamp, now
            return False
        if 0.0 < stamp - self.stamp < 0.02:
            self.factor = (stamp - self.stamp) / (now - self.taken)
        self.stamp, self.seen, self.taken = stamp, now, now
        return self.factor > 1e-4


def read_betaflight(state, version=26.0, origin=None):
    """The structure `fdm_packet`, as `updateState` turns it into what its sensors see: front, left, up.

    From 4.4 on velocity and place are a receiver's. Since 2026 the bridge is that of Gazebo: the rate of yaw has
    another sign, the attitude is turned to north, west, up, and the place is mirrored at the first one.
    """
    older, gazebo = version < 4.4, version >= 26.0
    row = struct.unpack(f"<{17 if older else 18}d", state)
    p, q, r = row[1], -row[2], (row[3] if gazebo else -row[3])
    ahead, left, up = (-value for value in row[4:7])
    angles = euler(row[7:11])
    if gazebo:
        w, x, y, z = row[7], row[8], -row[9], -row[10]
        roll, down, west = euler([math.sqrt(0.5) * v for v in (w - z, x - y, y + x, z + w)])
        angles = [roll, -down, -west]
    velocity, place = list(row[11:14]), list(row[14:17])
    if not older:
        assert 80000 < row[17] < 110000
        east, north, rise = velocity
        velocity = [north, east, -rise]
        lon, lat, height = place
        if gazebo:
            lon, lat = 2 * origin[0] - lon, 2 * origin[1] - lat
        metre = math.radians(6371000.0)
        place = [(lat - 37.9838) * metre, (lon - 23.7275) * metre * math.cos(math.radians(37.9838)), -height]
    return Told(row[0], [p, -q, -r], [ahead, -left, -up], place, velocity, angles)


def msp(major, minor):
    """A socket on which a configurator's protocol tells a version, once; returns its port."""
    listener = socket.create_server((HERE, 0))

    def answer():
        with listener, listener.accept()[0] as link:
            assert link.recv(64) == b"$M<\x00\x03\x03"
            link.sendall(bytes((0, 7)) + b"$M>" + bytes((3, 3, major, minor, 0, 3 ^ 3 ^ major ^ minor)))

    threading.Thread(target=answer, daemon=True).start()
    return listener.getsockname()[1]


def px4(
    port, law=cascade, frames=1 << 30, wait=20.0, boot=5, seen=None, noise=b"", flags=1, mode=129, slow=0.0, stamp=int
):
    """Call the world; after `boot` messages of sensors, answer each with controls, as PX4 does.

    `slow` [s]: what the first answer takes. Meanwhile it is shown more moments, each of which it then answers.
    """
    from pymavlink.dialects.v20 import common

    codec = common.MAVLink(None, srcSystem=1, srcComponent=1)
    fix, answered = None, 0
    with socket.create_connection((HERE, port), wait) as link:
        link.sendall(codec.heartbeat_encode(2, 12, 0, 0, 4).pack(codec) + noise)
        while answered < frames:
            try:
                content = link.recv(4096)
            except (TimeoutError, ConnectionError):
                return
            if not content:
                return
            for message in codec.parse_buffer(bytearray(content)) or []:
                if seen is not None:
                    seen.append(message)
                fix = message if message.get_type() == "HIL_STATE_QUATERNION" else fix
                if message.get_type() != "HIL_SENSOR":
                    continue
                boot -= 1
                if boot < 0 and fix is not None:
                    time.sleep(0.0 if answered else slow)
                    throttles = law(message, fix)
                    controls = [*throttles, *[math.nan] * (16 - len(throttles))]
                    out = codec.hil_actuator_controls_encode(stamp(message.time_usec), controls, mode, flags)
                    link.sendall(out.pack(codec))
                    answered += 1


ASKED = (
    "sim/flightmodel/position/phi",
    "sim/flightmodel/position/theta",
    "sim/flightmodel/position/psi",
    "sim/flightmodel/position/P",
    "sim/flightmodel/position/Q",
    "sim/flightmodel/position/R",
    "sim/flightmodel/forces/g_axil",
    "sim/flightmodel/forces/g_side",
    "sim/flightmodel/forces/g_nrml",
    "sim/flightmodel/position/elevation",
    "sim/flightmodel/position/local_vx",
    "sim/flightmodel/position/local_vy",
    "sim/flightmodel/position/local_vz",
    "sim/flightmodel/position/true_airspeed",
)
"""Datarefs that the peer of X-Plane's interface subscribes to, in this order."""


def wings_level(values):
    """Roll, pitch, throttle, heading, from values in the order of `ASKED`: bank 10 degrees, nose 5 up."""
    phi, theta, _, p, q, *_ = values
    return [0.02 * (10.0 - phi) - 0.004 * p, 0.02 * (5.0 - theta) - 0.01 * q, 0.6, 0.0]


PLUGIN = "inav_xitl/plugin/xitlDrefVersion"
"""What iNav asks for first, since 8.0; X-Plane without its plugin answers 0."""


def xplane(port, law=wings_level, frames=1 << 30, wait=20.0, leave_out=(), more=(), values=None, plugin=False):
    """Subscribe, read values, write the controls, again and again, as iNav's SITL does; 413 and 509 bytes.

    `plugin`: ask for the plugin first and for nothing else before that is known, as iNav does since 8.0.
    """
    names = ("sim/joystick/yoke_roll_ratio", "sim/joystick/yoke_pitch_ratio")
    names += ("sim/cockpit2/engine/actuators/throttle_ratio_all", "sim/joystick/yoke_heading_ratio")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.settimeout(wait)
        if plugin:
            link.sendto(struct.pack("<4sxii400s", b"RREF", 100, 1000, PLUGIN.encode()), (HERE, port))
            try:
                assert read_xplane(link.recv(65535)) == {1000: 0.0}
            except (TimeoutError, ConnectionError):
                return
        asked = (*ASKED, *more)
        for k, name in enumerate(asked):
            link.sendto(struct.pack("<4sxii400s", b"RREF", 100, k, name.encode()), (HERE, port))
        for _ in range(frames):
            found = all_values(link, len(asked))
            if found is None:
                return
            if values is not None:
                values.append(found)
            link.sendto(written("sim/operation/override/override_joystick", 1.0), (HERE, port))
            for name, value in zip(names, law([found[k] for k in range(len(ASKED))]), strict=True):
                if name not in leave_out:
                    link.sendto(written(name, value), (HERE, port))


def all_values(link, count):
    """The newest packet that answers all subscriptions, in their order: earlier ones answer those that had come."""
    found: dict[int, float] = {}
    try:
        while len(found) < count or select.select([link], [], [], 0.0)[0]:
            found = read_xplane(link.recv(65535))
            found.pop(1000, None)
    except (TimeoutError, ConnectionError):
        return None
    return dict(sorted(found.items()))


def written(name, value):
    """A DREF, filled up with blanks as X-Plane wants it."""
    return struct.pack("<4sxf", b"DREF", value) + (name.encode() + b"\0").ljust(500)


def read_xplane(content):
    """Values by their number."""
    assert content[:4] == b"RREF" and (len(content) - 5) % 8 == 0
    return dict(struct.iter_unpack("<if", content[5:]))


def lift(message, fix):
    """Throttle by height alone."""
    return [max(0.0, min(1.0, HOVER + 0.1 * (3.0 - fix.alt / 1000.0) - 0.12 * -fix.vz / 100.0))] * 4


def background(function, *arguments, **more):
    """The peer in a thread; join it before the test ends."""
    thread = threading.Thread(target=function, args=arguments, kwargs=more, daemon=True)
    thread.start()
    return thread


PEERS: dict[str, Any] = {"ardupilot": ardupilot, "betaflight": betaflight, "px4": px4, "xplane": xplane}

if __name__ == "__main__":
    law = {"law": lift} if sys.argv[1] == "px4" else {}
    PEERS[sys.argv[1]](int(sys.argv[2]), frames=int(sys.argv[3]) if len(sys.argv) > 3 else 1 << 30, **law)
