"""How fast aircraft from tables fly, beside JSBSim: its own aircraft, imported, and the F-16 from DAVE-ML files."""

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cupola.bench.flights import TICKS
from cupola.bench.result import Result, absent, ratio_at_least, unjudged
from cupola.bench.timing import Side, pair
from cupola.bridge.dave_ml.vehicle import import_dave_ml
from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.config.scenario import Scenario
from cupola.reproduce.hangar.peer import NEEDS, JsbsimPeer, aircraft_file, is_installed, silence
from cupola.reproduce.row import data_file
from cupola.sim.world import World

BAR = 2.0
ROUNDS = 20
SPEED, ALTITUDE = 172.0, 3000.0
IMPORTED = {
    "c172p": 50.0, "T38": 172.0, "A320": 180.0, "B747": 200.0, "C130": 120.0, "F80C": 150.0, "T37": 120.0,
    "t6texan2": 110.0,
}  # fmt: skip
"""Aircraft of JSBSim and their airspeeds [m/s]."""


def cases() -> Iterator[Result]:
    """The F-16 against JSBSim's f16, then eight of JSBSim's aircraft against themselves."""
    yield f16()
    for name, speed in IMPORTED.items():
        case = f"{name} imported: steps/s / JSBSim's own at the same step"
        if not is_installed():
            yield absent(case, NEEDS, "steps/s", "")
            continue
        with tempfile.TemporaryDirectory() as folder:
            world = flying(import_jsbsim(aircraft_file(name), Path(folder) / name).folder, speed)
        yield against(case, world, theirs(name, speed, world.dt), None)


def f16() -> Result:
    """Made of NASA's files: aerodynamics, engine and control law at each step of 0.5 ms."""
    case = "F-16 from DAVE-ML files: steps/s / JSBSim f16 at the same step"
    found = data_file("nesc/f16/F16_aero.dml")
    if isinstance(found, str) or not is_installed():
        return absent(case, found if isinstance(found, str) else NEEDS, "steps/s", f"≥ {BAR:g}")
    with tempfile.TemporaryDirectory() as folder:
        given = {"vrsPositionOfCM": 25.0, "stabilityAugmentationOn_disc": 1.0}
        world = flying(import_dave_ml(found.parent, Path(folder) / "f16", "F16_control", given).folder, SPEED)
    return against(case, world, theirs("f16", SPEED, world.dt), BAR)


def flying(folder: Path, speed: float) -> World:
    """A vehicle folder in the air, at JSBSim's integrator order: one evaluation of the loads per step."""
    entry = {"model": str(folder), "position": [0.0, 0.0, ALTITUDE], "velocity_b": [speed, 0.0, -0.04 * speed]}
    world = World(Scenario.model_validate_json(json.dumps({"vehicles": [entry], "physics_hz": 2000, "floor": None})))
    world.sticks([0.0, 0.0, 0.0, -1.0])
    world.step(100)
    return world


def theirs(name: str, speed: float, dt: float) -> Callable[[], Any]:
    """Step of one of JSBSim's aircraft in flight, its engines running."""
    peer = JsbsimPeer(name)
    f = peer.fdm
    with silence():
        f.set_dt(dt)
        f["ic/h-sl-ft"], f["ic/vt-fps"] = ALTITUDE / 0.3048, speed / 0.3048
        f.run_ic()
        f["propulsion/set-running"] = -1
    step: Callable[[], Any] = f.run
    return step


def against(case: str, world: World, step: Callable[[], Any], bar: float | None) -> Result:
    """Both in turns, ours from the same moment each time; without a bar the speeds are only told."""
    start = world.snapshot()

    def fly() -> None:
        for _ in range(TICKS):
            step()

    found = pair(Side(lambda: world.step(TICKS), lambda: world.restore(start)), Side(fly), rounds=ROUNDS)
    ours, other = TICKS / found.ours, TICKS / found.theirs
    if bar is None:
        return unjudged(case, ours, "steps/s", other, 1.0 / found.ratio)
    return ratio_at_least(case, ours, "steps/s", other, 1.0 / found.ratio, bar)
