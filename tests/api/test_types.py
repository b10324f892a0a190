"""What editors and type checkers see of the public names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cupola

ROOT = Path(__file__).parents[2]
BAR = 95.0
"""[%] of the public names whose type is known."""


def test_every_public_name_is_listed_once_everywhere():
    imports = Path(cupola.__file__).read_text(encoding="utf-8")
    for name in cupola.__all__:
        assert f"import {name} as {name}\n" in imports, name
    assert cupola.__all__ == sorted(cupola._HOME)


def test_dir_is_complete_and_every_name_is_there():
    assert set(cupola.__all__) <= set(dir(cupola))
    code = "import cupola, sys; print(sorted(dir(cupola)) == sorted(set(dir(cupola)) | set(cupola.__all__)));"
    code += "print('numpy' in sys.modules)"  # `import cupola` itself costs nothing
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert said == ["True", "False"]
    for name in cupola.__all__:
        assert getattr(cupola, name).__name__ == name
    with pytest.raises(AttributeError, match="cupola has no 'Wrld'"):
        cupola.Wrld  # noqa: B018


USE = """\
import cupola

world = cupola.load("square")
reveal_type(world)
reveal_type(world.motion())
reveal_type(world.motion().pos_w)
reveal_type(world.motion().pos_w.x)
reveal_type(world.motion().quat_wb.w)
reveal_type(world.motion().time)
reveal_type(cupola.Recording("a.mcap").table("/a"))
reveal_type(cupola.Scenario.load("square").with_(duration=1.0))
cupola.World(5)
world.run("long")
"""


def test_mypy_sees_the_types(tmp_path):
    (tmp_path / "use.py").write_text(USE)
    # With the settings and the cache of the project, which `make test` has just filled: a cold one takes 12 s.
    ours = [f"--config-file={ROOT / 'pyproject.toml'}", f"--cache-dir={ROOT / '.mypy_cache'}"]
    command = [sys.executable, "-m", "mypy", "--no-error-summary", *ours, "use.py"]
    said = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path).stdout
    for name in ("World", "Observation", "Scenario"):
        assert f".{name}" in said, said
    assert 'Argument 1 to "World"' in said and 'Argument 1 to "run"' in said, said
    assert said.count('"Any"') == 0 and said.count('Revealed type is "float"') == 3, said


def test_pyright_knows_nearly_every_type():
    """`basedpyright`, because its wheel holds all it needs; `--verifytypes` is the same as pyright's."""
    pytest.importorskip("basedpyright", reason="pip install basedpyright")
    command = [sys.executable, "-m", "basedpyright", "--verifytypes", "cupola", "--ignoreexternal"]
    # It does not follow the link of an editable installation: tell it where the package lies. Where others lie, it asks
    # the first `python` of the path.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    found = {**os.environ, "PYTHONPATH": str(Path(cupola.__file__).parents[1]), "PATH": path}
    said = subprocess.run(command, capture_output=True, text=True, env=found).stdout
    (score,) = [float(line.split()[-1].strip("%")) for line in said.splitlines() if "completeness score" in line]
    assert score >= BAR, said[-4000:]
