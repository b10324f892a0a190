"""The vehicles of a scenario with everything that their entries leave out, from their vehicle files."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from cupola.config.given_controller import GivenController, given_entry
from cupola.config.held import Held, HeldVehicle
from cupola.config.links import Link
from cupola.config.scenario import MODES, Freedom, Mode, Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry, Start, UserPart, Vehicle, find_vehicle, read_vehicle
from cupola.parts import KINDS
from cupola.parts.part import Part
from cupola.schema.trust import Code
from cupola.schema.tunable_fields import with_fields
from cupola.schema.yaml_files import InputError, parse

RESERVED = ("air", "floor", "world")
"""Reserved names: parameters begin with them."""


class ControllerSpec(NamedTuple):
    """A controller that may fly a vehicle."""

    entry: ControllerEntry
    home: Path
    """Folder to which the controller's path is relative."""
    source: str
    """Origin of the controller entry, for error messages."""
    exact: bool = True
    """If true, its rate must divide `physics_hz`; the rate of an inactive mode is rounded to the nearest divisor."""
    given: GivenController | None = None
    """The class or instance, if one was given in Python."""


class ResolvedVehicle(NamedTuple):
    """One vehicle of a scenario, with everything its entry leaves out filled in from its vehicle file."""

    name: str
    path: Path
    """The vehicle file."""
    vehicle: Vehicle
    start: Start
    specs: dict[Mode, ControllerSpec]
    """Its controllers."""
    mode: Mode
    """Control mode at the start."""
    freedom: Freedom = "model"
    """Freedom of its root body."""
    held: HeldVehicle | None = None
    """Its files, if they are in memory."""
    is_given: bool = False
    """Whether its content was given in Python, and is not that of the file."""
    code: tuple[Code, ...] = ()
    """The code that runs for it."""
    links: Mapping[str, Link] = {}
    """Other masses and lengths of bodies of its model."""

    @property
    def controller(self) -> ControllerEntry:
        """The controller of the mission."""
        return self.specs["mission"].entry


def resolve_vehicles(
    scenario: Scenario,
    folder: Path,
    controllers: Mapping[str, str | GivenController],
    source: str,
    held: Held | None = None,
    vehicles: Mapping[str, Vehicle] | None = None,
) -> list[ResolvedVehicle]:
    """All vehicles of the scenario read from `source`. All of this is data; no code is run.

    `controllers` (name to file.py:Class, class or instance) replaces theirs, `vehicles` the content of their files.
    `held`: files in memory, in the place of those on disk.
    """
    own_vehicles = vehicles or {}
    resolved: list[ResolvedVehicle] = []
    for i, entry in enumerate(scenario.vehicles):
        here = f"{source}: vehicles[{i}]"
        files = held.vehicles[i] if held else None
        name, path, content = _vehicle_of(entry, folder, own_vehicles, files, here)
        vehicle = _with_numbers(content, entry, f"{here}.parts")
        given = entry.model_fields_set & set(Start.model_fields)
        start = vehicle.start.model_copy(update={field: getattr(entry, field) for field in given})
        specs = _controller_specs(vehicle, path, entry, folder, here)
        if name in controllers:
            said = f"controllers[{name}]"
            own, flown = given_entry(specs["mission"].entry, controllers[name], said)
            specs["mission"] = ControllerSpec(own, Path(), said, given=flown)
        if entry.mode not in specs:
            raise InputError(f"{here}.mode: {name} has no controller {entry.mode!r}; it has: {', '.join(specs)}")
        if any(name == other.name for other in resolved):
            raise InputError(f"{here}: two vehicles are called {name!r}; give one of them another name")
        if name in RESERVED:
            raise InputError(f"{here}.name: {name!r} is taken by the parameters of the {name}; give it another name")
        is_given = name in own_vehicles
        one = ResolvedVehicle(name, path, vehicle, start, specs, entry.mode, entry.freedom, files, is_given)
        resolved.append(one._replace(links=entry.links))
    names = [one.name for one in resolved]
    for what, given_names in (("a controller", controllers), ("another content", own_vehicles)):
        for unknown in sorted(set(given_names) - set(names)):
            raise InputError(f"there is no vehicle {unknown!r} to give {what}; there are: {', '.join(names)}")
    return resolved


def vehicle_name(entry: VehicleEntry, path: Path) -> str:
    """Name of the vehicle of a file, valid in ROS topics."""
    return entry.name or re.sub(r"\W", "_", path.parent.resolve().name)


def _vehicle_of(
    entry: VehicleEntry, folder: Path, own: Mapping[str, Vehicle], files: HeldVehicle | None, here: str
) -> tuple[str, Path, Vehicle]:
    """Name, file and content of a vehicle; one that was given in Python has the file it was read from, if any."""
    try:
        path = files.path if files else find_vehicle(entry.model, folder)
    except InputError as error:
        if (entry.name or entry.model) not in own:
            raise InputError(f"{here}.model: {error}") from None
        path = folder / "vehicle.yaml"
    name = vehicle_name(entry, path)
    if name not in own:
        return name, path, read_vehicle(path, files)
    if not isinstance(own[name], Vehicle):
        raise InputError(f"vehicles[{name}]: expected a cupola.Vehicle, got {own[name]!r}")
    return name, own[name].path or path, own[name].copied()


def _controller_specs(
    vehicle: Vehicle, path: Path, entry: VehicleEntry, folder: Path, here: str
) -> dict[Mode, ControllerSpec]:
    """The controllers: from the scenario, else from the vehicle file."""
    specs: dict[Mode, ControllerSpec] = {}
    for mode, key in MODES.items():
        if own := getattr(entry, key):
            specs[mode] = ControllerSpec(own, folder, f"{here}.{key}")
        elif usual := getattr(vehicle, key):
            specs[mode] = ControllerSpec(usual, path.parent, f"{path}: {key}", exact=mode in ("mission", entry.mode))
    return specs


def _new_part(given: Mapping[str, bool | int | float | str], here: str) -> Part:
    """A part that the scenario adds; code and its trust are the business of vehicle files."""
    part = parse(json.dumps(given), here, KINDS[str(given["kind"])])
    if part.code_file() is not None:
        raise InputError(f"{here}: a part of kind {part.kind!r} runs code, so it belongs in a vehicle file")
    return part


def _with_numbers(vehicle: Vehicle, entry: VehicleEntry, here: str) -> Vehicle:
    """The vehicle with the numbers and choices that the scenario gives its parts."""
    parts = dict(vehicle.parts)
    if entry.preset is not None and entry.preset not in vehicle.presets:
        there = ", ".join(vehicle.presets) or "none"
        raise InputError(
            f"{here.removesuffix('.parts')}.preset: there is no preset {entry.preset!r}; there are: {there}"
        )
    chosen = {**vehicle.presets.get(entry.preset or "", {})}
    for name, given in entry.parts.items():
        chosen[name] = {**chosen.get(name, {}), **given}
    for name, given in chosen.items():
        if name not in parts and given.get("kind") in KINDS:
            parts[name] = _new_part(given, f"{here}.{name}")
            continue
        if name not in parts:
            there = ", ".join(parts) or "none"
            raise InputError(f"{here}: there is no part {name!r}; there are: {there}. A new one needs its kind")
        part = parts[name]
        if isinstance(part, UserPart):  # only its class knows what it takes
            parts[name] = part.model_copy(update={"given": given, "given_by": here})
            continue
        try:
            parts[name] = with_fields(part, given)
        except ValueError as error:
            raise InputError(f"{here}.{name}: {error}") from None
    return vehicle.model_copy(update={"parts": parts})
