"""A lifting surface at a site: x front, y left, z up; the load acts at the site's origin."""

from typing import Any, ClassVar, Literal, NamedTuple

from pydantic import Field

from cupola.kernel.links import stream_at
from cupola.kernel.motion import SiteFrame, SiteMotion, into_frame
from cupola.parts.binding import Arrow, BindContext, Curve
from cupola.parts.curve import curve_columns, curve_value
from cupola.parts.families import Load
from cupola.physics.airfoil import Surface, airflow, linear_drag, linear_lift, surface_wrench
from cupola.physics.ground import wing_drag, wing_lift, wing_share
from cupola.physics.rotation import Vector, Wrench, add, dot, frd, scale, subtract
from cupola.physics.slipstream import Stream, immersed_share, stream_radius, stream_speed
from cupola.physics.wind import sheared_rate
from cupola.schema.yaml_files import Entry
from cupola.xmath import Number, clip

NONE, LINEAR, CURVES = 0, 1, 2
MODELS = {"none": NONE, "linear": LINEAR, "curves": CURVES}
APART = 1e-4
"""Angles of attack [rad] either side, for the slope of the lift."""
WASH = 2
"""Numbers of a stream over a surface: where it is given, share of the area (below 0: found from the geometry)."""


class AirfoilOutput(NamedTuple):
    """What a surface does now; where it lies partly in a stream, the first five are means over its area."""

    airspeed: Number
    """[m/s]"""
    alpha: Number
    """[rad]"""
    beta: Number
    """[rad]"""
    c_lift: Number
    """[1]"""
    c_drag: Number
    """[1]"""
    force: Vector
    """[N] axes of the site."""
    torque: Vector
    """[N m] about the site, in its axes."""


class AirfoilLoad(NamedTuple):
    """Answer of `load`."""

    output: AirfoilOutput
    wrench: Wrench


class Deflections(NamedTuple):
    """[rad] at channel value 1."""

    deflection_x: float
    deflection_y: float
    deflection_z: float


class Wash(Entry):
    """The stream of one rotor over a surface."""

    rotor: str = Field(description="rotor part whose stream blows over the surface")
    share: float | None = Field(
        None, ge=0, le=1, description="of the area in the stream; without it, that of the span, from the geometry"
    )


class Airfoil(Load):
    """A wing, a tail or a whole aeroplane described by coefficients."""

    kind: Literal["airfoil"]
    model: Literal["none", "linear", "curves"] = "linear"
    surface: Surface
    channels: tuple[int, int, int] = Field(
        (-1, -1, -1), description="command channels of the deflections about x, y, z; -1: none"
    )
    deflection_max: tuple[float, float, float] = Field((0.0, 0.0, 0.0), description="[rad] at channel value 1")
    lift: Curve | None = Field(None, description="lift coefficient against angle of attack [rad], for model: curves")
    drag: Curve | None = Field(None, description="drag coefficient against angle of attack [rad], for model: curves")
    ground_effect: bool = Field(False, description="more lift and less induced drag near the floor")
    wash: tuple[Wash, ...] = Field((), description="streams of rotors that blow over it")
    wind_gradient: bool = Field(False, description="feel the wind change with height across the surface itself")

    Numbers = (Surface, Deflections)
    Index: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("model", "channel_x", "channel_y", "channel_z", "ground", "sheared"), "i8"),
        **dict.fromkeys(("wash_start", "wash_count"), "i8"),
        **curve_columns("lift", "drag"),
    }
    Output = AirfoilOutput
    order = 40
    lifts = True
    arrow = Arrow("force")
    message = "cupola_msgs/msg/Airfoil"

    def why_no_wake(self) -> str:
        """Its lift acts at one point."""
        return self.kind

    def used_channels(self) -> tuple[int, ...]:
        """The three deflections."""
        return self.channels

    def deflections(self) -> dict[int, float]:
        """About x, y and z."""
        pairs = zip(self.channels, self.deflection_max, strict=True)
        return {channel: limit for channel, limit in pairs if channel >= 0 and limit != 0.0}

    def variant(self) -> str:
        """Options of the air cost only those surfaces that use one."""
        return "optional" if self.ground_effect or self.wash or self.wind_gradient else ""

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Coefficients, deflections, curves, and the streams that blow over it."""
        if self.model == "curves" and (self.lift is None or self.drag is None):
            raise ValueError("model: curves needs both a lift and a drag curve")
        row: dict[str, Any] = {**self.surface._asdict(), "model": MODELS[self.model]}
        for axis, channel, limit in zip("xyz", self.channels, self.deflection_max, strict=True):
            row |= {f"channel_{axis}": places.channel(channel), f"deflection_{axis}": limit}
        row |= {"lift": places.curve(self.lift), "drag": places.curve(self.drag)}
        row |= {"ground": self.ground_effect and places.ground, "sheared": self.wind_gradient}
        streams = [(self._stream(places, wash), -1.0 if wash.share is None else wash.share) for wash in self.wash]
        row |= {"wash_start": len(places.constants), "wash_count": len(streams)}
        for slot, share in streams:
            places.constants += [float(slot), share]
        return row

    def _stream(self, places: BindContext, wash: Wash) -> int:
        return places.given(places.named(wash.rotor, Stream, "gives"), Stream)

    @staticmethod
    def load(p: Number, motion: SiteMotion, density: Number, drive: Number, constants: Number) -> AirfoilLoad:
        """Load of a surface from its motion through the air."""
        return shown(airfoil_load(p, motion, density, drive, constants, 0.0))

    @staticmethod
    def load_optional(
        p: Number,
        motion: SiteMotion,
        density: Number,
        drive: Number,
        constants: Number,
        given: Number,
        height: Number,
        wind_slope_w: Vector,
        up_w: Vector,
        frame: SiteFrame,
    ) -> AirfoilLoad:
        """The sum over the parts of its area in and out of streams, near the ground, in wind that grows with height."""
        rate = motion.rate_s
        if p.sheared:
            rate = add(rate, sheared_rate(into_frame(frame, wind_slope_w), into_frame(frame, up_w)))
        taken = wing_share(height, p.span) if p.ground else 0.0
        outside = airfoil_load(p, SiteMotion(motion.vel_s, motion.vel_air_s, rate), density, drive, constants, taken)
        out, left = outside, 1.0
        for k in range(p.wash_count):
            wash = constants[p.wash_start + WASH * k : p.wash_start + WASH * (k + 1)]
            stream = stream_over(p, stream_at(given, int(wash[0])), frame)
            share = clip(stream.share if wash[1] < 0.0 else wash[1], 0.0, left)
            flow = SiteMotion(motion.vel_s, add(motion.vel_air_s, stream.added_s), rate)
            out = moved(out, share, outside, airfoil_load(p, flow, density, drive, constants, taken))
            left -= share
        return shown(out)


class Immersion(NamedTuple):
    """How a surface lies in a stream."""

    share: Number
    """Of the span that lies in it."""
    added_s: Vector
    """Velocity of the surface through the stream, less that through the air around it, axes of the surface [m/s]."""


def shown(out: AirfoilOutput) -> AirfoilLoad:
    """Outputs and wrench of a surface."""
    return AirfoilLoad(out, Wrench(out.force, out.torque))


def stream_over(p: Number, stream: Stream, frame: SiteFrame) -> Immersion:
    """The stream of a rotor where a surface is."""
    place_w = subtract(frame.pos_w, stream.disc_w)
    behind = -dot(stream.shaft_w, place_w)
    added = stream_speed(stream.induced, behind, stream.radius)
    aside = into_frame(frame, add(place_w, scale(behind, stream.shaft_w)))  # from the axis of the stream to the surface
    width = stream_radius(stream.induced, added, stream.ahead, stream.radius)
    share = immersed_share(width, -aside.y, aside.z, p.span)
    return Immersion(share, into_frame(frame, scale(added, stream.shaft_w)))


def airfoil_load(
    row: Number, motion: SiteMotion, density: Number, drive: Number, constants: Number, ground: Number
) -> AirfoilOutput:
    """Load of one surface from its motion through the air; `ground` is the share of induced drag the ground takes."""
    flow = airflow(frd(motion.vel_air_s))
    c_lift = _lift(flow.alpha, row, constants)
    c_drag = curve_value(flow.alpha, row.drag, constants) if row.model == CURVES else linear_drag(flow.alpha, row)
    if ground > 0.0:
        far = c_lift
        slope = (_lift(flow.alpha + APART, row, constants) - _lift(flow.alpha - APART, row, constants)) / (2.0 * APART)
        c_lift = wing_lift(far, slope, ground, row)
        c_drag = wing_drag(c_drag, far, c_lift, ground, row)
    deflection = Vector(
        row.deflection_x * drive[row.channel_x],
        row.deflection_y * drive[row.channel_y],
        row.deflection_z * drive[row.channel_z],
    )
    density = 0.0 if row.model == NONE else density
    load = surface_wrench(flow, frd(motion.rate_s), deflection, c_lift, c_drag, density, row)
    force, torque = frd(load.force), frd(load.torque)
    return AirfoilOutput(flow.speed, flow.alpha, flow.beta, c_lift, c_drag, force, torque)


def _lift(alpha: Number, row: Number, constants: Number) -> Number:
    if row.model == CURVES:
        return curve_value(alpha, row.lift, constants)
    return linear_lift(alpha, row)


def moved(out: AirfoilOutput, share: Number, outside: AirfoilOutput, inside: AirfoilOutput) -> AirfoilOutput:
    """`out` after a `share` of the area has moved from one flow into another."""
    return AirfoilOutput(
        out.airspeed + share * (inside.airspeed - outside.airspeed),
        out.alpha + share * (inside.alpha - outside.alpha),
        out.beta + share * (inside.beta - outside.beta),
        out.c_lift + share * (inside.c_lift - outside.c_lift),
        out.c_drag + share * (inside.c_drag - outside.c_drag),
        add(out.force, scale(share, subtract(inside.force, outside.force))),
        add(out.torque, scale(share, subtract(inside.torque, outside.torque))),
    )
