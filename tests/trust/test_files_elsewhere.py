"""What a stranger's scenario takes from the user's own folders into a recording is named."""

import json
import logging

import pytest

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
