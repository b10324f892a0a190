"""XML of other simulators, with the small faults that their readers let pass; each one that is mended is listed.

A file that is sound is read as it is. One that is not is read tag by tag: a tag that is not closed ends with the
element around it, one that closes nothing is left out, a bare `&` is a character, a prefix that nobody declares is part
of the name, and what follows the root element is left out.
"""

import re
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.sax.saxutils import escape, quoteattr, unescape

from cupola.bridge.report import Report
from cupola.schema.input_files import InputError, read_bytes
from cupola.schema.validation_messages import short
from cupola.schema.xml_files import LARGEST, parse_xml, read_xml

TOKEN = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE[^>\[]*>|</?[A-Za-z_/][^<>]*>", re.DOTALL)
ATTRIBUTE = re.compile(r"""([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
TAG = re.compile(r"</?[A-Za-z_]")
AMPERSAND = re.compile(r"&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[0-9A-Fa-f]+);)")
QUOTES = {"&quot;": '"', "&apos;": "'"}
XACRO = "http://www.ros.org/wiki/xacro"


def read_tolerant(path: Path, report: Report, *roots: str) -> ET.Element:
    """The root element of a file; what had to be mended in it is among the repairs."""
    try:
        return read_xml(path, *roots)
    except InputError as error:
        if "not valid XML" not in str(error):
            raise
        said = str(error).rpartition("not valid XML: ")[2]
    return mended(read_bytes(path, LARGEST).decode("utf-8", "replace"), path, said, report, *roots)


def mended(text: str, path: Path, said: str, report: Report, *roots: str) -> ET.Element:
    """The root element of a text that is not well formed; `said` is what the parser says of it."""
    try:
        made = Mending(text.lstrip("\ufeff \t\r\n"), path.name, report).text()
        return parse_xml(made, str(path), *roots)
    except InputError as error:
        raise InputError(f"{path}: not valid XML: {said}; it could not be mended: {error}") from None


class Mending:
    """One pass over the tags of a text that is not well formed."""

    def __init__(self, text: str, name: str, report: Report) -> None:
        self.source, self.name, self.report = text, name, report
        self.out: list[str] = []
        self.open: list[str] = []
        self.closed = False

    def text(self) -> str:
        """The same elements, well formed."""
        at = 0
        for found in TOKEN.finditer(self.source):
            self._characters(self.source[at : found.start()], found.start())
            at = found.end()
            self._token(found[0], found.start())
            if self.closed:
                break
        rest = self.source[at:].strip()
        if not self.closed:
            self._characters(self.source[at:], at)
        if self.closed and rest and not rest.startswith("<!--"):
            self._note(at, f"{short(rest)!r} after the root element", "left out")
        for tag in reversed(self.open):
            self._note(len(self.source), f"<{tag}> is never closed", "closed at the end of the file")
            self.out.append(f"</{tag}>")
        return "".join(self.out)

    def _note(self, place: int, was: str, now: str) -> None:
        line = self.source.count("\n", 0, place) + 1
        self.report.repair(f"{self.name}:{line}", was, now, "not valid XML")

    def _characters(self, text: str, place: int) -> None:
        if not self.open:
            if text.strip():
                self._note(place, f"{short(text.strip())!r} before the root element", "left out")
            return
        plain, count = AMPERSAND.subn("&amp;", text)
        if count:
            self._note(place, f"{count} bare &", "&amp;")
        if TAG.search(plain):
            raise InputError(f"a tag has no end: {short(plain.strip())!r}")
        if "<" in plain:
            self._note(place, "a bare <", "&lt;")
        self.out.append(plain.replace("<", "&lt;"))

    def _token(self, token: str, place: int) -> None:
        if token.startswith("<![CDATA["):
            self.out.append(escape(token[9:-3]))
        elif token.startswith(("<?", "<!")):
            return
        elif token.startswith("</"):
            self._close(token[2:-1].strip(), place)
        else:
            self._start(token, place)

    def _start(self, token: str, place: int) -> None:
        inside = token[1:-1].rstrip()
        empty = inside.endswith("/")
        tag = re.split(r"[\s/]", inside, maxsplit=1)[0]
        given: dict[str, str] = {}
        for key, value in ATTRIBUTE.findall(inside[len(tag) :]):
            plain = value[1:-1] if value[0] in "\"'" else value
            if value[0] not in "\"'":
                self._note(place, f"<{tag}>: {key}={value}", f'{key}="{value}"')
            if key in given:
                self._note(place, f"<{tag}>: {key} stands twice", f"the first: {given[key]}")
            given.setdefault(key, plain)
        if not self.open:
            given.setdefault("xmlns:xacro", XACRO)
        tag = self._local(tag, place)
        words = [f"{self._local(key, place)}={quoteattr(unescape(value, QUOTES))}" for key, value in given.items()]
        self.out.append(f"<{' '.join([tag, *words])}{'/' if empty else ''}>")
        if not empty:
            self.open.append(tag)
        elif not self.open:
            self.closed = True

    def _local(self, name: str, place: int) -> str:
        """A prefix that xacro does not own would have to be declared."""
        if ":" in name and not name.startswith(("xmlns", "xacro:", "xml:")):
            self._note(place, f"the prefix of {short(name)!r} is not declared", name.replace(":", "_"))
            return name.replace(":", "_")
        return name

    def _close(self, given: str, place: int) -> None:
        tag = given.replace(":", "_") if ":" in given and not given.startswith("xacro:") else given
        if tag not in self.open:
            self._note(place, f"</{short(given)}> closes nothing", "left out")
            return
        while (last := self.open.pop()) != tag:
            self._note(place, f"<{last}> is not closed before </{tag}>", "closed there")
            self.out.append(f"</{last}>")
        self.out.append(f"</{tag}>")
        self.closed = not self.open
