"""Accelerations of imported aircraft at random states of flight, beside JSBSim's own, engines off."""

import json
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.bridge.jsbsim.propellers import RUNNING
from cupola.config.scenario import Scenario
from cupola.parts.functions.table_control import INPUTS, TableControl
from cupola.physics.atmosphere import GAS_CONSTANT, HEAT_RATIO, Atmosphere, atmosphere
from cupola.physics.rotation import Euler, Vector, cross, frd, quaternion_from_euler, rotate, subtract, unrotate
from cupola.reproduce.hangar.peer import NEEDS, JsbsimPeer, Seen, State, aircraft_file, is_installed
from cupola.reproduce.row import Row, at_most, missing
from cupola.sim.world import World

AIRCRAFT = (
    "B747", "C130", "T37", "T38", "c172p", "pa28", "t6texan2", "wrightFlyer1903", "A320", "F80C", "OV10", "c182",
    "737", "B17", "Boeing314", "F450", "F4N", "SGS", "Short_S23", "XB-70", "c172r", "minisgs", "mk82", "paraglider",
    "sgs126", "sgs233", "J3Cub", "L17", "dr1", "f104", "Shuttle", "X15",
    "x24b", "f15", "Camel", "DHC6", "pc7", "pogo-jsbsim", "fokker100", "c172x",
)  # fmt: skip
"""Eight of them in the quick table."""
QUICK = 8
STATES, BOUND = 200, 1e-6
SOURCE = "JSBSim, live"
GRAVITY = 9.81
"""For the choice of airspeeds only [m/s²]."""


class Difference(NamedTuple):
    """Largest difference over all states, relative to the acceleration."""

    linear: float
    angular: float


def rows(full: bool) -> Iterator[Row]:
    """Two rows per aircraft."""
    for name in AIRCRAFT if full else AIRCRAFT[:QUICK]:
        keys = f"hangar_{name}_linear", f"hangar_{name}_angular"
        quantity = f"{name}: {{}} acceleration at {STATES} random states, relative difference"
        if not is_installed():
            yield from (missing(key, SOURCE, quantity.format(key.rpartition("_")[2]), NEEDS) for key in keys)
            continue
        found = compare(name, STATES)
        for key, worst in zip(keys, found, strict=True):
            yield at_most(key, SOURCE, quantity.format(key.rpartition("_")[2]), BOUND, worst)


def compare(name: str, count: int, root: Path | None = None) -> Difference:
    """Ask both at random states; `root` is a folder like JSBSim's own."""
    peer = JsbsimPeer(name, root=root)
    with tempfile.TemporaryDirectory() as folder:
        world = imported_world(import_jsbsim(aircraft_file(name, root), Path(folder) / "aircraft").folder)
    stop_shafts(world)
    world.step(1)  # in the very first tick hysteresis follows at once
    worst = Difference(0.0, 0.0)
    for state in random_states(peer, count):
        theirs = peer.ask(state, rest=bool(laws_of(world)))
        linear, angular = ask_world(world, state, theirs)
        worst = Difference(
            max(worst.linear, _relative(linear, theirs.linear)), max(worst.angular, _relative(angular, theirs.angular))
        )
    return worst


def _relative(ours: Any, theirs: Any) -> float:
    return float(np.linalg.norm(ours - theirs) / np.linalg.norm(theirs))


def imported_world(folder: Path, engines: bool = False, gravity: float | None = None) -> World:
    """A world on JSBSim's Earth, which is WGS-84 and turns, or a flat one with a gravity [m/s²].

    The engines are off unless they are asked for.
    """
    turning = {"latitude_deg": 0, "longitude_deg": 0, "shape": "oblate", "rotating": True}
    scenario = {
        "physics_hz": 1000,
        "integrator": "Euler",
        "floor": None,
        **({"origin": turning} if gravity is None else {"gravity": gravity}),
        "vehicles": [{"model": str(folder), "name": "aircraft"}],
    }
    world = World(Scenario.model_validate_json(json.dumps(scenario)))
    for name in [] if engines else engines_of(world):
        world.fail(f"aircraft.{name}", "off")
    return world


def stop_shafts(world: World) -> None:
    """Let engines that do not run stand: a shaft that remembers nothing stays so, and need not come to rest.

    Windmilling from a standstill to its steady speed, it would take thousands of ticks at every state that is asked.
    """
    parts = world.instances[0].vehicle.parts
    found = {name: parts.get(name) for name in (f"{engine}_shaft" for engine in engines_of(world))}
    shafts = {name: one for name, one in found.items() if isinstance(one, TableControl)}
    for name in shafts:
        world.tune(f"aircraft.{name}.{RUNNING}", 0.0)
    for name, shaft in shafts.items():
        row = world.part(f"aircraft.{name}").row
        starts = {key: one.start for key, one in shaft.remembers.items()} | {"turns": 0.0}
        first = int(row.block) + INPUTS
        world.arrays.constants[first : first + len(starts)] = list(starts.values())
        row.memory_size = 0


def laws_of(world: World) -> dict[str, list[float]]:
    """Control laws that remember something, and with what they begin."""
    parts = world.instances[0].vehicle.parts
    laws = {name: parts[name] for name in ("law", "law_of_engines") if name in parts}
    return {name: one.initial_memory() for name, one in laws.items() if isinstance(one, TableControl) and one.remembers}


def engines_of(world: World) -> list[str]:
    """Names of the engines that were imported."""
    return [name for name, part in world.instances[0].vehicle.parts.items() if part.kind == "table_engine"]


def random_states(peer: JsbsimPeer, count: int, seed: int = 1) -> Iterator[State]:
    """Flights between 500 and 6000 m at lift coefficients that carry the aircraft at 1 g."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        altitude, lift = rng.uniform(500.0, 6000.0), rng.uniform(0.2, 1.0)
        density = float(atmosphere(altitude, Atmosphere()).density)
        speed = math.sqrt(2.0 * peer.mass * GRAVITY / (density * peer.area * lift))
        alpha, beta = math.radians(rng.uniform(-4.0, 12.0)), math.radians(rng.uniform(-8.0, 8.0))
        level = math.cos(beta)
        yield State(
            altitude,
            (speed * math.cos(alpha) * level, speed * math.sin(beta), speed * math.sin(alpha) * level),
            tuple(rng.uniform(-0.3, 0.3, 3).tolist()),
            (rng.uniform(-1.0, 1.0), rng.uniform(-0.5, 0.5), rng.uniform(0.0, 2.0 * math.pi)),
            tuple(rng.uniform(-0.6, 0.6, 3).tolist()),
        )


def ask_world(world: World, state: State, theirs: Seen) -> tuple[Any, Any]:
    """Our accelerations in the same air, with the same change of the flow angles."""
    aero = world.part("aircraft.aero")
    reynolds = "aero_Re" in getattr(world.instances[0].vehicle.parts["aero"], "values", {})
    # JSBSim's gas constant is 3.5e-6 less: either its temperature or its speed of sound.
    temperature = theirs.temperature if reynolds else theirs.sound**2 / (HEAT_RATIO * GAS_CONSTANT)
    world.arrays.air["fixed_density"] = theirs.density
    standard = float(atmosphere(state.altitude, Atmosphere()).temperature)
    world.arrays.air["temperature_offset"] = temperature - standard
    world.arrays.air_samples["height"] = np.nan  # so that the air is sampled anew
    roll, pitch, heading = state.angles
    attitude = quaternion_from_euler(Euler(roll, -pitch, 0.5 * math.pi - heading))
    velocity, rate = frd(Vector(*state.velocity)), frd(Vector(*state.rates))
    world.data.qpos[:7] = [0.0, 0.0, state.altitude, *attitude]
    world.data.qvel[:6] = [*rotate(attitude, velocity), *rate]
    world.sticks([*state.channels, -1.0])
    world.arrays.command[world.instances[0].channels][:3] = state.channels
    for name, starts in laws_of(world).items():
        memory = int(world.part(f"aircraft.{name}").row.memory)
        world.arrays.state[memory : memory + len(starts)] = starts
    world.accelerate()  # lags of the control law come to rest
    u, v, w = state.velocity
    alpha, beta = math.atan2(w, u), math.atan2(v, math.hypot(u, w))
    before = {"alpha": alpha - theirs.alpha_rate * world.dt, "beta": beta - theirs.beta_rate * world.dt}
    aero.set_state(**before, started=1.0)
    world.step(1)
    qacc = world.data.qacc
    moving = subtract(unrotate(attitude, Vector(*qacc[:3].tolist())), cross(rate, velocity))
    return np.array(frd(moving)), np.array(frd(Vector(*qacc[3:6].tolist())))
