"""A world in which nothing can move is a place to fly in: a scenario with a vehicle of ours as a guest."""

from pathlib import Path
from typing import Any

from cupola.bridge.report import Report
from cupola.bridge.sdf.document import Document
from cupola.bridge.sdf.world import read_surroundings
from cupola.bridge.vehicle_text import vehicle_text

GUEST = "quadcopter"
"""The shipped vehicle that flies in it."""


def write_place(document: Document, folder: Path, report: Report) -> tuple[str, str]:
    """`scenario.yaml` and README.md of a world without a vehicle; what it is, and who flies in it."""
    name = document.path.name
    around: dict[str, Any] = read_surroundings(document)
    around.pop("physics_hz", None)
    report.assume("vehicle", f"nothing in {name} can move: our {GUEST} flies in it, at its own rate")
    scenario = {"about": f"{name}, imported", "duration": 20, **around, "vehicles": [{"model": GUEST}]}
    (folder / "scenario.yaml").write_text(vehicle_text(scenario), encoding="utf-8")
    floor = "a floor" if around.get("floor") else "no floor"
    what = f"{document.path.stem}, a place to fly in: {floor}, {len(around.get('obstacles', []))} obstacles"
    flown_by = f"{GUEST}, a guest; another vehicle is named under `vehicles:` of its scenario.yaml"
    lines = [f"# {document.path.stem}", "", f"Imported from `{name}` by `cupola import`: {what}.", ""]
    (folder / "README.md").write_text("\n".join([*lines, *report.sections()]), encoding="utf-8")
    report.write(folder, source=name, what=what, flown_by=flown_by)
    return what, flown_by
