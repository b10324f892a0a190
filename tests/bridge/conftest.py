"""A model folder of Last_letter_2, written from the numbers of its specification (Annex B.2, geometry of 4.6.1)."""

from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

XACRO = """<?xml version="1.0"?>
<robot name="plane" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:property name="mass" value="3"/>
  <xacro:property name="body_r" value="0.14"/>
  <xacro:property name="body_m" value="${0.3*mass}"/>
  <xacro:property name="right" value="${pi/2}"/>
  <xacro:macro name="cylinder_inertial" params="m r h *origin">
    <inertial>
      <xacro:insert_block name="origin"/>
      <mass value="${m}"/>
      <inertia ixx="${m*(3*r**2+h*h)/12}" iyy="${m*(3*r**2+h*h)/12}" izz="${m*r**2/2}" ixy="0" ixz="0" iyz="0"/>
    </inertial>
  </xacro:macro>
  <xacro:macro name="box_link" params="name m x y z dx:=0">
    <link name="${name}">
      <inertial>
        <origin xyz="${dx} 0 0"/>
        <mass value="${m}"/>
        <inertia ixx="${m/12*(y**2+z**2)}" iyy="${m/12*(x**2+z**2)}" izz="${m/12*(x**2+y**2)}" ixy="0" ixz="0" iyz="0"/>
      </inertial>
      <collision><origin xyz="${dx} 0 0"/><geometry><box size="${x} ${y} ${z}"/></geometry></collision>
    </link>
  </xacro:macro>
  <xacro:macro name="join" params="parent child type *origin">
    <joint name="${parent}_to_${child}" type="${type}">
      <xacro:insert_block name="origin"/>
      <parent link="${parent}"/><child link="${child}"/><axis xyz="1 0 0"/><limit effort="1000" velocity="0.5"/>
    </joint>
  </xacro:macro>
  <xacro:macro name="wheel" params="side sign">
    <link name="${side}_wheel">
      <xacro:cylinder_inertial m="${0.01*mass}" r="0.06" h="0.02">
        <origin xyz="0 0 ${-0.01*sign}"/></xacro:cylinder_inertial>
      <collision><origin xyz="0 0 ${-0.01*sign}"/>
        <geometry><cylinder radius="0.06" length="0.02"/></geometry></collision>
    </link>
    <joint name="wheel_base_to_${side}_wheel" type="continuous">
      <origin xyz="0 ${0.25*sign} 0" rpy="${right} 0 0"/>
      <parent link="wheel_base"/><child link="${side}_wheel"/><axis xyz="0 0 1"/>
    </joint>
  </xacro:macro>

  <link name="body_FLU">
    <visual><origin rpy="0 ${-right} 0"/><geometry><cylinder radius="${body_r}" length="1.0"/></geometry></visual>
    <collision><origin rpy="0 ${-right} 0"/><geometry><cylinder radius="${body_r}" length="1.0"/></geometry></collision>
    <xacro:cylinder_inertial m="${body_m}" r="${body_r}" h="1.0"><origin rpy="0 ${-right} 0"/></xacro:cylinder_inertial>
  </link>
  <xacro:box_link name="airfoil1" m="${0.3*mass}" x="0.15" y="2.0" z="0.04"/>
  <xacro:join parent="body_FLU" child="airfoil1" type="revolute"><origin xyz="0 0 0"/></xacro:join>
  <xacro:box_link name="motor1" m="${0.3*mass}" x="0.02" y="0.04" z="0.04" dx="0.01"/>
  <xacro:join parent="body_FLU" child="motor1" type="revolute"><origin xyz="0.5 0 0"/></xacro:join>
  <link name="axle1">
    <xacro:cylinder_inertial m="${0.005*mass}" r="0.01" h="0.02">
      <origin xyz="0.01 0 0" rpy="0 ${right} 0"/></xacro:cylinder_inertial>
  </link>
  <xacro:join parent="motor1" child="axle1" type="continuous"><origin xyz="0.02 0 0"/></xacro:join>
  <xacro:box_link name="prop1" m="${0.015*mass}" x="0.26" y="0.04" z="0.01"/>
  <xacro:join parent="axle1" child="prop1" type="fixed"><origin xyz="0.02 0 0" rpy="0 ${right} 0"/></xacro:join>
  <xacro:box_link name="wheel_base" m="${0.05*mass}" x="0.01" y="0.5" z="0.01"/>
  <xacro:join parent="body_FLU" child="wheel_base" type="fixed"><origin xyz="0.3 0 ${-body_r}"/></xacro:join>
  <xacro:wheel side="left" sign="1"/>
  <xacro:wheel side="right" sign="-1"/>
  <link name="rear_wheel">
    <visual><geometry><mesh filename="package://wheel.dae"/></geometry></visual>
    <collision><geometry><sphere radius="${0.2*body_r}"/></geometry></collision>
    <inertial><mass value="${body_m/2}"/>
      <inertia ixx="${0.4*body_m/2*(0.2*body_r)**2}" iyy="${0.4*body_m/2*(0.2*body_r)**2}"
               izz="${0.4*body_m/2*(0.2*body_r)**2}" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="body_FLU_to_rear_wheel" type="continuous">
    <origin xyz="-0.4 0 ${-body_r}"/><parent link="body_FLU"/><child link="rear_wheel"/><axis xyz="0 1 0"/>
  </joint>
  <gazebo><plugin name="model_plugin" filename="libmodel_plugin.so"/></gazebo>
</robot>
"""
AIRFOIL = {"aerodynamicsType": 1, "s": 0.30, "b": 2, "c": 0.15, "input_x_chan": 0, "input_y_chan": 1, "input_z_chan": 2}
AIRFOIL |= {"deltax_max": 0.3491, "deltay_max": 0.3491, "deltaz_max": 0.3491}
AIRFOIL |= {"mcoeff": 50, "oswald": 0.9, "alpha_stall": 0.4712}
AIRFOIL |= {"c_lift_0": 0.56, "c_lift_a": 6.9, "c_lift_q": 0, "c_lift_input_y": 0}
AIRFOIL |= {"c_drag_p": 0.0437, "c_drag_q": 0, "c_drag_input_y": 0}
AIRFOIL |= {"c_y_0": 0, "c_y_b": -0.98, "c_y_p": 0, "c_y_r": 0, "c_y_input_x": 0, "c_y_input_z": -0.2}
AIRFOIL |= {"c_l_0": 0, "c_l_p": -1.0, "c_l_b": -0.12, "c_l_r": 0.14, "c_l_input_x": 0.25, "c_l_input_z": -0.037}
AIRFOIL |= {"c_m_0": 0.045, "c_m_a": -0.7, "c_m_q": -20, "c_m_input_y": 1.0}
AIRFOIL |= {"c_n_0": 0, "c_n_b": 0.25, "c_n_p": 0.022, "c_n_r": -1, "c_n_input_x": 0, "c_n_input_z": 0.1}
MOTOR = {"motorType": 1, "rotationDir": 1.0, "input_chan": 3}
MOTOR |= {"s_prop": 0.01619, "c_prop": 1.0, "k_motor": 55, "k_t_p": 0.0, "k_omega": 20.0}
CHANNELS = {"roll_in_chan": 0, "pitch_in_chan": 1, "yaw_in_chan": 2, "throttle_in_chan": 3}
CHANNELS |= {"spawn_can_chan": 6, "despawn_cans_chan": 7, "reset_sim_chan": 17}
INIT = {"position": [0, 0, 1.0], "orientation": [0, 0, 0], "velLin": [0, 0, 0], "velAng": [0, 0, 0]}
FILES = {
    "init.yaml": {"init": INIT},
    "channel_mix.yaml": {"channels": CHANNELS},
    "aerodynamics.yaml": {"nWings": 1, "airfoil1": AIRFOIL},
    "propulsion.yaml": {"nMotors": 1, "motor1": MOTOR},
}


@pytest.fixture
def model_folder(tmp_path: Path) -> Callable[..., Path]:
    """Write the plane, with other files or another robot where given."""

    def write(robot: str = XACRO, **files: object) -> Path:
        folder = tmp_path / "their_plane"
        (folder / "urdf").mkdir(parents=True)
        (folder / "urdf" / "model.urdf.xacro").write_text(robot)
        for name, content in {**FILES, **{f"{name}.yaml": value for name, value in files.items()}}.items():
            (folder / name).write_text(yaml.safe_dump(content))
        return folder

    return write
