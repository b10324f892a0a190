"""A scenario compiled: one MuJoCo model, one table of arrays, every part bound to its place."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.engine.memory import (
    AIR,
    AIR_VALUES,
    C_FUNCTIONS,
    CONTROL,
    GUST,
    LOGGED,
    SEEN,
    STICKS,
    VEHICLE,
    WORLD,
    Views,
    mujoco_arrays,
)
from cupola.engine.native import address
from cupola.files import InputError
from cupola.parts.airfoil import AIRFOIL, Airfoil
from cupola.parts.imu import IMU, Imu
from cupola.parts.mixer import MIXER, Mixer
from cupola.parts.part import HELD, Curve, CurveRow, Load, Part, Row
from cupola.parts.rotor import ROTOR, Rotor
from cupola.parts.servo import SERVO, Servo
from cupola.parts.truth import TRUTH, Truth
from cupola.physics.rotation import Euler, quaternion_from_euler
from cupola.pilot import Pilot, hire, ticks_between
from cupola.scenario import Scenario, complete
from cupola.vehicle import ControllerEntry, Start, Vehicle, read_vehicle

CHANNELS = 20
LONGEST_CHUNK = 1.0
"""[s] of simulated time between two drains of the recorders' rings."""
ROWS: dict[type[Part], tuple[str, Any]] = {
    Mixer: ("mixers", MIXER),
    Servo: ("servos", SERVO),
    Airfoil: ("airfoils", AIRFOIL),
    Rotor: ("rotors", ROTOR),
    Imu: ("imus", IMU),
    Truth: ("truths", TRUTH),
    Load: ("held", HELD),
}
"""Record array of each kind of part. A load that is none of ours is one of the user's."""


class Member(NamedTuple):
    """One vehicle in the world."""

    name: str
    vehicle: Vehicle
    path: Path
    start: Start
    controller: ControllerEntry
    root: int
    """Body whose motion controllers see."""
    channels: slice
    """Its slots in the command array."""
    control_state: int
    """Where the state of its controller's law lies."""
    pilot: Pilot


class Bound(NamedTuple):
    """One part in the world."""

    vehicle: str
    name: str
    part: Part
    kind: str
    """Name of its record array."""
    row: int
    """Its row there."""


Entered = tuple[str, Path, Start, ControllerEntry, Vehicle]
"""Name, vehicle file, start, controller and content of one entry of the scenario."""


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


def build_model(scenario: Scenario, folder: Path) -> tuple[Any, list[Entered]]:
    """The MuJoCo model of all vehicles on one floor, names prefixed `vehicle/`, and what each entry became."""
    spec = mujoco.MjSpec()
    spec.option.timestep = 1.0 / scenario.physics_hz
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{scenario.integrator.upper()}")
    spec.option.gravity = [0.0, 0.0, -scenario.gravity]
    # A world that silently starts over hides the fault; ours stops and says which part it was.
    spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    if scenario.floor:
        size = scenario.floor.size
        spec.worldbody.add_geom(
            name="floor",
            type=mujoco.mjtGeom.mjGEOM_PLANE,
            size=[size, size, 1.0],
            friction=[scenario.floor.friction, 0.005, 0.0001],
            rgba=[0.55, 0.6, 0.52, 1.0],
        )
    entries: list[Entered] = []
    for entry in scenario.vehicles:
        name, path, start, controller = complete(entry, folder)
        if any(name == other[0] for other in entries):
            raise InputError(f"two vehicles are called {name!r}; give one of them another `name`")
        vehicle = read_vehicle(path)
        child = read_mjcf(path.parent / vehicle.mjcf)
        for part in vehicle.parts.values():
            part.attach(child)
        spec.attach(child, prefix=f"{name}/", frame=spec.worldbody.add_frame())
        entries.append((name, path, start, controller, vehicle))
    try:
        return spec.compile(), entries
    except ValueError as error:
        files = ", ".join(str(path.parent / vehicle.mjcf) for _, path, _, _, vehicle in entries)
        raise InputError(f"{files}: MuJoCo refuses the model: {' '.join(str(error).split())}") from error


def read_mjcf(path: Path) -> Any:
    """An MJCF file; its own compile errors name it."""
    if not path.is_file():
        near = ", ".join(sorted(f.name for f in path.parent.glob("*.xml"))) or "no .xml file"
        raise InputError(f"there is no file {path}; beside the vehicle file there is {near}")
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        spec.compile()
        return spec
    except ValueError as error:
        raise InputError(f"{path}: MuJoCo refuses the model: {' '.join(str(error).split())}") from error


class Binder:
    """Finds places for the parts: it is the `Places` that a part is given."""

    def __init__(self, model: Any, scenario: Scenario) -> None:
        self.model = model
        self.physics_hz = scenario.physics_hz
        self.vehicle = -1
        self.root = 0
        self.parts: Mapping[str, Part] = {}
        self.prefix = ""
        self.where = ""
        self.first_channel = 1
        self.channels = 0
        self.numbers: list[float] = []
        self.pool: list[float] = []
        self.outputs = 0
        self.sample_numbers = 0
        self.counters = 1
        self.streams = 0

    def enter(self, index: int, name: str, path: Path, used: list[int]) -> None:
        """Begin with the parts of one vehicle."""
        self.first_channel += self.channels
        self.channels = max(CHANNELS, 1 + max(used, default=0))
        self.vehicle, self.prefix, self.where = index, f"{name}/", str(path)

    def site(self, name: str) -> int:
        """Index of a site of the present vehicle."""
        return self._find(mujoco.mjtObj.mjOBJ_SITE, "site", name, self.model.nsite)

    def body(self, name: str) -> int:
        """Index of a body of the present vehicle."""
        return self._find(mujoco.mjtObj.mjOBJ_BODY, "body", name, self.model.nbody)

    def actuator(self, name: str) -> int:
        """Index of a MuJoCo actuator of the present vehicle."""
        return self._find(mujoco.mjtObj.mjOBJ_ACTUATOR, "actuator", name, self.model.nu)

    def _find(self, kind: Any, noun: str, name: str, count: int) -> int:
        found: int = mujoco.mj_name2id(self.model, kind, self.prefix + name)
        if found < 0:
            names = [mujoco.mj_id2name(self.model, kind, i) or "" for i in range(count)]
            own = ", ".join(n.removeprefix(self.prefix) for n in names if n.startswith(self.prefix)) or "none"
            raise ValueError(f"the model has no {noun} {name!r}; its {noun} names: {own}")
        return found

    def body_of(self, site: int) -> int:
        """Index of the body that carries a site."""
        return int(self.model.site_bodyid[site])

    def channel(self, number: int) -> int:
        """Slot of a channel; slot 0 is always zero."""
        return 0 if number < 0 else self.first_channel + number

    def curve(self, curve: Curve | None) -> CurveRow:
        """Append a curve to the pool."""
        if curve is None:
            return CurveRow(0, 0, 0)
        start = len(self.pool)
        self.pool += [*(curve.breaks or []), *curve.coefficients]
        return CurveRow(start, len(curve.breaks) - 1 if curve.breaks else 0, len(curve.coefficients))

    def state(self, *initial: float) -> int:
        """Reserve state with its initial values."""
        start = len(self.numbers)
        self.numbers += initial
        return start

    def output(self, count: int) -> int:
        """Reserve outputs."""
        self.outputs += count
        return self.outputs - count

    def samples(self, width: int, rate_hz: float, delay: float) -> tuple[int, int, float, int]:
        """Reserve a ring that holds a chunk, the delay and some more."""
        capacity = math.ceil((LONGEST_CHUNK + delay) * rate_hz) + 4
        start = self.sample_numbers
        self.sample_numbers += capacity * width
        self.counters += 1
        return start, capacity, self.physics_hz / rate_hz, self.counters - 1

    def stream(self) -> int:
        """A number of its own for noise."""
        self.streams += 1
        return self.streams


def assemble(scenario: Scenario, folder: Path, controllers: Mapping[str, str], compiled: bool) -> Assembly:
    """Compile the scenario."""
    model, entries = build_model(scenario, folder)
    data = mujoco.MjData(model)
    binder = Binder(model, scenario)
    rows: dict[str, list[Row]] = {name: [] for name, _ in ROWS.values()}
    members, bound, vehicles = [], [], []
    for index, (name, path, start, controller, vehicle) in enumerate(entries):
        used = [c for part in vehicle.parts.values() for c in _channels(part)]
        binder.enter(index, name, path, used)
        try:
            binder.root = root = binder.body(vehicle.root)
            binder.parts = vehicle.parts
        except ValueError as error:
            raise InputError(f"{path}: root: {error}") from None
        gust = binder.state(*[0.0] * 5)
        vehicles.append((root, gust, binder.stream()))
        for part_name, part in vehicle.parts.items():
            kind = next((row for cls, (row, _) in ROWS.items() if isinstance(part, cls)), None)
            if kind is None:
                raise InputError(f"{path}: parts.{part_name}: {part.kind} must derive from cupola.Load")
            try:
                rows[kind].append(part.bind(binder))
            except ValueError as error:
                raise InputError(f"{path}: parts.{part_name}: {error}") from None
            bound.append(Bound(name, part_name, part, kind, len(rows[kind]) - 1))
        if name in controllers:
            controller = controller.model_copy(update={"use": controllers[name], "parameters": {}})
        pilot = _pilot(name, controller, path, scenario, folder, compiled, own=name in controllers)
        control_state = binder.state(*pilot.controller.State())
        channels = slice(binder.first_channel, binder.first_channel + binder.channels)
        members.append(Member(name, vehicle, path, start, controller, root, channels, control_state, pilot))
    chunk = max(1, int(LONGEST_CHUNK * scenario.physics_hz))
    arrays = _allocate(scenario, model, data, binder, rows, vehicles, chunk)
    return Assembly(model, data, arrays, members, bound, np.array(binder.numbers), chunk)


def _pilot(
    name: str, entry: ControllerEntry, path: Path, scenario: Scenario, folder: Path, compiled: bool, own: bool
) -> Pilot:
    """The controller of a vehicle, in its seat. A controller given on the command line is looked up from here."""
    from_scenario = any((v.name or Path(v.model).name) == name and v.controller for v in scenario.vehicles)
    home = Path() if own else folder if from_scenario else path.parent
    source = f"vehicle {name}" if own or from_scenario else str(path)
    every = ticks_between(entry.rate_hz, scenario.physics_hz, source)
    return Pilot(name, hire(entry, home, source), entry, every, compiled)


def _channels(part: Part) -> list[int]:
    """Command channels a part of ours listens to."""
    if isinstance(part, Airfoil):
        return list(part.channels)
    return [part.channel] if isinstance(part, Rotor | Servo) else []


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
    log_period = max(1, round(scenario.physics_hz / scenario.record.rate_hz))
    from cupola.engine.loop import HISTORY

    numbers: dict[str, np.ndarray[Any, Any]] = {
        "vehicles": np.array(vehicles, VEHICLE),
        "air": _air(scenario),
        "gusts": np.array([(g.start, g.rise, g.hold, *g.velocity) for g in scenario.air.gusts], GUST),
        "controls": np.zeros(len(vehicles), CONTROL),
        "state": np.zeros(max(1, len(b.numbers))),
        "counters": np.zeros(counters, np.int64),
        "command": np.zeros(slots),
        "drive": np.zeros(slots),
        "sticks": np.zeros((len(vehicles), STICKS)),
        "push": np.zeros((model.nbody, 6)),
        "outputs": np.zeros(b.outputs),
        "airs": np.zeros((len(vehicles), AIR_VALUES)),
        "seen": np.zeros((len(vehicles), SEEN)),
        "samples": np.zeros(b.sample_numbers),
        "curves": np.array(b.pool, np.float64),
        "history": np.zeros(HISTORY * (state_size + max(1, len(b.numbers)) + slots + counters)),
        "fault": np.zeros(1, np.int64),
        "stages": np.zeros(model.nq + 4 * model.nv),
        **{name: np.array([row[()] for row in rows[name]], kind) for name, kind in ROWS.values()},
    }
    arrays = {**mujoco_arrays(model, data), **numbers}
    width = 1 + sum(arrays[name].size for name in LOGGED)
    numbers["log"] = np.zeros((chunk // log_period + 3) * width)
    numbers["world"] = _world(scenario, model, data, state_size, log_period, width)
    return Views(**mujoco_arrays(model, data), **numbers)


def _world(scenario: Scenario, model: Any, data: Any, state_size: int, log_period: int, log_width: int) -> Any:
    row = np.zeros(1, WORLD)
    row["dt"], row["gravity_z"] = 1.0 / scenario.physics_hz, -scenario.gravity
    for name in C_FUNCTIONS:
        row[name] = address(name)
    row["model"], row["data"], row["seed"] = model._address, data._address, scenario.seed
    row["integrator"] = int(model.opt.integrator)
    row["state_size"], row["log_period"], row["log_width"] = state_size, log_period, log_width
    return row


def _air(scenario: Scenario) -> Any:
    air, row = scenario.air, np.zeros(1, AIR)
    row["altitude"], row["temperature_offset"] = air.altitude, air.temperature_offset
    row["sea_level_pressure"], row["scale"] = air.sea_level_pressure, 0.0 if air.space else 1.0
    row["wind_height"] = 1.0
    if air.wind:
        row["wind_speed"], row["wind_bearing"] = air.wind.speed, math.radians(air.wind.from_deg)
        row["wind_height"], row["wind_exponent"] = air.wind.height, air.wind.exponent
    if air.turbulence:
        row["turbulent"] = 1
        for axis, sigma, length in zip("uvw", air.turbulence.sigma, air.turbulence.length, strict=True):
            row[f"sigma_{axis}"], row[f"length_{axis}"] = sigma, length
    return row


def place(member: Member, model: Any, data: Any) -> None:
    """Put a vehicle at its start: pose in the world, velocities in body axes."""
    joint = model.body_jntadr[member.root]
    if joint < 0 or model.jnt_type[joint] != mujoco.mjtJoint.mjJNT_FREE:
        if member.start != Start():
            raise InputError(f"{member.path}: start: the root body {member.vehicle.root!r} has no free joint to move")
        return
    q, v = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
    quat = quaternion_from_euler(Euler(*(math.radians(a) for a in member.start.attitude_deg)))
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, np.array(quat))
    data.qpos[q : q + 7] = [*member.start.position, *quat]
    data.qvel[v : v + 3] = turn.reshape(3, 3) @ member.start.velocity_b
    data.qvel[v + 3 : v + 6] = member.start.rate_b
