"""The results of a flight as a table."""

import math
from typing import Any

from rich.text import Text

from cupola.cli.screen import columns, stdout


def show_summary(results: dict[str, Any]) -> None:
    """Print columns: what, how much, and what a publication states. Several vehicles stand one below the other."""
    table = columns(show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    if any(measure["published"] for measure in results["measures"].values()):
        table.add_column(style="dim", overflow="fold")
    table.add_row("simulated", f"{results['simulated_time']:g} s")
    table.add_row("wall time", f"{results['wall_time']:.3g} s, without loading")
    table.add_row("speed", f"{results['real_time_factor']:.3g} × real time")
    table.add_row("", f"{_count(results['steps_per_second'])} steps/s")
    for name, figures in results["vehicles"].items():
        _add_vehicle(table, name, figures, alone=not results["measures"])
    for name, measure in results["measures"].items():
        stated = [Text(f"published: {measure['published']}")] if measure["published"] else []
        table.add_row(Text(name), Text(_measured(measure["value"], measure["unit"])), *stated)
    if recording := results["recording"]:
        table.add_row("recording", Text(f"{recording['file']} ({_size(recording['bytes'])})"))
    for title, plot in zip(["plots", *[""] * len(results["plots"])], results["plots"], strict=False):
        table.add_row(title, Text(plot))
    stdout().print(table)


def _add_vehicle(table: Any, name: str, figures: dict[str, Any], *, alone: bool) -> None:
    """The figures of any flight, where the scenario names no measures of its own."""
    table.add_row("vehicle", Text(name, "bold"))
    if figures.get("fell"):
        table.add_row("fell", "nothing holds it up: it fell out of the world, this was no flight")
    if alone:
        table.add_row("distance", f"{figures['distance']:.1f} m")
        table.add_row("highest point", f"{figures['highest']:.2f} m")
        table.add_row("top speed", f"{figures['top_speed']:.2f} m/s")
        table.add_row("largest tilt", f"{math.degrees(figures['largest_tilt']):.1f}°")
    table.add_row("end position", "x {:.2f}  y {:.2f}  z {:.2f} m".format(*(round(x, 2) + 0.0 for x in figures["end"])))


def _measured(value: float | bool | None, unit: str) -> str:
    """A figure with four digits and its unit; angles in degrees, as people think of them."""
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if unit in ("rad", "rad/s"):
        value, unit = math.degrees(value), unit.replace("rad", "°")
    number = f"{value:.0f}" if 1e4 <= abs(value) < 1e9 else f"{value:.4g}"
    return number + ("" if unit in ("1", "") or unit.startswith("°") else " ") + ("" if unit == "1" else unit)


def _count(number: float) -> str:
    """12 300 as 12.3 k."""
    for size, letter in ((1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.1f} kB"
