"""`cupola bench` and `cupola reproduce`: tables whose rows pass or fail."""

from itertools import groupby
from typing import Any

import typer
from rich.text import Text

from cupola.cli.screen import columns, listen, say, show_json, stdout, waiting

FAILED = 1
Row = dict[str, Any]


def bench(peers: bool, many: bool, as_json: bool) -> None:
    """Measure the speed."""
    from cupola import bench as cases

    listen()
    with waiting("measuring") as show:
        rows = cases.run(peers=peers, many=many, progress=lambda case: show(f"measuring: {case} is done"))
    if as_json:
        show_json(rows)
    else:
        _show(rows, "case", ("value", "unit", "baseline", "ratio", "bar"), digits=4)
    _finish(rows, "case")


def reproduce(names: list[str], full: bool, as_json: bool) -> None:
    """Measure the published figures again."""
    from cupola import reproduce as experiments

    listen()
    with waiting("reproducing") as show:
        rows = experiments.run(names, full, progress=lambda row: show(f"reproducing: {row} is done"))
    if as_json:
        show_json(rows)
    else:
        for source, group in groupby(rows, key=lambda row: str(row["source"])):
            stdout().print(Text(source, "bold"))
            _show(list(group), "quantity", ("published", "measured", "unit", "criterion"), digits=7)
            stdout().print()
    _finish(rows, "id")


def _finish(rows: list[Row], name: str) -> None:
    """Print how many pass and name those that do not; then the exit code is 1."""
    failed = [str(row[name]) for row in rows if not _passes(row)]
    say(f"{len(rows) - len(failed)} of {len(rows)} pass" + (f"; not {', '.join(failed)}" if failed else ""))
    if failed or not rows:
        raise typer.Exit(FAILED)


def _passes(row: Row) -> bool:
    """A row without data has not passed."""
    return bool(row.get("pass"))


def _show(rows: list[Row], name: str, keys: tuple[str, ...], digits: int) -> None:
    table = columns()
    table.add_column(no_wrap=True)
    table.add_column(name, overflow="fold")
    for key in keys:
        table.add_column(key, overflow="fold")
    for row in rows:
        mark = Text("pass", "green") if _passes(row) else Text("FAIL", "bold red")
        table.add_row(mark, Text(str(row[name])), *(Text(_cell(row.get(key), digits)) for key in keys))
    stdout().print(table)


def _cell(value: Any, digits: int) -> str:
    """A number with that many digits, and no power of ten where a reader can do without."""
    if value is None:
        return "-"
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.0f}" if 10.0**digits <= abs(value) < 1e9 else f"{value:.{digits}g}"
