"""`--mavlink`: a ground station monitors and commands."""

import contextlib
from collections.abc import Callable, Iterator

from cupola.cli.screen import say
from cupola.sim.world import World


@contextlib.contextmanager
def station_on(world: World, where: str | None) -> Iterator[Callable[[], None]]:
    """Yields a function that exchanges messages with the station at `where`, if given."""
    if where is None:
        yield lambda: None
        return
    from cupola.bridge.mavlink.station import Station, address_of

    host, port = address_of(where)
    station = Station(world, (host, port))
    say(f"MAVLink to {host}:{port} over UDP: a ground station that listens there sees {', '.join(_names(world))}")
    try:
        yield station.exchange
    finally:
        station.close()


def _names(world: World) -> list[str]:
    return [f"{one.name} (system {k})" for k, one in enumerate(world.instances, 1)]
