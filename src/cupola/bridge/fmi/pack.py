"""Pack a model in C, behind the two functions of `parts/external/c_model.py`, as an FMU: FMI 2 or 3, for this machine.

`python -m cupola.bridge.fmi.pack wing.c wing.fmu --version 3` does it from the command line.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import uuid
import zipfile
from pathlib import Path
from xml.sax.saxutils import quoteattr

from cupola.parts.external.c_model import INPUTS, OUTPUTS, PARAMETERS, STATES, Variable, open_library, variables
from cupola.schema.yaml_files import InputError

HERE = Path(__file__).parent / "fmu"
WING = HERE / "wing.c"
"""The port-Hamiltonian wing that ships."""
SYSTEMS = {"linux": ("linux", ".so"), "darwin": ("darwin", ".dylib"), "win32": ("windows", ".dll")}
MACHINES = {"x86_64": "x86_64", "AMD64": "x86_64", "aarch64": "aarch64", "arm64": "aarch64"}
GROUPS = {INPUTS: "input", OUTPUTS: "output", STATES: "local", PARAMETERS: "parameter"}
KIND = {"input": "continuous", "output": "continuous", "local": "continuous", "parameter": "fixed"}
CAN = 'canHandleVariableCommunicationStepSize="true" canGetAndSetFMUstate="{0}" canSerializeFMUstate="{0}"'


def compile_library(sources: list[Path], target: Path) -> Path:
    """A shared library from C sources, with `$CC` or `cc`."""
    flags = ("-O2", "-ffp-contract=off", "-shared", "-fPIC")
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
    system, ending = SYSTEMS[sys.platform]
    machine = MACHINES[platform.machine()]
    bits = {"windows": "win"}.get(system, system) + "64"
    place = f"binaries/{bits if version == 2 else f'{machine}-{system}'}/{source.stem}{ending}"
    with tempfile.TemporaryDirectory() as folder:
        library = compile_library([source, HERE / f"fmi{version}.c"], Path(folder) / f"model{ending}")
        opened = open_library(library)
        groups = {role: variables(opened, which) for which, role in GROUPS.items()}
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("modelDescription.xml", describe(source, groups, version, with_state))
            archive.write(library, place)
    return target


def describe(source: Path, groups: dict[str, list[Variable]], version: int, with_state: bool) -> str:
    """The text of `modelDescription.xml`."""
    name, can = quoteattr(source.stem), CAN.format(str(with_state).lower())
    can = can.replace("FMUstate", "FMUState") if version == 3 else can
    token = uuid.uuid5(uuid.NAMESPACE_URL, source.read_text(encoding="utf-8"))
    known, outputs, at, index = [], [], 0, 0
    for role, found in groups.items():
        for one in found:
            for text in _declared(one, role, at, version):
                index += 1
                known.append(text)
                if role == "output":
                    unknown = f'<Unknown index="{index}"/>' if version == 2 else f'<Output valueReference="{at}"/>'
                    outputs.append(unknown)
            at += one.size
    listed = "".join(outputs)
    if version == 2:
        structure = f"<Outputs>{listed}</Outputs><InitialUnknowns>{listed}</InitialUnknowns>"
    else:
        known.append(f'<Float64 name="time" valueReference="{at}" causality="independent" variability="continuous"/>')
        structure = listed + listed.replace("<Output ", "<InitialUnknown ")
    key = "guid" if version == 2 else "instantiationToken"
    head = f'fmiVersion="{version}.0" modelName={name} {key}="{{{token}}}"'
    log = '<LogCategories><Category name="logStatusError"/></LogCategories>'
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<fmiModelDescription {head}>\n'
        f"<CoSimulation modelIdentifier={name} {can}/>\n{log}\n"
        f"<ModelVariables>\n{chr(10).join(known)}\n</ModelVariables>\n"
        f"<ModelStructure>{structure}</ModelStructure>\n</fmiModelDescription>\n"
    )


def _declared(one: Variable, role: str, at: int, version: int) -> list[str]:
    """A variable, or in FMI 2, which knows single numbers only, one per number."""
    start = f' start="{one.start!r}"' if role in ("input", "parameter") else ""
    said = f'causality="{role}" variability="{KIND[role]}"'
    if version == 3:
        starts = start if one.size == 1 else start.replace(repr(one.start), " ".join([repr(one.start)] * one.size))
        dimension = f'<Dimension start="{one.size}"/>' if one.size > 1 else ""
        return [f'<Float64 name="{one.name}" valueReference="{at}" {said}{starts}>{dimension}</Float64>']
    names = [one.name] if one.size == 1 else [f"{one.name}[{k + 1}]" for k in range(one.size)]
    return [
        f'<ScalarVariable name="{name}" valueReference="{at + k}" {said}><Real{start}/></ScalarVariable>'
        for k, name in enumerate(names)
    ]


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
