"""The files of a world inside its recording: all that a replay needs, named by content, and code as text to read.

`files.json` says what each attachment is for. Vehicle and model files keep names that people can read; meshes,
textures, tables, routes and code are called by their SHA-256, so each is there once. On the way back every hash is
checked, and all of it stays in memory: no name that a file gives reaches the disk.
"""

import functools
import hashlib
import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, TypeVar

from pydantic import Field

from cupola.build.compile import VehicleInstance
from cupola.build.mjcf import mjcf_file
from cupola.build.mjcf_assets import LARGEST_FILE
from cupola.build.mjcf_files import PackedModel, content_name, pack_model
from cupola.config.held import Held, HeldVehicle
from cupola.config.own_code import POLICY, code_files
from cupola.config.routes import route_file
from cupola.config.scenario import Scenario
from cupola.config.vehicle import Vehicle, find_vehicle, table_files
from cupola.parts import KINDS
from cupola.parts.part import Part
from cupola.parts.stand_in import PartRecord, record_of
from cupola.record.stream import RecordingError
from cupola.record.topics import JOINTS, log_topics
from cupola.schema.hostile_text import writable
from cupola.schema.input_files import boundary, is_there, read_bytes, read_text, reading_once
from cupola.schema.trust import PACKAGE
from cupola.schema.yaml_files import Entry, InputError, parse
from cupola.sim.saving import vehicle_text
from cupola.sim.world import World

SCENARIO, FILES = "scenario.json", "files.json"
TEXT = (".py", ".c", ".h")
"""File types of code that is attached as text; of other code only the hash is stored."""

E = TypeVar("E", bound=Entry)
log = logging.getLogger("cupola")


class VehicleFiles(Entry):
    """Attachments of one vehicle."""

    path: str = Field(description="where its vehicle file was")
    vehicle: str
    mjcf: str
    assets: tuple[str, ...] = Field((), description="called in the model as they are here")
    tables: dict[str, str] = Field({}, description="attachment, by the name in the vehicle file")
    routes: dict[str, str] = Field({}, description="attachment, by the name in a controller")
    policies: dict[str, str] = Field({}, description="attachment, by the name in a controller and by the full path")
    parts: dict[str, PartRecord] = Field({}, description="what was shown of parts that are code")


class CodeFile(Entry):
    """Code that ran. It is never executed from a recording."""

    file: str = Field(description="where it was")
    sha256: str
    attachment: str = Field("", description="its text")


class FileIndex(Entry):
    """The content of `files.json`."""

    vehicles: tuple[VehicleFiles, ...]
    wind: str = Field("", description="attachment with the wind field")
    code: tuple[CodeFile, ...] = ()
    bodies: tuple[str, ...] = Field((), description="of the rows of /tf")
    joints: dict[str, tuple[str, ...]] = Field({}, description="of the rows of each topic of joint states")
    sha256: dict[str, str] = Field({}, description="of every attachment that is named here")


def files_of(world: World) -> dict[str, bytes]:
    """Attachments with the files of a world as it read them, and their index."""
    with reading_once(world.assembly.files):
        return _files_of(world)


def _files_of(world: World) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    read: list[Path] = []
    vehicles = tuple(_pack(world, instance, found, read) for instance in world.instances)
    codes = dict.fromkeys(path for instance in world.instances for path in code_files(instance.resolved))
    topics = [topic.stream for topic in log_topics(world)]
    index = FileIndex(
        vehicles=vehicles,
        wind=_wind(world, found, read),
        code=tuple(_code(path, found) for path in codes),
        bodies=tuple(str(world.model.body(k).name) for k in range(1, world.model.nbody)),
        joints={one.topic: tuple(one.constants["name"]) for one in topics if one.type == JOINTS},
        sha256={name: _sha256(content) for name, content in found.items()},
    )
    _say_what_lies_elsewhere(world, read)
    return {FILES: index.model_dump_json(indent=1).encode(), **found}


def _say_what_lies_elsewhere(world: World, files: list[Path]) -> None:
    """Log files from outside the folders of scenario and vehicles: everybody who gets the recording can read them."""
    homes = [PACKAGE, world.folder.resolve(), *(one.resolved.path.parent.resolve() for one in world.instances)]
    whole = [file.resolve() for file in files]
    elsewhere = dict.fromkeys(str(file) for file in whole if not any(file.is_relative_to(home) for home in homes))
    if elsewhere:
        log.warning(
            "the recording holds files from outside the folders of its scenario and vehicles, and whoever gets it can "
            "read them: %s",
            ", ".join(elsewhere),
        )


def _wind(world: World, found: dict[str, bytes], read: list[Path]) -> str:
    """Put the file of the wind field among those found and read; returns its name there."""
    content, wind = world.assembly.wind, world.scenario.air.wind
    if content is None or wind is None or wind.field is None:
        return ""
    name = content_name(content, Path(wind.field).suffix)
    found[name] = content
    if not any(one.resolved.held for one in world.instances):
        read.append(world.folder / wind.field)
    return name


def _pack(world: World, instance: VehicleInstance, found: dict[str, bytes], read: list[Path]) -> VehicleFiles:
    """Put the files of a vehicle among those found, and where they were among those read."""
    one = instance.resolved
    held = one.held or _from_disk(instance, read)
    vehicle, mjcf = f"{one.name}/{writable(one.path.name)}", f"{one.name}/{Path(one.vehicle.mjcf).name}"
    found |= {vehicle: held.vehicle.encode(), mjcf: held.mjcf.encode(), **held.assets}
    names = {text: content_name(text.encode(), ".csv") for text in (*held.tables.values(), *held.routes.values())}
    found |= {name: text.encode() for text, name in names.items()}
    policies = {use: content_name(content, POLICY) for use, content in held.policies.items()}
    found |= {policies[use]: content for use, content in held.policies.items()}
    sites = [str(world.model.site(k).name) for k in range(world.model.nsite)]
    own = [b for b in world.assembly.parts if b.vehicle == one.name and _is_code(b.part)]
    return VehicleFiles(
        path=writable(one.path.resolve()),
        vehicle=vehicle,
        mjcf=mjcf,
        assets=tuple(held.assets),
        tables={file: names[text] for file, text in held.tables.items()},
        routes={route: names[text] for route, text in held.routes.items()},
        policies=policies,
        parts={b.name: record_of(b.part, b.row, sites) for b in own},
    )


def _from_disk(instance: VehicleInstance, read: list[Path]) -> HeldVehicle:
    """The files of a vehicle as they were read, all put among those read; what a recording cannot hold is said."""
    one, text = instance.resolved, vehicle_text(instance)
    try:
        packed = pack_model(mjcf_file(one))
    except InputError as error:
        log.warning("the recording cannot hold all of %s, so its replay needs the files beside it: %s", one.name, error)
        packed = PackedModel(read_text(mjcf_file(one), LARGEST_FILE), {})
    tables = _tables(text, one.path)
    routes = {s.entry.route: route_file(s.entry.route, s.home) for s in one.specs.values() if s.entry.route}
    flying = [s for s in one.specs.values() if s.entry.use.endswith(POLICY) and s.given is None]
    nets = {use: s.home / s.entry.use for s in flying for use in (s.entry.use, str((s.home / s.entry.use).resolve()))}
    policies = {use: read_bytes(file, LARGEST_FILE) for use, file in nets.items()}
    tabled = [one.path.parent / file for file in tables]
    read += [mjcf_file(one), *packed.files, *tabled, *routes.values(), *nets.values()]
    texts = {route: read_text(file, LARGEST_FILE) for route, file in routes.items()}
    return HeldVehicle(one.path, text, packed.text, packed.assets, tables, texts, policies)


def _tables(text: str, path: Path) -> dict[str, str]:
    """The tables that a vehicle file names; the parts at work have read theirs already."""
    there = [file for file in _table_names(text, str(path)) if is_there(path.parent / file)]
    return {file: read_text(path.parent / file, LARGEST_FILE) for file in there}


@functools.lru_cache(maxsize=64)
def _table_names(text: str, source: str) -> list[str]:
    """Those that a vehicle file names. Reading it once more takes longer than all else when a recording is opened."""
    return sorted({file for part in parse(text, source, Vehicle).parts.values() for file in table_files(part)})


def _is_code(part: Part) -> bool:
    return part.kind not in KINDS or part.code_file() is not None


def _code(path: Path, found: dict[str, bytes]) -> CodeFile:
    content = read_bytes(path, LARGEST_FILE)
    name = content_name(content, path.suffix) if path.suffix in TEXT else ""
    if name:
        found[name] = content
    return CodeFile(file=writable(path), sha256=_sha256(content), attachment=name)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def sha256_of(path: Path) -> str:
    """SHA-256 of a file on disk."""
    return _sha256(read_bytes(path, LARGEST_FILE))


# The way back


class Attached(Protocol):
    """A recording, or another source of its attachments."""

    @property
    def path(self) -> Path:
        """Name for messages."""

    @property
    def attached(self) -> Mapping[str, bytes]:
        """The attachments, by name."""


class HeldRecording:
    """The scenario of a recording and the files that it holds."""

    def __init__(self, recording: Attached) -> None:
        self._path, self._attached = recording.path, recording.attached
        self.scenario: Scenario = self._parse(SCENARIO, Scenario)
        self.index: FileIndex | None = self._parse(FILES, FileIndex) if FILES in self._attached else None
        if self.index is None:  # 0.1 wrote all defaults, also where the vehicle file says something else
            content = self.scenario.model_dump(mode="json")
            content["vehicles"] = self.scenario.model_dump(mode="json", exclude_defaults=True)["vehicles"]
            self.scenario = Scenario.model_validate_json(json.dumps(content))
        if self.index and len(self.index.vehicles) != len(self.scenario.vehicles):
            raise self._wrong(f"{FILES} has {len(self.index.vehicles)} vehicles, {len(self.scenario.vehicles)} flew")
        wind = self._content(self.index.wind) if self.index and self.index.wind else None
        self.held = Held(tuple(self._vehicle(k) for k in range(len(self.scenario.vehicles))), wind)

    def _parse(self, name: str, kind: type[E]) -> E:
        if name not in self._attached:
            raise InputError(f"{self._path} holds no scenario, so it is not a recording of Cupola")
        with boundary(self._path, f"{name} is damaged", RecordingError):
            return kind.model_validate_json(self._attached[name])

    def _vehicle(self, k: int) -> HeldVehicle:
        if self.index is None:
            return self._as_in_0_1(k)
        files = self.index.vehicles[k]
        return HeldVehicle(
            Path(files.path),
            self._text(files.vehicle),
            self._text(files.mjcf),
            {name: self._content(name) for name in files.assets},
            {file: self._text(name) for file, name in files.tables.items()},
            {route: self._text(name) for route, name in files.routes.items()},
            {use: self._content(name) for use, name in files.policies.items()},
            files.parts,
        )

    def _content(self, name: str) -> bytes:
        """An attachment that is what the index says."""
        assert self.index is not None
        content = self._attached.get(name)
        if content is None:
            raise self._wrong(f"the attachment {name!r} is missing")
        if _sha256(content) != self.index.sha256.get(name):
            raise self._wrong(f"the attachment {name!r} is not what {FILES} says")
        return content

    def _text(self, name: str) -> str:
        return self._content(name).decode("utf-8-sig", errors="replace")

    def _as_in_0_1(self, k: int) -> HeldVehicle:
        """Version 0.1 kept the vehicle and model file only; meshes and tables must still be where they were."""
        entry = self.scenario.vehicles[k]
        name = entry.name or Path(entry.model).name
        own = {key: data.decode("utf-8-sig", errors="replace") for key, data in self._attached.items()}
        own = {key: text for key, text in own.items() if key.startswith(f"{name}/")}
        vehicle = next((text for key, text in own.items() if key.endswith((".yaml", ".yml"))), None)
        mjcf = next((text for key, text in own.items() if not key.endswith((".yaml", ".yml"))), None)
        if vehicle is None or mjcf is None:
            raise self._wrong(f"it holds no files of the vehicle {name!r}")
        path = Path(entry.model)
        try:
            path = find_vehicle(entry.model, Path())
            file = path.parent / parse(vehicle, str(path), Vehicle).mjcf
            if (read_text(path, LARGEST_FILE), read_text(file, LARGEST_FILE)) == (vehicle, mjcf):
                packed = pack_model(file)
                return HeldVehicle(path, vehicle, packed.text, packed.assets, _tables(vehicle, path))
        except InputError:
            log.info("%s: the files of %s are not where they were; what is recorded is shown", self._path, name)
        return HeldVehicle(path, vehicle, mjcf)

    def _wrong(self, what: str) -> RecordingError:
        return RecordingError(f"{self._path}: {what}")
