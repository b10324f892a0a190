"""Importing a model folder of Last_letter_2: the plane comes out as the one that ships, nothing is lost in silence."""

import json
from typing import Any
from xml.etree import ElementTree as ET

import mujoco
import numpy as np
import pytest
import yaml

import cupola
from cupola.bridge.last_letter.folder import import_folder
from cupola.bridge.report import Report
from cupola.bridge.sdf.build import Builder
from cupola.bridge.sdf.meshes import Meshes
from cupola.bridge.sdf.urdf import read_urdf
from cupola.cli import main
from cupola.cli.commands import app
from cupola.config.scenario import Scenario, find_scenario
from cupola.config.vehicle import MODELS, read_vehicle
from cupola.schema.yaml_files import InputError
from cupola.schema.yaml_files import read as read_yaml
from cupola.sim.world import World
from cupola.teleop.hid import HidMap

POLYNOMIALS = {
    "nCoeffPoly": {"polyType": 0, "polyNo": 4, "coeffs": [0.0, 3.19, -12.15, 27.83, -21.82]},
    "powerPoly": {"polyType": 0, "polyNo": 3, "coeffs": [0.0661, -0.1647, 0.2958, -0.2355]},
}
# What pinocchio.ccrba gives for the robot of test_inertial_rotation_and_products_are_kept on a free flyer.
PINOCCHIO_CENTRE = [0.31883933334669196, -0.14684627686870477, 0.0932676196074146]
PINOCCHIO_INERTIA = [
    [0.543710569648505, -0.09232050977816178, 0.19731127233593662],
    [-0.09232050977816178, 0.9126753680713435, 0.003974262220401613],
    [0.19731127233593662, 0.003974262220401613, 0.6950650527416826],
]
ELECTRIC = {"motorType": 2, "rotationDir": -1.0, "input_chan": 3, "maxThrust": 138, "Kv": 13.333, "Rm": 0.041}
ELECTRIC |= {"I0": 0.9, "RadPSLimits": [0.01, 1000.0], "engInertia": 0.008}


def whole(model, root):
    """Mass, centre of mass and inertia about it of everything below `root`, in the axes of the world."""
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    bodies = [b for b in range(model.nbody) if root == b or root in ancestors(model, b)]
    mass = sum(model.body_mass[b] for b in bodies)
    centre = sum(model.body_mass[b] * data.xipos[b] for b in bodies) / mass
    inertia = np.zeros((3, 3))
    for b in bodies:
        turn, arm = data.ximat[b].reshape(3, 3), data.xipos[b] - centre
        inertia += turn @ np.diag(model.body_inertia[b]) @ turn.T
        inertia += model.body_mass[b] * (arm @ arm * np.eye(3) - np.outer(arm, arm))
    return mass, centre, inertia


def read(folder, target):
    """Import without asking where the sticks of level flight are, which takes seconds."""
    return import_folder(folder, target, find_sticks=False)


def ancestors(model, body):
    while body:
        body = model.body_parentid[body]
        yield body


def test_mass_centre_and_inertia_are_those_of_the_plane_that_ships(model_folder, tmp_path):
    made = read(model_folder(), tmp_path / "ours")
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    mass, centre, inertia = whole(model, model.body("body_FLU").id)
    # The shipped model computes the same from shapes; derived values of the thesis's specification, B.2.
    shipped = mujoco.MjModel.from_xml_path(str(MODELS / "plane_1wing" / "model.xml"))
    mass_s, centre_s, inertia_s = whole(shipped, shipped.body("base").id)
    assert mass == pytest.approx(3.42, rel=1e-12)
    assert centre == pytest.approx([0.109, 0.0, -0.027], abs=5e-4)
    assert mass == pytest.approx(mass_s, rel=1e-12)
    assert centre == pytest.approx(centre_s, abs=1e-12)
    assert inertia == pytest.approx(inertia_s, abs=1e-12)


def test_numbers_channels_and_start(model_folder, tmp_path):
    init = {"position": [1, 2, 3], "orientation": [0.1, 0, -0.2], "velLin": [10.0, 0, 0], "velAng": [0, 0, 0.5]}
    made = read(model_folder(init=init), tmp_path / "ours")
    vehicle, shipped = read_vehicle(made.folder / "vehicle.yaml"), read_vehicle(MODELS / "plane_1wing" / "vehicle.yaml")
    wing: Any = vehicle.parts["airfoil1"]
    motor: Any = vehicle.parts["motor1"]
    theirs: dict[str, Any] = shipped.parts
    assert wing.surface == theirs["wing"].surface
    assert (wing.model, wing.channels, wing.deflection_max) == ("linear", (0, 1, 2), (0.3491, 0.3491, 0.3491))
    assert motor.generic == theirs["motor1"].generic
    assert (motor.channel, motor.direction) == (3, 1)
    assert vehicle.channel_mix == shipped.channel_mix
    assert vehicle.start.position == (1, 2, 3)
    assert vehicle.start.attitude_deg == pytest.approx((np.degrees(0.1), 0, np.degrees(-0.2)))
    assert (vehicle.start.velocity_b, vehicle.start.rate_b) == ((10, 0, 0), (0, 0, 0.5))


def test_the_import_flies_as_the_plane_that_ships(model_folder, tmp_path):
    made = read(model_folder(), tmp_path / "ours")
    ends = []
    for model in ({"model": str(made.folder)}, {"model": "plane_1wing"}):
        entry = {**model, "position": [0, 0, 50], "velocity_b": [19, 0, 0]}
        world = World(Scenario.model_validate_json(json.dumps({"vehicles": [entry], "floor": None})))
        world.sticks([0.1, 0.9, -0.05, 0.2])
        world.run(2.0)
        ends.append([*world.motion().pos_w, *world.motion().quat_wb])
    assert ends[0] == pytest.approx(ends[1], abs=1e-8)
    assert ends[0][0] > 30


def test_from_the_command_line(model_folder, tmp_path, monkeypatch, capsys):
    source = model_folder()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    for words in (
        ("import", str(source), "--out", "here/plane"),
        ("run", "here/plane", "--duration", "1"),
    ):
        with pytest.raises(SystemExit) as exit_:
            main(words)
        assert exit_.value.code == 0, capsys.readouterr().err
    assert "not carried over" in capsys.readouterr().err
    assert (tmp_path / "out" / "plane.mcap").is_file()
    readme = (tmp_path / "here" / "plane" / "README.md").read_text()
    assert "Mass 3.4200 kg" in readme
    with pytest.raises(SystemExit):
        main(("import", str(source), "--out", "here/other", "--json"))
    assert json.loads(capsys.readouterr().out)["made"] == "here/other"


def test_everything_lost_is_listed(model_folder, tmp_path):
    aero = {"nWings": 0, "comment": "fast"}
    mix = {"channels": {"roll_in_chan": 0, "flaps_chan": 9}}
    folder = model_folder(aerodynamics=aero, channel_mix=mix)
    (folder / "notes.txt").write_text("x")
    made = read(folder, tmp_path / "ours")
    lost = dict(made.lost)
    assert "aerodynamics.yaml: comment = fast" in lost
    assert "channel_mix.yaml: flaps_chan = 9" in lost
    assert lost["notes.txt"] == "not read"
    assert "libmodel_plugin.so" in lost["model.urdf.xacro: plugin model_plugin"]
    assert "no such file" in lost["model.urdf.xacro: link rear_wheel/visual: mesh package://wheel.dae"]
    taken = dict(made.report.assumed)
    assert taken["joints motor1_to_axle1"].startswith("fixed")
    assert "body_FLU_to_airfoil1" in next(what for what in taken if what.startswith("joints without a range"))
    for name in ("environment.yaml", "updatePhysics.yaml", "HID.yaml", "worlds"):
        assert "not found" in taken[name] or "no world" in taken[name]


def test_inertial_rotation_and_products_are_kept(tmp_path):
    """Against MuJoCo's own URDF reader and Pinocchio 4.1.0, which keep both too."""
    robot = """<robot name="r">
      <link name="body_FLU"><inertial><origin xyz="0.1 -0.2 0.3" rpy="0.4 -0.5 0.6"/><mass value="2"/>
        <inertia ixx="0.2" iyy="0.3" izz="0.4" ixy="0.02" ixz="-0.03" iyz="0.01"/></inertial></link>
      <link name="arm"><inertial><origin xyz="0.3 0 0.1" rpy="1.1 0.2 -2.0"/><mass value="1"/>
        <inertia ixx="0.02" iyy="0.05" izz="0.06" ixy="-0.004" ixz="0.003" iyz="0.002"/></inertial></link>
      <joint name="elbow" type="revolute"><origin xyz="0.5 0.1 -0.2" rpy="0.3 0.7 -0.4"/><parent link="body_FLU"/>
        <child link="arm"/><axis xyz="0 1 0"/><limit lower="-1.57" upper="1.57" effort="10" velocity="0.5"/></joint>
      </robot>"""
    (tmp_path / "r.urdf").write_text(robot)
    report = Report()
    built = Builder(read_urdf(tmp_path / "r.urdf", [], report), Meshes(tmp_path / "meshes"), report).build()
    ours = mujoco.MjModel.from_xml_string(ET.tostring(built.mjcf, encoding="unicode"))
    world = '<link name="g"/><joint name="j" type="floating"><parent link="g"/><child link="body_FLU"/></joint>'
    theirs = mujoco.MjModel.from_xml_string(robot.replace("</robot>", f"{world}</robot>"))
    mass, centre, inertia = whole(ours, ours.body("body_FLU").id)
    mass_t, centre_t, inertia_t = whole(theirs, theirs.body("body_FLU").id)
    assert mass == mass_t == 3.0
    assert centre == pytest.approx(centre_t, abs=1e-14)
    assert inertia == pytest.approx(inertia_t, abs=1e-14)
    assert centre == pytest.approx(PINOCCHIO_CENTRE, abs=1e-14)
    assert inertia == pytest.approx(np.array(PINOCCHIO_INERTIA), abs=1e-14)
    assert ours.jnt_range[1] == pytest.approx([-1.57, 1.57])
    assert report.repaired == []


def test_electric_motor_with_its_propeller_and_battery(model_folder, tmp_path):
    prop = {"nMotors": 1, "motor1": ELECTRIC, "prop1": {"propDiam": 0.305, **POLYNOMIALS}}
    prop["battery"] = {"Rs": 0.0, "Cells": 3}
    made = read(model_folder(propulsion=prop), tmp_path / "ours")
    motor: Any = read_vehicle(made.folder / "vehicle.yaml").parts["motor1"]
    numbers = motor.electric
    assert (numbers.k_v, numbers.r_motor, numbers.i_0, numbers.inertia) == (13.333, 0.041, 0.9, 0.008)
    assert (numbers.cells, numbers.cell_voltage, numbers.r_battery, numbers.prop_diameter) == (3, 4.0, 0.0, 0.305)
    assert (numbers.omega_min, numbers.omega_max, numbers.thrust_max) == (0.01, 1000.0, 138)
    assert motor.direction == -1
    assert motor.efficiency.coefficients == [0.0, 3.19, -12.15, 27.83, -21.82]
    # Up to the first zero of either curve; no range is given in the folder, so that is said.
    ends = [np.polyval(c.coefficients[::-1], numbers.j_max) for c in (motor.efficiency, motor.c_power)]
    assert min(abs(end) for end in ends) < 1e-12
    assert any("advance ratio" in what for what, _ in made.report.assumed)
    world = cupola.load(str(made.folder))
    world.sticks([0, 0, 0, 1])
    world.run(0.5)
    assert abs(world.part("motor1").state.omega) > 100  # the shaft turns


QUAD = """<robot name="quad" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="body_m" value="${0.3*2}"/>
  <xacro:macro name="box" params="name m x y z dx:=0">
    <link name="${name}"><inertial><origin xyz="${dx} 0 0"/><mass value="${m}"/>
      <inertia ixx="${m/12*(y*y+z*z)}" iyy="${m/12*(x*x+z*z)}" izz="${m/12*(x*x+y*y)}"/></inertial>
    </link></xacro:macro>
  <xacro:macro name="arm" params="n angle">
    <xacro:box name="arm${n}" m="${0.12*body_m}" x="0.3" y="0.02" z="0.02" dx="0.15"/>
    <joint name="j${n}" type="fixed"><origin rpy="0 0 ${radians(angle)}"/>
      <parent link="body_FLU"/><child link="arm${n}"/></joint>
    <xacro:box name="motor${n}" m="${0.05*body_m}" x="0.01" y="0.02" z="0.02"/>
    <joint name="arm${n}_to_motor${n}" type="revolute"><origin xyz="0.29 0 0.01" rpy="0 -1.57 0"/>
      <parent link="arm${n}"/><child link="motor${n}"/><limit effort="9" velocity="1"/></joint>
  </xacro:macro>
  <xacro:box name="body_FLU" m="${body_m}" x="0.1" y="0.1" z="0.02"/>
  <xacro:arm n="1" angle="-45"/><xacro:arm n="2" angle="-135"/>
  <xacro:arm n="3" angle="135"/><xacro:arm n="4" angle="45"/>
</robot>"""


def test_a_quadcopter_climbs_upright(model_folder, tmp_path):
    # Annex B.4 without axles and propellers (1.0128 kg with them).
    numbers = {"motorType": 1, "s_prop": 0.017, "c_prop": 0.17, "k_motor": 80, "k_t_p": 0.00002, "k_omega": 254}
    motors = {f"motor{i + 1}": {**numbers, "input_chan": i, "rotationDir": (-1, 1)[i % 2]} for i in range(4)}
    folder = model_folder(QUAD, aerodynamics={"nWings": 0}, propulsion={"nMotors": 4, **motors})
    made = read(folder, tmp_path / "ours")
    world = cupola.load(str(made.folder))
    assert type(world.instances[0].runner.controller).__name__ == "QuadcopterPD"
    mass = 0.6 * (1 + 4 * 0.12 + 4 * 0.05)
    assert world.model.body_subtreemass[world.instances[0].root] == pytest.approx(mass)
    world.sticks([0.0, 0.0, 0.0, 1.0])
    world.run(1.0)
    assert world.motion().pos_w.z > 1.2  # it starts at 1 m
    assert abs(world.motion().quat_wb.w) > 0.99


SENSORS = """<robot name="r"><link name="body_FLU"><inertial><mass value="1"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial></link>
  <link name="camera_link"><inertial><mass value="0.00001"/>
    <inertia ixx="1e-6" iyy="1e-6" izz="1e-6"/></inertial></link>
  <joint name="camera_joint" type="revolute"><origin xyz="0 0.9 -0.07" rpy="0 0 -0.6"/><parent link="body_FLU"/>
    <child link="camera_link"/><axis xyz="0 0 1"/><limit lower="-2" upper="2" effort="1000" velocity="0.5"/></joint>
  <gazebo reference="camera_link"><sensor type="camera" name="camera_sensor"/></gazebo></robot>"""


def test_the_camera_follows_its_channel_within_the_limits_of_its_joint(model_folder, tmp_path):
    mix = {"channels": {"camera_angle_chan": 4, "laser_angle_chan": 5}}
    files = {"aerodynamics": {"nWings": 0}, "propulsion": {"nMotors": 0}, "channel_mix": mix}
    made = read(model_folder(SENSORS, **files), tmp_path / "ours")
    assert dict(made.lost)["channel_mix.yaml: laser_angle"] == "there is no joint laser_joint to turn"
    parts = yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]
    limits = {"low": -2.0, "high": 2.0, "rate_max": 0.5}
    assert parts["camera_servo"] == {"kind": "servo", "channel": 4, "actuator": "camera_joint", **limits}
    assert parts["camera_sensor"]["kind"] == "camera"
    world = cupola.load(str(made.folder))
    world.sticks([0, 0, 0, 0, 1])
    world.run(0.19)  # four steps of 0.1 rad, which take 0.8 s at the joint's 0.5 rad/s
    world.sticks([0, 0, 0, 0, 0])
    world.run(0.2)
    assert world.arrays.qpos[7] < 0.25
    world.run(1.3)
    assert world.arrays.qpos[7] == pytest.approx(0.4, abs=0.01)


MOUNTED = """<robot name="r"><link name="body_FLU"><inertial><mass value="3"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1"/></inertial>
    <collision><geometry><box size="0.6 0.6 0.1"/></geometry></collision></link>
  <link name="{what}_link"><inertial><origin xyz="0.1 0 0"/><mass value="{mass}"/>
    <inertia ixx="1e-6" iyy="1e-6" izz="1e-6"/></inertial>
    <collision><origin xyz="0.1 0 0"/><geometry><box size="0.05 0.05 0.2"/></geometry></collision></link>
  <joint name="{what}_joint" type="revolute"><parent link="body_FLU"/><child link="{what}_link"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="1000" velocity="0.5"/></joint></robot>"""


@pytest.mark.parametrize("what", ["camera", "laser"])
@pytest.mark.parametrize("mass", [1e-5, 0.02, 0.6])
def test_a_sensor_mount_carries_its_sensor_in_flight_and_does_not_drag_on_the_floor(model_folder, tmp_path, what, mass):
    """It falls, strikes the floor with a sensor that reaches below the hull, and lies there; the mount keeps still."""
    mix = {"channels": {"camera_angle_chan": 4, "laser_angle_chan": 5}}
    files = {"aerodynamics": {"nWings": 0}, "propulsion": {"nMotors": 0}, "channel_mix": mix}
    made = read(model_folder(MOUNTED.format(what=what, mass=mass), **files), tmp_path / "ours")
    world = cupola.load(str(made.folder))
    turned = []
    while world.time < 1.5:
        world.run(0.05)
        turned.append(abs(float(world.arrays.qpos[7])))
    name = world.instances[0].name
    assert abs(world.motion().vel_w.z) < 0.01  # it lies on its hull
    touching = {world.model.geom(int(g)).bodyid[0] for pair in world.data.contact.geom for g in pair}
    assert world.model.body(f"{name}/{what}_link").id not in touching
    assert turned[-1] < 0.011 and max(turned) < 0.2


def test_spline_of_a_surface(model_folder, tmp_path):
    spline = {"polyType": 2, "breaksNo": 2, "breaks": [-1.0, 0.0, 1.0], "coeffs": [0, 0, 1, -1, 0, 0, 1, 0]}
    wing = {"aerodynamicsType": 2, "s": 0.45, "b": 1.88, "c": 0.24, "cLiftPoly": spline, "cDragPoly": spline}
    made = read(model_folder(aerodynamics={"nWings": 1, "airfoil1": wing}), tmp_path / "ours")
    airfoil: Any = read_vehicle(made.folder / "vehicle.yaml").parts["airfoil1"]
    assert airfoil.model == "curves"
    assert (airfoil.lift.breaks, airfoil.lift.coefficients) == ([-1.0, 0.0, 1.0], [0, 0, 1, -1, 0, 0, 1, 0])


def change(**values):
    return {"nWings": 1, "airfoil1": {"aerodynamicsType": 1, "s": 1, "b": 1, "c": 1, **values}}


def test_a_surface_that_turns_against_its_stick_is_listed(model_folder, tmp_path):
    aero = change(c_l_input_x=-0.25, c_m_input_y=1.0)
    made = read(model_folder(aerodynamics=aero), tmp_path / "ours")
    (said,) = made.warnings
    assert said.startswith("aerodynamics.yaml: airfoil1/c_l_input_x is -0.25, which should be positive")
    airfoil: Any = read_vehicle(made.folder / "vehicle.yaml").parts["airfoil1"]
    assert airfoil.surface.c_l_input_x == -0.25


@pytest.mark.parametrize(
    ("files", "complaint"),
    [
        (
            {"aerodynamics": {"nWings": 2, "airfoil1": {"aerodynamicsType": 0}}},
            "there is no 'airfoil2/aerodynamicsType'",
        ),
        ({"aerodynamics": change(aerodynamicsType=3)}, "expected 0, 1 or 2, got 3"),
        ({"aerodynamics": change(s="large")}, "airfoil1/s: expected a number, got 'large'"),
        ({"aerodynamics": change(input_x_chan=0.5)}, "expected a whole number"),
        ({"aerodynamics": change(aerodynamicsType=2)}, "cLiftPoly/polyType"),
        ({"init": {"position": [0, 0]}}, "position: expected 3 numbers, got 2"),
        ({"propulsion": {"nMotors": 1, "motor1": {"motorType": 7}}}, "motorType: expected 0, 1 or 2, got 7"),
    ],
)
def test_a_wrong_value_is_named(model_folder, tmp_path, files, complaint):
    with pytest.raises(InputError, match=complaint):
        read(model_folder(**files), tmp_path / "ours")
    assert not (tmp_path / "ours").exists()


def test_an_airfoil_without_a_link_is_named(model_folder, tmp_path):
    aero = {"nWings": 2, **{f"airfoil{i}": {"aerodynamicsType": 0} for i in (1, 2)}}
    with pytest.raises(InputError, match="no link 'airfoil2' for the part; there are: airfoil1, motor1"):
        read(model_folder(aerodynamics=aero), tmp_path / "ours")


def test_missing_files_are_named(model_folder, tmp_path):
    folder = model_folder()
    (folder / "init.yaml").unlink()
    with pytest.raises(InputError, match=r"init.yaml: no such file.*aerodynamics.yaml"):
        read(folder, tmp_path / "ours")
    with pytest.raises(InputError, match="no such folder"):
        read(tmp_path / "absent", tmp_path / "ours")
    (tmp_path / "ours").mkdir()
    with pytest.raises(InputError, match="exists already"):
        read(folder, tmp_path / "ours")


def test_the_file_written_is_one_that_a_person_can_read(model_folder, tmp_path):
    made = read(model_folder(), tmp_path / "ours")
    content = yaml.safe_load((made.folder / "vehicle.yaml").read_text())
    assert list(content) == ["about", "mjcf", "root", "parts", "controller", "channel_mix", "start"]
    assert {f.name for f in made.folder.iterdir()} >= {"README.md", "import.json", "scenario.yaml"}


# §3.6: v1^0 v2^0, v1^0 v2^1, ... up to v1^1 v2^1
TWO = {"polyType": 1, "polyNo": [1, 2], "coeffs": [0.5, 7.0, 8.0, 4.0, 9.0]}


def test_a_polynomial_of_two_variables_is_taken_at_its_first(model_folder, tmp_path):
    wing = {"aerodynamicsType": 2, "s": 0.45, "b": 1.88, "c": 0.24, "cLiftPoly": TWO}
    plain = {"polyType": 1, "polyNo": [0, 0], "coeffs": [0.05]}
    made = read(model_folder(aerodynamics={"nWings": 1, "airfoil1": {**wing, "cDragPoly": plain}}), tmp_path / "ours")
    airfoil: Any = read_vehicle(made.folder / "vehicle.yaml").parts["airfoil1"]
    assert airfoil.lift.coefficients == [0.5, 4.0]
    assert airfoil.drag.coefficients == [0.05]
    assert "3 terms" in next(what for what, _ in made.lost if "cLiftPoly" in what)
    assert not any("cDragPoly" in what for what, _ in made.lost)


@pytest.mark.parametrize("file", ["urdf/model.urdf.xacro", "aerodynamics.yaml"])
def test_a_file_of_a_model_folder_sends_to_its_folder(model_folder, tmp_path, file):
    """Alone the robot would come without wings, motors and channels."""
    source = model_folder(SENSORS) / file
    with pytest.raises(InputError, match=r"import the folder: cupola import .*their_plane$"):
        app(["import", str(source), "-o", str(tmp_path / "ours")], standalone_mode=False)
    assert not (tmp_path / "ours").exists()


def test_a_folder_of_models_is_named(model_folder, tmp_path):
    folder = model_folder()
    with pytest.raises(InputError, match=r"holds the models their_plane: name one of them, .*their_plane"):
        read(folder.parent, tmp_path / "ours")


BESIDE = {
    "environment.yaml": "/environment/rho: 1.0\n/environment/groundTemp: 5\n/environment/groundPres: 900\n"
    "/environment/windRef: 4.0\n/environment/windDir: 30\n/environment/surfSmooth: 0.2\n/environment/gravity: -9.7\n"
    "/environment/Dryden/use: 1\n/environment/Dryden/Lu: 200.0\n/environment/Dryden/Lw: 50.0\n"
    "/environment/Dryden/sigmau: 1.5\n/environment/Dryden/sigmaw: 0.7\n/environment/fog: 3",
    "updatePhysics.yaml": "/updatePhysics/simRate: 1000\n/updatePhysics/deltaT: 0.002\n/updatePhysics/paused: 0",
    "HID.yaml": "/HID/axes: [1, 0, 3, 2]\n/HID/buttons: [-1, -1, -1, -1, 5]\n/HID/throws: [-1.0, 1.0]",
    "worlds/w.world": """<sdf version="1.4"><world name="w"><model name="g"><static>true</static><link name="l">
      <collision name="c"><geometry><plane><normal>0 0 1</normal><size>90 90</size></plane></geometry>
      <surface><friction><ode><mu>0.6</mu><mu2>0.6</mu2></ode></friction></surface></collision></link></model>
      </world></sdf>""",
}


def test_air_rates_joystick_and_ground_of_the_package_are_read(model_folder, tmp_path):
    folder = model_folder()
    for name, text in BESIDE.items():
        (folder.parent / name).parent.mkdir(exist_ok=True)
        (folder.parent / name).write_text(text)
    made = read(folder, tmp_path / "ours")
    scenario, _ = find_scenario(str(made.run))
    assert (scenario.physics_hz, scenario.gravity, scenario.start_paused) == (500, 9.7, False)
    air = scenario.air
    # 900 mbar at 5 °C are 1.127 kg/m³; the forces of the source follow rho
    assert (air.density, air.temperature_offset, air.sea_level_pressure) == (1.0, pytest.approx(-10.0), 90000.0)
    # from 30° counter-clockwise of x, which is called east: bearing 60
    assert (air.wind.speed, air.wind.from_deg, air.wind.exponent) == (4.0, 60.0, 0.2)
    assert (air.turbulence.sigma, air.turbulence.length) == ((1.5, 1.5, 0.7), (200.0, 200.0, 50.0))
    assert (scenario.floor.friction, scenario.floor.size, scenario.boxes) == (0.6, 45.0, 20)
    assert read_vehicle(made.folder / "vehicle.yaml").controller.rate_hz == 100  # divides 500 Hz
    joystick = read_yaml(made.folder / "joystick.yaml", HidMap)
    assert joystick == read_yaml(folder.parent / "HID.yaml", HidMap)
    assert joystick.axes == [1, 0, 3, 2] and joystick.buttons[4] == 5
    lost = dict(made.lost)
    assert "environment.yaml: fog = 3" in lost
    assert "2 times as fast" in lost["updatePhysics.yaml: simRate 1000"]


def test_a_box_that_is_dropped_does_not_push_its_vehicle(model_folder, tmp_path):
    """It is born inside the fuselage, 0.1 m below its axis."""
    made = read(model_folder(), tmp_path / "ours")
    scenario, _ = find_scenario(str(made.run))
    entry = {"model": str(made.folder), "name": "it", "position": (0.0, 0.0, 50.0)}
    ends = []
    for drop in (False, True):
        world = World(scenario.with_(vehicles=(entry,)))
        if drop:
            world.drop_box()
        world.run(0.2)
        ends.append(world.motion())
    assert world.boxes.dropped() == [0]
    assert ends[0] == ends[1]


IMPOSSIBLE = """<robot name="r"><link name="body_FLU"><inertial><origin rpy="0 0 1.5707963267948966"/>
  <mass value="0.3"/><inertia ixx="{0}" iyy="{1}" izz="{2}"/></inertial>
  <collision><origin rpy="0 0 1.5707963267948966"/><geometry><box size="0.1 0.2 0.3"/></geometry></collision>
  </link></robot>"""


def test_a_misprint_of_an_inertia_is_mended_by_the_shape(model_folder, tmp_path):
    files = {"aerodynamics": {"nWings": 0}, "propulsion": {"nMotors": 0}, "channel_mix": {"channels": {}}}
    box = [0.3 / 12 * (0.04 + 0.09), 0.3 / 12 * (0.01 + 0.09), 0.3 / 12 * (0.01 + 0.04)]
    text = IMPOSSIBLE.format(box[0], box[1], 1e-5)
    made = read(model_folder(text, **files), tmp_path / "ours")
    (repair,) = made.report.repaired
    assert repair.what == "model.urdf.xacro: link body_FLU: inertia"
    assert repair.was.split()[2] == "1e-05" and float(repair.now.split()[2]) == pytest.approx(box[2])
    model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    assert sorted(model.body_inertia[1]) == pytest.approx(sorted(box), rel=1e-12)
    assert repair.was in (made.folder / "README.md").read_text()
