"""Worlds in flight, high above the ground: with and without sensors, with the built-in controller or a plain one."""

import json
import tempfile
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import mujoco
import yaml

from cupola.bench import pilots
from cupola.bench.timing import Paired, Side, own_time, pair
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import MODELS, ControllerEntry, PlanEntry, read_vehicle
from cupola.kernel.mujoco_abi import without_clock
from cupola.parts.sensors.sensor import Sensor
from cupola.sim.world import World

HEIGHT = 500.0
HOVER = ControllerEntry(use="quadcopter_waypoints", rate_hz=400, plan=(PlanEntry(position=(0.0, 0.0, HEIGHT)),))
CRUISE = ControllerEntry(use="pass_through", rate_hz=400)
ENTRIES = {
    "quadcopter": VehicleEntry(model="", position=(0.0, 0.0, HEIGHT), controller=HOVER),
    "plane_1wing": VehicleEntry(model="", position=(0.0, 0.0, HEIGHT), velocity_b=(20.0, 0.0, 0.0), controller=CRUISE),
    "plane_3wing_2motor": VehicleEntry(
        model="", position=(0.0, 0.0, HEIGHT), velocity_b=(20.0, 0.0, 0.0), controller=CRUISE
    ),
}
PLAIN = {"quadcopter": "Hover", "plane_1wing": "Level"}
"""Classes of `pilots`."""
STICKS = (0.0, 0.0, 0.0, -0.3)
"""Of the plane: hands off, some throttle. A controller with a plan does not look at them."""
TICKS = 2000
"""In one timed call: a second of flight."""


def world_in_flight(name: str, *, sensors: bool | Mapping[str, Any], plain: bool = False) -> World:
    """A shipped vehicle a second after its start in the air; physics 2 kHz, controller 400 Hz, still air.

    `sensors`: its own, none, or these instead.
    """
    own = {name: f"{pilots.__file__}:{PLAIN[name]}"} if plain else {}
    with tempfile.TemporaryDirectory() as folder:
        model = name if sensors is True else refit(name, Path(folder), sensors or {})
        entry = ENTRIES[name].model_copy(update={"model": model, "name": name})
        world = World(Scenario(vehicles=(entry,)), controllers=own)
    world.sticks(STICKS)
    world.step(TICKS)
    return world


def refit(name: str, folder: Path, sensors: Mapping[str, Any]) -> str:
    """Write the file of a shipped vehicle that has these sensors and no others into `folder`, and return where."""
    path = MODELS / name / "vehicle.yaml"
    blind = [part for part, what in read_vehicle(path).parts.items() if not isinstance(what, Sensor)]
    content = yaml.safe_load(path.read_text())
    content["parts"] = {**{part: content["parts"][part] for part in blind}, **sensors}
    content["mjcf"] = str(path.parent / content["mjcf"])
    (folder / "vehicle.yaml").write_text(json.dumps(content))
    return str(folder)


def against_bare(world: World, rounds: int, *, clocked: bool = True) -> Paired:
    """Processor time of a flight of `TICKS` against as many bare `mj_step` of the same model from the same state, in C.

    Bare is as Python's MuJoCo comes, with its clock around each stage, unless it is not to be `clocked`; our loop takes
    that away while it runs.
    """
    start, bare = world.snapshot(), mujoco.MjData(world.model)
    qpos, qvel = world.data.qpos.copy(), world.data.qvel.copy()

    def fall() -> None:
        bare.qpos[:], bare.qvel[:] = qpos, qvel

    def step() -> None:
        with nullcontext() if clocked else without_clock():
            mujoco.mj_step(world.model, bare, TICKS)

    ours = Side(lambda: world.step(TICKS), lambda: world.restore(start), own_time)
    return pair(ours, Side(step, fall, own_time), rounds)
