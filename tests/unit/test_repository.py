"""Promises of the repository as a whole: one version, one direction of imports, a light `import cupola`, exact pins."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

import cupola

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "cupola"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# Left to right: a module imports from its own entry or one further left.
ORDER = [("xmath",), ("physics",), ("schema",)]
ORDER += [("kernel", "parts", "engine")]  # one entry for now: the kernel's memory holds the rows of the parts
ORDER += [("aerodynamics",)]
ORDER += [("config", "build", "sim")]  # one entry for now: `build.compile` hires controllers, channels name the world
ORDER += [(name,) for name in ("estimate", "control", "teleop", "record", "analysis", "bridge", "cockpit")]
ORDER += [("reproduce",), ("bench",), ("cli",)]
RANK = {name: rank for rank, names in enumerate(ORDER) for name in names}
HEAVY = {"mujoco", "numba", "jax", "matplotlib", "numpy"}


def test_one_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert PROJECT["version"] == cupola.__version__ == citation["version"]


def test_lock_pins_every_dependency_and_nothing_else():
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][A-Za-z0-9.]*", pin)] == []
    extras = PROJECT["optional-dependencies"]
    wanted = {_normal(spec) for spec in PROJECT["dependencies"] + extras["jax"] + extras["docs"] + extras["dev"]}
    assert wanted - {"cupola"} <= {_normal(pin) for pin in pins}


def _normal(requirement: str) -> str:
    return re.sub(r"[-_.]+", "-", re.match(r"[A-Za-z0-9._-]+", requirement)[0]).lower()


def imported(source: str, module: str) -> Iterator[str]:
    """Full names that the text of `module` imports, anywhere in it; `from a import b` gives `a.b`."""
    package = module.split(".")
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{start}.{alias.name}" for alias in node.names)


def wrong_imports(source: str, module: str) -> list[str]:
    """Imports of `module` (as `cupola.physics.rotation`) that are not from its left."""
    own = module.split(".")[1]
    if own not in RANK:
        return [f"{module}: {own} has no place in the order {' · '.join(RANK)}"]
    return [
        f"{module} imports {name}"
        for name in imported(source, module)
        if name.split(".")[0] == "cupola" and name != "cupola.__version__" and _rank(name) > RANK[own]
    ]


def _rank(name: str) -> int:
    """Place of an imported name; the names that `cupola` itself hands out belong to the world."""
    top = name.removeprefix("cupola").removeprefix(".").split(".")[0]
    return RANK.get(top, RANK["sim"])


def sources() -> dict[str, str]:
    """Text of every module of the package by its full name; packages end in `.__init__`."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts): path.read_text("utf-8") for path in paths}


def test_modules_import_only_from_their_left():
    top = {"cupola.__init__", "cupola.__main__"}
    found = [wrong for name, text in sources().items() if name not in top for wrong in wrong_imports(text, name)]
    assert found == []


def test_physics_needs_the_standard_library_only():
    found = {
        f"{module} imports {name}"
        for module, text in sources().items()
        if module.split(".")[1] in ("xmath", "physics")
        for name in imported(text, module)
        if name.split(".")[0] not in sys.stdlib_module_names | {"cupola"}
    }
    assert found == set()


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("cupola.physics.lift", "from cupola.parts import airfoil"),
        ("cupola.physics.lift", "from cupola import World"),
        ("cupola.parts.aero.airfoil", "import cupola.config.vehicle"),
        ("cupola.parts.aero.airfoil", "from ...aerodynamics import lattice"),
        ("cupola.parts.__init__", "from ..aerodynamics import lattice"),
        ("cupola.engine.loop", "import cupola"),
        ("cupola.sim.world", "from ..control.pid import Pid"),
        ("cupola.sim.world", "def load():\n    from cupola.control import pid"),
        ("cupola.control.pid", "from cupola.cockpit import server"),
        ("cupola.record.csv", "from cupola.cli import main"),
        ("cupola.helpers", "import math"),
    ],
)
def test_a_wrong_import_is_seen(module, source):
    assert len(wrong_imports(source, module)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("cupola.physics.lift", "import math\nfrom cupola import xmath\nfrom cupola.physics.rotation import cross"),
        ("cupola.physics.lift", "from . import rotation\nfrom .rotation import cross"),
        ("cupola.engine.loop", "from cupola.parts import airfoil\nfrom cupola import __version__"),
        ("cupola.config.scenario", "from .vehicle import Vehicle"),
        ("cupola.reproduce.omni.square", "import cupola\nfrom cupola import load\nfrom cupola.record import plots"),
    ],
)
def test_a_right_import_passes(module, source):
    assert wrong_imports(source, module) == []


def heavy_modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return HEAVY & set(done.stdout.split())


def test_import_cupola_is_light():
    assert heavy_modules_after("import cupola") == set()
    assert heavy_modules_after("import numpy") == {"numpy"}
