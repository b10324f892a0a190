"""`cupola check`: checks of a file before the first tick."""

from collections import Counter
from typing import Any, Literal

from rich.text import Text

from cupola.build.compile import VehicleInstance
from cupola.cli import target
from cupola.cli.screen import columns, listen, show_json, stdout, waiting
from cupola.config.own_code import check_code, code_in, is_own
from cupola.config.resolved_vehicle import ResolvedVehicle, resolve_vehicles
from cupola.config.scenario import Scenario
from cupola.config.vehicle import Vehicle
from cupola.schema.hostile_text import printable
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError, schema
from cupola.sim.scheduled_pushes import describe_push
from cupola.sim.world import World


def show_schema(kind: Literal["scenario", "vehicle"]) -> None:
    """JSON Schema of a kind of file."""
    show_json(schema(Scenario if kind == "scenario" else Vehicle))


def check(name: str, as_json: bool) -> None:
    """Build the world of a file and say what is in it; what is wrong is raised.

    No code of users is run, trusted or not: it is listed, and others stand in its place.
    """
    listen()
    found = target.find(name)
    resolved = resolve_vehicles(found.scenario, found.folder, {}, found.file)
    codes = code_in(resolved)
    for code in codes:
        check_code(code)
    with waiting(f"checking {found.name}"):
        stand_ins = Trust(leaves_out=True)
        world = World(found.scenario, found.folder, name=found.name, source=found.file, trust=stand_ins)
    trust = Trust()
    hopeless = [caution.text for caution in world.cautions if caution.hopeless]
    if hopeless:
        raise InputError(f"{found.file}: {hopeless[0]}")
    summary = {
        "file": found.file,
        "kind": found.kind,
        "ok": True,
        "physics_hz": world.scenario.physics_hz,
        "integrator": world.scenario.integrator,
        "warnings": [caution.text for caution in world.cautions],
        "pushes": [describe_push(entry) for entry in world.scenario.pushes],
        "vehicles": {
            one.name: _describe(world, instance, one) for instance, one in zip(world.instances, resolved, strict=True)
        },
        "code": [
            {"file": str(c.where), "written": c.written, "source": c.source, "trusted": trust.allows(c)} for c in codes
        ],
    }
    show_json(summary) if as_json else _show(summary)


def _describe(world: World, instance: VehicleInstance, one: ResolvedVehicle) -> dict[str, Any]:
    own = is_own(one.controller.use)
    return {
        "file": str(instance.path),
        "mass": float(world.model.body_subtreemass[instance.root]),
        "parts": {name: part.kind for name, part in instance.vehicle.parts.items()},
        "sensors_hz": {
            part: s.part.rate_hz for (vehicle, part), s in world.samples.items() if vehicle == instance.name
        },
        "controller": one.controller.use,
        "controller_hz": world.scenario.physics_hz / instance.runner.every,
        "compiled": None if own else instance.runner.compiled,
    }


def _show(summary: dict[str, Any]) -> None:
    stdout().print(Text.assemble(("OK", "bold green"), f"  {summary['file']} is a {summary['kind']}"), soft_wrap=True)
    table = columns(show_header=False)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    table.add_row("physics", f"{summary['physics_hz']} Hz, {summary['integrator']}")
    for push in summary["pushes"]:
        table.add_row("push", Text(push))
    for name, vehicle in summary["vehicles"].items():
        kinds = Counter(vehicle["parts"].values())
        sensors = ", ".join(f"{sensor} {rate:g} Hz" for sensor, rate in vehicle["sensors_hz"].items())
        how = {True: "compiled", False: "plain Python", None: "not run"}[vehicle["compiled"]]
        table.add_row("vehicle", Text(name, "bold"))
        table.add_row("mass", f"{vehicle['mass']:.4g} kg")
        table.add_row("parts", Text(", ".join(f"{n} {kind}" for kind, n in kinds.items()) or "none"))
        table.add_row("controller", Text(f"{vehicle['controller']}, {vehicle['controller_hz']:g} Hz, {how}"))
        table.add_row("sensors", Text(sensors or "none"))
    for code in summary["code"]:
        allowed = "trusted" if code["trusted"] else "not trusted: `--trust` allows it"
        table.add_row("code", Text(f"{printable(code['file'])} ({printable(code['source'])}): not run here, {allowed}"))
    stdout().print(table)
