"""Published models of the Crazyflie that can be run, given the same windows as ours.

RotorPy 3 (Folk, Paulos and Kumar, arXiv 2306.04485) with the numbers of its Crazyflie file, and the first-principles
model of Crazyflow (its `cf2x_L250`, identified by its authors). Another mass and thrust curve is no disadvantage: each
motor gets the speed at which it carries the same share of the weight.
"""

import importlib.metadata
import importlib.util
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from cupola.analysis.real_flight import STEP, STEPS, Motors, Prediction, Windows
from cupola.reproduce.peer import last_line

ROTORPY_ORDER = [3, 0, 1, 2]
"""RotorPy counts from the front left, clockwise seen from above; the Crazyflie from the front right."""


def rotorpy_is_here() -> bool:
    """Whether RotorPy can be run."""
    return importlib.util.find_spec("rotorpy") is not None


def rotorpy_name() -> str:
    """With its version."""
    return f"RotorPy {importlib.metadata.version('rotorpy')}"


def fly_rotorpy(windows: Windows) -> Prediction:
    """RotorPy's prediction of every window; its thrust per mass and squared speed is that of our vehicle."""
    from rotorpy.vehicles.crazyflie_params import quad_params
    from rotorpy.vehicles.multirotor import Multirotor

    vehicle = Multirotor(quad_params)
    found = np.empty((len(windows.speeds), STEPS, 13))
    for i in range(len(found)):
        w, x, y, z = windows.quat_wb[i]
        state: dict[str, Any] = {"x": windows.pos_w[i], "v": windows.vel_w[i], "q": np.array([x, y, z, w])}
        state |= {"w": windows.rate_b[i], "wind": np.zeros(3), "rotor_speeds": windows.speeds[i, ROTORPY_ORDER]}
        for k in range(STEPS):
            state = vehicle.step(state, {"cmd_motor_speeds": windows.commands[i, k, ROTORPY_ORDER]}, STEP)
            found[i, k] = [*state["x"], *state["v"], *np.roll(state["q"], 1), *state["w"]]
    return _prediction(found)


def fly_crazyflow(windows: Windows, motors: Motors) -> tuple[str, Prediction] | str:
    """Crazyflow's name with its version and its prediction of every window, or why there is none."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "windows.npz", Path(folder) / "found.npz"
        given = {name: getattr(windows, name) for name in Windows._fields if name != "flown"}
        np.savez(source, lift=motors.lift, **given)
        told = last_line("crazyflow", str(source), str(target), script="crazyflow_flight")
        if isinstance(told, str):
            return f"Crazyflow: {told}"
        with np.load(target) as answer:
            return f"Crazyflow {told['version']}", _prediction(answer["found"])


def _prediction(found: Any) -> Prediction:
    return Prediction(found[..., :3], found[..., 3:6], found[..., 6:10], found[..., 10:])
