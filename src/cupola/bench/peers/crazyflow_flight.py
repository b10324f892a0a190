"""Crazyflow's Crazyflie through windows of a recorded flight. Run by path: windows, then predictions, npz files."""

import importlib.metadata
import json
import sys
import warnings
from typing import Any

sys.path.pop(0)  # this folder holds a file named like the package
import numpy as np
from crazyflow.drones import Drone
from crazyflow.dynamics.core import load_fn_params, parametrize
from crazyflow.dynamics.first_principles import dynamics
from scipy.spatial.transform import Rotation

DT, SUBSTEPS = 0.001, 10
DRONE = Drone.cf2x_L250
"""The brushed Crazyflie 2.x with the propellers that it is sold with."""


def rpm(share: Any, numbers: Any) -> Any:
    """Speed at which one motor carries a share of the vehicle's weight."""
    k0, k1, k2 = np.ravel(numbers["rpm2thrust"])[:3]
    wanted = share * float(numbers["mass"]) * 9.81
    return (-k1 + np.sqrt(np.maximum(k1 * k1 - 4.0 * k2 * (k0 - wanted), 0.0))) / (2.0 * k2)


def main(source: str, target: str) -> None:
    """All windows side by side."""
    warnings.simplefilter("ignore")
    given = np.load(source)
    numbers = load_fn_params(dynamics, DRONE)
    move = parametrize(dynamics, DRONE)
    pos, vel, rate = given["pos_w"], given["vel_w"], given["rate_b"]
    turn = Rotation.from_quat(np.roll(given["quat_wb"], -1, axis=-1))
    speeds, commands = (rpm(given["lift"] * given[name] ** 2 / 9.81, numbers) for name in ("speeds", "commands"))
    found = []
    for k in range(commands.shape[1]):
        for _ in range(SUBSTEPS):
            _, _, accel, spin, speeding = move(
                pos=pos, quat=turn.as_quat(), vel=vel, ang_vel=rate, cmd=commands[:, k], rotor_vel=speeds
            )
            vel, rate, speeds = vel + DT * accel, rate + DT * spin, speeds + DT * speeding
            pos, turn = pos + DT * vel, turn * Rotation.from_rotvec(DT * rate)
        found.append(np.concatenate([pos, vel, np.roll(turn.as_quat(), 1, axis=-1), rate], axis=-1))
    np.savez(target, found=np.stack(found, axis=1))
    print(json.dumps({"version": importlib.metadata.version("crazyflow")}))


main(*sys.argv[1:])
