"""`cupola new`: what it writes works at once, and nothing is overwritten."""

import subprocess
import sys
from pathlib import Path

import pytest


def test_a_new_vehicle_flies_to_its_waypoint(cupola):
    answer = cupola("new", "vehicle", "bee", "--dir", "hive")
    assert answer.code == 0
    assert sorted(path.name for path in Path("hive/bee").iterdir()) == ["README.md", "model.xml", "vehicle.yaml"]
    assert "$" not in "".join(path.read_text(encoding="utf-8") for path in Path("hive/bee").iterdir())
    command = answer.out.splitlines()[-1].removeprefix("now type: cupola ").split()
    assert command == ["run", "hive/bee/vehicle.yaml"]
    flight = cupola(*command, "--json").json["vehicles"]["bee"]
    assert flight["end"] == pytest.approx([0.0, 0.0, 1.5], abs=0.1)
    assert flight["distance"] > 4.0


def test_a_heavier_vehicle_still_flies(cupola):
    cupola("new", "vehicle", "bee")
    model = Path("bee/model.xml")
    model.write_text(model.read_text().replace('mass="0.4"', 'mass="0.8"'))
    assert cupola("check", "bee", "--json").json["vehicles"]["bee"]["mass"] == pytest.approx(1.2)
    assert cupola("run", "bee", "--json").json["vehicles"]["bee"]["end"][2] == pytest.approx(1.5, abs=0.1)


def test_a_new_controller_holds_its_height(cupola):
    answer = cupola("new", "controller", "my_hover", "--json")
    assert answer.json["files"] == ["my_hover.py"]
    words = answer.json["next"].split()[1:]
    assert words == ["run", "quadcopter", "--controller", "my_hover.py:MyHover"]
    flight = cupola(*words, "--param", "height=3", "--json").json["vehicles"]["quadcopter"]
    assert flight["end"] == pytest.approx([0.0, 0.0, 3.0], abs=0.02)


def test_a_new_controller_is_tidy(cupola):
    cupola("new", "controller", "mine")
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--isolated", "mine.py"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("kind", "path"), [("vehicle", "bee/model.xml"), ("controller", "bee.py")])
def test_nothing_is_overwritten(cupola, kind, path):
    assert cupola("new", kind, "bee").code == 0
    Path(path).write_text("mine")
    answer = cupola("new", kind, "bee")
    assert answer.code == 2
    assert "exists already" in answer.err
    assert Path(path).read_text() == "mine"
