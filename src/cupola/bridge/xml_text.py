"""XML files of other tools: read without following anything they point at."""

from pathlib import Path
from xml.etree import ElementTree as ET

from cupola.schema.yaml_files import InputError

LARGEST = 32_000_000
"""Bytes of a file."""


def read_xml(path: Path) -> ET.Element:
    """The root element; entities of the file's own are refused, and a document type is not fetched."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if len(content) > LARGEST:
        raise InputError(f"{path}: has {len(content)} bytes, more than the {LARGEST} that are read")
    if b"<!ENTITY" in content:
        raise InputError(f"{path}: declares entities of its own, which are not read")
    try:
        return ET.fromstring(content)
    except ET.ParseError as error:
        raise InputError(f"{path}: not XML: {error}") from None


def plain_tags(root: ET.Element) -> ET.Element:
    """The same elements, their names without a namespace."""
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root
