"""`cupola import`: models of other simulators as vehicle folders."""

from pathlib import Path

from cupola.bridge.dave_ml.vehicle import import_dave_ml
from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.bridge.last_letter.folder import import_folder
from cupola.bridge.sdf.folder import Imported, import_file
from cupola.cli.screen import columns, say, show_json, stdout
from cupola.schema.input_files import InputError, finite


def bring(
    source: Path, out: Path | None, model: str | None, models: tuple[Path, ...], given: tuple[str, ...], as_json: bool
) -> None:
    """Write the vehicle folder, tell what was lost on the way and what looks wrong."""
    made = _made(source, out, model, models, _given(given))
    command = f"cupola run {made.run}"
    if as_json:
        lost = [{"what": what, "why": why} for what, why in made.lost]
        renamed = [{"mesh": mesh, "called": called} for mesh, called in made.renamed]
        said = {"not_carried_over": lost, "renamed": renamed, "looks_wrong": made.warnings}
        show_json({"made": made.folder, **said, "next": command})
        return
    if made.lost:
        say("not carried over, also listed in its README.md:")
        table = columns("what", "why")
        for what, why in made.lost:
            table.add_row(what, why)
        stdout().print(table, markup=False)
    for mesh, called in made.renamed:
        stdout().print(f"the mesh {mesh} is called {called}", markup=False, soft_wrap=True)
    for warning in made.warnings:
        stdout().print(f"looks wrong: {warning}", markup=False, soft_wrap=True)
    stdout().print(f"wrote {made.folder}\n\nnow type: {command}", markup=False, soft_wrap=True)


def _given(pairs: tuple[str, ...]) -> dict[str, float]:
    """`NAME=VALUE` of --set."""
    found = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        value = finite(text)
        if not sign or value is None:
            raise InputError(f"--set: expected NAME=VALUE with a number, got {pair!r}")
        found[name.strip()] = value
    return found


def _made(
    source: Path, out: Path | None, model: str | None, models: tuple[Path, ...], given: dict[str, float]
) -> Imported:
    """By ending, root element and content: DAVE-ML, JSBSim, Gazebo, Last_letter_2."""
    if source.suffix == ".dml" or (source.is_dir() and any(source.glob("*.dml"))):
        aircraft = import_dave_ml(source, out or Path(source.stem.lower()), model, given)
        return Imported(aircraft.folder, aircraft.lost, [], aircraft.folder / "vehicle.yaml")
    if given:
        raise InputError("--set gives inputs of DAVE-ML files; other models have none")
    if source.suffix == ".xml" and source.is_file():
        flown = import_jsbsim(source, out or Path(source.stem.lower()))
        return Imported(flown.folder, flown.lost, [], flown.folder / "vehicle.yaml")
    if source.is_dir() and not (source / "model.sdf").is_file():
        made = import_folder(source, out or Path(source.resolve().name))
        return Imported(made.folder, made.lost, [], made.folder / "vehicle.yaml")
    file = source / "model.sdf" if source.is_dir() else source
    name = file.resolve().parent.name if file.stem == "model" else file.name.partition(".")[0]
    return import_file(file, out or Path(name), model, models)
