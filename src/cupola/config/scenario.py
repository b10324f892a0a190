"""A scenario is data: vehicles and poses, air, floor, controllers, rates, seed, duration."""

import difflib
import math
import re
from pathlib import Path
from typing import Literal

from pydantic import Field, PrivateAttr, field_validator, model_validator

from cupola.config.air import Air
from cupola.config.ground import Floor, Obstacle
from cupola.config.links import Link
from cupola.config.origin import Origin
from cupola.config.vehicle import (
    ControllerEntry,
    Start,
    Triple,
    find_vehicle,
    shipped_vehicles,
)
from cupola.physics.rotation import Vector, length
from cupola.schema.expressions import ExpressionError, parse_expression
from cupola.schema.yaml_files import Entry, InputError, read

MOST_FILES = 8
"""Files of a folder that an error names."""
SCENARIOS = Path(__file__).parents[1] / "scenarios"
DEFAULT = "square"
FLAT_GRAVITY = 9.81
"""[m/s²] unless a scenario says otherwise."""
Mode = Literal["mission", "assisted", "raw"]
MODES: dict[Mode, str] = {"mission": "controller", "assisted": "assisted", "raw": "raw"}
"""Control modes, and the keys under which vehicles and scenarios name their controllers."""
Freedom = Literal["model", "free", "planar", "fixed"]
FaultKind = Literal["off", "stuck", "loss"]


class VehicleEntry(Start):
    """One vehicle of the scenario; defaults come from its vehicle file."""

    model: str = Field(description="shipped name, folder, or vehicle.yaml")
    name: str | None = Field(None, pattern=r"^[A-Za-z]\w*$")
    controller: ControllerEntry | None = None
    assisted: ControllerEntry | None = None
    raw: ControllerEntry | None = None
    freedom: Freedom = Field("model", description="how its root moves: as the model says, free, planar or fixed")
    mode: Mode = Field("mission", description="who flies at the start: controller, assisted or raw")
    preset: str | None = Field(None, description="one of the vehicle's presets: other numbers of its parts")
    parts: dict[str, dict[str, bool | int | float | str]] = Field(
        default_factory=dict,
        description="other numbers and choices of its parts: part, name, value; a new one has its kind",
    )
    links: dict[str, Link] = Field(
        default_factory=dict, description="bodies of its model with other masses and lengths"
    )


class FaultEntry(Entry):
    """A failure or a repair at a given time."""

    time: float = Field(ge=0, description="[s]")
    part: str = Field(description="vehicle.part, or vehicle.sticks")
    kind: FaultKind = Field(description="off, stuck or loss")
    amount: float = Field(1.0, ge=0, le=1, description="1: broken, 0: whole, between: the share that is lost")


class ChangeEntry(Entry):
    """A parameter change at a given time, as by `World.tune`."""

    time: float = Field(ge=0, description="[s]")
    number: str = Field(description="one of `World.parameters`: floor.friction, vehicle.part.number, vehicle.body.mass")
    value: float


class PushEntry(Entry):
    """A force or torque on a body from a given time on, as by `World.push`."""

    time: float = Field(ge=0, description="[s]")
    duration: float | None = Field(None, gt=0, description="[s]; until the end unless given")
    body: str = Field(description="vehicle/body, as quadcopter/base")
    force_w: Triple = Field((0.0, 0.0, 0.0), description="[N] world axes")
    torque_w: Triple = Field((0.0, 0.0, 0.0), description="[N m] world axes")
    point_b: Triple = Field((0.0, 0.0, 0.0), description="[m] where the force acts, in the body's axes")

    @model_validator(mode="after")
    def _check_acts(self) -> "PushEntry":
        if not any(self.force_w) and not any(self.torque_w):
            raise ValueError("a push needs `force_w` [N] or `torque_w` [N m] that is not 0")
        return self


class Record(Entry):
    """What a recording contains."""

    rate_hz: float | None = Field(None, gt=0, description="[Hz]; default 100, or every tick where those are slower")
    if_full: Literal["stop", "continue"] = Field("stop", description="when the disk is full")
    pictures: Literal["raw", "png", "jpeg", "none"] = Field(
        "raw", description="of cameras: raw is 58 MB a second of 800 × 800 at 30 Hz, jpeg a twentieth, not exact"
    )


class Scenario(Entry):
    """The content of a scenario file: `Scenario.load("square")`, or `Scenario(vehicles=[{"model": "quadcopter"}])`.

    It does not change; `with_` gives a changed copy.
    """

    about: str = ""
    physics_hz: int = Field(2000, gt=0, le=1_000_000)
    draws_hz: int | None = Field(
        None, gt=0, description="rate at which gusts and turbulence are drawn, and held; every tick unless given"
    )
    integrator: Literal["Euler", "RK4", "implicit", "implicitfast"] = "Euler"
    gravity: float = Field(
        FLAT_GRAVITY, ge=0, le=1000, description="[m/s²] downward; a round planet of `origin` has its own"
    )
    slope_deg: tuple[float, float] = Field(
        (0.0, 0.0), description="how world x and y rise against the horizon: of a table that is not level"
    )
    duration: float = Field(10.0, gt=0, description="[s]")
    seed: int = Field(1, ge=0, lt=2**32)
    start_paused: bool = False
    air: Air = Air()
    origin: Origin = Origin()
    floor: Floor | None = Floor()
    obstacles: tuple[Obstacle, ...] = ()
    boxes: int = Field(0, ge=0, le=1000, description="how many boxes of 0.05 m, 1 kg there are to drop")
    vehicles: tuple[VehicleEntry, ...] = Field(min_length=1)
    faults: tuple[FaultEntry, ...] = ()
    changes: tuple[ChangeEntry, ...] = Field((), description="numbers that change on the way: time, number, value")
    pushes: tuple[PushEntry, ...] = Field((), description="forces and torques on bodies on the way")
    record: Record = Record()
    measures: dict[str, str] = Field(
        default_factory=dict, description="figures of the run: name, and an expression on signals, as rms(...)"
    )
    published: dict[str, str] = Field(
        default_factory=dict, description="what a publication states for a measure: its name, and the printed words"
    )
    _folder: Path = PrivateAttr(Path())

    @field_validator("measures")
    @classmethod
    def _check_measures(cls, given: dict[str, str]) -> dict[str, str]:
        for name, text in given.items():
            if not re.fullmatch(r"\S(.{0,58}\S)?", name):
                raise ValueError(f"a measure has a name of 1 to 60 characters, got {name!r}")
            try:
                parse_expression(text)
            except ExpressionError as error:
                raise ValueError(f"{name}: {error}, in {text!r}") from None
        return given

    @field_validator("slope_deg")
    @classmethod
    def _check_slope(cls, given: tuple[float, float]) -> tuple[float, float]:
        if sum(math.sin(math.radians(angle)) ** 2 for angle in given) >= 1.0 or max(map(abs, given)) >= 90.0:
            raise ValueError(f"a table cannot rise by {given[0]:g}° along x and {given[1]:g}° along y")
        return given

    @model_validator(mode="after")
    def _check_published(self) -> "Scenario":
        for name in self.published:
            # A copy whose measures were taken away has nothing to compare.
            if self.measures and name not in self.measures:
                known = ", ".join(self.measures)
                raise ValueError(f"published: there is no measure {name!r}; the scenario has: {known}")
        return self

    @model_validator(mode="after")
    def _check_pull(self) -> "Scenario":
        if self.origin.is_round and (self.gravity != FLAT_GRAVITY or any(self.slope_deg)):
            raise ValueError(
                "gravity and slope_deg are those of a flat Earth: leave them out, a round planet has its own"
            )
        return self

    @model_validator(mode="after")
    def _check_rates(self) -> "Scenario":
        if self.record_hz > self.physics_hz:
            raise ValueError(f"record.rate_hz {self.record_hz:g} is above physics_hz {self.physics_hz}")
        if self.draws_hz and self.physics_hz % self.draws_hz:
            raise ValueError(f"draws_hz {self.draws_hz} does not divide physics_hz {self.physics_hz}")
        return self

    @classmethod
    def load(cls, name: str | Path) -> "Scenario":
        """The scenario of a file, a shipped one, or that of a vehicle alone."""
        return find_scenario(str(name))[0]

    @property
    def folder(self) -> Path:
        """Folder to which its paths are relative: that of its own file, else the current one."""
        return self._folder

    @property
    def gravity_here(self) -> float:
        """[m/s²] of what rests at the world's origin."""
        at = Vector(0.0, 0.0, 0.0)
        return length(self.origin.fall_of_rest(at, self.air.altitude)) if self.origin.is_round else self.gravity

    @property
    def record_hz(self) -> float:
        """Rate of recorded rows [Hz]."""
        return self.record.rate_hz or min(100.0, self.physics_hz)


def shipped_scenarios() -> list[str]:
    """Names of the scenarios that come with the package."""
    return sorted(path.stem for path in SCENARIOS.glob("*.yaml"))


def find_scenario(name: str) -> tuple[Scenario, Path]:
    """The scenario that `name` means and the folder its paths start from.

    A file, a shipped scenario, or a vehicle: alone, with its own controller and start.
    """
    scenario, folder = _find_scenario(name)
    scenario._folder = folder
    return scenario, folder


def _find_scenario(name: str) -> tuple[Scenario, Path]:
    path = Path(name)
    if path.is_file() and path.name != "vehicle.yaml":
        return read(path, Scenario), path.parent
    if (shipped := SCENARIOS / f"{name}.yaml").is_file():
        return read(shipped, Scenario), shipped.parent
    if path.suffix in (".yaml", ".yml") and not path.exists():
        return read(path, Scenario), path.parent
    try:
        find_vehicle(name, Path())
    except InputError:
        raise InputError(f"there is no scenario or vehicle {name!r}; {_what_there_is(name)}") from None
    return Scenario(vehicles=(VehicleEntry(model=name),)), Path()


def _what_there_is(name: str) -> str:
    """The names that may have been meant, or else all of them; of a folder, the files that can be run."""
    if Path(name).is_dir():
        files = sorted(file.name for file in Path(name).iterdir() if file.suffix in (".yaml", ".yml"))
        there = f"give one of its files: {', '.join(files[:MOST_FILES])}" if files else "and no other .yaml file"
        return f"that folder has no vehicle.yaml, {there}"
    scenarios, vehicles = shipped_scenarios(), shipped_vehicles()
    if near := difflib.get_close_matches(name, [*scenarios, *vehicles], n=4):
        return f"the nearest: {', '.join(near)}; `cupola list` prints all; or give the path of a file"
    return f"scenarios: {', '.join(scenarios)}; vehicles: {', '.join(vehicles)}; or give the path of a file"
