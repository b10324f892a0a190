"""Errors of sensors: their size, their memory, and that the same seed draws them again."""

import math
from typing import Any

import numpy as np
import pytest

SECONDS, RATE = 40, 100
BODY = '<body name="base" pos="0 0 5"><geom size="0.1"/><site name="here" euler="0 90 0"/></body>'
NOISY: dict[str, Any] = {
    "barometer": ({"noise": 3.0}, [3.0]),
    "gnss": ({"velocity_noise": 0.2}, [0, 0, 0, 0.2, 0.2, 0.2]),
    "magnetometer": ({"noise": 1e-7}, [1e-7] * 3),
    "airspeed": ({"noise": 2.0, "bias": 50.0}, [2.0, None]),
    "rangefinder": ({"noise": 0.02}, [0.02]),
    "laser": ({"noise": 0.03, "rays": 5, "angle_min_deg": -40, "angle_max_deg": 40}, [0.03] * 5),
}


def samples_of(vehicle, make_world, kind, numbers, name="toy", **scenario):
    """Numbers of all samples of `SECONDS` at rest."""
    folder = vehicle(BODY, name=name, parts={"it": {"kind": kind, "site": "here", "rate_hz": RATE, **numbers}})
    world = make_world(folder, **{"physics_hz": 100, "floor": {}, **scenario})
    rows = [world.samples[name, "it"].since(0)]
    for _ in range(SECONDS):
        before = world.samples[name, "it"].count
        world.step(100)
        rows.append(world.samples[name, "it"].since(before))
    return np.concatenate(rows)[:, 1:]


@pytest.mark.parametrize("kind", NOISY)
def test_white_noise_has_its_size_and_no_memory(vehicle, make_world, kind):
    numbers, sigmas = NOISY[kind]
    said = samples_of(vehicle, make_world, kind, numbers)
    n = len(said)
    for column, sigma in enumerate(sigmas):
        if sigma is None:
            continue  # an airspeed follows from its pressure
        values = said[:, column]
        if sigma == 0:
            assert np.ptp(values) == 0
            continue
        # The deviation of n samples is known to 1 / root(2 n), a correlation to 1 / root(n): five of these.
        assert values.std() == pytest.approx(sigma, rel=5 / math.sqrt(2 * n))
        assert abs(np.corrcoef(values[1:], values[:-1])[0, 1]) < 5 / math.sqrt(n)
    live = [k for k, sigma in enumerate(sigmas) if sigma]
    between = np.atleast_2d(np.corrcoef(said[:, live].T)) - np.eye(len(live))
    assert np.abs(between).max() < 5 / math.sqrt(n)


def test_noise_of_a_fix_is_given_in_metres(vehicle, make_world):
    said = samples_of(vehicle, make_world, "gnss", {"noise": 2.0, "altitude_noise": 5.0}, origin={"latitude_deg": 60})
    sigma = np.array([2.0 / 6.367e6, 2.0 / (6.394e6 * 0.5), 5.0])  # radii of curvature at 60° to 1 %
    np.testing.assert_allclose(said[:, :3].std(axis=0), sigma, rtol=0.01 + 5 / math.sqrt(2 * len(said)))


@pytest.mark.parametrize(
    ("kind", "numbers", "column"),
    [("barometer", {"drift": 8.0, "drift_time": 0.5}, 0), ("gnss", {"altitude_wander": 8.0, "wander_time": 0.5}, 2)],
)
def test_a_slow_error_keeps_its_size_and_forgets_with_its_time(vehicle, make_world, kind, numbers, column):
    off = samples_of(vehicle, make_world, kind, numbers)[:, column]
    n = SECONDS / (2 * 0.5)  # independent samples: one in two time constants
    assert off.std() == pytest.approx(8.0, rel=5 / math.sqrt(2 * n))
    for lag in (1, 25, 50):
        share = np.corrcoef(off[lag:], off[:-lag])[0, 1]
        expected = math.exp(-lag / RATE / 0.5)
        assert share == pytest.approx(expected, abs=5 * math.sqrt((1 - expected**2) / n))


def test_a_slow_error_is_there_from_the_first_sample(vehicle, make_world):
    folder = vehicle(BODY, parts={"it": {"kind": "barometer", "site": "here", "rate_hz": 10, "drift": 8.0}})
    world = make_world(folder)
    first = []
    for seed in range(200):
        world.reset(seed=seed)
        first.append(world.samples["toy", "it"].latest().pressure)
    assert np.std(first) == pytest.approx(8.0, rel=5 / math.sqrt(400))


@pytest.mark.parametrize("kind", NOISY)
def test_the_seed_decides(vehicle, make_world, kind):
    one = samples_of(vehicle, make_world, kind, NOISY[kind][0], name="one")[:50]
    two = samples_of(vehicle, make_world, kind, NOISY[kind][0], name="two")[:50]
    other = samples_of(vehicle, make_world, kind, NOISY[kind][0], name="other", seed=2)[:50]
    np.testing.assert_array_equal(one, two)
    noisy = [k for k, sigma in enumerate(NOISY[kind][1]) if sigma != 0]
    assert not np.any(one[:, noisy] == other[:, noisy])


@pytest.mark.parametrize("kind", NOISY)
def test_rate_and_delay_hold_for_every_kind(vehicle, make_world, kind):
    part = {"kind": kind, "site": "here", "rate_hz": 30, "delay": 0.05}
    world = make_world(vehicle(BODY, parts={"it": part}), physics_hz=1000)
    samples = world.samples["toy", "it"]
    world.step(49)
    assert samples.latest() is None and samples.count == 2
    world.step(51)
    assert samples.latest() is not None
    assert samples.since(0)[:, 0].tolist() == [0, 34, 67, 100]
