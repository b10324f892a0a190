"""What an import could not carry over, as a section of the README it writes: what is alike in one row."""

import re
from collections.abc import Iterable

NAMED = re.compile(
    r"(?<![\w/])(joint|link|gazebo|transmission|visual|collision|sensor|<sensor>:|camera|object) [^\s/:,]+"
)
"""What stands in many places of one model, with its name."""
NUMBERS = re.compile(r"(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?(?!\w)(?! times)")
FEW = 3
"""Rows that are alike become one from here on; and names that it gives."""


def not_carried_over(lost: Iterable[tuple[str, str]]) -> list[str]:
    """Lines of the section: what was lost, and why."""
    rows = [f"| {cell(what)} | {cell(why)} |" for what, why in alike(lost)]
    return ["## Not carried over", "", "| what | why |", "|---|---|", *(rows or ["| nothing | |"]), ""]


def alike(lost: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """The rows in their order, those that say the same of many joints, links or sensors as one with their number."""
    kinds: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for what, why in lost:
        kinds.setdefault((NUMBERS.sub("…", NAMED.sub(r"\1 *", what)), NUMBERS.sub("…", why)), []).append((what, why))
    made: list[tuple[str, str]] = []
    for (kind, reason), rows in kinds.items():
        if len(rows) < FEW or kind == rows[0][0]:
            made += rows
            continue
        first = [found[0] for what, _ in rows[:FEW] if (found := NAMED.search(what))]
        more = f" and {len(rows) - len(first)} more" if len(rows) > len(first) else ""
        made.append((f"{kind} ({len(rows)} times: {', '.join(dict.fromkeys(first))}{more})", reason))
    return made


def cell(text: str) -> str:
    """Text that stays in one cell of a table."""
    return text.replace("|", "/").replace("\n", " ")
