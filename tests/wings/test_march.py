"""The unsteady lattice: Wagner, Theodorsen, Garrick, the steady lattice, and what a wake must keep."""

import math

import numpy as np
import pytest

from cupola.aerodynamics.exact import theodorsen, wagner
from cupola.aerodynamics.grid import tapered, whole
from cupola.aerodynamics.lattice import steady_lattice
from cupola.aerodynamics.march import march
from cupola.reproduce.morphing.lattice import plunged, started


def tilted(half, alpha):
    c, s = math.cos(alpha), math.sin(alpha)
    x, y, z = np.moveaxis(half, -1, 0)
    return np.stack([c * x + s * z, y, c * z + s * x], axis=-1)


def flying(half, heave=0.0, omega=1.0):
    return lambda t: half + np.array([t, 0.0, heave * math.sin(omega * t)])


def test_a_sudden_start_is_wagners():
    coarse, fine = started(8, 6.0), started(16, 6.0)
    errors = [abs(found[s] / wagner(s) - 1.0) for found in (coarse, fine) for s in (3.0, 6.0)]
    assert max(errors) < 0.03
    assert errors[2] < 0.6 * errors[0]  # it converges with the panels


def test_plunging_is_theodorsens_and_thrusts_as_garricks():
    lift, thrust = plunged(0.3, 12)
    exact = complex(theodorsen(0.3)) + 0.15j
    assert abs(lift / exact - 1.0) < 0.03
    assert thrust == pytest.approx(1.0, abs=0.03)


def test_in_the_end_it_is_the_steady_lattice():
    half = tilted(tapered(4.0, 1.0, 1.0, chordwise=3, spanwise=6), 0.05)
    *_, last = march(flying(half), 90, 1.0 / 3.0, 2.0, mirror=True)
    steady = steady_lattice(half, np.array([-1.0, 0.0, 0.0]), 2.0, mirror=True)
    np.testing.assert_allclose(last.force, steady.force, rtol=5e-3, atol=1e-9)


def test_a_half_and_its_mirror_are_the_whole():
    half = tilted(tapered(4.0, 1.0, 0.6, sweep=0.2, chordwise=2, spanwise=3), 0.1)
    for free in (False, True):
        *_, one = march(flying(half, 0.1), 8, 0.5, mirror=True, free=free, core=0.05)
        *_, two = march(flying(whole(half), 0.1), 8, 0.5, free=free, core=0.05)
        np.testing.assert_allclose(one.force, two.force, atol=1e-6)


def test_no_circulation_is_lost():
    """Kelvin: the wake's rings carry what the trailing edge had, step by step."""
    half = tilted(tapered(4.0, 1.0, 1.0, chordwise=2, spanwise=3), 0.1)
    steps = list(march(flying(half, 0.2, 2.0), 6, 0.5, mirror=True))
    for n, row in enumerate(steps[5].wake_gamma):
        np.testing.assert_array_equal(row, steps[4 - n].gamma[-1])


def test_the_lift_is_the_rate_of_the_impulse():
    """Momentum of the air: rings of circulation Γ around an area A hold ρ Γ A; the wing's force is what changes it."""
    half = tilted(tapered(6.0, 1.0, 1.0, chordwise=8, spanwise=6), 0.02)
    dt, density = 1.0 / 8.0, 2.0
    steps = list(march(flying(half), 25, dt, density, mirror=True))

    def impulse(step):
        total = 0.0
        for nodes, gamma in ((step.panels.nodes, step.gamma), (step.wake, step.wake_gamma)):
            across = np.cross(nodes[:-1, 1:] - nodes[1:, :-1], nodes[1:, 1:] - nodes[:-1, :-1])
            total += density * (gamma * across[..., 2]).sum()
        return total

    grown = (impulse(steps[24]) - impulse(steps[22])) / (2.0 * dt)
    assert steps[23].force[2] == pytest.approx(grown, rel=0.01)


def test_a_free_wake_rolls_up_and_hardly_changes_the_lift():
    half = tilted(tapered(4.0, 1.0, 1.0, chordwise=2, spanwise=4), 0.15)
    *_, held = march(flying(half), 24, 0.5, mirror=True)
    *_, free = march(flying(half), 24, 0.5, mirror=True, free=True, core=0.1)
    assert free.force[2] == pytest.approx(held.force[2], rel=0.02)
    assert free.wake[10, 0, 2] < held.wake[10, 0, 2] - 0.02
    assert np.abs(free.wake[10] - held.wake[10]).max() > 0.02
    np.testing.assert_array_equal(free.wake[:, 0, 1], 0.0)


def test_a_short_wake_keeps_its_rows():
    half = tilted(tapered(4.0, 1.0, 1.0, chordwise=2, spanwise=3), 0.1)
    *_, last = march(flying(half), 40, 0.5, mirror=True, wake_rows=20)
    *_, all_of_it = march(flying(half), 40, 0.5, mirror=True)
    assert last.wake_gamma.shape == (20, 3)
    assert last.force[2] == pytest.approx(all_of_it.force[2], rel=0.01)


def test_added_mass_of_a_plate_that_only_plunges():
    """A sudden plunge of a long plate: the first steps see π ρ b² dw/dt where no wake is yet."""
    half = tapered(2000.0, 1.0, 1.0, chordwise=20, spanwise=2)
    # From rest with steady acceleration, without forward flight.
    shape = lambda t: half + np.array([0.0, 0.0, -0.5e-3 * t * t])  # noqa: E731
    steps = list(march(shape, 4, 1e-2, 1.0, mirror=True))
    lift = steps[3].panel_force[:, 0].sum(0)[2] / 500.0
    assert lift == pytest.approx(math.pi * 0.25 * 1e-3, rel=0.06)
