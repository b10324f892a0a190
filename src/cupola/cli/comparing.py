"""`cupola compare`: the vehicles of one recording side by side."""

import math
from pathlib import Path

from rich.markup import escape
from rich.text import Text

from cupola.cli.drawing import check_file
from cupola.cli.screen import columns, listen, show_json, stdout, waiting
from cupola.schema.input_files import boundary


def compare(file: Path, folder: Path | None, as_json: bool) -> None:
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
