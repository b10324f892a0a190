"""Where captures fail, over twice the declared envelope: `python -m cupola.reproduce.cepheus.capture_map` draws it.

What decides is where the arm meets the target: farther away, it has to stretch; turned the way it drifts, the wrist
comes to its stop.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.physics.space_arm import LISTING
from cupola.record.draw import save_picture
from cupola.reproduce.cepheus.capture import (
    AHEAD,
    ENVELOPE,
    START,
    TWICE,
    Capture,
    Envelope,
    capture,
    chance_meeting,
    lower_wilson,
)
from cupola.reproduce.cepheus.run import BEYOND, Meeting, reach_of
from cupola.reproduce.row import Row

MEETS = 8.0
"""[s] from the start to the grip, about, of those that are captured."""
RINGS = (0.0, 0.5, 1.0, 1.25, 1.5, 1.75, 2.0)
"""Shares of the envelope between which captures are counted."""
MAP = "cepheus_map.png"
FLOWN = 300
CAUGHT, MISSED = "tab:blue", "tab:red"


class Flight(NamedTuple):
    """How a target began, and how it went."""

    meeting: Meeting
    done: Capture


class Place(NamedTuple):
    """Of a target, seen from the hand at the start, less the mean place before it."""

    ahead: float
    """[m]."""
    left: float
    """[m]."""
    turn: float
    """[rad]."""
    drift_ahead: float
    """[m/s]."""
    drift_left: float
    """[m/s]."""
    spin: float
    """[rad/s]."""

    def later(self, time: float) -> tuple[float, float, float]:
        """Ahead, left and turn [m, rad] after a time [s]."""
        return self.ahead + time * self.drift_ahead, self.left + time * self.drift_left, self.turn + time * self.spin

    def share(self, most: Envelope = ENVELOPE) -> float:
        """Of an envelope: the largest of its four shares."""
        offset, drift = math.hypot(self.ahead, self.left), math.hypot(self.drift_ahead, self.drift_left)
        return max(offset / most.offset, abs(self.turn) / most.turn, drift / most.drift, abs(self.spin) / most.spin)


def place_of(meeting: Meeting) -> Place:
    """Where a target begins, in the axes of the hand."""
    assert meeting.grip is not None
    hand = reach_of(LISTING, START)
    c, s = math.cos(hand.yaw), math.sin(hand.yaw)
    x, y = meeting.grip.x - hand.x, meeting.grip.y - hand.y
    vx, vy = meeting.drift
    turn = meeting.grip.yaw - hand.yaw
    return Place(c * x + s * y - AHEAD, c * y - s * x, turn, c * vx + s * vy, c * vy - s * vx, meeting.spin)


def shares(flights: Sequence[Flight]) -> list[tuple[float, int, int]]:
    """Of each ring of the envelope its outer end, how many were captured, and how many there were."""
    found = []
    for low, high in pairwise(RINGS):
        some = [one.done.caught for one in flights if low < place_of(one.meeting).share() <= high]
        found.append((high, sum(some), len(some)))
    return found


def figure_of(flights: Sequence[Flight]) -> Any:
    """Four panels: where the arm would meet them, how they drift, how they turn; and the share by rings."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Circle

    figure, axes = plt.subplots(2, 2, figsize=(10.0, 9.0), layout="constrained")
    places = np.array([place_of(one.meeting) for one in flights])
    met = np.array([Place(*row).later(MEETS) for row in places.tolist()])
    caught = np.array([one.done.caught for one in flights])
    centi, degrees = 100.0, math.degrees(1.0)
    ahead, left, turned = centi * met[:, 0], centi * met[:, 1], degrees * met[:, 2]
    _points(axes[0, 0], caught, ahead, left, f"ahead after {MEETS:g} s [cm]", "to the left [cm]")
    _points(axes[0, 1], caught, turned, left, f"turned after {MEETS:g} s [°]", "to the left [cm]")
    drifts = centi * places[:, 3:5]
    _points(axes[1, 0], caught, drifts[:, 0], drifts[:, 1], "drift ahead [cm/s]", "drift to the left [cm/s]")
    axes[1, 0].add_patch(Circle((0.0, 0.0), centi * ENVELOPE.drift, fill=False, ls="--", color="0.3"))
    for ax in (axes[0, 0], axes[1, 0]):
        ax.set_aspect("equal", "datalim")
    _rings(axes[1, 1], flights)
    axes[0, 0].legend(fontsize=9)
    count = f"{int(caught.sum())} of {len(caught)} captured"
    figure.suptitle(f"Twice the declared envelope, real motors, all sensors with their noise: {count}")
    return figure


def _points(ax: Any, caught: Any, x: Any, y: Any, across: str, up: str) -> None:
    ax.plot(x[caught], y[caught], "o", ms=3.5, color=CAUGHT, alpha=0.7, label="captured")
    ax.plot(x[~caught], y[~caught], "x", ms=6, mew=1.8, color=MISSED, label="failed, and said so")
    ax.set(xlabel=across, ylabel=up)
    ax.axhline(0.0, color="0.8", lw=0.8, zorder=0)
    ax.axvline(0.0, color="0.8", lw=0.8, zorder=0)


def _rings(ax: Any, flights: Sequence[Flight]) -> None:
    for low, (high, caught, trials) in zip(RINGS, shares(flights), strict=False):
        if not trials:
            continue
        share, bound = caught / trials, lower_wilson(caught, trials)
        ax.bar(0.5 * (low + high), share, 0.9 * (high - low), color=CAUGHT, alpha=0.7)
        ax.plot([0.5 * (low + high)] * 2, [bound, 1.0 - lower_wilson(trials - caught, trials)], color="0.1", lw=1.2)
        ax.text(0.5 * (low + high), 0.03, f"{caught}/{trials}", ha="center", fontsize=8)
    ax.axvline(1.0, color="0.3", ls="--")
    ax.set(xlabel="largest share of the envelope (1: its border)", ylabel="captured, with 95 % interval")
    ax.set_ylim(0.0, 1.02)


def cell_of(meeting: Meeting) -> str:
    """Near or far, slow or fast: within the envelope, or beyond it."""
    place = place_of(meeting)
    near = math.hypot(place.ahead, place.left) <= ENVELOPE.offset
    slow = math.hypot(place.drift_ahead, place.drift_left) <= ENVELOPE.drift
    return f"{'near' if near else 'far'}_{'slow' if slow else 'fast'}"


def draw(flights: Sequence[Flight], file: Path) -> None:
    """Write the map to a file."""
    import matplotlib.pyplot as plt

    figure = figure_of(flights)
    save_picture(figure, file, dpi=70)
    plt.close(figure)


def fly_map(count: int = FLOWN) -> list[Flight]:
    """As many targets over twice the envelope."""
    meetings = [chance_meeting(seed, TWICE) for seed in range(count)]
    return [Flight(meeting, capture(meeting)) for meeting in meetings]


def rows(full: bool, folder: Path = Path("out")) -> Iterator[Row]:
    """The long study: twice the envelope in four parts; each failure must say why. Draws the map, too."""
    if not full:
        return
    flights = fly_map()
    draw(flights, folder / MAP)
    for name in (f"{off}_{fast}" for off in ("near", "far") for fast in ("slow", "fast")):
        some = [one.done for one in flights if cell_of(one.meeting) == name]
        caught, reasons = sum(one.caught for one in some), sorted({one.state for one in some if not one.caught})
        quantity = f"twice the envelope, {name.replace('_', ' and ')}: {caught} of {len(some)} captured"
        quantity += f"; the others: {', '.join(reasons)}" if reasons else ""
        stated = all(reason.startswith("failed") for reason in reasons)
        share = caught / len(some)
        yield Row(f"cepheus_twice_{name}", BEYOND, quantity, None, share, "1", "each failure is stated", stated)


def main(folder: Path = Path("out")) -> None:
    """Fly and draw."""
    draw(fly_map(), folder / MAP)
    print(folder / MAP)


if __name__ == "__main__":
    main()
