"""A useful part of xacro: properties, `${...}`, macros with numbers and blocks, conditions, includes beside the file.

What is beyond it is refused with a sentence that says how to go on: run `xacro` itself and import its output.
"""

import copy
import re
from pathlib import Path
from typing import Any, NoReturn
from xml.etree import ElementTree as ET

from cupola.bridge.last_letter.expression import as_value, evaluate, fill
from cupola.schema.yaml_files import InputError

Names = dict[str, Any]
ARGUMENT = re.compile(r"\$\(arg (\w+)\)")
DEEPEST = 50


def read_robot(path: Path) -> ET.Element:
    """The URDF in a file, expanded where it is a xacro."""
    try:
        root = ET.fromstring(path.read_text(encoding="utf-8"))
    except ET.ParseError as error:
        raise InputError(f"{path}: not valid XML: {error}") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    return Expansion(path).expand(root)


class Expansion:
    """The macros and properties met so far in one file and those it includes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.macros: dict[str, ET.Element] = {}
        self.arguments: Names = {}
        self.depth = 0

    def expand(self, root: ET.Element) -> ET.Element:
        """The robot without anything of xacro."""
        result = ET.Element(root.tag, root.attrib)
        result.extend(self._children(root, {}, {}))
        return result

    def _children(self, parent: ET.Element, names: Names, blocks: dict[str, ET.Element]) -> list[ET.Element]:
        found: list[ET.Element] = []
        for child in parent:
            found += self._element(child, names, blocks)
        return found

    def _element(self, node: ET.Element, names: Names, blocks: dict[str, ET.Element]) -> list[ET.Element]:
        kind, word = _split(node.tag)
        if not kind:
            plain = ET.Element(node.tag, {key: self._fill(text, names) for key, text in node.attrib.items()})
            plain.text = self._fill(node.text or "", names)
            plain.extend(self._children(node, names, blocks))
            return [plain]
        match word:
            case "property":
                self._property(node, names)
            case "arg":
                self.arguments.setdefault(node.attrib["name"], self._fill(node.get("default", ""), names))
            case "macro":
                self.macros[node.attrib["name"].removeprefix("xacro:")] = node
            case "include":
                return self._include(node, names)
            case "insert_block":
                name = self._fill(node.attrib["name"], names)
                if name not in blocks:
                    self._refuse(f"there is no block {name!r}")
                return [copy.deepcopy(blocks[name])]
            case "if" | "unless":
                wanted = _is_true(as_value(self._fill(node.attrib["value"], names))) == (word == "if")
                return self._children(node, names, blocks) if wanted else []
            case _ if word in self.macros:
                return self._call(word, node, names, blocks)
            case _:
                self._refuse(f"<xacro:{word}> is not understood here; macros: {', '.join(self.macros) or 'none'}")
        return []

    def _property(self, node: ET.Element, names: Names) -> None:
        if "value" not in node.attrib or node.get("scope"):
            self._refuse(f"the property {node.get('name')!r} is a block or has a scope")
        names[node.attrib["name"]] = as_value(self._fill(node.attrib["value"], names))

    def _include(self, node: ET.Element, names: Names) -> list[ET.Element]:
        name = self._fill(node.attrib["filename"], names)
        path = self.path.parent / name
        if not path.is_file():
            self._refuse(f"the included file {name!r} is not beside it")
        return self._children(ET.fromstring(path.read_text(encoding="utf-8")), names, {})

    def _call(self, word: str, node: ET.Element, names: Names, blocks: dict[str, ET.Element]) -> list[ET.Element]:
        macro = self.macros[word]
        self.depth += 1
        if self.depth > DEEPEST:
            self._refuse(f"the macro {word!r} calls itself")
        inner, given = dict(names), list(node)
        inner_blocks: dict[str, ET.Element] = {}
        for parameter in macro.get("params", "").split():
            name, _, default = re.sub(r":?=\^?\|?", "=", parameter).partition("=")
            if name.startswith("*"):
                if not given or name.startswith("**"):
                    self._refuse(f"the macro {word!r} wants a block {name!r} that is not given, or only its content")
                inner_blocks[name[1:]] = self._element(given.pop(0), names, blocks)[0]
            elif name in node.attrib:
                inner[name] = as_value(self._fill(node.attrib[name], names))
            elif "=" in parameter:
                inner[name] = as_value(self._fill(default, names))
            else:
                self._refuse(f"the macro {word!r} needs {name!r}")
        result = self._children(macro, inner, inner_blocks)
        self.depth -= 1
        return result

    def _fill(self, text: str, names: Names) -> str:
        text = ARGUMENT.sub(lambda found: str(self.arguments.get(found[1], found[0])), text)
        if "$(" in text:
            self._refuse(f"{text!r} needs ROS")
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
