"""Draw a recording: at most seven sheets per vehicle and one per camera."""

import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cupola.record import sheets
from cupola.record.curves import curves_figure, parse
from cupola.record.draw import (
    SIZE,
    STYLE,
    Event,
    draw_head,
    draw_sheet,
    draw_shots,
    letters_without_glyphs,
    save_picture,
)
from cupola.record.family_sheets import FAMILIES
from cupola.record.overview import draw_overview
from cupola.record.read import Recording
from cupola.record.stream import RecordingError
from cupola.schema.hostile_text import file_name, writable
from cupola.schema.input_files import boundary
from cupola.schema.validation_messages import short
from cupola.schema.whole_files import Written

if TYPE_CHECKING:
    from cupola.record.shown_figure import ShownFigure

log: logging.Logger = logging.getLogger(__name__)
SHOTS = 6
"""Pictures of a camera on its sheet."""


def plot(path: str | Path, folder: str | Path, show: bool = False) -> list[Path]:
    """Draw the recording `path` as PNG files in `folder`, "quadcopter.overview.png"; `show` opens windows as well."""
    recording = Recording(path)
    with boundary(path, "cannot be drawn", RecordingError):
        return _draw(recording, folder, show)


def _draw(recording: Recording, folder: str | Path, show: bool) -> list[Path]:
    import matplotlib as mpl

    Path(folder).mkdir(parents=True, exist_ok=True)
    written = Written()
    with mpl.rc_context(STYLE), letters_without_glyphs():
        for name, figure in figures(recording, _new_figure(show)):
            target = Path(folder) / f"{file_name(name)}.png"
            if target in written:
                raise RecordingError(f"{recording.path}: {short(name)} and another sheet would both become {target}")
            save_picture(figure, target)
            written.append(target)
        if show:
            import matplotlib.pyplot as plt

            plt.show()
    return written


def figures(recording: Recording, new_figure: Callable[[], Any]) -> Iterator[tuple[str, Any]]:
    """Name and figure of every sheet that has something on it."""
    for name in sheets.names(recording):
        vehicle, events = sheets.Vehicle(recording, name), events_of(recording, name)
        if paths := sheets.paths(vehicle):
            figure = new_figure()
            draw_head(figure, name, caption(recording))
            draw_overview(figure, paths, sheets.mean_wind(vehicle), sheets.overview(vehicle, paths[0]), events)
            yield f"{name}.overview", figure
        for title, make in {**sheets.SHEETS, **FAMILIES}.items():
            panels = [panel for panel in make(vehicle) if panel.lines]
            if panels:
                figure = new_figure()
                draw_head(figure, f"{name}: {title}", caption(recording))
                draw_sheet(figure, panels, events)
                yield f"{name}.{title.replace(' ', '_')}", figure
        for topic in sheets.picture_topics(recording, name):
            if shots := recording.pictures(topic, SHOTS):
                figure, label = new_figure(), topic.removeprefix(f"/{name}/")
                draw_head(figure, f"{name}: {label}", caption(recording))
                draw_shots(figure, [(f"{shot.time:.3f} s", shot.pixels) for shot in shots])
                yield f"{name}.{label.replace('/', '.')}", figure


def figure_of(recording: Recording, sheet: str, vehicle: str | None) -> "ShownFigure":
    """One sheet of a vehicle, or a curve `TOPIC:X:Y`, as a figure."""
    import matplotlib as mpl

    made: ShownFigure
    if ":" in sheet:
        made = curves_figure(recording, [parse(sheet)])
        return made
    names = sheets.names(recording)
    if vehicle is not None and vehicle not in names:
        raise RecordingError(f"{recording.path} has no vehicle {vehicle!r}; it has: {', '.join(names) or 'none'}")
    wanted = f"{vehicle or (names[0] if names else '')}.{sheet.replace(' ', '_')}"
    found = []
    with boundary(recording.path, "cannot be drawn", RecordingError), mpl.rc_context(STYLE):
        for name, made in figures(recording, _new_figure(False)):
            if name == wanted:
                return made
            found.append(name)
    own = f"{wanted.partition('.')[0]}."
    listed = ", ".join(name.removeprefix(own) for name in found if name.startswith(own))
    raise RecordingError(f"there is no sheet {sheet!r}; there are: {listed or 'none'}, or TOPIC:X:Y")


def events_of(recording: Recording, vehicle: str) -> list[Event]:
    """What is marked on the sheets of a vehicle: tuned numbers, its phases, and what happened to it."""
    found = [Event(p.time, f"{p.name} = {p.value:g}") for p in recording.parameters]
    found += [Event(note.time, note.text) for note in recording.phases(vehicle)]
    for one in recording.events:
        if one.vehicle == vehicle:
            found.append(Event(one.time, " ".join(word for word in (one.part, one.event) if word)))
    return sorted(event for event in found if event.time > 0)


def caption(recording: Recording) -> str:
    """Source line of the sheet."""
    known = [f"{key} {recording.metadata[key]}" for key in ("scenario", "seed", "cupola") if key in recording.metadata]
    cut = [] if recording.is_complete else ["recording cut off"]
    return "   ·   ".join([writable(recording.path.name), *known, *cut])


def _new_figure(show: bool) -> Callable[[], Any]:
    """Figures for files only need no window system; those to show belong to pyplot."""
    if not show:
        from cupola.record.shown_figure import ShownFigure

        return lambda: ShownFigure(figsize=SIZE)
    import matplotlib.pyplot as plt

    if plt.get_backend().lower() == "agg":
        log.warning("matplotlib finds no display to show windows on; the PNG files are written all the same")
    return lambda: plt.figure(figsize=SIZE)
