"""Crazyflow: a Crazyflie in hover. Run by path; prints one line of JSON."""

import importlib.metadata
import json
import sys
import time

FREQ = 2000
STEPS = 100_000
WORK = (
    "Crazyflie, 1 rigid body, 4 lagged rotors, attitude controller at 400 Hz, no contact, Euler in 32 bit, one world, "
    "all steps of 0.5 ms fused in one JAX call on the CPU (it is made for thousands of worlds at once)"
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
    integrator=Integrator.euler,
    freq=FREQ,
    attitude_freq=400,
    force_torque_freq=400,
)
sim.reset()
sim.attitude_control(np.array([[[0.0, 0.0, 0.0, 0.4]]], dtype=np.float32))
sim.step(STEPS)
jax.block_until_ready(sim.data.states.pos)
begin: float = time.perf_counter()
sim.step(STEPS)
jax.block_until_ready(sim.data.states.pos)
wall: float = time.perf_counter() - begin
version: str = importlib.metadata.version("crazyflow")
print(json.dumps({"version": version, "steps_per_second": STEPS / wall, "work": WORK}))
