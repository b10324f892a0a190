"""`cupola serve`: a controller in its own process, for worlds that use `remote`."""

import contextlib
from pathlib import Path
from typing import Any

from cupola.bridge.lockstep.protocol import PeerError, listen
from cupola.bridge.lockstep.remote import Host
from cupola.build.controller_runner import make_controller
from cupola.cli.flight import number_in
from cupola.cli.screen import say
from cupola.config.vehicle import ControllerEntry
from cupola.schema.trust import Trust, file_of


def serve(name: str, port: int, parameters: tuple[str, ...], once: bool) -> None:
    """Fly for one world after another, until Ctrl-C."""
    entry = ControllerEntry(use=name, parameters=dict(_number(text) for text in parameters))
    trust = Trust(named=[file_of(name, Path())])
    host = Host(make_controller(entry, Path(), "controller", trust))
    with listen(port) as listener, contextlib.suppress(KeyboardInterrupt):
        here = listener.getsockname()[1]
        say(f"{name} listens on port {here}: cupola run VEHICLE --controller remote --param port={here}")
        while True:
            try:
                host.serve(listener)
                say("a run is over")
            except PeerError as error:
                say(str(error))
                continue
            if once:
                return


def _number(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    return name, number_in(text, value)
