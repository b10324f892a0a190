"""The laws that drive Mecanum wheels, against the checks of ros2_controllers' mecanum_drive_controller."""

import ctypes
import math

import numpy as np
import pytest

from cupola.control.mecanum.drive import ALIVE, DriveState, MecanumDrive
from cupola.control.mecanum.route import MecanumRoute
from cupola.control.mecanum.wheels import MecanumWheels
from cupola.engine.law import PLAN_WIDTH, compile_law, law_block, law_of
from cupola.kernel.memory import STICKS
from cupola.kernel.observation import Reference, observation_in
from cupola.kernel.records import flat, size
from cupola.kernel.rows import OBSERVATION

AXES = ("linear_x", "linear_y", "angular_z")
FREE = 1e6
"""An acceleration that limits nothing."""


BASE = {"wheels_radius": 0.1016, "sum_of_robot_center_projection_on_X_Y_axis": 0.74, "roller_slope": 1.0}


def driver(speed=20.0, up=FREE, down=-FREE, up_reverse=-FREE, down_reverse=FREE, **others):
    """ROS's test base: radius 0.5 m, half sizes 1 m, the same limits on all axes."""
    limits = {
        "max_velocity": speed,
        "min_velocity": -speed,
        "max_acceleration": up,
        "max_deceleration": down,
        "max_acceleration_reverse": up_reverse,
        "max_deceleration_reverse": down_reverse,
    }
    values = {f"{axis}_{name}": value for axis in AXES for name, value in limits.items()}
    values |= {"wheels_radius": 0.5, "sum_of_robot_center_projection_on_X_Y_axis": 1.0, "roller_slope": 1.0}
    return MecanumDrive(**(values | others))


def obs(period=0.001, **motion):
    return observation_in(np.zeros((), OBSERVATION))._replace(period=period, **motion)


def sticks(x=0.0, y=0.0, turn=0.0, alive=0.0, full=20.0):
    """Sticks that ask for velocities [m/s, m/s, rad/s] where full stick is `full`."""
    channels = [0.0] * STICKS
    channels[0], channels[1], channels[2], channels[ALIVE] = -y / full, -x / full, -turn / full, alive
    return Reference(channels, [])


def wheels(controller, ref, period=0.001):
    """Front left, front right, rear right, rear left, as ROS lists them."""
    front_right, front_left, rear_left, rear_right = controller.step(obs(period), ref)
    return front_left, front_right, rear_right, rear_left


def test_three_velocities_in_one_step():
    assert wheels(driver(), sticks(10.0, 5.0, 3.0)) == pytest.approx((4.0, 36.0, 16.0, 24.0))


def test_forward_turns_all_wheels_alike():
    assert wheels(driver(), sticks(1.5)) == pytest.approx((3.0,) * 4)


def test_a_driven_frame_beside_the_centre():
    """Offset (1 m, 2 m, 3 rad) of the ROS odometry test."""
    base = {"wheels_radius": 0.05, "sum_of_robot_center_projection_on_X_Y_axis": 0.2925}
    offset = {"base_frame_offset_x": 1.0, "base_frame_offset_y": 2.0, "base_frame_offset_theta": 3.0}
    sideways = wheels(driver(**base, **offset), sticks(y=2.0))
    assert sideways == pytest.approx((33.9549, -45.2445, 33.9549, -45.2445), abs=1e-3)
    turning = wheels(driver(**base, **offset), sticks(turn=-0.5))
    assert turning == pytest.approx((-27.075, -12.925, -32.925, -7.075), abs=1e-3)


@pytest.mark.parametrize(
    ("start", "end", "seconds"), [(0.0, 1.0, 0.5), (1.0, 0.0, 0.25), (0.0, -1.0, 0.125), (-1.0, 0.0, 0.1)]
)
def test_speeding_up_and_braking_each_way_has_its_own_limit(start, end, seconds):
    controller = driver(up=2.0, down=-4.0, up_reverse=-8.0, down_reverse=10.0)
    controller.state = DriveState(vel_x=start)
    steps = round(seconds / 0.001)
    path = [wheels(controller, sticks(end))[0] for _ in range(steps)]
    assert abs(path[-2] - end / 0.5) > 1e-3
    assert path[-1] == pytest.approx(end / 0.5, abs=1e-3)


@pytest.mark.parametrize("wish", [{"y": 1.0}, {"turn": 1.0}])
def test_the_other_axes_are_limited_too(wish):
    controller = driver(up=2.0)
    path = [wheels(controller, sticks(**wish))[1] for _ in range(500)]
    assert path[-2] < 2.0 - 1e-3
    assert path[-1] == pytest.approx(2.0, abs=1e-9)


def test_full_stick_is_the_velocity_limit_and_more_is_not_more():
    controller = driver(speed=0.4)
    assert wheels(controller, sticks(0.4, full=0.4)) == pytest.approx((0.8,) * 4)
    assert wheels(controller, sticks(4.0, full=0.4)) == pytest.approx((0.8,) * 4)


def test_a_sender_that_falls_silent_stops_the_base():
    controller = driver(reference_timeout=0.9)
    assert wheels(controller, sticks(1.5, alive=0.1), period=0.1) == pytest.approx((3.0,) * 4)
    held = [wheels(controller, sticks(1.5, alive=0.1), period=0.1)[0] for _ in range(10)]
    assert held == pytest.approx([3.0] * 9 + [0.0])
    assert controller.mission(obs(), sticks(1.5, alive=0.1), controller.state).startswith("stopped")
    assert wheels(controller, sticks(1.5, alive=0.2), period=0.1) == pytest.approx((3.0,) * 4)


def test_without_a_time_a_reference_counts_once():
    controller = driver(reference_timeout=0.0)
    assert [wheels(controller, sticks(1.5, alive=0.1))[0] for _ in range(2)] == pytest.approx([3.0, 0.0])


def test_sticks_that_nobody_promises_to_repeat_are_held():
    controller = driver(reference_timeout=0.1)
    assert [wheels(controller, sticks(1.5), period=1.0)[0] for _ in range(5)] == pytest.approx([3.0] * 5)


def test_before_any_reference_and_without_a_number_it_stands():
    controller = driver()
    assert wheels(controller, sticks()) == pytest.approx((0.0,) * 4)
    assert wheels(controller, sticks(math.nan, 0.0, 0.0)) == pytest.approx((0.0,) * 4)


def test_odometry_is_the_path_of_the_commands():
    """A quarter of a circle of 2 m radius at 0.1 rad/s, from ROS's pose (5, -2, 90°)."""
    controller = driver()
    controller.state = DriveState(x=5.0, y=-2.0, yaw=math.pi / 2)
    steps = 100
    for _ in range(steps + 1):
        controller.step(obs(math.pi / 2 / 0.1 / steps), sticks(0.2, 0.0, 0.1))
    state = controller.state
    assert (state.x, state.y) == pytest.approx((3.0, 0.0))
    assert abs(state.yaw) == pytest.approx(math.pi)


def test_odometry_of_the_ros_test_with_an_offset_returns():
    """vy +2, turn -0.5, vy -2, turn +0.5 for a second each: the driven frame, not the centre, is followed."""
    controller = driver(base_frame_offset_x=1.0, base_frame_offset_y=2.0, base_frame_offset_theta=3.0)
    for wish in ({"y": 2.0}, {"turn": -0.5}, {"y": -2.0}, {"turn": 0.5}):
        for _ in range(50):
            controller.step(obs(0.02), sticks(**wish))
    controller.step(obs(0.02), sticks())
    # -2 m along y, turned by -0.5 rad, after 2 m along y.
    assert (controller.state.x, controller.state.y) == pytest.approx((-2 * math.sin(0.5), 2 - 2 * math.cos(0.5)))
    assert controller.state.yaw == pytest.approx(0.0, abs=1e-12)


def test_taking_over_does_not_jerk():
    controller = driver(up=2.0)
    moving = obs(vel_b=obs().vel_b._replace(x=0.7))
    controller.state = controller.take_over(moving, DriveState(x=3.0))
    assert wheels(controller, sticks(20.0))[0] == pytest.approx((0.7 + 0.002) / 0.5)
    assert controller.state.x == pytest.approx(3.0 + 0.0007)


def test_raw_sticks_are_wheel_speeds_and_no_number_passes():
    command = MecanumWheels(speed=5.0).step(obs(), Reference([1.0, -0.5, math.nan, 0.0], []))
    assert command[:2] == (5.0, -2.5)
    assert math.isnan(command[2])


@pytest.mark.parametrize("controller", [MecanumDrive(**BASE), MecanumRoute(**BASE), MecanumWheels()])
def test_compiled_laws_do_the_same(controller):
    cls = type(controller)
    law = compile_law(law_of(cls))
    channels = np.array([0.3, -0.4, 0.2, 0.1, 0.7] + [0.0] * (STICKS - 5))
    state, command = np.array(cls.State(), float), np.zeros(4)
    motion = np.zeros(1, OBSERVATION)
    motion["period"] = 0.01
    numbers = np.array(list(controller.values.values()))
    reported = np.zeros(size(cls.Signals))
    block = law_block(motion, channels, state, numbers, command, np.zeros((0, PLAN_WIDTH)), reported)
    ref = Reference(channels.tolist(), [])
    run = ctypes.CFUNCTYPE(None, ctypes.c_ssize_t)(law.address)
    for _ in range(70):
        run(block.ctypes.data)
        plain = controller.step(obs(0.01), ref)
    told = flat(cls.report(obs(0.01), ref, controller.state, controller)) if cls.report else []
    assert command.tolist() == pytest.approx(plain, rel=1e-14)
    assert state.tolist() == pytest.approx(controller.state, rel=1e-14)
    assert reported.tolist() == pytest.approx(told, rel=1e-14, nan_ok=True)
