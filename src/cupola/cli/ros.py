"""`cupola ros1` and `cupola ros2`: a scenario as a node of ROS, whose vehicles other nodes fly."""

import logging
from pathlib import Path
from typing import Literal, NamedTuple

from cupola.bridge.autopilot.fitting import first_channel
from cupola.bridge.ros.commander import Commander
from cupola.bridge.ros.dialects import dialect
from cupola.bridge.ros.exchange import Exchange, Times
from cupola.bridge.ros.graph import Graph, Link
from cupola.cli import flight, target, trusting
from cupola.cli.flight import RunOptions
from cupola.cli.screen import say, waiting
from cupola.config.resolved_vehicle import resolve_vehicles
from cupola.config.scenario import VehicleEntry
from cupola.config.vehicle import ControllerEntry
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

log = logging.getLogger("cupola.bridge")
PATIENT = 1e6
"""[s] in which a tick must come: the exchange has time-outs of its own."""


class Wanted(NamedTuple):
    """Further options of the command."""

    names: str
    commands: Literal["lockstep", "free", "own"]
    rate: float | None
    timeout: float
    patience: float


def fly_ros1(options: RunOptions, wanted: Wanted, node: str, remappings: tuple[str, ...], as_json: bool) -> None:
    """Over rospy."""
    from cupola.bridge.ros1.node import Ros1

    _check(remappings)
    fly(options, wanted, Ros1(node, remappings, wanted.timeout), as_json)


class Way(NamedTuple):
    """Transport options of ROS 2."""

    over: Literal["dds", "zenoh", "rclpy"]
    domain: int
    connect: tuple[str, ...]
    listen: tuple[str, ...]
    node: str


def fly_ros2(options: RunOptions, wanted: Wanted, way: Way, remappings: tuple[str, ...], as_json: bool) -> None:
    """Over DDS, Zenoh, or whatever an installed ROS 2 has."""
    from cupola.bridge.ros2.dds import Dds
    from cupola.bridge.ros2.names import remappings as read
    from cupola.bridge.ros2.rclpy_node import Rclpy
    from cupola.bridge.ros2.zenoh import Zenoh

    _check(remappings)
    if way.over != "zenoh" and (way.connect or way.listen):
        raise InputError("--connect and --listen are for --over zenoh; DDS is configured with CYCLONEDDS_URI")
    link: Link
    if way.over == "dds":
        link = Dds(way.domain, wanted.timeout, read(remappings))
    elif way.over == "rclpy":
        link = Rclpy(way.node, way.domain, read(remappings))
    else:
        link = Zenoh(way.node, way.domain, way.connect, way.listen, read(remappings))
    fly(options, wanted, link, as_json)


def _check(remappings: tuple[str, ...]) -> None:
    if wrong := [one for one in remappings if not all(one.partition(":="))]:
        raise InputError(f"--remap: expected FROM:=TO, got {wrong[0]!r}")


def fly(options: RunOptions, wanted: Wanted, link: Link, as_json: bool) -> None:
    """Advertise all topics, wait for commanding nodes, run."""
    exchange = Exchange(link, Times(wanted.timeout, wanted.patience), wanted.commands == "lockstep")
    company = Company(exchange, tells=wanted.commands == "own")
    speed = options.speed or ("max" if wanted.commands == "lockstep" else "1")

    def load(given: RunOptions) -> World:
        world = company.world = load_world(given, wanted, exchange)
        exchange.open(world, dialect(wanted.names), wanted.commands != "own")
        _say_what_there_is(exchange, wanted)
        if wanted.commands != "own":
            _warn_of_idle(world, exchange, wanted)
        return world

    try:
        flight.run(options._replace(speed=speed, hang_limit=PATIENT), as_json, load, company)
    finally:
        exchange.close()
    if exchange.exchanges:
        say(f"{exchange.exchanges} exchanges with {link.peer}")


class Company:
    """Nodes of ROS, in the loop of a flight."""

    def __init__(self, exchange: Exchange, tells: bool) -> None:
        self._exchange, self._tells = exchange, tells
        self.world: World | None = None

    def act(self) -> None:
        """Answer service calls; with own controllers, also publish the state."""
        self._exchange.act()
        if self._tells:
            self._exchange.publish()

    def is_paused(self) -> bool:
        """Whether a service has paused simulated time."""
        return self._exchange.is_paused()


def load_world(options: RunOptions, wanted: Wanted, exchange: Exchange) -> World:
    """The scenario; unless its own controllers fly, nodes of ROS are the controllers of all vehicles."""
    found = target.find(options.name)
    trust = trusting.trust_in(found, options.trust)
    resolved = resolve_vehicles(found.scenario, found.folder, {}, found.file)
    rate = wanted.rate or max(one.controller.rate_hz or 0.0 for one in resolved) or 100.0
    every = found.scenario.physics_hz / rate
    if every != round(every):
        raise InputError(f"--rate {rate:g}: expected a divisor of the physics rate, {found.scenario.physics_hz} Hz")
    vehicles: list[VehicleEntry] = list(found.scenario.vehicles)
    controllers: dict[str, Commander] = {}
    if wanted.commands != "own":
        for k, one in enumerate(resolved):
            channels = [c for part in one.vehicle.parts.values() for c in part.used_channels() if c >= 0]
            first = first_channel(one)
            entry = ControllerEntry(use="idle", rate_hz=rate, channel=first)
            vehicles[k] = vehicles[k].model_copy(update={"controller": entry, "mode": "mission"})
            controllers[one.name] = Commander(exchange, one.name, first, 1 + max(channels, default=first) - first)
    asked = {"duration": options.duration, "seed": options.seed, "vehicles": tuple(vehicles)}
    scenario = found.scenario.model_copy(update={key: value for key, value in asked.items() if value is not None})
    with waiting(f"loading {found.name}"):
        world = World(scenario, found.folder, controllers=controllers, name=found.name, source=found.file, trust=trust)
    world.dump_folder = options.folder
    world.max_ticks_per_batch = min(world.max_ticks_per_batch, round(every))
    for text in options.parameters:
        flight.tune(world, text)
    return world


def _warn_of_idle(world: World, exchange: Exchange, wanted: Wanted) -> None:
    """Vehicles that could move, and whom no topic of these names reaches."""
    idle = [
        one.name
        for one in world.instances
        if not exchange.commands_of(one.name) and any(part.used_channels() for part in one.vehicle.parts.values())
    ]
    if idle:
        log.warning("--names %s has no commands for %s: they stay 0", wanted.names, ", ".join(idle))


def _say_what_there_is(exchange: Exchange, wanted: Wanted) -> None:
    """One line: what is published, and what is waited for."""
    graph = exchange.graph
    awaited = [one.topic for one in graph.incoming if one.awaited] + [one.name for one in graph.asked]
    told = f"{len(graph.outgoing)} topics, {len(graph.services)} services"
    if wanted.commands == "lockstep" and awaited:
        say(f"{told}; every step waits for {', '.join(awaited)}")
    elif wanted.commands == "free" and awaited:
        say(f"{told}; the newest command of {', '.join(awaited)} is used")
    else:
        say(f"{told}; the vehicles' own controllers fly")


def write_messages(options: RunOptions, wanted: Wanted, folder: Path) -> None:
    """Only the message packages."""
    from cupola.bridge.ros1.packages import write_packages

    exchange = Exchange(_Nobody(), Times(1.0, 1.0), lockstep=False)
    world = load_world(options, wanted, exchange)
    exchange.open(world, dialect(wanted.names), wanted.commands != "own")
    for written in write_packages(exchange.graph, folder):
        say(f"wrote {written}")


class _Nobody:
    """A link without a network."""

    peer = "nobody"

    def open(self, graph: Graph, hearer: object, lockstep: bool) -> None:
        """Publish nothing."""

    def send(self, which: int, sample: object) -> None:
        """Publish nothing."""

    def senders(self, which: object) -> frozenset[str]:
        """None."""
        return frozenset()

    def ask(self, which: object, stamp: int, timeout: float) -> None:
        """Receive nothing."""

    def close(self) -> None:
        """Nothing was opened."""
