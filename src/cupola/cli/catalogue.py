"""`cupola` and `cupola list`: vehicles, scenarios, controllers, parts."""

import math
from typing import Any

from rich.padding import Padding
from rich.text import Text

from cupola.cli.screen import columns, show_json, stdout
from cupola.config.controller import Controller
from cupola.config.scenario import DEFAULT, SCENARIOS, Scenario, shipped_scenarios
from cupola.config.vehicle import MODELS, OWN, Vehicle, shipped_vehicles
from cupola.control import CONTROLLERS
from cupola.parts import KINDS
from cupola.schema.field_notes import first_line
from cupola.schema.plugins import shipped_class
from cupola.schema.tunable_fields import Parameter
from cupola.schema.yaml_files import read

NEXT = {
    "cupola fly": "fly a quadcopter yourself, in the browser",
    "cupola run --plot": f"fly the scenario {DEFAULT!r}, record and plot it",
    "cupola new controller mine": "write a controller of your own",
}

ROOMY = 72
"""Columns of a terminal that has room for what a parameter means."""


def show_home() -> None:
    """Vehicles and the three commands to try next."""
    screen = stdout()
    screen.print("[bold]Cupola[/] simulates flying, driving, space and bird-like robots.\n")
    _print_pairs("Vehicles", _vehicles())
    _print_pairs("Try", NEXT)
    screen.print("[dim]cupola list shows scenarios, controllers and parts; cupola --help all commands.[/]")


def show(as_json: bool) -> None:
    """Everything built in that a file or the command line can name."""
    vehicles, scenarios, controllers, kinds = _vehicles(), _scenarios(), _controllers(), _kinds()
    if as_json:
        show_json({"vehicles": vehicles, "scenarios": scenarios, "controllers": controllers, "parts": kinds})
        return
    _print_pairs("Vehicles", vehicles)
    _print_pairs("Scenarios", scenarios)
    stdout().print("[bold]Controllers[/] [dim]and what --param may set[/]")
    for name, controller in controllers.items():
        stdout().print(Padding(Text.assemble((name, "cyan"), "  ", controller["about"]), (0, 0, 0, 2), expand=False))
        if controller["parameters"]:
            _print_parameters(controller["parameters"])
    stdout().print()
    _print_pairs("Parts", kinds)


def _vehicles() -> dict[str, str]:
    return {name: read(MODELS / name / "vehicle.yaml", Vehicle).about for name in shipped_vehicles()}


def _scenarios() -> dict[str, str]:
    return {name: read(SCENARIOS / f"{name}.yaml", Scenario).about for name in shipped_scenarios()}


def _controllers() -> dict[str, dict[str, Any]]:
    classes = {name: shipped_class(home, Controller) for name, home in sorted(CONTROLLERS.items())}
    return {
        name: {"about": first_line(cls), "parameters": {key: _told(p) for key, p in cls.parameters.items()}}
        for name, cls in classes.items()
    }


def _told(p: Parameter) -> dict[str, Any]:
    """A parameter; one that comes from the robot has no default."""
    return {**p._asdict(), "default": None if math.isnan(p.default) else p.default}


def _kinds() -> dict[str, str]:
    return {**{kind: first_line(cls) for kind, cls in KINDS.items()}, OWN: "A part of your own."}


def _print_pairs(title: str, pairs: dict[str, str]) -> None:
    table = columns(show_header=False)
    for name, about in pairs.items():
        table.add_row(Text(name, "cyan"), Text(about))
    stdout().print(f"[bold]{title}[/]")
    stdout().print(Padding(table, (0, 0, 1, 2), expand=False))


def _print_parameters(parameters: dict[str, dict[str, Any]]) -> None:
    table = columns()
    for title in ("", "default", "range", "unit"):
        table.add_column(title, no_wrap=True)
    roomy = stdout().width >= ROOMY
    for name, p in parameters.items():
        about = [Text(p["about"])] if roomy else []
        default = "the robot's" if p["default"] is None else f"{p['default']:g}"
        table.add_row(name, default, f"{p['low']:g} to {p['high']:g}", Text(p["unit"]), *about)
    stdout().print(Padding(table, (0, 0, 0, 4), expand=False))
