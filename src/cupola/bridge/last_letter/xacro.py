"""A useful part of xacro: properties, `${...}`, macros with numbers and blocks, conditions, includes, `load_yaml`.

Files that it names lie beside it, or in a package: `$(find name)` and `package://name` are looked up as meshes are.
Nothing of the computer is read into a model: `$(optenv NAME value)` is its value, which is told. What is beyond
it is refused with a sentence that says how to go on: run `xacro` itself and import its output.
"""

import copy
import re
from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree as ET

from cupola.bridge.foreign_yaml import read_foreign_yaml
from cupola.bridge.last_letter.expression import LONGEST_TEXT, Later, as_value, evaluate, fill
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
WHOLE = re.compile(r"\s*\$\{([^}]*)\}\s*")
DEEPEST = 50
"""Macros and includes inside each other."""
MOST = 100_000
"""Elements that are visited, however often a macro repeats them."""


def read_robot(
    path: Path,
    report: Report | None = None,
    folders: Sequence[Path] = (),
    arguments: Mapping[str, str] | None = None,
) -> ET.Element:
    """The URDF in a file, expanded where it is a xacro; small faults of its XML are mended and told to a `report`.

    Packages are looked up in `folders`; `arguments` are given instead of the defaults of `<xacro:arg>`.
    """
    with boundary(path, "cannot be expanded"):
        expansion = Expansion(path, report, folders, arguments or {})
        robot = expansion.expand(expansion.read(path))
        expansion.refuse_unknown(arguments or {})
        if expansion.macros and robot.find("link") is None:
            macros = ", ".join(expansion.macros)
            raise InputError(f"{path}: it has macros ({short(macros)}), and no link: import a file that calls them")
        return robot


class Expansion:
    """The macros and properties met so far in one file and those it includes."""

    def __init__(
        self, path: Path, report: Report | None, folders: Sequence[Path], arguments: Mapping[str, str]
    ) -> None:
        self.path, self.report, self.folders = path, report, list(folders) or [path.parent]
        self.here = path.parent
        """Folder of the file that is being read."""
        self.macros: dict[str, ET.Element] = {}
        self.blocks: dict[str, ET.Element] = {}
        """Properties that are elements, which are expanded where they are inserted."""
        self.arguments = dict(arguments)
        self.declared: dict[str, str | None] = {}
        """Arguments of the file, and their defaults."""
        self.asked: dict[str, None] = {}
        """Arguments that the files read so far use, declared or not."""
        self.depth = self.visited = 0

    def read(self, path: Path) -> ET.Element:
        """The root element of a file."""
        root = read_xml(path, "robot") if self.report is None else read_tolerant(path, self.report, "robot")
        for node in root.iter():
            for text in (node.text or "", *node.attrib.values()):
                self.asked |= dict.fromkeys(ARGUMENT.findall(text))
        return root

    def expand(self, root: ET.Element) -> ET.Element:
        """The robot without anything of xacro."""
        names: Names = ChainMap()
        inside = self._children(root, names, {})  # first, as they declare the arguments of its name
        result = ET.Element(root.tag, {key: self._fill(text, names) for key, text in root.attrib.items()})
        result.extend(inside)
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
                self._argument(text_at(node, "name", self.path), node.get("default"), names)
            case "macro":
                self.macros[text_at(node, "name", self.path).removeprefix("xacro:")] = node
            case "include":
                return self._include(node, names)
            case "insert_block":
                name = self._fill(text_at(node, "name", self.path), names)
                found = blocks.get(name)
                if found is None and name in self.blocks:
                    with self._deeper(f"the block {name!r} inserts itself, or too many others in a row"):
                        return self._children(self.blocks[name], names, {})
                if found is None:
                    self._refuse(f"there is no block {name!r}")
                self.visited += sum(1 for one in found for _ in one.iter())
                return [copy.deepcopy(one) for one in found]
            case "if" | "unless":
                wanted = _is_true(self._value(text_at(node, "value", self.path), names)) == (word == "if")
                return self._children(node, names, blocks) if wanted else []
            case _ if word in self.macros:
                return self._call(word, node, names, blocks)
            case _:
                self._refuse(f"<xacro:{word}> is not understood here; macros: {', '.join(self.macros) or 'none'}")
        return []

    def _argument(self, name: str, default: str | None, names: Names) -> None:
        filled = None if default is None else self._fill(default, names)
        self.declared.setdefault(name, filled)
        if filled is not None:
            self.arguments.setdefault(name, filled)

    def refuse_unknown(self, given: Mapping[str, str]) -> None:
        """An argument that nothing in the file reads was mistyped."""
        known = {**dict.fromkeys(self.asked), **self.declared}
        for name in given:
            if name not in known:
                said = ", ".join(f"{one} ({value})" if value else one for one, value in known.items())
                raise InputError(f"{self.path}: there is no argument {name!r}; there are: {said or 'none'}")

    def _property(self, node: ET.Element, names: Names) -> None:
        name, scope = text_at(node, "name", self.path), node.get("scope", "")
        if scope not in ("", "parent", "global"):
            self._refuse(f"the property {name!r} has the scope {short(scope)!r}")
        if "value" not in node.attrib and "default" not in node.attrib:
            self.blocks[name] = node
            return
        if "value" not in node.attrib and name in names:
            return  # a default is for those who have said nothing
        text, value = node.get("value", node.get("default", "")), None
        try:
            value = self._value(text, names)
        except InputError as error:
            if error.__cause__ is None:
                raise  # too large; what has no value yet, or none that is understood, is refused where it is used
            value = Later(lambda: self._value(text, names))
        {"": names, "parent": names.parents, "global": ChainMap(names.maps[-1])}[scope][name] = value

    def _include(self, node: ET.Element, names: Names) -> list[ET.Element]:
        name = self._fill(text_at(node, "filename", self.path), names)
        if node.get("ns"):
            self._refuse(f"the include of {short(name)!r} has a name space, `ns`")
        path = self._find(name)
        if path is None:
            self._refuse(f"the included file {short(name)!r} is not beside it, nor in a folder that --models names")
        before, self.here = self.here, path.parent
        with self._deeper(f"the file {short(name)!r} includes itself, or too many others in a row"):
            made = self._children(self.read(path), names, {})
        self.here = before
        return made

    def _find(self, name: str) -> Path | None:
        """A file that this one names."""
        if len(name) > LONGEST_NAME:
            return None
        beside = [folder / name for folder in (self.here, self.path.parent)]
        path = find_file(name, self.folders) if "://" in name else next((one for one in beside if one.is_file()), None)
        return path if path is not None and path.is_file() else None

    def _load_yaml(self, name: Any) -> Any:
        """`xacro.load_yaml`: the content of a file."""
        path = self._find(str(name))
        if path is None:
            raise ValueError(f"the file {short(str(name))!r} is not beside it, nor in a folder that --models names")
        if self.report is not None:
            self.report.read.append(path)
        return read_foreign_yaml(path)

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
                inner[name] = self._value(node.attrib[name], names)
            elif found["outer"] and name in names:
                inner[name] = names[name]
            elif found["sign"] and found["outer"] != "^":
                quoted = default[:1] in ("'", '"') and default[-1:] == default[:1]
                inner[name] = self._value(default[1:-1] if quoted else default, names)
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
        """A text with the values put in."""
        text = self._substituted(text)
        whole = WHOLE.fullmatch(text)
        if whole and isinstance(value := self._evaluate(whole[1], names), bool):
            return str(value)
        return fill(text, names, str(self.path), {"load_yaml": self._load_yaml})

    def _value(self, text: str, names: Names) -> Any:
        """The same, of a property or a condition: one that is a single expression keeps its kind, as a list."""
        text = self._substituted(text)
        whole = WHOLE.fullmatch(text)
        value = self._evaluate(whole[1], names) if whole else fill(text, names, str(self.path))
        return as_value(value) if isinstance(value, str) else value

    def _evaluate(self, text: str, names: Names) -> Any:
        return evaluate(text, names, str(self.path), {"load_yaml": self._load_yaml})

    def _substituted(self, text: str) -> str:
        """With the arguments and packages in their places."""
        given = len(text)
        text = ARGUMENT.sub(lambda found: self._given(found[1]), text)
        text = PACKAGE.sub(r"package://\1", text).replace("$(dirname)/", "")
        for name, default in ENVIRONMENT.findall(text):
            if self.report is not None:
                self.report.assume(f"{self.path.name}: $(optenv {name})", f"not looked up; its default: {default}")
        text = ENVIRONMENT.sub(lambda found: found[2], text)
        if len(text) > max(given, LONGEST_TEXT):
            self._refuse(f"{short(text)!r} grows to more than {LONGEST_TEXT} characters")
        if "$(" in text:
            self._refuse(f"{short(text)!r} needs ROS")
        return text

    def _given(self, name: str) -> str:
        """Value of an argument."""
        if name not in self.arguments:
            open_ones = [one for one in {name: None, **self.asked} if one not in {**self.arguments, **self.declared}]
            how = " ".join(f"--set {one}=VALUE" for one in {name: None, **dict.fromkeys(open_ones)})
            raise InputError(f"{self.path}: {short(repr(name))} is an argument without a default; add {how}")
        return self.arguments[name]

    def _refuse(self, reason: str) -> NoReturn:
        raise InputError(f"{self.path}: {reason}; expand it with `xacro {self.path.name} > model.urdf` and import that")


def _split(tag: str) -> tuple[bool, str]:
    """Whether an element belongs to xacro, and its name there."""
    space, brace, word = tag.rpartition("}")
    return bool(brace) and "xacro" in space, word


def _is_true(value: Any) -> bool:
    return bool(value) and value not in ("false", "False")
