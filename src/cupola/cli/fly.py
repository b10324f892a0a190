"""`cupola fly` and `cupola replay`: the cockpit in the browser."""

import math
import os
import secrets
import sys
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, Self

from cupola.cli import piloting, stationing, target, viewing
from cupola.cli.drawing import check_file
from cupola.cli.flight import RunOptions, load_world, speed_of
from cupola.cli.hanging import HangWatch
from cupola.cli.screen import listen, say, waiting
from cupola.cockpit.built_page import find_page
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link, is_loopback
from cupola.cockpit.messages import Record
from cupola.cockpit.opening import flying, replaying
from cupola.cockpit.runner import Runner
from cupola.config.scenario import MODES, shipped_scenarios
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

UNATTENDED = 3.0
"""[s] of a run without a terminal."""


class Address(NamedTuple):
    """Address options of the page."""

    port: int | None
    host: str
    token: str | None
    browser: bool


def fly(options: RunOptions, address: Address, browses: bool = False, modes: str = "") -> None:
    """Fly a scenario on the page until Ctrl-C, or for a duration of simulated time.

    `browses`: the page begins with the gallery; `modes`: those that pages may choose, with commas between them.
    """
    listen()
    name, duration = options.name, options.duration
    factor, patience, may_fly = speed_of(options.speed or "1"), _patience(duration), _modes(modes)
    page = find_page()
    with ExitStack() as opened:
        guests = opened.enter_context(Guests(options))

        def load(wanted: str) -> World:
            # The page offers what was typed here, with its options, and what the gallery lists.
            typed = wanted == name
            return guests.see(load_world(options._replace(duration=None)) if typed else _world(target.find(wanted)))

        scenarios = shipped_scenarios()
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
                browses=browses,
                may_fly=may_fly,
                see=guests.see,
                started=name,
            )
            runner = opened.enter_context(flight)
        show = runner.show
        assert isinstance(show, Flight)  # whose world may become another one
        runner.between = guests.act
        if options.record:
            show.obey(Record(on=True))
        # What hangs is interrupted, and the page says where; what cannot be interrupted ends the program.
        with HangWatch(lambda: show.world, options.hang_limit, lambda reason: show.close()):
            _run(runner, f"flying {world.name}", address, duration or math.inf, patience)


class Guests:
    """Input device, ground station and viewers of a run on the page; created again for another world."""

    def __init__(self, options: RunOptions) -> None:
        self._options = options
        self._there = ExitStack()
        self._acts: list[Callable[[], None]] = []

    def see(self, world: World) -> World:
        """A world to run."""
        self._there.close()
        options, there = self._options, self._there
        hand = there.enter_context(piloting.hand_on(world, options.hands))
        station = there.enter_context(stationing.station_on(world, options.mavlink))
        there.enter_context(viewing.looking_on(world, options.viewers))
        self._acts = [hand, station]
        return world

    def act(self) -> None:
        """Between two ticks."""
        for act in self._acts:
            act()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._there.close()


def _modes(text: str) -> list[str]:
    """The modes of `--modes`."""
    asked = [word.strip() for word in text.split(",") if word.strip()]
    for word in asked:
        if word not in MODES:
            raise InputError(f"--modes: there is no mode {word!r}; there are: {', '.join(MODES)}")
    return asked


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
    """Whether a browser window can be opened for the user: not over SSH."""
    if "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or bool({"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys())
