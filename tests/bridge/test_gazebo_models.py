"""Models and worlds of Gazebo and PX4, as they lie in their repositories: read, measured by hand, flown."""

import json
import math
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import mujoco
import numpy as np
import pytest
import yaml

import cupola
from cupola.bridge.report import Report
from cupola.bridge.sdf.document import model_of
from cupola.bridge.sdf.folder import import_file
from cupola.cli.commands import app
from cupola.physics.rotation import euler_from_quaternion
from cupola.reproduce.row import data_file

pytestmark = pytest.mark.data("gazebo_models/README.md", "gazebo_cessna/README.md")
SOURCES = {
    "iris": "gazebo_models/iris",
    "plane": "gazebo_models/plane",
    "standard_vtol": "gazebo_models/standard_vtol",
    "plane_demo": "gazebo_models/plane_demo.world",
    "lift_drag_demo": "gazebo_models/lift_drag_demo.world",
    "cessna": "gazebo_cessna/cessna",
    "cessna_demo": "gazebo_cessna/cessna_demo.world",
}


def source_of(name):
    path = Path(data_file("gazebo_models/README.md")).parents[1] / SOURCES[name]
    return model_of(path, Report()) if path.is_dir() else path


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Import an original once; by name."""
    folder, found = tmp_path_factory.mktemp("gazebo"), {}

    def bring(name):
        if name not in found:
            found[name] = import_file(source_of(name), folder / name)
        return found[name]

    return bring


def numbers(text):
    return [float(re.match(r"[-+.\deE]*\d", word)[0]) for word in text.split()]


def frame(pose):
    """Matrix of x y z roll pitch yaw."""
    x, y, z, r, p, w = numbers(pose) if pose and pose.strip() else [0.0] * 6
    cr, sr, cp, sp, cw, sw = (f(a) for a in (r, p, w) for f in (math.cos, math.sin))
    made = np.eye(4)
    made[:3, :3] = [
        [cw * cp, cw * sp * sr - sw * cr, cw * sp * cr + sw * sr],
        [sw * cp, sw * sp * sr + cw * cr, sw * sp * cr - cw * sr],
        [-sp, cp * sr, cp * cr],
    ]
    made[:3, 3] = x, y, z
    return made


def read_by_hand(path):
    """Of each link: mass, centre, tensor about it and pose, in the model's frame; by the rules of SDF alone."""
    root = ET.parse(path).getroot()
    models = root.findall("model") or root.findall("world/model")
    if "cessna_demo" in path.name:
        models = ET.parse(path.parent / "cessna" / "model.sdf").getroot().findall("model")
    (model,) = [m for m in models if (m.findtext("static") or "0").strip() not in ("true", "1")]
    found = {}
    for link in model.findall("link"):
        pose, inertial = frame(link.findtext("pose")), link.find("inertial")
        if inertial is None:
            continue
        i = {key: float(inertial.findtext(f"inertia/i{key}", "0")) for key in ("xx", "yy", "zz", "xy", "xz", "yz")}
        tensor = np.array([[i["xx"], i["xy"], i["xz"]], [i["xy"], i["yy"], i["yz"]], [i["xz"], i["yz"], i["zz"]]])
        at = pose @ frame(inertial.findtext("pose"))
        turned = at[:3, :3] @ tensor @ at[:3, :3].T
        found[link.get("name")] = float(inertial.findtext("mass", "")), at[:3, 3], turned, pose
    return found


@pytest.mark.parametrize("name", SOURCES)
def test_masses_centres_inertias_and_poses_are_those_of_the_file(made, name):
    """In the axes of the root link, so that it does not matter where a world puts the model."""
    folder, by_hand = made(name).folder, read_by_hand(source_of(name))
    model = mujoco.MjModel.from_xml_path(str(folder / "model.xml"))
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    assert not any("inertia" in row.what or "mass" in row.what for row in made(name).report.repaired)
    names = [model.body(k).name for k in range(1, model.nbody)]
    lost = " ".join(what for what, _ in made(name).lost)
    assert all(f"link {link}" in lost for link in by_hand if link not in names)  # no joint leads to them
    assert set(names) <= set(by_hand) and len(names) >= 6
    root = model.body(names[0]).id
    origin, axes = data.xpos[root], data.xmat[root].reshape(3, 3)
    place, turn = by_hand[names[0]][3][:3, 3], by_hand[names[0]][3][:3, :3]
    for link in names:
        (mass, centre, tensor, pose), body = by_hand[link], model.body(link).id
        assert model.body_mass[body] == pytest.approx(mass, rel=1e-12)
        far = 1e-12 * max(1.0, np.abs(centre).max())
        pairs = ((data.xipos[body], centre), (data.xpos[body], pose[:3, 3]))
        for ours, theirs in pairs:
            np.testing.assert_allclose(axes.T @ (ours - origin), turn.T @ (theirs - place), rtol=0, atol=far)
        ours = axes.T @ data.xmat[body].reshape(3, 3)
        np.testing.assert_allclose(ours, turn.T @ pose[:3, :3], rtol=0, atol=1e-12)
        principal = axes.T @ data.ximat[body].reshape(3, 3)
        ours = principal @ np.diag(model.body_inertia[body]) @ principal.T
        large = 1e-12 * max(1.0, np.abs(tensor).max())
        np.testing.assert_allclose(ours, turn.T @ tensor @ turn, rtol=0, atol=large)


def test_an_imported_iris_hovers(made):
    iris = made("iris")
    assert "multirotor_geometric" in iris.flown_by and iris.what.startswith("iris, a multirotor of 1.535 kg")
    world = cupola.load(iris.run)
    world.run(12.0)
    here = world.motion()
    assert abs(here.pos_w.z - 2.0) < 0.05 and math.hypot(here.pos_w.x, here.pos_w.y) < 0.05
    assert max(map(abs, here.vel_w)) < 0.02


def test_an_imported_standard_vtol_hovers(made):
    vtol = made("standard_vtol")
    world = cupola.load(vtol.run)
    world.run(12.0)
    here = world.motion()
    assert abs(here.pos_w.z - 2.246) < 0.05 and max(map(abs, here.vel_w)) < 0.02
    (row,) = vtol.report.repaired  # the file's own misprint
    assert (row.was, row.now) == ("0.0.", "0.0") and "rudder_lift/cma" in row.what


def test_an_imported_plane_flies_level(made):
    plane = made("plane")
    assert "plane_hold" in plane.flown_by and plane.run.name == "scenario.yaml"
    world = cupola.load(plane.run)
    world.run(20.0)
    here = world.motion()
    roll, pitch, _ = euler_from_quaternion(here.quat_wb)
    assert abs(here.pos_w.z - 100.0) < 0.5 and abs(here.vel_w.z) < 0.05
    assert abs(roll) < 0.02 and abs(pitch) < 0.1 and here.pos_w.x > 150.0
    assert abs(np.asarray(world.signal("plane.controller.airspeed_error")).item()) < 0.2


def test_px4s_liftdrag_is_never_taken_for_gazebos(made):
    modes = {
        name: {part["mode"] for part in parts_of(made(name)).values() if part["kind"] == "liftdrag"}
        for name in ("plane", "standard_vtol", "plane_demo", "lift_drag_demo", "cessna_demo")
    }
    assert modes["plane"] == modes["standard_vtol"] == {"px4"}
    assert modes["plane_demo"] == modes["lift_drag_demo"] == modes["cessna_demo"] == {"faithful"}
    assert any("px4's" in taken for _, taken in made("plane").report.assumed)


def parts_of(imported):
    return yaml.safe_load((imported.folder / "vehicle.yaml").read_text())["parts"]


def test_the_world_of_the_old_format_keeps_its_gravity_and_its_built_in_models(made):
    for name in ("plane_demo", "lift_drag_demo"):
        scenario = yaml.safe_load((made(name).folder / "scenario.yaml").read_text())
        assert scenario["gravity"] == 10.0 and scenario["floor"] is not None
    assumed = dict(made("lift_drag_demo").report.assumed)
    assert {"model://sun", "model://ground_plane"} <= set(assumed)


def test_the_demo_of_blades_stands_until_a_hand_turns_them_and_then_lifts_off(made):
    flown: Any = cupola.load(str(made("lift_drag_demo").folder / "scenario.yaml"))
    flown.run(0.5)
    name = flown.instances[0].name
    assert flown.motion().pos_w.z == pytest.approx(0.5, abs=1e-3)
    assert any("until stick channel 0 is moved" in said for said in made("lift_drag_demo").warnings)
    flown.sticks([1.0])
    flown.run(5.0)
    one, two = (flown.signal(f"{name}.rod_{k}_joint.velocity") for k in (1, 2))
    assert one == pytest.approx(two, rel=1e-3) and one > 200.0  # about -z and z: against each other
    assert flown.motion().pos_w.z > 1.0


def test_models_that_are_not_found_are_named_and_so_are_their_joints(made):
    lost = dict(made("plane").lost)
    for name in ("gps", "airspeed"):
        assert any(f"model://{name}" in what for what in lost)
        assert any(f"joint {name}_joint" in what for what in lost)


def test_control_joints_have_servos_and_sensors_are_parts(made):
    parts = parts_of(made("plane"))
    kinds = [part["kind"] for part in parts.values()]
    assert kinds.count("servo") == 6 and {"imu", "barometer", "magnetometer"} <= set(kinds)
    channels = {name: part["channel"] for name, part in parts.items() if part["kind"] == "servo"}
    assert channels["left_elevon_joint_servo"] == channels["right_elevon_joint_servo"] == 0
    assert channels["elevator_joint_servo"] == 1 and channels["rudder_joint_servo"] == 2


def test_plane_demo_flies_by_its_keys(made):
    demo = made("plane_demo")
    assert demo.by_hand and demo.lines()[-1][1].endswith("--keyboard")
    world = cupola.load(demo.run)
    keys = world.instances[0].vehicle.channel_mix.keys
    assert set(keys) == set("wsdakjeqc")

    def press(key):
        world.sticks([1.0 if channel == keys[key] else 0.0 for channel in range(20)])
        world.run(0.05)
        world.sticks([0.0] * 20)
        world.run(0.5)

    for _ in range(9):
        press("w")
    assert world.command()[0] == -400.0
    press("s")
    assert world.command()[0] == -350.0
    press("a")  # both wings by 0.02, whose axes are opposite
    assert world.command()[1:3].tolist() == [0.02, 0.02]
    press("c")
    assert world.command()[:5].tolist() == [-350.0, 0.0, 0.0, 0.0, 0.0]  # the thruster stays
    press("w")
    world.run(11.0)
    for _ in range(2):
        press("j")
    world.run(3.0)
    here = world.motion()
    assert here.pos_w.x < -150.0 and here.pos_w.z > 10.0  # forward is -x; it stood at 1.5 m


def test_the_command_says_five_lines_and_the_report_is_data(tmp_path, capsys):
    app([str(word) for word in ("import", source_of("iris").parent, "-o", tmp_path / "iris")], standalone_mode=False)
    said = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in said] == ["it is", "flown by", "repaired", "lost", "now type"]
    assert said[-1].endswith(f"cupola run {tmp_path / 'iris' / 'vehicle.yaml'}")
    report = json.loads((tmp_path / "iris" / "import.json").read_text())
    assert {"repaired", "not_carried_over", "assumed", "looks_wrong", "what", "flown_by"} <= set(report)
    assert [path.name for path in tmp_path.iterdir()] == ["iris"]
