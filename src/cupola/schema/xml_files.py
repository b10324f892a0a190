"""XML files as elements, within limits: no entities but names of numbers, no defaults for attributes, no endless
nesting, no file without end; numbers in them finite.

Two faults that other readers let pass are let pass here too, as nothing is lost by them: blanks before the XML
declaration, and `--` in a comment.
"""

from pathlib import Path
from typing import NoReturn
from xml.etree import ElementTree as ET
from xml.parsers import expat

from cupola.schema.input_files import MEBI, InputError, boundary, finite, read_bytes
from cupola.schema.validation_messages import short

LARGEST = 64 * MEBI
"""[bytes] of a file."""
DEEPEST = 100
"""Levels of elements; robots of other simulators stay below 20."""
MOST = 300_000
"""Elements of a file, or of all files that one includes."""
LONGEST_NUMBER = 12
"""Characters of a number that an entity stands for."""
LONGEST_SPACE = 1000
"""Characters of the address of a name space, which is put in front of every name."""


def read_xml(path: Path, *roots: str) -> ET.Element:
    """The root element of a file; one of `roots`, where they are given."""
    with boundary(path, "cannot be read"):
        missing = not path.exists()
    if missing:
        near = ", ".join(sorted(f.name for f in path.parent.glob(f"*{path.suffix}"))) or "none in that folder"
        raise InputError(f"{path}: no such file; {path.suffix or 'such'} files there: {near}")
    return parse_xml(read_bytes(path, LARGEST), str(path), *roots)


def read_plain_xml(path: Path, *roots: str) -> ET.Element:
    """As `read_xml`, the names of elements without their namespaces."""
    root = read_xml(path)
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    if roots and root.tag not in roots:
        raise InputError(f"{path}: expected <{'> or <'.join(roots)}>, got <{short(root.tag)}>")
    return root


def parse_xml(text: str | bytes, source: str, *roots: str, deepest: int = DEEPEST) -> ET.Element:
    """The root element of a text; messages call it `source`."""
    # What is text already is not in the encoding that it says.
    data, encoding = (text.encode(errors="replace"), "utf-8") if isinstance(text, str) else (text, None)
    try:
        root = _Reading(source, deepest, encoding).parse(data)
    except expat.ExpatError as error:
        try:
            root = _Reading(source, deepest, encoding).parse(_without_comments(data).lstrip())
        except expat.ExpatError:
            raise InputError(f"{source}: not valid XML: {error}") from None
    except (ValueError, LookupError) as error:  # an encoding that nobody knows
        raise InputError(f"{source}: not valid XML: {error}") from None
    if roots and root.tag not in roots:
        raise InputError(f"{source}: expected <{'> or <'.join(roots)}>, got <{short(root.tag)}>")
    return root


class _Reading:
    """One pass of expat over a text."""

    def __init__(self, source: str, deepest: int, encoding: str | None) -> None:
        self.source, self.deepest = source, deepest
        self.tree = ET.TreeBuilder()
        self.depth = self.count = 0
        self.parser = expat.ParserCreate(encoding, "}")
        self.parser.buffer_text = True
        self.parser.buffer_size = MEBI
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.tree.data
        self.parser.EntityDeclHandler = self.check_entity
        self.parser.SkippedEntityHandler = self.refuse_entity
        self.parser.AttlistDeclHandler = self.refuse_defaults
        self.parser.StartNamespaceDeclHandler = self.check_space

    def parse(self, data: bytes) -> ET.Element:
        self.parser.Parse(data, True)
        return self.tree.close()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        self.count += 1
        if self.depth > self.deepest:
            self.refuse(f"elements are nested more than {self.deepest} deep")
        if self.count > MOST:
            self.refuse(f"there are more than {MOST} elements")
        self.tree.start(_name(tag), {_name(key): value for key, value in attributes.items()})

    def end(self, tag: str) -> None:
        self.depth -= 1
        self.tree.end(_name(tag))

    def check_entity(self, name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        """A name for a number is let pass: it cannot grow."""
        if is_parameter or value is None or len(value) > LONGEST_NUMBER or finite(value) is None:
            self.refuse_entity(name)

    def refuse_entity(self, name: str, *_: object) -> None:
        self.refuse(f"the entity {short(name)!r}: entities of one's own are not read, but numbers; write the text out")

    def refuse_defaults(self, element: str, attribute: str, *_: object) -> None:
        self.refuse(f"the declaration of {short(attribute)!r} of <{short(element)}>: write attributes where they count")

    def check_space(self, _: str | None, address: str | None) -> None:
        if address and len(address) > LONGEST_SPACE:
            self.refuse(f"the address of a name space has {len(address)} characters; {LONGEST_SPACE} are read")

    def refuse(self, why: str) -> NoReturn:
        raise InputError(f"{self.source}:{self.parser.CurrentLineNumber}: {why}")


def _name(name: str) -> str:
    return f"{{{name}" if "}" in name else name


def _without_comments(data: bytes) -> bytes:
    """The text with line breaks alone where comments were."""
    kept, at = [], 0
    while (start := data.find(b"<!--", at)) >= 0 and (end := data.find(b"-->", start + 4)) >= 0:
        kept += [data[at:start], b"\n" * data.count(b"\n", start, end)]
        at = end + 3
    return b"".join([*kept, data[at:]])


def numbers_in(text: str, count: int, where: object) -> tuple[float, ...]:
    """Exactly `count` finite numbers."""
    words = text.split()
    found = [number for word in words if (number := finite(word)) is not None]
    if len(words) != count or len(found) != count:
        expected = "a finite number" if count == 1 else f"{count} finite numbers"
        raise InputError(f"{where}: expected {expected}, got {short(text)!r}")
    return tuple(found)


def numbers_at(element: ET.Element, key: str, count: int, where: object, default: str | None = None) -> list[float]:
    """The numbers of an attribute; one without a default must be there."""
    text = element.get(key, default)
    if text is None:
        raise InputError(f"{where}: <{short(element.tag)}> has no {key!r}")
    return list(numbers_in(text, count, f"{where}: {short(element.tag)} {key}"))


def number_at(element: ET.Element, key: str, where: object, default: float | None = None) -> float:
    """One number of an attribute."""
    return numbers_at(element, key, 1, where, None if default is None else repr(default))[0]


def is_endless(text: str) -> bool:
    """Whether a limit says that there is none: `inf`, with or without a sign."""
    return text.strip().lower().lstrip("+-") in ("inf", "infinity")


def text_at(element: ET.Element, key: str, where: object) -> str:
    """An attribute that must be there and not blank."""
    found = element.get(key, "").strip()
    if not found:
        raise InputError(f"{where}: <{short(element.tag)}> has no {key!r}")
    return found
