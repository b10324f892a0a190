"""HTML representation of a recording for notebooks."""

from typing import TYPE_CHECKING

from cupola.schema.hostile_text import writable
from cupola.schema.html_table import html_table

if TYPE_CHECKING:
    from cupola.record.read import Recording


def recording_html(recording: "Recording") -> str:
    """One row per topic: its type, how many messages it has and from when to when."""
    rows = []
    for topic, kind in recording.topics.items():
        time = recording.table(topic)["time"]
        span = f"{time[0]:g} to {time[-1]:g}" if len(time) else ""
        rows.append((topic, kind, len(time), span))
    told = [f"{key} {recording.metadata[key]}" for key in ("scenario", "seed", "cupola") if key in recording.metadata]
    cut = [] if recording.is_complete else ["cut off: it was not closed"]
    said = ", ".join([writable(recording.path.name), *told, *cut])
    return html_table(said, ("topic", "messages of type", "count", "time [s]"), rows)
