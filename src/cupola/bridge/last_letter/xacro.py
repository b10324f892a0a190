"""A useful part of xacro: properties, `${...}`, macros with numbers and blocks, conditions, includes.

Included files lie beside the file, or in a package: `$(find name)` and `package://name` are looked up as meshes are.
Nothing of the computer is read into a model: `$(optenv NAME value)` is its value, which is told. What is beyond
it is refused with a sentence that says how to go on: run `xacro` itself and import its output.
"""

import copy
import re
from collections import ChainMap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree as ET

from cupola.bridge.last_letter.expression import LONGEST_TEXT, as_value, evaluate, fill
from cupola.bridge.report import Report
from cupola.bridge.sdf.document import find_file
from cupola.bridge.tolerant_xml import read_tolerant
from cupola.schema.input_files import InputError, boundary
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import read_xml, text_at

Names = ChainMap[str, Any]
"""Properties: those of a macro before those around it."""
Blocks = dict[str, list[ET.Element]]
"""Elements that a macro was given, by the names that it has for them."""
LONGEST_NAME = 1000
"""Characters of the name of a file."""
ARGUMENT = re.compile(r"\$\(arg (\w+)\)")
PACKAGE = re.compile(r"\$\(find\s+([\w.-]+)\s*\)")
ENVIRONMENT = re.compile(r"\$\(optenv\s+(\w+)\s*([^()]*)\)")
PARAMETER = re.compile(r"(?P<name>\*{0,2}[\w.-]+)(?P<sign>:?=)?(?P<outer>\^\|?)?(?P<default>'[^']*'|\"[^\"]*\"|\S*)")
"""Of a macro: `mass`, `*block`, `**content`, `mass:=1`, `origin:='0 0 1'`, `mass:=^|1` (that of the caller, else 1)."""
DEEPEST = 50
"""Macros and includes inside each other."""
MOST = 100_000
"""Elements that are visited, however often a macro repeats them."""


def read_robot(path: Path, report: Report | None = None, folders: Sequence[Path] = ()) -> ET.Element:
    """The URDF in a file, expanded where it is a xacro; small faults of its XML are mended and told to a `report`.

    Packages are looked up in `folders`.
    """
    with boundary(path, "cannot be expanded"):
        expansion = Expansion(path, report, folders)
        return expansion.expand(expansion.read(path))


class Expansion:
    """The macros and properties met so far in one file and those it includes."""

    def __init__(self, path: Path, report: Report | None = None, folders: Sequence[Path] = ()) -> None:
        self.path, self.report, self.folders = path, report, list(folders) or [path.parent]
        self.here = path.parent
        """Folder of the file that is being read."""
        self.macros: dict[str, ET.Element] = {}
        self.blocks: dict[str, list[ET.Element]] = {}
        """Properties that are elements."""
        self.arguments: dict[str, str] = {}
        self.depth = self.visited = 0

    def read(self, path: Path) -> ET.Element:
        """The root element of a file."""
        return read_xml(path, "robot") if self.report is None else read_tolerant(path, self.report, "robot")

    def expand(self, root: ET.Element) -> ET.Element:
        """The robot without anything of xacro."""
        result = ET.Element(root.tag, root.attrib)
        result.extend(self._children(root, ChainMap(), {}))
        return result

    def _children(self, parent: ET.Element, names: Names, blocks: Blocks) -> list[ET.Element]:
        found: list[ET.Element] = []
        for child in parent:
            found += self._element(child, names, blocks)
        return found

    def _element(self, node: ET.Element, names: Names, blocks: Blocks) -> list[ET.Element]:
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
                found = blocks.get(name, self.blocks.get(name))
                if found is None:
                    self._refuse(f"there is no block {name!r}")
                self.visited += sum(1 for one in found for _ in one.iter())
                return [copy.deepcopy(one) for one in found]
            case "if" | "unless":
                wanted = _is_true(as_value(self._fill(text_at(node, "value", self.path), names))) == (word == "if")
                return self._children(node, names, blocks) if wanted else []
            case _ if word in self.macros:
                return self._call(word, node, names, blocks)
            case _:
                self._refuse(f"<xacro:{word}> is not understood here; macros: {', '.join(self.macros) or 'none'}")
        return []

    def _property(self, node: ET.Element, names: Names) -> None:
        name, scope = text_at(node, "name", self.path), node.get("scope", "")
        if scope not in ("", "parent", "global"):
            self._refuse(f"the property {name!r} has the scope {short(scope)!r}")
        if "value" not in node.attrib and "default" not in node.attrib:
            self.blocks[name] = self._children(node, names, {})
            return
        if "value" not in node.attrib and name in names:
            return  # a default is for those who have said nothing
        value = as_value(self._fill(node.get("value", node.get("default", "")), names))
        {"": names, "parent": names.parents, "global": ChainMap(names.maps[-1])}[scope][name] = value

    def _include(self, node: ET.Element, names: Names) -> list[ET.Element]:
        name = self._fill(text_at(node, "filename", self.path), names)
        if node.get("ns"):
            self._refuse(f"the include of {short(name)!r} has a name space, `ns`")
        package = "://" in name
        beside = [folder / name for folder in (self.here, self.path.parent) if len(name) <= LONGEST_NAME]
        found = find_file(name, self.folders) if package else None
        path = found if package else next((one for one in beside if one.is_file()), None)
        if path is None or not path.is_file():
            self._refuse(f"the included file {short(name)!r} is not beside it, nor in a folder that --models names")
        before, self.here = self.here, path.parent
        with self._deeper(f"the file {short(name)!r} includes itself, or too many others in a row"):
            made = self._children(self.read(path), names, {})
        self.here = before
        return made

    def _call(self, word: str, node: ET.Element, names: Names, blocks: Blocks) -> list[ET.Element]:
        macro = self.macros[word]
        inner, given = names.new_child(), list(node)
        inner_blocks: Blocks = {}
        for found in PARAMETER.finditer(macro.get("params", "")):
            name, default = found["name"], found["default"]
            if name.startswith("*"):
                if not given:
                    self._refuse(f"the macro {word!r} wants a block {name!r} that is not given")
                block = self._element(given.pop(0), names, blocks)
                if len(block) != 1:
                    self._refuse(f"the block {name!r} of the macro {word!r} is {len(block)} elements, expected one")
                inner_blocks[name.lstrip("*")] = list(block[0]) if name.startswith("**") else block
            elif name in node.attrib:
                inner[name] = as_value(self._fill(node.attrib[name], names))
            elif found["outer"] and name in names:
                inner[name] = names[name]
            elif found["sign"] and found["outer"] != "^":
                quoted = default[:1] in ("'", '"') and default[-1:] == default[:1]
                inner[name] = as_value(self._fill(default[1:-1] if quoted else default, names))
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
        text = PACKAGE.sub(r"package://\1", text).replace("$(dirname)/", "")
        for name, default in ENVIRONMENT.findall(text):
            if self.report is not None:
                self.report.assume(f"{self.path.name}: $(optenv {name})", f"not looked up; its default: {default}")
        text = ENVIRONMENT.sub(lambda found: found[2], text)
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
