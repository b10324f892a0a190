"""Gazebo's LiftDrag with its defects, each shown by a test, and the same surface put right.

Golden values: an independent transcription of the plugin's listing, printed to the digits below. Gazebo was not run.
"""

import math

import numpy as np
import pytest

from cupola.physics.liftdrag import (
    Coefficients,
    LiftDrag,
    attached_lines,
    centre_shift,
    fold,
    gazebo_coefficients,
    gazebo_flow,
    mended_coefficients,
    plane_flow,
    plate_drag,
    projected_flow,
    surface_load,
    three_lines,
)
from cupola.physics.rotation import Euler, Vector, cross, dot, length, quaternion_from_euler, rotate, scale

DENSITY = 1.2041
FORWARD, UP, LEFT = Vector(1.0, 0.0, 0.0), Vector(0.0, 0.0, 1.0), Vector(0.0, 1.0, 0.0)
SLOPES = {"cla": 4.752798721, "cda": 0.6417112299, "cma": -1.8}
STALL = {"alpha_stall": 0.3391428111, "cla_stall": -3.85, "cda_stall": -0.9233984055, "cma_stall": 0.0}
WING = LiftDrag(a0=0.05984281113, **SLOPES, **STALL, area=8.08255)
SHARP = WING._replace(mcoeff=500.0, chord=1.5)
NOTHING = Coefficients(0.0, 0.0, 0.0)


def gazebo(vel, p=WING, control=0.0, forward=FORWARD, up=UP, radial=0.0):
    flow = gazebo_flow(vel, forward, up, radial, p)
    c = gazebo_coefficients(flow.alpha, flow.factor, control, p)
    return flow, c, surface_load(flow, c._replace(moment=0.0), vel, DENSITY, p)


def mended(vel, p=SHARP, control=NOTHING, forward=FORWARD, up=UP, radial=0.0):
    flow = plane_flow(vel, forward, up, radial, p)
    c = mended_coefficients(flow.alpha, flow.factor, attached_lines(flow.alpha, p), control, p)
    return flow, c, surface_load(flow, c, vel, DENSITY, p)


def at(alpha, speed=50.0):
    return Vector(speed * math.cos(alpha), 0.0, -speed * math.sin(alpha))


def slipping(beta, speed=50.0):
    return Vector(speed * math.cos(beta), speed * math.sin(beta), 0.0)


def turned(quat, v):
    return rotate(quat, v)


SLOPED = [
    (-25, -0.376490, -1.468093, 0.183146, 5528.573, -17127.996),
    (-10, -0.114690, -0.545099, 0.073598, 269.772, -6685.995),
    (0, 0.059843, 0.284421, 0.038402, -467.167, 3460.050),
    (5, 0.147109, 0.699181, 0.094402, -402.728, 8573.432),
    (10, 0.234376, 1.113941, 0.150402, 551.295, 13663.208),
    (16, 0.339095, 1.611653, 0.217601, 2859.561, 19576.305),
    (20, 0.408909, 1.343279, 0.153210, 3837.626, 15993.290),
    (30, 0.583442, 0.671327, 0.007953, 3999.639, 7121.087),
    (40, 0.757975, 0.0, 0.169117, -1576.020, 1322.437),
    (90, -1.510954, 0.0, 0.864416, 0.0, 10515.840),
]


@pytest.mark.parametrize(("degrees", "alpha", "c_lift", "c_drag", "x", "z"), SLOPED)
def test_golden_values_of_a_wing(degrees, alpha, c_lift, c_drag, x, z):
    flow, c, load = gazebo(at(math.radians(degrees)))
    assert (flow.alpha, c.lift, c.drag) == pytest.approx((alpha, c_lift, c_drag), abs=5.01e-7)
    assert load.force == pytest.approx((x, 0.0, z), abs=5.01e-4)


@pytest.mark.parametrize(
    ("degrees", "speed", "force", "mended_speed", "mended_force"),
    [
        (-10, 41.3176, (-304.689, 53.725, 2291.476), 49.2404, (-446.197, 0.0, 3304.736)),
        (10, 58.6824, (-614.615, -108.373, 4622.332), 49.2404, (-446.197, 0.0, 3304.736)),
        (20, 67.1010, (-698.149, -254.105, 5502.652), 46.9846, (-387.641, 0.0, 2871.044)),
    ],
)
def test_sideslip_as_coded_and_put_right(degrees, speed, force, mended_speed, mended_force):
    vel = slipping(math.radians(degrees))
    flow, _, load = gazebo(vel)
    assert flow.speed == pytest.approx(speed, abs=5.01e-5) and load.force == pytest.approx(force, abs=5.01e-4)
    flow, _, load = mended(vel)
    assert flow.speed == pytest.approx(mended_speed, abs=5.01e-5)
    assert load.force == pytest.approx(mended_force, abs=5.01e-4)


def test_golden_values_of_tail_and_controls():
    elevator = WING._replace(a0=-0.2, area=2.03458)
    rudder = WING._replace(a0=0.0, area=1.5329)
    ahead = slipping(0.0)
    assert gazebo(ahead, elevator)[2].force == pytest.approx((-393.022, 0.0, -2910.896), abs=5e-4)
    assert gazebo(ahead, elevator, -4.0 * 0.12)[2].force == pytest.approx((-393.022, 0.0, -4380.799), abs=5e-4)
    assert gazebo(ahead, rudder, 4.0 * 0.1, up=LEFT)[2].force == pytest.approx((0.0, 922.882, 0.0), abs=5e-4)
    assert gazebo(ahead, WING, -2.0 * 0.1)[2].force == pytest.approx((-467.167, 0.0, 1027.000), abs=5e-4)
    slipped = gazebo(slipping(math.radians(5)), rudder, up=LEFT)[2].force
    assert slipped == pytest.approx((-45.309, -964.556, 0.0), abs=5e-4)


BLADE = LiftDrag(a0=0.4, cla=4.752798721, cda=0.6417112299, cma=0.0, alpha_stall=1.5, area=0.1)
REVS = 2500 * 2 * math.pi / 60


@pytest.mark.parametrize(
    ("speed", "alpha", "c_lift", "thrust", "torque", "kilowatt"),
    [
        (0, 0.4, 1.901119, 9302.307, -967.101, 253.186),
        (40, 0.204117, 0.970129, 4709.802, -1242.541, 325.297),
        (60, 0.110709, 0.526179, 2578.303, -894.917, 234.289),
        (80, 0.022209, 0.105554, 525.892, -227.568, 59.577),
    ],
)
def test_golden_values_of_the_propeller(speed, alpha, c_lift, thrust, torque, kilowatt):
    total, moment = 0.0, 0.0
    for side in (1.0, -1.0):
        cp = Vector(-0.37, 0.0, side * 0.77)
        vel = Vector(float(speed), 0.0, 0.0)
        vel = Vector(*(a + b for a, b in zip(vel, cross(Vector(REVS, 0.0, 0.0), cp), strict=True)))
        flow, c, load = gazebo(vel, BLADE, forward=Vector(0.0, -side, 0.0), up=FORWARD)
        total, moment = total + load.force.x, moment + cross(cp, load.force).x
    assert (flow.alpha, c.lift) == pytest.approx((alpha, c_lift), abs=5.01e-7)
    assert (total, moment, -moment * REVS / 1e3) == pytest.approx((thrust, torque, kilowatt), abs=5.01e-4)


def test_excess_thrust_of_the_demo():
    """D-19: 253 kW on the shaft at rest, where the engine of a C-172P has 119."""
    _, _, load = gazebo(Vector(0.0, -0.77 * REVS, 0.0), BLADE, forward=Vector(0.0, -1.0, 0.0), up=FORWARD)
    assert 2 * load.force.x > 9000.0 and 2 * load.drag * 0.77 * REVS > 2 * 119e3


def test_speed_along_the_velocity_instead_of_the_span():
    """D-1, D-4: (1 - sin Λ)² instead of cos² Λ, so slipping right and left differ, and both wings go up or down."""
    for beta in (-0.2, 0.2):
        flow = gazebo(slipping(beta))[0]
        assert (flow.speed / 50.0) ** 2 == pytest.approx((1.0 + math.sin(beta)) ** 2)
        assert (mended(slipping(beta))[0].speed / 50.0) ** 2 == pytest.approx(math.cos(beta) ** 2)
    ratio = (gazebo(slipping(0.1745))[0].speed / gazebo(slipping(-0.1745))[0].speed) ** 2
    assert ratio == pytest.approx(1.377 / 0.683, rel=1e-3)


def test_factor_is_the_squared_cosine():
    """D-2."""
    assert gazebo(slipping(0.3))[0].factor == pytest.approx(math.cos(0.3) ** 2)
    assert mended(slipping(0.3))[0].factor == pytest.approx(math.cos(0.3))


def test_moment_is_lost_and_has_no_chord():
    """D-5, D-6: found, then set to zero; past the stall the clamp would delete a stabilising one anyway."""
    _, c, load = gazebo(at(0.1))
    assert c.moment == pytest.approx(-1.8 * (0.1 + WING.a0)) and load.torque == (0.0, 0.0, 0.0)
    assert gazebo(at(0.4))[1].moment == 0.0
    _, c, load = mended(at(0.1))
    assert load.moment == pytest.approx(c.moment * load.pressure * WING.area * 1.5)
    assert load.torque == pytest.approx((0.0, -load.moment, 0.0))  # nose up is about -y
    assert mended(at(0.4))[1].moment == pytest.approx(-1.8 * WING.alpha_stall)


def test_no_drag_without_lift():
    """D-7."""
    level = at(-WING.a0)
    assert gazebo(level)[1].drag == pytest.approx(0.0, abs=1e-7)
    assert mended(level, SHARP._replace(cd0=0.027))[1].drag == pytest.approx(0.027)


def test_drag_falls_past_the_stall():
    """D-8: zero at 32.9°, and only the absolute value lets it rise again."""
    drag = [gazebo_coefficients(a, 1.0, 0.0, WING).drag for a in (0.3391428111, 0.45, 0.574828, 0.7)]
    assert drag[0] > drag[1] > drag[2] and drag[2] == pytest.approx(0.0, abs=1e-6) and drag[3] > 0.1
    better = [mended_coefficients(a, 1.0, attached_lines(a, SHARP), NOTHING, SHARP).drag for a in (0.35, 0.7, 1.5)]
    assert better == sorted(better)


def test_lift_vanishes_past_the_stall():
    """D-9: nothing beyond 43.4°, where a plate still lifts."""
    assert gazebo_coefficients(0.757812, 1.0, 0.0, WING).lift == pytest.approx(0.0, abs=1e-5)
    assert gazebo_coefficients(1.0, 1.0, 0.0, WING).lift == 0.0
    assert mended_coefficients(0.7854, 1.0, attached_lines(0.7854, SHARP), NOTHING, SHARP).lift > 0.7


def test_a_control_only_adds_lift_and_never_stalls():
    """D-10."""
    moved, still = gazebo(at(0.9), control=-0.2), gazebo(at(0.9))
    assert moved[1].lift - still[1].lift == pytest.approx(-0.2) and moved[1].drag == still[1].drag
    effect = Coefficients(-0.2, 0.01, 0.05)
    attached, stalled = mended(at(0.0), control=effect), mended(at(0.9), control=effect)
    assert attached[1].lift == pytest.approx(mended(at(0.0))[1].lift - 0.2)
    assert attached[1].drag == pytest.approx(mended(at(0.0))[1].drag + 0.01)
    assert attached[1].moment == pytest.approx(mended(at(0.0))[1].moment + 0.05)
    assert stalled[1].lift == pytest.approx(mended(at(0.9))[1].lift)


def test_the_offset_is_inside_the_stall_test():
    """D-11, D-12: the wing stalls at 16.0°, the elevator at +30.9° and -8.0°; a positive offset lifts at zero angle."""
    for offset, up, down in ((WING.a0, 16.0, None), (-0.2, 30.9, -8.0)):
        p = WING._replace(a0=offset)
        assert math.degrees(p.alpha_stall - p.a0) == pytest.approx(up, abs=0.05)
        assert gazebo(at(math.radians(up) + 0.01), p)[1].lift < gazebo(at(math.radians(up) - 0.002), p)[1].lift
        if down:
            assert gazebo(at(math.radians(down) - 0.01), p)[1].lift > gazebo(at(math.radians(down) + 0.002), p)[1].lift
    assert gazebo(at(0.0))[1].lift > 0.0 and gazebo(at(math.radians(-3.4287)))[1].lift == pytest.approx(0, abs=1e-5)


def test_the_angle_jumps_at_a_right_angle():
    """D-16."""
    just = 0.5 * math.pi - WING.a0
    assert gazebo(at(just - 1e-6))[0].alpha > 1.57 and gazebo(at(just + 1e-6))[0].alpha < -1.57
    around = [mended(at(just + d))[0].alpha for d in (-1e-6, 1e-6)]
    assert around[1] - around[0] == pytest.approx(2e-6, rel=1e-3)
    assert [fold(a) for a in (2.0, -2.0, 4.0, 0.5 * math.pi, -0.5 * math.pi)] == pytest.approx(
        [2.0 - math.pi, math.pi - 2.0, 4.0 - math.pi, 0.5 * math.pi, -0.5 * math.pi]
    )


def test_slope_of_the_demo_is_not_two_pi():
    """D-15."""
    slope = (gazebo(at(0.1))[1].lift - gazebo(at(0.0))[1].lift) / 0.1
    assert slope == pytest.approx(4.752798721) and slope < 2 * math.pi - 1.5


def test_the_gate():
    """D-17: at 0.01 m/s and below nothing happens; put right, the force fades with the squared speed."""
    assert gazebo(Vector(0.01, 0.0, 0.0))[2].force == (0.0, 0.0, 0.0)
    assert gazebo(Vector(0.0100001, 0.0, 0.0))[2].force.z > 0.0
    assert mended(Vector(0.005, 0.0, 0.0))[2].force.z == pytest.approx(mended(slipping(0.0))[2].force.z * 1e-8)


@pytest.mark.parametrize("model", [gazebo, mended])
def test_force_goes_with_density_and_the_squared_speed(model):
    one, two = model(slipping(0.2, 20.0))[2].force, model(slipping(0.2, 60.0))[2].force
    assert two == pytest.approx([9.0 * x for x in one])
    flow, c, load = model(slipping(0.2))
    assert surface_load(flow, c, slipping(0.2), 0.5 * DENSITY, WING).lift == pytest.approx(0.5 * load.lift)


@pytest.mark.parametrize("model", [gazebo, mended])
def test_turned_with_everything_the_force_turns(model):
    quat = quaternion_from_euler(Euler(0.4, -0.9, 2.0))
    vel = Vector(40.0, 7.0, -3.0)
    here = model(vel)[2]
    there = model(turned(quat, vel), forward=turned(quat, FORWARD), up=turned(quat, UP))[2]
    assert there.force == pytest.approx(turned(quat, here.force))
    assert there.torque == pytest.approx(turned(quat, here.torque), abs=1e-6)


def test_mirror_symmetry_only_when_put_right():
    for vel in (Vector(50.0, 6.0, -2.0), Vector(-20.0, 3.0, 8.0)):
        mirrored = Vector(vel.x, -vel.y, vel.z)
        one, other = mended(vel)[2].force, mended(mirrored)[2].force
        assert other == pytest.approx((one.x, -one.y, one.z))
    assert gazebo(slipping(0.2))[2].lift != pytest.approx(gazebo(slipping(-0.2))[2].lift, rel=0.1)


@pytest.mark.parametrize("model", [gazebo, mended])
def test_a_body_of_revolution(model):
    """Its angle is never negative, and the force stays in the plane of its axis and the velocity."""
    p = SHARP._replace(a0=0.0)
    for vel in (Vector(20.0, 3.0, -4.0), Vector(20.0, -3.0, 4.0), Vector(20.0, 0.0, 5.0)):
        flow, _, load = model(vel, p, radial=1.0)
        assert flow.alpha == pytest.approx(math.atan2(math.hypot(vel.y, vel.z), vel.x), rel=1e-6)
        assert dot(load.force, cross(FORWARD, vel)) == pytest.approx(0.0, abs=1e-9 * length(load.force) * 400)


def test_flow_along_the_span():
    """As coded v ∥ +span leaves nothing, v ∥ -span twice the speed without a lift direction; put right, nothing."""
    right = scale(-30.0, LEFT)  # the span is forward x up = right
    flow, _, load = gazebo(right)
    assert flow.speed == 0.0 and load.force == (0.0, 0.0, 0.0)
    flow, _, load = gazebo(scale(-1.0, right))
    assert flow.speed == pytest.approx(60.0) and flow.lift == (0.0, 0.0, 0.0) and np.isfinite(load.force).all()
    for vel in (right, scale(-1.0, right)):
        flow, c, load = mended(vel)
        assert (flow.speed, c.lift) == (0.0, 0.0) and load.force == (0.0, 0.0, 0.0)


def test_side_force_is_against_the_sideslip_and_odd():
    p = SHARP._replace(cyb=-0.3)
    left, right = mended(slipping(0.2), p)[2], mended(slipping(-0.2), p)[2]
    assert left.force.y == pytest.approx(-right.force.y) and left.force.y < 0.0  # moving left, pushed right
    across = mended(Vector(0.0, 30.0, 0.0), p)[2].force
    assert across.y == pytest.approx(-0.3 * 0.5 * DENSITY * 900.0 * p.area)


def test_reversed_flow_is_that_of_a_plate():
    for alpha in np.linspace(-math.pi, math.pi, 37):
        _, c, load = mended(at(alpha), SHARP._replace(a0=0.0, cd0=0.01))
        power = dot(load.force, at(alpha))
        assert c.drag > 0.0 and power < 0.0  # the air never gives power to what moves through it
    back = mended(at(math.pi - 0.05), SHARP._replace(a0=0.0))[1]
    assert abs(back.lift) < 0.05 and 0.0 < back.drag < 0.01
    assert plate_drag(0.5 * math.pi, 6.5) == pytest.approx(1.4508367573)
    assert plate_drag(0.5 * math.pi, 1 / 6.5) == plate_drag(0.5 * math.pi, 6.5)


def test_centre_of_pressure_moves():
    p = SHARP._replace(cp_a=0.2, cp_stall=-0.375)
    assert centre_shift(0.1, 0.05, p) == pytest.approx(0.07)
    assert centre_shift(1.2, 0.05, p) == pytest.approx(-0.375)


def test_induced_drag_is_a_parabola():
    p = SHARP._replace(cda=0.0, cd0=0.02, cdi=0.05)
    for alpha in (-0.1, 0.0, 0.2):
        c = mended_coefficients(alpha, 1.0, attached_lines(alpha, p), NOTHING, p)
        assert c.drag == pytest.approx(0.02 + 0.05 * c.lift**2)


def test_lines_bend_at_the_stall():
    assert [three_lines(a, 2.0, -1.0, 0.3) for a in (-0.5, -0.3, 0.1, 0.3, 0.4)] == pytest.approx(
        [-0.4, -0.6, 0.2, 0.6, 0.5]
    )


@pytest.mark.parametrize("slip", [0.0, 4.0, -9.0])
def test_the_plugin_of_gz_sim_by_hand(slip):
    """Level wing, motion (u, slip, -w): the plane of lift and drag is that of x and z, the sweep that of the slip."""
    u, w, p = 15.0, 1.5, LiftDrag(a0=0.0598, **SLOPES, **STALL, area=0.6)
    vel = Vector(u, slip, -w)
    flow = projected_flow(vel, FORWARD, UP, 0.0, 1.0, 0.0, p)
    alpha, speed, share = 0.0598 + math.atan(w / u), math.hypot(u, w), 1.0 - slip**2 / (u**2 + slip**2 + w**2)
    c = gazebo_coefficients(flow.alpha, flow.factor, 0.0, p)
    lift, drag = SLOPES["cla"] * alpha * share, SLOPES["cda"] * alpha * share  # the square of the cosine of the sweep
    push = 0.5 * DENSITY * speed**2 * 0.6
    # Lift stands square on the motion in the plane, drag goes against it.
    force_x, force_z = push * (lift * w - drag * u) / speed, push * (lift * u + drag * w) / speed
    force = surface_load(flow, c, vel, DENSITY, p).force
    assert [*force] == pytest.approx([force_x, 0.0, force_z], rel=1e-9, abs=1e-9)
    assert c.moment == pytest.approx(SLOPES["cma"] * alpha * share, rel=1e-9)


def test_the_plugin_of_gz_sim_does_nothing_in_air_from_behind():
    p = LiftDrag(a0=0.0598, **SLOPES, **STALL, area=0.6)
    vel = Vector(-10.0, 0.0, -1.0)
    flow = projected_flow(vel, FORWARD, UP, 0.0, 1.0, 0.0, p)
    load = surface_load(flow, gazebo_coefficients(flow.alpha, flow.factor, 0.0, p), vel, DENSITY, p)
    assert flow.speed == 0.0 and length(load.force) == 0.0
