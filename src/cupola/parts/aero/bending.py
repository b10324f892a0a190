"""A wing that bends: a chain of rigid pieces on hinges with springs, as many as the file says.

A hinge stands for a stretch h of the span and lies in its middle, with the stiffness EI / h against bending and GJ / h
against twisting; so tip deflection and frequencies converge with the square of the number. Each piece is a wing part of
its own, on a body of its own, with its share of the mass.
"""

import itertools
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np
from pydantic import Field

from cupola.parts.aero.wing_geometry import CUT, Station
from cupola.schema.yaml_files import Entry

if TYPE_CHECKING:
    from cupola.parts.aero.wing import Wing

THICKNESS = 0.05
"""Of the plates, in chords: none at all would be no body."""


class Bending(Entry):
    """Stiffness and mass of a wing."""

    sections: int = Field(ge=1, le=50, description="hinges along the span")
    stiffness: float = Field(gt=0, description="[N m²], EI against bending up and down")
    twisting: float | None = Field(
        None, gt=0, description="[N m²], GJ against twist; without it the wing does not twist"
    )
    damping: float = Field(0.0, ge=0, description="[s], damping torque by stiffness")


def edges(wing: "Wing") -> list[float]:
    """Where the pieces begin and the last one ends, along the span [m]."""
    assert wing.bending is not None
    first, last = wing.stations[0].y, wing.stations[-1].y
    middles = (np.arange(wing.bending.sections) + 0.5) / wing.bending.sections
    return [first, *(float(first + (last - first) * m) for m in middles), last]


def piece_site(wing: "Wing", k: int) -> str:
    """Site of piece number `k`; the first one keeps that of the wing."""
    return wing.site if k == 0 else f"{wing.site}_{k}"


def piece_stations(wing: "Wing", inner: float, outer: float) -> list[dict[str, float]]:
    """The stations between two places of the span, seen from the inner one."""
    between = [s.y for s in wing.stations if inner < s.y < outer]
    at = {name: [getattr(s, name) for s in wing.stations] for name in CUT}
    y = [s.y for s in wing.stations]
    return [
        {"y": here - inner, **{name: float(np.interp(here, y, at[name])) for name in CUT}}
        for here in (inner, *between, outer)
    ]


def attach_chain(wing: "Wing", spec: Any) -> None:
    """Take the wing's body to pieces: the stub keeps its name, the others hang on each other by springs."""
    site = spec.site(wing.site)
    body, side = site.parent, 1.0 if wing.side == "left" else -1.0
    if np.abs(np.asarray(site.quat) - [1.0, 0.0, 0.0, 0.0]).max() > 1e-9:
        raise ValueError(f"a wing that bends needs a site with the axes of its body; {wing.site!r} is turned")
    if not body.explicitinertial:
        raise ValueError(f"a wing that bends needs a body with an <inertial>; {body.name!r} has none")
    assert wing.bending is not None
    cuts = edges(wing)
    areas = [_area(wing, a, b) for a, b in itertools.pairwise(cuts)]
    mass, start = float(body.mass), np.array(site.pos)
    step = (cuts[-1] - cuts[0]) / wing.bending.sections
    parent = body
    for k, (inner, outer) in enumerate(itertools.pairwise(cuts)):
        if k > 0:
            out = np.array([0.0, side * (inner - (0.0 if k == 1 else cuts[k - 1])), 0.0])
            parent = parent.add_body(name=f"{body.name}_{k}", pos=out + start if k == 1 else out)
            _add_hinges(parent, wing.bending, step)
            parent.add_site(name=piece_site(wing, k))
        own = start if k == 0 else np.zeros(3)
        _weigh(parent, wing, mass * areas[k] / sum(areas), own, side, inner if k == 0 else 0.0, inner, outer)


def _add_hinges(body: Any, bending: Bending, step: float) -> None:
    axes = {"bend": ([1.0, 0.0, 0.0], bending.stiffness / step)}
    if bending.twisting:
        axes["twist"] = ([0.0, 1.0, 0.0], bending.twisting / step)
    for name, (axis, stiffness) in axes.items():
        joint = body.add_joint(name=f"{body.name}_{name}", type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
        joint.stiffness[0], joint.damping[0] = stiffness, bending.damping * stiffness


def _area(wing: "Wing", inner: float, outer: float) -> float:
    cut = piece_stations(wing, inner, outer)
    return float(np.trapezoid([s["chord"] for s in cut], [s["y"] for s in cut]))


def _weigh(
    body: Any, wing: "Wing", mass: float, start: Any, side: float, shift: float, inner: float, outer: float
) -> None:
    """Mass of a flat plate from `inner` to `outer`; the body's origin lies at `inner` but for the stub's."""
    cut, width = piece_stations(wing, inner, outer), outer - inner
    chord = _area(wing, inner, outer) / width
    back = float(np.mean([s["x"] for s in cut])) - 0.25 * chord
    body.explicitinertial, body.mass = True, mass
    body.ipos = start + np.array([back, side * (shift + 0.5 * width), float(np.mean([s["z"] for s in cut]))])
    body.iquat, body.fullinertia = [1.0, 0.0, 0.0, 0.0], [np.nan] * 6
    thick = THICKNESS * chord
    body.inertia = mass / 12.0 * np.array([width**2 + thick**2, chord**2 + thick**2, width**2 + chord**2])


def pieces_of(wing: "Wing", name: str, ratio: float) -> dict[str, "Wing"]:
    """One wing part for each piece."""
    found, cuts = {}, edges(wing)
    for k, (inner, outer) in enumerate(itertools.pairwise(cuts)):
        stations = tuple(Station(**cut) for cut in piece_stations(wing, inner, outer))
        strips = max(1, round(wing.strips * (outer - inner) / (cuts[-1] - cuts[0])))
        changed = {"site": piece_site(wing, k), "stations": stations, "strips": strips, "aspect_ratio": ratio}
        piece = wing.model_copy(update={**changed, "bending": None})
        if wing.aspect_ratio is None:
            piece._piece_of = (wing.stations, inner)
        found[name if k == 0 else f"{name}_{k}"] = piece
    return found
