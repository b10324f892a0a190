"""Any two fields of a recording as a curve, and several curves on the same axes."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cupola.record.draw import COLOURS, STYLE, save_picture
from cupola.record.read import Recording
from cupola.record.stream import RecordingError
from cupola.schema.input_files import boundary

Floats = NDArray[np.float64]


class Curve(NamedTuple):
    """What to draw: `topic:x:y`; a field may be told by how its name ends, `time` is the time."""

    topic: str
    x: str
    y: str


def parse(text: str) -> Curve:
    """A curve from the command line: `friction/odometry:position.x:position.y`."""
    topic, *fields = text.split(":")
    if len(fields) == 1:
        fields = ["time", *fields]
    if len(fields) != 2 or not all((topic, *fields)):
        raise RecordingError(f"--curve {text}: expected TOPIC:FIELD (over time) or TOPIC:FIELD:FIELD")
    return Curve(f"/{topic.strip('/')}", *fields)


def column(table: dict[str, Floats], field: str, topic: str) -> Floats:
    """The field with this name, or the only one whose name ends in it."""
    found = [name for name in table if name == field] or [name for name in table if name.endswith(f".{field}")]
    if len(found) != 1:
        near = ", ".join(found or table)
        raise RecordingError(f"{topic} has {len(found) or 'no'} field{'s' * bool(found)} {field!r}: {near}")
    return table[found[0]]


def draw_curves(file: Path, curves: list[Curve], target: Path) -> None:
    """Draw all curves on the same axes."""
    save_picture(curves_figure(Recording(file), curves), target)


def curves_figure(recording: Recording, curves: list[Curve]) -> Any:
    """All of them on the same axes of a figure."""
    import matplotlib as mpl

    from cupola.record.shown_figure import ShownFigure

    with boundary(recording.path, "cannot be drawn", RecordingError), mpl.rc_context(STYLE):
        figure: Any = ShownFigure(figsize=(9.0, 6.0), layout="constrained")
        axes = figure.subplots()
        for k, curve in enumerate(curves):
            table = recording.named(curve.topic)
            x, y = (column(table, field, curve.topic) for field in (curve.x, curve.y))
            label = f"{curve.topic.strip('/')}: {curve.y}"
            axes.plot(x, y, color=COLOURS[k % len(COLOURS)], label=label)
        across, up = ({getattr(curve, side) for curve in curves} for side in ("x", "y"))
        axes.set(xlabel=" / ".join(sorted(across)), ylabel=" / ".join(sorted(up)))
        if "time" not in across:
            axes.set_aspect("equal", adjustable="datalim")
        axes.legend()
        return figure
