"""Files from anybody: read within a limit, and every failure of a parser as one sentence that says where and why."""

import csv
import math
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple

MEBI = 1 << 20
NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", re.ASCII)
LARGEST_TABLE = 8 * MEBI
"""[bytes] of a CSV file: half a million rows of sticks."""


class FilesRead(NamedTuple):
    """What was found on the disk, by path: all of it is read again as it was the first time."""

    content: dict[Path, bytes]
    there: dict[Path, bool]
    """Whether there was such a file."""


_read: ContextVar[FilesRead | None] = ContextVar("_read", default=None)


class InputError(Exception):
    """Something the user gave is wrong: one clear message; the command line prints it and exits with code 2."""


@contextmanager
def boundary(place: object, what: str, kind: type[Exception] = InputError) -> Iterator[None]:
    """Whatever goes wrong inside becomes a `kind` that begins with the place; our own errors pass as they are."""
    try:
        yield
    except (InputError, kind):
        raise
    except Exception as error:
        raise kind(f"{place}: {what}: {reason(error)}") from error


def reason(error: Exception) -> str:
    """Why a parser gave up, on one line."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, MemoryError):
        return "it needs more memory than there is"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    said = " ".join(str(error).split())
    text = said if type(error) is ValueError and said else f"{type(error).__name__}: {said}".rstrip(": ")
    return text if len(text) <= 300 else f"{text[:297]}..."


@contextmanager
def reading_once(files: FilesRead | None = None) -> Iterator[FilesRead]:
    """Inside, each file is what it was when it was read first; gives what was read. `files`: read before."""
    outside = _read.get()
    inside = files or outside or FilesRead({}, {})
    token = _read.set(inside)
    try:
        yield inside
    finally:
        _read.reset(token)


def is_there(path: Path) -> bool:
    """Whether there is such a file, or was when it was asked for first."""
    known, name = _read.get(), path.absolute()
    if known is None:
        return path.is_file()
    if name in known.content:
        return True
    return known.there.setdefault(name, path.is_file())


def looks(there: Callable[[], bool]) -> bool:
    """`path.is_file` or the like while looking around: what may not be looked at is none."""
    try:
        return there()
    except OSError:
        return False


def listed(folder: Path) -> list[Path]:
    """What lies in a folder, in order; nothing in one that may not be looked into."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def read_bytes(path: Path, limit: int) -> bytes:
    """The content of a regular file of at most `limit` bytes; a pipe or a device would never end."""
    known, name = _read.get(), path.absolute()
    if known is None:
        return _from_disk(path, limit)
    if name not in known.content:
        known.content[name] = _from_disk(path, limit)
    if len(known.content[name]) > limit:
        raise _too_large(path, limit)
    return known.content[name]


def read_earlier(content: Mapping[Path, bytes]) -> None:
    """Files that were read before, and may be others now: they count as read first."""
    if (known := _read.get()) is not None:
        for path, data in content.items():
            known.content.setdefault(path.absolute(), data)


def _from_disk(path: Path, limit: int) -> bytes:
    try:
        if path.is_dir():
            raise InputError(f"{path}: is a folder, expected a file")
        if path.exists() and not path.is_file():
            raise InputError(f"{path}: is not a regular file")
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # a path with a NUL in it
        raise InputError(f"{str(path)!r}: cannot be read: {error}") from None
    if len(data) > limit:
        raise _too_large(path, limit)
    return data


def _too_large(path: Path, limit: int) -> InputError:
    return InputError(f"{path}: is larger than the {limit / MEBI:g} MiB that such a file may have")


def is_pointer(data: bytes) -> bool:
    """Whether a file was cloned without Git LFS, which puts three lines of text in the place of a large file."""
    return data.startswith(b"version https://git-lfs")


def read_text(path: Path, limit: int) -> str:
    """The same as text, which must be UTF-8."""
    data = read_bytes(path, limit)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: is not UTF-8 text (byte {error.start + 1}); save it as UTF-8") from None


def read_rows(path: Path) -> list[tuple[int, list[str]]]:
    """Line number and cells of each row of a CSV file that holds anything."""
    return rows_of(read_text(path, LARGEST_TABLE), str(path))


def rows_of(text: str, path: str) -> list[tuple[int, list[str]]]:
    """The same of a text; messages call it `path`."""
    lines = csv.reader(text.splitlines())
    try:
        rows = [(lines.line_num, [cell.strip() for cell in cells]) for cells in lines]
    except csv.Error as error:
        raise InputError(f"{path}:{lines.line_num}: not a CSV file: {error}") from None
    return [row for row in rows if any(row[1])]


def finite(text: str) -> float | None:
    """The finite number that a text is, written as in C; None for anything else: NaN, infinity, 1_000, nothing."""
    word = text.strip()
    if len(word) > 400 or not NUMBER.fullmatch(word):
        return None
    number = float(word)
    return number if math.isfinite(number) else None


def is_heading(cells: list[str]) -> bool:
    """Whether a row is words alone; one with `nan` in it is a row of bad numbers, not a heading."""
    return not any(_is_float(cell) for cell in cells)


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
