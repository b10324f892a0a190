"""Windows of real flights: nothing of the future enters, errors are what they say, rows without data do not pass."""

import math

import numpy as np
import pytest

from cupola.analysis.real_flight import (
    GRAVITY,
    STEP,
    STEPS,
    Errors,
    Flight,
    Motors,
    Prediction,
    cut,
    judge,
    keep_tilt,
    lift_factor,
    read_flight,
    score,
    stand_still,
    trim,
    turn_between,
)
from cupola.physics.rotation import Euler, quaternion_from_euler
from cupola.reproduce.nanobench import crazyflie_fit
from cupola.reproduce.nanobench import figure as nanobench_figure
from cupola.reproduce.nanobench import prediction as nanobench
from cupola.reproduce.nanobench.real_flights import FLIGHTS
from cupola.schema.input_files import InputError

ROWS = 400


@pytest.fixture
def flight():
    """Four seconds; the vehicle is above 0.5 m from the first second on."""
    chance = np.random.default_rng(3)
    time = STEP * np.arange(ROWS, dtype=np.float64)
    pos = np.column_stack([np.sin(time), np.cos(time), np.minimum(time, 1.0) * 0.51])
    quat = np.array([quaternion_from_euler(Euler(0.1 * t, 0.0, 0.0)) for t in time])
    vel, rate = chance.normal(size=(2, ROWS, 3))
    voltage = 3.0 + 0.1 * chance.normal(size=(ROWS, 4)) + np.array([0.0, 0.1, 0.2, -0.1])
    return Flight(time, pos, vel, quat, rate, np.full(ROWS, 9.81), voltage, 1.5, 3.5)


MAP = Motors(500.0, 400.0, 0.072, GRAVITY / (4.0 * 1700.0**2))
"""At 3 V the four motors carry the weight."""


def test_windows_start_every_tenth_of_a_second_while_their_end_is_inside(flight):
    windows = cut(flight, MAP)
    assert len(windows.speeds) == 16  # 1.5 to 3.0 s
    assert windows.commands.shape == (16, STEPS, 4)
    np.testing.assert_allclose(windows.pos_w[3], flight.pos_w[180])
    np.testing.assert_allclose(windows.flown.pos_w[3, -1], flight.pos_w[230])


def test_what_a_model_is_given_holds_nothing_of_the_motion_to_come(flight):
    row = 250
    other = flight._replace(
        **{
            name: getattr(flight, name).copy()
            for name in ("pos_w", "vel_w", "quat_wb", "rate_b", "signal", "specific_z")
        }
    )
    for column in (other.pos_w, other.vel_w, other.quat_wb, other.rate_b, other.specific_z):
        column[row + 1 :] += 1.0
    other.signal[row + STEPS + 2 :] = 1.0
    one, two = cut(flight, MAP), cut(other, MAP)
    which = 10  # starts at row 250
    for given in ("pos_w", "vel_w", "quat_wb", "rate_b", "speeds", "commands"):
        np.testing.assert_array_equal(getattr(one, given)[which], getattr(two, given)[which])
    assert np.abs(one.flown.pos_w[which] - two.flown.pos_w[which]).min() > 0.5


def test_the_trim_is_learnt_from_the_past_and_makes_the_motors_alike(flight):
    speeds = MAP.speed(flight.signal)
    factors, row = trim(flight, speeds), 250
    changed = speeds.copy()
    changed[row:] = 100.0
    np.testing.assert_array_equal(trim(flight, changed)[row], factors[row])
    airborne = int(np.argmax(flight.pos_w[:, 2] > 0.5))
    np.testing.assert_array_equal(factors[: airborne + 1], 1.0)
    pushes = np.mean((factors[row] * speeds[airborne:row]) ** 2, axis=0)
    np.testing.assert_allclose(pushes, np.mean(speeds[airborne:row] ** 2), rtol=1e-12)


def test_a_motor_without_voltage_stands_still():
    np.testing.assert_allclose(MAP.speed(np.array([0.0, 3.0])), [0.0, 1700.0])


def test_motors_start_at_the_speed_that_their_past_commands_left(flight):
    steady = cut(flight._replace(signal=np.full((ROWS, 4), 3.0)), MAP)
    np.testing.assert_allclose(steady.speeds, 1700.0)
    np.testing.assert_allclose(steady.commands, 1700.0)


@pytest.mark.parametrize("true", [0.8, 1.0, 1.3])
def test_the_total_thrust_is_learnt_from_the_past(flight, true):
    """Motors that push more than their numbers say: the accelerometer shows it, within seconds of take-off."""
    steady = flight._replace(signal=np.full((ROWS, 4), 3.0), specific_z=np.full(ROWS, true * GRAVITY))
    factors = lift_factor(steady, MAP.speed(steady.signal), MAP)
    airborne = int(np.argmax(flight.pos_w[:, 2] > 0.5))
    np.testing.assert_array_equal(factors[: airborne + 1], 1.0)
    # Time in the air against the second that the numbers are trusted for, both forgotten with the same time constant.
    air = 3.0 * (1.0 - math.exp(-(ROWS - 1 - airborne) * STEP / 3.0))
    assert factors[-1] ** 2 == pytest.approx((1.0 + true * air) / (1.0 + air), rel=2e-3)
    later = steady._replace(specific_z=np.where(np.arange(ROWS) < 300, steady.specific_z, 50.0))
    np.testing.assert_array_equal(lift_factor(later, MAP.speed(steady.signal), MAP)[:301], factors[:301])


def test_errors_of_a_known_mistake(flight):
    flown = cut(flight, MAP).flown
    assert judge(flown, flown) == Errors(0.0, 0.0, 0.0, 0.0, 0.0)
    turned = np.array(quaternion_from_euler(Euler(0.0, 0.3, 0.0)))
    w, x, y, z = np.moveaxis(flown.quat_wb, -1, 0)
    a, _, c, _ = turned
    quat = np.stack([w * a - y * c, x * a - z * c, w * c + y * a, x * c + z * a], axis=-1)
    ramp = np.linspace(0.0, 1.0, STEPS)[None, :, None] * np.array([0.3, 0.4, 0.0])
    wrong = Prediction(flown.pos_w + ramp, flown.vel_w + 2.0, -quat, flown.rate_b - 1.0)
    found = judge(wrong, flown)
    assert found.position == pytest.approx(0.5)
    assert found.path == pytest.approx(0.5 * math.sqrt(np.mean(np.linspace(0, 1, STEPS) ** 2)))
    assert (found.velocity, found.rate) == pytest.approx((2.0 * math.sqrt(3.0), math.sqrt(3.0)))
    assert found.attitude == pytest.approx(math.degrees(0.3))
    np.testing.assert_allclose(turn_between(wrong.quat_wb, flown.quat_wb)[0, 0], [0.0, 0.3, 0.0], atol=1e-12)


def test_no_model_keeps_velocity_and_attitude(flight):
    windows = cut(flight, MAP)
    kept = stand_still(windows)
    np.testing.assert_allclose(kept.pos_w[:, -1], windows.pos_w + STEP * STEPS * windows.vel_w)
    np.testing.assert_array_equal(kept.quat_wb[:, 7], windows.quat_wb)


def test_a_thrust_that_is_the_weight_falls_sideways_and_down(flight):
    windows = cut(flight, MAP)
    found, still = keep_tilt(windows), stand_still(windows)
    lean = 0.1 * flight.time[np.argmin(np.abs(flight.time - flight.first))]  # [rad] of roll
    gained = found.vel_w[0, -1] - still.vel_w[0, -1]
    expected = GRAVITY * STEP * STEPS * np.array([0.0, -math.sin(lean), math.cos(lean) - 1.0])
    np.testing.assert_allclose(gained, expected, atol=1e-12)
    np.testing.assert_allclose(found.pos_w[0, -1] - still.pos_w[0, -1], 0.5 * STEP * STEPS * expected, atol=1e-12)
    np.testing.assert_array_equal(found.quat_wb, still.quat_wb)


def test_scores_stand_beside_the_floors(flight):
    windows = cut(flight, MAP)
    found = score(windows, {"exact": lambda w: w.flown})
    assert list(found) == ["no model", "thrust is weight", "exact"]
    assert found["exact"].position == 0.0 < found["no model"].position
    assert len(windows.every(4).speeds) == 4 and windows.every(4).flown.pos_w.shape == (4, STEPS, 3)


NAMES = ["time_s", "px_m", "py_m", "pz_m", "vx_m_s", "vy_m_s", "vz_m_s", "qx", "qy", "qz", "qw"]
NAMES += ["wx_rad_s", "wy_rad_s", "wz_rad_s", "acc_z_g", "m1_pwm", "m2_pwm", "m3_pwm", "m4_pwm", "vbat_v"]
VALUES = [0.5, 1, 2, 3, 4, 5, 6, 0.1, 0.2, 0.3, 0.9, 7, 8, 9, 2.0, 65535, 0, 32767.5, 13107, 4.0]


def test_a_file_is_read_with_its_units(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(",".join(NAMES) + "\n" + ",".join(map(str, VALUES)) + "\n")
    found = read_flight(path, 0.0, 1.0)
    assert found.quat_wb[0].tolist() == [0.9, 0.1, 0.2, 0.3]
    assert found.specific_z[0] == 2.0 * 9.81
    np.testing.assert_allclose(found.signal[0], [4.0, 0.0, 2.0, 0.8])
    path.write_text(path.read_text().replace("_pwm", "_rad_s"))
    np.testing.assert_allclose(read_flight(path, 0.0, 1.0).signal[0], VALUES[15:19])


def test_a_file_that_lacks_something_is_refused_with_what_it_has(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(",".join(NAMES[1:]) + "\n" + ",".join(map(str, VALUES[1:])) + "\n")
    with pytest.raises(InputError, match=r"no column time_s; there are: px_m"):
        read_flight(path, 0.0, 1.0)
    path.write_text(",".join(NAMES[:15]) + "\n" + ",".join(map(str, VALUES[:15])) + "\n")
    with pytest.raises(InputError, match=r"no motors: give m1_rad_s"):
        read_flight(path, 0.0, 1.0)
    path.write_text(",".join(NAMES) + "\n")
    with pytest.raises(InputError, match="no rows"):
        read_flight(path)


def written(path, flight, rows, **changed):
    """A flight as a file, with cells that are changed: name and row to text."""
    names = [*NAMES[:15], "m1_rad_s", "m2_rad_s", "m3_rad_s", "m4_rad_s", "pilot"]
    columns = [flight.time, *flight.pos_w.T, *flight.vel_w.T, *flight.quat_wb.T[[1, 2, 3, 0]], *flight.rate_b.T]
    lines = [",".join(names)]
    for k in rows:
        cells = [repr(float(one[k])) for one in columns] + ["1.0", *["1500"] * 4, "somebody"]
        for name, (row, text) in changed.items():
            if row == k:
                cells[names.index(name)] = text
        lines.append(",".join(cells))
    path.write_text("\n".join(lines) + "\n")
    return path


def test_gaps_holes_and_words_of_a_file_are_left_out_and_said(tmp_path, flight, caplog):
    """Columns of words are ignored, rows with holes dropped, and no window reaches over a gap."""
    count = len(flight.time)
    everything = read_flight(written(tmp_path / "a.csv", flight, range(count)), flight.first, flight.last)
    windows = cut(everything, MAP)
    assert not caplog.records
    holes = {"px_m": (10, ""), "qw": (11, "nan"), "m2_rad_s": (12, "off")}
    found = read_flight(written(tmp_path / "b.csv", flight, range(count), **holes), flight.first, flight.last)
    assert len(found.time) == count - 3 and "3 of" in caplog.text
    caplog.clear()
    middle = int(np.searchsorted(flight.time, 0.5 * (flight.first + flight.last)))
    kept = [k for k in range(count) if not middle <= k < middle + 10]
    fewer = cut(read_flight(written(tmp_path / "c.csv", flight, kept), flight.first, flight.last), MAP)
    assert len(fewer.speeds) < len(windows.speeds) and "over a gap" in caplog.text
    assert score(fewer, {"exact": lambda w: w.flown})["exact"].position == 0.0
    for name, text in (("d", "a,b\n1,2\n"), ("e", "")):
        (tmp_path / name).write_text(text)
        with pytest.raises(InputError):
            read_flight(tmp_path / name)
    with pytest.raises(InputError, match="cannot be read"):
        read_flight(tmp_path / "none")
    with pytest.raises(InputError, match="does not grow"):
        read_flight(written(tmp_path / "f.csv", flight, range(count), time_s=(20, "0.0")), 0.0, 1.0)


def test_an_attitude_may_change_its_sign(tmp_path, flight):
    flipped = flight._replace(
        quat_wb=flight.quat_wb * np.where(np.arange(len(flight.time)) % 7 < 3, -1.0, 1.0)[:, None]
    )
    rows = range(len(flight.time))
    found = [
        cut(read_flight(written(tmp_path / f"{k}.csv", one, rows), flight.first, flight.last), MAP)
        for k, one in enumerate((flight, flipped))
    ]
    turns = np.abs(np.sum(found[0].flown.quat_wb * found[1].flown.quat_wb, axis=-1))
    np.testing.assert_allclose(turns, np.sum(found[0].flown.quat_wb ** 2, axis=-1), rtol=1e-12)


def test_without_the_flights_rows_say_so_and_do_not_pass(monkeypatch):
    monkeypatch.delenv("CUPOLA_DATA", raising=False)
    rows = list(nanobench.rows(full=True))
    assert len(rows) == 6 * 5 * 4 + 1 + 8 * 8
    for row in rows:
        assert not row.passed
        assert "CUPOLA_DATA is not set" in str(row.measured) or row.id == "nanobench_mean_attitude"


def test_no_row_is_predicted_with_numbers_that_saw_its_flight():
    assert set(crazyflie_fit.FOLDS) == set(FLIGHTS)
    assert len({tuple(one.items()) for one in crazyflie_fit.FOLDS.values()}) == 6


def test_rows_judge_by_their_criteria():
    ours, better = Errors(0.1, 0.1, 0.1, 0.1, 0.1), Errors(0.2, 0.2, 0.2, 0.2, 0.2)
    worse = Errors(0.05, 0.05, 0.05, 0.096, 0.05)
    scores = {"ours": ours, "no model": better, "thrust is weight": worse}
    found = {
        row.id.removeprefix("nanobench_lissajous_"): row.passed for row in nanobench.beside_floors("lissajous", scores)
    }
    assert all(passed for name, passed in found.items() if name.endswith("_floor"))
    assert [name for name, passed in found.items() if name.endswith("_fair") and passed] == ["attitude_fair"]
    alone = list(nanobench.beside_peer("lissajous", "rotorpy", ours, None, "RotorPy is not installed"))
    assert len(alone) == 5 and not any(row.passed for row in alone)
    assert all(row.passed for row in nanobench.beside_peer("lissajous", "rotorpy", ours, better, "RotorPy 3"))
    assert not any(row.passed for row in nanobench.beside_peer("lissajous", "crazyflow", better, ours, "Crazyflow 1"))
    assert nanobench.mean_attitude([0.9] * 6).passed and not nanobench.mean_attitude([1.01] * 6).passed
    assert not nanobench.mean_attitude([0.5] * 5).passed


def test_the_picture_shows_how_errors_grow(flight, tmp_path):
    windows = cut(flight, MAP)
    position, attitude = nanobench_figure.growth(stand_still(windows), windows.flown)
    kept = judge(stand_still(windows), windows.flown)
    assert (position[-1], attitude[-1]) == pytest.approx((kept.position, kept.attitude))
    nanobench_figure.draw({"flight": (windows, {"crazyflie": stand_still(windows)})}, tmp_path / "a.png")
    assert (tmp_path / "a.png").stat().st_size > 10_000
