"""`cupola new`: working starting points, from the files in `templates/`."""

import re
from pathlib import Path
from string import Template

from cupola.cli.screen import show_json, stdout
from cupola.schema.yaml_files import InputError

TEMPLATES = Path(__file__).parents[1] / "templates"


def vehicle(name: str, directory: Path, as_json: bool) -> None:
    """A folder with a vehicle that flies."""
    _check_name(name)
    folder = directory / name
    sources = sorted((TEMPLATES / "vehicle").iterdir())
    _write({folder / source.name: source for source in sources}, {"name": name})
    _show(folder, [folder / source.name for source in sources], f"cupola run {folder / 'vehicle.yaml'}", as_json)


def controller(name: str, directory: Path, as_json: bool) -> None:
    """A file with a controller that holds a height."""
    _check_name(name)
    path = directory / f"{name}.py"
    class_name = "".join(word[:1].upper() + word[1:] for word in name.split("_"))
    _write({path: TEMPLATES / "controller.py.template"}, {"name": name, "class_name": class_name})
    _show(path, [path], f"cupola run quadcopter --controller {path}:{class_name}", as_json)


def _check_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name):
        raise InputError(f"{name!r} cannot be a name: begin with a letter, then letters, digits and _ only")


def _write(sources: dict[Path, Path], words: dict[str, str]) -> None:
    """Fill in the templates; all files or none, and none that exists."""
    if there := [path for path in sources if path.exists()]:
        raise InputError(f"{there[0]} exists already; nothing was written, choose another name")
    for path, source in sources.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            text = Template(source.read_text(encoding="utf-8")).substitute(words)
            with path.open("x", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from None


def _show(made: Path, files: list[Path], command: str, as_json: bool) -> None:
    if as_json:
        show_json({"made": made, "files": files, "next": command})
        return
    for path in files:
        stdout().print(f"wrote {path}", markup=False, soft_wrap=True)
    stdout().print(f"\nnow type: {command}", markup=False, soft_wrap=True)
