"""MJCF as strangers write it: what was found on the models of gymnasium and dm_control, and gymnasium's own files."""

import importlib.util
from pathlib import Path

import mujoco
import numpy as np
import pytest
import yaml

import cupola
from cupola.bridge.mjcf.folder import import_mjcf

ARM = """<mujoco model="arm"><option timestep="0.01">{option}</option><worldbody>{around}
<body name="arm" pos="0 0 {height}"><joint name="swing" axis="0 1 0" range="-40 40" frictionloss="0.05"/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".03" mass="1"/>
<body name="fore" pos=".3 0 0"><joint name="bend" axis="0 1 0" ref="20"/><joint name="reach" type="slide" axis="1 0 0"/>
<geom type="capsule" fromto="0 0 0 .2 0 0" size=".02" mass=".5"/></body></body></worldbody>
<actuator><motor name="lift" joint="swing"/></actuator>{more}</mujoco>"""


@pytest.fixture
def bring(tmp_path):
    def run(option="", around="", height=1.0, more=""):
        (tmp_path / "arm.xml").write_text(ARM.format(option=option, around=around, height=height, more=more))
        return import_mjcf(tmp_path / "arm.xml", tmp_path / "ours")

    return run


def scenario(made):
    return yaml.safe_load(made.run.read_text())


def apart(source, made, seconds):
    """How far the joints of the vehicle are from those of the source, both left alone from the same start."""
    theirs = mujoco.MjModel.from_xml_path(str(source))
    world, data = cupola.load(str(made.run)), mujoco.MjData(theirs)
    pairs = []
    for k in range(world.model.njnt):
        name = world.model.joint(k).name.partition("/")[2]
        free = world.model.jnt_type[k] == mujoco.mjtJoint.mjJNT_FREE
        j = list(theirs.jnt_type).index(0) if free else theirs.joint(name).id
        a, b = world.model.jnt_qposadr[k], theirs.jnt_qposadr[j]
        pairs += [(a + i, b + i) for i in range(7 if free else 1)]
    ours, other = np.array(pairs).T
    data.qpos[other] = world.data.qpos[ours]
    world.run(seconds)
    for _ in range(round(seconds / theirs.opt.timestep)):
        mujoco.mj_step(theirs, data)
    return float(np.abs(world.data.qpos[ours] - data.qpos[other]).max())


FLOOR = '<geom name="ground" type="plane" size="5 5 1"/>'


@pytest.mark.parametrize(
    ("option", "around", "height"),
    [
        ("", "", 0.0),  # no ground: none is invented under a vehicle that the world holds
        ("", '<geom type="plane" size="5 5 1" contype="0" conaffinity="0"/>', 0.0),  # one that is only seen
        ('<flag contact="disable"/>', FLOOR, 0.1),
        ('<flag constraint="disable"/>', FLOOR, 0.1),
        ('<flag limit="disable"/>', "", 1.0),
        ('<flag frictionloss="disable"/>', "", 1.0),
        ('<flag gravity="disable"/>', "", 1.0),
        ("", FLOOR, 0.1),
        ("", '<geom type="plane" size="5 5 1" pos="0 0 -.2"/>', 0.0),
        ("", '<geom type="box" size=".2 .2 .1" pos=".3 0 -.3"/>', 0.0),
        ("", '<geom type="cylinder" size=".2 .1" pos=".3 0 -.3"/>', 0.0),
    ],
)
def test_left_alone_it_moves_as_in_mujoco(bring, tmp_path, option, around, height):
    """Switches, ground and obstacles of the file count: half a second, in which it would have touched what is there."""
    made = bring(option, around, height)
    assert apart(tmp_path / "arm.xml", made, 0.5) < 1e-9


HOLD = """<actuator><position name="hold" joint="bend" kp="0.05"/></actuator>
<keyframe><key name="home" qpos="0.3 0.9 0" ctrl="{ctrl}"/></keyframe>"""


@pytest.mark.parametrize("ctrl", ["0.5 0.9", "-0.2 -0.4", "0 0"])
def test_what_a_keyframe_commands_is_held(bring, tmp_path, ctrl):
    """As in MuJoCo after `mj_resetDataKeyframe`: a robot stands on its motors in the pose that the file gives it."""
    made = bring(more=HOLD.format(ctrl=ctrl))
    world, theirs = cupola.load(str(made.run)), mujoco.MjModel.from_xml_path(str(tmp_path / "arm.xml"))
    data = mujoco.MjData(theirs)
    mujoco.mj_resetDataKeyframe(theirs, data, 0)
    for _ in range(round(0.5 / theirs.opt.timestep)):
        mujoco.mj_step(theirs, data)
    world.run(0.5)
    assert np.abs(world.data.qpos - data.qpos).max() < 1e-9
    held = [one for one in made.report.assumed if "while its channel is 0" in one[1]]
    assert len(held) == sum(word != "0" for word in ctrl.split())
    world.reset()
    world.run(0.5)
    assert np.abs(world.data.qpos - data.qpos).max() < 1e-9


def test_an_actuator_without_limits_gets_those_of_its_joint_and_says_so(bring):
    made = bring(more='<actuator><position name="hold" joint="swing" kp="30"/></actuator>')
    assumed = dict(made.report.assumed)
    assert assumed["<actuator>: hold: no ctrlrange"] == "-0.6981 to 0.6981"
    assert assumed["<actuator>: lift: no ctrlrange"] == "-1 to 1"


def test_a_gyroscope_that_sits_on_something_else_is_listed(bring):
    """One of the world had made the import refuse a vehicle."""
    site = '<site name="here"/>'
    made = bring(around=site, more='<sensor><gyro name="g" site="here"/><accelerometer site="here"/></sensor>')
    assert dict(made.lost)["<sensor>: g"] == "its site is not on arm"


@pytest.mark.parametrize("paired", [True, False])
def test_what_touches_the_ground_by_pairs_alone_stands_on_it(tmp_path, paired):
    """As ToddlerBot: its geoms have no masks, and pairs with the floor. It had sunk through the floor."""
    pair = '<contact><pair geom1="ground" geom2="foot"/></contact>' if paired else ""
    body = '<body name="toy" pos="0 0 .3"><freejoint/><geom name="foot" size=".1" contype="0" conaffinity="0"/></body>'
    text = f'<mujoco model="toy"><worldbody>{FLOOR}{body}</worldbody>{pair}</mujoco>'
    (tmp_path / "toy.xml").write_text(text)
    made = import_mjcf(tmp_path / "toy.xml", tmp_path / "ours")
    world = cupola.load(str(made.run))
    world.run(1.0)
    assert (abs(world.motion().pos_w.z - 0.1) < 0.01) == paired
    assert ("<contact>: foot" in dict(made.report.assumed)) == paired
    assert ("nothing of the vehicle touches it: it is only seen there" in [why for _, why in made.lost]) != paired
    if paired:
        assert apart(tmp_path / "toy.xml", made, 1.0) < 1e-3


def test_what_the_switches_do_is_said(bring):
    made = bring('<flag constraint="disable" spring="disable" eulerdamp="disable" override="enable"/>')
    assert {"<option>: flag contact", "<option>: flag limit"} <= {what for what, _ in made.report.assumed}
    assert {"<option>: flag spring", "<option>: flag eulerdamp", "<option>: flag override"} <= dict(made.lost).keys()


def test_gravity_that_leans_is_a_table_that_rises(tmp_path):
    text = ARM.format(option="", around="", height=1, more="")
    (tmp_path / "arm.xml").write_text(text.replace('timestep="0.01"', 'timestep="0.01" gravity="1 -2 -9"'))
    made = import_mjcf(tmp_path / "arm.xml", tmp_path / "ours")
    assert cupola.load(str(made.run)).model.opt.gravity == pytest.approx([1, -2, -9])
    (tmp_path / "arm.xml").write_text(text.replace('timestep="0.01"', 'timestep="0.01" gravity="0 0 9"'))
    made = import_mjcf(tmp_path / "arm.xml", tmp_path / "up")
    assert scenario(made)["gravity"] == 0.0 and any("pulls upward" in why for _, why in made.lost)


def test_settings_of_the_solver_are_listed(tmp_path):
    option = 'timestep="0.01" cone="elliptic" solver="PGS" iterations="7" noslip_iterations="3"'
    text = ARM.format(option="", around=FLOOR.replace("/>", ' margin="0.01" condim="4"/>'), height=1, more="")
    (tmp_path / "arm.xml").write_text(text.replace('timestep="0.01"', option))
    lost = [what for what, _ in import_mjcf(tmp_path / "arm.xml", tmp_path / "ours").lost]
    assert "<option>: cone elliptic, solver pgs, iterations 7, noslip_iterations 3" in lost
    assert "<worldbody>: ground: margin 0.01, condim 4" in lost


@pytest.mark.parametrize("step", ["0.02", "0.03", "0.0007"])
def test_any_step_gives_a_controller_that_runs(tmp_path, step):
    text = ARM.format(option="", around="", height=1, more="").replace('timestep="0.01"', f'timestep="{step}"')
    (tmp_path / "arm.xml").write_text(text)
    world = cupola.load(str(import_mjcf(tmp_path / "arm.xml", tmp_path / "ours").run))
    world.run(0.1)
    # Rates are whole numbers: the step nearest to such a one.
    assert world.dt == 1.0 / round(1.0 / float(step)) and world.time == pytest.approx(0.1, abs=world.dt)


def test_a_keyframe_bends_a_model_that_the_world_holds(bring):
    made = bring(more='<keyframe><key name="bent" qpos="0.3 0.1 0.05" qvel="1 0 0"/></keyframe>')
    start = yaml.safe_load((made.folder / "vehicle.yaml").read_text())["start"]
    assert start["joints_deg"] == pytest.approx({"swing": np.degrees(0.3), "bend": np.degrees(0.1)})
    lost = [what for what, _ in made.lost]
    assert "<keyframe>: bent: joint reach" in lost and "<keyframe>: bent: velocities" in lost


def test_a_keyframe_beyond_a_stop_begins_at_the_stop_and_says_so(bring):
    made = bring(more='<keyframe><key name="bent" qpos="0.9 0.1 0"/></keyframe>')
    assert cupola.load(str(made.run)).data.qpos[0] == pytest.approx(np.radians(40.0))
    assert "<keyframe>: swing at 0.9 rad" in [what for what, _ in made.lost]


def test_an_angle_of_a_keyframe_that_is_zero_counts_where_the_model_begins_elsewhere(bring):
    made = bring(more='<keyframe><key qpos="0 0 0"/></keyframe>')
    world = cupola.load(str(made.run))
    assert world.model.qpos0[1] == pytest.approx(np.radians(20)) and world.data.qpos[1] == 0.0


def test_of_several_bodies_the_driven_one_is_the_vehicle(bring):
    """By its joints, and through a tendon."""
    ball = (
        '<body name="ball" pos="1 0 .1"><freejoint/><geom size=".1"/></body><body name="goal"><geom size=".1"/></body>'
    )
    for k, (around, more) in enumerate((
        (ball.replace("<freejoint/>", '<joint name="roll"/>'), ""),
        (ball.replace("<freejoint/>", ""), '<tendon><fixed name="t"><joint joint="bend" coef="1"/></fixed></tendon>'
         '<actuator><motor name="pull" tendon="t"/></actuator>'),
    )):  # fmt: skip
        made = bring(around=around, more=more)
        assert yaml.safe_load((made.folder / "vehicle.yaml").read_text())["root"] == "arm", k
        assert dict(made.lost)["<worldbody>: body ball"] == "only the vehicle is taken"
        assert "ball, goal" in dict(made.report.assumed)["vehicle"]
        made.folder.rename(made.folder.with_name(f"before{k}"))


def test_joints_that_hold_a_body_are_named(bring):
    assert "arm is held by the world: it has no free joint, but swing" in bring().flown_by


GYMNASIUM = importlib.util.find_spec("gymnasium")
ORIGINALS = Path(str(GYMNASIUM.origin)).parent / "envs/mujoco/assets" if GYMNASIUM else Path("absent")


@pytest.mark.skipif(not ORIGINALS.is_dir(), reason="gymnasium is not installed")
@pytest.mark.parametrize(
    ("name", "seconds", "actuators"),
    [
        ("ant", 0.1, 8),  # before it lands: its ground has margins, which are listed
        ("half_cheetah", 0.1, 6),
        ("inverted_double_pendulum", 0.5, 1),
        ("inverted_pendulum", 0.5, 1),
        ("pusher_v5", 0.5, 7),
        ("reacher", 0.5, 2),
        ("walker2d_v5", 0.5, 6),
    ],
)
def test_originals_of_gymnasium_move_as_in_mujoco(tmp_path, name, seconds, actuators):
    source = ORIGINALS / f"{name}.xml"
    made = import_mjcf(source, tmp_path / name)
    servos = list(yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"].values())
    assert len(servos) == actuators and {part["kind"] for part in servos} == {"servo"}
    assert apart(source, made, seconds) < 1e-9
