"""Numbers of other simulators' files, with the small faults that their readers let pass; what is mended is listed."""

from cupola.bridge.report import Report
from cupola.schema.xml_files import numbers_in

STRAY = ".,;\"'"
"""Behind a number: what other readers stop at without a word."""


def tolerant_numbers(text: str, count: int, where: object, report: Report, *, more: bool = False) -> tuple[float, ...]:
    """Exactly `count` finite numbers; a dot or comma behind one is no reason to stop; with `more`, nor are too many."""
    words = text.split()
    plain = [word.rstrip(STRAY) if word[-1] in STRAY and word.rstrip(STRAY) else word for word in words]
    kept = plain[:count] if more else plain
    found = numbers_in(" ".join(kept), count, where)
    for word, number in zip(words, plain, strict=True):
        if word != number and not (word.endswith(".") and word.count(".") == 1):  # `1.` is a number
            report.repair(str(where), word, number, "not a number; what stands before the sign was read")
    if len(kept) < len(words):
        report.repair(
            str(where), " ".join(words), " ".join(kept), f"{count} numbers were expected; the first were read"
        )
    return found
