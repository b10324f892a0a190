"""Crazyflow: a Crazyflie in hover. Run by path; prints one line of JSON."""

import importlib.metadata
import json
import math
import sys
import time

FREQ = 2000
WORLDS = int(sys.argv[1]) if len(sys.argv) > 1 else 1
STEPS = max(500, 100_000 // WORLDS)
ROUNDS = 5
"""The best counts, as ours."""
WORK = (
    f"Crazyflie, 1 rigid body, 4 lagged rotors, attitude controller at 400 Hz, no contact, Euler in 32 bit, {WORLDS} "
    f"world{'s' * (WORLDS > 1)}, all steps of 0.5 ms fused in one JAX call on the CPU (it is made for thousands of "
    "worlds at once)"
)

sys.path.pop(0)  # this folder holds a file named like the package
import jax  # noqa: E402
import numpy as np  # noqa: E402
from crazyflow.control import Control  # noqa: E402
from crazyflow.dynamics import Dynamics  # noqa: E402
from crazyflow.sim import Sim  # noqa: E402
from crazyflow.sim.integration import Integrator  # noqa: E402

sim = Sim(
    control=Control.attitude,
    dynamics=Dynamics.first_principles,
    n_worlds=WORLDS,
    integrator=Integrator.euler,
    freq=FREQ,
    attitude_freq=400,
    force_torque_freq=400,
)
sim.reset()
sim.attitude_control(np.full((WORLDS, 1, 4), [0.0, 0.0, 0.0, 0.4], dtype=np.float32))
sim.step(STEPS)
jax.block_until_ready(sim.data.states.pos)
wall = math.inf
for _ in range(ROUNDS):
    begin: float = time.perf_counter()
    sim.step(STEPS)
    jax.block_until_ready(sim.data.states.pos)
    wall = min(wall, time.perf_counter() - begin)
version: str = importlib.metadata.version("crazyflow")
print(json.dumps({"version": version, "steps_per_second": WORLDS * STEPS / wall, "work": WORK}))
