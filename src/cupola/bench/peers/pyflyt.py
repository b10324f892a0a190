"""PyFlyt: its QuadX in hover. Run by path; prints one line of JSON."""

import importlib.metadata
import json
import sys
import time
import warnings

FREQ = 2000
CALLS = 1000
WORK = (
    "QuadX, 1 rigid body, 4 lagged rotors and body drag, cascaded PID at 400 Hz in Python, contact by PyBullet, "
    "semi-implicit Euler of 0.5 ms"
)

sys.path.pop(0)  # not this folder
warnings.simplefilter("ignore")  # it warns of any rate but 240 Hz
import numpy as np  # noqa: E402
from PyFlyt.core import Aviary  # noqa: E402

aviary = Aviary(
    start_pos=np.array([[0.0, 0.0, 100.0]]),
    start_orn=np.zeros((1, 3)),
    drone_type="quadx",
    physics_hz=FREQ,
    drone_options={"control_hz": 400},
)
aviary.set_mode(7)  # hold a position
aviary.set_setpoint(0, np.array([0.0, 0.0, 0.0, 100.0]))
for _ in range(100):
    aviary.step()
before = aviary.physics_steps
begin: float = time.perf_counter()
for _ in range(CALLS):
    aviary.step()
wall: float = time.perf_counter() - begin
steps = aviary.physics_steps - before
version: str = importlib.metadata.version("PyFlyt")
print(json.dumps({"version": version, "steps_per_second": steps / wall, "work": WORK}))
