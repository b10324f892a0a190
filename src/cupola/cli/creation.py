"""`cupola new`: working starting points, from the files in `templates/`."""

import re
from pathlib import Path
from string import Template

from cupola.bridge.new_folder import new_folder
from cupola.cli.screen import show_json, stdout
from cupola.config.vehicle import MODELS, shipped_vehicles
from cupola.config.vehicle_copy import files_of_copy
from cupola.schema.whole_files import write_whole
from cupola.schema.yaml_files import InputError

TEMPLATES = Path(__file__).parents[1] / "templates"
EXAMPLES = (Path(__file__).parents[1] / "examples", Path(__file__).parents[3] / "examples")
"""Where the examples lie: in an installed package, and in a checkout."""


FAMILIES = {
    "base": "velma_base",
    "arm": "cepheus",
    "bird": "robird",
    "plane": "plane_1wing",
    "multirotor": "quadcopter",
}
"""Names of families, and the shipped vehicle of each."""
BEGINNINGS = ("flying_wing", "coaxial")
"""Vehicles that ship as templates only."""


def vehicle(name: str, directory: Path, like: str | None, as_json: bool) -> None:
    """A folder with a vehicle that flies: a small quadcopter, a flying wing, a coaxial, or a copy of a shipped one."""
    _check_name(name)
    folder = directory / name
    kind = like.replace(" ", "_").replace("-", "_") if like else "vehicle"
    if like is not None and kind not in BEGINNINGS:
        copy_of(like, name, folder, as_json)
        return
    sources = sorted((TEMPLATES / kind).iterdir())
    files = {source.name: _filled(source, {"name": name}) for source in sources}
    _show(folder, _fill(folder, files), f"cupola run {folder / 'vehicle.yaml'}", as_json)


def copy_of(like: str, name: str, folder: Path, as_json: bool) -> None:
    """A copy of a shipped vehicle with all its files."""
    shipped = shipped_vehicles()
    home = MODELS / FAMILIES.get(like, like)
    if home.name not in shipped:
        words = ", ".join([*FAMILIES, *BEGINNINGS, *shipped])
        raise InputError(f"--like {like}: there is no such vehicle; there are: {words}")
    files = files_of_copy(home)
    origin = f"Begun as a copy of `{home.name}`, whose README follows: its numbers hold until you change them."
    if "README.md" in files:
        files["README.md"] = f"# {name}\n\n{origin}\n\n".encode() + files["README.md"]
    _show(folder, _fill(folder, files), f"cupola run {folder / 'vehicle.yaml'}", as_json)


def examples(directory: Path, as_json: bool) -> None:
    """A copy of all examples: scripts, notebooks and two vehicles."""
    home = next((folder for folder in EXAMPLES if folder.is_dir()), None)
    if home is None:
        raise InputError(f"this installation holds no examples; looked in {' and '.join(map(str, EXAMPLES))}")
    folder = directory / "examples"
    sources = [path for path in sorted(home.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    files = {str(path.relative_to(home)): path.read_bytes() for path in sources}
    _show(folder, _fill(folder, files), f"python {folder / 'fly_square.py'}", as_json)


def notebook(name: str, directory: Path, as_json: bool) -> None:
    """A notebook that loads, flies, records and draws."""
    _check_name(name)
    path = directory / f"{name}.ipynb"
    _write(path, "notebook.ipynb.template", {"name": name})
    _show(path, [path], f"jupyter lab {path}", as_json)


def study(name: str, directory: Path, as_json: bool) -> None:
    """A script that flies a scenario for several values of a parameter and prints a table."""
    _check_name(name)
    path = directory / f"{name}.py"
    _write(path, "study.py.template", {"name": name})
    _show(path, [path], f"python {path}", as_json)


def controller(name: str, directory: Path, as_json: bool) -> None:
    """A file with a controller that holds a height."""
    _check_name(name)
    path = directory / f"{name}.py"
    class_name = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    _write(path, "controller.py.template", {"name": name, "class_name": class_name})
    _show(path, [path], f"cupola run quadcopter --controller {path}:{class_name}", as_json)


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise InputError(f"{name!r} is not a valid name: use a letter, then letters, digits and _")


def _filled(template: Path, words: dict[str, str]) -> bytes:
    return Template(template.read_text(encoding="utf-8")).substitute(words).encode()


def _fill(folder: Path, files: dict[str, bytes]) -> list[Path]:
    """A new folder with these files, complete or absent."""
    with new_folder(folder, "another name") as made:
        for name, content in files.items():
            (made / name).parent.mkdir(parents=True, exist_ok=True)
            (made / name).write_bytes(content)
    return [folder / name for name in files]


def _write(path: Path, template: str, words: dict[str, str]) -> None:
    """One file of a template; none that exists is replaced."""
    if path.exists():
        raise InputError(f"{path} exists already; nothing was written, choose another name")
    try:
        write_whole(path, _filled(TEMPLATES / template, words))
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}") from None


def _show(made: Path, files: list[Path], command: str, as_json: bool) -> None:
    if as_json:
        show_json({"made": made, "files": files, "next": command})
        return
    for path in files:
        stdout().print(f"wrote {path}", markup=False, soft_wrap=True)
    stdout().print(f"\nnow type: {command}", markup=False, soft_wrap=True)
