"""One row of the table: a published figure beside ours, and the criterion that judges them."""

import os
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple


class Row(NamedTuple):
    """What `cupola reproduce` prints and writes as JSON."""

    id: str
    source: str
    quantity: str
    published: float | None
    measured: float | str
    """A figure, or the sentence that says why there is none."""
    unit: str
    criterion: str
    passed: bool

    def as_dict(self) -> dict[str, Any]:
        """The keys of the table."""
        row = self._asdict()
        row["pass"] = row.pop("passed")
        return row


def printed(key: str, source: str, quantity: str, published: str, measured: float, unit: str = "1") -> Row:
    """Judge by the digits of the source: `published` is its text, and half of the last printed digit is allowed."""
    half = 0.5 * 10.0 ** int(Decimal(published).as_tuple().exponent)
    return within(key, source, quantity, float(published), measured, half, unit)


def within(
    key: str, source: str, quantity: str, published: float, measured: float, tolerance: float, unit: str = "1"
) -> Row:
    """Judge by an absolute tolerance."""
    passed = abs(measured - published) <= tolerance
    # Adding zero takes the sign off a negative one.
    return Row(key, source, quantity, published, float(measured) + 0.0, unit, f"± {tolerance:.3g}", bool(passed))


def at_most(key: str, source: str, quantity: str, bound: float, measured: float, unit: str = "1") -> Row:
    """Judge an error against a bound; what is published is an exact solution, so its error is zero."""
    return Row(key, source, quantity, 0.0, float(measured), unit, f"≤ {bound:.3g}", bool(measured <= bound))


def missing(key: str, source: str, quantity: str, why: str, unit: str = "1") -> Row:
    """A row whose data are not here: it says so and does not pass."""
    return Row(key, source, quantity, None, why, unit, "needs its data file", False)


def data_file(name: str, environment: Mapping[str, str] = os.environ) -> Path | str:
    """A file of the folder that `CUPOLA_DATA` names, or the sentence that says what is missing."""
    folder = environment.get("CUPOLA_DATA")
    if not folder:
        return f"no {name}: CUPOLA_DATA is not set"
    path = Path(folder) / name
    return path if path.is_file() else f"no {name} in CUPOLA_DATA ({folder})"
