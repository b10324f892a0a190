"""A torque that a model misses is learnt in flight: from the past alone, and what it does is corrected."""

import math

import numpy as np

from cupola.analysis.missed_torque import FADES, LENGTH, corrected
from cupola.analysis.real_flight import GRAVITY, STEP, STEPS, Prediction, Windows, judge

COUNT = 60
TIMES = STEP * np.arange(1, STEPS + 1)
PUSH = np.array([0.9, -0.6, 0.3])
"""Angular acceleration that turns the vehicle and that the model does not know [rad/s²]."""


def turns(rates):
    """Small attitudes from rotation vectors."""
    return np.concatenate([np.ones_like(rates[..., :1]), 0.5 * rates], axis=-1)


def hovering(push=PUSH, start=None):
    """Windows of a vehicle that hangs level at their start and is turned then; a model says that it stays level."""
    turned = np.tile(0.5 * push * TIMES[:, None] ** 2, (COUNT, 1, 1))
    accel = GRAVITY * np.stack([turned[..., 1], -turned[..., 0], 0.0 * turned[..., 0]], axis=-1)
    vel = STEP * np.cumsum(accel, axis=1)
    quat = turns(turned) / np.linalg.norm(turns(turned), axis=-1, keepdims=True)
    flown = Prediction(STEP * np.cumsum(vel, axis=1), vel, quat, np.tile(push * TIMES[:, None], (COUNT, 1, 1)))
    zero, level = np.zeros((COUNT, 3)), np.tile([1.0, 0.0, 0.0, 0.0], (COUNT, 1))
    commands, start = np.zeros((COUNT, STEPS, 4)), 0.1 * np.arange(COUNT) if start is None else start
    windows = Windows(zero, zero, level, zero, np.zeros((COUNT, 4)), commands, flown, start)
    still = np.zeros((COUNT, STEPS, 3))
    return windows, Prediction(still, still, np.repeat(level[:, None], STEPS, axis=1), still)


def test_what_is_missed_steadily_is_foretold_as_far_as_it_does_not_fade():
    windows, level = hovering()
    found = corrected(windows, level)
    missed, left = (
        judge(Prediction(*(c[-1:] for c in level)), Prediction(*(c[-1:] for c in windows.flown))),
        judge(Prediction(*(c[-1:] for c in found)), Prediction(*(c[-1:] for c in windows.flown))),
    )
    learnt = math.exp(-LENGTH / FADES) * (1.0 - math.exp(-(COUNT - 5) * 0.1 / FADES))
    for before, after in zip(missed, left, strict=True):
        assert abs(after / before - (1.0 - learnt)) < 0.02


def test_nothing_that_has_not_ended_before_a_window_enters_it():
    windows, level = hovering()
    other, _ = hovering(push=-3.0 * PUSH)
    last = 30
    mixed = Prediction(
        *(np.concatenate([a[: last - 4], b[last - 4 :]]) for a, b in zip(windows.flown, other.flown, strict=True))
    )
    known, unknown = corrected(windows, level), corrected(windows._replace(flown=mixed), level)
    for a, b in zip(known, unknown, strict=True):
        np.testing.assert_array_equal(a[: last + 1], b[: last + 1])
        assert np.abs(a[last + 1 :] - b[last + 1 :]).max() > 0.0
    for one, plain in zip(known, level, strict=True):
        np.testing.assert_array_equal(one[:5], plain[:5])  # nothing had ended yet


def test_a_pause_is_forgotten_as_fast_as_flight():
    """After ten seconds without windows what was learnt is all but gone."""
    start = 0.1 * np.arange(COUNT)
    start[40:] += 10.0
    windows, level = hovering(start=start)
    turned = corrected(windows, level).quat_wb[:, -1, 1]
    assert turned[39] > 0.9 * turned.max() and np.abs(turned[40:45]).max() < 1e-3 * turned.max()
    assert turned[-1] > 0.3 * turned.max()  # and is learnt again
