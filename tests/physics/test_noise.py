"""Threefry against the published vectors; the normal numbers against their distribution."""

import numpy as np
import pytest

from cupola.physics.noise import gaussian_pair, threefry

# Random123 1.14 (D. E. Shaw Research), tests/kat_vectors, lines "threefry2x32 20": counter, key, result.
KNOWN_ANSWERS = [
    ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
    ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
    ((0x243F6A88, 0x85A308D3), (0x13198A2E, 0x03707344), (0xC4923A9C, 0x483DF7A0)),
]


@pytest.mark.parametrize(("counter", "key", "result"), KNOWN_ANSWERS)
def test_threefry_gives_the_published_words(counter, key, result):
    assert tuple(threefry(*key, *counter)) == result


def test_words_are_cut_to_32_bits():
    assert threefry(2**32 + 5, 7, -1, 3) == threefry(5, 7, 0xFFFFFFFF, 3)


@pytest.mark.parametrize("position", range(4))
def test_each_argument_gives_other_numbers(position):
    args = [1, 2, 3, 4]
    before = gaussian_pair(*args)
    args[position] += 1
    assert gaussian_pair(*args) != before


def test_normal_numbers_have_the_right_moments():
    n = 200_000
    pair = gaussian_pair(np.int64(7), np.int64(1), np.arange(n), np.int64(0))
    values = np.concatenate(pair)
    error = 1.0 / np.sqrt(2 * n)  # standard error of a mean of unit variance; five of them is one in two million
    assert abs(values.mean()) < 5 * error
    assert abs(values.var() - 1.0) < 5 * np.sqrt(2.0) * error
    assert abs((values**3).mean()) < 5 * np.sqrt(15.0) * error
    assert abs((values**4).mean() - 3.0) < 5 * np.sqrt(96.0) * error
    assert abs(np.corrcoef(pair.a, pair.b)[0, 1]) < 5 / np.sqrt(n)
    assert abs(np.corrcoef(pair.a[:-1], pair.a[1:])[0, 1]) < 5 / np.sqrt(n)


def test_the_distribution_function_is_the_normal_one():
    from math import erf

    n = 100_000
    values = np.sort(gaussian_pair(np.int64(11), np.int64(3), np.arange(n), np.int64(2)).a)
    expected = np.array([0.5 * (1.0 + erf(v / 2.0**0.5)) for v in values])
    # Kolmogorov-Smirnov: a distance of 1.95 / sqrt(n) is exceeded once in a thousand.
    assert np.abs(expected - (np.arange(n) + 0.5) / n).max() < 1.95 / np.sqrt(n)
