"""Cameras that see markers on a body: pose of a site in the world, at a rate, late, with drop-outs.

Their error is not white: markers wander by micrometres over seconds, and slower with the room.
"""

from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.part import Places, Row, row_type
from cupola.parts.sensors.sensor import Chance, Message, Sensor, draw, since_last
from cupola.physics.inertial import gauss_markov
from cupola.physics.rotation import Euler, Quaternion, Vector, multiply, quaternion_from_euler
from cupola.xmath import Number


class CaptureNumbers(NamedTuple):
    """Errors of one set of markers."""

    noise: float
    turn_noise: float
    wander: float
    turn_wander: float
    wander_time: float
    drift: float
    drift_time: float


class CaptureReading(NamedTuple):
    """One sample."""

    pos_w: Vector
    """[m]."""
    quat_ws: Quaternion


class MotionCapture(Sensor):
    """Position and attitude of a site; all errors are zero unless given."""

    kind: Literal["motion_capture"]
    noise: float = Field(0.0, ge=0, description="[m] white, of each axis")
    turn_noise: float = Field(0.0, ge=0, description="[rad] white, about each axis")
    wander: float = Field(0.0, ge=0, description="[m] that each axis wanders within `wander_time`")
    turn_wander: float = Field(0.0, ge=0, description="[rad], the same")
    wander_time: float = Field(0.1, gt=0, description="[s]")
    drift: float = Field(0.0, ge=0, description="[m] that each axis drifts within `drift_time`")
    drift_time: float = Field(60.0, gt=0, description="[s]")
    dropout: float = Field(0.0, ge=0, le=1, description="share of the samples that never arrive")

    Numbers = CaptureNumbers
    chance = ("noise", "turn_noise", "wander", "turn_wander", "drift")

    def bind(self, places: Places) -> Row:
        """As any sensor, and what it loses by itself."""
        row = super().bind(places)
        row["loss"] = self.dropout
        return row

    def width(self) -> int:
        """Position and attitude."""
        return 7

    def memory_at_start(self) -> tuple[float, ...]:
        """Wandering of position and attitude, drift of position."""
        return (0.0,) * 9

    def reading(self, s: list[float]) -> CaptureReading:
        """Position and attitude."""
        return CaptureReading(Vector(*s[:3]), Quaternion(*s[3:]))

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A TransformStamped, as motion-capture bridges publish."""
        fields = {f"transform.translation.{a}": k for k, a in enumerate("xyz")}
        fields |= {f"transform.rotation.{a}": 3 + k for k, a in enumerate("wxyz")}
        constants = {"header.frame_id": "world", "child_frame_id": frame}
        return (Message("geometry_msgs/msg/TransformStamped", fields, constants),)


CAPTURE_NUMBERS = row_type(CaptureNumbers)


class CaptureSample(NamedTuple):
    """Pose, then what the sensor remembers."""

    x: Number
    y: Number
    z: Number
    qw: Number
    qx: Number
    qy: Number
    qz: Number
    wander_x: Number
    wander_y: Number
    wander_z: Number
    turn_x: Number
    turn_y: Number
    turn_z: Number
    drift_x: Number
    drift_y: Number
    drift_z: Number


def measure_pose(p: CaptureNumbers, pos: Vector, quat: Quaternion, memory: Number, chance: Chance) -> CaptureSample:
    """A pose with white noise, errors that wander, and errors that drift."""
    a, b, c, d = draw(chance, 0), draw(chance, 1), draw(chance, 2), draw(chance, 3)
    e, f, g, h = draw(chance, 4), draw(chance, 5), draw(chance, 6), draw(chance, 7)
    dt = since_last(chance)
    wander_x = gauss_markov(memory[0], d.a, p.wander, p.wander_time, dt)
    wander_y = gauss_markov(memory[1], d.b, p.wander, p.wander_time, dt)
    wander_z = gauss_markov(memory[2], e.a, p.wander, p.wander_time, dt)
    turn_x = gauss_markov(memory[3], e.b, p.turn_wander, p.wander_time, dt)
    turn_y = gauss_markov(memory[4], f.a, p.turn_wander, p.wander_time, dt)
    turn_z = gauss_markov(memory[5], f.b, p.turn_wander, p.wander_time, dt)
    drift_x = gauss_markov(memory[6], g.a, p.drift, p.drift_time, dt)
    drift_y = gauss_markov(memory[7], g.b, p.drift, p.drift_time, dt)
    drift_z = gauss_markov(memory[8], h.a, p.drift, p.drift_time, dt)
    error = Euler(p.turn_noise * b.b + turn_x, p.turn_noise * c.a + turn_y, p.turn_noise * c.b + turn_z)
    q = multiply(quaternion_from_euler(error), quat)
    return CaptureSample(
        pos.x + p.noise * a.a + wander_x + drift_x,
        pos.y + p.noise * a.b + wander_y + drift_y,
        pos.z + p.noise * b.a + wander_z + drift_z,
        q.w,
        q.x,
        q.y,
        q.z,
        wander_x,
        wander_y,
        wander_z,
        turn_x,
        turn_y,
        turn_z,
        drift_x,
        drift_y,
        drift_z,
    )
