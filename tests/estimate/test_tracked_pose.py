"""Filters of a motion-capture system: median, jump gate, rates."""

import copy
import math

import numpy as np
import pytest

from cupola.estimate.tracked_pose import BASE, HAND, JUMP, ROWS, TARGET, gated, track
from cupola.estimate.windows import ROW, mean_with, median_with
from cupola.kernel.jit import jit


class TrackedPose:
    """The rows that a controller keeps of one body."""

    def __init__(self, windows):
        self.rows, self.windows = np.zeros((ROWS, ROW)), windows

    def add(self, x, y, yaw, dt):
        return track(self.rows, self.windows, x, y, yaw, dt, JUMP)


def test_the_median_drops_a_single_wild_sample():
    row = np.zeros(ROW)
    found = [median_with(row, 3, x) for x in (1.0, 9.0, 2.0, 2.5, 40.0, 3.0)]
    assert found == [1.0, 9.0, 2.0, 2.5, 2.5, 3.0]


def test_of_an_even_number_it_is_the_upper_one():
    row = np.zeros(ROW)
    assert [median_with(row, 4, x) for x in (4.0, 1.0, 3.0, 2.0)][1::2] == [4.0, 3.0]


def test_a_mean_is_that_of_the_last_samples_and_of_fewer_at_the_start():
    row = np.zeros(ROW)
    assert [mean_with(row, 3, x) for x in (3.0, 5.0, 10.0, 0.0, 2.0)] == [3.0, 4.0, 6.0, 5.0, 4.0]


def test_compiled_it_is_the_same():
    plain, compiled = TrackedPose(HAND), TrackedPose(HAND)
    quick = jit(track)
    for k in range(40):
        sample = 0.01 * k, math.sin(k), 0.02 * k, 0.01
        assert plain.add(*sample) == quick(compiled.rows, HAND, *sample, JUMP)


def test_yaw_goes_on_through_a_turn():
    tracked, yaws = TrackedPose(TARGET), np.linspace(0.0, 12.0, 600)
    found = [tracked.add(0.0, 0.0, math.remainder(yaw, 2.0 * math.pi), 0.01).yaw for yaw in yaws]
    np.testing.assert_allclose(found, yaws, atol=1e-12)


def test_a_jump_of_eight_degrees_is_ignored_but_not_for_ever():
    state, limit = np.zeros(3), math.radians(8.0)

    def gate(yaw):
        found = gated(state, yaw, JUMP, patience=5)
        state[0] = 1.0  # it has been seen
        return found

    assert gate(0.1) == 0.1
    assert gate(0.1 + limit) == 0.1
    assert gate(0.1 + 0.99 * limit) == pytest.approx(0.1 + 0.99 * limit)
    gate(0.1)
    assert [gate(1.0) for _ in range(6)] == [0.1] * 5 + [1.0]


def test_the_first_rate_is_zero_and_a_steady_one_is_found():
    tracked = TrackedPose(TARGET)
    rows = [tracked.add(0.01 * k, 1.0 - 0.02 * k, 0.001 * k, 0.01) for k in range(30)]
    assert rows[0][3:] == (0.0, 0.0, 0.0)
    assert rows[-1] == pytest.approx((0.29, 0.42, 0.029, 1.0, -2.0, 0.1))


@pytest.mark.parametrize(("windows", "lag"), [(HAND, (4.5, 1.0, 7.0)), (BASE, (0.0, 0.0, 0.0))])
def test_places_lag_by_half_their_window(windows, lag):
    """At a steady rate a mean of n samples is (n - 1) / 2 behind, a median of 3 one."""
    tracked = TrackedPose(windows)
    last = [tracked.add(0.01 * k, 0.02 * k, 0.002 * k, 0.01) for k in range(60)][-1]
    behind = (0.59 - last.x) / 0.01, (1.18 - last.y) / 0.02, (0.118 - last.yaw) / 0.002
    assert behind == pytest.approx(lag) and last[3:] == pytest.approx((1.0, 2.0, 0.2))


def test_the_hand_s_filters_make_its_rates_quieter():
    rng = np.random.default_rng(0)
    spread = {}
    for name, windows in (("hand", HAND), ("target", TARGET)):
        tracked, noise = TrackedPose(windows), rng.normal(0.0, 1e-4, (400, 3))
        spread[name] = np.std([tracked.add(row[0], row[1], row[2], 0.01)[3:] for row in noise][30:], axis=0)
    assert spread["hand"][0] < 0.15 * spread["target"][0] and spread["hand"][2] < 0.1 * spread["target"][2]


def test_a_copy_is_independent():
    """A snapshot of a controller copies its filters."""
    tracked = TrackedPose(HAND)
    for k in range(20):
        tracked.add(0.01 * k, 0.0, 0.0, 0.01)
    kept = copy.deepcopy(tracked)
    after = tracked.add(0.2, 0.0, 0.0, 0.01)
    tracked.add(9.0, 0.0, 0.0, 0.01)
    assert kept.add(0.2, 0.0, 0.0, 0.01) == after
