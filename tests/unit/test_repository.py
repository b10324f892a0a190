"""Promises of the repository as a whole: one version, one direction of imports, kinds that only their own file knows, a
light `import cupola`, exact pins."""

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

import cupola
from cupola.parts import KINDS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "cupola"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

ORDER = "xmath · physics · schema · kernel · aerodynamics · parts · engine · config · build · sim · estimate · control"
ORDER += " · teleop · record · analysis · many · learn · fit · bridge · cockpit · reproduce · bench · cli"
"""Left to right: a module imports from its own folder or one further left."""
RANK = {name: rank for rank, name in enumerate(ORDER.split(" · "))}
KNOW_KINDS = (
    "parts",
    "bridge.sdf",
    "bridge.last_letter",
    "bridge.autopilot",
    "bridge.mavlink",
    "templates",
    "models",
    "reproduce",
    "bench",
)
"""Only these may name a kind of part: a kind is one file, and nothing else knows it."""
FLAT = 5
"""Most modules that lie in the package itself, in no folder."""
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


def test_what_a_user_is_told_to_install_is_a_package_or_an_extra():
    """Names of PyPI's: those of the lock, of the peers, of tools that make a release, of a peer that lives apart."""
    extras, texts = PROJECT["optional-dependencies"], [ROOT / "README.md"]
    texts += [*(ROOT / "src").rglob("*.py"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "web" / "src").rglob("*.ts")]
    pins = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    known = {_normal(pin) for pin in pins if not pin.startswith("#")} | {_normal(one) for one in extras["peers"]}
    known |= {"cupola", "build", "twine", "pterasoftware"}
    told, wrong = 0, []
    for path in texts:
        for line in re.findall(r"pip (?:install|download) ([^`\n]+)", path.read_text(encoding="utf-8")):
            words = re.findall(r"(?<=')[\w.,\[\]-]+(?=')|^\w[\w-]*(?:\[[\w,]+\])?", line)
            told += len(words)
            for word in words:
                name, _, more = word.rstrip("]").partition("[")
                asked = [one for one in more.split(",") if one and one not in extras]
                wrong += [f"{path.name}: {word}"] * bool(asked or (name.strip(".") and _normal(name) not in known))
    assert wrong == [] and told > 30


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
        return [f"{module}: {own} has no place in the order {ORDER}"]
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


def test_the_order_is_the_one_that_contributors_read():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert f"`{ORDER}`" in " ".join(text.split())


def test_few_modules_lie_in_no_folder():
    assert len(list(PACKAGE.glob("*.py"))) <= FLAT


KIND = ast.Name("kind")
"""What a controller `needs` is compared with."""
NUMBERS = ("state", "outputs", "samples", "sticks", "constants", "given", "reported", "drive", "seen")
"""Arrays of numbers of all kinds: which number is which, only names say."""


def numbered(source: str) -> list[str]:
    """Where a text counts numbers of those arrays: `v.state[at + 1]`, `arrays.sticks[0, 3]`; a slice is a part."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Subscript) or getattr(node.value, "attr", "") not in NUMBERS:
            continue
        owner: Any = getattr(node.value, "value", None)
        if not {getattr(owner, "id", ""), getattr(owner, "attr", "")} & {"v", "views", "arrays", "_arrays"}:
            continue
        last = node.slice.elts[-1] if isinstance(node.slice, ast.Tuple) else node.slice
        own = [last.left, last.right] if isinstance(last, ast.BinOp) else [last]
        if any(isinstance(one, ast.Constant) and isinstance(one.value, int) for one in own):
            found.append(ast.unparse(node))
    return found


def test_no_number_of_the_world_is_counted():
    texts = [*PACKAGE.rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *(ROOT / "examples").rglob("*.py")]
    found = [f"{path.name}: {one}" for path in texts for one in numbered(path.read_text("utf-8"))]
    for page in (ROOT / "docs").rglob("*.md"):
        code = re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
        found += [f"{page.name}: {one}" for block in code for one in numbered(block)]
    assert found == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("v.state[at + 1] = 0.0", 1),
        ("x = world.arrays.sticks[0, 3]", 1),
        ("x = world.arrays.outputs[7]", 1),
        ("x = arrays.drive[5]", 1),
        ("x = v.state[row.state + k]", 0),
        ("x = arrays.drive[instance.channels]", 0),
        ("x = stages.outputs[0]", 0),
    ],
)
def test_a_number_that_is_counted_is_seen(source, count):
    assert len(numbered(source)) == count


def known_kinds(source: str, module: str) -> list[str]:
    """Where `module` imports the class of a kind of part, or compares a `kind` with the name of one."""
    classes = {f"{cls.__module__}.{cls.__name__}" for cls in KINDS.values()} | {c.__module__ for c in KINDS.values()}
    found = [f"{module} imports {name}" for name in imported(source, module) if name in classes]
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            asked, words = [node.left, *node.comparators], ast.walk(node)
        elif isinstance(node, ast.Assign) and any(getattr(one, "id", "") == "needs" for one in node.targets):
            asked, words = [KIND], ast.walk(node.value)
        elif isinstance(node, ast.Match):
            asked, words = [node.subject], (inside for case in node.cases for inside in ast.walk(case.pattern))
        else:
            continue
        if any({getattr(one, "attr", ""), getattr(one, "id", "")} & {"kind", "kinds"} for one in asked):
            names = [word.value for word in words if isinstance(word, ast.Constant) and word.value in KINDS]
            found += [f"{module}:{node.lineno} asks for the kind {name!r}" for name in names]
    return found


def test_only_its_own_file_knows_a_kind():
    found = []
    for name, text in sources().items():
        if not name.removeprefix("cupola.").startswith(KNOW_KINDS):
            found += known_kinds(text, name)
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "from cupola.parts.propulsion.rotor import Rotor",
        "from cupola.parts.propulsion import rotor",
        "from ..parts.propulsion.rotor import Rotor",
        "import cupola.parts.propulsion.rotor",
        "found = [part for part in parts if part.kind == 'rotor']",
        "if bound.part.kind in ('rotor', 'vehicle'):\n    pass",
        "match part.kind:\n    case 'rotor' | 'vehicle':\n        pass",
        "if 'rotor' in kinds:\n    pass",
        "if 'rotor' in scenario.kinds:\n    pass",
        "class Law(Controller):\n    needs = 'rotor'",
    ],
)
def test_a_kind_that_is_known_is_seen(source):
    assert len(known_kinds(source, "cupola.sim.world")) == 1


@pytest.mark.parametrize(
    "source",
    [
        "from cupola.parts import KINDS\nfrom cupola.parts.part import Part\n"
        "from cupola.parts.sensors.sensor import Sensor",
        "known = part.kind in KINDS and found.kind == 'vehicle'",
        "noun = 'rotor' if one else 'wing'",
        "class Law(Controller):\n    needs = THRUST_AND_TURN",
    ],
)
def test_what_all_kinds_have_may_be_used(source):
    assert known_kinds(source, "cupola.sim.world") == []


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
        ("cupola.parts.aero.airfoil", "from ...engine import loop"),
        ("cupola.parts.__init__", "from ..engine import loop"),
        ("cupola.kernel.memory", "from cupola.parts.part import Part"),
        ("cupola.kernel.jit", "from cupola.engine.adapters import compiled"),
        ("cupola.parts.part", "from cupola.engine import loop"),
        ("cupola.config.channels", "if TYPE_CHECKING:\n    from cupola.sim.world import World"),
        ("cupola.build.compile", "from cupola.sim.world import World"),
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


def test_nothing_kept_is_a_link():
    """One that leads out of the checkout takes the place of whatever lies there on another machine."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listed = subprocess.run(["git", "ls-files", "-s"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert not [line for line in listed.splitlines() if line.startswith("120000")]
