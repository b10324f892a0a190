"""Compiled code is never stale: an edit of an equation runs at the next start, an edit elsewhere keeps the cache."""

import ast
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cupola
from cupola.kernel.jit import PACKAGE, sources

PROBE = """
from cupola.kernel.jit import cache_folder, jit, sources
from cupola.physics.servo import limit_rate

@jit
def probe(x):
    return limit_rate(0.0, x, 1.0, 1.0)

print(probe(9.0), sum(probe.stats.cache_hits.values()), cache_folder(sources(probe.py_func)))
"""
LAW = """
from typing import NamedTuple
from cupola import Controller

class One(NamedTuple):
    a: float

def answer():
    return 0.25

def law(obs, ref, state, p):
    return One(answer()), state

class Mine(Controller):
    law = staticmethod(law)
"""


def test_an_edited_equation_runs_at_the_next_start(tmp_path):
    package = tmp_path / "cupola"
    shutil.copytree(Path(cupola.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__", "models"))
    (tmp_path / "probe.py").write_text(PROBE)
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "CUPOLA_CACHE": str(tmp_path / "cache")}

    def run():
        command = [sys.executable, "probe.py"]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout.split()

    value, hits, first = run()
    assert (value, hits) == ("1.0", "0") and first.startswith(str(tmp_path))
    for elsewhere in ("sim/world.py", "control/multirotor/quadcopter_pd.py", "physics/mecanum.py"):
        with (package / elsewhere).open("a") as file:
            file.write("# nothing that the probe reaches is here\n")
    assert run() == ["1.0", "1", first]
    servo = package / "physics" / "servo.py"
    text = servo.read_text()
    assert text.count("reach = rate_max * dt") == 1
    servo.write_text(text.replace("reach = rate_max * dt", "reach = 2.0 * rate_max * dt"))
    value, hits, second = run()
    assert (value, hits) == ("2.0", "0") and second != first


def test_an_edited_module_that_a_law_of_ones_own_imports_runs_at_the_next_start(vehicle, tmp_path):
    law = LAW.replace("def answer():\n    return 0.25", "from gains import answer")
    body = '<body name="base"><freejoint/><geom size="0.1"/></body>'
    vehicle(body, controller={"use": "mine.py:Mine", "rate_hz": 100}, files={"mine.py": law})
    script = "import cupola; world = cupola.load('toy'); world.step(); print(world.command()[0])"
    for value in ("0.25", "0.5"):
        (tmp_path / "gains.py").write_text(f"def answer():\n    return {value}\n")
        command, environment = [sys.executable, "-c", script], {**os.environ, "PYTHONPATH": str(tmp_path)}
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert done.stdout.strip() == value, done.stderr


def test_an_edited_law_of_ones_own_runs_at_the_next_load(vehicle, make_world):
    controller = {"use": "mine.py:Mine", "rate_hz": 100}
    body = '<body name="base"><freejoint/><geom size="0.1"/></body>'
    folder = Path(vehicle(body, controller=controller, files={"mine.py": LAW}))
    for value in ("0.25", "0.5"):
        (folder / "mine.py").write_text(LAW.replace("0.25", value))
        world = make_world(str(folder))
        assert world.instances[0].runner.compiled
        world.step()
        assert world.command()[0] == float(value)


def test_every_law_has_a_cache_file_of_its_own():
    """Two processes that compile two laws at once must not take the same file."""
    from cupola.control.multirotor.geometric import MultirotorGeometric
    from cupola.control.multirotor.waypoints import MultirotorWaypoints
    from cupola.engine.law import compile_law, law_of

    laws = [compile_law(law_of(c)) for c in (MultirotorGeometric, MultirotorWaypoints)]
    assert len({law._cache._cache_file._index_name for law in laws}) == 2


def imports_parsed(file):
    """What a file imports of the package, as Python's own parser reads it."""
    for node in ast.walk(ast.parse(file.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))


HOWEVER_WRITTEN = """
import math, cupola.physics.servo
import cupola.physics.gas as gas; from cupola.physics.grip import (
    # a note
    grip_force,
)
try: from cupola.physics import ground, \\
    wind
except ImportError: raise
def later():
	from   cupola.physics.flap import flap_effect
"""


def test_every_import_is_found_however_it_is_written(tmp_path):
    odd = tmp_path / "odd.py"
    odd.write_text(HOWEVER_WRITTEN)
    assert len(list(imports_parsed(odd))) == 10
    for file in (*PACKAGE.rglob("*.py"), odd):
        found = sources(compile_in(file))
        for name in imports_parsed(file):
            path = PACKAGE.joinpath(*name.split(".")[1:]).with_suffix(".py")
            if name.startswith(("cupola.physics.", "cupola.kernel.", "cupola.parts.")) and path.is_file():
                assert path in found, f"{file} imports {name}"


def compile_in(file):
    """A function that says it was written in that file."""
    names = {}
    exec(compile("def here(): pass", str(file), "exec"), names)
    return names["here"]


def test_a_warm_start_loads_compiled_code_without_the_compiler(tmp_path):
    """Numba's compiler, and SciPy for it, take longer to import than all of a world takes to load."""
    text = "import sys, cupola; world = cupola.load('quadcopter'); world.run(0.1); print(world.motion().pos_w[2]); "
    text += "print([name for name in ('numba.np.linalg', 'scipy.linalg') if name in sys.modules])"
    said = [subprocess.run([sys.executable, "-c", text], capture_output=True, text=True) for _ in range(2)]
    assert said[1].stdout.splitlines() == [said[0].stdout.splitlines()[0], "[]"], said[1].stderr


def test_an_edit_while_a_process_runs_does_not_keep_the_code_of_before(tmp_path):
    module, program = tmp_path / "sums.py", tmp_path / "program.py"
    module.write_text("def add(x):\n    return x + 1.0\n")
    program.write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "sys.path.insert(0, str(Path(__file__).parent))\n"
        "import sums\n"
        "from cupola.kernel.jit import jit\n"
        "Path(sums.__file__).write_text('def add(x):\\n    return x + 2.0\\n')\n"
        "print(jit(sums.add)(1.0))\n"
    )
    command, place = [sys.executable, "-B", str(program)], {**os.environ, "CUPOLA_CACHE": str(tmp_path / "kept")}
    flown = [subprocess.run(command, env=place, capture_output=True, text=True, check=True) for _ in range(2)]
    assert [one.stdout.strip() for one in flown] == ["2.0", "3.0"]
