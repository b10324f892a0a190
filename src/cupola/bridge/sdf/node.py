"""An XML element that knows its file, says what is wrong with it by name, and remembers what nobody has read."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

from cupola.bridge.report import Report
from cupola.bridge.sdf.pose import NOWHERE, Pose, pose_of
from cupola.bridge.sdf.template import filled
from cupola.bridge.tolerant_numbers import tolerant_numbers
from cupola.bridge.tolerant_xml import read_tolerant
from cupola.schema.input_files import InputError, read_text
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import LARGEST, is_endless, parse_xml

PLACE, POSE = 3, 6
"""Numbers of a position, and of a pose."""


class Node:
    """One element. Asking for a child takes it; `left` lists what was never asked for."""

    def __init__(self, element: ET.Element, file: Path, report: Report, path: str = "") -> None:
        self.element: ET.Element = element
        self.file: Path = file
        self.report: Report = report
        self.tag: str = element.tag
        self.name: str = element.get("name", "").strip()
        self.path: str = f"{path}/{short(self.tag)}" + (f" {short(self.name)}" if self.name else "")
        self._children = [Node(child, file, report, self.path) for child in element]
        self._taken = False

    def __str__(self) -> str:
        return f"{self.file.name}: {self.path.strip('/')}"

    @property
    def text(self) -> str:
        """What stands in it."""
        return " ".join((self.element.text or "").split())

    def take(self) -> "Node":
        """This element is used, with everything that will be asked of it."""
        self._taken = True
        return self

    def swallow(self) -> None:
        """This element and all in it count as read."""
        self._taken = True
        for child in self._children:
            child.swallow()

    def all(self, *tags: str) -> list["Node"]:
        """Children with one of the tags."""
        return [child.take() for child in self._children if child.tag in tags]

    def one(self, tag: str) -> "Node | None":
        """The first child with a tag."""
        found = self.all(tag)
        return found[0] if found else None

    def need(self, tag: str) -> "Node":
        """The first child with a tag, which must be there."""
        found = self.one(tag)
        if found is None:
            have = ", ".join(dict.fromkeys(child.tag for child in self._children)) or "nothing"
            raise InputError(f"{self}: there is no <{tag}>; there is: {have}")
        return found

    def deep(self, path: str) -> "Node | None":
        """The element at `a/b/c` below this one."""
        at: Node | None = self
        for tag in path.split("/"):
            at = at.one(tag) if at else None
        return at

    def say(self, path: str, default: str = "") -> str:
        """Text of the element at a path."""
        found = self.deep(path)
        return found.text if found else default

    def attribute(self, name: str) -> str:
        """An attribute that must be there."""
        if not self.element.get(name, "").strip():
            raise InputError(f"{self}: there is no attribute {name!r}")
        return self.element.attrib[name].strip()

    def numbers(self, path: str, count: int, default: tuple[float, ...]) -> tuple[float, ...]:
        """Numbers in the element at a path."""
        found = self.deep(path)
        if found is not None and not found.text:
            self.report.repair(str(found), "empty", " ".join(f"{x:g}" for x in default), "the default of the format")
            return default
        return default if found is None else found.floats(count)

    def number(self, path: str, default: float) -> float:
        """One number."""
        return self.numbers(path, 1, (default,))[0]

    def flag(self, path: str) -> bool:
        """true or 1."""
        return self.say(path).lower() in ("true", "1")

    def floats(self, count: int) -> tuple[float, ...]:
        """The numbers that stand in it; a dot or comma too many behind one is no reason to stop."""
        return tolerant_numbers(self.text, count, self, self.report)

    def limit(self, path: str) -> float | None:
        """A limit, of which there is none where it is not written or infinite."""
        found = self.deep(path)
        return None if found is None else found.value()

    def value(self) -> float | None:
        """The number that stands in it; none where it is infinite."""
        return None if is_endless(self.text) else self.floats(1)[0]

    def pose(self) -> Pose:
        """Its <pose>, as it is written; what it is relative to is asked apart."""
        found = self.one("pose")
        if found is None or not found.text:
            return NOWHERE
        quaternion = found.element.get("rotation_format") == "quat_xyzw"
        degrees = found.element.get("degrees") in ("true", "1")
        if len(found.text.split()) == PLACE and not quaternion:
            self.report.repair(str(found), found.text, f"{found.text} 0 0 0", "a pose has six numbers")
            return pose_of((*found.floats(PLACE), 0.0, 0.0, 0.0), found)
        return pose_of(found.floats(7 if quaternion else POSE), found, degrees)

    def relative_to(self) -> str:
        """Frame of its <pose>; nothing means the usual one."""
        found = self.one("pose")
        return (found.element.get("relative_to") or found.element.get("frame") or "") if found else ""

    def left(self) -> Iterator["Node"]:
        """Elements that nobody asked for, the outermost of each."""
        for child in self._children:
            if child._taken:
                yield from child.left()
            else:
                yield child

    def summary(self) -> str:
        """What is in it, in a few words."""
        if not self._children:
            return self.text
        inside = [" ".join(filter(None, (child.tag, child.name, child.summary()))) for child in self._children]
        text = ", ".join(inside)
        return text if len(text) < 90 else f"{text[:87]}..."


def read_node(path: Path, report: Report, *roots: str) -> Node:
    """The root element of a file, which must be one of `roots`."""
    if path.suffix == ".jinja" and path.is_file():
        text = filled(read_text(path, LARGEST), path.name, report)
        return Node(parse_xml(text.lstrip(), str(path), *roots), path, report).take()
    return Node(read_tolerant(path, report, *roots), path, report).take()
