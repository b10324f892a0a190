"""Compares recordings: how much each signal differs from the first one's, and where two runs diverge."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cupola.record.draw import COLOURS, STYLE, save_picture
from cupola.record.field_units import units_of
from cupola.record.named_numbers import is_same_kind
from cupola.record.read import Recording
from cupola.record.stream import RecordingError
from cupola.schema.hostile_text import writable

Floats = NDArray[np.float64]
SKIPPED = ("stamp", "sec", "nanosec")
"""Last words of fields that are times."""
SHOWN = 6
"""Signals on the plot."""


class Series(NamedTuple):
    """One number of a recording over time [s]."""

    name: str
    unit: str
    time: Floats
    values: Floats


class Difference(NamedTuple):
    """Difference of a signal from that of the first recording, at the times of the first."""

    signal: str
    unit: str
    rms: float
    largest: float
    at: float
    """[s] of the largest."""
    share: float
    """The largest, relative to the range of the signal in the first recording."""


class Parting(NamedTuple):
    """The first moment at which two recordings hold different numbers."""

    time: float
    """[s]."""
    tick: int | None
    """None for a recording without its physics rate."""
    signals: list[str]


class Compared(NamedTuple):
    """A recording against the first."""

    path: Path
    differences: list[Difference]
    """Signals that differ, the largest relative difference first."""
    alike: int
    """Bit-identical signals."""
    only_here: list[str]
    only_there: list[str]
    """Topics that one of them lacks."""
    parting: Parting | None
    """None if they are equal for as long as both last."""
    common_end: float
    """[s] until which both last."""


def series_of(recording: Recording, topics: list[str]) -> dict[str, Series]:
    """Every number of some topics, by `vehicle.topic.field`."""
    found = {}
    for topic in topics:
        table = recording.named(topic)
        names = [
            n for n, v in table.items() if n != "time" and n.rpartition(".")[2] not in SKIPPED and v.dtype.kind != "U"
        ]
        units = units_of(recording, topic, names)
        before = topic.strip("/").replace("/", ".")
        for name in names:
            full = f"{before}.{name}"
            found[full] = Series(full, units.get(name, ""), table["time"], table[name].astype(np.float64))
    return found


def compare(recordings: list[Recording]) -> list[Compared]:
    """Each with the first."""
    if len(recordings) < 2:
        raise RecordingError(f"{recordings[0].path if recordings else 'nothing'}: it takes two recordings to compare")
    return [compare_two(recordings[0], other) for other in recordings[1:]]


def compare_two(first: Recording, other: Recording) -> Compared:
    """The second against the first."""
    both = [topic for topic, kind in first.topics.items() if is_same_kind(other.topics.get(topic, ""), kind)]
    both = [topic for topic in both if len(first.table(topic)["time"]) and len(other.table(topic)["time"])]
    if not both:
        raise RecordingError(f"{first.path} and {other.path} have no topic in common that holds messages")
    ours, theirs = series_of(first, both), series_of(other, both)
    names = [name for name in ours if name in theirs]
    found = [_differ(ours[name], theirs[name]) for name in names]
    differing = sorted((one for one in found if one is not None), key=lambda one: -one.share)
    here, there = set(first.topics), set(other.topics)
    end = min(max(float(s.time[-1]) for s in one.values()) for one in (ours, theirs))
    parting = _parting(first, [(ours[name], theirs[name]) for name in names])
    alike = len(names) - len(differing)
    return Compared(other.path, differing, alike, sorted(here - there), sorted(there - here), parting, end)


def _differ(a: Series, b: Series) -> Difference | None:
    """None for series that are equal wherever both have a value."""
    shared = (a.time >= b.time[0]) & (a.time <= b.time[-1])
    if not shared.any():
        return None
    time, values = a.time[shared], a.values[shared]
    if np.array_equal(time, b.time[: len(time)]):
        off = b.values[: len(time)] - values
        off[np.isnan(values) & np.isnan(b.values[: len(time)])] = 0.0
    else:
        off = np.interp(time, b.time, b.values) - values
    sizes = np.abs(off)
    if not np.any(np.nan_to_num(sizes, nan=1.0)):
        return None
    sizes = np.nan_to_num(sizes, nan=np.inf)  # a number against none is as far off as can be
    k = int(np.argmax(sizes))
    span = float(np.nanmax(values) - np.nanmin(values)) if np.isfinite(values).any() else 0.0
    rms = float(np.sqrt(np.mean(sizes**2)))
    return Difference(a.name, a.unit, rms, float(sizes[k]), float(time[k]), float(sizes[k]) / (span or float(sizes[k])))


def _parting(recording: Recording, pairs: list[tuple[Series, Series]]) -> Parting | None:
    """Bit for bit, message for message; recordings of another rate part where their times do."""
    earliest, signals = np.inf, list[str]()
    for a, b in pairs:
        count = min(len(a.time), len(b.time))
        same = (a.time[:count] == b.time[:count]) & (
            (a.values[:count] == b.values[:count]) | (np.isnan(a.values[:count]) & np.isnan(b.values[:count]))
        )
        if same.all():
            continue
        k = int(np.argmin(same))
        when = float(min(a.time[k], b.time[k]))
        if when < earliest:
            earliest, signals = when, []
        if when == earliest:
            signals.append(a.name)
    if not signals:
        return None
    rate = json.loads(recording.attachments.get("scenario.json", "{}")).get("physics_hz")
    return Parting(earliest, round(earliest * rate) if rate else None, signals)


def draw(recordings: list[Recording], compared: list[Compared], file: Path) -> None:
    """Plot the signals that differ most, of all recordings in one figure."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    ranked = dict.fromkeys(one.signal for two in compared for one in two.differences[:SHOWN])
    chosen = list(ranked)[:SHOWN] or [
        f"{v}.odometry.pose.pose.position.{a}" for v in _vehicles(recordings[0]) for a in "xyz"
    ]
    tables = [series_of(recording, _topics(recording, chosen)) for recording in recordings]
    chosen = [name for name in chosen if any(name in table for table in tables)]
    if not chosen:  # no vehicle, and nothing that differs
        tables = [series_of(recording, list(recording.topics)) for recording in recordings]
        chosen = [name for name in tables[0] if all(name in table for table in tables)][:SHOWN]
    if not chosen:
        paths = " and ".join(str(recording.path) for recording in recordings)
        raise RecordingError(f"{paths} have no signal in common")
    with mpl.rc_context(STYLE):
        figure: Any = Figure(figsize=(12.0, 1.2 + 2.0 * -(-len(chosen) // 2)), layout="constrained")
        grid = figure.subplots(-(-len(chosen) // 2), 2 if len(chosen) > 1 else 1, sharex=True, squeeze=False)
        for ax, name in zip(grid.flat, chosen, strict=False):
            for k, (recording, table) in enumerate(zip(recordings, tables, strict=True)):
                if name in table:
                    style = {"linestyle": (0, (4, 2))} if k else {}
                    label = writable(recording.path.name)
                    ax.plot(table[name].time, table[name].values, color=COLOURS[k % len(COLOURS)], label=label, **style)
                    ax.set_ylabel(f"[{table[name].unit}]" if table[name].unit else "")
            for two in compared:
                if two.parting:
                    ax.axvline(two.parting.time, color="#9a9a9a", linewidth=0.8, linestyle=":")
            ax.set_title(name, loc="left")
        for ax in grid.flat[len(chosen) :]:
            ax.set_axis_off()
        for ax in grid[-1]:
            ax.set_xlabel("time [s]")
        if chosen:
            grid.flat[0].legend()
        save_picture(figure, file)


def _vehicles(recording: Recording) -> list[str]:
    return [topic.split("/")[1] for topic in recording.topics if topic.endswith("/odometry") and topic.count("/") == 2]


def _topics(recording: Recording, names: list[str]) -> list[str]:
    """Topics to which signals of these names may belong."""
    dotted = {topic: topic.strip("/").replace("/", ".") for topic in recording.topics}
    return [topic for topic, head in dotted.items() if any(name.startswith(f"{head}.") for name in names)]
