"""The arrays of a world: allocated once, and packed from what the scenario says of air, Earth and floor."""

import math
from typing import Any

import mujoco
import numpy as np

from cupola.build.entries import Entries
from cupola.build.layout_builder import LayoutBuilder
from cupola.config.air import Air
from cupola.config.scenario import Scenario
from cupola.config.wind_field import WindField
from cupola.engine.loop import HISTORY
from cupola.kernel.array_groups import LOGGED, REMEMBERED, numbers_in, segments
from cupola.kernel.memory import STICKS, Views
from cupola.kernel.mujoco_abi import address, contact_layout, state_segments
from cupola.kernel.mujoco_arrays import mujoco_arrays
from cupola.kernel.rows import (
    AIR,
    AIR_AT,
    CONTROL,
    EARTH,
    ERROR,
    GUST,
    JET,
    OBSERVATION,
    PATCH,
    SEGMENT,
    THERMAL,
    TURBULENCE,
    VEHICLE,
    WIND_LAYER,
    WORLD,
)
from cupola.physics.geodesy import Geodetic, enu_from_ecef
from cupola.physics.magnetism import dipole_field
from cupola.physics.rotation import Vector
from cupola.physics.wind import wind_from


def allocate(
    scenario: Scenario,
    model: Any,
    data: Any,
    b: LayoutBuilder,
    entries: Entries,
    vehicles: list[Any],
    jets: list[tuple[int, int]],
    field: WindField | None,
    max_ticks: int,
) -> Views:
    """All arrays, with everything in them that does not change from run to run."""
    slots = b.first_channel + b.channels
    count = len(vehicles)
    log_period = scenario.physics_hz / scenario.record_hz
    ours: dict[str, np.ndarray[Any, Any]] = {
        "vehicles": np.array(vehicles, VEHICLE),
        "air": pack_air(scenario.air),
        "earth": _earth(scenario),
        "gusts": pack_gusts(scenario.air),
        "wind_layers": pack_wind_layers(scenario.air),
        "wind_field": field.packed() if field else np.zeros(0),
        "thermals": _thermals(scenario),
        "jets": np.array(jets, JET),
        "patches": _patches(scenario),
        "controls": np.zeros(count, CONTROL),
        "entries": entries.table,
        "stage_starts": entries.starts,
        "sensors": entries.sensors,
        "settling": entries.settling,
        "state": np.zeros(max(1, len(b.numbers))),
        "turbulence": np.zeros(count, TURBULENCE),
        "counters": np.zeros(b.counters + 1, np.int64),
        "command": np.zeros(slots),
        "may_hold": np.isin(np.arange(slots), b.holding).astype(np.int64),
        "drive": np.zeros(slots),
        "sticks": np.zeros((count, STICKS)),
        "external_wrench": np.zeros((model.nbody, 6)),
        "applied_forces": np.zeros((model.nbody, 9)),
        "outputs": np.zeros(b.outputs),
        "reported": np.zeros(max(1, b.reported)),
        "given": np.zeros(max(1, len(b.link_values))),
        "air_samples": np.zeros(count, AIR_AT),
        "observations": np.zeros(count, OBSERVATION),
        "samples": np.zeros(b.sample_numbers),
        "constants": np.array(b.constants, np.float64),
        "error": np.zeros(1, ERROR),
        "buffer": np.zeros(model.nq + 4 * model.nv),
    }
    ours = {name: array.view(np.recarray) if array.dtype.names else array for name, array in ours.items()}
    state_size = mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_INTEGRATION)
    kept = state_size + sum(numbers_in(ours[name]) for name in (*REMEMBERED, "counters"))
    ours["history"] = np.zeros(HISTORY * kept)
    theirs = mujoco_arrays(model, data)
    both = {**theirs, **ours}
    width = 1 + sum(numbers_in(both[name]) for name in LOGGED)
    ours["log"] = np.zeros((int(max_ticks / log_period) + 3) * width)
    ours["log_segments"], ours["history_segments"] = segments(both, LOGGED), segments(both, REMEMBERED)
    copied = np.array(state_segments(model, data, mujoco.mjtState.mjSTATE_INTEGRATION), SEGMENT)
    ours["history_segments"] = np.concatenate([copied, ours["history_segments"]])
    ours["world"] = _world(scenario, model, data, state_size, log_period, width, entries).view(np.recarray)
    arrays: dict[str, Any] = {**theirs, **ours}
    return Views(**arrays)


def _world(
    scenario: Scenario, model: Any, data: Any, state_size: int, log_period: float, log_width: int, entries: Entries
) -> Any:
    row = np.zeros(1, WORLD)
    row["dt"], row["log_period"] = 1.0 / scenario.physics_hz, log_period
    for name in WORLD.names or ():
        if name.startswith(("mj_", "mjcb_")):
            row[name] = address(name)
    for name, value in contact_layout()._asdict().items():
        row[f"contact_{name}"] = value
    row["model"], row["data"], row["seed"] = model._address, data._address, scenario.seed
    row["draw_every"] = scenario.physics_hz // (scenario.draws_hz or scenario.physics_hz)
    row["integrator"] = int(model.opt.integrator)
    row["state_size"], row["log_width"] = state_size, log_width
    row["state_copied"] = len(state_segments(model, data, mujoco.mjtState.mjSTATE_INTEGRATION)) == 0
    row["floor"] = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, "floor")
    row["split"] = entries.uses("inertia") or entries.uses("contact")
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
        row["wind_up"], row["wind_roughness"] = air.wind.up, air.wind.roughness or 0.0
        row["wind_scale"] = air.wind.field_scale if air.wind.field else 0.0
    if air.turbulence:
        row["turbulent"], row["wind_at_6m"] = 1, air.turbulence.wind_at_6m
        row["karman"] = air.turbulence.spectrum == "von_karman"
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


def pack_wind_layers(air: Air) -> Any:
    """The rows of its wind table, east and north."""
    layers = air.wind.layers if air.wind else ()
    found = [(one.height, *wind_from(one.speed, math.radians(one.from_deg))[:2]) for one in layers]
    return np.array(found, WIND_LAYER)


def _thermals(scenario: Scenario) -> Any:
    origin, altitude = scenario.origin, scenario.air.altitude
    rows = [
        (*one.center, origin.ground_below(*one.center, altitude), one.radius, one.strength, one.top)
        for one in scenario.air.thermals
    ]
    return np.array(rows, THERMAL)


def _earth(scenario: Scenario) -> Any:
    origin, row = scenario.origin, np.zeros(1, EARTH)
    place = Geodetic(math.radians(origin.latitude_deg), math.radians(origin.longitude_deg), scenario.air.altitude)
    row["latitude"], row["longitude"], row["altitude"] = place
    field = origin.magnetic_field or dipole_field(*place)
    row["field_x"], row["field_y"], row["field_z"] = field
    row["dipole"], row["curved"] = origin.magnetic_field is None, origin.is_round
    planet = origin.planet_now()
    for name, value in planet._asdict().items():
        row[name] = value
    row["spin_x"], row["spin_y"], row["spin_z"] = enu_from_ecef(
        Vector(0.0, 0.0, planet.rotation), place.latitude, place.longitude
    )
    return row
