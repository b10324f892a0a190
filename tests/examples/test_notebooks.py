"""The notebooks run from the first cell to the last, and their last values show themselves, as on the site."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "examples/notebooks").glob("*.ipynb"))
WALKS = ("own_arm", "own_base", "own_multirotor", "own_wings")


@pytest.fixture(scope="module")
def run_cell():
    """The one that shows notebooks on the site."""
    spec = importlib.util.spec_from_file_location("site_pages", ROOT / "docs/hooks/site_pages.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.run_cell


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch, run_cell):
    monkeypatch.chdir(tmp_path)
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["nbformat"] == 4 and all("id" in cell for cell in content["cells"])
    space = {"__name__": "__main__"}
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []  # they are made, not kept
            run_cell("".join(cell["source"]), space)


def test_a_command_that_fails_stops_a_notebook(run_cell):
    with pytest.raises(RuntimeError, match="there is no such vehicle"):
        run_cell("!cupola new vehicle mini --like nothing", {})


@pytest.mark.parametrize("walk", WALKS)
def test_a_robot_of_your_own_needs_public_names_only(walk):
    """No module below `cupola` is imported, and nothing that begins with an underscore is read."""
    content = json.loads((ROOT / f"examples/notebooks/{walk}.ipynb").read_text(encoding="utf-8"))
    code = "\n".join("".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == "code")
    assert "import cupola\n" in code
    assert not re.findall(r"^\s*(?:from|import) cupola\..*|\._\w+|copytree|__file__", code, flags=re.MULTILINE)
