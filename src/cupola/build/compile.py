"""Compiles a scenario: one MuJoCo model, one table of arrays, all parts bound."""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.build.arrays import allocate
from cupola.build.controller_runner import ControllerRunner
from cupola.build.declared import check_declared
from cupola.build.entries import Entries
from cupola.build.layout_builder import LONGEST_BATCH, LayoutBuilder
from cupola.build.mjcf import build_model
from cupola.build.pieces import pieces_of
from cupola.build.robot import describe, with_others
from cupola.build.schedule import Group
from cupola.build.vehicle_controllers import check_none_is_shared, make_runner
from cupola.config.air import FASTEST
from cupola.config.channels import HAND
from cupola.config.given_controller import GivenController
from cupola.config.held import Held
from cupola.config.own_code import is_own, read_code, with_code
from cupola.config.resolved_vehicle import ResolvedVehicle, resolve_vehicles
from cupola.config.robot import Robot
from cupola.config.scenario import Mode, Scenario
from cupola.config.vehicle import Vehicle
from cupola.config.wind_field import LARGEST, parse_wind_field
from cupola.engine.core import WorldTraits
from cupola.kernel.memory import Views
from cupola.parts.binding import Row
from cupola.parts.part import Part, row_type_of
from cupola.physics.slipstream import Stream
from cupola.schema.input_files import FilesRead, InputError, read_bytes, reading_once, reason
from cupola.schema.trust import Trust, file_of

log = logging.getLogger("cupola")


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
        named = [file_of(use, Path()) for use in controllers.values() if isinstance(use, str) and is_own(use)]
        trust = trust.naming(named)
        resolved = with_code(resolve_vehicles(scenario, folder, controllers, source, held, own_vehicles), trust)
        check_none_is_shared(resolved)
        for one in resolved:
            read_code(one)
        wind = _wind_file(scenario, folder, source, held)
        return _assemble(scenario, resolved, compiled, source, trust, wind, files)


def _assemble(
    scenario: Scenario,
    resolved: list[ResolvedVehicle],
    compiled: bool,
    source: str,
    trust: Trust,
    wind: bytes | None,
    files: FilesRead,
) -> Assembly:
    model = build_model(scenario, resolved)
    data = mujoco.MjData(model)
    builder = LayoutBuilder(model, scenario.physics_hz, scenario.gravity_here, trust)
    rows: dict[Group, list[Row]] = {}
    instances, waiting, vehicles = [], [], []
    pieces = pieces_of(resolved, scenario.air.wakes)
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
        waiting += [_bind(one, name, part, builder, rows) for name, part in pieces[index].items()]
        runners = {mode: make_runner(one, spec, builder, compiled) for mode, spec in one.specs.items()}
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
    field = None if wind is None else parse_wind_field(wind, _field_name(scenario), FASTEST)
    arrays = allocate(scenario, model, data, builder, entries, vehicles, list(jets.values()), field, max_ticks)
    state, given = np.array(builder.numbers), np.array(builder.link_values or [0.0])
    flying = [instance.runners[instance.resolved.mode] for instance in instances]
    laws = [type(runner.controller) for runner in flying if runner.compiled]
    entries.connect(arrays, [instance.channels for instance in instances], laws)
    return Assembly(model, data, arrays, instances, bound, state, given, entries, max_ticks, trust, wind, files)


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
