"""An AVL geometry file as read: surfaces of sections, in the file's own axes (x aft, y right, z up) and units."""

from pathlib import Path
from typing import NamedTuple

from cupola.bridge.avl.camber import WHOLE, Camber, Part, coordinate_camber, naca_camber
from cupola.bridge.avl.numbers import real
from cupola.bridge.avl.section_file import read_section
from cupola.schema.input_files import MEBI, InputError, boundary, read_text

LARGEST = MEBI
"""[bytes] of a geometry or coordinate file."""
MOST_SECTIONS = 2000
KNOWN = {
    *("SURF", "BODY", "SECT", "COMP", "INDE", "YDUP", "SCAL", "TRAN", "ANGL", "NOWA", "NOAL", "NOLO", "CDCL"),
    *("NACA", "AIRF", "AFIL", "CONT", "DESI", "CLAF", "BFIL"),
}
"""Keywords by their first four letters, which is all that counts in them."""
IGNORED = {
    "NOWA": "every surface has a wake here",
    "NOAL": "every surface feels the air",
    "NOLO": "the loads of every surface act",
    "CDCL": "drag is that of CDo and what the lattice induces",
}


class Point(NamedTuple):
    """A place or direction, axes of the file."""

    x: float
    y: float
    z: float


class Control(NamedTuple):
    """A control surface at a section."""

    name: str
    gain: float
    hinge: float
    """Where the hinge lies, in chords from the nose."""
    axis: Point
    """About which it turns by the right hand; all 0: along the hinge."""
    on_image: float
    """Factor on a duplicated surface."""


class Section(NamedTuple):
    """A cut through a surface."""

    nose: Point
    chord: float
    incidence: float
    """[deg]"""
    camber: Camber
    slope: float
    """Lift slope of the section by 2 π: CLAF."""
    controls: tuple[Control, ...]


class Surface(NamedTuple):
    """Sections one after the other."""

    name: str
    chordwise: int
    spanwise: int
    sections: tuple[Section, ...]
    image: float | None
    """The plane y of its duplicate, if it has one."""


class Geometry(NamedTuple):
    """A file."""

    title: str
    mach: float
    mirrored: bool
    """iYsym: the file describes half of it."""
    area: float
    chord: float
    span: float
    reference: Point
    drag: float
    """CDo by the reference area."""
    surfaces: tuple[Surface, ...]
    lost: tuple[tuple[str, str], ...]


class _Lines:
    """Lines that say something, one after the other, with their numbers in the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        text = read_text(path, LARGEST).splitlines()
        cut = ((k, line.partition("!")[0].split("#")[0].strip()) for k, line in enumerate(text, 1))
        self.rest = [(k, line) for k, line in cut if line]
        self.at = 0

    def next(self, what: str) -> str:
        """The next line; `what` says what is expected of it."""
        if self.at >= len(self.rest):
            raise InputError(f"{self.path}: ends where {what} should stand")
        self.at += 1
        return self.rest[self.at - 1][1]

    def here(self) -> str:
        """The place of the line that was read last."""
        return f"{self.path}:{self.rest[self.at - 1][0]}"

    def numbers(self, what: str, least: int) -> list[float]:
        """At least so many numbers; words after them are remarks."""
        found = []
        for word in self.next(what).replace(",", " ").split():
            number = real(word)
            if number is None:
                break
            found.append(number)
        if len(found) < least:
            raise InputError(f"{self.here()}: expected {least} numbers: {what}")
        return found

    def peek(self) -> str:
        """Keyword of the next line, by its first four letters; empty at the end."""
        return self.rest[self.at][1][:4].upper() if self.at < len(self.rest) else ""


def read_avl(path: Path) -> Geometry:
    """Read a geometry file and the coordinate files that it names."""
    lines = _Lines(path)
    title = lines.next("a title")
    mach = lines.numbers("Mach", 1)[0]
    symmetry = lines.numbers("iYsym, iZsym, Zsym", 3)
    area, chord, span = lines.numbers("Sref, Cref, Bref", 3)[:3]
    reference = Point(*lines.numbers("Xref, Yref, Zref", 3)[:3])
    if min(area, chord, span) <= 0.0:
        raise InputError(f"{path}: Sref, Cref and Bref must be above 0, got {area:g}, {chord:g}, {span:g}")
    drag = lines.numbers("CDo", 1)[0] if lines.peek() not in KNOWN else 0.0
    lost: list[tuple[str, str]] = []
    if mach:
        lost.append((f"Mach {mach:g}", "the lattice is that of incompressible flow"))
    if symmetry[1]:
        lost.append((f"iZsym {symmetry[1]:g}", "ground_effect: true of the wings gives the floor of the world"))
    surfaces: list[Surface] = []
    while lines.peek():
        word = lines.next("a surface")[:4].upper()
        if word == "SURF":
            surfaces.append(_surface(lines, lost))
        elif word == "BODY":
            lost.append((f"BODY {lines.next('its name')}", "bodies carry no load here"))
            while lines.peek() not in ("", "SURF", "BODY"):
                lines.next("the body")
        else:
            raise InputError(f"{lines.here()}: expected SURFACE or BODY, got {word!r}")
    if not surfaces:
        raise InputError(f"{path}: has no SURFACE")
    mirrored = symmetry[0] == 1.0
    if symmetry[0] not in (0.0, 1.0):
        lost.append((f"iYsym {symmetry[0]:g}", "only a plane of symmetry (1) or none (0) is read"))
    return Geometry(
        title, mach, mirrored, area, chord, span, reference, drag, tuple(surfaces), tuple(dict.fromkeys(lost))
    )


def _surface(lines: _Lines, lost: list[tuple[str, str]]) -> Surface:
    name = lines.next("the name of the surface")
    count = lines.numbers("Nchord, Cspace", 2)
    scale, shift, angle, image = Point(1.0, 1.0, 1.0), Point(0.0, 0.0, 0.0), 0.0, None
    rows: list[Section] = []
    across = int(count[2]) if len(count) > 2 else 0
    per_section = 0
    while (word := lines.peek()) not in ("", "SURF", "BODY"):
        line = lines.next("a keyword")
        if word == "SECT":
            if len(rows) >= MOST_SECTIONS:
                raise InputError(f"{lines.here()}: a surface may have {MOST_SECTIONS} sections")
            made, spans = _section(lines, lost)
            rows.append(made)
            per_section += spans
        elif word == "YDUP":
            image = lines.numbers("Ydupl", 1)[0]
        elif word == "SCAL":
            scale = Point(*lines.numbers("Xscale, Yscale, Zscale", 3)[:3])
        elif word == "TRAN":
            shift = Point(*lines.numbers("dX, dY, dZ", 3)[:3])
        elif word == "ANGL":
            angle = lines.numbers("dAinc", 1)[0]
        elif word in ("INDE", "COMP"):
            lines.numbers("a component", 1)
        elif word in IGNORED:
            lost.append((f"{line} of {name}", IGNORED[word]))
            while lines.peek() and lines.peek() not in KNOWN:
                lines.next("its numbers")
        else:
            raise InputError(f"{lines.here()}: the surface {name!r} has an unknown keyword {line!r}")
    if len(rows) < 2:
        raise InputError(f"{lines.path}: the surface {name!r} has {len(rows)} sections, it needs two")
    placed = tuple(
        one._replace(
            nose=Point(*(s * a + b for s, a, b in zip(scale, one.nose, shift, strict=True))),
            chord=one.chord * abs(scale.x),
            incidence=one.incidence + angle,
        )
        for one in rows
    )
    return Surface(name, max(1, int(count[0])), max(1, across or per_section), placed, image)


def _section(lines: _Lines, lost: list[tuple[str, str]]) -> tuple[Section, int]:
    """A section, and how many strips lie before the next."""
    row = lines.numbers("Xle, Yle, Zle, Chord, Ainc", 5)
    if row[3] <= 0.0:
        raise InputError(f"{lines.here()}: a chord must be above 0, got {row[3]:g}")
    camber, slope, controls = Camber(0.0, 0.0), 1.0, []
    while (word := lines.peek()) in KNOWN and word not in ("SURF", "BODY", "SECT", "YDUP", "SCAL", "TRAN", "ANGL"):
        line = lines.next("a keyword")
        if word == "NACA":
            part = _part(line, lines)
            camber = naca_camber(lines.next("four digits"), lines.here(), part)
        elif word == "AFIL":
            part = _part(line, lines)
            name = lines.next("a file").strip('"')
            if (file := lines.path.parent / name).is_file():
                with boundary(file, "cannot be read"):
                    camber = coordinate_camber(read_section(file), part)
            else:
                lost.append((f"AFILE {name}", "there is no such file beside the geometry: the section is flat"))
        elif word == "AIRF":
            part = _part(line, lines)
            camber = coordinate_camber(_inline(lines), part)
        elif word == "CLAF":
            slope = lines.numbers("CLaf", 1)[0]
        elif word == "CONT":
            control = _control(lines)
            if control.hinge < 0.0:
                lost.append((f"CONTROL {control.name}", "its hinge is below 0: there are no flaps at the leading edge"))
            else:
                controls.append(control)
        elif word == "DESI":
            lines.next("a design variable")
        elif word in ("INDE", "COMP"):
            lines.numbers("a component", 1)
        elif word in IGNORED:
            lost.append((f"{line} of a section", IGNORED[word]))
            while lines.peek() and lines.peek() not in KNOWN:
                lines.next("its numbers")
        else:
            raise InputError(f"{lines.here()}: a section cannot hold {line!r}")
    made = Section(Point(*row[:3]), row[3], row[4], camber, slope, tuple(controls))
    return made, int(row[5]) if len(row) > 5 and row[5] >= 1 else 0


def _part(line: str, lines: _Lines) -> Part:
    """Behind NACA, AIRFOIL or AFILE: where the part of the section begins and ends that is meant."""
    numbers = [real(word) for word in line.replace(",", " ").split()[1:3]]
    if len(numbers) < 2 or numbers[0] is None or numbers[1] is None:
        return WHOLE
    if not 0.0 <= numbers[0] < numbers[1] <= 1.0:
        raise InputError(f"{lines.here()}: a part of a section lies between 0 and 1, got {line!r}")
    return numbers[0], numbers[1]


def _control(lines: _Lines) -> Control:
    """Numbers that are not there are AVL's: gain 1, all of the chord, along the hinge, as the original."""
    words = lines.next("name, gain, Xhinge, XYZhvec, SgnDup").replace(",", " ").split()
    given = [real(word) for word in words[1:7]]
    numbers = [number for number in given if number is not None]
    if len(numbers) < len(given):
        raise InputError(f"{lines.here()}: a control has a name and six numbers: gain, Xhinge, XYZhvec, SgnDup")
    gain, hinge, x, y, z, image = numbers + [1.0, 0.0, 0.0, 0.0, 0.0, 1.0][len(numbers) :]
    if abs(hinge) >= 1.0:
        raise InputError(f"{lines.here()}: Xhinge of {words[0]!r} must lie between -1 and 1, got {hinge:g}")
    return Control(words[0].lower(), gain, hinge, Point(x, y, z), image)


def _inline(lines: _Lines) -> list[tuple[float, float]]:
    """Points that follow AIRFOIL in the file itself."""
    found = []
    while lines.peek() and lines.peek() not in KNOWN:
        x, y = lines.numbers("x/c, y/c", 2)[:2]
        found.append((x, y))
    if len(found) < 5:
        raise InputError(f"{lines.here()}: AIRFOIL needs at least five points, got {len(found)}")
    return found
