"""Compiles a scenario: one MuJoCo model, one table of arrays, all parts bound."""

import contextlib
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.build.arrays import allocate
from cupola.build.controller_runner import ControllerRunner, make_controller
from cupola.build.declared import check_declared
from cupola.build.entries import Entries
from cupola.build.layout_builder import LONGEST_BATCH, LayoutBuilder
from cupola.build.mjcf import build_model
from cupola.build.mjcf_assets import LARGEST_FILE
from cupola.build.robot import describe, with_others
from cupola.build.schedule import Group
from cupola.config.air import FASTEST
from cupola.config.channels import HAND
from cupola.config.controller import Controller
from cupola.config.given_controller import GivenController
from cupola.config.held import Held
from cupola.config.own_code import is_own, with_code
from cupola.config.resolved_vehicle import ControllerSpec, ResolvedVehicle, resolve_vehicles
from cupola.config.robot import Robot
from cupola.config.routes import find_route, parse_route, route_sticks
from cupola.config.scenario import Mode, Scenario
from cupola.config.vehicle import ControllerEntry, Vehicle
from cupola.config.wind_field import LARGEST, parse_wind_field
from cupola.engine.core import WorldTraits
from cupola.kernel.memory import Views
from cupola.kernel.records import flat, size
from cupola.parts import KINDS
from cupola.parts.binding import Row, ticks_between
from cupola.parts.part import Part, row_type_of
from cupola.physics.slipstream import Stream
from cupola.schema.input_files import FilesRead, InputError, read_bytes, reading_once, reason
from cupola.schema.trust import Trust, file_of

log = logging.getLogger("cupola")


NOTHING_READ = FilesRead({}, {})
LONGEST_PERIOD = 1 << 31
"""Ticks between two calls of a controller."""


class VehicleInstance(NamedTuple):
    """One vehicle in the world."""

    resolved: ResolvedVehicle
    root: int
    """Body whose motion controllers get."""
    channels: slice
    """Its slots in the command array."""
    runners: dict[Mode, ControllerRunner]
    """Its controllers."""
    hand: int
    """Where the memory of its channel functions lies."""
    own_state: slice
    """State of its parts and its controller."""
    robot: Robot
    """Its description for controllers."""

    @property
    def name(self) -> str:
        """Its name in this world, `vehicle.part`."""
        return self.resolved.name

    @property
    def runner(self) -> ControllerRunner:
        """The runner of the mission's controller."""
        return self.runners["mission"]

    @property
    def vehicle(self) -> Vehicle:
        """The content of its vehicle file."""
        return self.resolved.vehicle

    @property
    def path(self) -> Path:
        """Its vehicle file."""
        return self.resolved.path


class BoundPart(NamedTuple):
    """One part in the world."""

    vehicle: str
    name: str
    part: Part
    group: Group
    place: int
    """Its row among those of its group."""
    offsets: dict[str, Any]
    """Its offsets: see `LayoutBuilder.rebind`."""
    rows: Any
    """All rows of its group."""

    @property
    def row(self) -> Any:
        """Its numbers, as its kernels read them."""
        return self.rows[self.place]

    @property
    def full_name(self) -> str:
        """vehicle.part."""
        return f"{self.vehicle}.{self.name}"


class Assembly(NamedTuple):
    """All compiled data of a world."""

    model: Any
    data: Any
    arrays: Views
    instances: list[VehicleInstance]
    parts: list[BoundPart]
    initial_state: np.ndarray[Any, Any]
    initial_given: np.ndarray[Any, Any]
    entries: Entries
    max_ticks: int
    """Most ticks between two drains of the recorders' rings."""
    trust: Trust
    """Rules for running code."""
    wind: bytes | None
    """Content of the file of the wind field."""
    files: FilesRead
    """All files that were read."""


class _Waiting(NamedTuple):
    """A part that is bound, before all rows of its group are known."""

    vehicle: str
    name: str
    part: Part
    group: Group
    place: int
    offsets: dict[str, Any]


def assemble(
    scenario: Scenario,
    folder: Path,
    controllers: Mapping[str, str | GivenController],
    compiled: bool,
    source: str,
    trust: Trust,
    held: Held | None = None,
    own_vehicles: Mapping[str, Vehicle] | None = None,
) -> Assembly:
    """Compile the scenario."""
    with reading_once(FilesRead({}, {})) as files:
        built = _assemble(scenario, folder, controllers, compiled, source, trust, held, own_vehicles)
        for code in {code.where for instance in built.instances for code in instance.resolved.code}:
            with contextlib.suppress(InputError):
                read_bytes(code, LARGEST_FILE)
        return built._replace(files=files)


def _assemble(
    scenario: Scenario,
    folder: Path,
    controllers: Mapping[str, str | GivenController],
    compiled: bool,
    source: str,
    trust: Trust,
    held: Held | None,
    own_vehicles: Mapping[str, Vehicle] | None,
) -> Assembly:
    trust = trust.naming(file_of(use, Path()) for use in controllers.values() if isinstance(use, str) and is_own(use))
    resolved = with_code(resolve_vehicles(scenario, folder, controllers, source, held, own_vehicles), trust)
    _check_shared(resolved)
    model = build_model(scenario, resolved)
    data = mujoco.MjData(model)
    builder = LayoutBuilder(model, scenario.physics_hz, scenario.gravity_here, trust)
    rows: dict[Group, list[Row]] = {}
    instances, waiting, vehicles = [], [], []
    every = [_pieces(one) for one in resolved]
    common = (
        _common(resolved, every) if scenario.air.wakes else [_shared(*one) for one in zip(resolved, every, strict=True)]
    )
    for index, one in enumerate(resolved):
        builder.add_vehicle(index, one.name, one.vehicle.parts)
        builder.folder, builder.held = one.path.parent, one.held
        try:
            builder.root = root = builder.body(one.vehicle.root)
        except ValueError as error:
            raise InputError(f"{one.path}: root: {error}") from None
        hand = builder.state(*[0.0] * HAND)
        vehicles.append((root, builder.stream()))
        own = len(builder.numbers)
        waiting += [_bind(one, name, part, builder, rows) for name, part in (every[index] | common[index]).items()]
        runners = {mode: _make_runner(one, spec, builder, compiled) for mode, spec in one.specs.items()}
        channels = slice(builder.first_channel, builder.first_channel + builder.channels)
        robot = describe(one, builder, scenario.gravity_here)
        instances.append(VehicleInstance(one, root, channels, runners, hand, slice(own, len(builder.numbers)), robot))
    instances = _introduce(instances)
    tables = {group: np.array([row[()] for row in found], row_type_of(group.kind)) for group, found in rows.items()}
    bound = [BoundPart(*one, tables[one.group]) for one in waiting]
    listened = {f"{resolved[vehicle].name}.{name}" for vehicle, name in builder.listened}
    jets = _jets(bound, resolved, source) if scenario.air.wakes else {}
    listened |= jets.keys()
    if scenario.air.wakes and len(resolved) > 1:
        _tell_of_no_wakes(bound)
    entries = Entries(_traits(scenario, model, bound), bound, listened)
    max_ticks = max(1, int(LONGEST_BATCH * scenario.physics_hz))
    wind = _wind_file(scenario, folder, source, held)
    field = None if wind is None else parse_wind_field(wind, _field_name(scenario), FASTEST)
    arrays = allocate(scenario, model, data, builder, entries, vehicles, list(jets.values()), field, max_ticks)
    state, given = np.array(builder.numbers), np.array(builder.link_values or [0.0])
    flying = [instance.runners[instance.resolved.mode] for instance in instances]
    laws = [type(runner.controller) for runner in flying if runner.compiled]
    entries.connect(arrays, [instance.channels for instance in instances], laws)
    return Assembly(model, data, arrays, instances, bound, state, given, entries, max_ticks, trust, wind, NOTHING_READ)


def _field_name(scenario: Scenario) -> str:
    """The file of the wind field; empty: there is none."""
    return (scenario.air.wind and scenario.air.wind.field) or ""


def _wind_file(scenario: Scenario, folder: Path, source: str, held: Held | None) -> bytes | None:
    """What the file of the wind field holds, from memory or beside the scenario."""
    if not (name := _field_name(scenario)):
        return None
    if held:
        if held.wind is None:
            raise InputError(f"{source}: air.wind.field: the file {name} is not held")
        return held.wind
    if not (folder / name).exists():
        raise InputError(f"{source}: air.wind.field: there is no file {folder / name}")
    return read_bytes(folder / name, LARGEST)


def _pieces(one: ResolvedVehicle) -> dict[str, Part]:
    """The parts of a vehicle as they are bound."""
    found = [piece for name, part in one.vehicle.parts.items() for piece in part.pieces(name).items()]
    names = [name for name, _ in found]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise InputError(f"{one.path}: parts.{twice}: a piece of another part has this name; give it another one")
    return dict(found)


def _shared(one: ResolvedVehicle, pieces: dict[str, Part], whose: str = "one vehicle") -> dict[str, Part]:
    """What parts of one kind have in common in this vehicle."""
    try:
        kinds = dict.fromkeys(type(part) for part in pieces.values())
        return {name: part for kind in kinds for name, part in kind.shared(pieces, whose).items()}
    except ValueError as error:
        raise InputError(f"{one.path}: parts: {error}") from None


def _common(resolved: list[ResolvedVehicle], every: list[dict[str, Part]]) -> list[dict[str, Part]]:
    """What parts of one kind have in common in all vehicles: the last vehicle that has some of it holds it."""
    having = [index for index, one in enumerate(resolved) if _shared(one, every[index])]
    made: list[dict[str, Part]] = [{} for _ in resolved]
    if having:
        whole = {f"{resolved[k].name}.{name}": part for k in having for name, part in every[k].items()}
        made[having[-1]] = _shared(resolved[having[-1]], whole, "all vehicles in a world with wakes")
    return made


def _jets(parts: list[BoundPart], resolved: list[ResolvedVehicle], source: str) -> dict[str, tuple[int, int]]:
    """Parts whose slipstream acts on other vehicles: index and vehicle."""
    order = [one.name for one in resolved]
    found = {}
    for bound in parts:
        if bound.group.kind.gives is Stream:
            if reason := bound.part.why_not_given():
                raise InputError(f"{source}: air.wakes: the wake of {bound.full_name} {reason}")
            found[bound.full_name] = (int(bound.row["given"]), order.index(bound.vehicle))
    return found


def _tell_of_no_wakes(parts: list[BoundPart]) -> None:
    """Warn once about lift without a vortex wake and thrust without a jet: they have no effect on other vehicles."""
    found = [f"{bound.full_name} ({reason})" for bound in parts if (reason := bound.part.why_no_wake())]
    if found:
        which = "of `wing` the theories lifting_line, lattice and unsteady_lattice do"
        log.warning("air.wakes: no wake of wings is left or felt by %s; %s", ", ".join(found), which)
    found = [f"{bound.full_name} ({reason})" for bound in parts if (reason := bound.part.why_no_jet())]
    if found:
        log.warning("air.wakes: no jet is left by %s; `rotor` and `helicopter_rotor` leave one", ", ".join(found))


def _introduce(instances: list[VehicleInstance]) -> list[VehicleInstance]:
    """Give every controller the description of its robot, with the other vehicles of the world."""
    robots = with_others({instance.name: instance.robot for instance in instances})
    for instance in instances:
        for mode, runner in instance.runners.items():
            try:
                runner.controller.meet(robots[instance.name], runner.first_channel)
            except ValueError as error:
                spec = instance.resolved.specs[mode]
                raise InputError(f"{spec.source}: {spec.entry.use} refuses {instance.name}: {error}") from None
    return [instance._replace(robot=robots[instance.name]) for instance in instances]


def _traits(scenario: Scenario, model: Any, parts: list[BoundPart]) -> WorldTraits:
    return WorldTraits(
        round_earth=scenario.origin.is_round,
        patches=bool(scenario.floor and scenario.floor.patches),
        sensors=any("counter" in bound.rows.dtype.names for bound in parts),
        runge_kutta=model.opt.integrator == mujoco.mjtIntegrator.mjINT_RK4,
    )


def _tell_clamped_speeds(one: ResolvedVehicle, entry: ControllerEntry, controller: Controller) -> None:
    """Warn about speeds of a plan that the controller will not fly."""
    low, high = (controller.values.get(name) for name in ("speed_min", "speed_max"))
    if low is None or high is None:
        return
    outside = sorted({way.speed for way in entry.plan if not low <= way.speed <= high})
    if outside:
        asked = ", ".join(f"{speed:g}" for speed in outside)
        log.warning(
            "%s: the plan asks for %s m/s; its controller keeps within %g to %g m/s", one.name, asked, low, high
        )


def _make_runner(
    one: ResolvedVehicle, spec: ControllerSpec, builder: LayoutBuilder, compiled: bool
) -> ControllerRunner:
    entry = spec.entry
    slowest = builder.physics_hz / LONGEST_PERIOD
    if entry.rate_hz < slowest:
        raise InputError(f"{spec.source}.rate_hz: must be at least {slowest:g} Hz, got {entry.rate_hz:g}")
    every = max(1, round(builder.physics_hz / entry.rate_hz))
    if spec.exact:
        try:
            every = ticks_between(entry.rate_hz, builder.physics_hz)
        except ValueError as error:
            raise InputError(f"{spec.source}.{error}") from None
    policies = one.held.policies if one.held else None
    controller = make_controller(entry, spec.home, spec.source, builder.trust, spec.given, policies)
    _check_needs(one, spec, controller)
    _tell_clamped_speeds(one, entry, controller)
    if entry.channel >= builder.channels:
        raise InputError(f"{spec.source}.channel: {one.name} has {builder.channels} channels, got {entry.channel}")
    first = builder.state(*flat(controller.State()))
    place, order = slice(first, len(builder.numbers)), one.vehicle.channel_mix.sticks
    reports = builder.report(size(controller.Signals))
    runner = ControllerRunner(one.name, controller, entry, every, compiled, order, place, reports)
    if entry.route:
        try:
            held = one.held.routes.get(entry.route) if one.held else None
            # A recording holds what was driven: without a view it was recognised as that of the body.
            legs = (
                find_route(entry.route, spec.home, entry.view)
                if held is None
                else parse_route(held, entry.route, entry.view or "body")
            )
            runner.script = runner.first_script = route_sticks(legs)
        except InputError as error:
            raise InputError(f"{spec.source}.route: {error}") from None
    return runner


def _check_shared(resolved: list[ResolvedVehicle]) -> None:
    """One instance flies one vehicle: two would share its state."""
    seen: dict[int, str] = {}
    for one in resolved:
        given = one.specs["mission"].given
        if isinstance(given, Controller) and seen.setdefault(id(given), one.name) != one.name:
            said = type(given).__name__
            raise InputError(f"the same {said} cannot fly {seen[id(given)]} and {one.name}: give each one of its own")


def _check_needs(one: ResolvedVehicle, spec: ControllerSpec, controller: Controller) -> None:
    needs, parts = controller.needs, one.vehicle.parts.values()
    if needs is None:
        return
    obeying = [part for part in parts if needs in (part.obeys, part.kind)]
    if not obeying:
        known = " or ".join(kind for kind, cls in KINDS.items() if cls.obeys == needs) or f"the kind {needs}"
        kinds = ", ".join(sorted({part.kind for part in parts})) or "no parts"
        raise InputError(
            f"{spec.source}.use: {spec.entry.use} commands {needs}, as parts like {known} obey; {one.name} has: {kinds}"
        )
    firsts = {first: part.kind for part in obeying if (first := part.first_input()) is not None}
    if firsts and spec.entry.channel not in firsts:
        begin = ", ".join(f"{kind} at {first}" for first, kind in firsts.items())
        raise InputError(
            f"{spec.source}.channel: {spec.entry.use} commands {needs}, which no part of {one.name} takes from channel "
            f"{spec.entry.channel} on; they begin with: {begin}"
        )


def _bind(
    one: ResolvedVehicle, name: str, part: Part, builder: LayoutBuilder, rows: dict[Group, list[Row]]
) -> _Waiting:
    group = Group(part.group(), part.variant())
    if group.kind is Part:
        raise InputError(
            f"{one.path}: parts.{name}: {part.kind} has no kernel and no step(): derive it from cupola.Load, "
            "cupola.Actuator, cupola.Sensor or cupola.External"
        )
    offsets = builder.offsets()
    found = rows.setdefault(group, [])
    try:
        check_declared(part)
        found.append(builder.bind(name, part))
    except ValueError as error:
        raise InputError(f"{one.path}: parts.{name}: {error}") from None
    except ArithmeticError as error:
        raise InputError(f"{one.path}: parts.{name}: its numbers cannot be used together: {reason(error)}") from error
    return _Waiting(one.name, name, part, group, len(found) - 1, offsets)
