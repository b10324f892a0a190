"""Open a cockpit: a server process, and a runner that shows a world or a recording on its page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cupola.cockpit.flight import Flight, Loader
from cupola.cockpit.link import Link
from cupola.cockpit.replay import Replay
from cupola.cockpit.runner import Runner
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

PAGE = Path(__file__).parent / "page"


def find_page() -> Path:
    """The folder with the built page."""
    if not (PAGE / "index.html").is_file():
        raise InputError(
            "the page of the cockpit is not built: `make web` builds it in a checkout; `cupola run` flies without it"
        )
    return PAGE


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
) -> Iterator[Runner]:
    """A world on the page; at the end its recording is complete and the server gone."""
    try:
        flight = Flight(world, link, folder, scenarios, load)
        try:
            yield Runner(flight, link, speed=speed, paused=paused)
        finally:
            flight.close()
    finally:
        link.close()


@contextmanager
def replaying(path: Path, link: Link, *, speed: float | None = 1.0) -> Iterator[Runner]:
    """A recording on the page."""
    try:
        yield Runner(Replay(path, link), link, speed=speed)
    finally:
        link.close()
