"""`cupola fly` and `cupola replay`: the cockpit in the browser."""

import math
import os
import secrets
import sys
import webbrowser
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from cupola.cli import target
from cupola.cli.drawing import check_file
from cupola.cli.flight import RunOptions, load_world, speed_of
from cupola.cli.hanging import HangWatch
from cupola.cli.screen import listen, say, waiting
from cupola.cockpit.built_page import find_page
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link, is_loopback
from cupola.cockpit.opening import flying, replaying
from cupola.cockpit.runner import Runner
from cupola.config.scenario import shipped_scenarios
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

UNATTENDED = 3.0
"""[s] of a run without a terminal."""


class Address(NamedTuple):
    """Where the page is to be found."""

    port: int | None
    host: str
    token: str | None
    browser: bool


def fly(options: RunOptions, address: Address) -> None:
    """Fly a scenario on the page until Ctrl-C, or for a duration of simulated time."""
    listen()
    name, duration = options.name, options.duration
    factor, patience = speed_of(options.speed or "1"), _patience(duration)
    page = find_page()

    def load(wanted: str) -> World:
        # The page offers what was typed here, with its options, and what ships.
        return load_world(options._replace(duration=None)) if wanted == name else _world(target.find(wanted))

    scenarios = shipped_scenarios()
    with ExitStack() as opened:
        with waiting(f"loading {name}"):
            world = load(name)
            flight = flying(
                world,
                _open(page, address),
                load=load,
                scenarios=scenarios if name in scenarios else [name, *scenarios],
                folder=options.folder,
                speed=factor,
                paused=options.paused or world.scenario.start_paused,
            )
            runner = opened.enter_context(flight)
        show = runner.show
        assert isinstance(show, Flight)  # whose world may become another one
        # What hangs is interrupted, and the page says where; what cannot be interrupted ends the program.
        with HangWatch(lambda: show.world, options.hang_limit, lambda reason: show.close()):
            _run(runner, f"flying {world.name}", address, duration or math.inf, patience)


def replay(file: Path, address: Address, speed: str, duration: float | None) -> None:
    """Show a recording on the page until Ctrl-C."""
    listen()
    factor, patience = speed_of(speed), _patience(duration)
    check_file(file)
    page = find_page()
    with ExitStack() as opened:
        with waiting(f"reading {file.name}"):
            runner = opened.enter_context(replaying(file, _open(page, address), speed=factor))
        _run(runner, f"showing {file}", address, math.inf, duration or patience)


def _patience(duration: float | None) -> float:
    """[s] of real time after which it ends by itself."""
    if duration is not None and not duration > 0.0:
        raise InputError(f"--duration: expected more than 0 s, got {duration:g}")
    return math.inf if duration or sys.stdout.isatty() else UNATTENDED


def _world(found: target.Target) -> World:
    return World(found.scenario, found.folder, name=found.name, source=found.file, trust=Trust())


def _open(page: Path, address: Address) -> Link:
    if address.port is not None and not 0 <= address.port < 65536:
        raise InputError(f"--port: expected a number from 0 to 65535, got {address.port}")
    token = address.token or (None if is_loopback(address.host) else secrets.token_urlsafe(16))
    return Link(page, address.host, address.port, token)


def _run(runner: Runner, what: str, address: Address, duration: float, patience: float) -> None:
    say(f"{what}: open {runner.link.url} (Ctrl-C ends)")
    if address.browser and sys.stdout.isatty() and _has_browser():
        webbrowser.open(runner.link.url)
    try:
        runner.run(duration, patience)
        if not runner.link.is_open:
            raise RuntimeError("the server of the page has ended")
    except KeyboardInterrupt:
        say("ended")


def _has_browser() -> bool:
    """Whether a window can be opened where the user sees it: not at the far end of an SSH connection."""
    if "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
