"""The documentation is true: its code blocks run, page by page, in a folder of their own.

A block whose first line is `# file: NAME` (or `<!-- file: NAME -->`) is written to that file; other `python` blocks run
in one namespace per page; `cupola` commands in `console` and `sh` blocks run as the entry point runs them, and those in
`text` blocks, which wait for another program, are read as it reads them.
"""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from cupola.cli import main
from cupola.cli.commands.options import app

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?:#|//|<!--) file: (\S+)(?: -->)?\n")
LINK = re.compile(r"\]\(([^)#\s]+)")
SLOW = ("cupola bench", "cupola reproduce")
"""Commands that have tests of their own."""


class Block(NamedTuple):
    line: int
    language: str
    text: str


def blocks(page: Path) -> list[Block]:
    content = page.read_text(encoding="utf-8")
    return [Block(content.count("\n", 0, m.start()) + 2, m[1], m[2]) for m in FENCE.finditer(content)]


def commands(text: str) -> list[str]:
    lines = [line.removeprefix("$ ").partition("  #")[0].strip() for line in text.splitlines()]
    return [line for line in lines if line]


def run_command(command: str, where: str) -> None:
    word, *rest = command.split()
    if word == "cupola":
        if not command.startswith(SLOW):
            with pytest.raises(SystemExit) as ended:
                main(rest)
            assert not ended.value.code, f"{where}: {command}"  # pytest shows what was printed
    elif word in ("cc", "python"):
        program = sys.executable if word == "python" else word
        done = subprocess.run([program, *rest], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{where}: {command}\n{done.stdout}{done.stderr}"
    elif word == "make":
        assert f"\n{rest[0]}:" in (ROOT / "Makefile").read_text(), f"{where}: the Makefile has no target {rest[0]}"
    else:
        assert word in ("pip", "git", "cd"), f"{where}: nobody checks the command {command!r}"


def read_command(command: str) -> None:
    """Whether the command line knows all its words; nothing is run."""
    _, name, *rest = shlex.split(command)
    known: Any = typer.main.get_command(app)
    known.get_command(None, name).make_context(name, rest)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_on_the_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CUPOLA_CONFIG", str(tmp_path / "config"))  # a reader has trusted nothing yet
    names = {"__name__": "page"}
    for line, language, text in blocks(page):
        where = f"{page.name}:{line}"
        if named := FILE.match(text):
            target = Path(named[1])
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text[named.end() :])
        elif language == "python":
            exec(compile("\n" * (line - 1) + text, str(page), "exec"), names)
        elif language in ("console", "sh"):
            for command in commands(text):
                run_command(command, where)
        else:
            assert language == "text", f"{where}: a {language or 'plain'} block is neither a file nor run nor `text`"
            for command in re.findall(r"^cupola [a-z].*?(?=  #|$)", text, re.MULTILINE):
                read_command(command)


@pytest.mark.parametrize("page", [*PAGES, *sorted((ROOT / "docs/coverage").glob("*.md"))], ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    links = [link for link in LINK.findall(page.read_text(encoding="utf-8")) if "://" not in link]
    missing = [link for link in links if not (page.parent / link).exists()]
    assert not missing


@pytest.mark.parametrize(
    ("page", "folder"),
    [
        ("add_a_vehicle.md", "examples/tricopter"),
        ("build_an_aircraft.md", "examples/twin"),
        ("first_model.md", "src/cupola/models/simple_model"),
    ],
)
def test_the_vehicle_on_the_page_is_the_one_that_ships(page, folder):
    shown = {
        named[1]: text[named.end() :] for _, _, text in blocks(ROOT / "docs" / page) if (named := FILE.match(text))
    }
    for name in ("model.xml", "vehicle.yaml"):
        on_page = shown[f"{Path(folder).name}/{name}"]
        assert on_page == (ROOT / folder / name).read_text(encoding="utf-8"), name


def test_the_loop_on_the_page_is_the_loop():
    shown = next(text for _, language, text in blocks(ROOT / "docs/one_step.md") if language == "text")
    source = (ROOT / "src/cupola/engine/loop.py").read_text(encoding="utf-8")
    at = source.index("def advance")
    for line in shown.splitlines():
        code = re.split(r"\s{2,}", line.strip())[0]
        if code != "...":
            at = source.find(code, at)
            assert at > 0, f"{code!r} is not, or not in this order, in engine/loop.py"


def test_every_page_is_in_the_menu():
    menu = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    pages = [os.fspath(page.relative_to(ROOT / "docs")) for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if page not in menu] == []


def test_pictures_stay_small():
    assert all(picture.stat().st_size < 200_000 for picture in (ROOT / "docs/images").iterdir())
