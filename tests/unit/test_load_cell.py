"""Figures of a force sensor under load: of series whose figures are known, and of a sensor that was given them."""

import math

import numpy as np
import pytest

from cupola.analysis.load_cell import Loading, allan_deviation, correlation, resampled, time_constant, weigh
from cupola.config.vehicle import MODELS, read_vehicle
from cupola.reproduce.cepheus.bench import Bench
from cupola.reproduce.cepheus.force_sensor import (
    HUNG,
    each_its_bound,
    fitted,
    hang,
    judged,
    looped,
    plain,
    recordings,
    strictly,
    weighed,
)

TIMES = Loading(2.0, 10.0, 60.0, 61.0)


def series(noise=0.0, creep=0.0, zero=0.0, shift=0.0, slope=0.0):
    """A load of -5 N from 10 to 60 s, read at 100 Hz."""
    time = np.arange(7000) / 100.0
    loaded = (time >= 10.0) & (time < 60.0)
    reading = zero + np.where(loaded, -5.0 + creep * (time > 11.0) + slope * (time - 10.0), 0.0)
    reading += np.where(time >= 60.0, shift, 0.0)
    return time, reading + noise * np.random.default_rng(4).standard_normal(len(time))


def test_each_figure_is_what_was_put_in():
    time, reading = series(noise=0.01, creep=0.2, zero=0.5, shift=0.3, slope=0.001)
    found = weigh(time, reading, TIMES)
    assert found.mean == pytest.approx(-5.0 + 0.2 + 0.001 * 28.5, abs=2e-3)
    assert found.spread == pytest.approx(0.01, rel=0.05)
    assert found.creep == pytest.approx(0.2 + 0.001 * 6.75, abs=2e-3)
    assert found.drift == pytest.approx(0.001 * 37.0, abs=2e-3)
    assert found.shift == pytest.approx(0.3, abs=2e-3)
    assert found.repeated == 0.0
    assert abs(found.lag_1) < 0.05 and abs(found.lag_10) < 0.05
    assert found.allan_1 == pytest.approx(0.01 / np.sqrt(100.0), rel=0.3)


def test_repeated_samples_colour_the_noise():
    """Every fourth reading is the one before: so is a fourth of the variance of neighbours."""
    time, reading = series(noise=0.01)
    reading[3::4] = reading[2::4]
    found = weigh(time, reading, TIMES)
    assert found.repeated == pytest.approx(0.25, abs=1e-3) and found.lag_1 == pytest.approx(0.25, abs=0.03)
    assert looped(np.array([[0, 0, 0, 1.0], [2, 0, 0, 2.0]]), 4)[1].tolist() == [1.0, 1.0, 2.0, 2.0]


@pytest.mark.parametrize("seconds", [0.5, 2.0, 6.0])
@pytest.mark.parametrize("size", [0.2, -0.2])
def test_the_time_constant_of_an_exponential_is_found_whatever_its_size_and_end(seconds, size):
    time, noise = np.arange(3000) / 100.0, 0.005 * np.random.default_rng(2).standard_normal(3000)
    reading = -5.0 + size * np.exp(-(time - 10.0) / seconds) + noise
    assert time_constant(time, reading, 10.0, 18.0) == pytest.approx(seconds, rel=0.1)


def test_formulas_of_known_series():
    assert correlation(np.tile([1.0, -1.0], 50), 1) == pytest.approx(-1.0)
    assert allan_deviation(np.arange(100.0), 1.0, 10.0) == pytest.approx(10.0 / np.sqrt(2.0))
    with pytest.raises(ValueError, match="less than two spans"):
        allan_deviation(np.zeros(15), 1.0, 10.0)


@pytest.mark.parametrize(
    ("times", "why"),
    [
        (Loading(9.0, 10.0, 60.0, 61.0), "3 s from `zero`"),
        (Loading(0.0, 10.0, 20.0, 61.0), "17 s from there"),
        (Loading(0.0, 10.0, 60.0, 69.0), "1.7 s after"),
    ],
)
def test_a_recording_that_is_too_short_is_refused(times, why):
    time, reading = series()
    with pytest.raises(ValueError, match=why):
        weigh(time, reading, times)


def test_a_sensor_is_given_back_its_own_numbers():
    """What is fitted to sensors with known numbers is these."""
    given = {"rate_hz": 96.9, "force_noise": 8e-4, "force_walk": 0.0, "gain": 0.97, "creep": 0.04, "creep_spread": 0.2}
    given |= {"slow_creep": 0.005, "creep_load": 9.8, "creep_time": 1.6}
    found = fitted([(HUNG[0], one) for one in hang(HUNG[0], [given] * 40)])
    assert found["rate_hz"] == pytest.approx(96.9, abs=0.05)
    assert found["force_noise"] == pytest.approx(8e-4, rel=0.05)
    assert found["gain"] == pytest.approx(0.97, abs=0.005)
    assert found["creep"] == pytest.approx(0.04, rel=0.15)
    assert found["creep_load"] == pytest.approx(9.8) and found["creep_time"] == pytest.approx(1.6, rel=0.1)
    assert found["slow_creep"] == pytest.approx(0.005, rel=0.35)
    assert found["force_walk"] < 1e-4


def test_on_the_bench_a_sensor_feels_the_load_and_nothing_else():
    exact = {"force_noise": 0.0, "torque_noise": 0.0, "force_walk": 0.0, "creep": 0.0, "slow_creep": 0.0, "gain": 1.0}
    bench = Bench("force", [exact])
    for load in ((0.0, 0.0, 0.0), (1.0, -2.0, -9.8)):
        bench.world.push("vehicle/pan", load)
        bench.world.run(0.1)
        assert bench.records()[0][-1, 1:] == pytest.approx([*load, 0.0, 0.0, 0.0], abs=1e-12)


def test_sensors_of_unknown_bound_lose_as_much_under_the_fitted_load_and_differently_under_less():
    ours = each_its_bound({"creep": 0.05, "creep_load": 4.9, "gain": 1.0}, 300)

    def lost(load):
        return np.array([one["creep"] * min(load, one["creep_load"]) for one in ours])

    assert lost(4.9) == pytest.approx(0.245) and (lost(2.0) <= 0.245 + 1e-12).all()
    assert 0.05 * 2.0 <= lost(2.0).min() < 0.11 and np.median(lost(2.0)) < 0.245 < 2.0
    assert max(one["creep"] for one in ours) < 1.0


@pytest.mark.parametrize(("recorded", "passed"), [(1.15, True), (1.3, False), (0.7, False)])
def test_a_figure_passes_within_a_fifth_or_among_the_sensors(recorded, passed):
    assert judged(HUNG[0], "spread", recorded, [1.0, 1.001]).passed is passed
    assert judged(HUNG[0], "spread", recorded, [0.5, 1.0, 1.5]).passed


def test_resampling_spreads_figures_as_chance_does():
    """White noise: its mean and its creep scatter by known amounts, about what the series itself says."""
    time, reading = series(noise=0.01, zero=0.5, shift=0.3, slope=0.001)
    reading[3::4] = reading[2::4]
    told, copies = weigh(time, reading, TIMES), resampled(time, reading, TIMES, 100)
    spread = {name: np.std([getattr(one, name) for one in copies]) for name in told._fields}
    for name, value in told._asdict().items():
        middle = np.median([getattr(one, name) for one in copies])
        assert abs(middle - value) < 3.0 * spread[name] + 0.03 * abs(value) + 2e-4, name
    # A fourth of the readings is held: a mean of n of them scatters by 0.01 √(1.5 / n), a difference of two by both.
    # The smooth course takes part of the slowest noise with it, so means over seconds scatter less than they should.
    for name, counts in (("creep", (50, 200)), ("drift", (400, 400))):
        assert 0.4 < spread[name] / (0.01 * math.sqrt(sum(1.5 / count for count in counts))) < 1.5
    assert spread["repeated"] < 0.005
    assert resampled(time, reading, TIMES, 2, seed=3) == resampled(time, reading, TIMES, 2, seed=3)


def test_the_strict_row_asks_the_recordings_own_interval_and_names_the_plain_mean():
    time, reading = series()
    told = weigh(time, reading, TIMES)
    others = [(HUNG[0], told), (HUNG[2], told)]
    assert plain(HUNG[1], "mean", others) == pytest.approx(-2.5) and plain(HUNG[1], "shift", others) == 0.0
    row = strictly(HUNG[1], "shift", 1.0, [0.5, 0.6, 0.7], [0.95, 1.0, 1.05], 1.1)
    assert (
        not row.passed
        and row.measured == 0.6
        and row.quantity.endswith("(the plain mean of the other two, 1.1, passes)")
    )
    assert strictly(HUNG[1], "shift", 1.0, [0.81], [1.0], 2.0).passed
    wide = strictly(HUNG[1], "shift", 1.0, [0.6], [0.5, 1.5], 2.0)
    assert wide.passed and wide.quantity.endswith("misses)")


@pytest.mark.data("cepheus/28-3-force-1kg.csv")
def test_the_file_of_the_vehicle_has_what_fits_the_recordings():
    part = read_vehicle(MODELS / "cepheus" / "vehicle.yaml").parts["force"]
    tables = recordings()
    assert not isinstance(tables, str)
    for name, value in fitted(list(zip(HUNG, weighed(tables), strict=True))).items():
        assert getattr(part, name) == pytest.approx(value, rel=0.02), name
