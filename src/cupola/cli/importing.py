"""`cupola import`: models of other simulators as vehicle folders."""

from collections.abc import Iterable
from functools import partial
from pathlib import Path

from cupola.bridge.avl.vehicle import import_avl
from cupola.bridge.dave_ml.vehicle import import_dave_ml
from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.bridge.last_letter.folder import folder_of, import_folder, is_model_folder
from cupola.bridge.lost import alike
from cupola.bridge.mjcf.folder import import_mjcf, mjcf_name
from cupola.bridge.outcome import Imported
from cupola.bridge.report import Repair, Report
from cupola.bridge.sdf.dialect import DIALECTS
from cupola.bridge.sdf.document import is_sdf_folder, model_of
from cupola.bridge.sdf.folder import SUFFIXES, import_file
from cupola.cli.screen import columns, say, show_json, stderr, stdout
from cupola.config.vehicle import read_vehicle
from cupola.schema.input_files import InputError, finite, looks
from cupola.schema.xml_files import read_xml

PLACES = ("models", "worlds", "urdf")
FILES = (".world", ".sdf", ".urdf", ".xacro")
XACROS = (".xacro", ".gazebo")
"""Endings of files that have arguments."""
OTHERS = (".xml", ".mjcf", ".dml", ".avl")
"""Endings of files that are not Gazebo's."""
SHOWN = 12
"""Models that an error names at most."""


def bring(
    source: Path,
    out: Path | None,
    model: str | None,
    models: tuple[Path, ...],
    given: tuple[str, ...],
    as_json: bool,
    dialect: str | None = None,
    verbose: bool = False,
) -> None:
    """Write the vehicle folder; print what it is, its controller, repairs, losses and the next command."""
    if dialect is not None and dialect not in DIALECTS:
        raise InputError(f"--dialect: there is no {dialect!r}; there are: {', '.join(DIALECTS)}")
    made = _made(source, out, model, models, _given(given), dialect)
    if as_json:
        said = {"is": made.what, "flown_by": made.flown_by, **made.report.as_dict()}
        show_json({"made": made.folder, **said, "next": made.next})
        return
    for warning in made.warnings:
        say(warning, title="looks wrong: ", style="yellow")
    if verbose:
        _details(made)
    elif made.lost or made.report.assumed:
        counts = f"{len(made.lost)} not carried over, {len(made.report.assumed)} taken for granted"
        say(f"{counts}: README.md lists them by kind, import.json one by one, --verbose does here")
    for title, text in made.lines():
        _line(f"{title + ':':<10}{text}")


def _details(made: Imported) -> None:
    """Print all notes, beside the results."""
    table = columns("not carried over", "why")
    for what, why in alike(made.lost):
        table.add_row(what, why)
    stderr().print(table, markup=False)
    for row in made.report.repaired:
        say(f"{row.what}: {row.was} became {row.now}: {row.why}", title="repaired: ")
    for what, taken in made.report.assumed:
        say(f"{what}: {taken}", title="taken for granted: ")
    for mesh, called in made.renamed:
        say(f"the mesh {mesh} is called {called}")


def _line(text: str) -> None:
    stdout().print(text, markup=False, soft_wrap=True)


def _given(pairs: tuple[str, ...]) -> dict[str, str]:
    """`NAME=VALUE` of --set."""
    found = {}
    for pair in pairs:
        name, sign, text = pair.partition("=")
        if not sign or not name.strip():
            raise InputError(f"--set: expected NAME=VALUE, got {pair!r}")
        found[name.strip()] = text
    return found


def _numbers(given: dict[str, str]) -> dict[str, float]:
    """The same where only numbers will do."""
    found = {name: finite(text) for name, text in given.items()}
    for name, value in found.items():
        if value is None:
            raise InputError(f"--set: expected NAME=VALUE with a number, got '{name}={given[name]}'")
    return {name: value for name, value in found.items() if value is not None}


def _made(
    source: Path,
    out: Path | None,
    model: str | None,
    models: tuple[Path, ...],
    given: dict[str, str],
    dialect: str | None,
) -> Imported:
    """By ending, root element and content: DAVE-ML, AVL, MuJoCo, JSBSim, Gazebo, Last_letter_2."""
    if source.suffix == ".dml" or (source.is_dir() and any(source.glob("*.dml"))):
        aircraft = import_dave_ml(source, out or Path(source.stem.lower()), model, _numbers(given))
        return _told(aircraft.folder, aircraft.lost)
    if given and source.suffix not in XACROS:
        raise InputError("--set gives inputs of DAVE-ML files and arguments of xacro files; other models have none")
    if source.is_dir() and _is_jsbsim(own := source / f"{source.resolve().name}.xml"):
        source = own  # JSBSim's own rule: the file has the name of its folder
    if source.suffix == ".avl":
        return import_avl(source, out or Path(source.stem.lower()))
    if source.suffix in (".xml", ".mjcf") and source.is_file():
        tag = read_xml(source).tag
        if tag == "mujoco":
            return import_mjcf(source, out or Path(mjcf_name(source)), model)
        if tag == "mujocoinclude":
            raise InputError(f"{source}: a piece of a MuJoCo model, <{tag}>; import the file that includes it")
        flown = import_jsbsim(source, out or Path(source.stem.lower()))
        return _told(flown.folder, flown.lost, flown.repaired)
    if source.is_file() and (folder := folder_of(source)):
        said = "wings, motors, channels and sensors of a model of Last_letter_2 stand in several files of its folder"
        raise InputError(f"{source}: {said}; import the folder: cupola import {folder}")
    if source.is_file() and not source.name.endswith(tuple(SUFFIXES)):
        raise InputError(f"{source}: expected a file ending in {', '.join((*SUFFIXES, *OTHERS))}")
    if source.is_dir() and not is_sdf_folder(source):
        if not is_model_folder(source) and (inside := _models_in(source)):
            named = ", ".join(inside[:SHOWN]) + (f" and {len(inside) - SHOWN} more" if len(inside) > SHOWN else "")
            one = source / inside[0]
            raise InputError(f"{source}: holds {len(inside)} models: {named}; import one: cupola import {one}")
        return import_folder(source, out or Path(source.resolve().name), models)
    file = model_of(source, Report()) if source.is_dir() else source
    name = source.resolve().name if source.is_dir() else file.name.partition(".")[0]
    if file.stem == "model" and not source.is_dir():
        name = file.resolve().parent.name
    return import_file(file, out or Path(name), model, models, dialect, given)


def _is_jsbsim(file: Path) -> bool:
    return file.is_file() and read_xml(file).tag == "fdm_config"


def _models_in(source: Path) -> list[str]:
    """Models, worlds and model folders in a folder, and in its folders `models`, `worlds` and `urdf`."""
    folders = [source, *(source / name for name in PLACES if (source / name).is_dir())]
    inside = [path for folder in folders for path in folder.iterdir()]
    return sorted(str(path.relative_to(source)) for path in inside if looks(partial(_is_model, path)))


def _is_model(path: Path) -> bool:
    if path.is_dir():
        return is_sdf_folder(path) or is_model_folder(path)
    return path.name.endswith(FILES)


def _told(folder: Path, lost: Iterable[tuple[str, str]], repaired: Iterable[Repair] = ()) -> Imported:
    """Outcome of an importer that has no report of its own."""
    report = Report()
    report.lost += lost
    report.repaired += repaired
    vehicle = read_vehicle(folder / "vehicle.yaml")
    return Imported(folder, report, folder / "vehicle.yaml", vehicle.about, vehicle.controller.use)
