"""The notebooks run from the first cell to the last, and what `cupola new notebook` writes does, too."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "examples/notebooks").glob("*.ipynb"))


def run_cells(path: Path) -> dict[str, object]:
    """Run the cells as a notebook does: in one place, and ask the last value of each to show itself."""
    content = json.loads(path.read_text(encoding="utf-8"))
    assert content["nbformat"] == 4 and all("id" in cell for cell in content["cells"])
    space: dict[str, object] = {"__name__": "__main__"}
    for k, cell in enumerate(content["cells"]):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []  # they are made, not kept
            exec(compile("".join(cell["source"]), f"{path.name}[{k}]", "exec"), space)
    return space


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run_cells(path)


def test_there_are_three():
    assert len(NOTEBOOKS) == 3
