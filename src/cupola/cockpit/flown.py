"""A flight as bytes: the message `Flown`, the moments, the curves; for shared files and for comparing."""

import gzip
import struct
from typing import Any, NamedTuple

import numpy as np

from cupola.cockpit import messages as say
from cupola.cockpit.moments import Moments
from cupola.cockpit.timeline import Curves, Timeline

Array = np.ndarray[Any, Any]
POINTS = 4000
"""Of each curve: the least and the greatest value of 2000 stretches of time."""
ALIGNED = 8
LEVEL = 7
"""Of compression: more takes longer and saves nothing."""


NOTHING = say.RunEvents(events=[])


class FlightData(NamedTuple):
    """All that is known of a flight that is over."""

    hello: say.Hello
    scene: say.Scene
    told: list[say.Told]
    moments: list[tuple[say.MomentTable, Array, Array]]
    """Each with its times [s] and rows."""
    curves: Curves
    measures: tuple[say.MeasureInfo, ...] = ()
    events: say.RunEvents = NOTHING

    @property
    def note(self) -> str:
        """What was thinned or left out."""
        said = [_about_moments(table, times) for table, times, _ in self.moments if table.straight]
        said.append(_about_curves(self.curves))
        said.append("Numbers have 7 digits. Pictures of cameras and forces of contacts are not in it.")
        return " ".join([*said, *([self.hello.note] if self.hello.note else [])])

    def packed(self, view: str = "") -> bytes:
        """Compressed, to be begun at an address `view` of the page."""
        head = say.Flown(
            hello=self.hello,
            scene=self.scene,
            told=self.told,
            tables=[table for table, _, _ in self.moments],
            curve_rows=len(self.curves.times),
            curves_whole=self.curves.whole,
            note=self.note,
            view=view,
            measures=list(self.measures),
            happened=self.events,
        )
        text = head.model_dump_json().encode()
        text += b" " * (-(len(text) + 4) % ALIGNED)
        parts = [struct.pack("<I", len(text)), text]
        for times, rows in (*(found[1:] for found in self.moments), (self.curves.times, self.curves.values)):
            parts += [times.astype("<f8").tobytes(), _columns(rows)]
        return gzip.compress(b"".join(parts), LEVEL, mtime=0)


def gather(
    hello: say.Hello, scene: say.Scene, told: list[say.Told], moments: list[Moments], timeline: Timeline
) -> FlightData:
    """A flight from its beginning to its end, as one that is played back."""
    tables = []
    for one in moments:
        times, rows = one.table()
        if rows.size:
            straight = one.sections != ["lasers"]
            tables.append((_table(one, rows, straight), times, rows))
    curves = timeline.between(list(range(len(hello.signals))), -np.inf, np.inf, POINTS)
    spans = [times for _, times, _ in tables[:1]] + ([curves.times] if len(curves.times) else [])
    first, last = min((float(t[0]) for t in spans), default=0.0), max((float(t[-1]) for t in spans), default=0.0)
    shown = {"replay": (first, last), "parameters": [], "faults": [], "scenarios": [], "snapshots": 0}
    return FlightData(hello.model_copy(update=shown), scene, told, tables, curves)


def _table(one: Moments, rows: Array, straight: bool) -> say.MomentTable:
    return say.MomentTable(sections=one.sections, rows=len(rows), width=rows.shape[1], straight=straight)


def _columns(rows: Array) -> bytes:
    """Column after column as float32, padded; bytes of the same weight stand together, which compresses better."""
    planes = np.ascontiguousarray(rows.T, "<f4").view(np.uint8).reshape(-1, 4).T.tobytes()
    return planes + bytes(-len(planes) % ALIGNED)


def _about_moments(table: say.MomentTable, times: Array) -> str:
    what = "Bodies are" if "bodies" in table.sections else "Forces, goals and wind are"
    if len(times) < 2:
        return f"{what} drawn from one moment."
    every = (times[-1] - times[0]) / (len(times) - 1)
    return f"{what} drawn from {len(times)} moments, one every {every:.3g} s, with straight lines between them."


def _about_curves(curves: Curves) -> str:
    if curves.whole:
        return f"Curves have every one of {len(curves.times)} rows."
    span = (curves.times[-1] - curves.times[0]) / max(1, len(curves.times) // 2)
    return f"Curves have {len(curves.times)} points: the least and the greatest value of each {span:.3g} s."
