"""A force/torque sensor between two bodies: what lies beyond it, with its weight and inertia, does to what carries it.

Errors as seen on a bench: white noise, a wandering zero, a gain, and a zero that shifts when the load exceeds a play
and does not come back. A channel tares it: the mean of what it says while the channel is up becomes its zero.
"""

from typing import Literal, NamedTuple

from pydantic import Field

from cupola.parts.part import Places, Row, row_type
from cupola.parts.sensors.sensor import Chance, Message, Sensor, draw
from cupola.physics.inertial import bias_step, white_noise_sigma
from cupola.physics.rotation import Vector, Wrench
from cupola.xmath import Number, clip

AXES = 6
WALK, PLAY, ZERO, COUNT = 0, 3, 6, 12
"""Where its memory holds the wandering of the three forces, the place in their play, the zeros, and samples tared."""


class ForceNumbers(NamedTuple):
    """Errors of one sensor."""

    force_noise: float
    torque_noise: float
    force_walk: float
    gain: float
    play: float
    hysteresis: float


class ForceReading(NamedTuple):
    """One sample, axes of the site: at rest, what touches the far side does to it."""

    force_s: Vector
    """[N]."""
    torque_s: Vector
    """[N m]."""


class ForceTorque(Sensor):
    """Force and torque at a site whose body hangs on what carries the sensor; all errors are zero unless given."""

    kind: Literal["force_torque"]
    tare_channel: int = Field(-1, ge=-1, description="above 0.5 it tares; -1: none")
    force_noise: float = Field(0.0, ge=0, description="[N/√Hz] white noise density")
    torque_noise: float = Field(0.0, ge=0, description="[N m/√Hz] white noise density")
    force_walk: float = Field(0.0, ge=0, description="[N/√s] random walk of the zero")
    gain: float = Field(1.0, gt=0, description="what it says per what there is")
    play: float = Field(0.0, ge=0, description="[N] that the load may change by without shifting the zero")
    hysteresis: float = Field(0.0, ge=0, lt=1, description="shift of the zero per change of load beyond the play")

    Numbers = ForceNumbers
    chance = ("force_noise", "torque_noise", "force_walk")
    _slot: int = 0

    def used_channels(self) -> tuple[int, ...]:
        """Where it is told to tare."""
        return (self.tare_channel,)

    def bind(self, places: Places) -> Row:
        """As any sensor; the slot of its channel follows its numbers."""
        self._slot = places.channel(self.tare_channel)
        return super().bind(places)

    def width(self) -> int:
        """Force and torque."""
        return AXES

    def numbers(self) -> list[float]:
        """Errors, then the slot of the channel."""
        return [*super().numbers(), float(self._slot)]

    def memory_at_start(self) -> tuple[float, ...]:
        """No error, nothing tared."""
        return (0.0,) * (COUNT + 1)

    def reading(self, s: list[float]) -> ForceReading:
        """Force and torque."""
        return ForceReading(Vector(*s[:3]), Vector(*s[3:]))

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A WrenchStamped."""
        fields = {
            f"wrench.{what}.{a}": 3 * k + i for k, what in enumerate(("force", "torque")) for i, a in enumerate("xyz")
        }
        return (Message("geometry_msgs/msg/WrenchStamped", fields, {"header.frame_id": frame}),)


FORCE_NUMBERS = row_type(ForceNumbers)


def measure_force(p: ForceNumbers, true: Wrench, tare: bool, out: Number, memory: Number, chance: Chance) -> None:
    """Six numbers with their errors into `out`."""
    rate = 1.0 / chance.interval
    white, turning = white_noise_sigma(p.force_noise, rate), white_noise_sigma(p.torque_noise, rate)
    a, b, c = draw(chance, 0), draw(chance, 1), draw(chance, 2)
    d, e = draw(chance, 3), draw(chance, 4)
    _one_force(p, 0, true.force.x, white * a.a, d.a, out, memory, chance.interval)
    _one_force(p, 1, true.force.y, white * a.b, d.b, out, memory, chance.interval)
    _one_force(p, 2, true.force.z, white * b.a, e.a, out, memory, chance.interval)
    out[3] = p.gain * true.torque.x + turning * b.b
    out[4] = p.gain * true.torque.y + turning * c.a
    out[5] = p.gain * true.torque.z + turning * c.b
    count = memory[COUNT] + 1.0 if tare else 0.0
    memory[COUNT] = count
    for k in range(AXES):
        if tare:
            memory[ZERO + k] += (out[k] - memory[ZERO + k]) / count
        out[k] -= memory[ZERO + k]


def _one_force(
    p: ForceNumbers, k: int, true: Number, noise: Number, step: Number, out: Number, memory: Number, dt: Number
) -> None:
    """One axis: gain, a shift of the zero against the load that leaves the play, a walk, noise."""
    memory[WALK + k] = bias_step(memory[WALK + k], step, p.force_walk, dt)
    memory[PLAY + k] = clip(memory[PLAY + k], true - p.play, true + p.play)
    out[k] = p.gain * true - p.hysteresis * memory[PLAY + k] + memory[WALK + k] + noise
