"""Roots that slide, turn or are fixed: where a start puts them, and what a scenario may make of a root."""

import math

import numpy as np
import pytest

from cupola.schema.yaml_files import InputError

PLANAR = """<body name="base" pos="0 0 0.5"><joint name="x" type="slide" axis="1 0 0"/>
<joint name="y" type="slide" axis="0 1 0"/><joint name="yaw" axis="0 0 1"/><geom size="0.1" mass="2"/>
<site name="base"/><body name="arm" pos="0.2 0 0"><joint name="bend" axis="0 0 1"/><geom size="0.05" mass="1"/></body>
</body>"""
FIXED = '<body name="base"><geom size="0.1" mass="2"/><body><joint axis="1 0 0"/><geom size="0.1"/></body></body>'
IDLE = {"use": "idle", "rate_hz": 1}
START = {"position": [1.0, -2.0, 0.3], "attitude_deg": [0, 0, 90], "velocity_b": [0.2, 0.1, 0], "rate_b": [0, 0, 0.4]}


@pytest.fixture
def sled(vehicle):
    return vehicle(PLANAR, controller=IDLE)


def test_slides_and_hinge_take_the_pose_and_the_frame_the_height(sled, make_world):
    world = make_world({"model": sled, **START}, gravity=0.0)
    seen = world.motion()
    assert seen.pos_w == pytest.approx((1.0, -2.0, 0.3))
    assert seen.vel_w == pytest.approx((-0.1, 0.2, 0.0))
    assert seen.vel_b == pytest.approx((0.2, 0.1, 0.0))
    assert seen.rate_b == pytest.approx((0.0, 0.0, 0.4))
    assert world.data.qpos[:3] == pytest.approx((1.0, -2.0, math.pi / 2))


def test_it_stays_in_its_plane_under_gravity(sled, make_world):
    world = make_world({"model": sled, **START}, integrator="RK4")
    before = world.motion()
    world.run(1.0)
    after = world.motion()
    assert after.pos_w.z == pytest.approx(0.3)
    com = lambda m: np.array(m.pos_w)  # noqa: E731
    assert np.linalg.norm(com(after) - com(before)) > 0.1


def test_without_a_start_the_place_of_the_model_is_kept(sled, make_world):
    assert make_world(sled).motion().pos_w == pytest.approx((0.0, 0.0, 0.5))


def test_a_tilted_start_tilts_the_frame_of_the_slides(sled, make_world):
    world = make_world({"model": sled, "attitude_deg": [0, 30, 50]})
    other = make_world({"model": sled, "freedom": "free", "attitude_deg": [0, 30, 50]})
    assert world.motion().quat_wb == pytest.approx(other.motion().quat_wb)


def test_a_fixed_root_is_put_where_the_start_says(vehicle, make_world):
    folder = vehicle(FIXED, controller=IDLE)
    world = make_world({"model": folder, "position": [0, 0, 2], "attitude_deg": [0, 10, 0]})
    world.run(0.2)
    assert world.motion().pos_w == pytest.approx((0.0, 0.0, 2.0))
    assert world.motion().vel_w == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)


@pytest.mark.parametrize("start", [{"velocity_b": [0, 0, 1]}, {"rate_b": [0.1, 0, 0]}])
def test_a_velocity_that_no_joint_allows_is_refused(sled, make_world, start):
    with pytest.raises(InputError, match=r"joints of 'base' do not allow"):
        make_world({"model": sled, **start})


@pytest.mark.parametrize(("freedom", "count"), [("model", 4), ("free", 7), ("planar", 4), ("fixed", 1)])
def test_freedom_of_the_root(sled, make_world, freedom, count):
    world = make_world({"model": sled, "freedom": freedom, "position": [1, 0, 0.3]}, gravity=0.0)
    assert world.model.nv == count
    assert world.motion().pos_w == pytest.approx((1.0, 0.0, 0.3))
    world.run(0.1)
    assert world.motion().pos_w == pytest.approx((1.0, 0.0, 0.3))


def test_joints_start_where_they_are_put_and_go_back_there(sled, make_world):
    world = make_world({"model": sled, "joints_deg": {"bend": 30}, "rate_b": [0, 0, 1]})
    assert world.data.joint("toy/bend").qpos[0] == pytest.approx(math.radians(30))
    world.run(0.5)
    world.restart()
    assert world.data.joint("toy/bend").qpos[0] == pytest.approx(math.radians(30))


def test_an_unknown_joint_is_refused_with_those_there_are(sled, make_world):
    with pytest.raises(InputError, match=r"no hinge 'knee'; its joints: x, y, yaw, bend"):
        make_world({"model": sled, "joints_deg": {"knee": 30}})


@pytest.mark.parametrize(("angle", "goes"), [(-40, False), (-20.5, True), (30, True), (101.5, False)])
def test_a_start_beyond_the_end_stops_is_refused_with_the_stops(vehicle, make_world, angle, goes):
    sled = vehicle(PLANAR.replace('name="bend"', 'name="bend" range="-20 100"'), controller=IDLE)
    if goes:
        make_world({"model": sled, "joints_deg": {"bend": angle}})
        return
    with pytest.raises(InputError, match=r"bend at .* is beyond its end stops, -20° and 100°"):
        make_world({"model": sled, "joints_deg": {"bend": angle}})


def test_a_table_that_is_not_level_pulls_down_the_slope(sled, make_world):
    world = make_world(sled, slope_deg=[1.0, 0.0], gravity=9.81)
    world.run(1.0)
    moved = world.motion().pos_w
    assert moved.x == pytest.approx(-0.5 * 9.81 * math.sin(math.radians(1.0)), rel=2e-3)
    assert moved.y == pytest.approx(0.0, abs=1e-9)


def test_controllers_read_the_sensors_of_other_vehicles(vehicle, make_world):
    truth = {"eye": {"kind": "truth", "site": "base", "rate_hz": 10}}
    a = vehicle(PLANAR, name="a", parts=truth, controller=IDLE)
    b = vehicle(PLANAR, name="b", parts=truth, controller=IDLE)
    world = make_world({"model": a}, {"model": b, "position": [3, 0, 0]}, gravity=0.0)
    sensors = world.runner("a").controller.sensors
    assert set(sensors) == {"eye", "b/eye"}
    assert sensors["b/eye"]().pos_w.x == pytest.approx(3.0)
    assert sensors["eye"]().pos_w.x == pytest.approx(0.0)
