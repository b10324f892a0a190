"""Open a cockpit: a server process, and a runner that shows a world or a recording on its page."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cupola.cockpit import messages as say
from cupola.cockpit.editing import Editing, schema_text
from cupola.cockpit.flight import Flight, Loader
from cupola.cockpit.flown import FlightData
from cupola.cockpit.gallery import RECORDING, gallery
from cupola.cockpit.link import Link, Nobody
from cupola.cockpit.replay import Replay
from cupola.cockpit.runner import Runner, Session
from cupola.cockpit.saved_code import SavedCode
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World


def _as_it_is(world: World) -> World:
    return world


@contextmanager
def flying(
    world: World,
    link: Link,
    *,
    load: Loader,
    scenarios: list[str],
    folder: Path = Path("out"),
    speed: float | None = 1.0,
    paused: bool = False,
    browses: bool = False,
    may_fly: Sequence[str] = (),
    see: Callable[[World], World] = _as_it_is,
    started: str = "",
) -> Iterator[Runner]:
    """A world on the page; at the end its recording is complete and the server gone.

    `paused`: each world waits for a Go. `browses`: a page begins with the gallery. `may_fly`: modes pages may choose.
    `see` is shown each world that was edited before it flies. `started`: what `load` loads as this world.
    """
    try:
        flight = Flight(world, link, folder, scenarios, load, may_fly=may_fly, gallery=browses)
        try:
            yield Runner(flight, link, speed=speed, paused=paused, shelf=Worlds(flight, link, see, started))
        finally:
            flight.close()
    finally:
        link.close()


class Worlds:
    """What the pages of a flight may load: scenarios, vehicles and recordings of the gallery, and nothing else."""

    def __init__(
        self, flight: Flight, link: Link, see: Callable[[World], World] = _as_it_is, started: str = ""
    ) -> None:
        self._flight, self._link = flight, link
        self._here = Path()
        self._editing = Editing(flight, link, see)
        self._code = SavedCode(flight)
        self._loaded = started

    def tell(self, asked: say.Browse) -> None:
        """Answer with all of it; reading it takes a moment, in which the world goes on."""

        def find() -> None:
            self._link.answer(asked.number, self._gallery().model_dump_json().encode())

        threading.Thread(target=find, daemon=True).start()

    def open(self, name: str) -> Session:
        """Fly a world, or show a recording."""
        flight = self._flight
        known = name in flight.scenarios or name in {entry.name for entry in self._gallery().entries}
        if not known:
            raise InputError(f"there is no scenario, vehicle or recording {name!r} to load; see the gallery")
        if Path(name).suffix == RECORDING:
            shown = Replay(Path(name), self._link)
            flight.leave()
            return shown
        flight.fly_another(name)
        self._loaded = name
        return flight

    def edit(self, asked: say.OpenText | say.CheckText | say.FlyText | say.SaveText) -> Session | None:
        """Do what a page asks of the texts; what is shown from here on, if it is another world."""
        match asked:
            case say.OpenText():
                self._editing.open(asked)
            case say.CheckText():
                self._editing.check(asked)
            case say.SaveText():
                self._editing.save(asked)
            case say.FlyText() if self._editing.fly(asked):
                self._code.begin()
                return self._flight
        return None

    def look(self) -> Session | None:
        """The world anew when code that it runs was saved; one that was edited on the page flies as it is there."""
        saved = self._code.saved()
        if saved is None or not self._loaded:
            return None
        self._link.tell(say.Notice(level="info", text=f"{saved} was saved: starting over with it"))
        try:
            if not self._editing.fly_again():
                self._flight.fly_another(self._loaded)
        except InputError as error:
            raise InputError(f"{error}. The world flies on without it; save the file again when it is mended") from None
        self._code.begin()
        return self._flight

    def describe(self, asked: say.Schema) -> None:
        """Answer with the schema of a kind of file; making it takes a moment, in which the world goes on."""

        def make() -> None:
            self._link.answer(asked.number, schema_text(asked.of).encode())

        threading.Thread(target=make, daemon=True).start()

    def _gallery(self) -> say.Gallery:
        return gallery(self._here, self._flight.folder, *self._flight.scenarios[:1])


@contextmanager
def replaying(path: Path, link: Link, *, speed: float | None = 1.0) -> Iterator[Runner]:
    """A recording on the page."""
    try:
        yield Runner(Replay(path, link), link, speed=speed)
    finally:
        link.close()


def read_flight(path: Path) -> FlightData:
    """A recording as one flight, to be shared or compared."""
    return Replay(path, Nobody()).flown()
