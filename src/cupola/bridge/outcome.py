"""What `cupola import` hands back, and the five lines it says about it."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cupola.bridge.lost import alike
from cupola.bridge.report import Report


class Imported(NamedTuple):
    """A vehicle folder that was written."""

    folder: Path
    report: Report
    run: Path
    """What to give `cupola run`."""
    what: str = ""
    """What it is: "iris, a multirotor of 1.535 kg: 6 links, 4 rotors"."""
    flown_by: str = ""
    """Who flies it, and what it will do: "multirotor_velocity through a mixer of 4 rotors; it hovers"."""

    by_hand: bool = False
    """Whether it does nothing without keys."""

    @property
    def lost(self) -> Sequence[tuple[str, str]]:
        """What was not carried over."""
        return self.report.lost

    @property
    def warnings(self) -> Sequence[str]:
        """What looks wrong."""
        return self.report.warnings

    @property
    def renamed(self) -> Sequence[tuple[str, str]]:
        """Meshes with other names."""
        return self.report.renamed

    def lines(self) -> list[tuple[str, str]]:
        """What it is, what flies it, what was repaired, what was lost, what to type next."""
        r = self.report
        repaired = [f"{row.what}: {row.was} became {row.now}" for row in r.repaired]
        return [
            ("it is", self.what or self.folder.name),
            ("flown by", self.flown_by or "the controller of its vehicle.yaml"),
            ("repaired", _count(repaired, "nothing")),
            ("lost", _count([what for what, _ in r.lost], "nothing", alike(r.lost))),
            ("now type", self.next),
        ]

    @property
    def next(self) -> str:
        """The command that flies it."""
        return f"cupola run {self.run}{' --keyboard' if self.by_hand else ''}"


def _count(rows: list[str], none: str, kinds: Sequence[tuple[str, str]] = ()) -> str:
    """How many, and the first of them; where they are many, of how many kinds."""
    if not rows:
        return none
    more = f"; all {len(rows)} are in its README.md" if len(rows) > 1 else ""
    if kinds and len(kinds) < len(rows):
        return f"{len(rows)} of {len(kinds)} kinds: {kinds[0][0]}; all kinds are in its README.md"
    return f"{len(rows)}: {rows[0]}{more}"
