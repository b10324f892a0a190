"""A scenario compiled: one MuJoCo model, one table of arrays, every part bound to its place."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.build.layout_builder import LONGEST_CHUNK, Binder
from cupola.build.mjcf import build_model
from cupola.config.channels import HAND
from cupola.config.routes import find_route, route_sticks
from cupola.config.scenario import Air, Chair, Entered, Mode, Scenario, enter
from cupola.config.vehicle import Vehicle
from cupola.engine.loop import HISTORY, REMEMBERED
from cupola.kernel.memory import (
    AIR,
    AIR_VALUES,
    C_FUNCTIONS,
    CONTACT_PLACES,
    CONTROL,
    EARTH,
    GUST,
    LOGGED,
    PATCH,
    SEEN,
    STICKS,
    VEHICLE,
    WORLD,
    Views,
    mujoco_arrays,
)
from cupola.kernel.mujoco_abi import address, contact_layout
from cupola.parts import CODES, KINDS
from cupola.parts.aero.airfoil import AIRFOIL, Airfoil
from cupola.parts.aero.bluff import BLUFF, BluffBody
from cupola.parts.aero.liftdrag import LIFTDRAG, LiftDragSurface
from cupola.parts.aero.wing import WING, Wing
from cupola.parts.external.external import EXTERNAL, External
from cupola.parts.joints.air_bearing import BEARING, AirBearing
from cupola.parts.joints.gripper import GRIPPER, Gripper
from cupola.parts.joints.joint_motor import MOTOR, JointMotor
from cupola.parts.joints.mecanum import MECANUM, Mecanum, treads
from cupola.parts.joints.servo import SERVO, Servo
from cupola.parts.part import HELD, Load, Part, Row, ticks_between
from cupola.parts.propulsion.battery import BATTERY, Battery
from cupola.parts.propulsion.flapping import FLAPPING, FlappingMechanism
from cupola.parts.propulsion.gas_tank import TANK, GasTank
from cupola.parts.propulsion.mixer import MIXER, Mixer
from cupola.parts.propulsion.rotor import ROTOR, Rotor
from cupola.parts.propulsion.thruster_pair import THRUSTER, ThrusterPair
from cupola.parts.sensors.sensor import SENSOR, Sensor
from cupola.physics.geodesy import Geodetic
from cupola.physics.magnetism import dipole_field
from cupola.physics.planet import J2, ROTATION
from cupola.schema.yaml_files import InputError
from cupola.sim.controller import Controller
from cupola.sim.controller_runner import Pilot, hire

ROWS: dict[type[Part], tuple[str, Any]] = {
    Mixer: ("mixers", MIXER),
    FlappingMechanism: ("flappers", FLAPPING),
    Servo: ("servos", SERVO),
    Airfoil: ("airfoils", AIRFOIL),
    LiftDragSurface: ("liftdrags", LIFTDRAG),
    Wing: ("wings", WING),
    Rotor: ("rotors", ROTOR),
    Mecanum: ("mecanums", MECANUM),
    JointMotor: ("motors", MOTOR),
    GasTank: ("tanks", TANK),
    AirBearing: ("bearings", BEARING),
    ThrusterPair: ("thrusters", THRUSTER),
    Gripper: ("grippers", GRIPPER),
    Battery: ("batteries", BATTERY),
    Sensor: ("sensors", SENSOR),
    BluffBody: ("bluffs", BLUFF),
    Load: ("held", HELD),
    External: ("externals", EXTERNAL),
}
"""Record array of each kind of part. A load that is none of ours is one of the user's."""


class Member(NamedTuple):
    """One vehicle in the world."""

    entered: Entered
    root: int
    """Body whose motion controllers see."""
    channels: slice
    """Its slots in the command array."""
    pilots: dict[Mode, Pilot]
    """Who may fly it."""
    hand: int
    """Where the memory of its channel functions lies."""
    own_state: slice
    """State of its parts and its controller."""

    @property
    def name(self) -> str:
        """What it is called in this world."""
        return self.entered.name

    @property
    def pilot(self) -> Pilot:
        """Who flies the mission."""
        return self.pilots["mission"]

    @property
    def vehicle(self) -> Vehicle:
        """The content of its vehicle file."""
        return self.entered.vehicle

    @property
    def path(self) -> Path:
        """Its vehicle file."""
        return self.entered.path


class Bound(NamedTuple):
    """One part in the world."""

    vehicle: str
    name: str
    part: Part
    kind: str
    """Name of its record array."""
    row: int
    """Its row there."""
    bookmark: dict[str, Any]
    """Where its numbers lie: see `Binder.reopen`."""


class Assembly(NamedTuple):
    """Everything a world needs."""

    model: Any
    data: Any
    arrays: Views
    members: list[Member]
    parts: list[Bound]
    initial_state: np.ndarray[Any, Any]
    chunk: int
    """Most ticks between two drains."""


def assemble(scenario: Scenario, folder: Path, controllers: Mapping[str, str], compiled: bool, source: str) -> Assembly:
    """Compile the scenario."""
    entered = enter(scenario, folder, controllers, source)
    model = build_model(scenario, entered)
    data = mujoco.MjData(model)
    binder = Binder(model, scenario.physics_hz)
    rows: dict[str, list[Row]] = {name: [] for name, _ in ROWS.values()}
    members, bound, vehicles = [], [], []
    for index, one in enumerate(entered):
        binder.enter(index, one.name, one.vehicle.parts)
        binder.folder = one.path.parent
        try:
            binder.root = root = binder.body(one.vehicle.root)
        except ValueError as error:
            raise InputError(f"{one.path}: root: {error}") from None
        hand = binder.state(*[0.0] * HAND)
        vehicles.append((root, binder.state(*[0.0] * 5), binder.stream()))
        own = len(binder.numbers)
        pieces = [piece for name, part in one.vehicle.parts.items() for piece in part.pieces(name).items()]
        bound += [_bind(one, name, part, binder, rows) for name, part in pieces]
        pilots = {mode: _hire(one, chair, binder, compiled) for mode, chair in one.chairs.items()}
        channels = slice(binder.first_channel, binder.first_channel + binder.channels)
        members.append(Member(one, root, channels, pilots, hand, slice(own, len(binder.numbers))))
    chunk = max(1, int(LONGEST_CHUNK * scenario.physics_hz))
    arrays = _allocate(scenario, model, data, binder, rows, vehicles, chunk)
    return Assembly(model, data, arrays, members, bound, np.array(binder.numbers), chunk)


def _hire(one: Entered, chair: Chair, binder: Binder, compiled: bool) -> Pilot:
    entry = chair.entry
    every = max(1, round(binder.physics_hz / entry.rate_hz))
    if chair.exact:
        try:
            every = ticks_between(entry.rate_hz, binder.physics_hz)
        except ValueError as error:
            raise InputError(f"{chair.source}.{error}") from None
    controller = hire(entry, chair.home, chair.source)
    _check_needs(one, chair, controller)
    if entry.channel >= binder.channels:
        raise InputError(f"{chair.source}.channel: {one.name} has {binder.channels} channels, got {entry.channel}")
    first = binder.state(*controller.State())
    place, order = slice(first, len(binder.numbers)), one.vehicle.channel_mix.sticks
    pilot = Pilot(one.name, controller, entry, every, compiled, order, place)
    if entry.route:
        try:
            pilot.script = route_sticks(find_route(entry.route, chair.home))
        except InputError as error:
            raise InputError(f"{chair.source}.route: {error}") from None
    return pilot


def _check_needs(one: Entered, chair: Chair, controller: Controller) -> None:
    needs, parts = controller.needs, one.vehicle.parts.values()
    kinds = sorted({part.kind for part in parts})
    if needs and needs not in kinds:
        raise InputError(
            f"{chair.source}.use: {chair.entry.use} commands a part of kind {needs!r}; "
            f"{one.name} has: {', '.join(kinds) or 'no parts'}"
        )
    firsts = [part.channel for part in parts if isinstance(part, Mixer)]
    if needs == "mixer" and chair.entry.channel not in firsts:
        raise InputError(
            f"{chair.source}.channel: {chair.entry.use} commands a mixer, but none of {one.name} begins at channel "
            f"{chair.entry.channel}; its mixers begin at: {', '.join(map(str, firsts))}"
        )


def _bind(one: Entered, name: str, part: Part, binder: Binder, rows: dict[str, list[Row]]) -> Bound:
    kind = next((row for cls, (row, _) in ROWS.items() if isinstance(part, cls)), None)
    code = next((CODES[name] for name, cls in KINDS.items() if isinstance(part, cls)), None)
    if kind is None or (isinstance(part, Sensor) and code is None):
        raise InputError(f"{one.path}: parts.{name}: {part.kind} must derive from cupola.Load or cupola.External")
    bookmark = binder.bookmark()
    try:
        row = part.bind(binder)
        if isinstance(part, Sensor):
            row["code"] = code
        elif part.Output is not None:
            part.show_at(int(row["output"]))
        rows[kind].append(row)
    except ValueError as error:
        raise InputError(f"{one.path}: parts.{name}: {error}") from None
    return Bound(one.name, name, part, kind, len(rows[kind]) - 1, bookmark)


def _allocate(
    scenario: Scenario,
    model: Any,
    data: Any,
    b: Binder,
    rows: dict[str, list[Row]],
    vehicles: list[Any],
    chunk: int,
) -> Views:
    slots = b.first_channel + b.channels
    state_size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_INTEGRATION)
    counters = b.counters + 1
    log_period = scenario.physics_hz / scenario.record_hz
    numbers: dict[str, np.ndarray[Any, Any]] = {
        "vehicles": np.array(vehicles, VEHICLE),
        "treads": treads(model, rows["mecanums"]),
        "air": pack_air(scenario.air),
        "earth": _earth(scenario),
        "gusts": pack_gusts(scenario.air),
        "patches": _patches(scenario),
        "controls": np.zeros(len(vehicles), CONTROL),
        "state": np.zeros(max(1, len(b.numbers))),
        "counters": np.zeros(counters, np.int64),
        "command": np.zeros(slots),
        "may_hold": np.isin(np.arange(slots), b.holding).astype(np.int64),
        "drive": np.zeros(slots),
        "sticks": np.zeros((len(vehicles), STICKS)),
        "push": np.zeros((model.nbody, 6)),
        "pulls": np.zeros((model.nbody, 6)),
        "outputs": np.zeros(b.outputs),
        "airs": np.zeros((len(vehicles), AIR_VALUES)),
        "seen": np.zeros((len(vehicles), SEEN)),
        "samples": np.zeros(b.sample_numbers),
        "curves": np.array(b.pool, np.float64),
        "fault": np.zeros(1, np.int64),
        "stages": np.zeros(model.nq + 4 * model.nv),
        **{name: np.array([row[()] for row in rows[name]], kind) for name, kind in ROWS.values()},
    }
    numbers["history"] = np.zeros(HISTORY * (state_size + sum(numbers[name].size for name in REMEMBERED)))
    arrays = {**mujoco_arrays(model, data), **numbers}
    width = 1 + sum(arrays[name].size for name in LOGGED)
    numbers["log"] = np.zeros((int(chunk / log_period) + 3) * width)
    numbers["world"] = _world(scenario, model, data, state_size, log_period, width)
    return Views(**mujoco_arrays(model, data), **numbers)


def _world(scenario: Scenario, model: Any, data: Any, state_size: int, log_period: float, log_width: int) -> Any:
    row = np.zeros(1, WORLD)
    row["dt"], row["log_period"] = 1.0 / scenario.physics_hz, log_period
    for name in C_FUNCTIONS:
        row[name] = address(name)
    for name, value in zip(CONTACT_PLACES, contact_layout(), strict=True):
        row[name] = value
    row["model"], row["data"], row["seed"] = model._address, data._address, scenario.seed
    row["integrator"] = int(model.opt.integrator)
    row["state_size"], row["log_width"] = state_size, log_width
    row["floor"] = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, "floor")
    return row


def pack_air(air: Air) -> Any:
    """The row of the air."""
    row = np.zeros(1, AIR)
    row["altitude"], row["temperature_offset"] = air.altitude, air.temperature_offset
    row["sea_level_pressure"], row["scale"] = air.sea_level_pressure, 0.0 if air.space else 1.0
    row["fixed_density"], row["wind_height"] = air.density or 0.0, 1.0
    if air.wind:
        row["wind_speed"], row["wind_bearing"] = air.wind.speed, math.radians(air.wind.from_deg)
        row["wind_height"], row["wind_exponent"] = air.wind.height, air.wind.exponent
        row["wind_up"] = air.wind.up
    if air.turbulence:
        row["turbulent"] = 1
        for axis, sigma, length in zip("uvw", air.turbulence.sigma, air.turbulence.length, strict=True):
            row[f"sigma_{axis}"], row[f"length_{axis}"] = sigma, length
    return row


def _patches(scenario: Scenario) -> Any:
    """The rows of the floor's patches."""
    rows = []
    for patch in scenario.floor.patches if scenario.floor else ():
        (x, y), (wide, deep) = patch.center, patch.size
        rows.append((x - 0.5 * wide, x + 0.5 * wide, y - 0.5 * deep, y + 0.5 * deep, patch.friction))
    return np.array(rows, PATCH)


def pack_gusts(air: Air) -> Any:
    """The rows of its gusts."""
    return np.array([(g.start, g.rise, g.hold, *g.velocity) for g in air.gusts], GUST)


def _earth(scenario: Scenario) -> Any:
    origin, row = scenario.origin, np.zeros(1, EARTH)
    place = Geodetic(math.radians(origin.latitude_deg), math.radians(origin.longitude_deg), scenario.air.altitude)
    row["latitude"], row["longitude"], row["altitude"] = place
    field = origin.magnetic_field or dipole_field(*place)
    row["field_x"], row["field_y"], row["field_z"] = field
    row["round"] = origin.shape != "flat"
    row["j2"] = J2 if origin.shape == "oblate" else 0.0
    row["rotation"] = ROTATION if origin.rotating else 0.0
    return row
