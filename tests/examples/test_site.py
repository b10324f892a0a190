"""The pages that are made when the site is built: gallery, notebooks, measured figures, and the way to every page."""

import importlib.util
import json
import re
import tomllib
from pathlib import Path

import pytest
import yaml

import cupola
from cupola.config.scenario import find_scenario, shipped_scenarios

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


HOOKS = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["hooks"]


def loaded(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def site():
    return loaded(DOCS / "hooks/site_pages.py")


@pytest.mark.parametrize("hook", HOOKS)
def test_no_folder_beside_a_hook_is_taken_for_a_package(hook):
    """MkDocs imports from there first: `docs/coverage` was taken for the package of that name."""
    assert not [path for path in (ROOT / hook).parent.iterdir() if path.is_dir() and path.name != "__pycache__"]


def test_the_reference_has_every_public_name():
    page = loaded(DOCS / "hooks/api_page.py").body()
    assert all(f".{name}\n" in f"{page}\n" for name in cupola.__all__)


def test_the_table_of_steps_has_every_scenario_or_says_why_not():
    page = (DOCS / "convergence.md").read_text()
    rows = re.findall(r"^\| `(\w+)` \| \d+ \| .+ \|.*\|.*\|$", page, re.MULTILINE)
    without = re.findall(r"`(\w+)`", page.partition("Not in the table is ")[2].partition(":")[0])
    assert sorted([*rows, *without]) == sorted(shipped_scenarios())


def test_the_table_of_steps_was_made_with_the_steps_of_the_scenarios():
    """A row of `omni_aisle` still told of steps of 1 ms after the scenario had got shorter ones."""
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", (DOCS / "convergence.md").read_text(), re.MULTILINE)
    stale = {name: (int(hz), find_scenario(name)[0].physics_hz) for name, hz in rows}
    assert rows and {name: both for name, both in stale.items() if both[0] != both[1]} == {}


def test_the_gallery_has_every_scenario_with_its_picture_and_command(site):
    page = site.on_page_markdown((DOCS / "gallery.md").read_text())
    assert sorted(re.findall(r"^### (\w+)$", page, re.MULTILINE)) == sorted(shipped_scenarios())
    assert sorted(re.findall(r"^cupola (?:run|fly) (\w+)", page, re.MULTILINE)) == sorted(shipped_scenarios())
    assert all((DOCS / picture).stat().st_size > 500 for picture in re.findall(r"\]\((images/\S+)\)", page))
    shown = set(re.findall(r"images/gallery/(\w+)\.png", page))
    assert shown == {path.stem for path in (DOCS / "images/gallery").glob("*.png")}  # draw.py draws them


@pytest.mark.parametrize("family", ["flying", "driving", "space", "wings_and_birds"])
def test_each_family_has_a_page_with_its_scenarios(site, family):
    page = site.on_page_markdown((DOCS / f"{family}.md").read_text())
    assert "{{" not in page and "### " in page and "cupola run" in page


def test_results_are_printed_with_date_and_machine_and_what_falls_short_stands_out(site, tmp_path):
    rows = [
        {"id": "a", "quantity": "lift | drag", "measured": 1.23456789, "unit": None, "pass": True},
        {"id": "b", "quantity": "speed", "measured": "no file", "unit": "m/s", "pass": False},
    ]
    about = {"date": "2026-01-02", "machine": "a computer, 2 cores", "version": "0.1", "load": 0.25}
    (tmp_path / "bench.json").write_text(json.dumps({**about, "rows": rows}))
    said = site.results(tmp_path / "bench.json")
    assert "*2026-01-02, version 0.1, a computer, 2 cores, load 0.2: 1 of 2 pass.*" in said
    assert "| lift \\| drag | 1.23457 |  | pass |" in said and "| speed | no file | m/s | **falls short** |" in said
    assert "`cupola other` prints it" in site.results(tmp_path / "other.json")


def test_a_notebook_is_run_and_shows_what_it_prints_and_draws(site, tmp_path):
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n"]},
        {"cell_type": "code", "source": ["a = 2\n", "print(a)\n", "a * 21"]},
        {"cell_type": "code", "source": ["from matplotlib.figure import Figure\n", "Figure()"]},
        {"cell_type": "code", "source": ["open('left.txt', 'w').close()"]},
    ]
    (tmp_path / "one.ipynb").write_text(json.dumps({"cells": cells}))
    before = Path.cwd()
    said = site.notebook(tmp_path / "one.ipynb")
    assert "# Title" in said and "```text\n2\n```" in said and "<pre>42</pre>" in said and "data:image/png" in said
    assert Path.cwd() == before and not (before / "left.txt").exists()


def test_the_notebooks_of_the_page_are_those_that_ship(site):
    named = re.findall(r"\{\{ notebook (\w+) \}\}", (DOCS / "notebooks.md").read_text())
    assert sorted(named) == sorted(path.stem for path in site.NOTEBOOKS.glob("*.ipynb"))


def pages_of(entry):
    """All files of a navigation."""
    if isinstance(entry, str):
        return [entry]
    return [page for one in (entry.values() if isinstance(entry, dict) else entry) for page in pages_of(one)]


def test_every_page_is_reached_by_the_navigation():
    nav = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    assert [next(iter(group)) for group in nav] == ["Start", "How to", "Understand", "Reference"]
    there = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.md")}
    assert set(pages_of(nav)) == there


def test_what_pypi_shows_links_to_nothing_that_is_not_there():
    """Links into the repository lead nowhere from the page of a package."""
    readme = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["readme"]
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / readme).read_text())
    assert [link for link in links if not link.startswith("https://")] == []


def test_links_of_the_readme_lead_to_files():
    links = re.findall(r"\]\(([^)#]+)[^)]*\)", (ROOT / "README.md").read_text())
    assert [link for link in links if not link.startswith("https://") and not (ROOT / link).exists()] == []
