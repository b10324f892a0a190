"""A wing that changes its shape is the wing that it has become: lift slope and induced drag over spans and sweeps."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

from cupola.aerodynamics.grid import tapered
from cupola.aerodynamics.lattice import steady_lattice
from cupola.aerodynamics.lifting_line import lifting_line

DENSITY, SPEED, ALPHA = 1.2, 15.0, math.radians(2.0)
HALF, ROOT, TIP = 0.8, 0.28, 0.12
"""[m] half span as built, chords: lift is spread almost as on an ellipse, so that the closed form holds."""
SPANS, SWEEPS = (0.6, 1.0, 1.4, 1.75), (0.0, 0.2, 0.4, 0.6)
THIN = {
    "c_friction": 0.0,
    "c_lift_a": 2 * math.pi,
    "suction": 1.0,
    "alpha_stall": 1.2,
    "alpha_0": 0.0,
    "c_moment_0": 0.0,
}
LOOSE = 'contype="0" conaffinity="0"'
GLIDER = f"""<body name="base"><freejoint/><geom size=".1" mass="1" {LOOSE}/>
<body name="left"><geom type="box" size=".1 .4 .002" pos="0 .4 0" mass=".2" {LOOSE}/><site name="left"/></body>
<body name="right"><geom type="box" size=".1 .4 .002" pos="0 -.4 0" mass=".2" {LOOSE}/><site name="right"/></body>
</body>"""


def wing(side, built=(1.0, 0.0), **numbers):
    """Half of a wing, built with this shape: its stations are cut along the flight."""
    span, c, s = built[0], math.cos(built[1]), math.sin(built[1])
    tip = {"y": HALF * span * c, "chord": TIP / c, "x": -HALF * span * s}
    stations = [{"y": 0.0, "chord": ROOT / c}, tip]
    return {"kind": "wing", "site": side, "side": side, "stations": stations, "section": THIN, "strips": 40, **numbers}


MORPHING = {"span": {"channel": 0, "gain": 1.0}, "sweep": {"channel": 1, "gain": 1.0}}
"""Its span follows channel 0 and its sweep channel 1."""


@pytest.fixture
def glider(vehicle, make_world):
    """Lift and drag coefficients by the area S [m²] of both halves, at a shape."""

    def make(**numbers):
        own = numbers.get("built", (1.0, 0.0))[0]
        parts = {side: wing(side, **numbers) for side in ("left", "right")}
        world = make_world(vehicle(GLIDER, parts=parts), physics_hz=1000, gravity=0.0, air={"density": DENSITY})

        def at(span=1.0, sweep=0.0):
            return coefficients(world, ALPHA, own * span * HALF * (ROOT + TIP), span - 1.0, sweep)

        return at

    return make


def ratio(span, sweep):
    """b² / S of both halves, by the span across the flight."""
    return (2.0 * HALF * span * math.cos(sweep)) ** 2 / (span * HALF * (ROOT + TIP))


@pytest.mark.parametrize("outline", ["given", "tapered"])
def test_lift_slope_and_induced_drag_are_those_of_the_present_shape(outline, glider):
    """D_i = L² / (q π b² e): with e = 1 where only the aspect ratio is given, else with that of the lifting line."""
    at = glider(**MORPHING, **({"aspect_ratio": ratio(1.0, 0.0)} if outline == "given" else {}))
    for span, sweep in itertools.product(SPANS, SWEEPS):
        lift, drag = at(span, sweep)
        a, c = ratio(span, sweep), math.cos(sweep)
        slope, e = 2.0 * math.pi * c * a / (a + 2.0 * c), 1.0
        if outline == "tapered":
            line = by_line(a / c, TIP / ROOT)
            slope, e = c * line.wing_lift / ALPHA, 1.0 / (1.0 + line.delta)
        assert lift / ALPHA == pytest.approx(slope, rel=0.005), (span, sweep)
        assert drag == pytest.approx(lift**2 / (math.pi * a * e), rel=0.01), (span, sweep)


def by_line(aspect_ratio, taper):
    """A straight wing as a lifting line."""
    tip = 2.0 * taper / (1.0 + taper) / aspect_ratio
    chord = lambda y: tip + (tip / taper - tip) * (1.0 - 2.0 * np.abs(y))  # noqa: E731
    return lifting_line(1.0, chord, lambda y: np.full_like(y, ALPHA), lambda a: 2.0 * math.pi * a)


@pytest.mark.parametrize("strips", [6, 12])
@pytest.mark.parametrize("taper", [0.15, 0.6, 1.0])
@pytest.mark.parametrize("theory", ["strips", "unsteady_strips", "delaurier"])
def test_any_outline_has_lift_and_induced_drag_of_its_lifting_line(theory, taper, strips, vehicle, make_world):
    root = 0.4 / (1.0 + taper)
    stations = [{"y": 0.0, "chord": root}, {"y": HALF, "chord": taper * root}]
    numbers = {"theory": theory, "strips": strips, "stations": stations, "span": MORPHING["span"]}
    parts = {side: {**wing(side), **numbers} for side in ("left", "right")}
    world = make_world(vehicle(GLIDER, parts=parts), physics_hz=1000, gravity=0.0, air={"density": DENSITY})
    for span in (0.5, 1.0, 2.0):
        lift, drag = coefficients(world, ALPHA, span * HALF * 0.4, span - 1.0)
        line = by_line(8.0 * span, taper)
        assert lift == pytest.approx(line.wing_lift, rel=0.007), span
        assert drag == pytest.approx(line.wing_drag, rel=0.013), span


def test_a_wing_in_pieces_knows_its_whole_outline(vehicle, make_world):
    """A wing that bends hardly at all lifts as the stiff one."""
    found = []
    for bending in ({}, {"bending": {"sections": 5, "stiffness": 1e6}}):
        parts = {side: {**wing(side), **bending} for side in ("left", "right")}
        body = GLIDER.replace(
            '<geom type="box"', '<inertial pos="0 0 0" mass=".2" diaginertia=".02 .001 .02"/><geom type="box"'
        )
        folder = vehicle(body, name=f"toy{len(found)}", parts=parts)
        world = make_world(folder, physics_hz=1000, gravity=0.0, air={"density": DENSITY})
        found.append(coefficients(world, ALPHA, HALF * (ROOT + TIP)))
    np.testing.assert_allclose(found[1], found[0], rtol=2e-3)


def coefficients(world, alpha, area, *commands):
    """Of lift and drag."""
    start = {"velocity_b": [SPEED * math.cos(alpha), 0.0, -SPEED * math.sin(alpha)]}
    force = np.asarray(world.evaluate(start=start, commands=list(commands)).force_b)
    push = 0.5 * DENSITY * SPEED**2 * area
    lift = (force[2] * math.cos(alpha) + force[0] * math.sin(alpha)) / push
    return lift, (force[2] * math.sin(alpha) - force[0] * math.cos(alpha)) / push


@pytest.mark.parametrize("model", ["steady", "unsteady"])
@pytest.mark.parametrize(("span", "sweep"), [(1.75, 0.0), (1.0, 0.4), (0.6, 0.6)])
def test_a_wing_that_took_a_shape_is_the_wing_that_was_built_so(span, sweep, model, glider, tmp_path):
    morphed = glider(model=model, **MORPHING)(span, sweep)
    (tmp_path / "toy").rename(tmp_path / "morphing")
    built = glider(model=model, built=(span, sweep))()
    np.testing.assert_allclose(built, morphed, rtol=1e-9)


def test_spans_against_the_lifting_line(glider):
    at = glider(**MORPHING)
    for span in SPANS:
        lift, drag = at(span)
        chord = lambda y, span=span: ROOT + (TIP - ROOT) * np.abs(y) / (HALF * span)  # noqa: E731
        line = lifting_line(2.0 * HALF * span, chord, lambda y: np.full_like(y, ALPHA), lambda a: 2.0 * math.pi * a)
        assert lift == pytest.approx(line.wing_lift, rel=0.002), span
        assert drag == pytest.approx(line.wing_drag, rel=0.005), span


def test_spans_and_sweeps_against_the_lattice(glider):
    """The lattice lifts less at every shape, 5 % at an aspect ratio of 8 and 3 % at 14: it is a surface and no line."""
    at = glider(**MORPHING)
    by = {shape: at(*shape)[0] / lattice_lift(*shape) for shape in ((1.0, 0.0), (1.75, 0.0), (1.0, 0.4), (1.4, 0.6))}
    assert all(1.0 < share < 1.055 for share in by.values()), by
    assert by[1.75, 0.0] < 1.03


def lattice_lift(span, sweep):
    """Lift coefficient of the same wing."""
    flow = SPEED * np.array([-math.cos(ALPHA), 0.0, math.sin(ALPHA)])
    b, c = 2.0 * HALF * span * math.cos(sweep), math.cos(sweep)
    front = math.atan(math.tan(sweep) + 0.25 * (ROOT - TIP) / c / (0.5 * b))  # sweep is that of the quarter chord
    half = tapered(b, ROOT / c, TIP / c, sweep=front, chordwise=6, spanwise=24, cosine=True)
    return steady_lattice(half, flow, DENSITY, mirror=True).force[2] / (
        0.25 * DENSITY * SPEED**2 * b * (ROOT + TIP) / c
    )


NOSES = (-0.03, 0.02, 0.07)
"""[rad] angles of attack."""
FLAP: dict[str, Any] = {"flap": {"channel": 0, "gain": 0.15, "chord": 0.3}}
ARCHED: dict[str, dict[str, Any]] = {
    "arched": {"section": {**THIN, "alpha_0": -0.06}},
    "camber by channel": {"camber": {"channel": 0, "gain": 0.03}},
    "flap by channel": FLAP,
    "incidence": {"incidence": 0.05},
    "curve": {name: {"coefficients": [0.08 * slope, slope]} for name, slope in (("lift", 5.0), ("drag", 0.0))},
    "curve with a flap": {"lift": {"coefficients": [0.0, 5.0]}, "drag": {"coefficients": [0.0]}, **FLAP},
    "another slope": {"section": {**THIN, "c_lift_a": 5.0, "alpha_0": -0.04}},
}
"""Wings that lift at zero angle of attack, each in its own way."""


@pytest.mark.parametrize(
    ("kind", "theory"),
    [
        *((kind, "strips") for kind in ARCHED),
        *((kind, "unsteady_strips") for kind in ("arched", "flap by channel", "curve")),
        *((kind, "delaurier") for kind in ("arched", "flap by channel")),
        ("arched", "lifting_line"),
        ("curve with a flap", "lifting_line"),
    ],
)
def test_induced_drag_is_that_of_the_lift_however_it_comes(kind, theory, vehicle, make_world):
    """D_i = L² / (q π b² e), with e of this wing's lifting line."""
    parts = {}
    for side in ("left", "right"):
        numbers = dict(ARCHED[kind])
        nose = numbers.pop("incidence", 0.0)
        parts[side] = wing(side, theory=theory, **numbers)
        parts[side]["stations"] = [{**station, "incidence": nose} for station in parts[side]["stations"]]
        parts[side]["strips"] = 12
    world = make_world(vehicle(GLIDER, parts=parts), physics_hz=1000, gravity=0.0, air={"density": DENSITY})
    lift, drag = np.array([coefficients(world, alpha, HALF * (ROOT + TIP), 1.0) for alpha in NOSES]).T
    assert lift[1] > 0.2
    e = 1.0 / (1.0 + by_line(ratio(1.0, 0.0), TIP / ROOT).delta)
    np.testing.assert_allclose(drag, lift**2 / (math.pi * ratio(1.0, 0.0) * e), rtol=0.02, atol=2e-5)
