"""RotorPy: a Hummingbird quadrotor in hover. Run by path; prints one line of JSON."""

import importlib.metadata
import json
import sys
import time

DT = 0.0005
STEPS = 1000
WORK = (
    "Hummingbird, 1 rigid body, 4 lagged rotors with drag, NumPy equations, adaptive RK45 of SciPy over each step of "
    "0.5 ms"
)

sys.path.pop(0)  # this folder holds a file named like the package
import numpy as np  # noqa: E402
from rotorpy.vehicles.hummingbird_params import quad_params  # noqa: E402
from rotorpy.vehicles.multirotor import Multirotor  # noqa: E402

hover = np.sqrt(quad_params["mass"] * 9.81 / (4.0 * quad_params["k_eta"])) * np.ones(4)
state = {
    "x": np.array([0.0, 0.0, 100.0]),
    "v": np.zeros(3),
    "q": np.array([0.0, 0.0, 0.0, 1.0]),
    "w": np.zeros(3),
    "wind": np.zeros(3),
    "rotor_speeds": hover,
}
quadrotor = Multirotor(quad_params, state, control_abstraction="cmd_motor_speeds")
command = {"cmd_motor_speeds": hover}
for _ in range(200):
    state = quadrotor.step(state, command, DT)
begin: float = time.perf_counter()
for _ in range(STEPS):
    state = quadrotor.step(state, command, DT)
wall: float = time.perf_counter() - begin
version: str = importlib.metadata.version("rotorpy")
print(json.dumps({"version": version, "steps_per_second": STEPS / wall, "work": WORK}))
