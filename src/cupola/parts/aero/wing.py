"""A wing of many strips at a site: x front, y left, z up, from its root. It bends nowhere, but it may change its shape.

A wing that flaps is a wing on a body with a hinge; a wing that bends is a chain of such bodies (see `docs/wings.md`).
Span, sweep, dihedral, twist and camber follow command channels: a servo on the channel gives them lag and limits. What
the air does then follows from the strips, and the mass of the wing's own body moves with them.
"""

import itertools
import math
from typing import Any, Literal, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.aero.bending import Bending, attach_chain, pieces_of
from cupola.parts.part import Curve, Load, Part, Places, Row, row_type
from cupola.physics.flap import flap_effect
from cupola.physics.planform import Built, Shape, strip_place, strip_turn, turn_wing
from cupola.physics.section import Section
from cupola.physics.strip import Strip, StripState, across_sweep
from cupola.schema.yaml_files import Entry
from cupola.xmath import Number

STEADY, UNSTEADY = 0, 1
MODELS = {"steady": STEADY, "unsteady": UNSTEADY}
SHAPES = Shape._fields
WIDTH = len(SHAPES)
SHAPES_KEPT = 3 * WIDTH
"""Numbers of the shape now and at the two ticks before: what is between them is speed and acceleration."""
MEMORY = len(StripState._fields)
"""Numbers that the air remembers of a strip."""
POWER, WORK, OUTPUTS = 11, 12, 13
"""After the numbers of `AirfoilOutput`: power that the air gives to the body [W], and what it has given so far [J]."""


class Station(Entry):
    """One cut through the wing, parallel to the root; between two of them everything changes evenly."""

    y: float = Field(ge=0, description="[m] from the root along the span")
    chord: float = Field(gt=0, description="[m]")
    x: float = Field(0.0, description="[m], of the quarter chord in front of the site")
    z: float = Field(0.0, description="[m], above the site")
    incidence: float = Field(0.0, ge=-math.pi, le=math.pi, description="[rad], nose up")


class Morph(Entry):
    """A number of the shape that follows a channel."""

    channel: int = Field(ge=0, description="command channel")
    gain: float = Field(description="change of the number at channel value 1")


class Flap(Entry):
    """A plain flap along part of the span."""

    channel: int = Field(ge=0, description="command channel")
    gain: float = Field(description="[rad] at channel value 1, trailing edge down")
    chord: float = Field(gt=0, lt=1, description="share of the chord behind the hinge")
    inner: float = Field(0.0, ge=0, le=1, description="where it begins, in spans")
    outer: float = Field(1.0, ge=0, le=1, description="where it ends, in spans")


class WingNumbers(NamedTuple):
    """What the loop reads of a wing, beside its strips."""

    side: float
    area: float
    """[m²], as built."""
    flap_gain: float
    inertia_x: float
    """Of the body about its centre of mass, axes of the wing as built [kg m²]."""
    inertia_y: float
    inertia_z: float
    mass: float
    """[kg], of the body; 0 where it does not move with the shape."""
    mass_x: float
    """Centre of mass in axes of the wing as built [m]."""
    mass_y: float
    mass_z: float


class Wing(Load):
    """One half of a wing, a tail or a fin (turn its site)."""

    kind: Literal["wing"]
    model: Literal["steady", "unsteady"] = Field(
        "steady", description="unsteady: the wake and the stall lag, and air is carried along"
    )
    side: Literal["left", "right"] = "left"
    stations: tuple[Station, ...] = Field(min_length=2, description="from the root to the tip")
    strips: int = Field(10, ge=1, le=200)
    aspect_ratio: float | None = Field(
        None, gt=0, description="of the whole wing; without it twice this half's, as if a mirror image continued it"
    )
    section: Section = Section()
    lift: Curve | None = Field(None, description="lift coefficient against angle of attack [rad], over all of ±180°")
    drag: Curve | None = Field(None, description="drag coefficient against angle of attack [rad]")
    moment: Curve | None = Field(None, description="moment about the quarter chord, nose up, against angle of attack")
    span: Morph | None = Field(None, description="relative change of the span")
    sweep: Morph | None = Field(None, description="[rad], tip backwards")
    dihedral: Morph | None = Field(None, description="[rad], tip up")
    twist: Morph | None = Field(None, description="[rad], tip nose up")
    camber: Morph | None = Field(None, description="height of the arch over the chord")
    flap: Flap | None = None
    bending: Bending | None = Field(None, description="take the wing's body to pieces on hinges with springs")

    def attach(self, spec: Any) -> None:
        """Make the chain of a wing that bends."""
        if self.bending:
            if any(channel >= 0 for channel in self.used_channels()):
                raise ValueError("a wing either bends or changes its shape by channels")
            attach_chain(self, spec)

    def pieces(self, name: str) -> dict[str, Part]:
        """A wing that bends is a wing part for each piece."""
        return {**pieces_of(self, name, self._ratio())} if self.bending else {name: self}

    def used_channels(self) -> tuple[int, ...]:
        """Of the shape and the flap."""
        morphs = [getattr(self, name) for name in SHAPES]
        return tuple(m.channel if m else -1 for m in (*morphs, self.flap))

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop; the strips go into the pool."""
        if (self.lift is None) != (self.drag is None):
            raise ValueError("give both a lift and a drag curve, or neither")
        site = places.site(self.site)
        row = np.zeros((), WING)
        row["body"], row["site"], row["vehicle"] = places.body_of(site), site, places.vehicle
        row["unsteady"], row["side"] = MODELS[self.model], self._side()
        for k, name in enumerate(SHAPES):
            morph = getattr(self, name)
            row["shape_channel"][k] = places.channel(morph.channel if morph else -1)
            row["shape_gain"][k] = morph.gain if morph else 0.0
        if self.flap:
            row["flap_channel"], row["flap_gain"] = places.channel(self.flap.channel), self.flap.gain
        row["moves"] = any(channel >= 0 for channel in self.used_channels())
        row["slides"] = any((self.span, self.sweep, self.dihedral))
        self._weigh(places, row)
        for name in ("lift", "drag", "moment"):
            row[f"{name}_start"], row[f"{name}_segments"], row[f"{name}_count"] = places.curve(getattr(self, name))
        strips = self._strips()
        row["area"] = sum(strip["chord"] * strip["width"] for strip in strips)
        row["first"], row["count"] = len(places.pool), len(strips)
        for strip in strips:
            places.pool += [float(strip[name]) for name in STRIP.names or ()]
        memory = StripState(0.0, 0.0, 0.0, 0.0, 0.0, attached=1.0) * (len(strips) if row["unsteady"] else 0)
        row["state"] = places.state(0.0, *memory, *Shape() * (3 if row["moves"] else 0))
        row["output"] = places.output(OUTPUTS)
        return row

    def _side(self) -> float:
        return 1.0 if self.side == "left" else -1.0

    def _ratio(self) -> float:
        """Aspect ratio of the whole wing."""
        y, chord = [s.y for s in self.stations], [s.chord for s in self.stations]
        return self.aspect_ratio or 2.0 * y[-1] ** 2 / float(np.trapezoid(chord, y))

    def _strips(self) -> list[Row]:
        """Strips of equal width, each with what lies at its middle."""
        y = np.array([station.y for station in self.stations])
        if np.any(np.diff(y) <= 0.0):
            raise ValueError(f"stations must lie one behind the other along the span, got y = {', '.join(map(str, y))}")
        cut = {name: np.array([getattr(s, name) for s in self.stations]) for name in ("chord", "x", "z", "incidence")}
        edges = np.linspace(y[0], y[-1], self.strips + 1)
        length = float(y[-1])
        ratio = self._ratio()
        return [self._strip(a, b, length, ratio, y, cut) for a, b in itertools.pairwise(edges)]

    def _strip(self, inner: float, outer: float, length: float, ratio: float, y: Any, cut: dict[str, Any]) -> Row:
        row, middle = np.zeros((), STRIP), 0.5 * (inner + outer)
        chord, x, z, incidence = (float(np.interp(middle, y, cut[name])) for name in ("chord", "x", "z", "incidence"))
        back = float(np.interp(inner, y, cut["x"]) - np.interp(outer, y, cut["x"]))
        sweep = self._side() * math.atan2(back, outer - inner)
        across = across_sweep(chord, outer - inner, sweep)
        numbers = Strip(
            chord=across.chord,
            width=across.width,
            span_factor=max(0.5, ratio / (ratio + 2.0)),
            **self.section._asdict(),
        )
        built = Built(x, middle, z, incidence, middle / length, sweep)
        for name, value in {**numbers._asdict(), **built._asdict()}.items():
            row[name] = value
        row["built_width"], row["built_alpha_0"] = numbers.width, numbers.alpha_0
        row["built_c_moment_0"] = numbers.c_moment_0
        if self.flap and self.flap.inner <= built.out <= self.flap.outer:
            effect = flap_effect(self.flap.chord)
            row["flap_angle"], row["flap_moment"] = effect.angle, effect.c_moment
        turned = turn_wing(Shape(), self._side())
        row["pos_x"], row["pos_y"], row["pos_z"] = strip_place(built, 1.0, turned, self._side())
        row["turn_w"], row["turn_x"], row["turn_y"], row["turn_z"] = strip_turn(built, 0.0, turned)
        return row

    def _weigh(self, places: Places, row: Row) -> None:
        """What moves when the shape changes: the mass of the wing's own body."""
        model, body = places.model, int(row["body"])
        if body == places.root or not any((self.span, self.sweep, self.dihedral)):
            return
        turn_bs, turn_bi = (_matrix(q) for q in (model.site_quat[row["site"]], model.body_iquat[body]))
        inertia = turn_bs.T @ turn_bi @ np.diag(model.body_inertia[body]) @ turn_bi.T @ turn_bs
        if np.abs(inertia - np.diag(np.diag(inertia))).max() > 1e-6 * inertia.max():
            raise ValueError("a wing that changes its shape needs a body whose inertia lies along the axes of its site")
        row["inertia_x"], row["inertia_y"], row["inertia_z"] = np.diag(inertia)
        row["mass"] = model.body_mass[body]
        row["mass_x"], row["mass_y"], row["mass_z"] = turn_bs.T @ (model.body_ipos[body] - model.site_pos[row["site"]])
        model.body_sameframe[body] = 0  # MuJoCo must not take the centre of mass for the origin of the body


def _matrix(quaternion: Any) -> Any:
    w, x, y, z = quaternion
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


class _StripNow(NamedTuple):
    """What changes with the shape, and what it changes from."""

    built_width: float
    built_alpha_0: float
    built_c_moment_0: float
    flap_angle: float
    flap_moment: float
    pos_x: float
    pos_y: float
    pos_z: float
    """Quarter chord in axes of the site [m]."""
    turn_w: float
    turn_x: float
    turn_y: float
    turn_z: float
    """From the axes of the strip to those of the site."""
    vel_x: float
    vel_y: float
    vel_z: float
    """Of the quarter chord against the site, from the change of the shape [m/s]."""
    acc_x: float
    acc_y: float
    acc_z: float
    """[m/s²]."""


STRIP = row_type(Strip, Built, _StripNow)
WING = row_type(
    WingNumbers,
    **dict.fromkeys(
        ("body", "site", "vehicle", "unsteady", "moves", "slides", "first", "count", "state", "output"), "i8"
    ),
    **dict.fromkeys((f"{a}_{b}" for a in ("lift", "drag", "moment") for b in ("start", "segments", "count")), "i8"),
    flap_channel="i8",
    shape_channel="5i8",
    shape_gain="5f8",
    added="36f8",
)
"""`added` is the inertia of the air that goes along, per unit of density, axes of the site: see `engine.added`."""


def work_at(wing: Number) -> Number:
    """Place in the state of the work done so far [J]."""
    return wing.state


def memory_at(wing: Number, strip: Number) -> Number:
    """Place in the state of what the air remembers of a strip."""
    return wing.state + 1 + MEMORY * strip


def shapes_at(wing: Number) -> Number:
    """Place in the state of the shapes."""
    return wing.state + 1 + MEMORY * wing.count * wing.unsteady
