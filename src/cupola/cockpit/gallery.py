"""What a page can load: the scenarios and vehicles that ship, with pictures, and files of the user."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from cupola.cockpit.built_page import find_pictures
from cupola.cockpit.messages import Gallery, GalleryEntry
from cupola.config.scenario import Scenario, find_scenario, shipped_scenarios
from cupola.config.vehicle import MODELS, Vehicle, shipped_vehicles
from cupola.schema.input_files import listed, looks
from cupola.schema.yaml_files import read

FAMILIES = {
    "flying": ("quadcopter", "hexacopter", "crazyflie", "plane", "vtol", "xcell", "aerosonde", "cessna"),
    "driving": ("velma",),
    "space": ("cepheus", "servicer"),
    "wings": ("robird", "gull", "flapper", "morphing"),
}
"""How the names of the vehicles of a family begin."""
OTHERS, VEHICLES, OWN, RECORDINGS = "others", "vehicles", "your files", "recordings"
RECORDING = ".mcap"
MOST = 100
"""Files of the user that are offered, of each kind: the newest."""
LARGEST = 200_000
"""[bytes] of a file that is looked into for what it is."""
SKIPPED = ("node_modules", "__pycache__")


def family_of(model: str) -> str:
    """The family of a vehicle."""
    return next((name for name, starts in FAMILIES.items() if model.startswith(starts)), OTHERS)


def gallery(folder: Path, out: Path, started: str = "") -> Gallery:
    """Everything: what ships, what was `started`, what lies in `folder` and one level below it, and what was written to
    `out`."""
    own = [*_own(folder, out)]
    known = {entry.name for entry in (*_shipped(), *own)}
    first = [_entry(started, "What was asked for.", OWN)] if started and started not in known else []
    return Gallery(entries=[*_shipped(), *first, *own])


@cache
def _shipped() -> tuple[GalleryEntry, ...]:
    """Scenarios by family, then vehicles, with the picture of the first scenario that begins with it or their own."""
    scenarios, first = [], _first_scenarios()
    for name in shipped_scenarios():
        scenario, _ = find_scenario(name)
        scenarios.append(_entry(name, scenario.about, family_of(scenario.vehicles[0].model), _picture(name)))
    order = [*FAMILIES, OTHERS]
    scenarios.sort(key=lambda one: order.index(one.group))
    vehicles = [
        _entry(name, read(MODELS / name / "vehicle.yaml", Vehicle).about, VEHICLES, _picture(first.get(name, name)))
        for name in shipped_vehicles()
        if name not in shipped_scenarios()
    ]
    return (*scenarios, *vehicles)


def wanted_pictures() -> list[str]:
    """Scenarios, and vehicles that no scenario begins with."""
    first = _first_scenarios()
    return [*shipped_scenarios(), *(name for name in shipped_vehicles() if name not in first)]


def _first_scenarios() -> dict[str, str]:
    """Of each vehicle the first scenario that begins with it."""
    found: dict[str, str] = {}
    for name in shipped_scenarios():
        found.setdefault(find_scenario(name)[0].vehicles[0].model, name)
    return found


def _picture(name: str) -> str:
    there = find_pictures()
    return f"{name}.png" if there and (there / f"{name}.png").is_file() else ""


def _own(folder: Path, out: Path) -> Iterator[GalleryEntry]:
    """Scenario files, folders of vehicles and recordings of the user, the newest first."""
    files = list(dict.fromkeys(path for home in (folder, out) for path in _files(home)))
    kinds = {path: _kind(path) for path in files}
    for kind, group in ((Scenario, OWN), (Vehicle, OWN), (RECORDING, RECORDINGS)):
        for path in _newest(path for path in files if kinds[path] is kind):
            shown = path.relative_to(folder) if path.is_relative_to(folder) else path
            title = path.parent.name if path.name == "vehicle.yaml" else path.name
            yield GalleryEntry(name=str(shown), title=title, about=str(shown), group=group, picture="")


def _files(folder: Path) -> Iterator[Path]:
    """Files in a folder and one level below it, without what is hidden."""
    for one in _inside(folder):
        if looks(one.is_file):
            yield one
        elif looks(one.is_dir) and not one.is_symlink():
            yield from (path for path in _inside(one) if looks(path.is_file))


def _inside(folder: Path) -> list[Path]:
    return [one for one in listed(folder) if not one.name.startswith(".") and one.name not in SKIPPED]


def _kind(path: Path) -> object:
    """`Scenario`, `Vehicle`, a recording, or None; by its name and the keys that its lines begin with."""
    if path.suffix == RECORDING:
        return RECORDING
    if path.name == "vehicle.yaml":
        return Vehicle
    try:
        if path.suffix != ".yaml" or path.stat().st_size > LARGEST:
            return None
        return Scenario if re.search(r"^vehicles[ \t]*:", path.read_text(errors="replace"), re.MULTILINE) else None
    except OSError:
        return None


def _newest(paths: Iterable[Path]) -> list[Path]:
    def age(path: Path) -> float:
        try:
            return path.stat().st_mtime
        except OSError:  # gone meanwhile
            return 0.0

    return sorted(paths, key=age, reverse=True)[:MOST]


def _entry(name: str, about: str, group: str, picture: str = "") -> GalleryEntry:
    return GalleryEntry(name=name, title=name, about=about, group=group, picture=picture)
