"""`cupola compare`: the vehicles of one recording side by side, or several recordings."""

import math
from functools import partial
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.text import Text

from cupola.cli.drawing import check_file
from cupola.cli.screen import columns, listen, show_json, stdout, waiting
from cupola.schema.input_files import boundary

MOST = 12
"""Signals that are printed of a pair."""


def compare(files: list[Path], folder: Path | None, as_json: bool) -> None:
    """The vehicles of one recording, or several recordings with the first."""
    if len(files) == 1:
        compare_vehicles(files[0], folder, as_json)
    else:
        compare_recordings(files, folder, as_json)


def compare_recordings(files: list[Path], folder: Path | None, as_json: bool) -> None:
    """Print how much each recording differs from the first and where they diverge; plot the largest differences."""
    listen()
    for file in files:
        check_file(file)
    with waiting(f"comparing {len(files)} recordings"):
        from cupola.record import difference
        from cupola.record.read import Recording
        from cupola.record.stream import RecordingError

        recordings = [Recording(file) for file in files]
        picture = (folder or files[0].with_suffix("")) / "compare.png"
        with boundary(" and ".join(map(str, files)), "cannot be compared", RecordingError):
            found = difference.compare(recordings)
            difference.draw(recordings, found, picture)
    if as_json:
        pairs = [{**one._asdict(), "differences": [d._asdict() for d in one.differences]} for one in found]
        for pair, one in zip(pairs, found, strict=True):
            pair["parting"] = one.parting._asdict() if one.parting else None
        show_json({"first": files[0], "others": pairs, "plot": picture})
        return
    for one in found:
        _print_pair(files[0], one)
    stdout().print(str(picture), markup=False, soft_wrap=True)


def _print_pair(first: Path, one: Any) -> None:
    print_line = partial(stdout().print, markup=False, soft_wrap=True)
    print_line(f"{one.path} against {first}:")
    for topics, lacks in ((one.only_here, one.path), (one.only_there, first)):
        if topics:
            print_line(f"{lacks} has no {', '.join(topics)}")
    if one.parting is None:
        print_line(f"equal to the last bit until {one.common_end:g} s: {one.alike} signals\n")
        return
    tick = "" if one.parting.tick is None else f" (tick {one.parting.tick})"
    more = f" and {len(one.parting.signals) - 3} more" if len(one.parting.signals) > 3 else ""
    print_line(f"they part at {one.parting.time:g} s{tick}, in {', '.join(one.parting.signals[:3])}{more}")
    table = columns("signal that differs", "rms", "largest", "unit", "at [s]".replace("[", "\\["), "of its span")
    for d in one.differences[:MOST]:
        row = (f"{d.rms:.3g}", f"{d.largest:.3g}", Text(d.unit), f"{d.at:g}", f"{100.0 * d.share:.3g} %")
        table.add_row(Text(d.signal, "bold"), *row)
    stdout().print(table)
    rest = max(0, len(one.differences) - MOST)
    print_line(f"{rest} more signals differ, {one.alike} are equal\n")


def compare_vehicles(file: Path, folder: Path | None, as_json: bool) -> None:
    """Print how far each vehicle's path is from the first one's, and draw them."""
    listen()
    check_file(file)
    with waiting(f"comparing {file.name}"):
        from cupola.record import compare as comparing
        from cupola.record.read import Recording
        from cupola.record.stream import RecordingError

        picture = (folder or file.with_suffix("")) / "compare.png"
        with boundary(file, "cannot be compared", RecordingError):
            paths = comparing.ways(Recording(file))
            found = comparing.compare(paths)
            comparing.draw(paths, picture)
    if as_json:
        show_json({"recording": file, "vehicles": [one._asdict() for one in found], "plot": picture})
        return
    titles = (f"against {paths[0].name}", "end x, y [m]", "turned [deg]", "apart, rms [mm]", "largest [mm]")
    table = columns(*map(escape, titles))
    for one in found:
        end = f"{one.end_x:+.3f}, {one.end_y:+.3f}"
        off = (f"{1000.0 * one.rms:.1f}", f"{1000.0 * one.largest:.1f}")
        table.add_row(Text(one.vehicle, "bold"), end, f"{math.degrees(one.turned):+.2f}", *off)
    stdout().print(table)
    stdout().print(str(picture), markup=False, soft_wrap=True)
