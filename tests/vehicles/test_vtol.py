"""The quadplane: closed forms of hover and cruise, transitions, whole missions in wind, velocity sticks."""

import math
from typing import Any

import numpy as np
import pytest

from cupola.analysis import Aircraft, Condition, trim
from cupola.config.vehicle import MODELS, read_vehicle
from cupola.control.vtol.blend import (
    CARRIED,
    VtolGains,
    crab,
    most_nose_up,
    rotor_share,
    turn_into_wind,
    wind,
    wing_lift,
)
from cupola.control.vtol.phases import approach_speed, stopping_distance
from cupola.control.vtol.waypoints import VtolWaypoints
from cupola.kernel.observation import Observation
from cupola.parts.curve import curve_value
from cupola.physics.rotation import Quaternion, Vector, euler_from_quaternion, quaternion_from_euler, rotate, unrotate

MASS, GRAVITY, DENSITY, CRUISE = 5.0, 9.81, 1.225, 18.0
AREA, ARM_OF_TAIL, BEHIND, INCIDENCE = 0.5, 0.8, 0.012, math.radians(5.0)
SLOPE, STALL = 4.752798721, 0.3391428111
TURBULENCE = {"sigma": [1.0, 1.0, 0.6], "length": [200, 200, 50]}
PARTS: dict[str, Any] = read_vehicle(MODELS / "vtol" / "vehicle.yaml").parts
LEVEL = [{"position": [500, 0, 20.21], "speed": 18}, {"position": [900, 0, 0.21], "speed": 18, "land": True}]


UPRIGHT = Quaternion(1.0, 0.0, 0.0, 0.0)


def seen_with(vel_air_b, vel_w=(0, 0, 0), quat_wb=UPRIGHT):
    still, vel_b = Vector(0.0, 0.0, 0.0), unrotate(quat_wb, Vector(*vel_w))
    return Observation(0.0, 0.005, still, quat_wb, Vector(*vel_w), vel_b, still, Vector(*vel_air_b))


def full_thrust(motor):
    return 0.5 * DENSITY * motor.s_prop * motor.c_prop * motor.k_motor**2


class Flight:
    """One mission, looked at ten times a second until it has landed."""

    def __init__(self, make_world, air, plan, seed=1):
        controller = {"use": "vtol_waypoints", "rate_hz": 200, "plan": plan}
        world = make_world({"model": "vtol", "controller": controller}, air=air, floor={}, physics_hz=1000, seed=seed)
        rows, words = [], []
        while not words or words[-1] != "landed":
            world.run(0.1)
            m = world.motion()
            rows.append([world.time, *m.pos_w, *m.vel_w, *m.vel_air_b, world.command()[0]])
            words.append(world.mission())
            assert world.time < 200.0, words[-1]
        t = np.array(rows)
        self.time, self.pos, self.vel, self.air, self.lift = t[:, 0], *np.split(t[:, 1:10], 3, 1), t[:, 10]
        self.words = np.array(words)

    def during(self, word):
        found = self.words == word
        assert found.any(), word
        return found


# The vehicle


def test_the_curves_are_the_formulas_of_the_readme():
    def logistic(x):
        return 1.0 / (1.0 + math.exp(-x))

    for name, degrees in (
        (name, d) for name in ("lift", "drag") for d in (-165, -90, -30, -10, 0, 5, 12.5, 20, 45, 150)
    ):
        a = math.radians(degrees)
        above, below = logistic(25 * (a - STALL)), logistic(-25 * (a + STALL))
        plate = above + below - above * below
        curve = getattr(PARTS["tail"], name)
        pool = [*curve.breaks, *curve.coefficients]
        value = curve_value(a, (0, len(curve.breaks) - 1, len(curve.coefficients)), pool)
        aspect = 2.144**2 / AREA
        expected = {
            "lift": (1 - plate) * SLOPE * a + plate * 1.2 * math.sin(a) * math.cos(a),
            "drag": 0.02 + (1 - plate) * (SLOPE * a) ** 2 / (math.pi * 0.9 * aspect) + plate * 1.2 * math.sin(a) ** 2,
        }
        assert value == pytest.approx(expected[name], abs=1e-6), (name, degrees)


def test_in_hover_the_four_rotors_carry_the_weight(make_world):
    world = make_world("vtol", floor={}, physics_hz=1000)
    world.run(40.0)
    motors = world.arrays.drive[world.instances[0].channels][8:12]
    density = 1.225 * (1 - 2.25577e-5 * 20.0) ** 4.2559  # standard atmosphere at 20 m
    each = full_thrust(PARTS["motor1"].generic) * density / DENSITY
    assert motors == pytest.approx(math.sqrt(MASS * GRAVITY / (4 * each)), rel=1e-3)
    assert world.motion().pos_w == pytest.approx((0, 0, 20.21), abs=0.05)
    assert world.mission() == "take-off"


def test_the_trim_is_that_of_the_plates(make_world):
    found = trim(Aircraft(make_world("vtol")), Condition(CRUISE))
    push = 0.5 * 1.2133 * CRUISE**2  # density at 100 m
    # The wing and the tail carry the weight; moments about the centre of mass are zero.
    alpha, tail = found.alpha, PARTS["tail"].surface.area
    at_tail = push * tail * (SLOPE * alpha - 2.0 * found.values()["elevator"])
    c_lift = SLOPE * (alpha + INCIDENCE)
    at_wing = push * AREA * c_lift * math.cos(math.radians(3.0)) ** 2
    assert at_wing + at_tail == pytest.approx(MASS * GRAVITY, rel=0.02)
    drag_of_wing = push * AREA * (0.02 + c_lift**2 * AREA / (math.pi * 0.9 * 2.144**2))
    raised = 0.06 * (drag_of_wing - at_wing * math.sin(alpha)) + 0.135 * push * 0.06 * 0.02  # by wing and fins, above
    assert at_tail * ARM_OF_TAIL + at_wing * BEHIND == pytest.approx(raised, abs=0.02)
    assert found.values()["throttle"] == pytest.approx(0.743, abs=0.002)
    motor = PARTS["motor5"].generic
    disk = full_thrust(motor) / motor.k_motor**2 * 1.2133 / DENSITY
    drag = disk * ((motor.k_motor * found.values()["throttle"]) ** 2 - CRUISE**2)
    assert MASS * GRAVITY / drag == pytest.approx(6.9, abs=0.1)
    assert all(channel in range(4, 8) for channel in found.commands())  # the lift rotors stand


def test_the_default_gains_follow_from_the_coefficients():
    p, push, motor = VtolGains(), 0.5 * DENSITY * CRUISE**2 * AREA, PARTS["motor5"].generic
    throw, arm = 0.3491, 2.144 / math.sqrt(12.0)
    assert p.roll_effect == pytest.approx(CRUISE * throw / (SLOPE * arm), rel=0.01)
    tail = PARTS["tail"].surface.area
    alpha = tail * 2.0 * throw * ARM_OF_TAIL / (SLOPE * (AREA * BEHIND + tail * ARM_OF_TAIL))
    assert p.pitch_effect == pytest.approx(push * SLOPE * alpha / (MASS * CRUISE), rel=0.01)
    assert p.lift_effect == pytest.approx(push * SLOPE / MASS, rel=0.01)
    assert p.lift_max == pytest.approx(push * 1.13 / MASS, rel=0.02)
    assert p.alpha_trim == pytest.approx(MASS * GRAVITY / (push * SLOPE) - INCIDENCE, abs=0.003)
    disk = full_thrust(motor) / motor.k_motor**2
    drag = disk * ((motor.k_motor * p.throttle_trim) ** 2 - CRUISE**2)
    assert p.push_full == pytest.approx(full_thrust(motor) / MASS, rel=0.01)
    assert p.throttle_effect == pytest.approx(2 * full_thrust(motor) * p.throttle_trim / MASS, rel=0.01)
    assert p.speed_ki == pytest.approx(p.speed_bandwidth * 2 * (drag / CRUISE + disk * CRUISE) / MASS, abs=0.01)


def test_raw_sticks_fly_the_trim_as_a_plane(make_world):
    found = trim(Aircraft(make_world("vtol")), Condition(CRUISE))
    world = make_world({"model": "vtol", "mode": "raw", **found.start()}, physics_hz=1000)
    c = found.commands()
    world.sticks([c[4], c[5], c[6], 2 * c[7] - 1])
    world.run(10.0)
    assert world.motion().pos_w.z == pytest.approx(100.0, abs=0.5)
    assert np.linalg.norm(world.motion().vel_air_b) == pytest.approx(CRUISE, abs=0.1)


# The laws


def test_the_rotors_fade_with_the_airspeed_ahead():
    p = VtolGains()
    shares = [rotor_share(seen_with((v, 3.0, 1.0)), p) for v in (-5.0, 0.0, 13.0, 14.5, 16.0, 25.0)]
    assert shares == pytest.approx([1, 1, 1, 0.5, 0, 0])


def test_the_wing_lifts_the_weight_at_cruise_and_nothing_backwards():
    p = VtolGains()
    at = math.tan(p.alpha_trim)
    assert wing_lift(seen_with((CRUISE, 0, -CRUISE * at)), p) == pytest.approx(GRAVITY)
    assert wing_lift(seen_with((CRUISE / 2, 0, -CRUISE / 2 * at)), p) == pytest.approx(GRAVITY / 4)
    assert wing_lift(seen_with((-6.0, 0, 0)), p) == 0.0
    assert wing_lift(seen_with((CRUISE, 0, -10.0)), p) == pytest.approx(p.lift_max)  # stalled


def test_leaning_back_leaves_work_for_the_rotors():
    p = VtolGains()
    for speed in (11.0, 12.0, 13.0):
        nose = most_nose_up(seen_with((speed, 0, 0)), p)
        assert 0.0 < nose < p.tilt_max
        flying_level = seen_with((speed * math.cos(nose), 0, -speed * math.sin(nose)))
        assert wing_lift(flying_level, p) == pytest.approx(CARRIED * GRAVITY, rel=0.05)
    assert most_nose_up(seen_with((CRUISE, 0, 0)), p) == 0.0 and most_nose_up(seen_with((0, 0, 0)), p) == p.tilt_max


@pytest.mark.parametrize(("vel_air_b", "sign"), [((3, 1, 0), 1), ((3, -1, 0), -1), ((-4, 0.5, 0), 1), ((5, 0, 2), 0)])
def test_the_nose_turns_the_short_way_into_the_wind(vel_air_b, sign):
    p = VtolGains()
    assert np.sign(turn_into_wind(seen_with(vel_air_b), p)) == sign
    assert abs(turn_into_wind(seen_with(vel_air_b), p)) <= p.turn_max


@pytest.mark.parametrize("course", [0.0, 1.2, -2.5])
def test_crabbing_keeps_the_course_without_sideslip(course):
    p, blows, quat_wb = VtolGains(), Vector(3.0, -4.0, 0.0), quaternion_from_euler(euler(0.1, -0.05, 0.4))
    obs = seen_with(unrotate(quat_wb, Vector(*(-c for c in blows))), quat_wb=quat_wb)  # hovering
    assert wind(obs) == pytest.approx(blows)
    heading = crab(course, obs, p)
    over_ground = Vector(p.rotors_off * math.cos(heading) + 3.0, p.rotors_off * math.sin(heading) - 4.0, 0.0)
    assert math.atan2(over_ground.y, over_ground.x) == pytest.approx(course)


def euler(roll, pitch, yaw):
    return euler_from_quaternion(UPRIGHT)._replace(roll=roll, pitch=pitch, yaw=yaw)


def test_braking_begins_where_the_speed_can_still_be_lost():
    p = VtolWaypoints()
    for speed in (5.0, 12.0, 23.0):
        room = stopping_distance(speed, p) - speed  # LEAD of 1 s
        assert approach_speed(room, p) == pytest.approx(speed)
        slower = approach_speed(room - 0.01, p)
        assert (speed**2 - slower**2) / 0.02 == pytest.approx(p.brake, rel=0.01)
    assert approach_speed(0.4, p) == pytest.approx(0.4 * p.position_kp)


# Transitions and missions


def test_the_transition_hands_over_to_the_wing(make_world):
    flight = Flight(make_world, {}, LEVEL)
    leaving = np.flatnonzero(flight.during("transition to wing flight"))
    assert len(leaving) * 0.1 < 5.0  # 16 m/s by a pusher of 4.9 m/s² at rest, 3.3 m/s² at 18 m/s
    after = slice(leaving[0], leaving[0] + 200)
    assert flight.pos[after, 2].min() > flight.pos[leaving[0], 2] - 1.0
    assert flight.pos[after, 2].max() < 20.21 + 1.0
    cruising = slice(leaving[0] + 200, np.flatnonzero(flight.during("slowing down to hover"))[0])
    assert np.all(flight.lift[cruising] == 0.0)
    assert flight.air[cruising, 0] == pytest.approx(CRUISE, abs=0.1)
    assert flight.pos[cruising, 2] == pytest.approx(20.21, abs=0.1)
    braking = flight.during("slowing down to hover")
    assert flight.pos[braking, 2].min() > 20.21 - 1.5 and flight.pos[braking, 2].max() < 20.21 + 1.0
    assert flight.pos[-1] == pytest.approx((900, 0, 0.21), abs=0.5)


@pytest.mark.parametrize("bearing", [0, 90, 180, 270])
@pytest.mark.parametrize("turbulence", [None, TURBULENCE], ids=["steady", "turbulent"])
def test_a_circuit_in_wind_from_anywhere(make_world, bearing, turbulence):
    corners = [(400, 0, 40), (400, 300, 40), (-300, 300, 40), (-300, 0, 30)]
    plan = [{"position": list(at), "speed": 18} for at in corners]
    plan += [{"position": [0, 0, 0.21], "speed": 18, "land": True}]
    air = {"wind": {"speed": 5.0, "from_deg": bearing}, "turbulence": turbulence}
    flight = Flight(make_world, air, plan, seed=2)
    leg = flight.during("waypoint 3 of 5") & (flight.pos[:, 0] < 200) & (flight.pos[:, 0] > -200)
    rough = 1.0 if turbulence else 0.0
    assert np.abs(flight.pos[leg, 2] - 40.0).max() < 0.5 + 2.5 * rough
    assert np.abs(flight.air[leg, 0] - CRUISE).max() < 0.3 + 1.7 * rough
    assert np.abs(flight.air[leg, 1]).max() < 0.3 + 1.5 * rough  # it crabs, it does not slip
    braking = flight.during("slowing down to hover")
    assert np.abs(flight.pos[braking, 2] - 30.0).max() < 2.0 + rough
    landing = flight.during("landing")
    facing = np.degrees(np.arctan2(flight.air[landing, 1], flight.air[landing, 0]))
    assert np.abs(facing[50:-20]).max() < 20.0 + 20.0 * rough  # into the wind
    assert np.linalg.norm(flight.pos[-1, :2]) < 1.0
    touch = flight.pos[:, 2] < 0.35
    assert flight.vel[landing & touch, 2].min() > -0.6  # as from 2 cm


@pytest.mark.parametrize("place", [(0, 0), (0, 40), (-100, 0)])
def test_a_short_hop_is_hovered(make_world, place):
    flight = Flight(make_world, {}, [{"position": [*place, 0.21], "speed": 18, "land": True}])
    assert "transition to wing flight" not in flight.words
    assert flight.pos[-1, :2] == pytest.approx(place, abs=0.5)
    assert flight.pos[flight.during("slowing down to hover"), 2] == pytest.approx(20.21, abs=2.0)


def test_a_person_takes_over_on_the_wing_and_gives_back(make_world):
    controller = {"use": "vtol_waypoints", "rate_hz": 200, "plan": LEVEL}
    world = make_world({"model": "vtol", "controller": controller}, floor={}, physics_hz=1000)
    world.run(25.0)
    assert world.motion().vel_air_b.x == pytest.approx(CRUISE, abs=0.2)
    before = world.motion().pos_w
    world.take_over("assisted")
    world.run(25.0)
    held = world.motion()
    assert np.linalg.norm(held.vel_w) < 0.1 and world.mission() == "holding position"
    assert 60.0 < held.pos_w.x - before.x < 160.0 and held.pos_w.z == pytest.approx(before.z, abs=1.0)
    world.take_over("mission")
    world.run(100.0)
    assert world.mission() == "landed"
    assert world.motion().pos_w == pytest.approx((900, 0, 0.21), abs=1.0)
    world.take_over("assisted")
    world.sticks([0, 0, 0, 1])
    world.run(5.0)
    world.take_over("mission")  # up in the air, so it has to land once more
    world.run(20.0)
    assert world.mission() == "landed"
    assert world.motion().pos_w == pytest.approx((900, 0, 0.21), abs=1.0)


# Velocity sticks


@pytest.fixture(scope="module")
def sticks(make_world):
    controller = {"use": "vtol_velocity", "rate_hz": 200, "parameters": {"speed_max": 20.0}}

    def start(position=(0, 0, 40), air=None):
        entry = {"model": "vtol", "position": list(position), "controller": controller}
        return make_world(entry, air=air or {}, floor={}, physics_hz=1000)

    return start


def test_sticks_lift_off_and_land(sticks):
    world = sticks((0, 0, 0.21))
    world.run(1.0)
    assert world.mission().startswith("on the ground") and world.motion().pos_w.z == pytest.approx(0.21, abs=0.01)
    world.sticks([0, 0, 0, 1])
    world.run(6.0)
    assert world.motion().vel_w.z == pytest.approx(2.0, abs=0.1)
    world.sticks([0, 0, 0, -1])
    while world.motion().pos_w.z > 0.22:
        sink = -world.motion().vel_w.z
        world.run(0.05)
        assert world.time < 40.0
    assert 0.3 < sink < 0.8
    world.run(1.0)
    assert world.mission().startswith("on the ground") and np.all(world.command()[:8] == 0.0)


@pytest.mark.parametrize(("stick", "speed"), [(-0.3, 6.0), (-0.9, 18.0)])
def test_sticks_command_a_velocity_on_rotors_and_on_the_wing_alike(sticks, stick, speed):
    world = sticks()
    world.sticks([0, stick, 0, 0])
    world.run(25.0)
    assert world.motion().vel_w == pytest.approx((speed, 0, 0), abs=0.3)
    assert world.motion().pos_w.z == pytest.approx(40.0, abs=1.0)
    assert (world.command()[0] > 0.0) == (speed < 13.0)
    world.sticks([0, 0, 0, 0])
    world.run(30.0)
    stopped = np.array(world.motion().pos_w)
    world.run(5.0)
    assert np.linalg.norm(np.array(world.motion().pos_w) - stopped) < 0.05
    assert stopped[2] == pytest.approx(40.0, abs=1.0)


def test_sideways_and_backward_keep_the_nose(sticks):
    world = sticks()
    for stick, velocity in (([0.2, 0, 0, 0], (0, -4, 0)), ([0, 0.2, 0, 0], (-4, 0, 0))):
        world.sticks(stick)
        world.run(12.0)
        assert world.motion().vel_w == pytest.approx(velocity, abs=0.5)
        assert abs(euler_from_quaternion(world.motion().quat_wb).yaw) < 0.15


def test_centred_sticks_hold_in_wind_and_face_it(sticks):
    world = sticks(air={"wind": {"speed": 6.0, "from_deg": 0}, "turbulence": TURBULENCE})
    world.run(15.0)
    away = []
    for _ in range(100):
        world.run(0.2)
        away.append(np.linalg.norm(np.array(world.motion().pos_w) - (0, 0, 40)))
    assert max(away) < 1.5
    nose = rotate(world.motion().quat_wb, Vector(1.0, 0.0, 0.0))
    assert nose.y > math.cos(math.radians(30))  # north, where it blows from


@pytest.mark.parametrize("use", ["vtol_waypoints", "vtol_velocity"])
def test_compiled_and_plain_agree_to_the_bit(make_world, use):
    plan = [{"position": [60, 30, 8], "speed": 18}, {"position": [90, 30, 0.2], "speed": 18, "land": True}]
    controller = {"use": use, "rate_hz": 50, "plan": plan if use == "vtol_waypoints" else []}
    entry, ends = {"model": "vtol", "position": [0, 0, 7], "controller": controller}, []
    for compiled in (True, False):
        air = {"turbulence": {"sigma": [1, 1, 0.5]}}
        world = make_world(entry, air=air, physics_hz=500, options={"compiled": compiled})
        world.sticks([0.4, -0.8, 0.1, 0.3])
        world.run(15.0)
        ends.append(world.motion()._replace(period=0.0))  # which only a compiled law is told in place
    assert ends[0] == ends[1]
