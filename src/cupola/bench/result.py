"""One row of the table: what was measured, beside what, and the bar that judges it."""

import math
from typing import Any, NamedTuple


class Result(NamedTuple):
    """What `cupola bench` prints and writes as JSON."""

    case: str
    value: float | str
    """A figure, or the sentence that says why there is none."""
    unit: str
    baseline: float | None
    """The figure of what it is compared with, in the same unit and the same run."""
    ratio: float | None
    """What the bar judges, where it judges a ratio: the case says of what to what."""
    bar: str
    passed: bool

    def as_dict(self) -> dict[str, Any]:
        """The keys of the table."""
        row = self._asdict()
        row["pass"] = row.pop("passed")
        return row


def ratio_at_most(case: str, value: float, unit: str, baseline: float, ratio: float, bar: float) -> Result:
    """Pass while the ratio is no more than the bar."""
    return Result(case, value, unit, baseline, ratio, f"≤ {bar:g}", ratio <= bar)


def ratio_at_least(case: str, value: float, unit: str, baseline: float, ratio: float, bar: float) -> Result:
    """Pass while the ratio is no less than the bar."""
    return Result(case, value, unit, baseline, ratio, f"≥ {bar:g}", ratio >= bar)


def at_most(case: str, value: float, unit: str, bar: float) -> Result:
    """Pass while the value itself is no more than the bar."""
    return Result(case, value, unit, None, None, f"≤ {bar:g} {unit}", value <= bar)


def unjudged(
    case: str, value: float, unit: str, baseline: float | None = None, ratio: float | None = None, bar: str = "none"
) -> Result:
    """A figure without a bar: it passes if it was measured at all, which is a finite number above 0."""
    return Result(case, value, unit, baseline, ratio, bar, math.isfinite(value) and value > 0.0)


def absent(case: str, why: str, unit: str, bar: str) -> Result:
    """A case that could not be measured: it says why and does not pass."""
    return Result(case, why, unit, None, None, bar, False)
