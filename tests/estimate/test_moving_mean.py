"""The moving mean of the accelerometer."""

import numpy as np
import pytest

from cupola.estimate.moving_mean import FIGURE, MovingMean, moving_mean
from cupola.schema.yaml_files import InputError


def test_the_mean_of_what_there_is_then_of_the_last_ones():
    assert moving_mean([1.0, 3.0, 5.0, 7.0, 100.0], size=3).tolist() == [1.0, 2.0, 3.0, 5.0, 112 / 3]


def test_vectors_are_averaged_by_component():
    mean = MovingMean(2)
    mean.add((0.0, 2.0, 9.8))
    assert mean.add((2.0, 4.0, 9.8)).tolist() == pytest.approx([1.0, 3.0, 9.8])


def test_noise_shrinks_with_the_root_of_the_samples():
    noise = np.random.default_rng(1).normal(size=20000)
    assert moving_mean(noise)[FIGURE:].std() == pytest.approx(1 / np.sqrt(FIGURE), rel=0.1)


def test_a_short_push_is_shown_too_small():
    """10 samples of 2 m/s² in a mean of 40: a quarter of it."""
    push = np.where((np.arange(200) >= 100) & (np.arange(200) < 110), 2.0, 0.0)
    assert moving_mean(push).max() == pytest.approx(0.5)


def test_no_samples_are_refused():
    with pytest.raises(InputError, match="at least 1 sample, got 0"):
        MovingMean(0)
