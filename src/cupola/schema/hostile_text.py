"""Untrusted texts made safe for a terminal, as file names, and in cells of a spreadsheet."""

import re
import unicodedata

LONGEST = 200
"""Characters of a file's name."""
UNSEEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""Categories of letters that move a cursor, turn the text around or cannot be shown."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""What a cell begins with that a spreadsheet computes."""


def writable(text: object) -> str:
    """A text that can be written: names of files are bytes, and what is no letter among them becomes U+FFFD."""
    return re.sub("[\ud800-\udfff]", "\ufffd", str(text))


def printable(text: object) -> str:
    """A text for a terminal: what is no letter, such as the codes that move a cursor, is shown as its code."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(text))


def shown(text: str) -> str:
    """As `printable`; ends of lines, tabulators and wide or narrow spaces stay."""
    if text.isprintable():
        return text
    return "".join(_as_code(c) if c not in "\n\t" and unicodedata.category(c) in UNSEEN else c for c in text)


def _as_code(letter: str) -> str:
    return letter.encode("unicode_escape").decode()


def file_name(text: str) -> str:
    """A text as the name of a file that is not hidden; what such a name cannot hold becomes _."""
    name = re.sub(r"[^\w.-]", "_", text.strip("/").replace("/", "."))[:LONGEST]
    return f"_{name}" if not name or name.startswith((".", "-")) else name


def cell(value: object) -> object:
    """A value of a table for a spreadsheet: a text that it would compute has a ' in front, numbers are as they are."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
