"""`cupola autopilot`: vehicles flown by real autopilots, and what to start on the other side."""

from typing import NamedTuple

from cupola.bridge.autopilot.airframe import Dialect
from cupola.bridge.autopilot.autopilot import Autopilot
from cupola.bridge.autopilot.fitting import first_channel, imus_of, with_sensors
from cupola.cli import flight, target, trusting
from cupola.cli.flight import RunOptions
from cupola.cli.screen import say, waiting
from cupola.config.resolved_vehicle import resolve_vehicles
from cupola.config.scenario import VehicleEntry
from cupola.config.vehicle import ControllerEntry
from cupola.control import CONTROLLERS
from cupola.schema.plugins import shipped_class
from cupola.schema.yaml_files import InputError
from cupola.sim.pace import Pace
from cupola.sim.world import World

AUTOPILOTS = tuple(name for name, home in CONTROLLERS.items() if home.startswith("cupola.bridge.autopilot."))
UNSEEN = 0.1
"""[s] between two writes of the recording when nobody looks on."""
PATIENT = 1e6
"""[s] longest real time of a tick."""


class Wanted(NamedTuple):
    """Further options of the command."""

    rate: float | None
    port: int | None
    dry: bool


def fly(name: str, options: RunOptions, wanted: Wanted, as_json: bool) -> None:
    """Print what to start, wait for it, run."""
    if name not in AUTOPILOTS:
        raise InputError(f"there is no autopilot {name!r}; there are: {', '.join(AUTOPILOTS)}")
    cls = shipped_class(CONTROLLERS[name], Autopilot)
    known = cls.dialect()
    if wanted.dry:
        _say_what_to_start(_load(name, known, options, wanted), dry=True)
        return
    # The autopilots have time-outs of their own.
    ready = options._replace(speed=options.speed or f"{known.speed}", hang_limit=PATIENT)

    def load(given: RunOptions) -> World:
        world = _load(name, known, given, wanted)
        _say_what_to_start(world)
        return world

    _say_how_it_went(flight.run(ready, as_json, load))


def _load(name: str, known: Dialect, options: RunOptions, wanted: Wanted) -> World:
    """The scenario, with the autopilot as the controller of every vehicle that it can fly."""
    found = target.find(options.name)
    trust = trusting.trust_in(found, options.trust)
    resolved = resolve_vehicles(found.scenario, found.folder, {}, found.file)
    rate = _rate(found.scenario.physics_hz, wanted.rate, known.rate_hz)
    first = known.port if wanted.port is None else wanted.port
    if first and not known.next_port and len(resolved) > 1:
        names = ", ".join(one.name for one in resolved)
        raise InputError(f"{found.name}: {name} flies one vehicle, since its ports are fixed; there are {names}")
    vehicles: list[VehicleEntry] = []
    ports: dict[str, float] = {}
    for k, (entry, one) in enumerate(zip(found.scenario.vehicles, resolved, strict=True)):
        port = first + k * known.next_port if first else 0
        given = ControllerEntry(use=name, rate_hz=rate, channel=first_channel(one), sticks=one.controller.sticks)
        ports[one.name] = float(port)
        numbers = {**entry.parts, **{imu: {**entry.parts.get(imu, {}), "rate_hz": rate} for imu in imus_of(one)}}
        vehicles.append(entry.model_copy(update={"controller": given, "mode": "mission", "parts": numbers}))
    asked = {"duration": options.duration, "seed": options.seed, "vehicles": tuple(vehicles)}
    scenario = found.scenario.model_copy(update={key: value for key, value in asked.items() if value is not None})
    with waiting(f"loading {found.name}"):
        world = World(
            scenario,
            found.folder,
            controllers=dict.fromkeys(ports, name),
            vehicles={one.name: with_sensors(one, known.sensors) for one in resolved} if known.sensors else None,
            name=found.name,
            source=found.file,
            trust=trust,
        )
    world.dump_folder = options.folder
    world.pace = _pace(known, options, rate)
    for vehicle, its_port in ports.items():
        world.tune(f"{vehicle}.port", its_port)
    for text in options.parameters:
        flight.tune(world, text)
    return world


def _rate(physics_hz: int, asked: float | None, liked: float) -> float:
    """[Hz]: as asked, else the highest up to what the autopilot likes that divides the physics."""
    if asked is not None:
        return asked
    return next(physics_hz / n for n in range(1, physics_hz + 1) if physics_hz % n == 0 and physics_hz / n <= liked)


def _pace(known: Dialect, options: RunOptions, rate: float) -> Pace:
    """When the world sleeps, and when it is recorded: that takes as long as some exchanges."""
    pace = Pace() if options.live else Pace(observe=UNSEEN)
    if known.speed == "max" or (speed := flight.speed_of(options.speed or f"{known.speed}")) is None:
        return pace
    # Its clock goes on while the world sleeps: after each exchange, never after many at once.
    return pace._replace(wait=1.0 / (rate * speed))


def autopilots_of(world: World) -> dict[str, Autopilot]:
    """Controllers by vehicle."""
    found = {instance.name: instance.runners["mission"].controller for instance in world.instances}
    return {name: one for name, one in found.items() if isinstance(one, Autopilot)}


def _say_what_to_start(world: World, dry: bool = False) -> None:
    """One line for each vehicle; unless `dry`, the port is open from then on."""
    for k, (vehicle, one) in enumerate(autopilots_of(world).items()):
        known, found = one.dialect(), one.match
        assert found
        port = int(one.port) if dry else one.open()
        words = known.start.format(
            program=found.airframe.program, home=_home(world, vehicle), instance=f"-I{k} " if k else "", port=port
        )
        say(
            f"{vehicle} is {found.name}; it waits for {one.peer} on {one.transport} port {port}: {words} "
            f"(told: {found.airframe.tell})"
        )


def _home(world: World, vehicle: str) -> str:
    """Latitude, longitude, height of the world's origin, and heading of the vehicle at the start [degrees]."""
    origin = world.scenario.origin
    start = next(one.resolved.start for one in world.instances if one.name == vehicle)
    heading = (90.0 - start.attitude_deg[2]) % 360.0
    return f"{origin.latitude_deg:.7f},{origin.longitude_deg:.7f},{world.scenario.air.altitude:g},{heading:g}"


def _say_how_it_went(world: World) -> None:
    """Print the world's own time per exchange."""
    flown = list(autopilots_of(world).values())
    more = sum(one.exchanges - 1 for one in flown)
    if more > 0:
        began, ended = min(one.began for one in flown), max(one.ended for one in flown)
        own, wall = ended.own - began.own, ended.wall - began.wall
        here, there = (f"{seconds / more * 1e6:.0f} µs" for seconds in (own, wall - own))
        say(f"{more + len(flown)} exchanges; each took {here} here, and {there} until the answer was there")
    for one in flown:
        one.close()
