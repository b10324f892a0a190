"""What it costs to couple a model from outside: a step of the world with it, less one without, less its own time."""

import ctypes
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cupola.bench.result import Result, absent, at_most
from cupola.bridge.fmi_pack import WING, compile_library, pack
from cupola.files import InputError
from cupola.scenario import Scenario
from cupola.world import World

BAR = 20.0
"""[µs] an exchange."""
STEPS, ROUNDS = 2000, 15
MODEL = """<mujoco><worldbody><body name="base"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<body name="wing"><joint name="flap" axis="0 1 0" stiffness="1"/><geom size="0.1" pos="0.2 0 0" mass="0.1"/>
<site name="root"/></body></body></worldbody></mujoco>"""
WIRES = {
    "inputs": {"joint.flap.velocity": "rate", "site.root.vel_air_s.z": "air", "air.density": "density"},
    "outputs": {"joint.flap.torque": "torque", "site.root.force_s.z": "force"},
}
PYTHON = """
from cupola import External

class Wing(External):
    def step(self, x, time, dt):
        return {"torque": -0.001 * x.rate, "force": -0.05 * x.density * x.air * abs(x.air)}
"""


def cases() -> Iterator[Result]:
    """The port-Hamiltonian wing as FMU and as a library, and a few lines of Python."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.xml").write_text(MODEL)
        (folder / "wing.py").write_text(PYTHON)
        bare = _world(folder, {})
        for version in (2, 3):
            case = f"FMU of FMI {version}: an exchange beyond its own step"
            try:
                pack(WING, folder / f"wing{version}.fmu", version)
                world = _world(folder, {"kind": "fmu", "file": f"wing{version}.fmu", **WIRES})
                yield at_most(case, _beyond(world, bare, _alone(world)), "µs", BAR)
            except (InputError, ImportError) as error:
                yield absent(case, str(error), "µs", f"≤ {BAR:g} µs")
        try:
            compile_library([WING], folder / "wing.so")
            world = _world(folder, {"kind": "c", "file": "wing.so", **WIRES})
            yield at_most("model in C: an exchange with its own step", _beyond(world, bare, _idle), "µs", BAR)
        except InputError as error:
            yield absent("model in C: an exchange with its own step", str(error), "µs", f"≤ {BAR:g} µs")
        world = _world(folder, {"kind": "wing.py:Wing", **WIRES})
        yield at_most("model in Python: an exchange with its own step", _beyond(world, bare, _idle), "µs", 4 * BAR)


def _world(folder: Path, part: dict[str, Any]) -> World:
    entry = {"about": "a bench", "controller": {"use": "pass_through"}, "parts": {"wing": part} if part else {}}
    (folder / "vehicle.yaml").write_text(json.dumps(entry))
    content = {"vehicles": [{"model": str(folder)}], "floor": None, "physics_hz": 1000}
    return World(Scenario.model_validate_json(json.dumps(content)))


def _beyond(world: World, bare: World, alone: Callable[[int], None]) -> float:
    """Median over rounds of (with - without - the model alone) [µs a step]; the three are timed in turns."""
    found = []
    for one in (world, bare):
        one.step(STEPS)
    for _ in range(ROUNDS):
        world.reset()
        bare.reset()
        coupled, without, own = (_time(call) for call in (world.step, bare.step, alone))
        found.append((coupled - without - own) / STEPS * 1e6)
    return statistics.median(found)


def _time(call: Callable[[int], None]) -> float:
    begin = time.perf_counter()
    call(STEPS)
    return time.perf_counter() - begin


def _idle(steps: int) -> None:
    """The own time of a model that counts as exchange."""


def _alone(world: World) -> Callable[[int], None]:
    """Nothing but the FMU's `doStep`, many times, on an instance of the same library, called from compiled code."""
    from cupola.bridge.fmi import Instance
    from cupola.bridge.fmi_step import BLOCK
    from cupola.engine.fmi_alone import only_step

    raise NotImplementedError
