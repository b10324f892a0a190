"""Hold loops of the plane: gains from the model's coefficients, step responses of the chosen bandwidths, take-off."""

import math
from typing import Any

import numpy as np
import pytest

from cupola.config.vehicle import MODELS, read_vehicle
from cupola.control.paths import along, beside, course_of_line, course_of_orbit, fillet_between, leg_between
from cupola.control.plane.hold import PlaneHold
from cupola.control.plane.waypoints import PlaneWaypoints
from cupola.physics.rotation import Vector, euler_from_quaternion

CRUISE, DENSITY, GRAVITY, MASS = 24.0, 1.225, 9.81, 3.42
AHEAD = 0.1094
"""[m] of the centre of mass before the wing."""
TIMES = 0.02 * np.arange(1, 501)


def test_the_default_gains_follow_from_the_coefficients():
    p = PlaneHold()
    parts: dict[str, Any] = read_vehicle(MODELS / "plane_1wing" / "vehicle.yaml").parts
    s, throw, motor = parts["wing"].surface, parts["wing"].deflection_max, parts["motor1"].generic
    push = 0.5 * DENSITY * CRUISE**2 * s.area
    # Roll rate at which damping takes up the full aileron.
    assert p.roll_effect == pytest.approx(2 * CRUISE * s.c_l_input_x * throw[0] / (s.span * -s.c_l_p), rel=0.01)
    # Full elevator against the stiffness in pitch gives an angle of attack; its lift bends the path.
    stiffness = -s.chord * s.c_m_a + AHEAD * s.c_lift_a
    alpha = s.chord * s.c_m_input_y * throw[1] / stiffness
    assert p.pitch_effect == pytest.approx(push * s.c_lift_a * alpha / (MASS * CRUISE), rel=0.02)
    # Level flight: the lift that carries the weight, its moment about the centre of mass, its drag.
    c_lift = MASS * GRAVITY / push
    level = (c_lift - s.c_lift_0) / s.c_lift_a
    moment = s.chord * (s.c_m_0 + s.c_m_a * level) - AHEAD * c_lift
    assert p.pitch_trim == pytest.approx(-moment / (s.chord * s.c_m_input_y * throw[1]), abs=0.02)
    drag = push * (s.c_drag_p + c_lift**2 * s.area / (math.pi * s.oswald * s.span**2))
    disk = 0.5 * DENSITY * motor.s_prop * motor.c_prop
    throttle = math.sqrt(drag / disk + CRUISE**2) / motor.k_motor
    assert p.throttle_trim == pytest.approx(throttle, abs=0.01)
    assert p.throttle_effect == pytest.approx(2 * disk * motor.k_motor**2 * throttle / MASS, rel=0.02)
    # The integral cancels how drag and propeller slow down what flies too fast, so the airspeed answers in first order.
    slowing = 2 * (drag / CRUISE + disk * CRUISE) / MASS
    assert p.speed_ki == pytest.approx(p.speed_bandwidth * slowing, abs=0.01)


@pytest.fixture(scope="module")
def trimmed(make_world):
    """In level flight with all integrals settled."""
    controller = {"use": "plane_hold", "rate_hz": 100}
    entry: dict[str, Any] = {
        "model": "plane_1wing",
        "position": [0, 0, 100],
        "velocity_b": [24, 0, 0],
        "controller": controller,
    }
    world = make_world(entry, physics_hz=500)
    world.run(20.0)
    settled = world.snapshot()

    def start():
        world.restore(settled)
        world.sticks([0, 0, 0, 0])
        return world

    return start


def watch(world, look):
    """What `look` shows every 0.02 s for ten seconds."""
    rows = []
    for _ in TIMES:
        world.run(0.02)
        rows.append(look(world.motion()))
    return np.array(rows)


def rise_time(values, start, end):
    """[s] from 10 % to 90 % of the step."""
    share = (values - start) / (end - start)
    return TIMES[np.argmax(share > 0.9)] - TIMES[np.argmax(share > 0.1)]


def overshoot(values, start, end):
    return ((values - start) / (end - start)).max() - 1.0


def airspeed(seen):
    return float(np.linalg.norm(seen.vel_air_b))


def test_holds_what_it_flies_at(trimmed):
    world = trimmed()
    seen = world.motion()
    assert airspeed(seen) == pytest.approx(CRUISE, abs=0.02)
    assert np.linalg.norm(seen.vel_w) == pytest.approx(CRUISE, abs=0.02)
    before = seen.pos_w
    world.run(10.0)
    assert world.motion().pos_w.z == pytest.approx(before.z, abs=0.05) and abs(world.motion().pos_w.y) < 1e-6
    assert before.z == pytest.approx(100.0, abs=0.2)


def test_roll_hold(trimmed):
    world = trimmed()
    world.sticks([0.5, 0, 0, 0])
    roll = watch(world, lambda seen: euler_from_quaternion(seen.quat_wb).roll)
    # First order of 4 1/s: ln 9 / 4 = 0.55 s; the roll mode (1/27 s) adds little. Stick below its stop: 0.35 rad x 4 is
    # less than the 2.1 rad/s of full stick.
    assert rise_time(roll, 0.0, 0.35) == pytest.approx(math.log(9) / 4.0, rel=0.2)
    assert overshoot(roll, 0.0, 0.35) < 0.05
    assert roll[-1] == pytest.approx(0.35, abs=0.01)  # c_l_r and c_l_b against a loop without integral


def test_a_turn_keeps_height_and_airspeed_and_is_coordinated(trimmed):
    world = trimmed()
    world.sticks([1.0, 0, 0, 0])
    rows = watch(world, lambda seen: [seen.pos_w.z, airspeed(seen)])
    assert np.ptp(rows[:, 0]) < 3.0 and np.abs(rows[:, 1] - CRUISE).max() < 1.0
    world.run(20.0)
    seen = world.motion()
    assert abs(seen.vel_air_b.y) < 0.1  # sideslip below 0.3°
    # Without sideslip the rudder that turns the nose against its damping pushes outwards, by c_y_input_z: the lift L
    # carries L cos + side sin = m g, and L sin - side cos = m V turn rate, of which cos(bank) about the body's z.
    roll, rudder = euler_from_quaternion(seen.quat_wb).roll, world.command()[2]
    side = 0.5 * 1.213 * airspeed(seen) ** 2 * 0.3 * 0.2 * 0.3491 * rudder  # density at 100 m
    lift = (MASS * GRAVITY - side * math.sin(roll)) / math.cos(roll)
    turn = (lift * math.sin(roll) - side * math.cos(roll)) / (MASS * airspeed(seen))
    assert roll == pytest.approx(0.7, abs=0.02)
    assert seen.rate_b.z == pytest.approx(-turn * math.cos(roll), rel=0.02)


def test_letting_the_roll_stick_go_holds_the_course(trimmed):
    world = trimmed()
    world.sticks([0.8, 0, 0, 0])
    world.run(4.0)
    world.sticks([0, 0, 0, 0])
    world.run(3.0)
    courses = watch(world, lambda seen: math.atan2(seen.vel_w.y, seen.vel_w.x))
    assert courses[0] < -0.5  # it has turned right
    assert np.ptp(courses[250:]) < 0.01


def test_airspeed_hold(trimmed):
    world = trimmed()
    world.sticks([0, 0, 0, 0.25])  # a quarter of the way from 24 to 30 m/s
    speed = watch(world, airspeed)
    # First order of 0.6 1/s: ln 9 / 0.6 = 3.7 s.
    assert rise_time(speed, CRUISE, CRUISE + 1.5) == pytest.approx(math.log(9) / 0.6, rel=0.15)
    assert overshoot(speed, CRUISE, CRUISE + 1.5) < 0.05
    world.run(20.0)
    assert airspeed(world.motion()) == pytest.approx(CRUISE + 1.5, abs=0.02)
    assert world.motion().pos_w.z == pytest.approx(100.0, abs=0.5)


def test_climb_and_altitude_hold(trimmed):
    world = trimmed()
    world.sticks([0, 0.6, 0, 0])
    rows = watch(world, lambda seen: [seen.vel_w.z, airspeed(seen)])
    assert rise_time(rows[:, 0], 0.0, 3.0) < 2.0 and overshoot(rows[:, 0], 0.0, 3.0) < 0.3
    assert rows[-1, 0] == pytest.approx(3.0, abs=0.1)
    assert np.abs(rows[:, 1] - CRUISE).max() < 1.0
    world.sticks([0, 0, 0, 0])
    world.run(3.0)
    heights = watch(world, lambda seen: seen.pos_w.z)
    assert heights[0] > 125.0 and np.ptp(heights[250:]) < 0.3


@pytest.mark.parametrize("wind", [{"speed": 3.0, "from_deg": 0}, {"speed": 3.0, "from_deg": 180}, None])
def test_takes_off_from_its_wheels_in_a_crosswind(make_world, wind):
    plan = [{"position": [600, 0, 40], "speed": 24}]
    entry: dict[str, Any] = {"model": "plane_1wing", "position": [0, 0, 0.2], "attitude_deg": [0, -2.6, 0]}
    entry["controller"] = {"use": "plane_waypoints", "rate_hz": 100, "plan": plan}
    world = make_world(entry, floor={}, air={"wind": wind})
    world.run(1.0)
    assert world.motion().pos_w.z < 0.25  # still rolling
    low = []
    while world.motion().pos_w.z < 10.0:
        world.run(0.05)
        low.append([world.motion().pos_w.y, euler_from_quaternion(world.motion().quat_wb).roll])
        assert world.time < 10.0
    off = np.abs(low)
    # Nothing steers its wheels, and a rudder of 0.1 x 0.35 cannot hold the weathercock's 0.25 x 3 / 12 while it is
    # slow: it leaves the axis of the runway, by this much.
    assert off[:, 0].max() < (25.0 if wind else 1e-6) and off[:, 1].max() < 0.2
    world.run(15.0)
    seen = world.motion()
    assert seen.pos_w.z == pytest.approx(40.0, abs=2.0) and abs(seen.pos_w.y) < 4.0
    assert airspeed(seen) == pytest.approx(24.0, abs=1.0)


@pytest.mark.parametrize(("height", "words"), [(60.0, "waypoint 1 of 1"), (0.2, "take-off")])
def test_only_what_is_low_takes_off(make_world, height, words):
    plan = [{"position": [300, 0, 60], "speed": 24}]
    entry: dict[str, Any] = {"model": "plane_1wing", "position": [0, 0, height], "velocity_b": [15, 0, 0]}
    world = make_world({**entry, "controller": {"use": "plane_waypoints", "rate_hz": 100, "plan": plan}}, floor={})
    world.run(0.1)
    assert world.mission() == words  # 15 m/s is below rotate_speed at both heights


def test_without_a_plan_it_takes_off_and_circles_over_the_start(make_world):
    entry: dict[str, Any] = {"model": "plane_1wing", "position": [0, 0, 0.2], "attitude_deg": [0, -2.6, 0]}
    world = make_world({**entry, "controller": {"use": "plane_waypoints", "rate_hz": 100}}, floor={})
    world.run(40.0)
    x, y, z = world.motion().pos_w
    assert math.hypot(x, y) == pytest.approx(120.0, abs=4.0) and z == pytest.approx(10.2, abs=0.5)


def test_with_hold_sticks_a_pull_takes_off(make_world):
    entry: dict[str, Any] = {"model": "plane_1wing", "position": [0, 0, 0.2], "attitude_deg": [0, -2.6, 0]}
    world = make_world({**entry, "controller": {"use": "plane_hold", "rate_hz": 100}}, floor={})
    world.sticks([0, 0.8, 0, 0])
    world.run(15.0)
    assert world.motion().vel_w.z == pytest.approx(4.0, abs=0.2) and world.motion().pos_w.z > 40.0


def test_without_a_landing_it_circles_over_the_last_waypoint(make_world):
    plan = [{"position": [300, 0, 60], "speed": 24}]
    entry: dict[str, Any] = {"model": "plane_1wing", "position": [0, 0, 60], "velocity_b": [24, 0, 0]}
    entry["controller"] = {"use": "plane_waypoints", "rate_hz": 100, "plan": plan}
    world = make_world(entry, physics_hz=500)
    world.run(60.0)
    for _ in range(30):
        world.run(1.0)
        x, y, z = world.motion().pos_w
        assert math.hypot(x - 300, y) == pytest.approx(120.0, abs=4.0) and z == pytest.approx(60.0, abs=1.0)


def test_a_corner_too_tight_for_an_arc_is_still_flown(make_world):
    corners = [(300, 0, 60), (300, 100, 60), (0, 100, 60), (-300, 100, 60), (300, 100, 60)]  # one turn right back
    plan = [{"position": list(at), "speed": 24} for at in corners]
    entry: dict[str, Any] = {"model": "plane_1wing", "position": [0, 0, 60], "velocity_b": [24, 0, 0]}
    entry["controller"] = {"use": "plane_waypoints", "rate_hz": 100, "plan": plan}
    world = make_world(entry, physics_hz=500)
    nearest = np.full(len(corners), np.inf)
    for _ in range(400):
        world.run(0.25)
        nearest = np.minimum(nearest, np.linalg.norm(np.array(corners) - np.array(world.motion().pos_w), axis=1))
    assert nearest[[0, 2, 3]].max() < 15.0


@pytest.mark.parametrize("use", ["plane_hold", "plane_waypoints"])
def test_compiled_and_plain_agree_to_the_bit(make_world, use):
    plan = [{"position": [200, 0, 30], "speed": 24}, {"position": [200, 300, 30], "speed": 24}]
    entry: dict[str, Any] = {"model": "plane_1wing", "position": [0, 0, 20], "velocity_b": [22, 0, 0]}
    entry["controller"] = {"use": use, "rate_hz": 100, "plan": plan if use == "plane_waypoints" else []}
    air, ends = {"turbulence": {"sigma": [1, 1, 0.5]}}, []
    for compiled in (True, False):
        world = make_world(entry, air=air, physics_hz=500, options={"compiled": compiled})
        world.sticks([0.4, 0.3, 0.1, -0.4])
        world.run(12.0)
        ends.append(world.motion()._replace(period=0.0))  # which only a compiled law is told in place
    assert ends[0] == ends[1]


def test_lines_and_circles_pull_towards_themselves():
    p = PlaneWaypoints()
    leg = leg_between(0.0, 0.0, 0.0, 100.0)  # north
    assert (leg.course, leg.length) == (math.pi / 2, 100.0)
    west = Vector(-30.0, 40.0, 0.0)
    assert (along(leg, west), beside(leg, west)) == pytest.approx((40.0, 30.0))
    assert course_of_line(leg, Vector(0.0, 7.0, 0.0), p) == pytest.approx(math.pi / 2)
    assert math.pi / 2 - p.approach < course_of_line(leg, west, p) < math.pi / 2  # back to the right
    for side in (1.0, -1.0):
        on, out = (course_of_orbit(0.0, 0.0, 50.0, side, Vector(r, 0.0, 0.0), p) for r in (50.0, 80.0))
        assert on == pytest.approx(side * math.pi / 2)
        assert math.cos(out) < 0 < side * math.sin(out)  # inwards


def test_a_fillet_touches_both_legs():
    before, after = leg_between(0.0, 0.0, 400.0, 0.0), leg_between(400.0, 0.0, 500.0, -300.0)
    f = fillet_between(before, after, 80.0)
    centre = Vector(f.x, f.y, 0.0)
    assert f.side == -1.0 and f.ahead > 0.0
    assert beside(before, centre) == pytest.approx(-80.0) and beside(after, centre) == pytest.approx(-80.0)
    assert along(before, centre) == pytest.approx(400.0 - f.ahead) and along(after, centre) == pytest.approx(f.ahead)
    assert fillet_between(before, leg_between(400.0, 0.0, 0.0, 1.0), 80.0).ahead == 0.0
