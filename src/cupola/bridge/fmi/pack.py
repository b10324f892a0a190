"""Pack a model in C, behind the two functions of `parts/external/c_model.py`, as an FMU: FMI 2 or 3, for this machine.

`python -m cupola.bridge.fmi.pack wing.c wing.fmu --version 3` does it from the command line.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from cupola.bridge.fmi.description import About, Declared, describe, library_place
from cupola.parts.external.c_model import INPUTS, OUTPUTS, PARAMETERS, STATES, open_library, variables
from cupola.schema.archives import add
from cupola.schema.whole_files import whole_file
from cupola.schema.yaml_files import InputError

HERE = Path(__file__).parent / "fmu"
WING = HERE / "wing.c"
"""The port-Hamiltonian wing that ships."""
GROUPS = {INPUTS: "input", OUTPUTS: "output", STATES: "local", PARAMETERS: "parameter"}
MODEL = '-DINSTANCE="instance.h"'
"""What the functions of FMI are wrapped around."""


def compile_library(sources: list[Path], target: Path, defines: Sequence[str] = ()) -> Path:
    """A shared library from C sources, with `$CC` or `cc`."""
    flags = ("-O2", "-ffp-contract=off", "-shared", "-fPIC", *defines)
    command = [os.environ.get("CC", "cc"), *flags, "-o", str(target), *map(str, sources), "-lm"]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except FileNotFoundError:
        raise InputError(f"there is no C compiler {command[0]!r} here; set CC to the name of yours") from None
    if done.returncode:
        raise InputError(f"{' '.join(command)}\n{done.stderr.strip()}")
    return target


def pack(source: Path, target: Path, version: int = 2, *, with_state: bool = True) -> Path:
    """Compile `source` and write the FMU `target`; `with_state` says whether it offers to give and take its state."""
    place = library_place(source.stem, version)
    about = About(source.stem, source.read_text(encoding="utf-8"), with_state, with_state)
    with tempfile.TemporaryDirectory() as folder:
        library = compile_library([source, HERE / f"fmi{version}.c"], Path(folder) / Path(place).name, [MODEL])
        opened = open_library(library)
        groups = {role: [Declared(*one) for one in variables(opened, which)] for which, role in GROUPS.items()}
        with whole_file(target) as new, zipfile.ZipFile(new.file, "w", zipfile.ZIP_DEFLATED) as archive:
            add(archive, "modelDescription.xml", describe(about, groups, version))
            add(archive, place, library.read_bytes())
    return target


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Pack a model in C as an FMU.")
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--version", type=int, choices=(2, 3), default=2)
    given = parser.parse_args()
    try:
        print(pack(given.source, given.target, given.version))
    except (InputError, ValueError, OSError) as error:
        sys.exit(str(error))
