"""Cameras that see markers on a body: pose of a site in the world, at a rate, late, with drop-outs.

Their error is not white: markers wander by micrometres over seconds, and slower with the room.
"""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.parts.binding import BindContext
from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw, since_last
from cupola.physics.inertial import gauss_markov
from cupola.physics.rotation import Euler, Quaternion, Vector, multiply, quaternion_from_euler
from cupola.xmath import Number

NOTHING = Vector(0.0, 0.0, 0.0)


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


class CaptureState(NamedTuple):
    """What it remembers: slow errors of each axis."""

    wander: Vector = NOTHING
    """[m]"""
    turn: Vector = NOTHING
    """[rad]"""
    drift: Vector = NOTHING
    """[m]"""


class CaptureAnswer(NamedTuple):
    """Answer of `measure`."""

    sample: CaptureReading
    state: CaptureState


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

    Numbers = (CaptureNumbers,)
    Index: ClassVar[dict[str, str]] = {"loss": "f8"}
    State = CaptureState
    Sample = CaptureReading
    noise_fields = ("noise", "turn_noise", "wander", "turn_wander", "drift")

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Errors, and the share of samples that it loses by itself."""
        return {**super().numbers(places), "loss": self.dropout}

    def own_loss(self) -> float:
        """Its dropout."""
        return self.dropout

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A TransformStamped, as motion-capture bridges publish."""
        column = self.sample_names().index
        fields = {f"transform.translation.{a}": column(f"pos_w.{a}") for a in "xyz"}
        fields |= {f"transform.rotation.{a}": column(f"quat_ws.{a}") for a in "wxyz"}
        constants = {"header.frame_id": "world", "child_frame_id": frame}
        return (Message("geometry_msgs/msg/TransformStamped", fields, constants),)

    @staticmethod
    def measure(p: Number, state: CaptureState, pos_w: Vector, quat_ws: Quaternion, noise: NoiseKey) -> CaptureAnswer:
        """A pose with white noise, errors that wander, and errors that drift."""
        a, b, c, d = draw(noise, 0), draw(noise, 1), draw(noise, 2), draw(noise, 3)
        e, f, g, h = draw(noise, 4), draw(noise, 5), draw(noise, 6), draw(noise, 7)
        dt = since_last(noise)
        wander = slow_errors(state.wander, Vector(d.a, d.b, e.a), p.wander, p.wander_time, dt)
        turn = slow_errors(state.turn, Vector(e.b, f.a, f.b), p.turn_wander, p.wander_time, dt)
        drift = slow_errors(state.drift, Vector(g.a, g.b, h.a), p.drift, p.drift_time, dt)
        place = Vector(
            pos_w.x + p.noise * a.a + wander.x + drift.x,
            pos_w.y + p.noise * a.b + wander.y + drift.y,
            pos_w.z + p.noise * b.a + wander.z + drift.z,
        )
        error = Euler(p.turn_noise * b.b + turn.x, p.turn_noise * c.a + turn.y, p.turn_noise * c.b + turn.z)
        attitude = multiply(quaternion_from_euler(error), quat_ws)
        return CaptureAnswer(CaptureReading(place, attitude), CaptureState(wander, turn, drift))


def slow_errors(errors: Vector, normal: Vector, sigma: Number, time_constant: Number, dt: Number) -> Vector:
    """Wandering errors of three axes after `dt` [s]."""
    return Vector(
        gauss_markov(errors.x, normal.x, sigma, time_constant, dt),
        gauss_markov(errors.y, normal.y, sigma, time_constant, dt),
        gauss_markov(errors.z, normal.z, sigma, time_constant, dt),
    )
