"""`cupola new`: what it writes works at once, and nothing is overwritten."""

import json
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import mujoco
import pytest

from cupola import load
from cupola.config.vehicle import Vehicle


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


@pytest.mark.parametrize(
    ("like", "shipped"),
    [*((name, name) for name in ("velma_base", "quadcopter_x", "cepheus", "vtol")), ("bird", "robird")],
)
def test_a_copy_of_a_shipped_vehicle_is_whole(cupola, like, shipped):
    answer = cupola("new", "vehicle", "mini", "--like", like, "--json")
    assert answer.code == 0 and "mini/vehicle.yaml" in answer.json["files"]
    made = Vehicle.load("mini")
    same = [one.model_dump(exclude={"mjcf"}, serialize_as_any=True) for one in (made, Vehicle.load(shipped))]
    assert same[0] == same[1] and (Path("mini") / made.mjcf).is_file()
    mujoco.MjSpec.from_file(str(Path("mini") / made.mjcf)).compile()
    assert "../" not in Path("mini/vehicle.yaml").read_text(encoding="utf-8")
    assert Path("mini/README.md").read_text(encoding="utf-8").startswith("# mini\n\nBegun as a copy of")
    assert "exists already" in cupola("new", "vehicle", "mini", "--like", like).err


def test_a_new_coaxial_flies_to_its_waypoint(cupola):
    assert cupola("new", "vehicle", "pairs", "--like", "coaxial").code == 0
    checked = cupola("check", "pairs", "--json").json["vehicles"]["pairs"]
    assert checked["mass"] == pytest.approx(1.58)
    flight = cupola("run", "pairs", "--json").json["vehicles"]["pairs"]
    assert flight["end"] == pytest.approx([0.0, 0.0, 1.5], abs=0.1)
    assert flight["distance"] > 4.0


def test_a_new_flying_wing_holds_its_height_and_its_speed_and_turns(cupola):
    assert cupola("new", "vehicle", "zagi", "--like", "flying wing").code == 0
    assert "$" not in "".join(path.read_text(encoding="utf-8") for path in Path("zagi").iterdir())
    world = load("zagi")
    world.run(15.0)
    assert world.motion().pos_w.z == pytest.approx(50.0, abs=0.5)
    assert world.motion().vel_w.x == pytest.approx(16.0, abs=0.3)
    world.sticks([0.5, 0, 0, 0])
    world.run(5.0)
    assert world.motion().vel_w.y < -5.0  # right
    assert abs(world.motion().pos_w.z - 50.0) < 1.5


def test_the_examples_are_copied_and_lie_in_the_wheel(cupola):
    answer = cupola("new", "examples", "--json")
    assert answer.code == 0 and answer.json["next"] == "python examples/fly_square.py"
    assert {"examples/fly_square.py", "examples/notebooks/first_flight.ipynb"} <= set(answer.json["files"])
    home = Path(__file__).parents[2] / "examples"
    assert Path("examples/fly_square.py").read_bytes() == (home / "fly_square.py").read_bytes()
    assert "exists already" in cupola("new", "examples").err
    told = tomllib.loads((home.parent / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = told["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["force-include"]["examples"] == "cupola/examples"  # where the command looks for them


def test_what_is_not_there_cannot_be_copied(cupola):
    answer = cupola("new", "vehicle", "mini", "--like", "velma")
    assert answer.code == 2 and "there are: base, arm" in answer.err and "velma_base" in answer.err
    assert not Path("mini").exists()


def test_a_new_notebook_and_a_new_study_run(cupola):
    assert cupola("new", "notebook", "mine").code == 0 and cupola("new", "study", "gains").code == 0
    cells = json.loads(Path("mine.ipynb").read_text(encoding="utf-8"))["cells"]
    code = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    exec(compile(code, "mine.ipynb", "exec"), {"__name__": "__main__"})
    assert Path("mine.mcap").is_file()
    space = runpy.run_path("gains.py")
    assert 0.0 < space["fly"](1.0) < 1.0
