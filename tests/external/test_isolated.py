"""A model in a process of its own gives the same numbers, and whatever it does ends the run and nothing else."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cupola import SimulationError
from cupola.bridge.fmi.pack import compile_library, pack

from .conftest import INPUTS, OUTPUTS, PYTHON

C = """
#include <stdlib.h>
const char *cupola_names(int which)
{
    return which == 0 ? "now" : which == 1 ? "torque" : which == 2 ? "count" : which == 3 ? "how" : "";
}
int cupola_step(const double *in, double *out, double *state, const double *p, double time, double dt)
{
    out[0] = 0.0;
    state[0] += 1.0;
    if (in[0] < 0.0195)
        return 0;
    if (p[0] == 1) for (;;) ;
    if (p[0] == 2) *(volatile int *)0 = 1;
    if (p[0] == 3) exit(0);
    if (p[0] == 5) return 7;
    if (p[0] == 6) out[0] = 0.0 / 0.0;
    return 0;
}
"""
ENDS = {"inputs": {"time": "now"}, "outputs": {"joint.flap.torque": "torque"}}
BAD = """
import os, sys, time
from cupola import External

class Bad(External):
    how: str

    def step(self, x, now, dt):
        if now >= 0.0195:
            exec(self.how)
        return {"torque": 0.0}
"""


@pytest.fixture(scope="module")
def bad_library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bad")
    (folder / "bad.c").write_text(C)
    return compile_library([folder / "bad.c"], folder / "bad.so"), pack(folder / "bad.c", folder / "bad.fmu")


def flown(world, count=300):
    world.step(count)
    return world.data.qpos.tolist(), world.data.qvel.tolist()


@pytest.mark.parametrize("door", ["python", "c", "fmi2"])
def test_the_numbers_are_those_of_the_model_in_the_process(built, flapper, door):
    part = {"inputs": INPUTS, "outputs": OUTPUTS, "kind": "wing.py:Wing" if door == "python" else "fmu"}
    files = {"wing.py": PYTHON} if door == "python" else {}
    if door != "python":
        part |= {"kind": "c" if door == "c" else "fmu", "file": str(built[door])}
    here, there = (flapper({**part, "isolate": apart}, files=files, name=f"v{apart:d}") for apart in (False, True))
    for world in (here, there):
        world.data.qvel[0] = 3.0
    assert flown(here) == flown(there)
    kept = there.snapshot()
    after = flown(there)
    there.restore(kept)
    assert flown(there) == after == flown(here)
    there.reset()
    there.data.qvel[0] = 3.0
    here.reset()
    here.data.qvel[0] = 3.0
    assert flown(there) == flown(here)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (1, "failed: its process did not answer within 0.3 s"),
        (2, "failed: its process crashed: SIGSEGV"),
        (3, "failed: its process ended with exit code 0"),
        (5, "failed: its step returned 7"),
        (6, "gave nan for 'torque'"),
    ],
)
def test_a_model_in_c_ends_the_run_and_not_the_program(flapper, bad_library, tmp_path, how, said):
    part = {"kind": "c", "file": str(bad_library[0]), "parameters": {"how": how}, **ENDS, "isolate": True}
    world = flapper({**part, "time_limit": 0.3})
    world.dump_folder = tmp_path / "left"
    for _ in range(2 if how in (1, 2) else 1):  # it can be started over
        with pytest.raises(SimulationError) as caught:
            world.step(1000)
        assert f"stopped at tick 20 (t = 0.02 s): part 'wing' (c) of 'toy' {said}" in str(caught.value)
        world.reset()


def test_an_fmu_that_crashes(flapper, bad_library, tmp_path):
    part = {"kind": "fmu", "file": str(bad_library[1]), "parameters": {"how": 2.0}, **ENDS, "isolate": True}
    world = flapper(part)
    world.dump_folder = tmp_path / "left"
    with pytest.raises(SimulationError, match=r"part 'wing' \(fmu\) of 'toy' failed: its process crashed: SIGSEGV"):
        world.step(1000)


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ("os._exit(0)", "failed: its process ended with exit code 0"),
        ("time.sleep(1e6)", "failed: its process did not answer within 0.3 s"),
        ("sys.exit(0)", "failed: SystemExit: 0 (<string>:1)"),
    ],
)
def test_a_model_in_python_ends_the_run_and_not_the_program(flapper, tmp_path, how, said):
    part = {"kind": "bad.py:Bad", **ENDS, "how": how, "isolate": True, "time_limit": 0.3}
    world = flapper(part, files={"bad.py": BAD})
    world.dump_folder = tmp_path / "left"
    with pytest.raises(SimulationError) as caught:
        world.step(1000)
    assert f"part 'wing' (bad.py:Bad) of 'toy' {said}" in str(caught.value)


HOLD = """
import sys, time, cupola
world = cupola.load(sys.argv[1], trust=True)
print(world.assembly.parts[0].part._process._process.pid, flush=True)
try:
    world.step(1000)
except cupola.SimulationError:
    pass
"""


def test_the_process_of_a_model_ends_with_the_program_even_a_killed_one(flapper, bad_library, vehicle, bodies):
    part = {"kind": "c", "file": str(bad_library[0]), "parameters": {"how": 1}, **ENDS, "isolate": True}
    folder = vehicle(bodies, parts={"wing": {**part, "time_limit": 600.0}})
    with subprocess.Popen([sys.executable, "-c", HOLD, folder], stdout=subprocess.PIPE, text=True) as program:
        child = int(program.stdout.readline())
        time.sleep(1.0)  # the model loops for ever now
        program.send_signal(signal.SIGKILL)
    late = time.monotonic() + 10
    while is_alive(child) and time.monotonic() < late:
        time.sleep(0.02)
    assert not is_alive(child)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        with Path(f"/proc/{pid}/stat").open() as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
