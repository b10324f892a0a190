"""What other people's geometry files hold: sections in every form, controls that change along the span, twist."""

import math

import numpy as np
import pytest

import cupola
from cupola.bridge.avl.camber import coordinate_camber, naca_camber
from cupola.bridge.avl.section_file import read_section
from cupola.bridge.avl.vehicle import TRAVEL, import_avl
from cupola.schema.input_files import InputError

ALPHA, SPEED, AREA, SPAN = math.radians(2.0), 10.0, 4.0, 4.0
HEAD = "swept wing\n0.0\n0 0 0.0\n4.0 1.0 4.0\n0.25 0.0 0.0\n0.0\nSURFACE\nWing\n8 1.0 12 1.0\nYDUPLICATE\n0.0\n"
EVEN = "0 2 0.1"


def rounded(m=0.04, p=0.4, t=0.12, count=40):
    """Upper and lower side of a NACA section of four digits, from the nose."""
    x = 0.5 * (1.0 - np.cos(np.linspace(0.0, math.pi, count)))
    half = 5.0 * t * (0.2969 * np.sqrt(x) - 0.126 * x - 0.3516 * x**2 + 0.2843 * x**3 - 0.1036 * x**4)
    front, back = m / p**2 * (2 * p * x - x**2), m / (1 - p) ** 2 * (1 - 2 * p + 2 * p * x - x**2)
    middle = np.where(x < p, front, back)
    return list(zip(x, middle + half, strict=True)), list(zip(x, middle - half, strict=True))


def rows(points, unit=1.0):
    return "".join(f" {unit * x:.6f}  {unit * y:.6f}\n" for x, y in points)


UPPER, LOWER = rounded()
ROUND = UPPER[::-1] + LOWER[1:]
FILES = {
    "Selig": "NACA 4412\n" + rows(ROUND),
    "Selig with a number in its title": "4412 made by hand\n" + rows(ROUND),
    "Selig in percent": "NACA 4412\n" + rows(ROUND, 100.0),
    "from below": "NACA 4412\n" + rows(ROUND[::-1]),
    "XFOIL without a title": rows(ROUND),
    "MSES": "NACA 4412\n -2.0 3.0 -2.5 3.5\n" + rows(ROUND) + " 999.0 999.0\n 1.2 0.1\n 1.1 0.1\n",
    "Lednicer": f"NACA 4412\n  {len(UPPER)}.  {len(LOWER)}.\n\n{rows(UPPER)}\n{rows(LOWER)}",
    "Lednicer with unlike sides": f"NACA 4412\n 40 20\n\n{rows(UPPER)}\n{rows(rounded(count=20)[1])}",
    "Fortran": "NACA 4412\n" + rows(ROUND).replace("0  ", "0D0  "),
}


@pytest.mark.parametrize("form", FILES)
def test_a_section_is_the_same_in_every_form(tmp_path, form):
    (tmp_path / "section.dat").write_text(FILES[form])
    found, exact = coordinate_camber(read_section(tmp_path / "section.dat")), naca_camber("4412", "here")
    assert found.alpha_0 == pytest.approx(exact.alpha_0, rel=0.02)
    assert found.c_moment_0 == pytest.approx(exact.c_moment_0, rel=0.03)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("toy\n 40. 41.\n" + rows(UPPER) + rows(LOWER), "has 80 points, and says that it has 40 and 41"),
        ("toy\n0 0\n1 1\n", "at least five points"),
        ("", "at least five points"),
    ],
)
def test_a_section_that_cannot_be_is_refused(tmp_path, text, said):
    (tmp_path / "section.dat").write_text(text)
    with pytest.raises(InputError, match=said):
        read_section(tmp_path / "section.dat")


@pytest.mark.parametrize("part", [(0.0, 0.5), (0.2, 1.0)])
def test_a_part_of_a_section_has_the_slopes_of_that_part(part):
    mine = naca_camber("4412", "here", part)
    assert coordinate_camber(ROUND, part).alpha_0 == pytest.approx(mine.alpha_0, rel=0.03)
    assert abs(mine.alpha_0 - naca_camber("4412", "here").alpha_0) > 0.01


def section(place, chord, incidence=0.0, more=""):
    return f"SECTION\n{place} {chord} {incidence}\n{more}"


def wing(root="", tip="", chord=1.0, twist=(0.0, 0.0)):
    return HEAD + section("0 0 0", 1.0, twist[0], root) + section("0.3 2 0.1", chord, twist[1], tip)


def flap(name="flap", gain=1.0, hinge=0.7, image=1.0):
    return f"CONTROL\n{name} {gain} {hinge} 0 0 0 {image}\n"


BOTH = flap(hinge=0.5) + flap("tab", 1.0, 0.8, -1.0)
PART = "NACA 0.0 0.5\n4412\n"
AVL = {
    "part of a section": (wing(PART, PART), "", {"CL": 0.0569, "Cm": -0.0858}),
    "twist with taper": (wing(chord=0.5, twist=(4.0, -2.0)), "", {"CL": 0.2261, "Cm": -0.0130}),
    "gain that falls": (wing(flap(), flap(gain=0.2)), "flap", {"CL": 1.4920, "Cm": -0.5251}),
    "hinge that moves": (wing(flap(hinge=0.6), flap(hinge=0.85)), "flap", {"CL": 2.1807, "Cm": -0.8110}),
    "two hinges, the first": (wing(BOTH, BOTH), "flap", {"CL": 2.8820, "Cm": -0.8335}),
    "two hinges, the second": (wing(BOTH, BOTH), "tab", {"Cl": -0.3235}),
    "half on the image": (wing(flap(image=-0.5), flap(image=-0.5)), "flap", {"CL": 0.5725, "Cl": -0.2931}),
    "gain and hinge alone": (wing(*["CONTROL\nflap 1.0 0.7\n"] * 2), "flap", {"CL": 2.2910, "Cm": -0.8625}),
    "a name alone": (wing(*["CONTROL\nflap\n"] * 2), "flap", {"CL": 3.5540, "Cm": -0.4043}),
    "exponents of Fortran": (wing().replace("0.3 2 0.1", "3.0D-1, 2.d0, 1.0E-1"), "", {"CL": 0.1254, "Cm": -0.0144}),
}
"""Of AVL 3.40 (optvl 2.5.0) at 2°, stability axes, about Xref: coefficients, or what a control adds per radian."""


@pytest.mark.parametrize("what", AVL)
def test_it_is_that_of_avl(tmp_path, what):
    text, control, expected = AVL[what]
    (tmp_path / "toy.avl").write_text(text)
    made = import_avl(tmp_path / "toy.avl", tmp_path / "toy")
    world = cupola.load(str(made.folder / "vehicle.yaml"))
    channel = 4 + [name for name in ("flap", "tab") if name in text].index(control) if control else None

    def found(degrees):
        start = {
            "position": [0.0, 0.0, 100.0],
            "velocity_b": [SPEED * math.cos(ALPHA), 0.0, -SPEED * math.sin(ALPHA)],
        }
        commands = {channel: degrees / TRAVEL} if channel is not None else None
        told = world.evaluate(start=start, commands=commands)
        (x, _, z), (roll, m, n) = told.force_b, told.moment_b
        size = 0.5 * told.air.density * SPEED**2 * AREA
        c, s = math.cos(ALPHA), math.sin(ALPHA)
        return {"CL": (z * c + x * s) / size, "Cm": -m / size, "Cl": (roll * c - n * s) / size / SPAN}

    now, moved = found(0.0), found(1.0)
    for name, value in expected.items():
        mine = math.degrees(moved[name] - now[name]) if control else now[name]
        # Panels: 6 along the chord here, 8 there, which lies 3 % above in lift; hinges lie between them.
        assert mine == pytest.approx(value, rel=0.1, abs=0.015), name


def test_what_is_changed_of_a_control_is_written_down(tmp_path):
    (tmp_path / "toy.avl").write_text(wing(BOTH, flap(hinge=0.6, gain=0.5) + flap("tab", 1.0, 0.8, -1.0)))
    assumed = dict(import_avl(tmp_path / "toy.avl", tmp_path / "toy").report.assumed)
    assert assumed["gain of flap on wing_left"] == "0.75 everywhere, its mean"
    assert assumed["hinge of flap on wing_left"].startswith("at 0.55 chords")
    assert "turns the flap of flap by" in assumed["hinge of tab on wing_left"]


def test_a_flap_at_the_leading_edge_is_lost_aloud(tmp_path):
    (tmp_path / "toy.avl").write_text(wing(flap("slat", hinge=-0.2), flap("slat", hinge=-0.2)))
    made = import_avl(tmp_path / "toy.avl", tmp_path / "toy")
    assert [what for what, _ in made.lost] == ["CONTROL slat"]
    assert "| none |" in (made.folder / "README.md").read_text()
