"""Draws sheets of panels over time with matplotlib; independent of topics."""

import math
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cupola.schema.whole_files import whole_file

Floats = NDArray[np.float64]

SIZE = (12.0, 7.2)
"""Of a sheet [inch]; 1320 x 792 pixels."""
STYLE: dict[Any, Any] = {
    "figure.dpi": 110,
    "text.parse_math": False,  # a $ in the name of something is a $
    "font.size": 9.0,
    "axes.titlesize": 10.0,
    "axes.titleweight": "bold",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.formatter.useoffset": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.7,
    "lines.linewidth": 1.2,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "legend.handlelength": 1.2,
    "legend.columnspacing": 1.0,
    "legend.handletextpad": 0.5,
    "legend.borderaxespad": 0.3,
}
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b4a9c", "#666666")
"""Okabe and Ito's colour-blind-safe colours without yellow."""
POINTS = 2000
"""Drawn per line: more than a sheet has pixels across."""
SPANS = {"[deg]": 0.1, "[deg/s]": 0.1, "[m]": 0.01, "[m/s]": 0.01, "[m/s²]": 0.1, "[hPa]": 0.1, "[rad/s]": 0.1}
"""What the axes span at least, so that rounding errors do not look like motion; 0.001 in other units."""
APART = 0.025
"""Of the time axis: an event that is nearer to the one named before it is not named, it would cover it."""
DASHES = (0, (4, 2))
EVENT = "#9a9a9a"
EVENT_TEXT: dict[str, Any] = {"rotation": 90, "size": 7.5, "color": "#777777", "zorder": 1}
LETTERS = 150
"""Of title and legend side by side over a panel as wide as the sheet."""


@contextmanager
def letters_without_glyphs() -> Iterator[None]:
    """A name may hold letters that the font has not: a box is drawn, and nothing is said on the terminal."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph")
        yield


def save_picture(figure: Any, path: Path, **options: Any) -> None:
    """Write a figure, whole or not at all; `options` are those of `savefig`."""
    with whole_file(path) as new, letters_without_glyphs():
        figure.savefig(new.file, format=path.suffix[1:] or "png", **options)


class Line(NamedTuple):
    """One curve over time [s]."""

    time: Floats
    values: Floats
    label: str
    colour: int
    dashed: bool = False


class Panel(NamedTuple):
    """One pair of axes with time across, or something else."""

    title: str
    unit: str
    lines: Sequence[Line]
    across: str = ""
    """What the horizontal axis shows if not time: then a line's `time` holds that."""
    named: bool = False
    """Whether the texts of events stand beside their lines: a number of a phase alone says little."""

    @property
    def is_map(self) -> bool:
        """Whether both axes are lengths."""
        return self.across.endswith("[m]") and self.unit.endswith("[m]")

    @property
    def letters(self) -> int:
        """Room that title and legend need side by side; the stroke beside a label takes about six."""
        return len(self.title) + sum(len(line.label) + 6 for line in self.lines if line.label)


class Event(NamedTuple):
    """Something that happened at one moment [s]."""

    time: float
    text: str


Events = Sequence[Event]


def draw_head(figure: Any, title: str, caption: str) -> None:
    """What the sheet shows on top, where it comes from at the bottom."""
    figure.text(0.02, 0.965, title, size=14.0, weight="bold", va="center")
    figure.text(0.98, 0.018, caption, size=7.5, color="#777777", ha="right", va="center")


def draw_sheet(figure: Any, panels: Sequence[Panel], events: Events) -> None:
    """Panels under each other, in two columns when there are many, with one time axis."""
    columns = 1 if len(panels) <= 3 else 2
    rows = -(-len(panels) // columns)
    beside = any(panel.letters > LETTERS / columns for panel in panels)
    mixed = any(panel.across for panel in panels)
    grid = figure.subplots(rows, columns, sharex=not mixed, squeeze=False)
    figure.subplots_adjust(left=0.07, right=0.88 if beside else 0.98, wspace=0.55 if beside else 0.16)
    figure.subplots_adjust(top=0.87, bottom=0.11, hspace=0.55 if mixed else 0.4 if rows < 5 else 0.75)
    for i, ax in enumerate(grid.T.flat):
        if i >= len(panels):
            ax.set_axis_off()
            continue
        draw_panel(ax, panels[i], events, panels[i].named)
        draw_legend(ax, beside)
        if mixed or i % rows == rows - 1 or i == len(panels) - 1:
            ax.set_xlabel(panels[i].across or "time [s]")
            ax.tick_params(labelbottom=True)
    figure.align_ylabels()
    make_room(figure, grid)


def make_room(figure: Any, grid: Any) -> None:
    """Move the axes until numbers and units beside them lie on the sheet and beside, not upon, their neighbours."""
    figure.draw_without_rendering()
    width = float(figure.bbox.width)
    edges = [[ax.get_tightbbox() for ax in column if ax.axison] for column in grid.T]
    missing = 0.015 - min(box.x0 for box in edges[0]) / width
    if missing > 0.0:
        figure.subplots_adjust(left=figure.subplotpars.left + missing)
    if len(edges) > 1:
        overlap = (max(box.x1 for box in edges[0]) - min(box.x0 for box in edges[1])) / width + 0.01
        if overlap > 0.0:
            axis = float(grid[0, 0].get_position().width)
            figure.subplots_adjust(wspace=figure.subplotpars.wspace + overlap / axis)


def draw_shots(figure: Any, shots: Sequence[tuple[str, Any]]) -> None:
    """Pictures beside and under each other, each with its title."""
    columns = 1 if len(shots) == 1 else 3
    grid = figure.subplots(-(-len(shots) // columns), columns, squeeze=False)
    figure.subplots_adjust(left=0.02, right=0.98, top=0.89, bottom=0.05, wspace=0.03, hspace=0.12)
    for i, ax in enumerate(grid.flat):
        ax.set_axis_off()
        if i < len(shots):
            ax.set_title(shots[i][0], loc="left")
            ax.imshow(shots[i][1])


def draw_panel(ax: Any, panel: Panel, events: Events, named: bool = False) -> None:
    """Curves over time; events are marked, and `named` where there is room."""
    for line in panel.lines:
        style: dict[str, Any] = {"linestyle": DASHES, "linewidth": 1.0} if line.dashed else {}
        if panel.across and not panel.is_map:
            style = {"linestyle": "none", "marker": ".", "markersize": 2.5}  # states, in no order worth a line
        points = chosen(line.time, line.values) if panel.across else thin(line.time, line.values)
        ax.plot(*points, label=line.label, color=COLOURS[line.colour % len(COLOURS)], **style)
    if not panel.across:
        draw_events(ax, panel, events, named)
    ax.set_title(panel.title, loc="left")
    ax.set_ylabel(panel.unit)
    ax.margins(x=0.03 if panel.across else 0.0)
    if panel.is_map:
        ax.set_aspect("equal", adjustable="datalim")
        return
    low, high = ax.get_ylim()
    missing = SPANS.get(panel.unit, 0.001) - (high - low)
    if missing > 0.0:
        ax.set_ylim(low - missing / 2, high + missing / 2)


def draw_events(ax: Any, panel: Panel, events: Events, named: bool) -> None:
    """A thin line at each event, with its text if there is room."""
    times = [line.time for line in panel.lines if len(line.time)]
    span = max((float(time[-1]) for time in times), default=0.0) - min((float(time[0]) for time in times), default=0.0)
    last = -math.inf
    for event in sorted(events):
        ax.axvline(event.time, color=EVENT, linewidth=0.8, linestyle=":")
        if named and event.time - last >= APART * span:
            last, place = event.time, (event.time, 0.04)
            ax.annotate(event.text, place, (3, 0), ("data", "axes fraction"), "offset points", **EVENT_TEXT)


def draw_legend(ax: Any, beside: bool = False) -> None:
    """Above the axes or, if there is much to say, `beside` them: outside, where no data can be hidden."""
    if not ax.get_legend_handles_labels()[0]:
        return
    if beside:
        ax.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), borderaxespad=0.8, fontsize=7.5, labelspacing=0.3)
    else:
        ax.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=99)


def chosen(across: Floats, up: Floats) -> tuple[Floats, Floats]:
    """A curve in the plane by no more points than can be told apart."""
    step = -(-len(across) // POINTS)
    return across[:: max(1, step)], up[:: max(1, step)]


def thin(time: Floats, values: Floats) -> tuple[Floats, Floats]:
    """A curve with too many points for the sheet as its lowest and highest value per pixel: no peak is lost."""
    if len(time) <= 2 * POINTS:
        return time, values
    first = np.linspace(0, len(time), POINTS, endpoint=False).astype(int)
    extremes = np.fmin.reduceat(values, first), np.fmax.reduceat(values, first)
    return np.repeat(time[first], 2), np.stack(extremes, axis=1).ravel()
