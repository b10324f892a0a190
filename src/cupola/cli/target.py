"""What the user means by a name: a scenario file, a vehicle file or folder, or something that ships."""

import re
from pathlib import Path
from typing import NamedTuple

from cupola.config.resolved_vehicle import resolve_vehicles
from cupola.config.routes import find_route, route_end
from cupola.config.scenario import SCENARIOS, Scenario, VehicleEntry, find_scenario
from cupola.config.vehicle import Vehicle
from cupola.schema.yaml_files import LARGEST, InputError

VEHICLE_ONLY = set(Vehicle.model_fields) - set(Scenario.model_fields)


class Target(NamedTuple):
    """A scenario, where it came from and what its recording is called."""

    name: str
    scenario: Scenario
    folder: Path
    file: str
    """Names the scenario in messages."""
    kind: str
    """"scenario" or "vehicle"."""


def find(name: str) -> Target:
    """The scenario that `name` means; a vehicle is one alone, with its own controller and start."""
    path = Path(name)
    if not path.is_file() and (path / "vehicle.yaml").is_file() and not (SCENARIOS / f"{name}.yaml").is_file():
        path = path / "vehicle.yaml"
    if path.is_file() and _holds_vehicle(path):
        full = path.resolve()
        own = _plain_name(full.parent.name if full.name == "vehicle.yaml" else full.stem)
        scenario = Scenario(vehicles=(VehicleEntry(model=path.name, name=own),))
        return Target(own, scenario, path.parent, str(path), "vehicle")
    scenario, folder = find_scenario(name)
    shipped = SCENARIOS / f"{name}.yaml"
    kind = "scenario" if path.is_file() or shipped.is_file() else "vehicle"
    return Target(path.stem, scenario, folder, name, kind)


def on_route(found: Target, name: str, view: str | None = None) -> Target:
    """Override the route of every route-following vehicle and set the duration to the route's length plus 1 s."""
    here = str(Path(name).resolve()) if Path(name).is_file() else name
    try:
        end, vehicles = route_end(find_route(here, view=view)) + 1.0, []
    except InputError as error:
        raise InputError(f"--route: {error}") from None
    resolved = resolve_vehicles(found.scenario, found.folder, {}, found.file)
    for entry, one in zip(found.scenario.vehicles, resolved, strict=True):
        route = {"route": here, "view": view}
        driven = {"controller": one.controller.model_copy(update=route)} if one.controller.route else {}
        vehicles.append(entry.model_copy(update=driven))
    if vehicles == list(found.scenario.vehicles):
        raise InputError(f"--route: nothing in {found.name} drives a route; a controller has `route:`, as velma_base's")
    scenario = found.scenario.model_copy(update={"vehicles": tuple(vehicles), "duration": end})
    return found._replace(scenario=scenario)


def _holds_vehicle(path: Path) -> bool:
    """By its name, else by the keys that its lines begin with; what is wrong with it is found later."""
    if path.name == "vehicle.yaml":
        return True
    try:
        with path.open("rb") as file:
            text = file.read(LARGEST).decode(errors="replace")
    except OSError:
        return False
    keys = set(re.findall(r"^([A-Za-z_]\w*)[ \t]*:", text, re.MULTILINE))
    return "vehicles" not in keys and bool(keys & VEHICLE_ONLY)


def _plain_name(text: str) -> str:
    """Letters, digits and underscores: a vehicle's name becomes part of the topics of its recording."""
    word = re.sub(r"\W", "_", text, flags=re.ASCII)
    return word if word[:1].isalpha() else f"v{word}"


def vehicle_names(target: Target) -> list[str]:
    """Names of the vehicles of a scenario."""
    return [one.name for one in resolve_vehicles(target.scenario, target.folder, {}, target.file)]


SIZE = re.compile(r"(\w+)\.(\w+)\.(mass|length)")


def resized(scenario: Scenario, texts: tuple[str, ...], target: Target) -> tuple[Scenario, list[str]]:
    """The scenario with the masses and lengths of bodies that `--param vehicle.body.length=0.4` asks for, and the other
    parameters; a number of a part that is called so stays one."""
    links: dict[str, dict[str, dict[str, float]]] = {}
    others, there = [], resolve_vehicles(target.scenario, target.folder, {}, target.file)
    names = [one.name for one in there]
    for text in texts:
        name, _, value = text.partition("=")
        found = SIZE.fullmatch(name)
        parts = there[names.index(found[1])].vehicle.parts if found and found[1] in names else {}
        if not found or found[1] not in names or hasattr(parts.get(found[2]), found[3]):
            others.append(text)
            continue
        try:
            links.setdefault(found[1], {}).setdefault(found[2], {})[found[3]] = float(value)
        except ValueError:
            raise InputError(f"--param {text}: expected NAME=VALUE with a number") from None
    if not links:
        return scenario, others
    for vehicle, bodies in links.items():
        k = names.index(vehicle)
        entry = scenario.vehicles[k].model_dump(mode="json", exclude_unset=True)
        scenario = scenario.with_({f"vehicles[{k}].links": {**entry.get("links", {}), **bodies}})
    return scenario, others
