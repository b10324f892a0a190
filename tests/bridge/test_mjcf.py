"""MuJoCo models made elsewhere: rotors are found from actuators, a controller is chosen, it hovers or says why not."""

import json
import math
from typing import Any

import mujoco
import numpy as np
import pytest
import yaml

import cupola
from cupola.bridge.mjcf.folder import import_mjcf
from cupola.config.scenario import find_scenario
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

OPTION = '<option timestep="0.005" integrator="RK4" density="1.2" gravity="0 0 -9.8" wind="3 0 0"/>'
SENSORS = '<sensor><gyro site="imu"/><accelerometer site="imu"/><framepos objtype="body" objname="frame"/></sensor>'
KEYS = '<keyframe><key name="down" qpos="0 0 0 1 0 0 0"/><key name="hover" qpos="1 2 .4 1 0 0 0"/></keyframe>'
MOTORS = "".join(
    f'<motor class="craft" name="push{k}" site="hub{k}" gear="0 0 2 0 0 {0.03 * (-1) ** k}"/>' for k in range(4)
)
PLACES = ((0.1, -0.12), (-0.1, -0.12), (-0.1, 0.12), (0.1, 0.12))
"""Front right, rear right, rear left, front left: directions alternate."""


def robot(actuators=MOTORS, mass=0.8, extra="", option=OPTION, keys=KEYS):
    """A quadcopter in the manner of Menagerie's: default classes, a mesh, an inertia given apart, thrust at sites."""
    hubs = "".join(f'<site name="hub{k}" pos="{x} {y} .02"/>' for k, (x, y) in enumerate(PLACES))
    discs = "".join(f'<geom class="disc" pos="{x} {y} .02"/>' for x, y in PLACES)
    return f"""<mujoco model="A craft">
      <compiler autolimits="true" assetdir="parts"/>{option}
      <default><default class="craft"><geom mass="0"/><motor ctrlrange="0 3"/>
        <default class="disc"><geom type="ellipsoid" size=".07 .07 .005" contype="0" conaffinity="0"/></default>
        <site group="5"/></default></default>
      <asset><mesh class="craft" file="hull.obj"/></asset>
      <worldbody><light pos="0 0 3"/>
        <body name="frame" pos="0 0 .1" childclass="craft"><freejoint/>
          <inertial pos="0 0 .01" mass="{mass}" diaginertia="4e-3 5e-3 8e-3"/>
          <camera name="chase" pos="-1 0 .5" mode="trackcom"/><site name="imu" pos="0 0 .01"/>
          <geom type="mesh" mesh="hull"/>{discs}{hubs}{extra}</body></worldbody>
      <actuator>{actuators}</actuator>{SENSORS}{keys}</mujoco>"""


SCENE = """<mujoco model="scene"><include file="craft.xml"/><statistic extent="1"/>
  <asset><texture name="sky" type="skybox" builtin="gradient" rgb1="0 0 1" rgb2="0 0 0" width="8" height="8"/></asset>
  <worldbody><geom name="ground" type="plane" size="0 0 .05" friction=".7 .005 .0001"/><geom name="post" size=".1"/>
  </worldbody></mujoco>"""
HULL = "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


@pytest.fixture
def write(tmp_path):
    """A model and a scene around it; the path of the model."""

    def make(text=None):
        (tmp_path / "parts").mkdir(exist_ok=True)
        (tmp_path / "parts" / "hull.obj").write_text(HULL)
        (tmp_path / "scene.xml").write_text(SCENE)
        path = tmp_path / "craft.xml"
        path.write_text(text or robot())
        return path

    return make


def tilt(world):
    """Of the body's z axis from the vertical [rad]."""
    q = world.motion().quat_wb
    return math.acos(min(1.0, 1.0 - 2.0 * (q.x * q.x + q.y * q.y)))


def test_a_scene_becomes_a_vehicle_that_hovers(write, tmp_path):
    made = import_mjcf(write().with_name("scene.xml"), tmp_path / "ours")
    world = cupola.load(str(made.run))
    world.run(8.0)
    # 2 m over the keyframe "hover", in the wind of the file
    assert world.motion().pos_w == pytest.approx((1.0, 2.0, 2.4), abs=0.1)
    assert tilt(world) < 0.02
    said = dict(made.lines())
    assert said["it is"] == "scene, a multirotor of 0.8 kg: 4 rotor, 1 imu, 1 mixer"
    assert "mixer of 4 rotors; it hovers at 2.4 m" in said["flown by"]


def test_rotors_are_those_of_the_actuators(write, tmp_path):
    made = import_mjcf(write(), tmp_path / "ours")
    world = cupola.load(str(made.run))
    theirs = mujoco.MjModel.from_xml_path(str(write()))
    data = mujoco.MjData(theirs)
    mujoco.mj_resetDataKeyframe(theirs, data, 1)
    mujoco.mj_forward(theirs, data)
    for k in range(4):
        rotor = world.robot().rotors[f"push{k}"]
        # gear 2 times a control of 3; it is described at the standard atmosphere's density, 0.7 ppm below 1.225
        assert rotor.full_thrust == pytest.approx(6.0, rel=1e-6)
        assert rotor.torque_ratio == pytest.approx(0.015 * (-1) ** k, rel=1e-12)
        assert rotor.radius == 0.07
        root = data.xmat[1].reshape(3, 3)
        place = root.T @ (data.site(f"hub{k}").xpos - data.subtree_com[1])
        axis = root.T @ data.site(f"hub{k}").xmat.reshape(3, 3)[:, 2]
        assert rotor.place == pytest.approx(place, abs=1e-12)
        assert rotor.axis == pytest.approx(axis, abs=1e-12)


def test_full_throttle_accelerates_as_the_source_does(write, tmp_path):
    """Force and torque of each rotor on the body, against MuJoCo's own actuator at its end."""
    path = write(robot(option='<option timestep="0.005"/>'))
    made = import_mjcf(path, tmp_path / "ours")
    theirs = mujoco.MjModel.from_xml_path(str(path))
    for k in range(4):
        data = mujoco.MjData(theirs)
        data.ctrl[k] = 3.0
        mujoco.mj_forward(theirs, data)
        controller = {"use": "pass_through", "rate_hz": 200, "channel": 4}  # the rotors' own channels
        entry = {"model": str(made.folder), "name": "a", "controller": controller, "position": (0, 0, 0.1)}
        world = World(find_scenario(str(made.run))[0].with_(vehicles=(entry,), floor=None))
        world.sticks([float(k == n) for n in range(3)] + [1.0 if k == 3 else -1.0])
        world.step()
        # at rest and with Euler's rule the first velocity is the acceleration times the step
        assert world.data.qvel / 0.005 == pytest.approx(data.qacc, abs=1e-9)


def test_mass_and_inertia_are_kept(write, tmp_path):
    made = import_mjcf(write(), tmp_path / "ours")
    theirs = mujoco.MjModel.from_xml_path(str(write()))
    ours = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
    for name in ("body_mass", "body_inertia", "body_ipos", "body_iquat", "geom_size", "geom_pos"):
        assert np.array_equal(getattr(ours, name), getattr(theirs, name)), name
    assert (made.folder / "assets" / "hull.obj").read_text() == HULL


BODY = (
    '<motor name="up" site="imu" gear="0 0 1 0 0 0" ctrlrange="0 12"/>'
    + "".join(f'<motor name="m{axis}" site="imu" gear="0 0 0 {gear}" ctrlrange="-1 1"/>' for axis, gear in
              (("x", "-.002 0 0"), ("y", "0 -.002 0"), ("z", "0 0 -.002")))
)  # fmt: skip
"""Thrust and three moments at one place, with little strength, as models have it that leave the rotors out."""


def test_a_body_that_is_pushed_and_turned_hovers_and_comes_back(write, tmp_path):
    made = import_mjcf(write(robot(BODY, option="")), tmp_path / "ours")
    assert made.flown_by == "multirotor_geometric through a mixer of 4 pushes; it hovers at 2.4 m"
    entry = {"model": str(made.folder), "name": "a", "position": (1.5, 2.0, 2.4), "attitude_deg": (2.0, -2.0, 10.0)}
    world = World(find_scenario(str(made.run))[0].with_(vehicles=(entry,)))
    world.run(40.0)
    assert world.motion().pos_w == pytest.approx(
        (1.0, 2.0, 2.4), abs=0.3
    )  # slowly: it can be turned by 0.4 rad/s² at most
    assert tilt(world) < 0.02


def test_world_start_and_sensors(write, tmp_path):
    made = import_mjcf(write().with_name("scene.xml"), tmp_path / "ours")
    scenario: dict[str, Any] = yaml.safe_load(made.run.read_text())
    assert (scenario["physics_hz"], scenario["integrator"], scenario["gravity"]) == (200, "RK4", 9.8)
    assert scenario["floor"] == {"friction": 0.7, "size": 2500.0}
    assert scenario["air"]["wind"] == {"speed": 3.0, "from_deg": 270.0, "up": 0.0}  # towards +x, which is east
    vehicle = yaml.safe_load((made.folder / "vehicle.yaml").read_text())
    assert vehicle["start"] == {"position": [1.0, 2.0, 0.4], "attitude_deg": [0.0, 0.0, 0.0]}
    assert vehicle["parts"]["imu"] == {"kind": "imu", "site": "imu", "rate_hz": 200}
    lost = dict(made.lost)
    for what in ("<worldbody>: post", "<keyframe>: down", "<statistic>", "<sensor>: 2"):
        assert what in lost
    assert any(what.startswith("<option>: density") for what in lost)
    told = json.loads((made.folder / "import.json").read_text())
    assert {"what": "start", "taken": "that of the keyframe hover"} in told["assumed"]


def test_without_a_limit_one_is_assumed_and_without_a_name_one_is_given(write, tmp_path):
    motors = "".join(f'<motor site="hub{k}" gear="0 0 1 0 0 {0.02 * (-1) ** k}"/>' for k in range(4))
    text = robot(motors, option="").replace('<body name="frame"', "<body")
    made = import_mjcf(write(text.replace('<framepos objtype="body" objname="frame"/>', "")), tmp_path / "ours")
    world = cupola.load(str(made.run))
    rotors = world.robot().rotors
    assert sum(rotor.full_thrust for rotor in rotors.values()) == pytest.approx(2 * 0.8 * 9.81)
    assert list(rotors) == ["actuator1", "actuator2", "actuator3", "actuator4"]
    assert sum("no ctrlrange" in what for what, _ in made.report.assumed) == 4
    assert world.robot().root == "base"


NO_TORQUE = "".join(f'<motor class="craft" name="push{k}" site="hub{k}" gear="0 0 2 0 0 0"/>' for k in range(4))
ARM = '<body><joint name="elbow" axis="0 1 0" range="-40 40"/><geom size=".01" mass=".1"/></body>'
FREE = '<motor joint="fly" gear="0 0 1 0 0 0" ctrlrange="-9 9"/>'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (robot(NO_TORQUE), "its rotors cannot command thrust, roll, pitch and yaw independently"),
        (robot(mass=3.0), "its rotors lift 24 N at most, its weight is 29.4 N"),
        (robot(""), "no actuators push or turn it at a site"),
        (robot('<position name="bend" joint="elbow"/>', extra=ARM, keys=""), "no actuators push or turn it at a site"),
        (robot(FREE).replace("<freejoint/>", '<freejoint name="fly"/>'), "no actuators push or turn it at a site"),
        (robot(BODY.replace("0 12", "0 7"), keys=""), "push it up by 8.75 m/s² at most, it falls by 9.8 m/s²"),
        (robot(keys="").replace("<freejoint/>", ""), "frame is held by the world: it has no free joint"),
    ],
)
def test_what_cannot_be_flown_says_so(write, tmp_path, text, why):
    made = import_mjcf(write(text), tmp_path / "ours")
    assert why in made.flown_by
    assert why in dict(made.lost)["controller"]
    assert yaml.safe_load((made.folder / "vehicle.yaml").read_text())["controller"]["use"] == "pass_through"
    cupola.load(str(made.run)).run(0.1)


def test_one_of_two_is_chosen_by_name_and_the_rest_is_listed(write, tmp_path):
    other = '<body name="ball" pos="0 0 2"><freejoint/><geom size=".1"/><site name="eye"/></body></worldbody>'
    string = '<tendon><spatial name="string"><site site="imu"/><site site="eye"/></spatial></tendon>'
    undriven = write(robot("", keys="").replace("</worldbody>", other + string))
    with pytest.raises(InputError, match="bodies that are free: frame, ball; --model says which"):
        import_mjcf(undriven, tmp_path / "ours")
    path = write(robot(keys="").replace("</worldbody>", other + string))
    with pytest.raises(InputError, match="no body 'cat' on the world; there are: frame, ball"):
        import_mjcf(path, tmp_path / "ours", "cat")
    assert not (tmp_path / "ours").exists()
    made = import_mjcf(path, tmp_path / "ours")
    assert dict(made.report.assumed)["vehicle"].startswith(
        "frame, the only one of the bodies that are free and that actuators act on"
    )
    lost = dict(made.lost)
    assert lost["<worldbody>: body ball"] == "only the vehicle is taken"
    assert lost["<tendon>: spatial string"] == "acts on eye, which is gone"


def test_what_a_rotor_cannot_do_is_listed(write, tmp_path):
    odd = '<general class="craft" name="push0" site="hub0" gear="0 0 2 .1 0 .03" ctrlrange="-1 3" dyntype="filter" \
dynprm=".05"/>'
    made = import_mjcf(write(robot(odd + MOTORS.partition("/>")[2], option="")), tmp_path / "ours")
    lost = dict(made.lost)
    assert lost["<actuator>: push0: gear"] == "its torque across the thrust, 0.05 0 0 N m per N"
    assert lost["<actuator>: push0: ctrlrange"] == "a rotor here pushes one way"
    rotor: Any = yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]["push0"]
    assert rotor["lagged"]["time_constant"] == 0.05
    assert ("<actuator>: push0", "its lag of 0.05 s is one of the shaft speed") in made.report.assumed


def test_words_of_older_versions_are_left_out_and_listed(write, tmp_path):
    old = '<option timestep="0.005" collision="all" apirate="100"/>'
    made = import_mjcf(write(robot(option=old)), tmp_path / "ours")
    assert [(row.what, row.was, row.now) for row in made.report.repaired] == [
        ("<option>: collision", "all", "left out"),
        ("<option>: apirate", "100", "left out"),
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<mujoco><include file='absent.xml'/></mujoco>", "no 'absent.xml' to include"),
        ("<mujoco><worldbody/></mujoco>", "there is no body on the world"),
        ("<mujoco><worldbody><body><freejoint/></body></worldbody></mujoco>", "MuJoCo refuses the model"),
        (robot().replace("hull.obj", "gone.obj"), "there is no file .*gone.obj, which <mesh> names"),
        ("<mujoco>", "not valid XML"),
    ],
)
def test_what_cannot_be_read_is_named(write, tmp_path, text, complaint):
    with pytest.raises(InputError, match=complaint):
        import_mjcf(write(text), tmp_path / "ours")
    assert not (tmp_path / "ours").exists()
