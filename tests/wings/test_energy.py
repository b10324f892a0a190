"""Energy of a free bird with flapping wings: body, wings, springs, added mass and wake add up."""

import pytest

from cupola.reproduce.morphing.energy import Bird, fall


def test_the_balance_closes_and_converges():
    coarse, fine = fall(1.0, 0.01), fall(1.0, 0.005)
    assert fine.error() < 2e-6
    assert coarse.error() / fine.error() == pytest.approx(16.0, rel=0.4)  # RK4
    assert 0.02 * fine.mechanical[0] < fine.wake[-1]  # there is something to balance
    assert (fine.wake[1:] > 0.0).all()


def test_ten_seconds():
    assert fall(10.0, 0.004, Bird(strips=3)).error() < 1e-6


def test_a_force_left_out_is_seen():
    assert fall(1.0, 0.005, suction=0.0).error() > 1e-2
