"""Wings of unusual outline by every theory: all lift as the lattice does, as far as lines may, or are refused."""

import math

import pytest

from cupola.schema.yaml_files import InputError

from .test_wing_theories import ALPHA, flying, total, wing  # noqa: F401

FIELDS = ("y", "chord", "x", "z", "incidence")
STRAIGHT = ((0.0, 0.2, 0.0, 0.0, 0.0), (0.8, 0.2, 0.0, 0.0, 0.0))
SHAPES = {
    "cranked": [((0.0, 0.3, 0.0, 0.0, 0.0), (0.3, 0.22, -0.02, 0.0, 0.0), (0.8, 0.08, -0.25, 0.0, 0.0))],
    "swept forward": [((0.0, 0.28, 0.0, 0.0, 0.0), (0.8, 0.12, 0.3, 0.0, 0.0))],
    "raised tips": [((0.0, 0.2, 0.0, 0.0, 0.0), (0.5, 0.2, 0.0, 0.0, 0.0), (0.8, 0.12, 0.0, 0.2, 0.0))],
    "winglets": [((0.0, 0.2, 0.0, 0.0, 0.0), (0.7, 0.15, -0.05, 0.0, 0.0), (0.75, 0.1, -0.1, 0.25, 0.0))],
    "twisted": [((0.0, 0.2, 0.0, 0.0, 0.1), (0.8, 0.1, 0.0, 0.0, -0.1))],
    "slender": [((0.0, 0.1, 0.0, 0.0, 0.0), (3.0, 0.1, 0.0, 0.0, 0.0))],
    "oblique": [
        ((0.0, 0.2, 0.0, 0.0, 0.0), (0.8, 0.12, -0.4, 0.0, 0.0)),
        ((0.0, 0.2, 0.0, 0.0, 0.0), (0.8, 0.12, 0.4, 0.0, 0.0)),
    ],
}
"""Stations of the left half, and of the right one where it is another."""
LINES = ("strips", "unsteady_strips", "delaurier", "lifting_line")


def shaped(halves, theory, strips):
    """Both halves."""
    made = {}
    for side, stations in (("left", halves[0]), ("right", halves[-1])):
        cuts = [dict(zip(FIELDS, station, strict=True)) for station in stations]
        made[side] = {**wing(side), "stations": cuts, "theory": theory, "strips": strips}
    return made


def lift(force):
    """[N]"""
    return float(force @ [math.sin(ALPHA), 0.0, math.cos(ALPHA)])


@pytest.mark.parametrize("name", SHAPES)
def test_a_strange_wing_lifts_as_a_lattice_by_every_theory(name, flying):  # noqa: F811
    """Lines know no chord: up to 10 % more than panels, which lack nothing here."""
    panels = lift(total(flying(shaped(SHAPES[name], "lattice", 16))))
    for theory in LINES:
        found = lift(total(flying(shaped(SHAPES[name], theory, 12))))
        assert 0.98 * panels < found < 1.1 * panels, theory
    steady = lift(total(flying(shaped(SHAPES[name], "unsteady_lattice", 8))))
    assert steady == pytest.approx(panels, rel=0.04)


@pytest.mark.parametrize(("ratio", "more"), [(24, 1.01), (8, 1.04), (4, 1.09), (2, 1.19), (1, 1.36)])
def test_what_a_line_does_not_know_of_the_chord(ratio, more, flying):  # noqa: F811
    """The figures of docs/wings.md: lift of a rectangular wing by a lifting line, by that of a lattice."""
    halves = [((0.0, 0.2, 0.0, 0.0, 0.0), (0.1 * ratio, 0.2, 0.0, 0.0, 0.0))]
    line, panels = (lift(total(flying(shaped(halves, theory, 12)))) for theory in ("lifting_line", "lattice"))
    assert line / panels == pytest.approx(more, abs=0.02)


def test_few_strips_are_refused_where_they_carry_the_whole_flow(flying):  # noqa: F811
    for theory in ("lifting_line", "lattice", "unsteady_lattice"):
        with pytest.raises(InputError, match=f"strips: theory {theory} needs 3 or more for the flow along the span"):
            flying(shaped([STRAIGHT], theory, 2))
    assert lift(total(flying(shaped([STRAIGHT], "strips", 1)))) > 0.0
