"""Open a cockpit: a server process, and a runner that shows a world or a recording on its page."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cupola.cockpit.flight import Flight, Loader
from cupola.cockpit.flown import FlightData
from cupola.cockpit.link import Link, Nobody
from cupola.cockpit.replay import Replay
from cupola.cockpit.runner import Runner
from cupola.sim.world import World


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


def read_flight(path: Path) -> FlightData:
    """A recording as one flight, to be shared."""
    return Replay(path, Nobody()).flown()
