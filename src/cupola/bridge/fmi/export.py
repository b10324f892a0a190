"""A world as an FMU for co-simulation, FMI 2 or 3: `cupola export fmu`.

The archive holds the scenario and every file that it needs, as a recording does, and a small library that starts
`bridge/fmi/unit.py` in a process of its own: the machine that runs it needs Cupola, and nothing of this machine.
"""

import json
import re
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from cupola.bridge.fmi.description import About, Declared, describe, library_place
from cupola.bridge.fmi.pack import HERE, compile_library
from cupola.bridge.fmi.unit import ABOUT, Unit
from cupola.record.held_files import FILES, SCENARIO
from cupola.record.provenance import provenance
from cupola.record.world_recorder import SIGNALS, attachments
from cupola.schema.archives import add
from cupola.schema.trust import Code
from cupola.schema.whole_files import whole_file
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

VERSIONS = (2, 3)
MOTION = ("position", "attitude", "velocity", "rate_b")
"""Groups of signals of every vehicle that are given if nothing is asked for."""


class Exported(NamedTuple):
    """What was written."""

    path: Path
    inputs: list[str]
    outputs: list[str]
    dt: float
    """[s] of which every step must be a multiple."""


def export_fmu(
    world: World, target: Path, inputs: Sequence[str] = (), outputs: Sequence[str] = (), version: int = 2
) -> Exported:
    """Write the world, from its start, as an FMU; `inputs` and `outputs` are names of signals or of groups of them."""
    _check(world, version)
    name = re.sub(r"\W", "_", world.name, flags=re.ASCII)
    name = name if name[:1].isalpha() else f"w{name}"
    wanted = list(outputs) or [f"{one.name}.{group}" for one in world.instances for group in MOTION]
    told = {"name": name, "inputs": list(inputs), "outputs": wanted, "versions": provenance()}
    held = {key: value.encode() if isinstance(value, str) else value for key, value in attachments(world).items()}
    del held[SIGNALS]
    resources = {**held, ABOUT: json.dumps(told, indent=1).encode()}
    place = library_place(name, version)
    with tempfile.TemporaryDirectory(prefix="cupola-fmu-") as temporary:
        folder = Path(temporary)
        for file, content in resources.items():
            path = folder / "resources" / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        unit = Unit(folder / "resources")  # opened as it will be: what is wrong is said now
        defines = ['-DINSTANCE="world.h"', f'-DPYTHON="{_escaped(sys.executable)}"']
        library = compile_library([HERE / f"fmi{version}.c"], folder / Path(place).name, defines)
        with whole_file(target) as new, zipfile.ZipFile(new.file, "w", zipfile.ZIP_DEFLATED) as archive:
            add(archive, "modelDescription.xml", _description(unit, held, version))
            add(archive, place, library.read_bytes())
            for file, content in resources.items():
                add(archive, f"resources/{file}", content)
    return Exported(target, [one.name for one in unit.inputs], [one.name for one in unit.outputs], unit.world.dt)


def _check(world: World, version: int) -> None:
    if version not in VERSIONS:
        raise InputError(f"version: FMI 2 or 3, got {version}")
    if sys.platform == "win32":
        raise InputError("an FMU of a world is for Linux and macOS: it needs sockets that a process inherits")
    refuse_code(code for one in world.instances for code in one.resolved.code)
    if world.tick:
        raise InputError(f"an FMU begins at the start, and this world is at {world.time:g} s: reset() it first")


def refuse_code(found: Iterable[Code]) -> None:
    """An InputError that names the code, if there is any."""
    if names := dict.fromkeys(str(code.where) for code in found):
        raise InputError(f"an FMU carries no code of yours, and this world runs {', '.join(names)}")


def _description(unit: Unit, held: dict[str, bytes], version: int) -> str:
    world = unit.world
    source = "\n".join([held[SCENARIO].decode(), held[FILES].decode(), *(one.name for one in unit.outputs)])
    about = About(world.name, source, serializes_state=False, step=world.dt, duration=float(world.scenario.duration))
    seed = Declared("seed", 1, float(world.arrays.world["seed"][0]))
    groups = {
        "input": [Declared(one.name, 1, one.start, one.unit) for one in unit.inputs],
        "output": [Declared(one.name, 1, 0.0, "" if one.unit == "1" else one.unit) for one in unit.outputs],
        "parameter": [seed],
    }
    return describe(about, groups, version)


def _escaped(text: str) -> str:
    """As a string in C."""
    return text.replace("\\", "\\\\").replace('"', '\\"')


__all__ = ["Exported", "export_fmu", "refuse_code"]
