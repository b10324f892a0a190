"""Every command that writes, as it is killed: what is typed, and who must be there for it to work."""

import ast
import json
import shutil
import socket
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import yaml

from cupola.cli.commands import app, new
from cupola.learn.policy_file import load_policy
from cupola.record import Recording

ROOT = Path(__file__).parents[2]
HANDS = Path(__file__).with_name("hands.py")
CORPUS = ROOT / "tests" / "fuzz" / "corpus"


class Row(NamedTuple):
    """One way to let a command write. `{inputs}` is the folder of `prepare`, `{port}` a free one."""

    command: str
    words: tuple[str, ...]
    beside: tuple[str, ...] = ()
    """A script that runs beside it, and its arguments: an autopilot, or hands on the page."""


def _row(command: str, words: str, *beside: str) -> Row:
    return Row(command, (*command.split(), *words.split()), beside)


GAINS = ("--gain", "quadcopter.velocity_kp=1:3", "--gain", "quadcopter.position_kp=0.5:2")
SHORT = ("--worlds", "2", "--rounds", "1", "--duration", "0.5")
WRITING: dict[str, Row] = {
    "run": _row("run", "hover --duration 20 --out ."),
    "run --plot": _row("run", "hover --duration 1 --out . --plot"),
    "fly": _row("fly", "hover --no-browser --port {port} --duration 4 --out .", str(HANDS), "page", "{port}"),
    "share": _row("share", "{inputs}/hover.mcap -o flight.html"),
    "autopilot": _row(
        "autopilot", "ardupilot hover --port {port} --duration 2 --out .", str(HANDS), "ardupilot", "{port}"
    ),
    "ros1": _row("ros1", "hover --messages catkin"),
    "ros2": _row("ros2", "hover --commands own --duration 2 --speed max --out ."),
    "linearize": _row("linearize", "plane_1wing --airspeed 20 --npz linear.npz"),
    "plot": _row("plot", "{inputs}/hover.mcap --out plots --csv tables"),
    "compare": _row("compare", "{inputs}/hover.mcap {inputs}/hover-2.mcap --out ."),
    "export parquet": _row("export", "{inputs}/hover.mcap --out tables"),
    "export csv": _row("export", "{inputs}/hover.mcap --format csv --out tables"),
    "export foxglove": _row("export", "{inputs}/hover.mcap --format foxglove --out scene.mcap"),
    "export rerun": _row("export", "{inputs}/hover.mcap --format rerun --out scene.rrd"),
    "export fmu": _row("export", "fmu hover --out quadcopter.position.z --file hover.fmu"),
    "sweep": _row("sweep", "{inputs}/study.yaml --processes 1 --out study"),
    "learn": _row("learn", "hover --steps 32 --worlds 2 --out learnt"),
    "tune": Row("tune", ("tune", "square", *GAINS, "--measure", "largest tilt", *SHORT, "--out", "tuned")),
    "import sdf": _row("import", "{inputs}/model.sdf --out made"),
    "import mjcf": _row("import", "{inputs}/quadcopter.xml --out made"),
    "import jsbsim": _row("import", "{inputs}/toy.xml --out made"),
    "import avl": _row("import", "{inputs}/glider.avl --out made"),
    "new vehicle": _row("new vehicle", "mine --like velma_base"),
    "new notebook": _row("new notebook", "mine"),
    "new examples": _row("new examples", ""),
    "new study": _row("new study", "mine"),
    "new controller": _row("new controller", "mine"),
}
"""By a name."""
SILENT = ("list", "replay", "verify", "serve", "joystick", "check", "trim", "identify", "bench")
"""Commands that write no file, but for the compiled code, which heals."""
AS_PLOT = ("reproduce",)
"""Its long studies draw figures, by the function that draws those of `plot`."""


def all_commands() -> set[str]:
    """What can be typed."""
    groups = {"": app, "new ": new}
    made = [(before, one) for before, group in groups.items() for one in group.registered_commands]
    return {before + str(one.name or one.callback.__name__) for before, one in made if one.callback}


def prepare(folder: Path) -> None:
    """Files that the commands read: two recordings, a study, models of others."""
    command = [sys.executable, "-m", "cupola", "run", "hover", "--duration", "1", "--out", str(folder)]
    for seed in ("1", "2"):
        subprocess.run([*command, "--seed", seed], check=True, capture_output=True)
    numbers = {"air.temperature_offset": {"values": [0.0, 1.0, 2.0]}}
    (folder / "study.yaml").write_text(json.dumps({"scenario": "hover", "duration": 0.2, "numbers": numbers}))
    shutil.copyfile(CORPUS / "sdf" / "model.sdf", folder / "model.sdf")
    shutil.copyfile(CORPUS / "jsbsim" / "toy.xml", folder / "toy.xml")
    shutil.copyfile(ROOT / "src/cupola/models/quadcopter/model.xml", folder / "quadcopter.xml")
    geometry, _, mass = (CORPUS / "avl" / "glider").read_bytes().partition(b"\n%%\n")
    (folder / "glider.avl").write_bytes(geometry)
    if mass:
        (folder / "glider.mass").write_bytes(mass)


def filled(words: tuple[str, ...], inputs: Path, port: int) -> tuple[str, ...]:
    """With the folder and the port put in."""
    return tuple(word.replace("{inputs}", str(inputs)).replace("{port}", str(port)) for word in words)


def free_port() -> int:
    """Of this machine."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


# What is left must be readable


def _recording(path: Path) -> None:
    found = Recording(path)
    for topic in found.topics:
        if topic != "/scene":
            found.named(topic, text=True)


def _picture(path: Path) -> None:
    data = path.read_bytes()
    assert data[:4] == b"\x89PNG" and b"IEND" in data[-12:]


def _ends_with(*ends: bytes) -> Callable[[Path], Any]:
    def read(path: Path) -> None:
        assert path.read_bytes().rstrip().endswith(ends)

    return read


def _parquet(path: Path) -> None:
    import pyarrow.parquet as parquet

    parquet.read_table(path)


def _archive(path: Path) -> None:
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None


def _text(path: Path) -> None:
    assert path.read_text(encoding="utf-8").endswith("\n")


def _rerun(path: Path) -> None:
    assert path.read_bytes()[:4] == b"RRF2"


READERS: dict[str, Callable[[Path], Any]] = {
    ".mcap": _recording,
    ".npz": lambda path: np.load(path)["A"],
    ".png": _picture,
    ".svg": ET.parse,
    ".csv": _text,
    ".yaml": lambda path: yaml.safe_load(path.read_text(encoding="utf-8")),
    ".xml": ET.parse,
    ".html": _ends_with(b"</html>"),
    ".parquet": _parquet,
    ".fmu": _archive,
    ".rrd": _rerun,
    ".onnx": load_policy,
    ".json": lambda path: json.loads(path.read_text(encoding="utf-8")),
    ".ipynb": lambda path: json.loads(path.read_text(encoding="utf-8")),
    ".py": lambda path: ast.parse(path.read_text(encoding="utf-8")),
    ".md": _text,
    ".msg": _text,
    ".srv": _text,
    ".txt": _text,
    ".avl": _text,
    ".mass": _text,
}
"""By ending; a file with another is a fault of this table."""


def check(folder: Path, *, whole: bool = False) -> int:
    """Read every file that has its name; returns how many there were. What is under way is hidden.

    `whole`: the command came to its end, so that no recording may be cut.
    """
    files = [path for path in folder.rglob("*") if path.is_file()]
    shown = [path for path in files if not any(part.startswith(".") for part in path.relative_to(folder).parts)]
    for path in shown:
        try:
            READERS[path.suffix](path)
            assert not whole or path.suffix != ".mcap" or Recording(path).is_complete, "it is cut"
        except Exception as error:
            raise AssertionError(f"{path.relative_to(folder)}: {type(error).__name__}: {error}") from error
    return len(shown)
