"""The original folders of Last_letter_2 as they lie: whole, repaired where they must be, flying, as those we ship."""

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
import yaml

from cupola.bridge.last_letter.folder import import_folder
from cupola.bridge.last_letter.xacro import read_robot
from cupola.bridge.sdf.folder import import_file
from cupola.config.scenario import find_scenario
from cupola.config.vehicle import MODELS, read_vehicle
from cupola.reproduce.row import data_file
from cupola.sim.world import World

HOME = "last_letter_models"
pytestmark = pytest.mark.data(f"{HOME}/param/environment.yaml")
NAMES = ("hexacopter", "plane_1wing", "plane_3wing_2motor")
MISPRINT = 0.15 / 12 * (0.5 * 0.5 + 0.01 * 0.01)
"""[kg m²] izz of the wheel base, a box of 0.15 kg, 0.01 by 0.5 m."""
AXLE = 0.015 * (0.02**2 / 12 - 0.01**2 / 4)
"""[kg m²] by which an axle of the planes differs: its shape is turned, its inertia is not."""

PROPELLER = 0.001 / 12 * (0.15**2 - 0.015**2)
"""[kg m²] by which a propeller of the hexacopter differs: it lies along its arm there, along x here."""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """All folders, imported once, without the seconds that the sticks of level flight take."""
    home, out = Path(data_file(f"{HOME}/param/environment.yaml")).parents[1], tmp_path_factory.mktemp("imports")
    return {name: import_folder(home / name, out / name, find_sticks=False) for name in NAMES}


def links_of(name: str, file: str = "model.urdf.xacro") -> dict[Any, tuple[float, Any, Any]]:
    """An independent reading of the URDF: mass, centre and inertia of every link, in the axes of the root."""
    path = Path(data_file(f"{HOME}/{name}/urdf/{file}"))
    robot: Any = read_robot(path)
    above = {child(joint): joint for joint in robot.findall("joint")}
    found = {}
    for link in robot.findall("link"):
        place, turn = np.zeros(3), np.eye(3)
        at = link.get("name")
        while at in above:
            shift, spin = origin(above[at])
            place, turn = shift + spin @ place, spin @ turn
            at = above[at].find("parent").get("link")
        inertial = link.find("inertial")
        shift, spin = origin(inertial)
        tensor = inertial.find("inertia")
        six = {key: float(tensor.get(key, 0)) for key in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")}
        own = np.array([[six["ixx"], six["ixy"], six["ixz"]], [six["ixy"], six["iyy"], six["iyz"]],
                        [six["ixz"], six["iyz"], six["izz"]]])  # fmt: skip
        axes = turn @ spin
        mass = float(inertial.find("mass").get("value"))
        found[link.get("name")] = (mass, place + turn @ shift, axes @ own @ axes.T)
    return found


def child(joint: Any) -> Any:
    return joint.find("child").get("link")


def origin(element: Any) -> tuple[Any, Any]:
    """Place and rotation matrix of an origin, by the textbook's three turns."""
    found = element.find("origin")
    text = {} if found is None else found.attrib
    x, y, z = (float(word) for word in text.get("rpy", "0 0 0").split())
    cx, cy, cz, sx, sy, sz = np.cos(x), np.cos(y), np.cos(z), np.sin(x), np.sin(y), np.sin(z)
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    return np.array([float(word) for word in text.get("xyz", "0 0 0").split()]), about_z @ about_y @ about_x


def bodies(model, root):
    """The same of a compiled model, in the axes of a root body that is not turned."""
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    found = {}
    for b in range(1, model.nbody):
        turn = data.ximat[b].reshape(3, 3)
        inertia = turn @ np.diag(model.body_inertia[b]) @ turn.T
        found[model.body(b).name] = (model.body_mass[b], data.xipos[b] - data.xpos[root], inertia)
    return found


@pytest.mark.parametrize("name", NAMES)
def test_masses_centres_and_inertias_are_those_of_the_source_or_listed(made, name):
    model = mujoco.MjModel.from_xml_path(str(made[name].folder / "model.xml"))
    ours, theirs = bodies(model, model.body("body_FLU").id), links_of(name)
    assert ours.keys() == theirs.keys()
    repaired = {row.what.split(": ")[1].removeprefix("link ") for row in made[name].report.repaired}
    assert repaired == (set() if name == "hexacopter" else {"wheel_base"})
    for link, (mass, centre, inertia) in theirs.items():
        assert ours[link][0] == pytest.approx(mass, rel=1e-12), link
        assert ours[link][1] == pytest.approx(centre, abs=1e-12), link
        if link not in repaired:
            assert ours[link][2] == pytest.approx(inertia, abs=1e-12), link


def test_what_a_drone_drops_weighs_what_its_file_says(tmp_path):
    place, file = "param/objects/can", "can_model.urdf.xacro"
    made = import_file(Path(data_file(f"{HOME}/{place}/urdf/{file}")), tmp_path / "can")
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    ours, theirs = bodies(model, 1), links_of(place, file)
    assert ours.keys() == theirs.keys() and not made.report.repaired
    for link, (mass, centre, inertia) in theirs.items():
        assert ours[link][0] == pytest.approx(mass, rel=1e-12)
        assert ours[link][1] == pytest.approx(centre, abs=1e-12)
        assert ours[link][2] == pytest.approx(inertia, abs=1e-12)


def test_the_misprint_is_mended_and_both_numbers_are_listed(made):
    (row,) = made["plane_1wing"].report.repaired
    assert float(row.was.split()[2]) == pytest.approx(2.5125e-4)
    assert float(row.now.split()[2]) == pytest.approx(MISPRINT, rel=1e-8)
    assert row.was in (made["plane_1wing"].folder / "README.md").read_text()
    model = mujoco.MjModel.from_xml_path(str(made["plane_1wing"].folder / "model.xml"))
    assert max(model.body("wheel_base").inertia) == pytest.approx(MISPRINT, rel=1e-12)


@pytest.mark.parametrize("name", NAMES)
def test_it_weighs_as_the_vehicle_that_ships(made, name):
    def whole(path, root):
        model = mujoco.MjModel.from_xml_path(str(path / "model.xml"))
        parts = bodies(model, model.body(root).id).values()
        mass = sum(part[0] for part in parts)
        centre = sum(part[0] * part[1] for part in parts) / mass
        arms = [(part[0], part[1] - centre) for part in parts]
        inertia = sum(part[2] for part in parts)
        return mass, centre, inertia + sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in arms)

    (mass, centre, inertia), shipped = whole(made[name].folder, "body_FLU"), whole(MODELS / name, "base")
    assert mass == pytest.approx(shipped[0], rel=1e-12)
    # Motors stand at -1.57 rad in the hexacopter of the source, upright in ours; axle 1 is half its height higher.
    assert centre == pytest.approx(shipped[1], abs=1e-12 if "plane_1" in name else 1e-5)
    assert inertia == pytest.approx(shipped[2], abs=2.01 * abs(AXLE) if "plane" in name else 6.01 * PROPELLER)


def test_its_parts_have_the_numbers_of_those_that_ship(made):
    pairs = {"plane_1wing": ("wing",), "plane_3wing_2motor": ("wing", "horizontal_tail", "vertical_tail")}
    for name, surfaces in pairs.items():
        ours: dict[str, Any] = read_vehicle(made[name].folder / "vehicle.yaml").parts
        theirs: dict[str, Any] = read_vehicle(MODELS / name / "vehicle.yaml").parts
        for k, surface in enumerate(surfaces):
            mine, shipped = ours[f"airfoil{k + 1}"], theirs[surface]
            assert mine.surface == shipped.surface
            assert (mine.channels, mine.deflection_max) == (shipped.channels, shipped.deflection_max)
    for name, count in (("plane_1wing", 1), ("plane_3wing_2motor", 2), ("hexacopter", 6)):
        ours, theirs = (read_vehicle(p / "vehicle.yaml").parts for p in (made[name].folder, MODELS / name))
        for k in range(1, count + 1):
            motor: Any = ours[f"motor{k}"]
            other: Any = theirs[f"motor{k}"]
            assert (motor.channel, motor.direction, motor.generic) == (other.channel, other.direction, other.generic)
            assert motor.electric is None or motor.electric._replace(j_max=0.8) == other.electric


def test_air_rates_ground_joystick_and_boxes_are_those_of_the_package(made):
    for one in made.values():
        scenario, _ = find_scenario(str(one.run))
        assert (scenario.physics_hz, scenario.gravity, scenario.start_paused, scenario.boxes) == (400, 9.81, True, 20)
        assert (scenario.air.density, scenario.air.temperature_offset) == (1.225, pytest.approx(10.0))
        # 90° counter-clockwise of x is y, which is called north here
        wind = scenario.air.wind
        assert (wind.speed, wind.from_deg, wind.height, wind.exponent) == (1.0, 0.0, 10.0, 0.28)
        assert scenario.floor.size == 2500.0 and scenario.floor.patches[0].size == (400.0, 35.0)
        joystick = yaml.safe_load((one.folder / "joystick.yaml").read_text())
        assert joystick["axes"][:7] == [0, 1, 2, 3, 4, 5, -1] and joystick["throws"][:4] == [-1.0, -1.0, -1.0, 1.0]
        assert "there is no such file" not in str(one.report.assumed)
    lost = dict(made["plane_1wing"].lost)
    (mesh,) = [why for what, why in lost.items() if what.endswith("propeller.dae")]
    assert mesh == "there is no such file"


def test_the_hexacopter_flies_on_its_law_as_the_one_that_ships(made):
    """In its own wind and at its own rate, until it hangs where the law has it; and against ours without drag."""
    one = made["hexacopter"]
    assert one.flown_by.startswith("hexacopter_pd")
    scenario, _ = find_scenario(str(one.run))
    drag_free = {f"motor{k}": {"side_force": 0.0} for k in range(1, 7)} | {"frame": {"c_drag": 0.0}}
    entry = {"model": "hexacopter", "name": "hexacopter", "parts": drag_free, "position": (0.0, 0.0, 1.0)}
    ends = []
    for world in (World(scenario), World(scenario.with_(vehicles=(entry,)))):
        world.run(8.0)
        ends.append(world.motion().pos_w)
        world.sticks([0.1, 0.1, 0.0, -0.8])
        world.run(1.0)
        ends.append(world.motion().pos_w)
    assert ends[0].z == pytest.approx(5.0 - 2.58, abs=0.02)  # the law has no integral: specification 5.3
    assert ends[0] == pytest.approx(ends[2], abs=2e-3)  # its motors lean by 0.0008 rad
    assert ends[1] == pytest.approx(ends[3], abs=5e-3)
    assert ends[1].z > 2.0


@pytest.mark.parametrize("name", ["plane_1wing", "plane_3wing_2motor"])
def test_a_plane_flies_as_the_one_that_ships(made, name):
    scenario, _ = find_scenario(str(made[name].run))
    ends = []
    for model in (str(made[name].folder), name):
        entry = {"model": model, "name": "it", "position": (0.0, 0.0, 50.0), "velocity_b": (20.0, 0.0, 0.0)}
        if "3wing" in name:  # the range of its propellers' polynomials is ours to choose: 0.8 there, 0.811 here
            entry["parts"] = {f"motor{k}": {"j_max": 0.8} for k in (1, 2)}
        world = World(scenario.with_(vehicles=(entry,)))
        world.sticks([0.05, 0.6, -0.05, 0.2])
        world.run(3.0)
        ends.append([*world.motion().pos_w, *world.motion().quat_wb])
    # The fin of the twin stands at 1.57 rad there, upright here: its moment of 0.1 N m pitches by 8e-4 of itself.
    assert ends[0] == pytest.approx(ends[1], abs=2e-4 if name == "plane_1wing" else 5e-3)
    assert ends[0][0] > 40.0


def test_its_world_is_a_place_to_fly_in(tmp_path):
    world = Path(data_file(f"{HOME}/param/worlds/myworld.world"))
    made = import_file(world, tmp_path / "place")
    assert made.what == "myworld, a place to fly in: a floor, 0 obstacles"
    flown = World(find_scenario(str(made.run))[0], folder=made.folder)
    assert flown.scenario.floor is not None and flown.scenario.floor.patches[0].size == (400.0, 35.0)
    flown.run(3.0)
    assert flown.motion().pos_w.z > 1.5
    assert "our quadcopter flies in it" in dict(made.report.assumed)["vehicle"]


def test_a_plane_takes_off_in_its_air_by_its_own_sticks_and_holds_its_height_assisted(tmp_path):
    """Three commands: download, import, run. What `cupola run scenario.yaml` does, without its window."""
    home = Path(data_file(f"{HOME}/param/environment.yaml")).parents[1]
    made = import_folder(home / "plane_1wing", tmp_path / "plane")
    assert "fly level at 23.4 m/s" in made.flown_by
    world = World(find_scenario(str(made.run))[0], folder=made.folder)
    world.run(40.0)
    assert world.motion().pos_w.z > 25.0
    assert abs(world.motion().vel_w.z) < 2.0
    flown = {"model": str(made.folder), "name": "it", "mode": "assisted"}
    start = {"position": (0.0, 0.0, 50.0), "velocity_b": (23.4, 0.0, 0.0)}
    world = World(find_scenario(str(made.run))[0].with_(vehicles=({**flown, **start},)))
    world.run(15.0)
    assert world.motion().pos_w.z == pytest.approx(50.0, abs=0.5)
    assert world.motion().pos_w.y == pytest.approx(0.0, abs=1.0)  # in 1.6 m/s of wind from the side
