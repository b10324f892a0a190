"""Saves a running world as data: its scenario with the present parameters."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from cupola.build.compile import VehicleInstance
from cupola.build.controller_runner import ControllerRunner
from cupola.config.links import Link
from cupola.config.own_code import POLICY
from cupola.config.parameters import element_at
from cupola.config.scenario import MODES, Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry, PlanEntry, StickEntry, shipped_vehicles
from cupola.parts import KINDS
from cupola.parts.part import Part
from cupola.schema.input_files import LARGEST_TABLE, read_text
from cupola.schema.plugins import reference
from cupola.sim.body_inertia import Inertia
from cupola.sim.tuning import Tuning


def saved(
    scenario: Scenario, instances: list[VehicleInstance], tuning: Tuning, bodies: Mapping[str, Inertia]
) -> Scenario:
    """The scenario with everything that was tuned, and bodies that were changed, written into it."""
    vehicles = [
        _with_bodies(_entry(entry, m, tuning), m.name, bodies)
        for entry, m in zip(scenario.vehicles, instances, strict=True)
    ]
    update: dict[str, Any] = {"vehicles": tuple(vehicles)}
    if tuning.weather.air != scenario.air:
        update["air"] = tuning.weather.air
    if scenario.floor and (friction := tuning.touched.get("floor.friction")) is not None:
        update["floor"] = scenario.floor.model_copy(update={"friction": friction})
    return scenario.model_copy(update=update)


def _entry(entry: VehicleEntry, instance: VehicleInstance, tuning: Tuning) -> VehicleEntry:
    """One vehicle: its file, its controllers and its parts where something was changed; files by their full paths."""
    update: dict[str, Any] = {"parts": {name: dict(numbers) for name, numbers in entry.parts.items()}}
    if entry.model not in shipped_vehicles():
        update["model"] = str(instance.path.resolve())
        update["name"] = instance.name
    gains: dict[str, dict[str, Any]] = {mode: {} for mode in instance.runners}
    for name, value in tuning.touched.items():
        vehicle, _, rest = name.partition(".")
        first, _, last = rest.rpartition(".")
        if vehicle != instance.name or name in tuning.of_bodies:
            continue
        if first in ("", *gains):  # an array is saved whole
            runner = next(r for mode, r in instance.runners.items() if mode == (first or "mission"))
            whole = element_at(last)[0]
            gains[first or "mission"][whole] = np.asarray(runner.controller.values[whole]).tolist()
        else:
            update["parts"].setdefault(first, {})[last] = value
    for mode, spec in instance.resolved.specs.items():
        told = {**_script(instance.runners[mode]), **_plan(instance.runners[mode])}
        if gains[mode] or told or getattr(entry, MODES[mode]) or spec.source.startswith("controllers["):
            own = {"parameters": {**spec.entry.parameters, **gains[mode]}, "use": _use(spec.entry, spec.home)}
            update[MODES[mode]] = spec.entry.model_copy(update={**own, **told})
    if not update["parts"]:
        del update["parts"]
    return entry.model_copy(update=update)


def _with_bodies(entry: VehicleEntry, vehicle: str, bodies: Mapping[str, Inertia]) -> VehicleEntry:
    """Bodies with changed inertia: mass, centre and inertia."""
    mine = {name.removeprefix(f"{vehicle}/"): one for name, one in bodies.items() if name.startswith(f"{vehicle}/")}
    if not mine:
        return entry
    links = {name: entry.links.get(name, Link()).model_copy(update=_link(one)) for name, one in mine.items()}
    return entry.model_copy(update={"links": {**entry.links, **links}})


def _link(one: Inertia) -> dict[str, Any]:
    return {"mass": one.mass, "com": one.com_b, "inertia": one.about_com}


def _script(runner: ControllerRunner) -> dict[str, Any]:
    """The stick script of a controller, if it was replaced."""
    if runner.script is runner.first_script:
        return {}
    sticks = tuple(StickEntry(time=time, channels=list(channels)) for time, channels in runner.script)
    return {"sticks": sticks, "route": None, "view": None}


def _plan(runner: ControllerRunner) -> dict[str, Any]:
    """The plan of a controller, if it was replaced."""
    if runner.plan is runner.first_plan:
        return {}
    rows = [
        PlanEntry(position=(x, y, z), yaw_deg=math.degrees(yaw), speed=speed, hold=hold, land=land > 0.5)
        for x, y, z, yaw, speed, hold, land in runner.plan.tolist()
    ]
    return {"plan": tuple(rows)}


def _use(entry: ControllerEntry, home: Path) -> str:
    """The controller's name, or its file by its full path."""
    if entry.use.endswith(POLICY):
        return str((home / entry.use).resolve())
    file, found, name = entry.use.partition(".py:")
    return f"{(home / (file + '.py')).resolve()}:{name}" if found else entry.use


def vehicle_text(instance: VehicleInstance) -> str:
    """The text of its vehicle file; one whose content was given in Python is written out."""
    if not instance.resolved.is_given:
        return read_text(instance.path, LARGEST_TABLE)
    content = instance.vehicle.model_dump(mode="json", exclude_unset=True, serialize_as_any=True)
    for name, part in instance.vehicle.parts.items():
        content["parts"][name]["kind"] = part.kind if part.kind in KINDS else _own_kind(part)
    return str(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None))


def _own_kind(part: Part) -> str:
    """`file.py:Class`; a class of a notebook has no file, and none is found under this name."""
    said = reference(type(part))
    return said if ".py:" in said else f"no_file.py:{said}"


def as_yaml(scenario: Scenario) -> str:
    """The text of a scenario file: given values without defaults."""
    content = scenario.model_dump(mode="json", exclude_unset=True)
    return str(yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=120, default_flow_style=None))
