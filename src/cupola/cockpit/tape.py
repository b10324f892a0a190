"""The recording of a flight: begun, ended and begun anew while the world goes on."""

import contextlib
from pathlib import Path

from cupola.cockpit import messages as say
from cupola.cockpit.link import Link
from cupola.record.stream import RecordingError
from cupola.record.world_recorder import WorldRecorder
from cupola.sim.world import World


class Tape:
    """At most one file at a time, in a folder."""

    def __init__(self, link: Link, folder: Path) -> None:
        self._link, self._folder = link, folder
        self._recorder: WorldRecorder | None = None

    @property
    def path(self) -> Path | None:
        """The file that is being written."""
        return self._recorder.path if self._recorder else None

    def record(self, world: World, on: bool) -> None:
        """Begin a file, or complete it."""
        if self._recorder and not on:
            tap, self._recorder = self._recorder, None
            tap.close()
            text = f"recorded {tap.path}: see it again with `cupola replay {tap.path}`"
            self._link.tell(say.Notice(level="info", text=text))
        elif on and not self._recorder:
            self._recorder = WorldRecorder(world, self._folder / f"{world.name}-1.mcap", numbered=True)

    def observe(self, world: World) -> None:
        """Write what is new; a file that cannot be written any further ends, and the flight goes on."""
        if not self._recorder:
            return
        try:
            self._recorder.observe(world)
        except RecordingError as error:
            tap, self._recorder = self._recorder, None
            with contextlib.suppress(RecordingError):
                tap.close()
            self._link.tell(say.Notice(level="error", text=f"the recording ended: {error}"))
