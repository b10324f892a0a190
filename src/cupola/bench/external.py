"""What it costs to couple a model from outside: a step of the world with it, less one without, less its own step.

Its own step is timed at rest, where the wing's solver has least to do: what the moving one needs more counts as ours.
"""

import importlib
import json
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numba import carray

from cupola.bench.result import Result, absent, at_most, unjudged
from cupola.bridge.fmi.pack import WING, compile_library, pack
from cupola.bridge.fmi.step import BLOCK
from cupola.config.scenario import Scenario
from cupola.kernel.jit import ask, jit, pointer
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World
from cupola.xmath import Number

BAR = 20.0
"""[µs] an exchange."""
ISOLATED_BAR = 50.0
"""[µs] that one in a process of its own may take more."""
STEPS, ROUNDS, MANY = 1000, 20, 10
ALONE = 5000
"""Steps that are timed one by one."""
DT = 0.001
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
        yield _case("FMU, FMI 2: an exchange beyond its own step", lambda: _fmu(folder, 2))
        yield _case("FMU, FMI 3: an exchange beyond its own step", lambda: _fmu(folder, 3))
        yield _case("model in C: an exchange and its step", lambda: _library(folder))
        yield _case("model in C, isolated: an exchange and its step", lambda: _isolated(folder), ISOLATED_BAR)
        python = _beyond(folder, {"kind": "wing.py:Wing"})
        yield unjudged("model in Python: an exchange and its step", python, "µs")


def _case(case: str, measure: Callable[[], float], bar: float = BAR) -> Result:
    try:
        return at_most(case, measure(), "µs", bar)
    except (InputError, ValueError) as error:  # no compiler, no fmpy
        return absent(case, str(error), "µs", f"≤ {bar:g} µs")


def _fmu(folder: Path, version: int) -> float:
    file = pack(WING, folder / f"wing{version}.fmu", version)
    instance = importlib.import_module("cupola.bridge.fmi.fmi").Instance(file, {}, DT)
    _, block = instance.wire(list(WIRES["inputs"].values()), list(WIRES["outputs"].values()))

    def alone(steps: int) -> None:
        instance.reset()
        _repeat(block, version, steps, DT)

    return _beyond(folder, {"kind": "fmu", "file": file.name}, alone)


def _library(folder: Path) -> float:
    file = compile_library([WING], folder / "wing.so")
    return _beyond(folder, {"kind": "c", "file": file.name})


def _isolated(folder: Path) -> float:
    """The median exchange, less the median of the same model in the process [µs]."""
    file = compile_library([WING], folder / "wing.so")
    part = {"kind": "c", "file": file.name, **WIRES}
    here, there = (_world(folder, {"wing": {**part, "isolate": apart}}) for apart in (False, True))
    medians = [statistics.median(_time(world.step, 1) for _ in range(ALONE)) for world in (here, there)]
    return (medians[1] - medians[0]) * 1e6


def _beyond(folder: Path, part: dict[str, Any], alone: Callable[[int], None] | None = None) -> float:
    """With `MANY` of them, less without, for each; less the model alone [µs a step]. Timed in turns, the best rounds.

    What else the machine does only ever adds. One model alone would be a small difference of large numbers.
    """
    coupled, bare = _world(folder, {f"wing{k}": {**part, **WIRES} for k in range(MANY)}), _world(folder, {})
    calls = [coupled.step, bare.step, alone or (lambda steps: None)]
    rounds: list[list[float]] = []
    for _ in range(ROUNDS):
        coupled.reset()
        bare.reset()
        rounds.append([_time(call) for call in calls])
    with_it, without, own = (min(times[k] for times in rounds) for k in range(len(calls)))
    return ((with_it - without) / MANY - own) / STEPS * 1e6


def _world(folder: Path, parts: dict[str, Any]) -> World:
    (folder / "vehicle.yaml").write_text(
        json.dumps({"about": "a bench", "controller": {"use": "pass_through", "rate_hz": 100}, "parts": parts})
    )
    content = {"vehicles": [{"model": str(folder)}], "floor": None, "physics_hz": round(1 / DT)}
    return World(Scenario.model_validate_json(json.dumps(content)), trust=True)


def _time(call: Callable[[int], None], steps: int | None = None) -> float:
    begin = time.perf_counter()
    call(steps or STEPS)
    return time.perf_counter() - begin


@jit
def _repeat(context: Number, version: int, steps: int, dt: float) -> None:
    """Nothing but `doStep`."""
    b = carray(pointer(context), (BLOCK,), np.int64)
    for k in range(steps):
        if version == 3:
            ask(b[2], (b[0], k * dt, dt, 1, b[10], b[10] + 1, b[10] + 2, b[10] + 8))
        else:
            ask(b[2], (b[0], k * dt, dt, 1))
