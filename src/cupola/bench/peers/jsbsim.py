"""JSBSim: a Cessna 172 in flight. Run by path; prints one line of JSON."""

import json
import os
import sys
import time
from pathlib import Path

DT = 0.0005
STEPS = 40_000
WORK = (
    "c172x, 1 rigid body on a rotating ellipsoid, tabulated aerodynamics, piston engine with propeller, flight "
    "controls and landing gear, Euler and Adams-Bashforth integrators, one call from Python per step of 0.5 ms"
)

sys.path.pop(0)  # this folder holds a file named like the package
os.environ["JSBSIM_DEBUG"] = "0"  # no banner
import jsbsim  # noqa: E402

aircraft = jsbsim.FGFDMExec(str(Path(jsbsim.__file__).parent))
aircraft.load_model("c172x")
aircraft.set_dt(DT)
aircraft["ic/h-sl-ft"] = 5000.0
aircraft["ic/vc-kts"] = 100.0
aircraft.run_ic()
aircraft["propulsion/set-running"] = -1
aircraft["fcs/throttle-cmd-norm"] = 0.7
for _ in range(2000):
    aircraft.run()
begin: float = time.perf_counter()
for _ in range(STEPS):
    aircraft.run()
wall: float = time.perf_counter() - begin
print(json.dumps({"version": jsbsim.__version__, "steps_per_second": STEPS / wall, "work": WORK}))
