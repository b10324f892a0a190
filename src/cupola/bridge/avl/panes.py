"""Surfaces of an AVL file cut into wings: one for each side and each stretch of the span that the same controls move.

AVL's axes are x aft, y right, z up; ours x front, y left, z up, from the centre of mass: a half turn about z.
"""

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from cupola.bridge.avl.document import Control, Section, Surface

WHOLE = 0.9999
"""Share of the chord that a surface moves which turns as a whole."""


TOUCHING = 1e-6
"""By the chord."""
LOFTS = 4
"""Pieces between two sections along which the tilt is followed."""


class WingStation(NamedTuple):
    """A station of the part `wing`."""

    y: float
    chord: float
    x: float
    z: float
    alpha_0: float
    """[rad]. As in AVL incidence and camber tilt the flow's boundary condition, not the panels: abutting edges fit."""


class Pane(NamedTuple):
    """A wing."""

    label: str
    """left, right or nothing for a fin, and its number where there are several."""
    side: str
    place: tuple[float, ...]
    """Of its site [m]."""
    roll_deg: float
    """Of its site."""
    stations: tuple[WingStation, ...]
    c_moment_0: float
    """About the quarter chord, mean of its sections."""
    chordwise: int
    spanwise: int
    flap_chord: float
    moved_by: tuple[tuple[str, float], ...]
    """Controls that move its flap, trailing edge down."""
    assumed: tuple[tuple[str, str], ...]
    """What of them is not as in the file, and what it is."""

    @property
    def area(self) -> float:
        """[m²]"""
        y, chord = [s.y for s in self.stations], [s.chord for s in self.stations]
        return float(np.trapezoid(chord, y))

    def _axes(self) -> tuple[float, Any, Any]:
        """1 for a left wing and -1 for a right one; its span, to the left, and its upward."""
        roll = math.radians(self.roll_deg)
        across, up = np.array([0.0, math.cos(roll), math.sin(roll)]), np.array([0.0, -math.sin(roll), math.cos(roll)])
        return (1.0 if self.side == "left" else -1.0), across, up

    def lifts(self) -> tuple[Any, Any]:
        """Where lift acts on it, half-way out [m], and its way, as long as the area [m²]."""
        outward, across, up = self._axes()
        inner, outer = self.stations[0], self.stations[-1]
        place = np.array(self.place) + 0.5 * outward * (inner.y + outer.y) * across
        place[0] += 0.5 * (inner.x + outer.x)
        return place, self.area * up

    def shapes(self) -> list[str]:
        """Thin boxes to look at, without mass: one between two stations."""
        made = []
        outward, across, up = self._axes()
        for a, b in itertools.pairwise(self.stations):
            chord, width = 0.5 * (a.chord + b.chord), math.hypot(b.y - a.y, b.z - a.z)
            middle = np.array(self.place) + 0.5 * outward * (a.y + b.y) * across + 0.5 * (a.z + b.z) * up
            middle[0] += 0.5 * (a.x + b.x) - 0.25 * chord
            turn = self.roll_deg + outward * math.degrees(math.atan2(b.z - a.z, b.y - a.y))
            size = f"{0.5 * chord:.5g} {0.5 * width:.5g} {max(0.02 * chord, 1e-4):.5g}"
            at = " ".join(f"{x:.6g}" for x in middle)
            kind = 'type="box" mass="0" contype="0" conaffinity="0"'
            made.append(f'<geom {kind} pos="{at}" euler="{turn:.6g} 0 0" size="{size}"/>')
        return made


class _Cut(NamedTuple):
    """A section in our axes."""

    quarter: Any
    """Quarter chord [m]."""
    chord: float
    section: Section


class _Place(NamedTuple):
    """Along a wing."""

    quarter: Any
    chord: float
    tilt: float
    """[rad]"""


def panes(surface: Surface, image: float | None, unit: float, centre: Any) -> Iterator[Pane]:
    """The wings of a surface, and of its mirror image if it has one."""
    for mirrored in (False, True) if image is not None else (False,):
        cuts = [_placed(one, image if mirrored else None, unit, centre) for one in surface.sections]
        total = sum(_width(a, b) for a, b in itertools.pairwise(cuts))
        groups = _groups(cuts)
        for k, group in enumerate(groups):
            share = sum(_width(a, b) for a, b in itertools.pairwise(group)) / max(total, 1e-12)
            if share > 0.0:
                many = str(k + 1) if len(groups) > 1 else ""
                pane = _pane(surface, group, mirrored, share, many)
                yield from [pane] if pane.label else _halves(pane)


def _halves(pane: Pane) -> Iterator[Pane]:
    """A fin, whose ends are both free, as two wings from its middle outwards: strips are narrow towards the tips.

    With others a fin that crosses the wake of a wing feels more of it above than below.
    """
    outward, across, up = pane._axes()
    y = [one.y for one in pane.stations]
    middle = 0.5 * (y[0] + y[-1])
    cut = WingStation(*(float(np.interp(middle, y, values)) for values in zip(*pane.stations, strict=True)))
    place = np.array(pane.place) + outward * cut.y * across + cut.z * up + np.array([cut.x, 0.0, 0.0])
    for label, way, side in (("1", -1.0, "left" if pane.side == "right" else "right"), ("2", 1.0, pane.side)):
        own = [one for one in pane.stations if way * (one.y - middle) > TOUCHING * one.chord]
        moved = [one._replace(y=way * (one.y - cut.y), x=one.x - cut.x, z=one.z - cut.z) for one in (cut, *own)]
        yield pane._replace(
            label=pane.label + label,
            side=side,
            place=tuple(float(x) for x in place),
            stations=tuple(sorted(moved)),
            spanwise=max(1, round(0.5 * pane.spanwise)),
        )


def _placed(section: Section, image: float | None, unit: float, centre: Any) -> _Cut:
    x, y, z = section.nose
    if image is not None:
        y = 2.0 * image - y
    place = unit * np.array([x + 0.25 * section.chord, y, z]) - centre
    return _Cut(place * np.array([-1.0, -1.0, 1.0]), unit * section.chord, section)


def _width(a: _Cut, b: _Cut) -> float:
    return math.hypot(*(b.quarter - a.quarter)[1:])


def _groups(cuts: list[_Cut]) -> list[list[_Cut]]:
    """Stretches between sections that the same controls move, and that lie on one side of the middle."""
    made: list[list[_Cut]] = []
    last: object = None
    for a, b in itertools.pairwise(cuts):
        moved = tuple((c.name, c.gain, c.on_image) for c in _between(a.section, b.section))
        which = moved, a.quarter[1] + b.quarter[1] > 1e-9
        if made and which == last:
            made[-1].append(b)
        else:
            made.append([a, b])
        last = which
    return made


def _between(a: Section, b: Section) -> list[Control]:
    """Controls that both sections have; the gain runs straight from one to the other, so its mean counts.

    Of two with one name in a section the last counts, as in AVL.
    """
    ends = [{one.name: one for one in section.controls} for section in (a, b)]
    both = ((one, ends[1][name]) for name, one in ends[0].items() if name in ends[1])
    return [one._replace(gain=0.5 * (one.gain + other.gain)) for one, other in both]


def _pane(surface: Surface, group: list[_Cut], mirrored: bool, share: float, many: str) -> Pane:
    cuts = group
    along = cuts[-1].quarter - cuts[0].quarter
    if abs(along[1]) > 1e-6 * abs(along[2]) and (along[1] < 0.0) == (cuts[0].quarter[1] + cuts[-1].quarter[1] > 0.0):
        cuts, along = cuts[::-1], -along  # from the middle outwards
    left = along[1] > -1e-9
    outward = 1.0 if left else -1.0
    roll = math.atan2(outward * along[2], outward * along[1])
    across, up = np.array([0.0, math.cos(roll), math.sin(roll)]), np.array([0.0, -math.sin(roll), math.cos(roll)])
    sign = math.copysign(1.0, _downward(_span(group, 0.0), mirrored, up))
    moment = sum(one.section.camber.c_moment_0 * one.chord for one in cuts) / sum(one.chord for one in cuts)
    stations = []
    for one in _lofted(cuts):
        off = one.quarter - cuts[0].quarter
        y, z = outward * float(off @ across), float(off @ up)
        stations.append(WingStation(y, one.chord, float(off[0]), z, sign * one.tilt))
    chord, moved, assumed = _flap(group, mirrored, up)
    named = "" if abs(along[1]) < 0.2 * abs(along[2]) else ("left" if left else "right")
    return Pane(
        label=named + many,
        side="left" if left else "right",
        place=tuple(float(x) for x in cuts[0].quarter),
        roll_deg=math.degrees(roll),
        stations=_apart(stations),
        c_moment_0=sign * moment,
        chordwise=surface.chordwise,
        spanwise=max(1, round(surface.spanwise * share)),
        flap_chord=chord,
        moved_by=moved,
        assumed=assumed,
    )


def _lofted(cuts: list[_Cut]) -> list[_Place]:
    """Sections, and places between two whose chord and tilt both differ: edges are straight, so the tilt is not."""
    found = [_Place(cuts[0].quarter, cuts[0].chord, _tilt(cuts[0]))]
    for a, b in itertools.pairwise(cuts):
        straight = a.chord == b.chord or _tilt(a) == _tilt(b)
        for f in (1.0,) if straight else np.arange(1, LOFTS + 1) / LOFTS:
            chord = (1.0 - f) * a.chord + f * b.chord
            tilt = ((1.0 - f) * a.chord * _tilt(a) + f * b.chord * _tilt(b)) / chord
            found.append(_Place((1.0 - f) * a.quarter + f * b.quarter, float(chord), float(tilt)))
    return found


def _tilt(cut: _Cut) -> float:
    """[rad] by which the flow's boundary condition is turned, nose down."""
    return cut.section.camber.alpha_0 - math.radians(cut.section.incidence)


def _apart(stations: list[WingStation]) -> tuple[WingStation, ...]:
    """Without those that lie at the same place along the span as the one before."""
    kept = stations[:1]
    for one in stations[1:]:
        if one.y > kept[-1].y + 1e-9:
            kept.append(one)
    return tuple(kept)


def _flap(group: list[_Cut], mirrored: bool, up: Any) -> tuple[float, tuple[Any, ...], tuple[Any, ...]]:
    """Share of the chord that turns, the controls that turn it, trailing edge down, and what was assumed of them."""
    controls = _between(group[0].section, group[1].section)
    if not controls:
        return 0.0, (), ()
    hinge = _hinge(group, controls[0].name)[0]
    moved, assumed = [], []
    for one in controls:
        own, spread = _hinge(group, one.name)
        gains = [c.gain for cut in group for c in cut.section.controls if c.name == one.name]
        if spread:
            assumed.append((f"hinge of {one.name}", f"at {own:.3g} chords everywhere, the mean of its sections"))
        if max(gains) - min(gains) > 1e-9:
            assumed.append((f"gain of {one.name}", f"{one.gain:.3g} everywhere, its mean"))
        share = _lift_of_flap(own) / _lift_of_flap(hinge)
        if abs(own - hinge) > 1e-9:
            text = f"it turns the flap of {controls[0].name} by {share:.3g} of its angle, which lifts as its own would"
            assumed.append((f"hinge of {one.name}", text))
        axis = np.array(one.axis) if any(one.axis) else _span(group, own)
        gain = one.gain * share * (one.on_image if mirrored else 1.0)
        moved.append((one.name, gain * _downward(axis, mirrored, up)))
    return min(1.0 - hinge, WHOLE), tuple(moved), tuple(assumed)


def _hinge(group: list[_Cut], name: str) -> tuple[float, bool]:
    """Where a control is hinged on a wing [chords], and whether that differs between its sections."""
    found = [c.hinge for cut in group for c in cut.section.controls if c.name == name]
    return sum(found) / len(found), max(found) - min(found) > 1e-9


def _lift_of_flap(hinge: float) -> float:
    """By the angle of attack, in thin-airfoil theory (Glauert, 1927)."""
    theta = math.acos(1.0 - 2.0 * hinge)
    return 1.0 - (theta - math.sin(theta)) / math.pi


def _span(group: list[_Cut], back: float) -> Any:
    """From the first section to the last, `back` chords behind the noses, axes of the file."""
    a, b = (
        np.array(one.section.nose) + np.array([back * one.section.chord, 0.0, 0.0]) for one in (group[0], group[-1])
    )
    return b - a


def _downward(axis: Any, mirrored: bool, up: Any) -> float:
    """How far a turn by the right hand about an axis of the file moves the trailing edge down, away from `up`.

    Seen in a mirror an axis of turning keeps what lies along the normal of the mirror and reverses the rest.
    """
    seen = axis * np.array([-1.0, 1.0, -1.0]) if mirrored else axis
    here = seen * np.array([-1.0, -1.0, 1.0]) / np.linalg.norm(axis)
    return -float(np.cross(here, [-1.0, 0.0, 0.0]) @ up)
