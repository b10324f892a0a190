"""What an import could not carry over, as a section of the README it writes."""

from collections.abc import Iterable


def not_carried_over(lost: Iterable[tuple[str, str]]) -> list[str]:
    """Lines of the section: what was lost, and why."""
    rows = [f"| {cell(what)} | {cell(why)} |" for what, why in lost]
    return ["## Not carried over", "", "| what | why |", "|---|---|", *(rows or ["| nothing | |"]), ""]


def cell(text: str) -> str:
    """Text that stays in one cell of a table."""
    return text.replace("|", "/").replace("\n", " ")
