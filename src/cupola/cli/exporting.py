"""`cupola export`: recordings as tables for other programs, and scenarios as FMUs."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from cupola.cli.drawing import check_file
from cupola.cli.screen import listen, show_json, stdout, waiting
from cupola.schema.yaml_files import InputError

VIEWERS = {"foxglove": ".foxglove.mcap", "rerun": ".rrd"}
"""Formats with one file for a viewer, and the file extension."""


class Loaded(NamedTuple):
    """The scenario with its options."""

    name: str
    controllers: tuple[str, ...]
    parameters: tuple[str, ...]
    seed: int | None


class Ports(NamedTuple):
    """Inputs and outputs of an FMU."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    version: int


def recording(
    name: str, scenario: str | None, form: str | None, out: list[str], given: Mapping[str, Any], as_json: bool
) -> None:
    """Write the topics of a recording as files for other programs."""
    listen()
    if name == "fmu":
        raise InputError("export fmu: needs a scenario or vehicle, as in `cupola export fmu quadcopter`")
    if scenario is not None:
        raise InputError(f"{name} {scenario}: a recording, or `fmu` and a scenario")
    if wrong := [option for option, value in given.items() if value is not None]:
        raise InputError(f"{wrong[0]}: is for `cupola export fmu SCENARIO`; {name} is a recording")
    if len(out) > 1:
        raise InputError(f"--out: one folder or file, got {', '.join(out)}")
    file, form = Path(name), form or "parquet"
    check_file(file)
    with waiting(f"writing {file.name} as {form}"):
        written = _view(file, form, out) if form in VIEWERS else _tables(file, form, out)
    if as_json:
        show_json({"recording": file, "tables" if form not in VIEWERS else "files": written})
    else:
        for path in written:
            stdout().print(str(path), markup=False, soft_wrap=True)


def _tables(file: Path, form: str, out: list[str]) -> list[Path]:
    from cupola.record import write_csv, write_parquet

    folder = Path(out[0]) if out else file.with_suffix("")
    return list((write_csv if form == "csv" else write_parquet)(file, folder))


def _view(file: Path, form: str, out: list[str]) -> list[Path]:
    from cupola.bridge.viewers.recorded import write_foxglove, write_rerun

    target = Path(out[0]) if out else file.with_suffix(VIEWERS[form])
    if target.resolve() == file.resolve():
        raise InputError(f"--out: {target} is the recording itself")
    target.parent.mkdir(parents=True, exist_ok=True)
    return [(write_foxglove if form == "foxglove" else write_rerun)(file, target)]


def fmu(loaded: Loaded, ports: Ports, to: Path | None, form: str | None, as_json: bool) -> None:
    """Write a scenario as an FMU; print its inputs and outputs."""
    if form is not None:
        raise InputError("--format: is for recordings; an FMU has one")
    with waiting(f"loading {loaded.name}"):
        from cupola.bridge.fmi.export import export_fmu, refuse_code
        from cupola.cli import flight, target
        from cupola.config.own_code import code_in
        from cupola.config.resolved_vehicle import resolve_vehicles
    found = target.find(loaded.name)
    refuse_code(code_in(resolve_vehicles(found.scenario, found.folder, {}, found.file)))
    options = flight.RunOptions(
        loaded.name, controllers=loaded.controllers, parameters=loaded.parameters, seed=loaded.seed, record=False
    )
    world = flight.load_world(options)
    with waiting(f"packing {world.name}"):
        made = export_fmu(world, to or Path(f"{world.name}.fmu"), ports.inputs, ports.outputs, ports.version)
    if as_json:
        show_json({**made._asdict(), "fmi": ports.version})
        return
    say = stdout().print
    say(f"{made.path}: FMI {ports.version}, co-simulation", markup=False, soft_wrap=True)
    say(f"takes:    {', '.join(made.inputs) or 'nothing; add inputs with --in'}", markup=False, soft_wrap=True)
    say(f"gives:    {', '.join(made.outputs)}", markup=False, soft_wrap=True)
    say(f"steps:    multiples of {made.dt:g} s", markup=False, soft_wrap=True)
    say("needs:    cupola in the Python that CUPOLA_PYTHON names, else this one", markup=False, soft_wrap=True)
