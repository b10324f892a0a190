"""A scenario is data: vehicles and poses, air, floor, controllers, rates, seed, duration."""

import itertools
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import Field, PositiveFloat, PrivateAttr, field_validator, model_validator

from cupola.config.given_controller import GivenController, given_entry
from cupola.config.held import Held, HeldVehicle
from cupola.config.vehicle import (
    ControllerEntry,
    Start,
    Triple,
    UserPart,
    Vehicle,
    find_vehicle,
    read_vehicle,
    shipped_vehicles,
)
from cupola.physics.atmosphere import LOWEST
from cupola.physics.planet import SPHERE, WGS84, Planet
from cupola.schema.expressions import ExpressionError, parse_expression
from cupola.schema.trust import Code
from cupola.schema.tunable_fields import with_fields
from cupola.schema.yaml_files import Entry, InputError, read

SCENARIOS = Path(__file__).parents[1] / "scenarios"
DEFAULT = "square"
Mode = Literal["mission", "assisted", "raw"]
MODES: dict[Mode, str] = {"mission": "controller", "assisted": "assisted", "raw": "raw"}
"""Who may fly, and the key under which a vehicle or a scenario names that controller."""
Freedom = Literal["model", "free", "planar", "fixed"]
FaultKind = Literal["off", "stuck", "loss"]
FASTEST = 150.0
"""[m/s] of air that moves: the fastest wind ever measured, in a tornado, was 135."""
Blown = Annotated[float, Field(ge=-FASTEST, le=FASTEST)]
Deviation = Annotated[float, Field(ge=0, le=FASTEST)]
Extent = Annotated[float, Field(ge=0.1, le=1e5)]
"""[m] over which turbulence changes; a shorter one changes within the vehicle."""
Field_T = Annotated[float, Field(ge=-10, le=10)]
Share = Annotated[float, Field(ge=0, le=1)]
RESERVED = ("air", "floor", "world")
"""Names that vehicles may not have, because parameters begin with them."""


class WindLayer(Entry):
    """The wind at one height; between two heights its east and north components change evenly."""

    height: float = Field(description="[m] above the world's origin")
    speed: float = Field(ge=0, le=FASTEST, description="[m/s]")
    from_deg: float = Field(description="compass bearing it comes from: 0 north, 90 east")


class Wind(Entry):
    """Mean wind: the same at every height, a power or logarithmic law of height, or a table of layers."""

    speed: float = Field(
        0.0, ge=0, le=FASTEST, description="[m/s] at `height`", json_schema_extra={"usual": [0.0, 25.0]}
    )
    from_deg: float = Field(
        0.0,
        description="compass bearing it comes from: 0 north (world +y), 90 east (world +x)",
        json_schema_extra={"usual": [0.0, 360.0]},
    )
    height: float = Field(10.0, gt=0, le=10_000, description="[m]")
    exponent: float = Field(0.0, ge=0, le=1, description="Hellmann; 0.28 over farmland; 0: the same at every height")
    roughness: float | None = Field(
        None, gt=0, description="[m] of the ground, for a logarithmic law instead: sea 0.0002, grass 0.03, trees 0.5"
    )
    up: float = Field(
        0.0,
        ge=-FASTEST,
        le=FASTEST,
        description="[m/s] rising air, the same at every height",
        json_schema_extra={"usual": [-10.0, 10.0]},
    )
    layers: tuple[WindLayer, ...] = Field(
        (), description="a table instead of a law, by rising height; beyond its ends the wind stays as there"
    )

    @model_validator(mode="after")
    def _check_law(self) -> "Wind":
        if self.layers:
            if self.speed or self.exponent or self.roughness:
                raise ValueError("layers are a table: leave speed, exponent and roughness out")
            heights = [layer.height for layer in self.layers]
            if len(heights) < 2 or any(low >= high for low, high in itertools.pairwise(heights)):
                raise ValueError(f"layers must be at least two, by rising height, got {heights}")
        if self.roughness is not None and (self.exponent or self.roughness >= self.height):
            raise ValueError("roughness goes without exponent, and lies below `height`, where the speed is known")
        return self


class Thermal(Entry):
    """A column of rising air with sinking air around it."""

    center: tuple[float, float] = Field(description="[m] world x, y of its axis")
    radius: float = Field(gt=0, description="[m] where the air neither rises nor sinks")
    strength: float = Field(
        ge=-FASTEST, le=FASTEST, description="[m/s] in its core where it is strongest, at top / 4.4"
    )
    top: float = Field(1500.0, gt=0, description="[m] height of the convective layer")


class Gust(Entry):
    """A discrete 1-cosine gust: rises, holds, falls again."""

    start: float = Field(ge=0, description="[s]")
    rise: float = Field(gt=0, description="[s] up, and the same down")
    hold: float = Field(0.0, ge=0, description="[s] between")
    velocity: tuple[Blown, Blown, Blown] = Field(
        description="[m/s] world, at full strength", json_schema_extra={"usual": [-20.0, 20.0]}
    )


class Turbulence(Entry):
    """Dryden turbulence in body axes: the same everywhere, or by height over the ground after MIL-F-8785C."""

    sigma: tuple[Deviation, Deviation, Deviation] = Field(
        (0.0, 0.0, 0.0), description="[m/s] along body x, y, z", json_schema_extra={"usual": [0.0, 5.0]}
    )
    length: tuple[Extent, Extent, Extent] = Field(
        (533.0, 533.0, 533.0), description="[m] along body x, y, z", json_schema_extra={"usual": [1.0, 1000.0]}
    )
    wind_at_6m: float = Field(
        0.0,
        ge=0,
        le=FASTEST,
        description="[m/s] mean wind at 6.1 m (20 ft), from which sigma and length follow, by height, to 305 m",
        json_schema_extra={"usual": [0.0, 25.0]},
    )

    @model_validator(mode="after")
    def _check_one(self) -> "Turbulence":
        if self.wind_at_6m and any(self.sigma):
            raise ValueError("give sigma and length, or wind_at_6m from which they follow, not both")
        return self


class Air(Entry):
    """What every wing, rotor and air-data sensor sees."""

    altitude: float = Field(
        0.0,
        ge=LOWEST,
        le=1e6,
        description="[m] of the world's origin above sea level; tables begin at -5000",
    )
    temperature_offset: float = Field(
        0.0,
        ge=-150,
        le=150,
        description="[K] against the standard atmosphere",
        json_schema_extra={"usual": [-40.0, 40.0]},
    )
    sea_level_pressure: float = Field(
        101325.0, gt=0, le=1e7, description="[Pa]", json_schema_extra={"usual": [90000.0, 110000.0]}
    )
    density: float | None = Field(
        None, gt=0, le=2000, description="[kg/m³] the same at every height; left out: the standard atmosphere's"
    )
    space: bool = Field(False, description="true: no air at all")
    wind: Wind | None = None
    thermals: tuple[Thermal, ...] = ()
    gusts: tuple[Gust, ...] = ()
    turbulence: Turbulence | None = None
    wakes: bool = Field(False, description="propellers blow on the other vehicles")


class PlanetEntry(Entry):
    """A planet by its numbers; what is not given is that of a sphere as heavy as the Earth."""

    semi_major: float = Field(SPHERE.semi_major, gt=0, description="[m] radius, at the equator")
    flattening: float = Field(0.0, ge=0, lt=1, description="0: a sphere; the Earth 1 / 298.257")
    mu: float = Field(SPHERE.mu, ge=0, description="[m³/s²] gravitational parameter")
    j2: float = Field(0.0, ge=-1, le=1, description="oblateness of its gravitation; the Earth 1.0826e-3")
    rotation: float = Field(SPHERE.rotation, description="[rad/s] about its axis, where `rotating` says that it turns")


class Origin(Entry):
    """Where on the Earth the world's origin is; its height above the sea is `air.altitude`."""

    latitude_deg: float = Field(37.9838, ge=-90, le=90, description="WGS-84, north positive; Athens unless given")
    longitude_deg: float = Field(23.7275, ge=-180, le=180, description="WGS-84, east positive")
    magnetic_field: tuple[Field_T, Field_T, Field_T] | None = Field(
        None, description="[T] world: east, north, up; that of the Earth's dipole unless given"
    )
    shape: Literal["flat", "round", "oblate"] = Field(
        "flat",
        description="flat: `gravity` everywhere; round: a sphere, oblate: WGS-84 with J2, heavier below than above",
    )
    planet: PlanetEntry | None = Field(None, description="another planet than the Earth, round by its own numbers")
    rotating: bool = Field(False, description="a round planet turns: Coriolis, centrifugal")

    @property
    def is_round(self) -> bool:
        """Whether heights, axes and gravity follow a planet; else the Earth is flat."""
        return self.shape != "flat" or self.planet is not None

    def planet_now(self) -> Planet:
        """The planet of this world; under a flat Earth only GNSS asks for it."""
        if self.planet is not None:
            found = Planet(**self.planet.model_dump())
        else:
            found = SPHERE if self.shape == "round" else WGS84
        return found if self.rotating else found._replace(rotation=0.0)

    @model_validator(mode="after")
    def _check_shape(self) -> "Origin":
        if self.rotating and not self.is_round:
            raise ValueError("rotating needs shape: round or oblate, or a planet")
        if self.planet is not None and self.shape != "flat":
            raise ValueError(f"a planet has its own shape: leave shape: {self.shape} out")
        return self


class Patch(Entry):
    """A rectangle of the floor with a friction of its own; where two overlap, the later one counts."""

    center: tuple[float, float] = Field(description="[m] world x, y")
    size: tuple[PositiveFloat, PositiveFloat] = Field(description="[m] edges along x, y")
    friction: float = Field(ge=0, le=100)


class Floor(Entry):
    """A flat ground at z = 0."""

    friction: float = Field(1.0, ge=0, le=100, description="of everything that touches it")
    size: float = Field(2500.0, gt=0, le=1e6, description="[m] half the edge")
    patches: tuple[Patch, ...] = ()


class Obstacle(Entry):
    """Something that does not move: a wall, a post, a shelf, a bump."""

    shape: Literal["box", "cylinder"] = "box"
    position: Triple = Field(description="[m] of its middle, world")
    size: Triple = Field(description="[m] edges along its x, y, z; a cylinder has diameter, diameter, height")
    attitude_deg: Triple = Field((0.0, 0.0, 0.0), description="roll, pitch, yaw (z-y-x)")
    friction: float = Field(1.0, ge=0, le=100)
    rgba: tuple[Share, Share, Share, Share] = (0.62, 0.64, 0.68, 1.0)

    @model_validator(mode="after")
    def _check_size(self) -> "Obstacle":
        if min(self.size) <= 0.0 or (self.shape == "cylinder" and self.size[0] != self.size[1]):
            raise ValueError(f"size must be positive, and of a cylinder x and y alike, got {self.size}")
        return self


class VehicleEntry(Start):
    """One vehicle of the scenario; what is not given comes from its vehicle file."""

    model: str = Field(description="shipped name, folder, or vehicle.yaml")
    name: str | None = Field(None, pattern=r"^[A-Za-z]\w*$")
    controller: ControllerEntry | None = None
    assisted: ControllerEntry | None = None
    raw: ControllerEntry | None = None
    freedom: Freedom = Field("model", description="how its root moves: as the model says, free, planar or fixed")
    mode: Mode = Field("mission", description="who flies at the start: controller, assisted or raw")
    preset: str | None = Field(None, description="one of the vehicle's presets: other numbers of its parts")
    parts: dict[str, dict[str, bool | int | float | str]] = Field(
        default_factory=dict, description="other numbers and choices of its parts: part, name, value"
    )


class FaultEntry(Entry):
    """Something breaks, or is mended, at a moment."""

    time: float = Field(ge=0, description="[s]")
    part: str = Field(description="vehicle.part, or vehicle.sticks")
    kind: FaultKind = Field(description="off, stuck or loss")
    amount: float = Field(1.0, ge=0, le=1, description="1: broken, 0: whole, between: the share that is lost")


class Record(Entry):
    """What goes to the file."""

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
    gravity: float = Field(9.81, ge=0, le=1000, description="[m/s²] downward")
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
    record: Record = Record()
    measures: dict[str, str] = Field(
        default_factory=dict, description="figures of the run: name, and an expression on signals, as rms(...)"
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
        """Where the files that it names are looked up: that of its own file, else the present one."""
        return self._folder

    @property
    def record_hz(self) -> float:
        """How often a recording takes a row [Hz]."""
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
        raise InputError(
            f"there is no scenario or vehicle {name!r}; scenarios: {', '.join(shipped_scenarios())}; "
            f"vehicles: {', '.join(shipped_vehicles())}; or give the path of a file"
        ) from None
    return Scenario(vehicles=(VehicleEntry(model=name),)), Path()


class ControllerSpec(NamedTuple):
    """A controller that may fly a vehicle."""

    entry: ControllerEntry
    home: Path
    """Where the controller's file is looked up."""
    source: str
    """Who named the controller, for error messages."""
    exact: bool = True
    """If true, its rate must divide `physics_hz`; the rate of an inactive mode is rounded to the nearest divisor."""
    given: GivenController | None = None
    """The class or instance itself, where one was given in Python."""


class ResolvedVehicle(NamedTuple):
    """One vehicle of a scenario, with everything its entry leaves out filled in from its vehicle file."""

    name: str
    path: Path
    """The vehicle file."""
    vehicle: Vehicle
    start: Start
    specs: dict[Mode, ControllerSpec]
    """Who may fly it."""
    mode: Mode
    """Who flies at the start."""
    freedom: Freedom = "model"
    """How its root moves."""
    held: HeldVehicle | None = None
    """Its files, where they are held in memory."""
    is_given: bool = False
    """Whether its content was given in Python, and is not that of the file."""
    code: tuple[Code, ...] = ()
    """The code that runs for it."""

    @property
    def controller(self) -> ControllerEntry:
        """The controller of the mission."""
        return self.specs["mission"].entry


def resolve_vehicles(
    scenario: Scenario,
    folder: Path,
    controllers: Mapping[str, str | GivenController],
    source: str,
    held: Held | None = None,
    vehicles: Mapping[str, Vehicle] | None = None,
) -> list[ResolvedVehicle]:
    """All vehicles of the scenario read from `source`. All of this is data; no code is run.

    `controllers` (name to file.py:Class, class or instance) replaces theirs, `vehicles` the content of their files.
    `held`: files in memory, in the place of those on disk.
    """
    own_vehicles = vehicles or {}
    resolved: list[ResolvedVehicle] = []
    for i, entry in enumerate(scenario.vehicles):
        here = f"{source}: vehicles[{i}]"
        files = held.vehicles[i] if held else None
        name, path, content = _vehicle_of(entry, folder, own_vehicles, files, here)
        vehicle = _with_numbers(content, entry, f"{here}.parts")
        given = entry.model_fields_set & set(Start.model_fields)
        start = vehicle.start.model_copy(update={field: getattr(entry, field) for field in given})
        specs = _controller_specs(vehicle, path, entry, folder, here)
        if name in controllers:
            said = f"controllers[{name}]"
            own, flown = given_entry(specs["mission"].entry, controllers[name], said)
            specs["mission"] = ControllerSpec(own, Path(), said, given=flown)
        if entry.mode not in specs:
            raise InputError(f"{here}.mode: {name} has no controller {entry.mode!r}; it has: {', '.join(specs)}")
        if any(name == other.name for other in resolved):
            raise InputError(f"{here}: two vehicles are called {name!r}; give one of them another name")
        if name in RESERVED:
            raise InputError(f"{here}.name: {name!r} is taken by the parameters of the {name}; give it another name")
        is_given = name in own_vehicles
        resolved.append(ResolvedVehicle(name, path, vehicle, start, specs, entry.mode, entry.freedom, files, is_given))
    names = [one.name for one in resolved]
    for what, given_names in (("a controller", controllers), ("another content", own_vehicles)):
        for unknown in sorted(set(given_names) - set(names)):
            raise InputError(f"there is no vehicle {unknown!r} to give {what}; there are: {', '.join(names)}")
    return resolved


def _vehicle_of(
    entry: VehicleEntry, folder: Path, own: Mapping[str, Vehicle], files: HeldVehicle | None, here: str
) -> tuple[str, Path, Vehicle]:
    """Name, file and content of a vehicle; one that was given in Python has the file it was read from, if any."""
    try:
        path = files.path if files else find_vehicle(entry.model, folder)
    except InputError as error:
        if (entry.name or entry.model) not in own:
            raise InputError(f"{here}.model: {error}") from None
        path = folder / "vehicle.yaml"
    name = entry.name or re.sub(r"\W", "_", path.parent.resolve().name)  # a name that ROS topics allow
    if name not in own:
        return name, path, read_vehicle(path, files)
    if not isinstance(own[name], Vehicle):
        raise InputError(f"vehicles[{name}]: expected a cupola.Vehicle, got {own[name]!r}")
    return name, own[name].path or path, own[name].copied()


def _controller_specs(
    vehicle: Vehicle, path: Path, entry: VehicleEntry, folder: Path, here: str
) -> dict[Mode, ControllerSpec]:
    """Who may fly: what the scenario says, else what the vehicle file says."""
    specs: dict[Mode, ControllerSpec] = {}
    for mode, key in MODES.items():
        if own := getattr(entry, key):
            specs[mode] = ControllerSpec(own, folder, f"{here}.{key}")
        elif usual := getattr(vehicle, key):
            specs[mode] = ControllerSpec(usual, path.parent, f"{path}: {key}", exact=mode in ("mission", entry.mode))
    return specs


def _with_numbers(vehicle: Vehicle, entry: VehicleEntry, here: str) -> Vehicle:
    """The vehicle with the numbers and choices that the scenario gives its parts."""
    parts = dict(vehicle.parts)
    if entry.preset is not None and entry.preset not in vehicle.presets:
        there = ", ".join(vehicle.presets) or "none"
        raise InputError(
            f"{here.removesuffix('.parts')}.preset: there is no preset {entry.preset!r}; there are: {there}"
        )
    chosen = {**vehicle.presets.get(entry.preset or "", {})}
    for name, given in entry.parts.items():
        chosen[name] = {**chosen.get(name, {}), **given}
    for name, given in chosen.items():
        if name not in parts:
            raise InputError(f"{here}: there is no part {name!r}; there are: {', '.join(parts) or 'none'}")
        part = parts[name]
        if isinstance(part, UserPart):  # only its class knows what it takes
            parts[name] = part.model_copy(update={"given": given, "given_by": here})
            continue
        try:
            parts[name] = with_fields(part, given)
        except ValueError as error:
            raise InputError(f"{here}.{name}: {error}") from None
    return vehicle.model_copy(update={"parts": parts})
