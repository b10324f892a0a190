"""Fills in what pages leave to be made: the gallery, the notebooks with what they show, and the measured figures."""

import ast
import base64
import contextlib
import html
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cupola.cockpit.gallery import family_of as gallery_family
from cupola.cockpit.gallery import wanted_pictures
from cupola.config.scenario import find_scenario, shipped_scenarios
from cupola.config.vehicle import MODELS, Vehicle
from cupola.schema.yaml_files import read

HERE = Path(__file__).parents[1]
NOTEBOOKS = HERE.parent / "examples/notebooks"
BY_HAND = 600.0
"""[s] A scenario that lasts longer is there to be flown by hand."""


def on_page_markdown(markdown: str, **_: object) -> str:
    """Called by MkDocs for each page."""
    markdown = re.sub(r"\{\{ gallery (\w+) \}\}", lambda found: gallery(found[1]), markdown)
    markdown = markdown.replace("{{ vehicles }}", vehicles())
    markdown = re.sub(r"\{\{ results (\w+) \}\}", lambda found: results(HERE / f"results/{found[1]}.json"), markdown)
    return re.sub(r"\{\{ notebook (\w+) \}\}", lambda found: notebook(NOTEBOOKS / f"{found[1]}.ipynb"), markdown)


def family_of(scenario: str) -> str:
    """The family of a scenario's first vehicle."""
    model = find_scenario(scenario)[0].vehicles[0].model
    return gallery_family(model)


def gallery(family: str) -> str:
    """Every scenario of a family: its picture, what it is, and the command."""
    found = []
    for name in shipped_scenarios():
        if family_of(name) == family:
            scenario = find_scenario(name)[0]
            command = f"cupola fly {name}" if scenario.duration > BY_HAND else f"cupola run {name} --plot"
            about = scenario.about.replace(" - ", ": ", 1)
            drawn = (HERE / f"images/gallery/{name}.png").is_file()
            picture = f"![{name}](images/gallery/{name}.png)\n\n" if drawn else ""
            found.append(f"### {name}\n\n{picture}{about}.\n\n```sh\n{command}\n```")
    return "\n\n".join(found)


def vehicles() -> str:
    """Vehicles that no scenario begins with: picture, what each is, and the command."""
    found = []
    for name in wanted_pictures():
        if name not in shipped_scenarios():
            about = read(MODELS / name / "vehicle.yaml", Vehicle).about
            found.append(f"#### {name}\n\n![{name}](images/gallery/{name}.png)\n\n{about}: `cupola fly {name}`")
    return "\n\n".join(found)


def results(path: Path) -> str:
    """Measured rows with their date and machine; what does not pass stands out."""
    if not path.is_file():
        return f"Not measured for this copy of the documentation: `cupola {path.stem}` prints it on your machine."
    content = json.loads(path.read_text(encoding="utf-8"))
    busy = "" if content["load"] is None else f", load {content['load']:.1f}"
    rows = content["rows"]
    passed = sum(bool(row["pass"]) for row in rows)
    lines = [
        f"*{content['date']}, version {content['version']}, {content['machine']}{busy}: {passed} of {len(rows)} pass.*"
    ]
    keys = [key for key in rows[0] if key not in ("id", "pass")]
    lines += ["", f"| {' | '.join(keys)} | |", "|---" * (len(keys) + 1) + "|"]
    for row in rows:
        cells = [_cell(row[key]) for key in keys]
        lines.append(f"| {' | '.join(cells)} | {'pass' if row['pass'] else '**falls short**'} |")
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = f"{value:.6g}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|")


def notebook(path: Path) -> str:
    """The cells of a notebook, run from the first to the last, with what they print and show."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    space: dict[str, Any] = {"__name__": "__main__"}
    said = []
    with _elsewhere():
        for cell in cells:
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                said.append(source)
            else:
                said.append(f"```python\n{source}\n```")
                said += run_cell(source, space)
    return "\n\n".join(said)


@contextlib.contextmanager
def _elsewhere() -> Iterator[None]:
    """A folder of its own for what notebooks write."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def run_cell(source: str, space: dict[str, Any]) -> list[str]:
    """Run a cell; returns what it printed and what its last value shows. `!cupola` is the command, as in Jupyter."""
    source = re.sub(r"^!cupola (.*)$", lambda line: f"_command({line[1]!r})", source, flags=re.MULTILINE)
    space["_command"] = command
    tree, printed, value = ast.parse(source), io.StringIO(), None
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), space)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), "cell", "eval"), space)
    shown = [f"```text\n{printed.getvalue().rstrip()}\n```"] if printed.getvalue().strip() else []
    return shown if value is None else [*shown, _shown(value)]


def command(words: str) -> None:
    """The command line of this Python, which must do what it is asked for."""
    done = subprocess.run([sys.executable, "-m", "cupola", *shlex.split(words)], capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"cupola {words}: {done.stderr}")
    print(done.stdout, end="")


def _shown(value: Any) -> str:
    """As a notebook shows it: a picture, HTML, or text."""
    if hasattr(value, "savefig"):
        picture = io.BytesIO()
        value.savefig(picture, format="png", dpi=90)
        return f'<img alt="figure" src="data:image/png;base64,{base64.b64encode(picture.getvalue()).decode()}">'
    if hasattr(value, "_repr_html_") and (text := value._repr_html_()):
        return str(text)
    return f"<pre>{html.escape(repr(value))}</pre>"
