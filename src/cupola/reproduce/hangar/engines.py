"""Steady thrust at full power and steady level flight of imported aircraft, beside JSBSim's own."""

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cupola.analysis import Aircraft, Condition, trim
from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.bridge.jsbsim.elements import FOOT, POUND
from cupola.bridge.jsbsim.pistons import SEA_LEVEL
from cupola.physics.atmosphere import Atmosphere, atmosphere
from cupola.physics.geodesy import SEMI_MAJOR
from cupola.physics.planet import WGS84, apparent_acceleration
from cupola.physics.rotation import Euler, Vector, frd, quaternion_from_euler, rotate
from cupola.reproduce.hangar.accelerations import SOURCE, engines_of, imported_world, random_states
from cupola.reproduce.hangar.peer import HELD, NEEDS, JsbsimPeer, State, aircraft_file, is_installed, silence
from cupola.reproduce.row import Row, at_most, missing
from cupola.sim.world import World

TURBINES = {"A320": 1e-6, "F80C": 1e-6, "T37": 1e-6, "t6texan2": 1e-6}
PISTONS = {"c172p": 1e-5, "c172r": 1e-5}
TURBOPROPS = {"pc7": 1e-5}
OTHERS = {
    "B17": 5e-5,
    "c182": 1e-5,
    "C130": 2e-5,
    "Camel": 5e-5,
    "DHC6": 5e-4,
    "F450": 2e-5,
    "J3Cub": 1e-5,
    "pogo-jsbsim": 1e-5,
    "x24b": 5e-6,
}
BOUNDS = {**TURBINES, **PISTONS, **TURBOPROPS, **OTHERS}
"""Largest relative difference of the thrust; the limiter of the DHC6 hunts."""
RUN = {
    "B17": 40.0,
    "c182": 40.0,
    "pc7": 60.0,
    "C130": 60.0,
    "DHC6": 60.0,
    "F450": 10.0,
    "pogo-jsbsim": 60.0,
    "x24b": 0.5,
}
"""[s] that JSBSim runs, its aircraft held where it is, until an engine rests; its own search finds that of others."""

STATES = 8
THROTTLE = 3
ADVANCE = "fcs_advance_cmd_norm"
"""The lever of the propellers' governors, a constant here."""


class Level(NamedTuple):
    """A level flight to trim."""

    name: str
    speed: float
    """[m/s] true."""
    altitude: float
    """[m]"""


LEVELS = (
    Level("A320", 180.0, 4000.0), Level("F80C", 150.0, 3000.0), Level("T37", 120.0, 3000.0),
    Level("T38", 200.0, 4000.0), Level("B747", 200.0, 5000.0), Level("t6texan2", 110.0, 3000.0),
    Level("f16", 180.0, 4000.0), Level("737", 180.0, 4000.0), Level("MD11", 180.0, 4000.0),
    Level("global5000", 180.0, 4000.0), Level("c182", 55.0, 1500.0), Level("c172p", 55.0, 1500.0),
    Level("Concorde", 180.0, 4000.0), Level("F4N", 125.0, 1500.0), Level("J3Cub", 33.0, 1500.0),
    Level("XB-70", 100.0, 1500.0), Level("c172r", 53.0, 1500.0), Level("f104", 143.0, 1500.0),
    Level("f15", 105.0, 1500.0), Level("fokker100", 120.0, 1500.0),
    Level("A4", 101.0, 1500.0), Level("L17", 47.0, 1500.0), Level("787-8", 155.0, 1500.0), Level("Camel", 39.0, 1500.0),
    Level("Boeing314", 77.0, 1500.0),
)  # fmt: skip
"""Eight in the quick table."""
QUICK = 8
ALPHA_BOUND, THROTTLE_BOUND = 1e-3, 1e-4
"""[deg] and of full throttle; JSBSim stops its search at accelerations of 1e-3 of its units."""


def rows(full: bool) -> Iterator[Row]:
    """Thrust of seven aircraft, of sixteen in the full table; level flight of eight, of twenty-five."""
    for name, bound in BOUNDS.items():
        if name in OTHERS and not full:
            continue
        key, quantity = f"hangar_{name}_thrust", f"{name}: thrust at full power, relative difference"
        yield (
            at_most(key, SOURCE, quantity, bound, thrust(name))
            if is_installed()
            else missing(key, SOURCE, quantity, NEEDS)
        )
    for level in LEVELS if full else LEVELS[:QUICK]:
        yield from trimmed(level)


def trimmed(level: Level) -> Iterator[Row]:
    """Angle of attack and throttle."""
    keys = f"hangar_{level.name}_trim", f"hangar_{level.name}_throttle"
    flight = f"{level.name}, level at {level.speed:g} m/s, {level.altitude:g} m"
    quantities = f"{flight}: angle of attack, difference", f"{flight}: throttle, difference"
    if not is_installed():
        yield missing(keys[0], SOURCE, quantities[0], NEEDS, "deg")
        return
    ours, theirs = level_flight(level)
    yield at_most(keys[0], SOURCE, quantities[0], ALPHA_BOUND, abs(ours.alpha - theirs.alpha), "deg")
    yield at_most(keys[1], SOURCE, quantities[1], THROTTLE_BOUND, abs(ours.throttle - theirs.throttle))


def flown(name: str, gravity: float | None = None) -> World:
    """An imported aircraft with its engines on."""
    with tempfile.TemporaryDirectory() as folder:
        found = import_jsbsim(aircraft_file(name), Path(folder) / "aircraft").folder
        return imported_world(found, engines=True, gravity=gravity)


def weight_in_flight(level: Level) -> float:
    """Acceleration of free fall at the equator, as an aircraft that flies east feels it [m/s²]."""
    place = Vector(SEMI_MAJOR + level.altitude, 0.0, 0.0)
    return float(-apparent_acceleration(place, Vector(0.0, level.speed, 0.0), WGS84).x)


def thrust(name: str) -> float:
    """Largest relative difference of the steady thrust at some states of straight flight."""
    peer, world, worst = JsbsimPeer(name), flown(name), 0.0
    engines = engines_of(world)
    for state in random_states(peer, STATES):
        straight = state._replace(rates=(0.0, 0.0, 0.0), commands=(0.0, 0.0, 0.0))
        theirs = full_power(peer, straight, len(engines), RUN.get(name, 0.0))
        put(world, straight, 1.0)
        ours = sum(float(world.arrays.outputs[world.part(f"aircraft.{one}").row.output]) for one in engines)
        worst = max(worst, abs(ours - theirs) / abs(theirs))
    return worst


def thin_air(altitude: float) -> float:
    """The lever at which a mixture is what full rich is at sea level: the pressure as a share of that there."""
    return float(atmosphere(altitude, Atmosphere()).pressure) / SEA_LEVEL


def tune_levers(world: World, levers: dict[str, float]) -> None:
    """Move levers of JSBSim that are constants here, in every part that reads one."""
    for part, has in world.instances[0].vehicle.parts.items():
        for lever in [one for one in levers if one in getattr(has, "constants", {})]:
            world.tune(f"aircraft.{part}.{lever}", levers[lever])


def full_power(peer: JsbsimPeer, state: State, engines: int, seconds: float = 0.0) -> float:
    """JSBSim's thrust [N] with all engines at full throttle and come to rest."""
    f = peer.fdm
    thin = thin_air(state.altitude)
    for k in range(engines):
        f[f"fcs/throttle-cmd-norm[{k}]"] = f[f"fcs/advance-cmd-norm[{k}]"] = 1.0
    for name in HELD:
        f[f"simulation/integrator/{name}"] = 0.0
    peer.put(state)
    with silence():
        f["propulsion/set-running"] = -1  # this sets the mixture to full rich
        for k in range(engines):
            f[f"fcs/mixture-cmd-norm[{k}]"] = f[f"fcs/mixture-pos-norm[{k}]"] = thin
        f.run()  # the engines are told of it
        if not seconds:
            f.get_propulsion().get_steady_state()
        for _ in range(round(seconds / f.get_delta_t())):
            f.run()
    return float(sum(f[f"propulsion/engine[{k}]/thrust-lbs"] for k in range(engines))) * POUND


def put(world: World, state: State, throttle: float) -> None:
    """Put our aircraft into a state, its shafts at rest."""
    roll, pitch, heading = state.angles
    attitude = quaternion_from_euler(Euler(roll, -pitch, 0.5 * math.pi - heading))
    world.data.qpos[:7] = [0.0, 0.0, state.altitude, *attitude]
    world.data.qvel[:6] = [*rotate(attitude, frd(Vector(*state.velocity))), *frd(Vector(*state.rates))]
    world.arrays.command[world.instances[0].channels][THROTTLE] = throttle
    world.accelerate()


class Steady(NamedTuple):
    """A level flight that was found."""

    alpha: float
    """[deg]"""
    throttle: float
    """Of 1."""


def level_flight(level: Level) -> tuple[Steady, Steady]:
    """What our trim finds, and JSBSim's own."""
    peer, world = JsbsimPeer(level.name), flown(level.name, weight_in_flight(level))
    f = peer.fdm
    f["ic/h-sl-ft"], f["ic/vt-fps"], f["ic/gamma-deg"] = level.altitude / FOOT, level.speed / FOOT, 0.0
    f["ic/psi-true-deg"] = 90.0  # ours flies along the world's x axis, which is east: the Earth turns
    with silence():
        f.run_ic()
        f["propulsion/set-running"] = -1
        for k in range(len(engines_of(world))):
            f[f"fcs/mixture-cmd-norm[{k}]"] = f[f"fcs/mixture-pos-norm[{k}]"] = thin_air(level.altitude)
        f["simulation/do_simple_trim"] = 1
    tune_levers(world, {ADVANCE: f["fcs/advance-cmd-norm"]})
    ours = trim(Aircraft(world), Condition(airspeed=level.speed, altitude=level.altitude))
    mine = Steady(math.degrees(ours.alpha), ours.values()["throttle"])
    return mine, Steady(f["aero/alpha-deg"], f["fcs/throttle-cmd-norm"])
