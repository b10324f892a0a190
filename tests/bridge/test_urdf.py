"""URDF: frames of joints, inertia, limits, mimics, meshes, and Gazebo's plugins in it."""

import mujoco
import numpy as np
import pytest
import yaml

from cupola.bridge.sdf.folder import import_file
from cupola.schema.yaml_files import InputError

INERTIAL = (
    '<inertial><origin xyz="0.1 0 0" rpy="0 0 1.5707963267948966"/><mass value="2"/>'
    '<inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0" ixz="0" iyz="0"/></inertial>'
)
ROBOT = f"""<robot name="arm"><material name="red"><color rgba="1 0 0 1"/></material>
<link name="foot"/>
<link name="base">{INERTIAL}<visual><geometry><box size="1 2 3"/></geometry><material name="red"/></visual></link>
<link name="upper">{INERTIAL}<collision><origin xyz="0 0 0.5"/><geometry><cylinder radius="0.1" length="1"/></geometry>
</collision></link><link name="finger">{INERTIAL}</link>
<joint name="stand" type="fixed"><parent link="foot"/><child link="base"/><origin xyz="0 0 0.2"/></joint>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/>
<origin xyz="1 0 0" rpy="0 0 1.5707963267948966"/><axis xyz="2 0 0"/>
<limit lower="-1" upper="2" effort="30" velocity="4"/><dynamics damping="0.5" friction="0.1"/></joint>
<joint name="grip" type="prismatic"><parent link="upper"/><child link="finger"/><origin xyz="1 0 0"/>
<limit lower="0" upper="0.1" effort="5" velocity="1"/><mimic joint="shoulder" multiplier="0.05" offset="0.01"/></joint>
<gazebo reference="upper"><mu1>0.5</mu1><maxVel>0.5</maxVel></gazebo>
<gazebo><plugin name="wing" filename="libLiftDragPlugin.so"><link_name>upper</link_name><area>3</area></plugin></gazebo>
<transmission name="t"/></robot>"""


@pytest.fixture
def bring(tmp_path):
    def run(text):
        source = tmp_path / "arm.urdf"
        source.write_text(text)
        made = import_file(source, tmp_path / "out")
        model = mujoco.MjModel.from_xml_path(str(made.folder / "model.xml"))
        data = mujoco.MjData(model)
        mujoco.mj_forward(model, data)
        return made, model, data

    return run


def test_a_robot(bring):
    made, model, data = bring(ROBOT)
    np.testing.assert_allclose(data.xpos[model.body("upper").id], [1, 0, 0.2], atol=1e-12)
    np.testing.assert_allclose(data.xpos[model.body("finger").id], [1, 1, 0.2], atol=1e-12)
    shoulder = model.joint("shoulder").id
    np.testing.assert_allclose(data.xaxis[shoulder], [0, 1, 0], atol=1e-12)  # its x axis is turned to world y
    np.testing.assert_allclose(model.jnt_range[shoulder], [-1, 2])
    np.testing.assert_allclose(model.jnt_actfrcrange[shoulder], [-30, 30])
    assert model.dof_damping[model.jnt_dofadr[shoulder]] == 0.5
    body = model.body("base").id
    turn = data.ximat[body].reshape(3, 3)
    np.testing.assert_allclose(turn @ np.diag(model.body_inertia[body]) @ turn.T, np.diag([0.2, 0.1, 0.25]), atol=1e-12)
    np.testing.assert_allclose(model.geom_rgba[0], [1, 0, 0, 1])
    np.testing.assert_allclose(model.eq_data[0][:2], [0.01, 0.05])
    part = yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]["wing"]
    assert part["site"] == "upper" and part["surface"]["area"] == 3.0
    said = dict(made.lost)
    assert "arm.urdf: gazebo upper/maxVel" in said and "arm.urdf: transmission t" in said
    assert any("limit velocity 4" in what for what in said)


def joint_inertia(model):
    """Mass matrix of shoulder and finger, bent."""
    data = mujoco.MjData(model)
    data.qpos[model.joint("shoulder").qposadr], data.qpos[model.joint("grip").qposadr] = 0.3, 0.05
    mujoco.mj_forward(model, data)
    columns = np.zeros((2, model.nv))
    first = int(model.joint("shoulder").dofadr[0])
    for k, column in enumerate(columns):
        mujoco.mj_mulM(model, data, column, np.eye(model.nv)[first + k])
    return columns[:, first : first + 2]


def test_inertia_is_that_of_mujocos_own_reader(bring):
    free = ROBOT.replace('<mimic joint="shoulder" multiplier="0.05" offset="0.01"/>', "")
    np.testing.assert_allclose(
        joint_inertia(bring(free)[1]), joint_inertia(mujoco.MjModel.from_xml_string(free)), rtol=1e-9
    )


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('<parent link="base"/>', '<parent link="bas"/>', "there is no link 'bas'; there are: foot, base"),
        ('type="prismatic"', 'type="screw"', "joint grip: type 'screw'; known: fixed, revolute"),
        ('<mass value="2"/>', "", "<inertial> needs <mass> and <inertia>"),
        ('size="1 2 3"', 'size="1 2"', "size: expected 3 finite numbers, got '1 2'"),
        ('axis xyz="2 0 0"', 'axis xyz="0 0 0"', "joint shoulder: the axis must not be zero"),
    ],
)
def test_bad_files_are_named(bring, old, new, complaint):
    with pytest.raises(InputError) as error:
        bring(ROBOT.replace(old, new))
    assert complaint in str(error.value) and "arm.urdf" in str(error.value)


FRAMES = """<robot name="frames"><link name="base"><inertial><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="pan"/><link name="tilt"/>
<joint name="a" type="revolute"><parent link="base"/><child link="pan"/><axis xyz="0 0 1"/></joint>
<joint name="b" type="continuous"><parent link="pan"/><child link="tilt"/><axis xyz="0 1 0"/></joint></robot>"""


def test_links_without_mass_that_move_and_joints_without_limits_are_repaired_and_said(bring):
    made, model, _ = bring(FRAMES)
    assert model.njnt == 3 and not model.jnt_limited[model.joint("a").id]
    assert [row.what for row in made.report.repaired] == ["arm.urdf: link pan: mass", "arm.urdf: link tilt: mass"]
    assert any("without <limit>" in taken for _, taken in made.report.assumed)
    assert float(model.body_mass.sum()) == pytest.approx(1.0, abs=1e-5)


def test_a_prefix_that_nobody_declares_is_no_reason_to_stop(bring):
    made, _, _ = bring(FRAMES.replace("</robot>", "<sensor:camera name='c'/></robot>"))
    assert any("'sensor:camera' is not declared" in row.was for row in made.report.repaired)
