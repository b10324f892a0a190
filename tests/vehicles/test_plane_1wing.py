"""The one-wing plane of Last_letter_2: weight and lift, an independent simulation, phugoid, senses, symmetries."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from cupola.kernel.records import flat
from cupola.physics.atmosphere import Atmosphere, atmosphere
from cupola.physics.rotation import Vector, rotate

G, MASS = 9.81, 3.42
COM = (0.109, -0.027)
"""Front and up of the wing [m]: Last_letter_2 specification, B.2."""


@pytest.fixture(scope="module")
def fly(make_world):
    """A plane in the air: start, sticks (roll, pitch, yaw), throttle."""

    def start(sticks=(0, 0, 0), throttle=0.5, speed=20.0, integrator="RK4", **entry):
        controller = {"use": "pass_through", "rate_hz": 100}
        model = {"model": "plane_1wing", "position": [0, 0, 100], "velocity_b": [speed, 0, 0], "controller": controller}
        world = make_world({**model, **entry}, integrator=integrator, physics_hz=500)
        world.sticks([*sticks, 2 * throttle - 1])
        return world

    return start


def wing(world):
    """What the wing shows: airspeed, angles, coefficients, force, torque (front-left-up)."""
    return world.part("wing").outputs


def test_mass_and_centre_of_mass(fly):
    world = fly(position=[0, 0, 0])
    assert world.model.body_subtreemass[1] == pytest.approx(MASS, abs=1e-12)
    assert world.data.subtree_com[1] == pytest.approx([COM[0], 0, COM[1]], abs=5e-4)


def test_lift_is_weight_at_1806_m_per_s(fly):
    world = fly(speed=18.06, integrator="Euler", position=[0, 0, 0])
    world.step()  # shows the loads at its start
    shown = wing(world)
    assert (shown.airspeed, shown.alpha, shown.beta, shown.force.y) == (18.06, 0, 0, 0)
    # The specification's digits, 3.3.5; its speed has four.
    assert (shown.c_lift, shown.c_drag) == pytest.approx((0.56, 0.05202), abs=5e-6)
    assert shown.force.z == pytest.approx(MASS * G, rel=5e-4)
    assert -shown.force.x / shown.force.z == pytest.approx(0.05202 / 0.56, rel=1e-4)


LAWS = {None: lambda u, w: u * abs(u), "thesis": lambda u, w: u * u + w * w}
"""Square of the air speed that takes thrust, by preset: along the shaft, or all of it as printed."""


def longitudinal(inertia, com, elevator, throttle, lost):
    """Motion in the vertical plane from the printed formulas, in front-right-down axes about the centre of mass.

    State: x forward and height [m], u and w [m/s], q [rad/s], theta [rad].
    """
    ahead, below = com[0], -com[1]  # of the wing

    def derivative(_, s):
        _, height, u, w, q, theta = s
        st, ct = math.sin(theta), math.cos(theta)
        rho = atmosphere(height - ahead * st + below * ct, Atmosphere()).density  # where the wing is
        # The wing sits at (-ahead, -below) from the centre of mass, the motor 0.5 m before it on the same line: there
        # v + q x r differs only across the shaft.
        uw, ww = u - q * below, w + q * ahead
        V, alpha = math.hypot(uw, ww), math.atan2(ww, uw)
        sa, ca = math.sin(alpha), math.cos(alpha)
        M, a0 = 50.0, 0.4712
        sigma = (1 + math.exp(-M * (alpha - a0)) + math.exp(M * (alpha + a0))) / (
            (1 + math.exp(-M * (alpha - a0))) * (1 + math.exp(M * (alpha + a0)))
        )
        CL = (1 - sigma) * (0.56 + 6.9 * alpha) + sigma * 2 * math.copysign(1, alpha) * sa**2 * ca
        CD = 0.0437 + (0.56 + 6.9 * alpha) ** 2 / (math.pi * 0.9 * 2.0**2 / 0.3)
        push = 0.5 * rho * V**2 * 0.3
        Fz, Fx = push * (-CD * sa - CL * ca), push * (-CD * ca + CL * sa)
        m = push * 0.15 * (0.045 - 0.7 * alpha - 20.0 * 0.15 / (2 * V) * q + 1.0 * elevator)
        thrust = 0.5 * rho * 0.01619 * ((55.0 * throttle) ** 2 - lost(uw, ww - 0.5 * q))
        # Moment of a force at (x, z) about the centre: z Fx - x Fz; wing and motor both lie `below` above it.
        m += -below * (Fx + thrust) + ahead * Fz
        return [
            u * ct + w * st,
            u * st - w * ct,
            (Fx + thrust) / MASS - G * st - q * w,
            Fz / MASS + G * ct + q * u,
            m / inertia,
            q,
        ]

    return derivative


@pytest.mark.parametrize("preset", LAWS)
def test_flies_as_an_independent_simulation_of_the_printed_equations(fly, preset):
    stick, throttle = 0.3, 0.5
    world = fly((0, stick, 0), throttle, preset=preset)
    model, data = world.model, world.data
    com = np.array([data.subtree_com[1, 0] - data.xpos[1, 0], data.subtree_com[1, 2] - data.xpos[1, 2]])
    # Without their bearings' friction the wheels turn freely about y: only their mass takes part in the pitching.
    model.dof_damping[:] = 0
    inertia = 0.0
    for body in range(1, model.nbody):
        R = data.ximat[body].reshape(3, 3)
        arm = data.xipos[body] - data.subtree_com[1]
        inertia += model.body_mass[body] * (arm[0] ** 2 + arm[2] ** 2)
        inertia += (R @ np.diag(model.body_inertia[body]) @ R.T)[1, 1] * (body == 1)
    start = [com[0], 100 + com[1], 20.0, 0.0, 0.0, 0.0]
    times = np.arange(1, 21.0)
    law = longitudinal(inertia, com, 0.3491 * stick, throttle, LAWS[preset])
    states = solve_ivp(law, (0, 20), start, "DOP853", times, rtol=1e-11, atol=1e-11).y.T
    for x, height, _, _, q, theta in states:
        world.step(500)
        seen, centre = world.motion(), data.subtree_com[1]
        front = rotate(seen.quat_wb, Vector(1, 0, 0))
        # Fourth order: (w h)^4 / 120 with the short period's w of 10 1/s is 1e-9 of the motion.
        assert (centre[0], centre[2]) == pytest.approx((x, height), abs=1e-9)
        assert math.asin(front.z) == pytest.approx(theta, abs=1e-10)
        assert -seen.rate_b.y == pytest.approx(q, abs=1e-10)
        assert abs(centre[1]) < 1e-9


def test_phugoid_without_drag_has_lanchesters_period(fly):
    # Trim at alpha = -0.02: lift = weight, and the elevator carries the moment of the lift behind the centre of mass.
    alpha, slope, back = -0.02, 6.9, COM[0]
    c_lift = 0.56 + slope * alpha
    speed = math.sqrt(2 * MASS * G / (atmosphere(100.0, Atmosphere()).density * 0.3 * c_lift))
    elevator = back * c_lift / 0.15 - 0.045 + 0.7 * alpha
    velocity = [speed * math.cos(alpha), 0, -speed * math.sin(alpha)]
    world = fly((0, elevator / 0.3491, 0), velocity_b=velocity, attitude_deg=[0, -math.degrees(alpha), 0])
    world.part("motor1").row.off = 1
    surface = world.part("wing").row
    surface.c_drag_p, surface.oswald = 0.0, 1e9
    heights = []
    for _ in range(4000):
        world.step(5)
        heights.append(world.motion().pos_w.z)
    off = np.array(heights) - np.mean(heights)
    rising = np.flatnonzero((off[:-1] < 0) & (off[1:] >= 0))
    period = np.diff(rising).mean() * 0.01
    # Lanchester (1908): pi root(2) V / g at constant angle of attack. Pitch damping d against stiffness k, and the lift
    # of the wing when the body pitches, make it 4.5 % longer: w² = -g Z_u M_w / (Z_w M_q - (V + Z_q) M_w), Etkin and
    # Reid, Dynamics of Flight, 6.3, with Z_u = -2 g / V.
    k, d = 0.7 * 0.15 + slope * back, 20.0 * 0.15**2 / 2 + slope * back**2
    longer = math.sqrt(1 + G * slope / (c_lift * speed**2) * (d / k - back))
    assert period == pytest.approx(math.pi * math.sqrt(2) * speed / G * longer, rel=0.01)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_positive_commands_give_positive_moments_of_the_books(fly, axis):
    books = np.array([1, -1, -1])  # front-left-up to front-right-down: right side down, nose up, nose right
    plus, minus = (fly([sign * 0.2 * (k == axis) for k in range(3)], integrator="Euler") for sign in (1, -1))
    for world in (plus, minus):
        world.step()
    torque = np.subtract(wing(plus).torque, wing(minus).torque) * books
    density = atmosphere(100.0, Atmosphere()).density
    reference = 2 * 0.2 * 0.3491 * 0.5 * density * 0.3 * 20.0**2
    assert torque[axis] == pytest.approx(reference * [2.0 * 0.25, 0.15 * 1.0, 2.0 * 0.1][axis], rel=1e-12)
    for world in (plus, minus):
        world.step(50)
    rate = (np.array(plus.motion().rate_b) - minus.motion().rate_b) * books
    assert rate[axis] > 0.05 and np.argmax(np.abs(rate)) == axis


def mirrored(vector):
    return [vector[0], -vector[1], vector[2]]


def test_a_mirrored_start_gives_a_mirrored_flight(fly):
    start = {"velocity_b": [18, 2, -1], "attitude_deg": [10, -5, 20], "rate_b": [0.5, 0.2, -0.3]}
    mirror = {"velocity_b": [18, -2, -1], "attitude_deg": [-10, -5, -20], "rate_b": [-0.5, 0.2, 0.3]}
    one, two = fly((0.3, 0.2, -0.2), **start), fly((-0.3, 0.2, 0.2), **mirror)
    for world in (one, two):
        world.step(2500)
    # Round-off only: 1e-16 per step, growing with the spiral of this manoeuvre.
    a, b = one.motion(), two.motion()
    np.testing.assert_allclose(a.pos_w, mirrored(b.pos_w), atol=1e-9)
    np.testing.assert_allclose(a.vel_b, mirrored(b.vel_b), atol=1e-10)
    np.testing.assert_allclose(a.rate_b, [-b.rate_b[0], b.rate_b[1], -b.rate_b[2]], atol=1e-10)
    assert abs(a.pos_w.y) > 1


def test_a_turned_world_gives_the_same_flight(fly):
    start = {"velocity_b": [18, 2, -1], "rate_b": [0.5, 0.2, -0.3]}
    one, two = (fly((0.3, 0.2, -0.2), **start, attitude_deg=[10, -5, yaw]) for yaw in (20, 155))
    for world in (one, two):
        world.step(2500)
    a, b = one.motion(), two.motion()
    np.testing.assert_allclose(a.vel_b, b.vel_b, atol=1e-10)
    np.testing.assert_allclose(a.rate_b, b.rate_b, atol=1e-10)
    np.testing.assert_allclose(flat(wing(one)), flat(wing(two)), atol=1e-9)
    turn = math.radians(135)
    x, y, z = a.pos_w
    expected = [x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn), z]
    np.testing.assert_allclose(b.pos_w, expected, atol=1e-9)


def test_rolls_on_its_wheels(make_world):
    entry = {"model": "plane_1wing", "position": [0, 0, 0.21], "velocity_b": [5, 0, 0]}
    world = make_world(entry, floor={}, air={"space": True})
    world.step(4000)
    seen = world.motion()
    # Touching down spins the wheels up, and they share the momentum: two disks (m / 2) and a sphere (2 m / 5). Then the
    # bearings brake with d / r² each. How the soft contact slips at first is left out.
    radius = np.array([0.06, 0.06, 0.028])
    inertia, bearings = MASS + 2 * 0.03 / 2 + 0.45 * 2 / 5, np.sum(world.model.dof_damping[6:9] / radius**2)
    expected = 5 * MASS / inertia * math.exp(-2 * bearings / inertia)
    assert seen.vel_w.x == pytest.approx(expected, rel=5e-3) and abs(seen.pos_w.y) < 1e-3
    assert world.data.qvel[6:9] == pytest.approx(seen.vel_w.x / radius, rel=5e-3)
