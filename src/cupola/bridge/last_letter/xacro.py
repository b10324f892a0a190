"""A useful part of xacro: properties, `${...}`, macros with numbers and blocks, conditions, includes beside the file.

What is beyond it is refused with a sentence that says how to go on: run `xacro` itself and import its output.
"""

import copy
import re
from collections import ChainMap
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree as ET

from cupola.bridge.last_letter.expression import LONGEST_TEXT, as_value, evaluate, fill
from cupola.bridge.report import Report
from cupola.bridge.tolerant_xml import read_tolerant
from cupola.schema.input_files import InputError, boundary
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import read_xml, text_at

Names = ChainMap[str, Any]
"""Properties: those of a macro before those around it."""
LONGEST_NAME = 1000
"""Characters of the name of a file."""
ARGUMENT = re.compile(r"\$\(arg (\w+)\)")
DEEPEST = 50
"""Macros and includes inside each other."""
MOST = 100_000
"""Elements that are visited, however often a macro repeats them."""


def read_robot(path: Path, report: Report | None = None) -> ET.Element:
    """The URDF in a file, expanded where it is a xacro; small faults of its XML are mended and told to a `report`."""
    with boundary(path, "cannot be expanded"):
        root = read_xml(path, "robot") if report is None else read_tolerant(path, report, "robot")
        return Expansion(path).expand(root)


class Expansion:
    """The macros and properties met so far in one file and those it includes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.macros: dict[str, ET.Element] = {}
        self.arguments: dict[str, str] = {}
        self.depth = self.visited = 0

    def expand(self, root: ET.Element) -> ET.Element:
        """The robot without anything of xacro."""
        result = ET.Element(root.tag, root.attrib)
        result.extend(self._children(root, ChainMap(), {}))
        return result

    def _children(self, parent: ET.Element, names: Names, blocks: dict[str, ET.Element]) -> list[ET.Element]:
        found: list[ET.Element] = []
        for child in parent:
            found += self._element(child, names, blocks)
        return found

    def _element(self, node: ET.Element, names: Names, blocks: dict[str, ET.Element]) -> list[ET.Element]:
        kind, word = _split(node.tag)
        self.visited += 1
        if self.visited > MOST:
            self._refuse(f"its macros and includes grow to more than {MOST} elements")
        if not kind:
            plain = ET.Element(node.tag, {key: self._fill(text, names) for key, text in node.attrib.items()})
            plain.text = self._fill(node.text or "", names)
            plain.extend(self._children(node, names, blocks))
            return [plain]
        match word:
            case "property":
                self._property(node, names)
            case "arg":
                self.arguments.setdefault(text_at(node, "name", self.path), self._fill(node.get("default", ""), names))
            case "macro":
                self.macros[text_at(node, "name", self.path).removeprefix("xacro:")] = node
            case "include":
                return self._include(node, names)
            case "insert_block":
                name = self._fill(text_at(node, "name", self.path), names)
                if name not in blocks:
                    self._refuse(f"there is no block {name!r}")
                self.visited += sum(1 for _ in blocks[name].iter())
                return [copy.deepcopy(blocks[name])]
            case "if" | "unless":
                wanted = _is_true(as_value(self._fill(text_at(node, "value", self.path), names))) == (word == "if")
                return self._children(node, names, blocks) if wanted else []
            case _ if word in self.macros:
                return self._call(word, node, names, blocks)
            case _:
                self._refuse(f"<xacro:{word}> is not understood here; macros: {', '.join(self.macros) or 'none'}")
        return []

    def _property(self, node: ET.Element, names: Names) -> None:
        if "value" not in node.attrib or node.get("scope"):
            self._refuse(f"the property {node.get('name')!r} is a block or has a scope")
        names[text_at(node, "name", self.path)] = as_value(self._fill(node.attrib["value"], names))

    def _include(self, node: ET.Element, names: Names) -> list[ET.Element]:
        name = self._fill(text_at(node, "filename", self.path), names)
        path = self.path.parent / name
        if len(name) > LONGEST_NAME or not path.is_file():
            self._refuse(f"the included file {short(name)!r} is not beside it")
        with self._deeper(f"the file {short(name)!r} includes itself, or too many others in a row"):
            return self._children(read_xml(path, "robot"), names, {})

    def _call(self, word: str, node: ET.Element, names: Names, blocks: dict[str, ET.Element]) -> list[ET.Element]:
        macro = self.macros[word]
        inner, given = names.new_child(), list(node)
        inner_blocks: dict[str, ET.Element] = {}
        for parameter in macro.get("params", "").split():
            name, _, default = re.sub(r":?=\^?\|?", "=", parameter).partition("=")
            if name.startswith("*"):
                if not given or name.startswith("**"):
                    self._refuse(f"the macro {word!r} wants a block {name!r} that is not given, or only its content")
                block = self._element(given.pop(0), names, blocks)
                if len(block) != 1:
                    self._refuse(f"the block {name[1:]!r} of the macro {word!r} is {len(block)} elements, expected one")
                inner_blocks[name[1:]] = block[0]
            elif name in node.attrib:
                inner[name] = as_value(self._fill(node.attrib[name], names))
            elif "=" in parameter:
                inner[name] = as_value(self._fill(default, names))
            else:
                self._refuse(f"the macro {word!r} needs {name!r}")
        with self._deeper(f"the macro {word!r} calls itself, or too many others in a row"):
            return self._children(macro, inner, inner_blocks)

    @contextmanager
    def _deeper(self, otherwise: str) -> Iterator[None]:
        self.depth += 1
        if self.depth > DEEPEST:
            self._refuse(otherwise)
        yield
        self.depth -= 1

    def _fill(self, text: str, names: Names) -> str:
        given = len(text)
        text = ARGUMENT.sub(lambda found: self.arguments.get(found[1], found[0]), text)
        if len(text) > max(given, LONGEST_TEXT):
            self._refuse(f"{short(text)!r} grows to more than {LONGEST_TEXT} characters")
        if "$(" in text:
            self._refuse(f"{short(text)!r} needs ROS")
        whole = re.fullmatch(r"\s*\$\{([^}]*)\}\s*", text)
        if whole and isinstance(value := evaluate(whole[1], names, str(self.path)), bool):
            return str(value)
        return fill(text, names, str(self.path))

    def _refuse(self, reason: str) -> NoReturn:
        raise InputError(f"{self.path}: {reason}; expand it with `xacro {self.path.name} > model.urdf` and import that")


def _split(tag: str) -> tuple[bool, str]:
    """Whether an element belongs to xacro, and its name there."""
    space, brace, word = tag.rpartition("}")
    return bool(brace) and "xacro" in space, word


def _is_true(value: Any) -> bool:
    return value not in (0, 0.0, "false", "False", "")
