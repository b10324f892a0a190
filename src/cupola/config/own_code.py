"""Code that the vehicles of a scenario name: what it is, how it is loaded, and what replaces it if it may not run."""

import ast
import contextlib
from collections.abc import Iterator
from pathlib import Path

from cupola.config.resolved_vehicle import ControllerSpec, ResolvedVehicle
from cupola.config.vehicle import ControllerEntry, UserPart, load_part
from cupola.parts import KINDS
from cupola.parts.external.external import External
from cupola.parts.external.isolated import Isolated
from cupola.parts.part import Part
from cupola.parts.stand_in import PartRecord, StandIn
from cupola.schema.input_files import is_there, read_bytes, read_earlier
from cupola.schema.plugins import LARGEST, imported_beside, source_of
from cupola.schema.trust import PACKAGE, Code, Trust, file_of
from cupola.schema.yaml_files import InputError

NOBODY = "pass_through"
"""The controller that replaces one that must not run."""
PYTHON = ".py:"
POLICY = ".onnx"
"""Ends the name of a file with a policy that was learnt: data, no code."""


def is_own(use: str) -> bool:
    """Whether a controller is a user's file."""
    return PYTHON in use


def _is_file(use: str) -> bool:
    """Whether a controller is a file: code, or a policy, which asks for a library that not everybody has."""
    return is_own(use) or use.endswith(POLICY)


def code_in(resolved: list[ResolvedVehicle]) -> list[Code]:
    """All code that would run, in the order of the vehicles; a file that is named twice appears twice."""
    return [code for one in resolved for code in _code_of(one)]


def _code_of(one: ResolvedVehicle) -> Iterator[Code]:
    folder = one.path.parent
    for name, part in one.vehicle.parts.items():
        if code := code_of_part(name, part, one.path):
            yield code
    if own := one.vehicle.channel_mix.own:
        yield Code(file_of(own, folder), own, f"{one.path}: channel_mix.own")
    for spec in one.specs.values():
        if is_own(spec.entry.use) and spec.given is None:  # what was given in Python has run already
            yield Code(file_of(spec.entry.use, spec.home), spec.entry.use, f"{spec.source}.use")


def code_files(one: ResolvedVehicle) -> Iterator[Path]:
    """The code that runs for a vehicle: what files name, what was given in Python, and modules beside them."""
    for file in (*(code.where for code in one.code), *_given_sources(one)):
        if is_there(file) and not file.is_relative_to(PACKAGE):
            yield file
            yield from imported_beside(file) if file.suffix == ".py" else ()


def _given_sources(one: ResolvedVehicle) -> dict[Path, bytes]:
    """The files of classes that were given in Python, as they were when the classes were made."""
    given = [spec.given for spec in one.specs.values() if spec.given is not None]
    parts = [type(part) for part in one.vehicle.parts.values() if part.kind not in KINDS]
    classes = (*parts, *(who if isinstance(who, type) else type(who) for who in given))
    return {file: content for cls in classes for file, content in source_of(cls).items()}


def read_code(one: ResolvedVehicle) -> None:
    """Read the code of a vehicle for the recordings of its world, unless it was read before."""
    read_earlier(_given_sources(one))
    for file in code_files(one):
        with contextlib.suppress(InputError):
            read_bytes(file, LARGEST)


def code_of_part(name: str, part: Part, path: Path) -> Code | None:
    """The code of a part, if it has any; `path` is the vehicle file."""
    if isinstance(part, UserPart):
        return Code(file_of(part.reference, path.parent), part.reference, f"{path}: parts.{name}.kind")
    if file := part.code_file():
        return Code(path.parent / file, file, f"{path}: parts.{name}.file")
    return None


def with_code(resolved: list[ResolvedVehicle], trust: Trust) -> list[ResolvedVehicle]:
    """The vehicles with the parts that their users wrote, which runs their code: `trust` must allow all of it.

    A trust that leaves code out gives vehicles without: what a recording says of a part stands in its place.
    """
    if trust.leaves_out:
        return [_without_code(one) for one in resolved]
    trust.demand(code for code in code_in(resolved) if code.file.is_file())  # a file that is missing is told of later
    made = []
    for one in resolved:
        parts = {
            name: _apart(load_part(name, part, one.path, trust) if isinstance(part, UserPart) else part, part, one.path)
            for name, part in one.vehicle.parts.items()
        }
        vehicle = one.vehicle.model_copy(update={"parts": parts})
        made.append(one._replace(vehicle=vehicle, code=tuple(_code_of(one))))
    return made


def _apart(made: Part, written: Part, path: Path) -> Part:
    """The part, or with `isolate` its stand-in for the part in another process."""
    if not (isinstance(made, External) and made.isolate):
        return made
    return Isolated.of(made, _kind(written), path.parent)


def _without_code(one: ResolvedVehicle) -> ResolvedVehicle:
    known = one.held.parts if one.held else {}
    parts = {
        name: StandIn.of(_kind(part), known.get(name, PartRecord())) if code_of_part(name, part, one.path) else part
        for name, part in one.vehicle.parts.items()
    }
    update = {"parts": parts, "channel_mix": one.vehicle.channel_mix.model_copy(update={"own": None})}
    specs = {mode: _nobody(spec) if _is_file(spec.entry.use) else spec for mode, spec in one.specs.items()}
    return one._replace(vehicle=one.vehicle.model_copy(update=update), specs=specs)


def _kind(part: Part) -> str:
    return part.reference if isinstance(part, UserPart) else part.kind


def _nobody(spec: ControllerSpec) -> ControllerSpec:
    idle = ControllerEntry(use=NOBODY, rate_hz=spec.entry.rate_hz)
    return spec._replace(entry=idle)


def check_code(code: Code) -> None:
    """Check code without running it: the file exists, is valid Python and defines the name."""
    if not code.file.is_file():
        raise InputError(f"{code.source}: {code.written}: there is no file {code.file}")
    where, _, name = code.written.rpartition(":")
    if not where.endswith(".py"):
        return
    try:
        tree = ast.parse(code.file.read_bytes(), str(code.file))
    except SyntaxError as error:
        raise InputError(f"{code.source}: {code.file}:{error.lineno}: {type(error).__name__}: {error.msg}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise InputError(f"{code.source}: {code.file}: cannot be read as Python: {error}") from None
    words = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    words |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    words |= {(a.asname or a.name) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for a in node.names}
    if name not in words and "*" not in words:
        classes = [node.name for node in tree.body if isinstance(node, ast.ClassDef)]
        raise InputError(
            f"{code.source}: {code.written}: {where} has no class {name!r}; it has: {', '.join(classes) or 'none'}"
        )
