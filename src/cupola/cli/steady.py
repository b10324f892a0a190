"""`cupola trim` and `cupola linearize`: steady flight and its linear model."""

import math
import re
from pathlib import Path
from typing import Any, NamedTuple

from rich.text import Text

from cupola import analysis
from cupola.analysis import Aircraft, Condition, LinearModel, Mode, Trim
from cupola.analysis.linear import LATERAL, LONGITUDINAL
from cupola.analysis.trim import ACCELERATIONS
from cupola.cli import target, trusting
from cupola.cli.screen import columns, listen, show_json, stdout, waiting
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

NOTHING = 1e-6
"""Smaller numbers of a printed matrix are shown as 0."""
TURN = re.compile(r"([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*(m|deg/s)?")


class OperatingPoint(NamedTuple):
    """Options of the command."""

    airspeed: float
    climb_deg: float
    turn: str | None
    altitude: float

    def condition(self) -> Condition:
        """The same in SI units."""
        climb = math.radians(self.climb_deg)
        return Condition(self.airspeed, climb, self._turn_rate(math.cos(climb)), self.altitude)

    def _turn_rate(self, level: float) -> float:
        """[rad/s] of the heading, from a radius or a rate."""
        if self.turn is None:
            return 0.0
        found = TURN.fullmatch(self.turn.strip())
        try:
            number = float(found[1]) if found else math.nan
        except ValueError:
            number = math.nan
        if found is None or math.isnan(number) or (number == 0.0 and found[2] != "deg/s"):
            raise InputError(f"--turn {self.turn!r}: give a radius (80, 80m) or a rate (12deg/s), negative to the left")
        return math.radians(number) if found[2] == "deg/s" else self.airspeed * level / number


def trim(name: str, point: OperatingPoint, as_json: bool, trust: bool) -> None:
    """Print a steady flight."""
    craft = _aircraft(name, trust)
    found = analysis.trim(craft, point.condition())
    show_json(_trim_table(craft, found)) if as_json else _show_trim(craft, found)


def linearize(
    name: str, point: OperatingPoint, forward: float | None, npz: Path | None, as_json: bool, trust: bool
) -> None:
    """Print the linear model and the modes of a steady flight."""
    craft = _aircraft(name, trust)
    found = analysis.trim(craft, point.condition())
    model = analysis.linearize(craft, found.state, found.inputs, forward)
    natural = analysis.modes(model)
    if npz is not None:
        model.save(npz)
    if as_json:
        matrices = {key: getattr(model, key).tolist() for key in ("A", "B", "C", "D")}
        names = {key: getattr(model, key) for key in ("states", "inputs", "outputs")}
        flight = {"trim": _trim_table(craft, found), "modes": [_mode_table(mode) for mode in natural]}
        show_json({**names, **matrices, "eigenvalues": _eigenvalues(model), **flight})
        return
    _show_trim(craft, found)
    _show_modes(natural)
    for title, states in (("In the plane of symmetry", LONGITUDINAL), ("Out of it", LATERAL)):
        _show_matrices(title, model.part(states))
    stdout().print("[dim]All twelve states, C and D: --json, or --npz FILE.[/]")


def _aircraft(name: str, trust: bool) -> Aircraft:
    """The vehicle alone over no ground in the still air of its scenario: a steady wind changes no trim."""
    listen()
    found = target.find(name)
    still = found.scenario.air.model_copy(update={"wind": None, "gusts": (), "turbulence": None})
    scenario = found.scenario.model_copy(update={"air": still, "floor": None})
    allowed = trusting.trust_in(found, trust)
    with waiting(f"building {found.name}"):
        return Aircraft(World(scenario, found.folder, name=found.name, source=found.file, trust=allowed))


def _trim_table(craft: Aircraft, found: Trim) -> dict[str, Any]:
    c = found.condition
    controls = {
        one.name: {"value": float(value), "unit": one.unit, "channels": one.channels, "command": one.command(value)}
        for one, value in zip(found.controls, found.inputs, strict=True)
    }
    return {
        "vehicle": craft.name,
        "airspeed": c.airspeed,
        "climb": c.climb,
        "turn_rate": c.turn_rate,
        "altitude": c.altitude,
        "alpha": found.alpha,
        "beta": found.beta,
        "state": found.state._asdict(),
        "controls": controls,
        "residuals": dict(zip(ACCELERATIONS, found.residuals.tolist(), strict=True)),
        "free": found.free,
        "start": found.start(),
    }


def _mode_table(mode: Mode) -> dict[str, Any]:
    numbers = {key: getattr(mode, key) for key in ("frequency", "damping", "period", "time_constant")}
    return {"name": mode.name, "eigenvalue": [mode.real, mode.imaginary], **numbers}


def _eigenvalues(model: LinearModel) -> list[list[float]]:
    """Real and imaginary parts, slowest last."""
    return [[value.real, value.imag] for value in analysis.eigenvalues(model)]


def _show_trim(craft: Aircraft, found: Trim) -> None:
    stdout().print(Text.assemble((craft.name, "bold"), f" flies steadily: {found.condition}"), soft_wrap=True)
    table = columns(show_header=False)
    angles = {
        "angle of attack": found.alpha,
        "sideslip": found.beta,
        "pitch": found.state.theta,
        "bank": found.state.phi,
    }
    for name, angle in angles.items():
        table.add_row(Text(name, "dim"), f"{_round(math.degrees(angle), 3)}°")
    for one, value in zip(found.controls, found.inputs, strict=True):
        size = f"{_round(value, 5)} rad, {_round(math.degrees(value), 3)}°" if one.unit == "rad" else _round(value, 5)
        where = ", ".join(str(channel) for channel in one.channels)
        table.add_row(Text(one.name, "dim"), size, Text(f"channel {where} at {_round(one.command(value), 5)}", "dim"))
    left = max(abs(value) for value in found.residuals.tolist())
    table.add_row(Text("what is left", "dim"), f"{left:.1e} m/s², rad/s²")
    stdout().print(table)
    for said in found.free:
        stdout().print(Text(f"not determined, left at zero: {said}", "yellow"), soft_wrap=True)


def _show_modes(natural: list[Mode]) -> None:
    table = columns(
        "\nmode", "frequency\n[rad/s]", "damping\n", "period\n[s]", "time constant\n[s]", "eigenvalue\n[1/s]"
    )
    for mode in natural:
        swing = f" ± {mode.imaginary:.4f}i" if mode.imaginary else ""
        times = ("-" if value is None else f"{value:.4g}" for value in (mode.period, mode.time_constant))
        name = Text(mode.name, "bold")
        table.add_row(name, f"{mode.frequency:.4g}", f"{mode.damping:.3f}", *times, f"{mode.real:.4f}{swing}")
    stdout().print()
    stdout().print(table)


def _show_matrices(title: str, part: LinearModel) -> None:
    """The block of some states, with the controls that act on it."""
    acting = [i for i in range(len(part.inputs)) if abs(part.B[:, i]).max() > NOTHING]
    table = columns("", *part.states, "", *(part.inputs[i] for i in acting))
    for row, name in enumerate(part.states):
        table.add_row(Text(f"{name}_dot", "dim"), *map(_cell, part.A[row]), "", *map(_cell, part.B[row, acting]))
    stdout().print(f"\n[bold]{title}[/]")
    stdout().print(table)


def _cell(value: float) -> str:
    """Narrow enough for eight columns on a small terminal."""
    if abs(value) < NOTHING:
        return "0"
    return f"{value:.3f}" if abs(value) >= 5e-4 else f"{value:.0e}"


def _round(value: float, digits: int) -> str:
    """Without a minus before zeros."""
    return f"{round(value, digits) + 0.0:.{digits}f}"
