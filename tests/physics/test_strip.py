"""Strips against Theodorsen and Garrick, sweep, finite span, any origin, and the energy of the air."""

import math

import numpy as np
import pytest

from cupola.aerodynamics.exact import LAGS, theodorsen, theodorsen_lags, wagner, wagner_lags
from cupola.aerodynamics.strips import march_strips
from cupola.physics.rotation import Vector, cross
from cupola.physics.section import section_polar
from cupola.physics.strip import (
    Strip,
    StripState,
    across_sweep,
    added_wrench,
    effective_down,
    steady_down,
    strip_flow,
    strip_rates,
    strip_start,
    strip_step,
    strip_wrench,
)

DENSITY, SPEED, CHORD = 1.2, 10.0, 0.4
ATTACHED = {"alpha_stall": 3.0, "c_normal_90": 0.0}
STILL = Vector(0.0, 0.0, 0.0)


def steady(velocity, rate, p):
    flow = strip_flow(velocity, rate, p)
    down = steady_down(flow, p)
    alpha = math.atan2(down, flow.forward)
    return strip_wrench(flow, down, 1.0, section_polar(alpha, 1.0, p), DENSITY, p)


def angle(state, flow, p):
    return math.atan2(effective_down(state, flow, p), flow.forward)


@pytest.mark.parametrize("axis", [-1.0, -0.3, 0.0, 0.6])
@pytest.mark.parametrize("k", [0.05, 0.4, 1.2])
def test_pitch_and_plunge_about_any_axis_are_theodorsens(axis, k):
    b = 0.5 * CHORD
    omega, plunge, pitch = k * SPEED / b, 2e-4, 1e-4 * np.exp(0.7j)
    p = Strip(CHORD, 1.0, origin=0.5 * (1.0 + axis), **ATTACHED)

    def motion(time):
        turn = np.exp(1j * omega * time)
        down, angle = (1j * omega * plunge * turn).real, (pitch * turn).real
        rate = (1j * omega * pitch * turn).real
        c, s = math.cos(angle), math.sin(angle)
        return Vector(SPEED * c - down * s, 0.0, -SPEED * s - down * c), Vector(0.0, -rate, 0.0)

    w, c = 1j * omega, complex(theodorsen_lags(k))
    q = w * plunge + SPEED * pitch + b * (0.5 - axis) * w * pitch
    count, cycles = 300, 2
    start = StripState._make([*((q * rate / (rate + 1j * k)).real for _, rate in LAGS), 0.0, 1.0])
    march = march_strips(motion, cycles * count, 2.0 * math.pi / omega / count, DENSITY, p, stall=False, start=start)
    steps = list(march)[-count:]
    mass = math.pi * DENSITY * b * b
    lift = mass * (w * w * plunge + SPEED * w * pitch - b * axis * w * w * pitch)
    lift += 2.0 * math.pi * DENSITY * SPEED * b * c * q
    moment = (
        mass * b * (axis * w * w * plunge - SPEED * (0.5 - axis) * w * pitch - b * (0.125 + axis**2) * w * w * pitch)
    )
    moment += 2.0 * math.pi * DENSITY * SPEED * b * b * (axis + 0.5) * c * q
    suction = (2.0 * c * q - b * w * pitch) / math.sqrt(2.0)
    turns = [np.exp(1j * omega * s.time) for s in steps]
    size = abs(mass * w * w * plunge) + abs(2.0 * math.pi * DENSITY * SPEED * b * q)
    np.testing.assert_allclose([s.wrench.force.z for s in steps], [(lift * t).real for t in turns], atol=2e-3 * size)
    nose_up = [-s.wrench.torque.y for s in steps]
    np.testing.assert_allclose(nose_up, [(moment * t).real for t in turns], atol=2e-3 * size * b)
    pulled = [math.pi * DENSITY * b * (suction * t).real ** 2 for t in turns]
    np.testing.assert_allclose([s.wrench.force.x for s in steps], pulled, atol=5e-3 * max(pulled))


def test_the_lags_are_those_of_theodorsen_and_wagner():
    k = np.geomspace(1e-3, 30.0, 200)
    off = theodorsen_lags(k) - theodorsen(k)
    assert max(np.abs(off.real).max(), np.abs(off.imag).max()) < 1e-3
    assert max(abs(wagner_lags(s) - wagner(s)) for s in (0.0, 1.0, 3.0, 10.0, 50.0)) < 5e-4


def test_the_wake_only_takes():
    c = theodorsen_lags(np.geomspace(1e-5, 1e4, 2000))
    assert (c.real - np.abs(c) ** 2).min() > 0.0


def test_a_step_is_the_solution_of_the_rates():
    p = Strip(CHORD, 1.0, span_factor=0.8)
    flow = strip_flow(Vector(SPEED, 0.0, -2.0), Vector(0.0, -3.0, 0.0), p)
    state = fine = StripState(0.0, 0.5, 1.0, -1.0, 2.0, 0.0, 1.0)
    for _ in range(4000):
        rates = strip_rates(fine, flow, angle(fine, flow, p), p)
        fine = StripState(*(value + 1e-7 * rate for value, rate in zip(fine, rates, strict=True)))
    for _ in range(4):
        state = strip_step(state, flow, angle(state, flow, p), 1e-4, p)
    np.testing.assert_allclose(state, fine, rtol=2e-4, atol=1e-5)


def test_memory_of_a_long_flight_stays():
    p = Strip(CHORD, 1.0, span_factor=0.75)
    flow = strip_flow(Vector(SPEED, 1.0, -1.0), STILL, p)
    start = strip_start(flow, p)
    np.testing.assert_allclose(strip_rates(start, flow, angle(start, flow, p), p), 0.0, atol=1e-12)
    assert effective_down(start, flow, p) == pytest.approx(steady_down(flow, p)) == pytest.approx(0.75)


def test_flow_along_the_span_makes_no_lift():
    p = Strip(CHORD, 1.0, **ATTACHED)
    with_slip, without = steady(Vector(SPEED, 7.0, -0.5), STILL, p), steady(Vector(SPEED, 0.0, -0.5), STILL, p)
    assert with_slip.force == pytest.approx(without.force)
    rubbing = steady(Vector(0.0, 7.0, 0.0), STILL, p._replace(c_friction=0.01))
    assert rubbing.force.y == pytest.approx(-0.5 * DENSITY * 49.0 * CHORD * 0.01)


def test_a_swept_strip_feels_what_crosses_its_span():
    """An infinite yawed wing: lift falls with the square of the cosine at the same angle across the span."""
    sweep, alpha = math.radians(35.0), 0.02
    straight = steady(Vector(SPEED, 0.0, -SPEED * alpha), STILL, Strip(CHORD, 1.0, **ATTACHED)).force.z
    c, s = math.cos(sweep), math.sin(sweep)
    chord, width = across_sweep(CHORD, 1.0, sweep)
    assert chord * width == pytest.approx(CHORD)
    swept = steady(Vector(SPEED * c, -SPEED * s, -SPEED * c * alpha), STILL, Strip(chord, width, **ATTACHED))
    assert swept.force.z == pytest.approx(straight * c * c, rel=1e-3)


def test_where_the_origin_lies_changes_nothing():
    rate, at_nose = Vector(1.0, -3.0, 2.0), Vector(SPEED, 1.0, -1.0)
    wrenches = []
    for origin in (0.0, 0.25, 0.7):
        p = Strip(CHORD, 1.0, origin=origin, **ATTACHED)
        arm = Vector(-origin * CHORD, 0.0, 0.0)
        turned = cross(rate, arm)
        wrench = steady(Vector(at_nose.x + turned.x, at_nose.y + turned.y, at_nose.z + turned.z), rate, p)
        moved = added_wrench(4.0, 9.0, DENSITY, p)
        for each in (wrench, moved):
            lever = cross(arm, each.force)
            wrenches.append((*each.force, *(a + b for a, b in zip(each.torque, lever, strict=True))))
    for other in (2, 4):
        assert wrenches[other] == pytest.approx(wrenches[0])
        assert wrenches[other + 1] == pytest.approx(wrenches[1])
    assert wrenches[1][2] == pytest.approx(math.pi * DENSITY * 0.25 * CHORD**2 * 4.0)


def test_a_finite_span_drags_what_it_must():
    aspect_ratio, alpha = 8.0, 0.03
    p = Strip(CHORD, 1.0, span_factor=aspect_ratio / (aspect_ratio + 2.0), **ATTACHED)
    wrench = steady(Vector(SPEED * math.cos(alpha), 0.0, -SPEED * math.sin(alpha)), STILL, p)
    push = 0.5 * DENSITY * SPEED**2 * CHORD
    lift = (wrench.force.z * math.cos(alpha) + wrench.force.x * math.sin(alpha)) / push
    drag = (wrench.force.z * math.sin(alpha) - wrench.force.x * math.cos(alpha)) / push
    assert lift == pytest.approx(2.0 * math.pi * alpha / (1.0 + 2.0 / aspect_ratio), rel=1e-3)
    assert drag == pytest.approx(lift**2 / (math.pi * aspect_ratio), rel=2e-3)


def test_strips_add_up_to_one_panel():
    whole = steady(Vector(SPEED, 0.0, -1.0), STILL, Strip(CHORD, 3.0))
    third = steady(Vector(SPEED, 0.0, -1.0), STILL, Strip(CHORD, 1.0))
    assert [3.0 * x for x in third.force] == pytest.approx(list(whole.force))


def test_twist_adds_to_the_angle():
    flat, twist = 0.02, 0.03
    both = steady(Vector(SPEED, 0.0, -SPEED * math.tan(flat + twist)), STILL, Strip(CHORD, 1.0, **ATTACHED))
    one = steady(Vector(SPEED, 0.0, -SPEED * math.tan(flat)), STILL, Strip(CHORD, 1.0, **ATTACHED))
    two = steady(Vector(SPEED, 0.0, -SPEED * math.tan(twist)), STILL, Strip(CHORD, 1.0, **ATTACHED))
    assert both.force.z == pytest.approx(one.force.z + two.force.z, rel=2e-3)


def test_strips_converge_with_their_number():
    """Roll damping by the middle of each strip: the error falls with the square of the width."""

    def damping(count):
        y = (np.arange(count) + 0.5) / count - 0.5
        forces = [
            steady(Vector(SPEED, 0.0, 0.01 * at), STILL, Strip(CHORD, 1.0 / count, **ATTACHED)).force.z for at in y
        ]
        return float((y * forces).sum())

    exact = damping(2000)
    ratio = (damping(10) - exact) / (damping(20) - exact)
    assert ratio == pytest.approx(4.0, rel=0.01)


def test_dynamic_stall_is_late_both_ways():
    """Slow pitching up holds the lift beyond the static stall, and pitching down gets it back later."""
    p = Strip(0.2, 1.0)
    omega = 2.0 * 0.1 * SPEED / 0.2

    def motion(time):
        angle = math.radians(15.0) - math.radians(10.0) * math.cos(omega * time)
        rate = math.radians(10.0) * omega * math.sin(omega * time)
        return Vector(SPEED * math.cos(angle), 0.0, -SPEED * math.sin(angle)), Vector(0.0, -rate, 0.0)

    count = 400
    steps = list(march_strips(motion, 3 * count, 2.0 * math.pi / omega / count, DENSITY, p))[-count:]
    up, down = steps[count // 4], steps[3 * count // 4]
    assert motion(up.time)[0].z == pytest.approx(motion(down.time)[0].z, rel=1e-6)
    assert up.attached > down.attached + 0.3
    assert up.wrench.force.z > 1.3 * down.wrench.force.z
    slow = list(march_strips(motion, count, 2.0 * math.pi / omega / count, DENSITY, p, memory=False))
    assert slow[count // 4].attached == pytest.approx(slow[3 * count // 4].attached, rel=0.4)
