"""Filters of a motion-capture system: median, jump gate, rates."""

import copy
import math

import numpy as np
import pytest

from cupola.estimate.moving_median import MovingMedian
from cupola.estimate.tracked_pose import BASE, HAND, TARGET, TrackedPose, YawGate
from cupola.schema.yaml_files import InputError


def test_the_median_drops_a_single_wild_sample():
    median = MovingMedian(3)
    assert [median.add(x) for x in (1.0, 9.0, 2.0, 2.5, 40.0, 3.0)] == [1.0, 9.0, 2.0, 2.5, 2.5, 3.0]


def test_of_an_even_number_it_is_the_upper_one():
    median = MovingMedian(4)
    assert [median.add(x) for x in (4.0, 1.0, 3.0, 2.0)][1::2] == [4.0, 3.0]


def test_a_median_of_nothing_is_refused():
    with pytest.raises(InputError, match="at least 1"):
        MovingMedian(0)


def test_yaw_goes_on_through_a_turn():
    gate = YawGate()
    yaws = np.linspace(0.0, 12.0, 600)
    found = [gate.add(math.remainder(yaw, 2.0 * math.pi)) for yaw in yaws]
    np.testing.assert_allclose(found, yaws, atol=1e-12)


def test_a_jump_of_eight_degrees_is_ignored_but_not_for_ever():
    gate, limit = YawGate(patience=5), math.radians(8.0)
    assert gate.add(0.1) == 0.1
    assert gate.add(0.1 + limit) == 0.1
    assert gate.add(0.1 + 0.99 * limit) == pytest.approx(0.1 + 0.99 * limit)
    gate.add(0.1)
    assert [gate.add(1.0) for _ in range(6)] == [0.1] * 5 + [1.0]


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
