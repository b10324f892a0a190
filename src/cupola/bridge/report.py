"""What an import did beside copying: what it repaired, what it took for granted, what it could not carry over.

Every importer fills one `Report`; the README it writes, `import.json` beside it and the screen are read from it.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from cupola.bridge.lost import cell, not_carried_over

FILE = "import.json"
"""The report as data, in every folder that an import writes."""
MOST_SAID = 5
"""Files that are listed by name."""


class Repair(NamedTuple):
    """Something that the source says and that cannot be: both numbers stay on record."""

    what: str
    """File and element."""
    was: str
    now: str
    why: str


class Report:
    """Filled while a source is read; rows keep the order in which things were met."""

    def __init__(self) -> None:
        self.repaired: list[Repair] = []
        """Numbers and words that had to be changed."""
        self.lost: list[tuple[str, str]] = []
        """What has no place here, and why."""
        self.assumed: list[tuple[str, str]] = []
        """What the source leaves open, and what was taken."""
        self.warnings: list[str] = []
        """What looks wrong in the source and was left as it is, and what the reader must know before a run."""
        self.renamed: list[tuple[str, str]] = []
        """Meshes that are not called as in the source, and how they are called."""
        self.read: list[Path] = []
        """Files of numbers that the source names, as a xacro its YAML."""

    def repair(self, what: str, was: object, now: object, why: str) -> None:
        """Note a repair; one that is noted already is not noted again."""
        row = Repair(what, str(was), str(now), why)
        if row not in self.repaired:
            self.repaired.append(row)

    def lose(self, what: str, why: str) -> None:
        """Note something that was not carried over."""
        self.lost.append((what, why))

    def assume(self, what: str, taken: str) -> None:
        """Note what was taken where the source says nothing."""
        if (what, taken) not in self.assumed:
            self.assumed.append((what, taken))

    def say_what_lies_elsewhere(self, files: Iterable[Path], homes: Iterable[Path]) -> None:
        """Warn of files that were copied from outside these folders: a stranger's model can name any file there is."""
        known = [home.resolve() for home in homes]
        whole = dict.fromkeys(file.resolve() for file in files)
        far = [str(file) for file in whole if not any(file.is_relative_to(home) for home in known)]
        if far:
            more = f" and {len(far) - MOST_SAID} more" if len(far) > MOST_SAID else ""
            self.warnings.append(
                "files from outside its folder are in the new folder, and whoever gets that can read them: "
                f"{', '.join(far[:MOST_SAID])}{more}"
            )

    def as_dict(self) -> dict[str, Any]:
        """As `import.json` has it."""
        return {
            "repaired": [row._asdict() for row in self.repaired],
            "not_carried_over": [{"what": what, "why": why} for what, why in self.lost],
            "assumed": [{"what": what, "taken": taken} for what, taken in self.assumed],
            "looks_wrong": list(self.warnings),
            "renamed": [{"mesh": mesh, "called": called} for mesh, called in self.renamed],
        }

    def write(self, folder: Path, **more: Any) -> None:
        """`import.json` of a vehicle folder; `more` stands before the lists."""
        text = json.dumps({**more, **self.as_dict()}, indent=2, ensure_ascii=False)
        (folder / FILE).write_text(text + "\n", encoding="utf-8")

    def sections(self) -> list[str]:
        """Lines of the README: repairs, assumptions, what looks wrong, what was lost."""
        lines = ["## Repaired", ""]
        if self.repaired:
            rows = [f"| {cell(r.what)} | {cell(r.was)} | {cell(r.now)} | {cell(r.why)} |" for r in self.repaired]
            lines += ["| what | in the source | here | why |", "|---|---|---|---|", *rows, ""]
        else:
            lines += ["Nothing: all numbers are those of the source.", ""]
        if self.assumed:
            rows = [f"| {cell(what)} | {cell(taken)} |" for what, taken in self.assumed]
            lines += ["## Taken for granted", "", "| what | taken |", "|---|---|", *rows, ""]
        lines += ["## Looks wrong in the source", ""]
        lines += [*([f"- {warning}" for warning in self.warnings] or ["Nothing that we check."]), ""]
        return [*lines, *not_carried_over(self.lost)]
