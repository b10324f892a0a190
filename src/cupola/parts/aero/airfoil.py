"""A lifting surface at a site: x front, y left, z up; the load acts at the site's origin."""

from typing import Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.curve import curve_value
from cupola.parts.part import Curve, Load, Places, Row, SiteMotion, row_type
from cupola.physics.airfoil import Surface, airflow, linear_drag, linear_lift, surface_wrench
from cupola.physics.ground import wing_drag, wing_lift
from cupola.physics.rotation import Vector, Wrench, add, frd, scale, subtract
from cupola.schema.yaml_files import Entry
from cupola.xmath import Number

NONE, LINEAR, CURVES = 0, 1, 2
MODELS = {"none": NONE, "linear": LINEAR, "curves": CURVES}


APART = 1e-4
"""Angles of attack [rad] either side, for the slope of the lift."""


class AirfoilOutput(NamedTuple):
    """What a surface does now; where it lies partly in a stream, the first five are means over its area."""

    speed: Number
    """[m/s]."""
    alpha: Number
    """[rad]."""
    beta: Number
    """[rad]."""
    c_lift: Number
    c_drag: Number
    wrench: Wrench
    """Site frame (front-left-up), about the site [N, N m]."""


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

    def used_channels(self) -> tuple[int, ...]:
        """The three deflections."""
        return self.channels

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        if self.model == "curves" and (self.lift is None or self.drag is None):
            raise ValueError("model: curves needs both a lift and a drag curve")
        site = places.site(self.site)
        row = np.zeros((), AIRFOIL)
        for name, value in self.surface._asdict().items():
            row[name] = value
        row["body"], row["site"], row["vehicle"] = places.body_of(site), site, places.vehicle
        row["model"] = MODELS[self.model]
        for axis, channel, limit in zip("xyz", self.channels, self.deflection_max, strict=True):
            row[f"channel_{axis}"], row[f"deflection_{axis}"] = places.channel(channel), limit
        row["lift_start"], row["lift_segments"], row["lift_count"] = places.curve(self.lift)
        row["drag_start"], row["drag_segments"], row["drag_count"] = places.curve(self.drag)
        row["output"] = places.output(11)
        row["ground"], row["sheared"] = self.ground_effect and places.ground, self.wind_gradient
        row["wash_start"], row["wash_count"] = len(places.pool), len(self.wash)
        for wash in self.wash:
            places.pool += [float(places.rotor(wash.rotor)), -1.0 if wash.share is None else wash.share]
        row["options"] = row["ground"] or row["sheared"] or self.wash != ()
        return row


class _Deflections(NamedTuple):
    deflection_x: float
    deflection_y: float
    deflection_z: float


AIRFOIL = row_type(
    Surface,
    _Deflections,
    **dict.fromkeys(("body", "site", "vehicle", "output", "model", "channel_x", "channel_y", "channel_z"), "i8"),
    **dict.fromkeys(("options", "ground", "sheared", "wash_start", "wash_count"), "i8"),
    **dict.fromkeys(("lift_start", "lift_segments", "lift_count", "drag_start", "drag_segments", "drag_count"), "i8"),
)


def airfoil_load(
    row: Number, motion: SiteMotion, density: Number, drive: Number, curves: Number, ground: Number = 0.0
) -> AirfoilOutput:
    """Load of one surface from its motion through the air; `ground` is the share of induced drag the ground takes."""
    flow = airflow(frd(motion.vel_air_s))
    c_lift = _lift(flow.alpha, row, curves)
    if row.model == CURVES:
        c_drag = curve_value(flow.alpha, row.drag_start, row.drag_segments, row.drag_count, curves)
    else:
        c_drag = linear_drag(flow.alpha, row)
    if ground > 0.0:
        far = c_lift
        slope = (_lift(flow.alpha + APART, row, curves) - _lift(flow.alpha - APART, row, curves)) / (2.0 * APART)
        c_lift = wing_lift(far, slope, ground, row)
        c_drag = wing_drag(c_drag, far, c_lift, ground, row)
    deflection = Vector(
        row.deflection_x * drive[row.channel_x],
        row.deflection_y * drive[row.channel_y],
        row.deflection_z * drive[row.channel_z],
    )
    density = 0.0 if row.model == NONE else density
    load = surface_wrench(flow, frd(motion.rate_s), deflection, c_lift, c_drag, density, row)
    return AirfoilOutput(flow.speed, flow.alpha, flow.beta, c_lift, c_drag, Wrench(frd(load.force), frd(load.torque)))


def _lift(alpha: Number, row: Number, curves: Number) -> Number:
    if row.model == CURVES:
        return curve_value(alpha, row.lift_start, row.lift_segments, row.lift_count, curves)
    return linear_lift(alpha, row)


def moved(out: AirfoilOutput, share: Number, outside: AirfoilOutput, inside: AirfoilOutput) -> AirfoilOutput:
    """`out` after a `share` of the area has moved from one flow into another."""
    return AirfoilOutput(
        out.speed + share * (inside.speed - outside.speed),
        out.alpha + share * (inside.alpha - outside.alpha),
        out.beta + share * (inside.beta - outside.beta),
        out.c_lift + share * (inside.c_lift - outside.c_lift),
        out.c_drag + share * (inside.c_drag - outside.c_drag),
        Wrench(
            add(out.wrench.force, scale(share, subtract(inside.wrench.force, outside.wrench.force))),
            add(out.wrench.torque, scale(share, subtract(inside.wrench.torque, outside.wrench.torque))),
        ),
    )
