"""Station keeping of a floating base, on the closed form of a planar rigid body with a wheel."""

import math
from typing import NamedTuple

import numpy as np
import pytest

from cupola.control.space.base import (
    Layout,
    Nozzles,
    Push,
    Station,
    StationState,
    Valve,
    keep_station,
    pair_forces,
    pulse,
    push_of,
)
from cupola.control.space.motion import Change
from cupola.kernel.jit import jit
from cupola.physics.planar import Pose

CEPHEUS = Layout(
    push_of(Nozzles(0.2, 0.0, 1.5707963267948966)),
    push_of(Nozzles(-0.1, 0.17320508, 3.6651914291880923)),
    push_of(Nozzles(-0.1, -0.17320508, 5.759586531581287)),
)
STATION = Station(mass=13.5713, inertia=0.87, thrust=0.6, shortest=0.03)
WHEEL = 2e-3
HOME = Pose(0.2, -0.1, 0.5)
DT = 0.01


class Flight(NamedTuple):
    place: np.ndarray
    yaw: np.ndarray
    wheel: np.ndarray
    valves: np.ndarray
    momentum: np.ndarray


def fly(duration: float, place=(0.2, -0.1), yaw=0.5, rate=(0.0, 0.0, 0.0), wheel=0.0, p=STATION) -> Flight:
    """Between two steps forces are constant, so place, yaw and wheel advance by their exact parabolas."""
    x, y = place
    vx, vy, w = rate
    state, rows = StationState(), []
    for _ in range(round(duration / DT)):
        command, state = keep_station(Pose(x, y, yaw), Change(vx, vy, w), wheel, HOME, state, CEPHEUS, p, DT)
        opened = command[1:]
        pushes = [p.thrust * side * np.array(n) for side, n in zip(opened, CEPHEUS, strict=True)]
        fx_b, fy_b, torque = sum(pushes)
        c, s = math.cos(yaw), math.sin(yaw)
        ax, ay = (c * fx_b - s * fy_b) / p.mass, (s * fx_b + c * fy_b) / p.mass
        turn = (torque + command.wheel) / p.inertia
        x, y, yaw = x + vx * DT + 0.5 * ax * DT**2, y + vy * DT + 0.5 * ay * DT**2, yaw + w * DT + 0.5 * turn * DT**2
        vx, vy, w = vx + ax * DT, vy + ay * DT, w + turn * DT
        wheel -= (command.wheel / WHEEL + turn) * DT
        spin = p.inertia * w + WHEEL * (wheel + w)
        rows.append([x, y, yaw, wheel, *opened, p.mass * vx, p.mass * vy, spin])
    t = np.array(rows)
    return Flight(t[:, :2] - HOME[:2], t[:, 2] - HOME.yaw, t[:, 3], t[:, 4:7], t[:, 7:])


def test_three_pairs_give_any_push():
    wanted = Push(0.3, -0.2, 0.05)
    forces = pair_forces(wanted, CEPHEUS)
    given = sum(f * np.array(n) for f, n in zip(forces, CEPHEUS, strict=True))
    np.testing.assert_allclose(given, wanted, atol=1e-12)
    # A pure turn asks the same of all three: they sit on a circle of 0.2 m.
    np.testing.assert_allclose(pair_forces(Push(0.0, 0.0, 0.06), CEPHEUS), [0.1, 0.1, 0.1], atol=1e-8)


def test_pulses_are_whole_and_no_impulse_is_lost():
    valve, opened, given = Valve(), [], 0.0
    for k in range(1000):
        wanted = 0.05 * math.sin(0.01 * k) + 0.01
        valve = pulse(valve, wanted, 0.6, 0.03, DT)
        opened.append(valve.open)
        given += wanted * DT - 0.6 * valve.open * DT
        assert abs(given) <= 0.6 * 0.03 + 1e-12  # never more than a pulse in arrears
    lengths = [len(run) for run in "".join("1" if o else " " for o in opened).split()]
    assert set(opened) == {-1.0, 0.0, 1.0}
    assert min(lengths) >= 3 and all(n % 3 == 0 for n in lengths)


def test_it_comes_back_and_stays_within_the_dead_band():
    f = fly(60.0, place=(0.25, -0.16), yaw=0.6, rate=(0.004, -0.003, 0.01))
    late = slice(round(30.0 / DT), None)
    assert np.abs(f.place[late]).max() < 0.011 and np.abs(f.yaw[late]).max() < math.radians(0.1)
    used = 0.6 * DT * np.abs(f.valves).sum()
    needed = STATION.mass * math.hypot(0.05, 0.06) * STATION.frequency
    assert used < 6.0 * needed  # a critically damped return from rest needs about one of these to start and one to stop


def test_at_rest_in_its_place_it_spends_nothing():
    f = fly(5.0, place=(0.203, -0.102))
    assert np.count_nonzero(f.valves) == 0 and np.abs(f.place).max() < 0.004


def test_the_wheel_is_unloaded_without_turning_the_base():
    f = fly(30.0, wheel=450.0)
    assert abs(f.wheel[-1]) < 31.0 and abs(f.momentum[-1, 2]) < 0.2 * WHEEL * 450.0
    assert np.abs(f.yaw).max() < math.radians(0.05)
    assert np.abs(f.place).max() < 0.012
    before = fly(5.0, wheel=250.0)  # not yet too fast
    assert np.count_nonzero(before.valves) == 0


@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_unloading_works_both_ways(sign):
    assert abs(fly(30.0, wheel=sign * 350.0).wheel[-1]) < 31.0


def test_without_a_valve_the_wheel_only_takes_what_the_base_gives():
    """Nothing from outside: linear and angular momentum stay what they were."""
    f = fly(20.0, yaw=0.7, rate=(0.0, 0.0, 0.02))
    assert np.count_nonzero(f.valves) == 0
    np.testing.assert_allclose(f.momentum[:, 2], f.momentum[0, 2], atol=1e-12)
    assert abs(f.yaw[-1]) < 1e-6


def test_the_law_compiles():
    case = (Pose(0.3, 0.1, 0.2), Change(0.01, 0.02, 0.03), 400.0, HOME, StationState(), CEPHEUS, STATION, DT)
    command, state = keep_station(*case)
    compiled, after = jit(keep_station)(*case)
    assert compiled == pytest.approx(command, rel=1e-12) and after.front == pytest.approx(state.front, rel=1e-12)
