"""Texts of scenario and vehicle files that a page has changed: what is wrong with them and where, and which files they
may name."""

import re
from pathlib import Path

from cupola.cockpit.messages import TextProblem
from cupola.config.vehicle import MODELS
from cupola.config.vehicle_copy import files_of_copy
from cupola.schema.yaml_files import InputError, places, with_words, words

PLACED = re.compile(r"(\d+):(\d+): (.*)", re.DOTALL)
KEYED = re.compile(r" ([^\s:]+): ")
COUNTED = re.compile(r" \d+ problems")
FILES = ("model", "use", "route", "field", "mjcf", "file", "kind", "own")
"""Keys whose values may be files."""
PROSE = ("about",)
DRIVE = re.compile(r"[A-Za-z]:[\\/]")


def problems_in(error: Exception, text: str, source: str) -> list[TextProblem]:
    """The lines of an error, each where the text has what it is about; without a place they stand at the first line."""
    try:
        known = places(text, source)
    except InputError:
        known = {}
    lines = str(error).splitlines() or [type(error).__name__]
    return [
        TextProblem(line=line, column=column, text=said)
        for one in lines
        if one.strip() and not COUNTED.fullmatch(one.removeprefix(f"{source}:"))
        for line, column, said in [_placed(one, known, source)]
    ]


def _placed(line: str, known: dict[str, tuple[int, int]], source: str) -> tuple[int, int, str]:
    rest = line.removeprefix(f"{source}:")
    if rest != line and (found := PLACED.match(rest)):
        return int(found[1]), int(found[2]), found[3]
    if rest != line and (found := KEYED.match(rest)):
        key = found[1]
        while key and key not in known:  # of a key that is missing, the mapping in which it should stand
            key = key[: max(key.rfind("."), key.rfind("["), 0)]
        if key:
            return *known[key], rest.strip()
    return 1, 1, rest.strip()


def stay_inside(text: str, before: str, source: str) -> None:
    """Refuse a text that names files elsewhere than beside its own; those that it named before may stay.

    What a page says must not make this program read, and tell in a message, what lies anywhere on the disk.
    """
    known = {word for _, word in words(before, source)}
    found = [word for key, word in words(text, source) if key not in PROSE and word not in known and _leaves(word)]
    if found:
        raise InputError(
            f"{source}: {found[0]!r} is not beside this file: a text of the page names files below its own folder, "
            "none that is hidden; write other paths with an editor of your own"
        )


def _leaves(word: str) -> bool:
    """Whether a word is a path that leads out of its folder, or to something hidden."""
    steps = re.split(r"[\\/]", word)
    return word.startswith(("/", "\\", "~")) or DRIVE.match(word) is not None or any(_is_hidden(step) for step in steps)


def _is_hidden(step: str) -> bool:
    return step == ".." or re.match(r"\.\w", step) is not None


def with_full_paths(text: str, folder: Path, source: str) -> str:
    """The text with the full paths of files that it names from `folder`, so that it may lie anywhere."""

    def full(key: str, word: str) -> str:
        if key not in FILES:
            return word
        file, code, name = word.partition(".py:")
        path = folder / (f"{file}.py" if code else word)
        try:
            there = path.is_file() or (path / "vehicle.yaml").is_file()
        except (OSError, ValueError):  # a word that can be no name of a file
            return word
        return f"{path.resolve()}:{name}" if there and code else str(path.resolve()) if there else word

    return with_words(text, source, full)


def vehicle_files(text: str, path: Path) -> dict[str, bytes]:
    """The files of a vehicle of one's own: of a shipped one all that belongs to it, else the text with full paths."""
    if path.is_relative_to(MODELS):
        return files_of_copy(path.parent, text)
    return {"vehicle.yaml": with_full_paths(text, path.parent, str(path)).encode()}
