"""A wing as built: the keys of its geometry, and the strips that are cut from its stations."""

import itertools
import math
from typing import Any, NamedTuple

import numpy as np
from pydantic import Field

from cupola.parts.aero.spreading import Spreading
from cupola.parts.aero.wing_strips import STRIP
from cupola.parts.binding import CurveRow, Row, row_type
from cupola.parts.curve import curve_value
from cupola.physics.flap import flap_effect
from cupola.physics.planform import Built, Shape, Spread, span_factor, strip_place, strip_turn, turn_wing
from cupola.physics.section import Section
from cupola.physics.strip import Strip, across_sweep
from cupola.schema.yaml_files import Entry

NEAR = 0.35
"""[rad] from the chord line within which a lift curve passes through zero."""
CUT = ("chord", "x", "z", "incidence")
"""Quantities that vary linearly between two stations."""


class EdgeChord(NamedTuple):
    """Beside the place of an edge of a strip."""

    chord: float
    """[m] along the flight."""


EDGE = row_type(Built, EdgeChord)
"""Record of one edge of a strip among the constants."""


class Station(Entry):
    """One cut through the wing, parallel to the root; between two of them everything changes evenly."""

    y: float = Field(ge=0, description="[m] from the root along the span")
    chord: float = Field(gt=0, description="[m]")
    x: float = Field(0.0, description="[m], of the quarter chord in front of the site")
    z: float = Field(0.0, description="[m], above the site")
    incidence: float = Field(0.0, ge=-math.pi, le=math.pi, description="[rad], nose up")
    alpha_0: float = Field(0.0, ge=-1.0, le=1.0, description="[rad], angle without lift beyond that of `section`")


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


class Blown(Entry):
    """The stream of one rotor over a wing of strips."""

    rotor: str = Field(description="rotor part whose stream blows over the strips that lie in it")


class Cutting(NamedTuple):
    """Geometry from which strips are made."""

    stations: tuple[Station, ...]
    """From the root to the tip."""
    side: float
    """1: left, -1: right."""
    ratio: float
    """Aspect ratio of the whole wing."""
    section: Section
    flap: Flap | None
    spread: Spreading | None = None
    """How unevenly its wake acts; None: as that of an elliptic wing."""


def cut_strips(wing: Cutting, count: int, closer: bool = False) -> list[Row]:
    """Strips of equal width, each with what lies at its middle; `closer`: narrower towards the tip (`tip_closer`)."""
    y = np.array([station.y for station in wing.stations])
    if np.any(np.diff(y) <= 0.0):
        raise ValueError(f"stations must lie one behind the other along the span, got y = {', '.join(map(str, y))}")
    cut = {name: np.array([getattr(s, name) for s in wing.stations]) for name in (*CUT, "alpha_0")}
    edges = np.linspace(y[0], y[-1], count + 1)
    middles = 0.5 * (edges[:-1] + edges[1:])
    if closer:
        places = y[0] + (y[-1] - y[0]) * tip_closer(np.linspace(0.0, 1.0, 2 * count + 1))
        edges, middles = places[::2], places[1::2]
    pairs = list(itertools.pairwise(edges))
    made = wing.spread(pairs) if wing.spread else [Spread()] * count
    return [_strip(wing, a, m, b, y, cut, one) for (a, b), m, one in zip(pairs, middles, made, strict=True)]


def of_curve(section: Section, lift: CurveRow, constants: list[float]) -> Section:
    """A section with angle without lift and slope of a lift curve, which what is induced follows from.

    The slope is the mean over the first 0.1 rad. A curve that does not rise through zero near the chord line leaves the
    section as it is.
    """
    from scipy.optimize import brentq  # takes longer to import than a world without such a wing to load

    values = np.array(constants)

    def value(alpha: float) -> float:
        return float(curve_value(alpha, lift, values))

    angles = np.linspace(-NEAR, NEAR, 141)
    lifts = np.array([value(alpha) for alpha in angles])
    rising = np.flatnonzero((lifts[:-1] < 0.0) & (lifts[1:] >= 0.0))
    if not len(rising):
        return section
    k = rising[np.argmin(np.abs(angles[rising]))]
    zero = 0.0 if value(0.0) == 0.0 else float(brentq(value, angles[k], angles[k + 1], xtol=1e-12))
    slope = (value(zero + 0.1) - value(zero)) / 0.1
    return section._replace(alpha_0=zero, c_lift_a=slope if slope > 0.0 else section.c_lift_a)


def tip_closer(share: Any) -> Any:
    """Places along the span, 0 to 1, where vortices leave a wing: evenly about a circle, so closer towards the tip."""
    return np.sin(0.5 * np.pi * share)


def cut_edges(wing: Cutting, count: int) -> list[Row]:
    """Edges of the strips of a wing that is solved with its wake: cuts along the flight."""
    y = np.array([station.y for station in wing.stations])
    places = y[0] + (y[-1] - y[0]) * tip_closer(np.linspace(0.0, 1.0, count + 1))
    made = []
    for place in places:
        row = np.zeros((), EDGE)
        chord, x, z, incidence = (float(np.interp(place, y, [getattr(s, name) for s in wing.stations])) for name in CUT)
        for name, value in Built(x, place, z, incidence, place / float(y[-1]), 0.0)._asdict().items():
            row[name] = value
        row["chord"] = chord
        made.append(row)
    return made


def _strip(
    wing: Cutting, inner: float, middle: float, outer: float, y: Any, cut: dict[str, Any], spread: Spread
) -> Row:
    row, side = np.zeros((), STRIP), wing.side
    chord, x, z, incidence = (float(np.interp(middle, y, cut[name])) for name in CUT)
    back = float(np.interp(inner, y, cut["x"]) - np.interp(outer, y, cut["x"]))
    sweep = side * math.atan2(back, outer - inner)
    across = across_sweep(chord, outer - inner, sweep)
    section = wing.section._replace(alpha_0=wing.section.alpha_0 + float(np.interp(middle, y, cut["alpha_0"])))
    numbers = Strip(
        chord=across.chord,
        width=across.width,
        span_factor=float(span_factor(wing.ratio, math.cos(sweep), section.c_lift_a, spread)),
        **section._asdict(),
    )
    built = Built(x, middle, z, incidence, middle / float(y[-1]), sweep)
    for name, value in {**numbers._asdict(), **built._asdict(), **spread._asdict()}.items():
        row[name] = value
    row["built_width"], row["built_alpha_0"] = numbers.width, numbers.alpha_0
    row["built_c_moment_0"], row["free_factor"] = numbers.c_moment_0, numbers.span_factor
    if wing.flap and wing.flap.inner <= built.out <= wing.flap.outer:
        effect = flap_effect(wing.flap.chord)
        row["flap_angle"], row["flap_moment"] = effect.angle, effect.c_moment
    turned = turn_wing(Shape(), side)
    row["pos_x"], row["pos_y"], row["pos_z"] = strip_place(built, 1.0, turned, side)
    row["turn_w"], row["turn_x"], row["turn_y"], row["turn_z"] = strip_turn(built, 0.0, turned)
    return row
