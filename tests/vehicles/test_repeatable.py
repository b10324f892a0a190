"""Every shipped vehicle for a minute and every scenario for a while, twice, in two processes: identical to the bit."""

import subprocess
import sys

import pytest

from cupola.config.scenario import shipped_scenarios
from cupola.config.vehicle import shipped_vehicles

PROGRAM = """
import hashlib, sys, cupola
from cupola.config.vehicle import shipped_vehicles
from cupola.engine import units
units.MOST_HELPERS = 0  # other tests keep the other cores busy, and a helper for each world starts Python for each
for name in sys.argv[1:]:
    world = cupola.load(name)
    world.run(60.0 if name in shipped_vehicles() else 8.0)
    # Masses too: passive targets at rest differ in nothing else.
    kept = world.data.qpos.tobytes() + world.data.qvel.tobytes() + world.model.body_mass.tobytes()
    kept += world.arrays.state.tobytes()
    print(name, hashlib.sha256(kept + world.arrays.outputs.tobytes()).hexdigest())
"""


@pytest.mark.timeout(900)  # everything is compiled here, where nothing was before
def test_a_minute_of_everything_twice(tmp_path):
    names = [*shipped_vehicles(), *shipped_scenarios()]
    run = [sys.executable, "-c", PROGRAM, *names]
    # One after the other: what the first compiles, the second finds.
    first, second = (subprocess.run(run, check=True, capture_output=True, text=True, cwd=tmp_path) for _ in range(2))
    assert first.stdout == second.stdout
    hashes = dict(line.split() for line in first.stdout.splitlines())
    assert list(hashes) == names
    alone = [hashes[name] for name in shipped_vehicles()]  # scenarios of one experiment may begin alike
    assert len(set(alone)) == len(alone)
