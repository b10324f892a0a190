"""How an answer is judged: by the spread of the tools that solved the same case."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from cupola.reproduce.nesc.columns import Table
from cupola.reproduce.row import Row, at_most, data_file, missing

SOURCE = "NASA TM-2015-218675 (NESC), case {}"
SHARE, ROUND_OFF = 0.01, 1e-9
"""By how much an answer may lie outside: this share of the tools' spread at that time, or of the quantity's scale."""
TURN = 180.0
"""Scale of an angle [deg]."""
POSITIONS = ("altitude_m",)
VELOCITIES = ("vel_north_m_s", "vel_east_m_s", "vel_down_m_s")
ANGLES = ("roll_deg", "pitch_deg", "yaw_deg")


def envelope_rows(
    case: str, ours: Table, names: Iterable[str], tools: Sequence[str] = (), way: tuple[str, str] = ("", "")
) -> Iterator[Row]:
    """One row per quantity: how far outside the tools' envelope it comes, in units of what is allowed.

    `way` is the ending of the rows' names and the words for another way of flying than the published one.
    """
    source, path = SOURCE.format(case), data_file(f"nesc/envelope_{case}.csv")
    ending, words = way
    for name in names:
        key = f"nesc_{case}_{name}{ending}"
        quantity = f"{name}{words}: outside the tools' spread, in units of what is allowed"
        if isinstance(path, str):
            yield missing(key, source, quantity, path)
            continue
        spread = _spread(path, case, tools, name) if tools else read_table(path)
        yield at_most(key, source, quantity, 1.0, _excess(ours, spread, name))


def _spread(envelope: Path, case: str, tools: Sequence[str], name: str) -> Table:
    """Envelope of a quantity over some of the tools."""
    found = np.array([read_table(envelope.parent / f"Atmos_{case}_{tool}.csv")[name] for tool in tools])
    if name in ANGLES:
        found = np.unwrap(found, period=2.0 * TURN, axis=1)
    return {f"{name}_min": np.nanmin(found, axis=0), f"{name}_max": np.nanmax(found, axis=0)}


def _excess(ours: Table, tools: Table, name: str) -> float:
    low, high = tools[f"{name}_min"], tools[f"{name}_max"]
    mine = ours[name][: len(low)]
    outside = np.maximum(np.maximum(low - mine, mine - high), 0.0)
    return float((outside / np.maximum(SHARE * (high - low), ROUND_OFF * _scale(ours, name))).max())


def _scale(ours: Table, name: str) -> float:
    """The largest size of a quantity in the case; velocities have one together, angles half a turn."""
    if name in ANGLES:
        return TURN
    together = VELOCITIES if name in VELOCITIES else (name,)
    return max(float(np.abs(ours[one]).max()) for one in together)


def read_table(path: Path) -> Table:
    """A file of the tools; an empty cell is NaN."""
    with path.open() as file:
        table = list(csv.DictReader(file))
    return {name: np.array([float(row[name] or "nan") for row in table]) for name in table[0]}


def attitude_row(case: str, ours: dict[str, Any], tool: str, bound: float) -> Row:
    """Largest difference of an angle from one tool's."""
    key, quantity = f"nesc_{case}_attitude_{tool}", f"attitude against {tool}"
    source, path = SOURCE.format(case), data_file(f"nesc/Atmos_{case}_{tool}.csv")
    if isinstance(path, str):
        return missing(key, source, quantity, path, "deg")
    theirs = read_table(path)
    worst = 0.0
    for name in ANGLES:
        off = (ours[name] - theirs[name] + TURN) % (2.0 * TURN) - TURN
        worst = max(worst, float(np.abs(off).max()))
    return at_most(key, source, quantity, bound, worst, "deg")
