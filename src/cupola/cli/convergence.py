"""`cupola check --converge`: time-step error of the measures of a scenario."""

from cupola.analysis.convergence import BAR, Change, compared, converge
from cupola.cli import target
from cupola.cli.screen import columns, listen, say, show_json, stdout, waiting
from cupola.config.scenario import shipped_scenarios
from cupola.schema.yaml_files import InputError

ALL = "all"


def show(name: str, as_json: bool) -> None:
    """Run at the step of the file and at half of it, and print both with their difference."""
    listen()
    told = {}
    for one in shipped_scenarios() if name == ALL else [name]:
        found = target.find(one)
        if not found.scenario.measures:
            raise InputError(f"{found.file}: it has no measures to compare; write some under `measures:`")
        with waiting(f"running {found.name} at {found.scenario.physics_hz} Hz and at twice that"):
            changes = converge(found.scenario, found.folder, found.name, found.file)
        told[found.name] = changes
        if (part := compared(found.scenario)) < found.scenario.duration:
            whole = found.scenario.duration
            say(f"{found.name} lasts {whole:g} s, for flying by hand: its first {part:g} s are compared")
        if not as_json:
            _print(found.name, found.scenario.physics_hz, changes)
    if as_json:
        show_json({key: [{**c._asdict(), "change": c.share} for c in changes] for key, changes in told.items()})


def _print(name: str, physics_hz: int, changes: list[Change]) -> None:
    table = columns()
    for title in (name, f"{physics_hz} Hz", f"{2 * physics_hz} Hz", "change"):
        table.add_column(title, no_wrap=True)
    for one in changes:
        share = "only one of them" if one.share == float("inf") else f"{100 * one.share:.2g} %"
        style = "yellow" if one.share > BAR else ""
        table.add_row(one.measure, _value(one.coarse, one.unit), _value(one.fine, one.unit), share, style=style)
    stdout().print(table)


def _value(value: float | None, unit: str) -> str:
    return "never" if value is None else f"{value:.6g} {'' if unit == '1' else unit}".strip()
