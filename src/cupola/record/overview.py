"""Overview of a run: the path in space beside curves over time."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cupola.record.draw import COLOURS, DASHES, POINTS, STYLE, Events, Floats, Panel, draw_legend, draw_panel

SMALLEST = 0.1
"""Extent of a path below which it counts as none [m]."""
LOW = 1.0
"""A vehicle that stays below this at one height is on the floor [m]."""
TIMED: dict[str, Any] = {"cmap": "viridis", "linewidth": 1.8}
START, END, SHADOW = "#009e73", "#d55e00", "#b8b8b8"


class Path(NamedTuple):
    """Places in the world (x east, y north, z up) [m] over time [s]."""

    label: str
    time: Floats
    x: Floats
    y: Floats
    z: Floats

    @property
    def is_flat(self) -> bool:
        """Whether height plays no part, as for a vehicle on the floor."""
        return bool(np.ptp(self.z) < SMALLEST and self.z.max() < LOW)

    def thinned(self) -> list[Floats]:
        """Time, x, y and z at no more places than can be told apart."""
        step = -(-len(self.time) // POINTS)
        return [values[::step] for values in self[1:]]

    def frame(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """West, east and south, north edges of a box around the path, with some air and not too narrow."""
        low, high = np.array([self.x.min(), self.y.min()]), np.array([self.x.max(), self.y.max()])
        longest = max(np.ptp(self.x), np.ptp(self.y), np.ptp(self.z))
        half = 0.55 * np.maximum(high - low, max(0.5 * longest, SMALLEST))
        (west, south), (east, north) = (low + high) / 2 - half, (low + high) / 2 + half
        return (west, east), (south, north)


class Wind(NamedTuple):
    """Mean wind vector, east and north [m/s]."""

    x: float
    y: float

    @property
    def speed(self) -> float:
        """[m/s]."""
        return float(np.hypot(self.x, self.y))

    def __str__(self) -> str:
        arrow = "→↗↑↖←↙↓↘"[round(np.arctan2(self.y, self.x) / (np.pi / 4)) % 8]
        return f", wind {self.speed:.1f} m/s {arrow}"


def draw_overview(
    figure: Any, paths: Sequence[Path], wind: Wind | None, panels: Sequence[Panel], events: Events
) -> None:
    """The path in space on the left, curves over time on the right."""
    edges = {"left": 0.075, "right": 0.98, "top": 0.87, "bottom": 0.11}
    grid = figure.add_gridspec(len(panels), 2, width_ratios=(1.0, 1.0), wspace=0.25, hspace=0.45, **edges)
    if paths[0].is_flat:
        draw_from_above(figure.add_subplot(grid[:, 0]), paths, wind)
    else:
        left = grid[:, 0].subgridspec(2, 1, height_ratios=(1.1, 1.0), hspace=0.42)
        draw_in_space(figure.add_subplot(left[0], projection="3d"), paths[0])
        draw_from_above(figure.add_subplot(left[1]), paths, wind)
    shared = None
    for i, panel in enumerate(panels):
        shared = figure.add_subplot(grid[i, 1], sharex=shared)
        draw_panel(shared, panel, events, named=i == 0)
        draw_legend(shared)
        shared.tick_params(labelbottom=i == len(panels) - 1)
    if shared is not None:
        shared.set_xlabel("time [s]")
    figure.align_ylabels()


def draw_from_above(ax: Any, paths: Sequence[Path], wind: Wind | None) -> None:
    """Paths seen from above, north up; the first is coloured by time."""
    from matplotlib.collections import LineCollection

    time, *points = paths[0].thinned()
    ends = np.stack(points[:2], axis=1)
    ax.add_collection(lines := LineCollection(list(np.stack([ends[:-1], ends[1:]], axis=1)), array=time[:-1], **TIMED))
    for i, path in enumerate(paths[1:], start=3):
        ax.plot(
            *path.thinned()[1:3], color=COLOURS[i % len(COLOURS)], linestyle=DASHES, linewidth=1.0, label=path.label
        )
    ax.plot(*ends[0], "o", color=START, label="start")
    ax.plot(*ends[-1], "s", color=END, label="end")
    (left, right), (low, high) = paths[0].frame()
    ax.update_datalim([(left, low), (right, high)])
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.0)
    ax.set_title(f"From above{wind or ''}", loc="left")
    ax.set(xlabel="x, east [m]", ylabel="y, north [m]")
    draw_legend(ax)
    bar = ax.figure.colorbar(lines, ax=ax, pad=0.02, aspect=30, fraction=0.04)
    bar.set_label("time [s]")
    bar.outline.set_visible(False)


def draw_in_space(ax: Any, path: Path) -> None:
    """Path with its shadow on the ground."""
    from mpl_toolkits.mplot3d.art3d import Line3DCollection

    time, x, y, z = path.thinned()
    points = np.stack([x, y, z], axis=1)
    floor = min(0.0, float(z.min()))
    ax.plot(x, y, np.full_like(z, floor), color=SHADOW, linewidth=1.0)
    ax.add_collection(Line3DCollection(list(np.stack([points[:-1], points[1:]], axis=1)), array=time[:-1], **TIMED))
    for end, marker, colour in ((points[0], "o", START), (points[-1], "s", END)):
        ax.plot([end[0]] * 2, [end[1]] * 2, [floor, end[2]], color=SHADOW, linewidth=0.8)
        ax.plot(*end[:, None], marker, color=colour)
    across, along = path.frame()
    up = (floor, max(float(z.max()), floor + 0.25 * max(np.ptp(across), np.ptp(along))))
    box = np.array([np.ptp(across), np.ptp(along), np.ptp(up)])
    ax.set(xlim=across, ylim=along, zlim=up)
    ax.set_box_aspect(box, zoom=min(1.5, 0.85 * np.linalg.norm(box) / box[2]))  # a tall box must not leave its place
    for axis, extent in zip("xyz", box, strict=True):
        ax.locator_params(axis, nbins=5 if extent > 0.5 * box.max() else 3)
    ax.view_init(elev=24, azim=-62)
    ax.set(xlabel="x, east [m]", ylabel="y, north [m]", zlabel="z, up [m]")
    for artist in (*ax.lines, *ax.collections):
        artist.set_clip_on(False)  # the box reaches beyond the axes' square
    ax.figure.text(0.075, 0.885, "Path", weight="bold", size=STYLE["axes.titlesize"])
