"""A vehicle is data: an MJCF model and a list of parts. No subclass per vehicle."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import Field, PrivateAttr, ValidationError, model_validator

from cupola.config.channels import ChannelMix
from cupola.config.held import HeldVehicle
from cupola.parts import KINDS
from cupola.parts.binding import Curve
from cupola.parts.external.external import as_model
from cupola.parts.part import Part
from cupola.parts.table import parse_spline, read_spline
from cupola.schema.plugins import load_class
from cupola.schema.trust import Trust
from cupola.schema.tunable_fields import with_fields
from cupola.schema.yaml_files import Entry, InputError, parse, read

MODELS = Path(__file__).parents[1] / "models"
Triple = tuple[float, float, float]
OWN = "file.py:Class"


class UserPart(Part):
    """A part written by a user, before its class is known: `kind: file.py:Class`, then the numbers it declares."""

    kind: Literal["file.py:Class"]
    reference: str
    written: dict[str, Any]
    given: dict[str, bool | int | float | str] = Field({}, description="other numbers and choices, of the scenario")
    given_by: str = ""
    _made: Part | None = PrivateAttr(None)
    """The part itself, if it was built in Python."""


if TYPE_CHECKING:
    AnyPart = Part
else:
    AnyPart = Annotated[Union[(*KINDS.values(), UserPart)], Field(discriminator="kind")]


class PlanEntry(Entry):
    """One waypoint."""

    position: Triple = Field(description="[m] world")
    yaw_deg: float = 0.0
    speed: float = Field(2.0, gt=0, description="[m/s] on the way there")
    hold: float = Field(0.0, ge=0, description="[s] to stay")
    land: bool = Field(False, description="sink from here until the ground stops it, then motors off")


class StickEntry(Entry):
    """Sticks from a moment on."""

    time: float = Field(ge=0, description="[s]")
    channels: list[float] = Field(min_length=1, max_length=20, description="-1 to 1: roll, pitch, yaw, throttle, ...")


class ControllerEntry(Entry):
    """A controller, its rate, and its task."""

    use: str = Field(description="a name from `cupola list`, file.py:Class, or policy.onnx")
    rate_hz: float = Field(400.0, gt=0)
    channel: int = Field(0, ge=0, description="command channel of its first output")
    parameters: dict[str, float | list[float] | list[list[float]]] = Field(
        default_factory=dict, description="numbers that the controller declares; vectors and matrices as lists"
    )
    plan: tuple[PlanEntry, ...] = ()
    sticks: tuple[StickEntry, ...] = ()
    route: str | None = Field(
        None, description="instead of sticks: rows of duration, vx, vy, wz; a shipped route (`sun`, ...) or a file"
    )
    view: Literal["body", "thesis"] | None = Field(
        None, description="axes of the route's file: body has vx forward, vy left, thesis vx right, vy forward"
    )

    @model_validator(mode="after")
    def _check_hand(self) -> "ControllerEntry":
        if self.route and self.sticks:
            raise ValueError("give either sticks or a route")
        if self.view and not self.route:
            raise ValueError("view: is that of a route, and there is none")
        return self


class Start(Entry):
    """Initial pose in the world and velocities in body axes, as in Last_letter_2."""

    position: Triple = Field((0.0, 0.0, 0.0), description="[m] world")
    attitude_deg: Triple = Field((0.0, 0.0, 0.0), description="roll, pitch, yaw (z-y-x)")
    velocity_b: Triple = Field((0.0, 0.0, 0.0), description="[m/s] body axes")
    rate_b: Triple = Field((0.0, 0.0, 0.0), description="[rad/s] body axes")
    joints_deg: dict[str, float] = Field({}, description="angles of its hinges, by name; 0 unless given")


class Vehicle(Entry):
    """The content of a vehicle.yaml: `Vehicle.load("quadcopter")`, or built of its fields.

    It does not change; `with_` gives a changed copy.
    """

    about: str
    mjcf: str = Field("model.xml", description="MuJoCo model beside this file")
    root: str = Field("base", description="body whose motion controllers see")
    parts: dict[str, AnyPart] = Field(default_factory=dict)
    controller: ControllerEntry
    assisted: ControllerEntry | None = Field(None, description="who flies when a person takes over: easy sticks")
    raw: ControllerEntry | None = Field(None, description="the same with the plain sticks of the vehicle")
    channel_mix: ChannelMix = Field(ChannelMix(), description="what the stick channels do beside flying")
    start: Start = Start()
    presets: dict[str, dict[str, dict[str, bool | int | float | str]]] = Field(
        default_factory=dict, description="named sets of other numbers of its parts: preset, part, name, value"
    )
    _path: Path | None = PrivateAttr(None)

    @classmethod
    def load(cls, name: str | Path) -> "Vehicle":
        """The vehicle of a file, a folder, or a shipped one."""
        return read_vehicle(find_vehicle(str(name), Path()))

    @property
    def path(self) -> Path | None:
        """The file that it was read from; paths of its model and tables are relative to it."""
        return self._path

    def copied(self) -> "Vehicle":
        """The same with parts of its own, for one world: parts know their places in it."""
        parts = {name: part.model_copy(deep=True) for name, part in self.parts.items()}
        return self.model_copy(update={"parts": parts})

    @classmethod
    def prepare(cls, data: dict[str, Any]) -> dict[str, Any]:
        """A part whose kind is a file keeps its numbers until its class is loaded."""
        parts = data.get("parts")
        if not isinstance(parts, dict):
            return data
        return {**data, "parts": {name: _set_apart(part) for name, part in parts.items()}}

    def model_post_init(self, _: Any) -> None:
        """Parts that were built in Python are used as they are."""
        for name, part in self.parts.items():
            if isinstance(part, UserPart) and part._made is not None:
                self.parts[name] = part._made


def _set_apart(part: Any) -> Any:
    if isinstance(part, type) and issubclass(part, Part):
        part = part()  # type: ignore[call-arg]  # its kind is that of its class
    if isinstance(part, Part) and not isinstance(part, tuple(KINDS.values())):
        made = UserPart(kind="file.py:Class", reference=type(part).__name__, written={})
        made._made = part
        return made
    if not isinstance(part, dict) or ".py:" not in str(part.get("kind", "")):
        return part
    return {"kind": OWN, "reference": part["kind"], "written": {**part}}


def find_vehicle(name: str, folder: Path) -> Path:
    """Path of the vehicle.yaml that `name` means: a file, a folder, or a shipped vehicle."""
    for path in (folder / name, folder / name / "vehicle.yaml", MODELS / name / "vehicle.yaml"):
        if path.is_file():
            return path
    raise InputError(f"there is no vehicle {name!r}; shipped are {', '.join(shipped_vehicles())}, or give a path")


def shipped_vehicles() -> list[str]:
    """Names of the vehicles that come with the package."""
    return sorted(path.parent.name for path in MODELS.glob("*/vehicle.yaml"))


def read_vehicle(path: Path, held: HeldVehicle | None = None) -> Vehicle:
    """A vehicle file, or the text that is held of one, with tables read from their files.

    This is data: the parts that its user wrote are `UserPart`s until `load_part` runs their code.
    """
    return _with_tables(parse(held.vehicle, str(path), Vehicle) if held else read(path, Vehicle), path, held)


def parse_vehicle(text: str, path: Path) -> Vehicle:
    """Another text of the vehicle file at `path`, whose tables are read from beside it."""
    return _with_tables(parse(text, str(path), Vehicle), path, None)


def _with_tables(vehicle: Vehicle, path: Path, held: HeldVehicle | None) -> Vehicle:
    parts = {name: part.model_copy(update=_tables(name, part, path, held)) for name, part in vehicle.parts.items()}
    whole = vehicle.model_copy(update={"parts": parts})
    whole._path = path
    return whole


def table_files(part: Part) -> set[str]:
    """Tables beside the vehicle file that a part names, in whatever form; of one that is code, what looks like some."""
    entries = part.written.values() if isinstance(part, UserPart) else [value for _, value in part]
    return {file for entry in entries for file in _files_in(entry)}


def _files_in(entry: Any) -> Iterator[str]:
    if isinstance(entry, Entry):
        entry = dict(entry)
    if isinstance(entry, dict):
        if isinstance(file := entry.get("file"), str):
            yield file
        for inside in entry.values():
            yield from _files_in(inside)


def _tables(name: str, part: Part, path: Path, held: HeldVehicle | None) -> dict[str, Curve]:
    """The curves of a part that stand in files of their own."""
    found: dict[str, Curve] = {}
    for key, curve in part:
        if not isinstance(curve, Curve) or (file := curve.file) is None:
            continue
        try:
            found[key] = read_spline(path.parent / file) if held is None else parse_spline(held.table(file), file)
        except (ValueError, OSError, InputError) as error:
            raise InputError(f"{path}: parts.{name}.{key}.file: {error}") from None
    return found


def load_part(name: str, part: UserPart, path: Path, trust: Trust) -> Part:
    """Run the code of a part that its user wrote, and make the part; `path` is the vehicle file."""
    here = f"{path}: parts.{name}.kind"
    try:
        cls = load_class(part.reference, Part, path.parent, trust, here, as_model)
    except InputError as error:
        raise InputError(f"{here}: {error}") from error
    try:
        made = cls.model_validate(part.written)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(step) for step in ("parts", name, *first["loc"]))
        known = ", ".join(cls.model_fields)
        raise InputError(f"{path}: {key}: {first['msg']}; {part.reference} takes: {known}") from error
    made = made.model_copy(update=_tables(name, made, path, None))
    try:
        return with_fields(made, part.given) if part.given else made
    except ValueError as error:
        raise InputError(f"{part.given_by}.{name}: {error}") from None


def kinds() -> list[str]:
    """Kinds of parts a vehicle file may name."""
    return [*KINDS, OWN]
