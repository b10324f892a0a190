"""A minute of every aircraft of JSBSim's package: imported, set into level flight, let go at half throttle."""

import math
import tempfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np

from cupola.bridge.jsbsim.aircraft import import_jsbsim
from cupola.bridge.jsbsim.elements import value
from cupola.engine.errors import SimulationError
from cupola.physics.atmosphere import Atmosphere, atmosphere
from cupola.reproduce.hangar.accelerations import SOURCE, imported_world
from cupola.reproduce.hangar.engines import put
from cupola.reproduce.hangar.peer import NEEDS, State, aircraft_file, is_installed
from cupola.reproduce.row import Row, at_most, missing
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

SECONDS, HEIGHT, THROTTLE = 60.0, 3000.0, 0.5
LIFT, SLOWEST, FASTEST = 0.5, 1.0, 250.0
"""Coefficient with which the wing carries the weight at the start, and bounds of the speed that follows [m/s]."""
GRAVITY = 9.80665


def rows(full: bool) -> Iterator[Row]:
    """A row per aircraft, in the full table."""
    if not full:
        return
    if not is_installed():
        yield missing("hangar_minutes", SOURCE, "a minute of every aircraft", NEEDS, "s")
        return
    for name in aircraft():
        quantity = f"{name}: let go for a minute, seconds that are missing"
        yield at_most(f"hangar_{name}_minute", SOURCE, quantity, 0.0, SECONDS - flies(name), "s")


def aircraft() -> list[str]:
    """Names of all that the package ships in the format of today; `blank` is in that of twenty years ago."""
    folder = aircraft_file("any").parent.parent
    files = [one / f"{one.name}.xml" for one in sorted(folder.iterdir())]
    return [one.stem for one in files if one.is_file() and ET.parse(one).getroot().tag == "fdm_config"]


def flies(name: str) -> float:
    """How long it flies with finite numbers [s]; 0 if it cannot be imported."""
    file = aircraft_file(name)
    area = value(ET.parse(file).getroot(), "metrics/wingarea", "FT2", 0.0)
    with tempfile.TemporaryDirectory() as folder:
        try:
            world = imported_world(import_jsbsim(file, Path(folder) / "aircraft").folder, engines=True)
        except InputError:
            return 0.0
        world.dump_folder = Path(folder)
        put(world, State(HEIGHT, (_speed(world, area), 0.0, 0.0), (0.0,) * 3, (0.0,) * 3, (0.0,) * 3), THROTTLE)
        world.sticks([0.0, 0.0, 0.0, 2.0 * THROTTLE - 1.0])
        while world.time < SECONDS:
            try:
                world.step(round(1.0 / world.dt))
            except SimulationError:
                break
            if not np.isfinite(world.data.qpos).all():
                break
        return min(world.time, SECONDS)


def _speed(world: World, area: float) -> float:
    """Level flight at the coefficient of lift above."""
    density = float(atmosphere(HEIGHT, Atmosphere()).density)
    mass = float(world.model.body_subtreemass[world.instances[0].root])
    return min(max(math.sqrt(2.0 * mass * GRAVITY / (density * LIFT * max(area, 1e-3))), SLOWEST), FASTEST)
