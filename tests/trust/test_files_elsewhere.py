"""What a stranger's file takes from the user's own folders into a recording, or into an imported vehicle, is named."""

import importlib
import json
import logging
import shutil

import pytest

from cupola.config.vehicle import Vehicle
from cupola.record.held_files import files_of
from cupola.sim.world import load

MODEL = """<mujoco><include file="%(include)s"/>
<asset><hfield name="hill" file="%(hill)s" size="1 1 1 0.1"/></asset>
<worldbody><geom type="hfield" hfield="hill" pos="0 0 -20"/>
<body name="base"><freejoint/><geom size="0.1"/><site name="wing"/></body></worldbody></mujoco>"""
WING = {"kind": "airfoil", "site": "wing", "model": "curves", "channels": [0, 1, 2], "deflection_max": [0.1, 0.1, 0.1]}
WING |= {"surface": {"area": 0.4, "span": 1.9, "chord": 0.2}}
CURVE = "break,a,b,c,d\n-1.6,0,0,0,0.1\n1.6,,,,\n"
FIELD = "x,y,z,u,v,w\n" + "".join(f"{x},{y},{z},1,0,0\n" for x in (0, 9) for y in (0, 9) for z in (0, 9))
FILES = {
    "include": ("kept.xml", "<mujoco><option timestep='0.002'/></mujoco>"),
    "hill": ("hill.txt", None),
    "lift": ("lift.csv", CURVE),
    "drag": ("drag.csv", CURVE),
    "route": ("way.csv", "duration,vx,vy,wz\n1,0,0,0\n"),
    "field": ("wind.csv", FIELD),
}


def _write(tmp_path, secret):
    """A scenario that takes file `secret` from the user's folder, and all others from its own."""
    theirs, mine = tmp_path / "theirs", tmp_path / "mine"
    places = {}
    for key, (name, text) in FILES.items():
        folder = mine if key == secret else theirs / "ship"
        folder.mkdir(parents=True, exist_ok=True)
        if text is None:
            numbers = b"".join(n.to_bytes(4, "little") for n in (2, 2)) + bytes(16)
            name = name.replace(".txt", ".bin")
            (folder / name).write_bytes(numbers)
        else:
            (folder / name).write_text(text)
        places[key] = str(folder / name)
    (theirs / "ship" / "model.xml").write_text(MODEL % places)
    wing = WING | {key: {"file": places[key]} for key in ("lift", "drag")}
    vehicle = {"mjcf": "model.xml", "root": "base", "parts": {"wing": wing}}
    controller = {"use": "pass_through", "rate_hz": 100, "route": places["route"]}
    (theirs / "ship" / "vehicle.yaml").write_text(json.dumps(vehicle | {"controller": controller, "about": "a ship"}))
    scenario = {"vehicles": [{"model": "ship"}], "air": {"wind": {"field": places["field"]}}}
    (theirs / "scenario.yaml").write_text(json.dumps(scenario))
    return theirs / "scenario.yaml", places.get(secret)


@pytest.mark.parametrize("secret", [None, *FILES])
def test_a_recording_names_the_files_from_elsewhere_that_it_holds(tmp_path, caplog, secret):
    path, taken = _write(tmp_path, secret)
    world = load(str(path))
    with caplog.at_level(logging.WARNING, "cupola"):
        files_of(world)
    said = [record.getMessage() for record in caplog.records if "whoever gets it" in record.getMessage()]
    if taken is None:
        assert not said
    else:
        assert len(said) == 1 and said[0].endswith(f"read them: {taken}")


OWN = """import cupola
from beside import RATE
class Own(cupola.Controller):
    def step(self, obs, ref):
        return [0.0]
"""


@pytest.mark.parametrize("since", ["changed", "gone"])
def test_a_recording_holds_what_was_read_and_not_what_lies_there_since(tmp_path, since):
    """A file may be edited while a world waits: what it flies with was read when it was loaded."""
    path, _ = _write(tmp_path, None)
    ship = tmp_path / "theirs" / "ship"
    (ship / "own.py").write_text(OWN)
    (ship / "beside.py").write_text("RATE = 1\n")
    vehicle = json.loads((ship / "vehicle.yaml").read_text())
    (ship / "vehicle.yaml").write_text(json.dumps(vehicle | {"assisted": {"use": "own.py:Own"}}))
    at_once, later = (load(str(path), trust=True) for _ in range(2))
    wanted = files_of(at_once)
    read = [one for one in ship.iterdir() if one.is_file()]  # and what Python compiled
    assert len(read) == len(FILES) + 4
    for file in read:
        if since == "gone":
            file.unlink()
        else:
            file.write_bytes(file.read_bytes() + b" \n")
    if since == "gone":
        shutil.rmtree(ship)
    assert files_of(later) == wanted


GIVEN = {
    "controller": """from cupola import Controller
class Mine(Controller):
    def step(self, obs, ref):
        return [GAIN] * 4
GAIN = 0.1
""",
    "part": """from cupola import Load, Vector, Wrench
class Mine(Load):
    def step(self, motion, density, drive):
        return Wrench(Vector(GAIN, 0.0, 0.0), Vector(0.0, 0.0, 0.0))
GAIN = 0.1
""",
}


@pytest.mark.parametrize("since", ["changed", "gone"])
@pytest.mark.parametrize("way", ["class", "instance", "a class made of it", "part"])
def test_a_class_in_python_is_recorded_as_it_was_when_it_was_imported(tmp_path, monkeypatch, way, since):
    """What its file says when the world is loaded, or when the recording begins, is not what flies."""
    module = f"given_{way.replace(' ', '_')}_{since}"
    file, text = tmp_path / f"{module}.py", GIVEN["part" if way == "part" else "controller"]
    file.write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    cls = importlib.import_module(module).Mine
    if since == "gone":
        file.unlink()
    else:
        file.write_text(text.replace("0.1", "0.9"))
    if way == "part":
        vehicle = Vehicle.load("quadcopter").with_({"parts.pushed": cls(site="motor1")})
        world = load("hover", vehicles={"quadcopter": vehicle})
    else:
        own = type("Own", (cls,), {"__module__": __name__}) if way.startswith("a class") else cls
        world = load("hover", controllers={"quadcopter": own() if way == "instance" else own})
    held = files_of(world)
    (code,) = [one for one in json.loads(held["files.json"])["code"] if one["file"] == str(file)]
    assert held[code["attachment"]].decode() == text


INERTIA = "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
SHOWN = "<visual name='v'><geometry><mesh>{}</mesh></geometry></visual>"
STRANGERS = {
    "model.sdf": "<sdf version='1.9'><model name='m'><link name='base'>"
    + INERTIA
    + SHOWN.format("<uri>{uri}</uri>")
    + "</link></model></sdf>",
    "model.urdf": "<robot name='m'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/>"
    "</inertial><visual><geometry><mesh filename='{uri}'/></geometry></visual></link></robot>",
    "model.xml": "<mujoco><asset><mesh name='m' file='{path}'/></asset><worldbody><body name='base'><freejoint/>"
    "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>",
}
MESH = "".join(f"v {x} {y} {z}\n" for x, y, z in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)))
MESH += "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.mark.parametrize("way", ["its own", "absolute", "above", "link"])
@pytest.mark.parametrize("name", STRANGERS)
def test_an_import_names_the_files_from_elsewhere_that_it_copies(tmp_path, cupola, name, way):
    theirs, mine = tmp_path / "theirs", tmp_path / "mine"
    theirs.mkdir(), mine.mkdir()
    place = (theirs if way == "its own" else mine) / "shape.obj"
    place.write_text(MESH)
    named = {"absolute": str(place), "above": "../mine/shape.obj"}.get(way, "shape.obj")
    if way == "link":
        (theirs / "shape.obj").symlink_to(place)
    uri = f"file://{named}" if way == "absolute" else named
    (theirs / name).write_text(STRANGERS[name].format(uri=uri, path=named))
    answer = cupola("import", f"theirs/{name}", "--out", "made")
    assert answer.code == 0, answer.err
    said = [line for line in answer.err.splitlines() if "whoever gets that can read them" in line]
    assert [line.endswith(f"read them: {place}") for line in said] == [True] * (way != "its own")
    assert ("whoever gets that" in (tmp_path / "made" / "README.md").read_text()) == (way != "its own")
