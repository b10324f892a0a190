"""A force/torque sensor between two bodies: what lies beyond it, with its weight and inertia, does to what carries it.

Errors as seen on a bench: white noise, a gain, creep (what it says of a steady load falls within seconds; taken off,
the load leaves a zero of the other sign, which comes back slowly; friction bounds what slips: beyond some load it is
always as much), a slow creep of either sign, a wandering zero, and a zero that shifts when the load exceeds a play.
A loop that is faster than the sensor sees samples twice.
A channel tares it: the mean of what it says while the channel is up becomes its zero.
"""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.parts.binding import BindContext
from cupola.parts.sensors.sensor import Message, NoiseKey, Sensor, draw, since_last
from cupola.physics.inertial import bias_step, creep_step, white_noise_sigma
from cupola.physics.rotation import Vector, Wrench, subtract
from cupola.xmath import Number, clip, exp

NOTHING = Vector(0.0, 0.0, 0.0)


class ForceNumbers(NamedTuple):
    """Errors of one sensor."""

    force_noise: float
    torque_noise: float
    force_walk: float
    gain: float
    play: float
    hysteresis: float
    creep: float
    creep_load: float
    creep_spread: float
    creep_time: float
    recovery_time: float
    slow_creep: float
    slow_creep_time: float


class ForceReading(NamedTuple):
    """One sample, axes of the site: at rest, what touches the far side does to it."""

    force_s: Vector
    """[N]."""
    torque_s: Vector
    """[N m]."""


class ForceState(NamedTuple):
    """Its state, axes of the site."""

    walk: Vector = NOTHING
    """[N] that the zero has wandered."""
    centre: Vector = NOTHING
    """[N] about which the load may change by the play."""
    zero_force: Vector = NOTHING
    """[N] that it was tared to."""
    zero_torque: Vector = NOTHING
    """[N m] that it was tared to."""
    tared: Number = 0.0
    """[1] samples since the channel went up."""
    crept: Vector = NOTHING
    """[N] by which what it says of the load has fallen."""
    crept_slowly: Vector = NOTHING
    """[N] the same, of the slow creep."""


class ForceAnswer(NamedTuple):
    """Answer of `measure`."""

    sample: ForceReading
    state: ForceState


class ForceTorque(Sensor):
    """Force and torque between the body of its site and the parent body; all errors are zero unless given."""

    kind: Literal["force_torque"]
    tare_channel: int = Field(-1, ge=-1, description="above 0.5 it tares; -1: none")
    force_noise: float = Field(0.0, ge=0, description="[N/√Hz] white noise density")
    torque_noise: float = Field(0.0, ge=0, description="[N m/√Hz] white noise density")
    force_walk: float = Field(0.0, ge=0, description="[N/√s] random walk of the zero")
    gain: float = Field(1.0, gt=0, description="what it says per what there is")
    play: float = Field(0.0, ge=0, description="[N] that the load may change by without shifting the zero")
    hysteresis: float = Field(0.0, ge=0, lt=1, description="shift of the zero per change of load beyond the play")

    creep: float = Field(0.0, ge=0, lt=1, description="share of a steady load that is lost: its median over runs")
    creep_load: float = Field(0.0, ge=0, description="[N] load beyond which no more is lost; 0: there is none")
    creep_spread: float = Field(0.0, ge=0, le=3, description="standard deviation of its logarithm, drawn once a run")
    creep_time: float = Field(1.0, gt=0, description="[s] time constant under load")
    recovery_time: float = Field(1.0, gt=0, description="[s] time constant of the zero, once the load is off")
    slow_creep: float = Field(
        0.0, ge=0, lt=1, description="share that is lost or won slowly: standard deviation over runs"
    )
    slow_creep_time: float = Field(1.0, gt=0, description="[s] time constant")

    Numbers = (ForceNumbers,)
    Index: ClassVar[dict[str, str]] = {"channel": "i8"}
    State = ForceState
    Sample = ForceReading
    noise_fields = ("force_noise", "torque_noise", "force_walk", "creep_spread", "slow_creep")

    def used_channels(self) -> tuple[int, ...]:
        """Channel of the tare."""
        return (self.tare_channel,)

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Errors, and the slot of its channel."""
        return {**super().numbers(places), "channel": places.channel(self.tare_channel)}

    def messages(self, frame: str) -> tuple[Message, ...]:
        """A WrenchStamped."""
        column = self.sample_names().index
        fields = {f"wrench.{what}.{a}": column(f"{what}_s.{a}") for what in ("force", "torque") for a in "xyz"}
        return (Message("geometry_msgs/msg/WrenchStamped", fields, {"header.frame_id": frame}),)

    @staticmethod
    def measure(p: Number, state: ForceState, wrench: Wrench, command: Number, noise: NoiseKey) -> ForceAnswer:
        """Force and torque with their errors, less the zeros; `command` above 0.5 tares."""
        rate = 1.0 / noise.interval
        white, turning = white_noise_sigma(p.force_noise, rate), white_noise_sigma(p.torque_noise, rate)
        a, b, c, d, e = draw(noise, 0), draw(noise, 1), draw(noise, 2), draw(noise, 3), draw(noise, 4)
        x = one_force(p, wrench.force.x, white * a.a, d.a, state.walk.x, state.centre.x, noise.interval)
        y = one_force(p, wrench.force.y, white * a.b, d.b, state.walk.y, state.centre.y, noise.interval)
        z = one_force(p, wrench.force.z, white * b.a, e.a, state.walk.z, state.centre.z, noise.interval)
        crept, slowly = state.crept, state.crept_slowly
        if p.creep > 0.0 or p.slow_creep > 0.0:
            # Drawn with the key of the first sample: one share for the whole run.
            once = NoiseKey(noise.seed, noise.stream, 0, noise.noisy, noise.interval)
            f, g, h = draw(once, 5), draw(once, 6), draw(once, 7)
            dt = since_last(noise)
            crept = crept_by(p, crept, wrench.force, Vector(f.a, f.b, g.a), dt)
            slowly = crept_slowly_by(p, slowly, wrench.force, Vector(g.b, h.a, h.b), dt)
        force = subtract(subtract(Vector(x.said, y.said, z.said), crept), slowly)
        torque = Vector(
            p.gain * wrench.torque.x + turning * b.b,
            p.gain * wrench.torque.y + turning * c.a,
            p.gain * wrench.torque.z + turning * c.b,
        )
        tared = state.tared + 1.0 if command > 0.5 else 0.0
        zero_force, zero_torque = new_zero(state.zero_force, force, tared), new_zero(state.zero_torque, torque, tared)
        walk, centre = Vector(x.walk, y.walk, z.walk), Vector(x.centre, y.centre, z.centre)
        return ForceAnswer(
            ForceReading(subtract(force, zero_force), subtract(torque, zero_torque)),
            ForceState(walk, centre, zero_force, zero_torque, tared, crept, slowly),
        )


class OneForce(NamedTuple):
    """One axis: what it says before the tare, how far its zero has wandered, and the centre of its play [N]."""

    said: Number
    walk: Number
    centre: Number


def one_force(
    p: ForceNumbers, true: Number, noise: Number, step: Number, walk: Number, centre: Number, dt: Number
) -> OneForce:
    """One axis: gain, a shift of the zero against the load that leaves the play, a walk, noise."""
    walk = bias_step(walk, step, p.force_walk, dt)
    centre = clip(centre, true - p.play, true + p.play)
    return OneForce(p.gain * true - p.hysteresis * centre + walk + noise, walk, centre)


def crept_by(p: ForceNumbers, crept: Vector, load: Vector, dice: Vector, dt: Number) -> Vector:
    """[N] of creep after `dt` [s] more under a load; the share of each axis follows from its own number of `dice`."""
    share, spread, down, up = p.creep, p.creep_spread, p.creep_time, p.recovery_time
    return Vector(
        creep_step(crept.x, share * exp(spread * dice.x) * bounded(p, load.x), down, up, dt),
        creep_step(crept.y, share * exp(spread * dice.y) * bounded(p, load.y), down, up, dt),
        creep_step(crept.z, share * exp(spread * dice.z) * bounded(p, load.z), down, up, dt),
    )


def bounded(p: ForceNumbers, load: Number) -> Number:
    """[N] of a load that make it creep: friction bounds what slips."""
    return clip(load, -p.creep_load, p.creep_load) if p.creep_load > 0.0 else load


def crept_slowly_by(p: ForceNumbers, crept: Vector, load: Vector, dice: Vector, dt: Number) -> Vector:
    """[N] the same of the slow creep, whose sign differs from run to run."""
    share, time = p.slow_creep, p.slow_creep_time
    return Vector(
        creep_step(crept.x, share * dice.x * load.x, time, time, dt),
        creep_step(crept.y, share * dice.y * load.y, time, time, dt),
        creep_step(crept.z, share * dice.z * load.z, time, time, dt),
    )


def new_zero(zero: Vector, said: Vector, tared: Number) -> Vector:
    """The mean of what was said in the samples tared so far; as it was while nothing is tared."""
    if tared == 0.0:
        return zero
    return Vector(
        zero.x + (said.x - zero.x) / tared, zero.y + (said.y - zero.y) / tared, zero.z + (said.z - zero.z) / tared
    )
