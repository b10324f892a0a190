"""One lifting surface: published numbers, limits, and what any honest wing must obey."""

import math

import numpy as np
import pytest

from cupola.physics.airfoil import (
    Airflow,
    Surface,
    airflow,
    linear_drag,
    linear_lift,
    stall_blend,
    surface_wrench,
)
from cupola.physics.rotation import (
    Euler,
    Quaternion,
    Vector,
    dot,
    multiply,
    quaternion_from_euler,
    rotate,
    scale,
    subtract,
    unrotate,
)

# Last_letter_2, plane_1wing (seed specification annex B.2).
WING = Surface(
    area=0.3, span=2.0, chord=0.15, oswald=0.9, mcoeff=50.0, alpha_stall=0.4712, c_lift_0=0.56, c_lift_a=6.9,
    c_drag_p=0.0437, c_y_b=-0.98, c_y_input_z=-0.2, c_l_p=-1.0, c_l_b=-0.12, c_l_r=0.14, c_l_input_x=0.25,
    c_l_input_z=-0.037, c_m_0=0.045, c_m_a=-0.7, c_m_q=-20.0, c_m_input_y=1.0, c_n_b=0.25, c_n_p=0.022, c_n_r=-1.0,
    c_n_input_z=0.1,
)  # fmt: skip
# Beard and McLain's Aerosonde with the published teaching code's coefficients (mavsim_public e8bff50).
AEROSONDE = Surface(
    area=0.55, span=2.8956, chord=0.18994, oswald=0.9, mcoeff=50.0, alpha_stall=0.47, c_lift_0=0.23, c_lift_a=5.61,
    c_lift_q=7.95, c_lift_input_y=0.13, c_drag_input_y=0.0135, c_m_0=0.0135, c_m_a=-2.74, c_m_q=-38.21,
    c_m_input_y=-0.99, c_y_b=-0.98, c_y_input_x=0.075, c_y_input_z=0.19, c_l_b=-0.13, c_l_p=-0.51, c_l_r=0.25,
    c_l_input_x=0.17, c_l_input_z=0.0024, c_n_b=0.073, c_n_p=0.069, c_n_r=-0.095, c_n_input_x=-0.011,
    c_n_input_z=-0.069,
)  # fmt: skip
NONE = Vector(0.0, 0.0, 0.0)
RNG = np.random.default_rng(1)


def wrench_of(velocity, rate=NONE, deflection=NONE, p=WING, density=1.2):
    flow = airflow(velocity)
    return surface_wrench(flow, rate, deflection, linear_lift(flow.alpha, p), linear_drag(flow.alpha, p), density, p)


def vectors(count, size):
    return [Vector(*row) for row in RNG.normal(scale=size, size=(count, 3)).tolist()]


# Seed specification 3.3.5: degrees, blend, lift, drag, as printed.
CHECKS = [
    (0, 1.17e-10, 0.56000, 0.05202),
    (20, 0.00222, 2.96244, 0.27745),
    (25, 0.14888, 3.08728, 0.38190),
    (27, 0.50049, 2.08774, 0.42906),
    (30, 0.93213, 0.68682, 0.50558),
    (40, 0.99999, 0.63308, 0.81065),
]


@pytest.mark.parametrize(("degrees", "blend", "lift", "drag"), CHECKS)
def test_check_values(degrees, blend, lift, drag):
    alpha = math.radians(degrees)
    half_digit = 0.5e-12 if degrees == 0 else 0.5e-5
    assert stall_blend(alpha, 0.4712, 50.0) == pytest.approx(blend, abs=half_digit)
    assert linear_lift(alpha, WING) == pytest.approx(lift, abs=0.5e-5)
    assert linear_drag(alpha, WING) == pytest.approx(drag, abs=0.5e-5)


def test_blend_equals_the_quotient_of_the_book():
    for alpha in np.linspace(-0.9, 0.9, 37):
        a, b = math.exp(-50.0 * (alpha - 0.4712)), math.exp(50.0 * (alpha + 0.4712))
        assert stall_blend(alpha, 0.4712, 50.0) == pytest.approx((1 + a + b) / ((1 + a) * (1 + b)), rel=1e-9)


@pytest.mark.parametrize("alpha", [-math.pi, -1.5, 1.5, math.pi])
def test_blend_never_overflows(alpha):
    assert stall_blend(alpha, 0.4712, 50.0) == pytest.approx(1.0, abs=1e-15)
    assert stall_blend(alpha, 0.4712, 1e6) == 1.0
    assert stall_blend(0.0, 0.4712, 1e6) == 0.0


def test_airflow_angles():
    assert airflow(Vector(10.0, 0.0, 0.0)) == (10.0, 0.0, 0.0)
    assert airflow(Vector(3.0, 0.0, 4.0)) == pytest.approx((5.0, math.atan2(4.0, 3.0), 0.0))
    assert airflow(Vector(0.0, 2.0, 0.0)) == pytest.approx((2.0, 0.0, math.pi / 2))
    assert airflow(Vector(-1.0, 0.0, 0.0)).alpha == pytest.approx(math.pi)
    for v in vectors(50, 10.0):
        flow = airflow(v)
        assert flow.beta == pytest.approx(math.asin(v.y / flow.speed), abs=1e-12)
        # The three numbers give the velocity back.
        ca, sa, cb, sb = math.cos(flow.alpha), math.sin(flow.alpha), math.cos(flow.beta), math.sin(flow.beta)
        assert scale(flow.speed, Vector(ca * cb, sb, sa * cb)) == pytest.approx(v, abs=1e-12)


def test_nothing_at_rest():
    assert airflow(NONE) == (0.0, 0.0, 0.0)
    w = wrench_of(NONE, Vector(1.0, 2.0, 3.0), Vector(0.1, 0.2, 0.3))
    assert (*w.force, *w.torque) == (0.0,) * 6


def test_lift_carries_the_plane_at_18_m_per_s():
    # Seed specification B.2: 3.42 kg flies level at alpha 0 and 18.06 m/s at sea level.
    assert -wrench_of(Vector(18.06, 0.0, 0.0), density=1.225).force.z == pytest.approx(3.42 * 9.81, rel=1e-3)


@pytest.mark.parametrize(
    ("deflection", "axis"), [(Vector(0.1, 0.0, 0.0), 0), (Vector(0.0, 0.1, 0.0), 1), (Vector(0.0, 0.0, 0.1), 2)]
)
def test_positive_deflection_turns_positive(deflection, axis):
    velocity = Vector(15.0, 0.0, 0.0)
    assert wrench_of(velocity, deflection=deflection).torque[axis] > wrench_of(velocity).torque[axis]


def test_stable_directions():
    # Nose up gives a nose-down moment; wind from the right turns the nose right and rolls left.
    assert wrench_of(Vector(15.0, 0.0, 1.5)).torque.y < wrench_of(Vector(15.0, 0.0, 0.0)).torque.y
    from_right = wrench_of(Vector(15.0, 1.0, 0.0))
    assert from_right.torque.z > 0.0 > from_right.torque.x
    assert from_right.force.y < 0.0


def test_rates_enter_by_length_over_twice_the_speed():
    # Beard and McLain (4.19): C_m_q c q / 2V in the moment coefficient, and likewise the others.
    rate, speed = Vector(0.3, 0.4, -0.2), 14.0
    still, turning = wrench_of(Vector(speed, 0.0, 0.0)), wrench_of(Vector(speed, 0.0, 0.0), rate)
    pressure = 0.5 * 1.2 * speed**2 * WING.area
    change = subtract(turning.torque, still.torque)
    b, c = WING.span, WING.chord
    assert change.x == pytest.approx(pressure * b * b / (2 * speed) * (-1.0 * 0.3 + 0.14 * -0.2))
    assert change.y == pytest.approx(pressure * c * c / (2 * speed) * (-20.0 * 0.4))
    assert change.z == pytest.approx(pressure * b * b / (2 * speed) * (0.022 * 0.3 - 1.0 * -0.2))


def test_drag_never_gives_power_and_lift_never_works():
    for v in vectors(200, 12.0):
        flow = airflow(v)
        drag = surface_wrench(flow, NONE, NONE, 0.0, linear_drag(flow.alpha, WING), 1.2, Surface(0.3, 2.0, 0.15))
        lift = surface_wrench(flow, NONE, NONE, linear_lift(flow.alpha, WING), 0.0, 1.2, Surface(0.3, 2.0, 0.15))
        assert dot(drag.force, v) < 0.0
        assert abs(dot(lift.force, v)) < 1e-12 * flow.speed**3


def test_damping_never_gives_power():
    p = Surface(0.3, 2.0, 0.15, c_l_p=-1.0, c_m_q=-20.0, c_n_r=-1.0)
    for v, rate in zip(vectors(100, 12.0), vectors(100, 2.0), strict=True):
        assert dot(surface_wrench(airflow(v), rate, NONE, 0.0, 0.0, 1.2, p).torque, rate) <= 0.0


@pytest.mark.parametrize("p", [WING, AEROSONDE], ids=["plane_1wing", "aerosonde"])
def test_mirror_image(p):
    for v, rate, deflection in zip(vectors(50, 12.0), vectors(50, 2.0), vectors(50, 0.2), strict=True):
        here = wrench_of(v, rate, deflection, p)
        there = wrench_of(
            Vector(v.x, -v.y, v.z),
            Vector(-rate.x, rate.y, -rate.z),
            Vector(-deflection.x, deflection.y, -deflection.z),
            p,
        )
        assert there.force == pytest.approx((here.force.x, -here.force.y, here.force.z), rel=1e-12, abs=1e-12)
        assert there.torque == pytest.approx((-here.torque.x, here.torque.y, -here.torque.z), rel=1e-12, abs=1e-12)


def test_turning_the_world_changes_nothing_in_the_body():
    attitude = quaternion_from_euler(Euler(0.3, -0.2, 1.1))
    turn = quaternion_from_euler(Euler(-1.2, 0.7, 2.5))
    velocity_w, wind_w = Vector(12.0, -5.0, 1.0), Vector(-2.0, 3.0, 0.5)
    here = wrench_of(unrotate(attitude, subtract(velocity_w, wind_w)))
    turned = subtract(rotate(turn, velocity_w), rotate(turn, wind_w))
    there = wrench_of(unrotate(multiply(turn, attitude), turned))
    assert there.force == pytest.approx(here.force, rel=1e-12)
    assert there.torque == pytest.approx(here.torque, rel=1e-12, abs=1e-12)


# mavsim chapter 4, printed totals; propeller and weight are taken off here, so only the surface is compared.
CHAPTER_4 = [
    pytest.param(
        Quaternion(1.0, 0.0, 0.0, 0.0), NONE, Vector(0.0, -0.2, 0.005),
        (-12.43072534597213, -0.49879620097737787),
        (-12.109717001006562, 0.20707328125000002, 63.44373750624077),
        (0.5063701133123779, 8.75643373378125, -0.21774997963125006), id="4.A",
    ),
    pytest.param(
        Quaternion(0.938688796, 0.247421558, 0.0656821468, 0.23093673), Vector(0.00498772167, 0.168736005, 0.171797313),
        Vector(0.01788999, -0.15705144, 0.01084654), (37.7794805541605, 1.8098467397878482),
        (36.99938467421735, 54.13991070468528, 46.97294443218653),
        (1.6030203500067555, 5.982053219886495, -1.1805441645292776), id="4.B",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("attitude", "rate", "deflection", "propeller", "force", "torque"), CHAPTER_4)
def test_book_check_of_forces_and_moments(attitude, rate, deflection, propeller, force, torque):
    flow = Airflow(25.0, 0.0, 0.0)
    lift, drag = linear_lift(0.0, AEROSONDE), linear_drag(0.0, AEROSONDE)
    surface = surface_wrench(flow, rate, deflection, lift, drag, 1.2682, AEROSONDE)
    weight = unrotate(attitude, Vector(0.0, 0.0, 11.0 * 9.81))
    total = (surface.force.x + weight.x + propeller[0], surface.force.y + weight.y, surface.force.z + weight.z)
    # The attitude of 4.B is printed to nine digits: 1e-6.
    assert total == pytest.approx(force, rel=1e-6)
    assert (surface.torque.x - propeller[1], surface.torque.y, surface.torque.z) == pytest.approx(torque, rel=1e-8)


LATERAL = ("c_y_0", "c_y_b", "c_y_p", "c_y_r", "c_y_input_x", "c_y_input_z")
ROLL = ("c_l_0", "c_l_b", "c_l_p", "c_l_r", "c_l_input_x", "c_l_input_z")
YAW = ("c_n_0", "c_n_b", "c_n_p", "c_n_r", "c_n_input_x", "c_n_input_z")


@pytest.mark.parametrize("name", [*LATERAL, *ROLL, *YAW, "c_m_0", "c_m_a", "c_m_q", "c_m_input_y"])
def test_every_coefficient_enters_its_equation(name):
    # Source: Last_letter_2 §3.3: force or moment = ½ ρ V² S (length) C (what the coefficient multiplies).
    flow, rate, deflection = Airflow(25.0, 0.1, -0.2), Vector(0.3, -0.4, 0.5), Vector(0.11, -0.12, 0.13)
    span, chord, push = 2.0, 0.25, 0.5 * 1.1 * 25.0**2 * 0.5
    by_chord = name.startswith("c_m")
    half = (chord if by_chord else span) / (2.0 * flow.speed)
    enters = {
        "0": 1.0,
        "a": flow.alpha,
        "b": flow.beta,
        "p": half * rate.x,
        "q": half * rate.y,
        "r": half * rate.z,
        "input_x": deflection.x,
        "input_y": deflection.y,
        "input_z": deflection.z,
    }[name[4:]]
    surface = Surface(0.5, span, chord, **{name: 0.7})
    load = surface_wrench(flow, rate, deflection, 0.0, 0.0, 1.1, surface)
    got, arm = {
        "y": (load.force.y, 1.0),
        "l": (load.torque.x, span),
        "m": (load.torque.y, chord),
        "n": (load.torque.z, span),
    }[name[2]]
    assert got == pytest.approx(push * arm * 0.7 * enters, rel=1e-12)
    total = sum(abs(value) for value in (*load.force, *load.torque))
    assert total == pytest.approx(abs(got), rel=1e-12)  # and nothing else


@pytest.mark.parametrize(("name", "factor"), [("q", 0.25 / 50.0 * -0.4), ("input_y", -0.12)])
@pytest.mark.parametrize("kind", ["lift", "drag"])
def test_lift_and_drag_by_pitch_rate_and_elevator_turn_with_the_angle_of_attack(kind, name, factor):
    flow, rate, deflection = Airflow(25.0, 0.1, 0.0), Vector(0.0, -0.4, 0.0), Vector(0.0, -0.12, 0.0)
    load = surface_wrench(flow, rate, deflection, 0.0, 0.0, 1.1, Surface(0.5, 2.0, 0.25, **{f"c_{kind}_{name}": 0.7}))
    size = 0.5 * 1.1 * 25.0**2 * 0.5 * 0.7 * factor
    sine, cosine = math.sin(0.1), math.cos(0.1)
    expected = (size * sine, -size * cosine) if kind == "lift" else (-size * cosine, -size * sine)
    assert (load.force.x, load.force.z) == pytest.approx(expected, rel=1e-12)
