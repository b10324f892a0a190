"""Sensors of SDF and URDF become sensor parts with their numbers, at their poses; others are listed."""

import math

import pytest
import yaml

import cupola
from cupola.bridge.sdf.folder import import_file

CAMERA = """<sensor type="camera" name="eye"><pose>0.1 0 0.2 0 0.3 0</pose><update_rate>15</update_rate>
  <camera name="head"><horizontal_fov>1.2</horizontal_fov><image><width>64</width><height>48</height>
  <format>R8G8B8</format></image><clip><near>0.05</near><far>80</far></clip>
  <noise><type>gaussian</type><mean>0</mean><stddev>0.007</stddev></noise></camera>
  <plugin name="c" filename="libgazebo_ros_camera.so"><cameraName>a/b</cameraName></plugin></sensor>"""
SCANNER = """<sensor type="gpu_lidar" name="scan"><update_rate>20</update_rate><{0}><scan><horizontal>
  <samples>91</samples><resolution>1</resolution><min_angle>-0.5</min_angle><max_angle>1.0</max_angle></horizontal>
  <vertical><samples>16</samples></vertical></scan><range><min>0.2</min><max>12</max><resolution>0.1</resolution></range>
  <noise><type>gaussian</type><stddev>0.02</stddev></noise></{0}></sensor>"""
IMU = """<sensor type="imu" name="unit"><always_on>1</always_on><update_rate>250</update_rate><imu>
  <angular_velocity>{0}</angular_velocity><linear_acceleration>{1}</linear_acceleration></imu></sensor>"""
AXES = "".join(f"<{a}><noise type='gaussian'><stddev>%s</stddev><bias_mean>%s</bias_mean></noise></{a}>" for a in "xyz")
BEAM = """<sensor type="ray" name="down"><ray><scan><horizontal><samples>1</samples></horizontal></scan>
  <range><min>0.1</min><max>35</max></range></ray></sensor>"""
ALL = (
    CAMERA
    + SCANNER.format("lidar")
    + IMU.format(AXES % (("0.01", "0.002") * 3), AXES % (("0.3", "0") * 3))
    + BEAM
    + '<sensor type="sonar" name="ping"><sonar><max>3</max></sonar></sensor>'
    + '<sensor type="gps" name="where"><gps><position_sensing/></gps></sensor>'
)
BODY = "<inertial><mass>1</mass><inertia><ixx>.1</ixx><iyy>.1</iyy><izz>.1</izz></inertia></inertial>"
SDF = f'<sdf version="1.9"><model name="toy"><link name="base">{BODY}{ALL}</link></model></sdf>'
URDF = f"""<robot name="toy"><link name="base"><inertial><mass value="1"/>
  <inertia ixx=".1" iyy=".1" izz=".1"/></inertial></link><gazebo reference="base">{ALL}</gazebo></robot>"""


@pytest.fixture(params=["toy.sdf", "toy.urdf"])
def made(request, tmp_path):
    """The same sensors from both formats."""
    path = tmp_path / request.param
    path.write_text(SDF if path.suffix == ".sdf" else URDF)
    return import_file(path, tmp_path / "ours")


def test_numbers_are_carried_over(made):
    parts = yaml.safe_load((made.folder / "vehicle.yaml").read_text())["parts"]
    eye = {
        "rate_hz": 15,
        "width_px": 64,
        "height_px": 48,
        "field_of_view": 1.2,
        "near": 0.05,
        "far": 80,
        "noise": 0.007,
    }
    assert parts["eye"] == {"kind": "camera", "site": "eye", **eye}
    fan = {"rays": 91, "angle_min_deg": math.degrees(-0.5), "angle_max_deg": math.degrees(1.0)}
    reach = {"range_min": 0.2, "range_max": 12.0, "noise": 0.02}
    assert parts["scan"] == {"kind": "laser", "site": "scan", "rate_hz": 20, **fan, **reach}
    unit = parts["unit"]
    # a deviation of one sample is a density times the root of the rate
    assert unit["rate_noise"] * math.sqrt(250) == pytest.approx(0.01)
    assert unit["accel_noise"] * math.sqrt(250) == pytest.approx(0.3)
    assert unit["rate_bias"] == [0.002] * 3 and "accel_bias" not in unit
    assert (parts["down"]["kind"], parts["down"]["range_max"], parts["down"]["rate_hz"]) == ("rangefinder", 35, 40)
    assert parts["where"]["kind"] == "gnss"


def test_they_sit_where_the_source_has_them_and_measure(made):
    world = cupola.load(str(made.run))
    eye = world.robot().sites["eye"]
    assert eye.place == pytest.approx((0.1, 0, 0.2))
    assert eye.x_axis == pytest.approx((math.cos(0.3), 0, -math.sin(0.3)))  # 0.3 rad nose down
    world.run(0.1)
    assert len(world.samples["ours", "scan"].latest().ranges) == 91


def test_what_they_lose_is_listed(made):
    lost = {what.partition(": ")[2]: why for what, why in made.lost}
    assert any(what.endswith("sensor ping") and "type sonar" in why for what, why in lost.items())
    assert any("samples 16" in what for what in lost)
    assert any(what.endswith("plugin c") and "a/b" in why for what, why in lost.items())
    assert any("position_sensing" in what for what in lost)
    assert any(what.endswith("sensor down: update_rate") for what, _ in made.report.assumed)
