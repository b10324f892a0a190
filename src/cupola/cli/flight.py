"""`cupola run`: run and record a world, print a summary."""

import contextlib
import json
import logging
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
import typer

from cupola.cli import drawing, piloting, stationing, target, trusting, viewing
from cupola.cli.figures import Summing
from cupola.cli.hanging import HangWatch
from cupola.cli.piloting import InputChoice
from cupola.cli.screen import bar, listen, say, show_json, stderr, waiting
from cupola.cli.stopping import INTERRUPTED, stop_if_asked
from cupola.cli.summary import show_summary
from cupola.record.world_recorder import WorldRecorder
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

NOTED = "cupola.teleop", "cupola.bridge"
"""Loggers whose warnings are recorded, too."""


class RunOptions(NamedTuple):
    """Options of the run."""

    name: str
    duration: float | None = None
    speed: str | None = None
    controllers: tuple[str, ...] = ()
    parameters: tuple[str, ...] = ()
    seed: int | None = None
    folder: Path = Path("out")
    record: bool = True
    plot: bool = False
    plain: bool = False
    paused: bool = False
    hands: InputChoice = InputChoice()
    route: str | None = None
    view: str | None = None
    trust: bool = False
    hang_limit: float = 60.0
    viewers: tuple[str, ...] = ()
    """Of `viewing.py`."""
    mavlink: str | None = None
    """Address of a ground station."""

    @property
    def live(self) -> bool:
        """Whether a viewer, a ground station or an input device is connected."""
        return bool(self.hands.live or self.viewers or self.mavlink)


class Flown(NamedTuple):
    """How it went."""

    wall: float
    """[s], without loading, compiling and drawing."""
    ticks: int
    """Simulated in that time [s]."""
    interrupted: str
    """Reason of an early end; empty if it finished."""


class Company(Protocol):
    """An external participant of a run, such as ROS nodes."""

    def act(self) -> None:
        """Between two ticks."""

    def is_paused(self) -> bool:
        """Whether simulated time is paused; polled until it is not."""


def run(
    options: RunOptions,
    as_json: bool,
    load: Callable[[RunOptions], World] | None = None,
    company: Company | None = None,
) -> World:
    """Fly, record, print; `load` makes the world otherwise than `load_world`. Returns the world that flew."""
    listen()
    if options.plot and not options.record:
        raise InputError("--plot draws the recording, and --no-record writes none: leave out one of them")
    speed = speed_of(options.speed or ("1" if options.live else "max"))
    # Whatever the user's own files print must not end up between the results.
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        world = (load or load_world)(options)
        if options.paused or world.scenario.start_paused:
            _wait(world.name)
        summing = Summing(world)
        world.observers.append(summing)
        tape = Tape(world, options.folder / f"{world.name}.mcap" if options.record else None)
        with (
            piloting.hand_on(world, options.hands) as hand,
            stationing.station_on(world, options.mavlink) as station,
            viewing.looking_on(world, options.viewers),
            tape,
            HangWatch(lambda: world, options.hang_limit, tape.close),
        ):
            flown = _fly(world, speed, lambda: (hand(), station()), company)
            tape.interrupted = _how_far(world, flown.interrupted)
        path = tape.path
        plots = drawing.draw(path, path.with_suffix("")) if options.plot and path else []
    results = _results(world, flown, summing, path, plots)
    show_json(results) if as_json else show_summary(results)
    if flown.interrupted:
        raise typer.Exit(INTERRUPTED)
    return world


def speed_of(text: str) -> float | None:
    """× real time; None for as fast as possible."""
    if text == "max":
        return None
    with contextlib.suppress(ValueError):
        if 0 < float(text) < math.inf:
            return float(text)
    raise InputError(f"--speed: expected max or a factor above 0 (1 is real time), got {text!r}")


def load_world(options: RunOptions) -> World:
    """The prepared run."""
    found = target.find(options.name)
    if options.route is not None:
        found = target.on_route(found, options.route, options.view)
    elif options.view is not None:
        raise InputError("--view: needs --route: it gives the axes of that file")
    # Who flies a vehicle alone stops it, too.
    alone = piloting.LONG_FLIGHT if options.hands.live and found.kind == "vehicle" else None
    asked = {"duration": alone if options.duration is None else options.duration, "seed": options.seed}
    scenario = found.scenario.model_copy(update={key: value for key, value in asked.items() if value is not None})
    tick = 1.0 / scenario.physics_hz
    if not tick <= scenario.duration < math.inf:
        raise InputError(f"--duration: expected at least one tick, {tick:g} s, got {scenario.duration:g}")
    controllers = _controllers(options.controllers, found)
    trust = trusting.trust_in(found, options.trust, controllers)
    scenario, parameters = target.resized(scenario, options.parameters, found)
    with waiting(f"loading {found.name}"):
        world = World(
            scenario,
            found.folder,
            controllers=controllers,
            compiled=not options.plain,
            name=found.name,
            source=found.file,
            trust=trust,
        )
    world.dump_folder = options.folder
    for text in parameters:
        tune(world, text)
    return world


def _controllers(given: tuple[str, ...], found: target.Target) -> dict[str, str]:
    """Controllers given on the command line, by vehicle."""
    vehicles = target.vehicle_names(found)
    chosen = {}
    for text in given:
        vehicle, equals, use = text.rpartition("=")
        if not equals and len(vehicles) > 1:
            raise InputError(
                f"--controller {text}: for which vehicle? Write {vehicles[0]}={text} (of {_all(vehicles)})"
            )
        if equals and vehicle not in vehicles:
            raise InputError(f"--controller {text}: there is no vehicle {vehicle!r}; there is {_all(vehicles)}")
        chosen[vehicle or vehicles[0]] = use
    return chosen


def _all(names: list[str]) -> str:
    return ", ".join(names)


def tune(world: World, text: str) -> None:
    """Set `name=value`; the vehicle's name may be left out where there is one vehicle."""
    name, _, value = text.partition("=")
    number = number_in(text, value)
    if "." not in name and len(world.instances) == 1:
        name = f"{world.instances[0].name}.{name}"
    try:
        world.tune(name, number)
    except InputError as error:
        raise InputError(f"--param {text}: {error}") from None


def number_in(text: str, value: str) -> Any:
    """The number, or the array in brackets, of `--param NAME=VALUE`."""
    try:
        found = json.loads(value) if value.startswith("[") else float(value)
        np.asarray(found, float)
    except (ValueError, TypeError):
        raise InputError(
            f"--param {text}: expected NAME=VALUE with a number, or an array as [[1, 2], [3, 4]]"
        ) from None
    return found


def _wait(name: str) -> None:
    if not sys.stdin.isatty():
        say("no terminal to press Enter: starting at once")
        return
    stderr().print(f"{name} is paused: press Enter to start ", end="")
    with contextlib.suppress(EOFError):
        input()


class Tape:
    """The recording of a flight, if there is one; whatever happens, the file is completed and says what happened."""

    def __init__(self, world: World, path: Path | None) -> None:
        self._recorder = WorldRecorder(world, path, numbered=True) if path else None
        self.interrupted = ""
        """Reason why the run did not finish."""
        if self._recorder:
            world.observers.append(self._recorder)
            self._notes = _Notes(self._recorder)

    @property
    def path(self) -> Path | None:
        """Where it lies; None without a recording, or on a disk that was full from the start."""
        return self._recorder.path if self._recorder and self._recorder.path.exists() else None

    def __enter__(self) -> Self:
        for source in NOTED if self._recorder else ():
            logging.getLogger(source).addHandler(self._notes)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        for source in NOTED if self._recorder else ():
            logging.getLogger(source).removeHandler(self._notes)
        if error is None:
            self.close(self.interrupted)
            return
        if self.path:
            error.add_note(f"recorded until then: {self.path}")
        with contextlib.suppress(Exception):  # the first error is the one to see
            self.close(str(error) or type(error).__name__)

    def close(self, interrupted: str) -> None:
        """Complete the file, once."""
        if self._recorder:
            self._recorder.close(interrupted)


class _Notes(logging.Handler):
    """Warnings during a flight, as that of a joystick that is gone, belong into its recording."""

    def __init__(self, recorder: WorldRecorder) -> None:
        super().__init__(logging.WARNING)
        self._recorder = recorder

    def emit(self, record: logging.LogRecord) -> None:
        """Record one."""
        self._recorder.note(record.getMessage())


def _fly(world: World, speed: float | None, hand: Callable[[], Any], company: Company | None) -> Flown:
    """Run the scenario. The first tick compiles what is not in the cache yet, so the clock starts after it."""
    total = world.scenario.duration
    pace = "as fast as possible" if speed is None else f"at {speed:g} × real time"
    if not stderr().is_terminal:
        say(f"flying {world.name}: {total:g} s {pace}")
    interrupted = ""
    began = time.perf_counter()
    with bar(world.name, total) as progress:

        def follow(now: float) -> None:
            stop_if_asked()
            progress(now)
            hand()
            if company:
                company.act()

        try:
            hand()
            if company:
                company.act()
            world.run(world.dt)
            began = time.perf_counter()
            paused = company.is_paused if company else None
            world.run(total - world.dt, speed=speed, progress=follow, paused=paused)
        except KeyboardInterrupt as error:
            interrupted = str(error) or "KeyboardInterrupt"
    wall = time.perf_counter() - began
    if interrupted:
        say(_how_far(world, interrupted))
    elif not stderr().is_terminal:
        say(f"flew {world.time:g} s in {wall:.3g} s")
    return Flown(wall, max(0, world.tick - 1), interrupted)


def _how_far(world: World, interrupted: str) -> str:
    """Where a run was stopped; empty if it finished."""
    return f"stopped at {world.time:g} s of {world.scenario.duration:g} s: {interrupted}" if interrupted else ""


def _results(world: World, flown: Flown, summing: Summing, path: Path | None, plots: list[Path]) -> dict[str, Any]:
    """SI units; the names say what they are."""
    simulated = flown.ticks * world.dt
    return {
        "scenario": world.name,
        "seed": world.scenario.seed,
        "interrupted": bool(flown.interrupted),
        "simulated_time": world.time,
        "ticks": world.tick,
        "wall_time": flown.wall,
        "real_time_factor": simulated / flown.wall,
        "steps_per_second": flown.ticks / flown.wall,
        "vehicles": {instance.name: summing.of(i)._asdict() for i, instance in enumerate(world.instances)},
        "measures": {
            name: {**measure._asdict(), "published": world.scenario.published.get(name)}
            for name, measure in world.measures().items()
        },
        "recording": {"file": str(path), "bytes": path.stat().st_size} if path else None,
        "plots": [str(plot) for plot in plots],
    }
