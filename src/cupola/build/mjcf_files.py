"""The files of a MuJoCo model as one text with its assets by content: meshes, textures, height fields.

Includes are written out and each file is named by its SHA-256, so that the model is the same wherever it is opened.
"""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from cupola.build.mjcf_assets import LARGEST_FILE, MESHES, MODEL, folders_said, keys_of_files, place_of
from cupola.build.mjcf_limits import DEEPEST as NESTED
from cupola.schema.input_files import InputError, is_there, read_bytes, read_text
from cupola.schema.xml_files import parse_xml

DEEPEST = 50
"""Includes within includes."""
NAMED_BY_FILE = ("mesh", "hfield", "texture", "skin")
"""Elements that have the name of their file unless they say another."""


class PackedModel(NamedTuple):
    """A model in one text."""

    text: str
    assets: dict[str, bytes]
    """What it is made of, by the names in the text."""
    files: tuple[Path, ...] = ()
    """All that was read beside the model's own file."""


def content_name(content: bytes, suffix: str) -> str:
    """The name of a file by what is in it."""
    return f"sha256-{hashlib.sha256(content).hexdigest()}{suffix}"


def named_by_content(content: bytes, file: Path) -> str:
    """The same for a file that was read."""
    return content_name(content, file.suffix.lower())


def files_named(text: str) -> set[str]:
    """Every file that a text of MJCF names, however: assets, includes, other models."""
    return {element.attrib[key] for element in _parse(text).iter() for key in keys_of_files(element)}


def pack_model(path: Path, depth: int = 0, named: Callable[[bytes, Path], str] = named_by_content) -> PackedModel:
    """The model of a file; the text stays as it was written where it names no other file.

    `named` gives an asset, of this content and from this file, the name that it has in the text.
    """
    if depth > DEEPEST:
        raise InputError(f"{path}: models are nested deeper than {DEEPEST}")
    text = read_text(path, LARGEST_FILE)
    if not files_named(text):
        return PackedModel(text, {})
    root = _parse(text)
    files = _write_out(root, path.parent, path.parent, 0)
    folders = folders_said(root)
    assets: dict[str, bytes] = {}
    for element in root.iter():
        for key in keys_of_files(element):
            file = _find(element, key, path.parent, folders)
            content = read_bytes(file, LARGEST_FILE)
            files.append(file)
            if element.tag == MODEL:
                packed = pack_model(file, depth + 1, named)
                content = packed.text.encode()
                assets |= packed.assets
                files += packed.files
            name = named(content, file)
            if key == "file" and element.tag in NAMED_BY_FILE and "name" not in element.attrib:
                element.set("name", file.stem)
            element.set(key, name)
            assets[name] = content
    for compiler in root.iter("compiler"):
        for key in (*MESHES, "texturedir", "strippath"):
            compiler.attrib.pop(key, None)
    return PackedModel(ElementTree.tostring(root, encoding="unicode"), assets, tuple(files))


def _parse(text: str) -> Element:
    return parse_xml(text, "the MuJoCo model", deepest=NESTED)


def _write_out(parent: Element, main: Path, here: Path, depth: int) -> list[Path]:
    """What is included, in the place of the includes, as MuJoCo does: looked up from the main file, then from here.

    Returns the files that were included.
    """
    if depth > DEEPEST:
        raise InputError(f"{here}: includes are nested deeper than {DEEPEST}")
    children: list[Element] = []
    files: list[Path] = []
    for child in parent:
        if child.tag != "include":
            files += _write_out(child, main, here, depth)
            children.append(child)
            continue
        name = child.get("file", "")
        file = next((found for found in (main / name, here / name) if is_there(found)), None)
        if file is None:
            raise InputError(f"{here}: there is no {name!r} to include")
        included = _parse(read_text(file, LARGEST_FILE))
        files += [file, *_write_out(included, main, file.parent, depth + 1)]
        children += included
    parent[:] = children
    return files


def _find(element: Element, key: str, main: Path, folders: dict[str, str]) -> Path:
    file = place_of(element, key, main, folders)
    if not is_there(file):
        raise InputError(f"{main}: there is no file {file}, which <{element.tag}> names")
    return file
