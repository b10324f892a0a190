"""Von Kármán's turbulence: the printed filters, his spectrum, and nothing that depends on the time step."""

import math

import numpy as np
import pytest
from scipy.signal import welch

from cupola.physics.von_karman import (
    U_POLES,
    U_SHARES,
    V_POLES,
    V_SHARES,
    KarmanState,
    karman_gust,
    karman_start,
    karman_step,
)
from cupola.physics.wind import Dryden, low_altitude_dryden

P = Dryden(sigma_u=1.5, sigma_v=1.2, sigma_w=0.7, length_u=200.0, length_v=150.0, length_w=50.0)
PRINTED = {
    "u": ([0.25, 1.0], [0.1987, 1.357, 1.0], U_POLES, U_SHARES, 2.0),
    "v": ([0.3398, 2.7478, 1.0], [0.1539, 1.9754, 2.9958, 1.0], V_POLES, V_SHARES, 1.0),
}
"""Filter of MIL-STD-1797A, highest power first, and how many times L / π its gain at rest is."""


def closed_form(which, wave):
    """MIL-F-8785C 3.7.1.1, at radians per scale length, without L / π and σ²."""
    a = (1.339 * wave) ** 2
    return 2.0 * (1.0 + a) ** (-5 / 6) if which == "u" else (1.0 + 8.0 / 3.0 * a) * (1.0 + a) ** (-11 / 6)


def variance(poles, shares, gain, after=0.0):
    """Of the sum of lags that one noise drives: how much it has in common with itself `after` some scale lengths."""
    pairs = [(p, q, r, s) for p, r in zip(poles, shares, strict=True) for q, s in zip(poles, shares, strict=True)]
    return gain * sum(r * s * math.exp(-p * after) / (p + q) for p, q, r, s in pairs)


@pytest.mark.parametrize("which", PRINTED)
def test_the_lags_are_the_printed_filters(which):
    above, below, poles, shares, _ = PRINTED[which]
    s = 1j * np.logspace(-3, 3, 50)
    lags = sum(share / (s + pole) for pole, share in zip(poles, shares, strict=True))
    np.testing.assert_allclose(lags, np.polyval(above, s) / np.polyval(below, s), rtol=1e-12)


@pytest.mark.parametrize("which", PRINTED)
def test_the_filters_have_von_karmans_spectrum(which):
    _, _, poles, shares, gain = PRINTED[which]
    wave = np.logspace(-3, 1, 200)
    lags = sum(share / (1j * wave + pole) for pole, share in zip(poles, shares, strict=True))
    np.testing.assert_allclose(gain * np.abs(lags) ** 2, closed_form(which, wave), rtol=0.05)
    deviation = {"u": 0.984, "v": 0.981}[which]  # of the whole spectrum: what lies beyond is lost
    assert math.sqrt(variance(poles, shares, gain)) == pytest.approx(deviation, abs=5e-4)


def series(dt, steps, chains, airspeed=20.0, seed=1):
    """Gusts of many chains side by side: (steps, 3, chains)."""
    chance = np.random.default_rng(seed)
    state = karman_start(KarmanState(*chance.normal(size=(8, chains))))
    found = np.empty((steps, 3, chains))
    for k in range(steps):
        found[k] = karman_gust(state, P)
        state = karman_step(state, airspeed, KarmanState(*chance.normal(size=(8, chains))), dt, P)
    return found


@pytest.mark.parametrize("dt", [0.0005, 0.01, 0.2, 3.0])
def test_strength_and_memory_do_not_depend_on_the_step(dt):
    chains = 40_000
    found = series(dt, 4, chains)
    sizes = zip(("u", "v", "v"), (P.sigma_u, P.sigma_v, P.sigma_w), (P.length_u, P.length_v, P.length_w), strict=True)
    for axis, (which, sigma, length) in enumerate(sizes):
        _, _, poles, shares, gain = PRINTED[which]
        for later in (0, 1, 3):
            common = np.mean(found[0, axis] * found[later, axis]) / sigma**2
            expected = variance(poles, shares, gain, 20.0 * dt * later / length)
            # The mean of products of normal numbers scatters by sqrt(2 / chains) at most: four of that.
            assert common == pytest.approx(expected, abs=4.0 * math.sqrt(2.0 / chains))


def test_a_flight_through_it_shows_the_spectrum():
    dt, airspeed = 0.05, 20.0
    found = series(dt, 4096, 60, airspeed)
    for axis, which, sigma, length in ((0, "u", P.sigma_u, P.length_u), (2, "v", P.sigma_w, P.length_w)):
        frequency, power = welch(found[:, axis].T, 1.0 / dt, nperseg=1024)
        wave = 2.0 * math.pi * frequency * length / airspeed
        inside = (wave > 4.0 * wave[1]) & (wave < 9.0)  # nearer to zero the pieces are too short for the slow swing
        # Per hertz: σ² L / (π V) times 2 π.
        expected = sigma**2 * length / airspeed * 2.0 * closed_form(which, wave)
        ratio = (np.mean(power, axis=0) / expected)[inside]
        # The filter's own 5 %, and the scatter of 60 chains of 7 pieces, 5 % each.
        assert np.abs(ratio - 1.0).max() < 0.15 and abs(ratio.mean() - 1.0) < 0.06


def test_in_a_world_it_has_the_low_altitude_scales(make_world):
    """MIL-F-8785C 3.7.3.4: σ_w a tenth of the wind at 20 ft, the level ones larger; L_w the height.

    The same draw at another height is the same state, so gusts are in proportion to the deviations.
    """
    heights, found = (3.048, 50.0, 304.8), []
    for height in heights:
        entry = {"model": "quadcopter", "position": [0, 0, height], "controller": {"use": "idle"}}
        turbulence = {"spectrum": "von_karman", "wind_at_6m": 8.0}
        world = make_world(entry, air={"turbulence": turbulence})
        gust = np.array(world.air().wind_w)
        found.append(gust / np.array(low_altitude_dryden(height, 8.0)[:3]))
        world.run(0.1)
        assert 0.0 < np.abs(np.array(world.air().wind_w) - gust).max() < 2.0
    assert low_altitude_dryden(50.0, 8.0).length_w == pytest.approx(50.0)
    np.testing.assert_allclose(found[1:], [found[0]] * 2, rtol=1e-12)
    assert np.abs(found[0]).min() > 0.0 and np.abs(found[0]).max() < 4.0
