"""Measures against closed forms, and what is refused before anything runs."""

import math

import numpy as np
import pytest

from cupola.parts.shown import Signal
from cupola.schema.expressions import ExpressionError, parse_expression
from cupola.sim.measure_types import Names
from cupola.sim.measures import Run, _measure, evaluate

PHASES = {"car.controller.phase": ("waiting", "driving", "parked")}
UNITS = {
    "car.position.x": "m",
    "car.position.y": "m",
    "car.position.z": "m",
    "car.speed": "m/s",
    "car.force": "N",
    "car.mixed.x": "m",
    "car.mixed.yaw": "rad",
    "car.odd": "furlong",
    "car.slow": "km",
    "car.never": "m",
    "car.controller.error": "m",
    "car.controller.phase": "1",
}
NAMES = Names([Signal(name, unit, "outputs", k) for k, (name, unit) in enumerate(UNITS.items())], PHASES)
DT = 0.01
TIME = np.arange(1001) * DT
"""10 s."""
ERROR = np.where(TIME < 1.0, np.nan, 0.5)
PHASE = np.where(TIME < 1.0, np.nan, np.where(TIME < 4.0, 1.0, 2.0))
VALUES = {
    "car.position.x": 3.0 * np.cos(TIME),
    "car.position.y": 3.0 * np.sin(TIME),
    "car.position.z": np.full_like(TIME, 4.0),
    "car.speed": 2.0 * TIME,
    "car.force": np.sin(2.0 * math.pi * TIME),
    "car.never": np.full_like(TIME, np.nan),
    "car.controller.error": ERROR,
    "car.controller.phase": PHASE,
}
RUN = Run(TIME, VALUES.__getitem__, NAMES.groups, PHASES)


def measure(text):
    tree = parse_expression(text)
    found = NAMES.check(tree)
    with np.errstate(all="ignore"):
        return _measure(evaluate(tree, RUN), found)


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        # A sine over whole periods; its mean square is exact at equal steps, but for the one row more at the end.
        ("rms(car.force)", math.sqrt(0.5 * 1000 / 1001), "N"),
        ("mean(car.force ^ 2)", 0.5 * 1000 / 1001, "kg² m²/s⁴"),
        ("max(car.force)", 1.0, "N"),
        ("min(car.force)", -1.0, "N"),
        ("max(abs(car.force)) - min(car.force)", 2.0, "N"),
        ("integral(car.speed)", 100.0, "m"),  # trapezoids are exact for a ramp
        ("integral(car.speed / 2) / 2", 25.0, "m"),
        ("integral(car.speed * car.speed)", 4.0 * (1000.0 / 3.0 + 10.0 * DT**2 / 6.0), "m²/s"),
        ("integral(car.force)", 0.0, "N s"),
        ("final(car.speed)", 20.0, "m/s"),
        ("first(car.position.x)", 3.0, "m"),
        ("final(car.speed) * final(time)", 200.0, "m"),
        ("mean(norm(car.position))", 5.0, "m"),
        ("norm(final(car.position.x), final(car.position.y))", 3.0, "m"),
        ("max(norm(car.position.x, car.position.y) - 3 m)", 0.0, "m"),
        ("time_of(car.speed >= 4 m/s)", 2.0, "s"),
        ("time_of(car.speed > 10 km/h)", 1.39, "s"),
        ("duration(car.speed < 5)", 2.5, "s"),
        ("count(car.force > 0.5)", 10.0, "1"),
        ("count(car.speed > -1)", 0.0, "1"),  # it holds from the first row on: nothing rises
        ("sqrt(final(car.speed) ^ 2)", 20.0, "m/s"),
        ("2 ^ -1", 0.5, "1"),
        ("-2 ^ 2", -4.0, "1"),
        ("2 * 3 + 4 / 8 - 1", 5.5, "1"),
        ("min(final(car.speed), 12)", 12.0, "m/s"),
        ("max(3, 5, 4)", 5.0, "1"),
        # Rows at which something is no number count for nothing.
        ("mean(car.controller.error)", 0.5, "m"),
        ("first(car.controller.error)", 0.5, "m"),
        ("integral(car.controller.error)", 4.5, "m s"),
        ("rms(car.speed when car.controller.phase == 'driving')", math.sqrt(np.mean((2 * TIME[100:400]) ** 2)), "m/s"),
        ("time_of(car.controller.phase == 'parked')", 4.0, "s"),
        ("duration(car.controller.phase == 'driving')", 3.0, "s"),
        ("count('parked' == car.controller.phase)", 1.0, "1"),
        ("max(max(car.never, car.controller.error))", 0.5, "m"),
        # Nothing to measure.
        ("max(car.never)", None, "m"),
        ("time_of(car.speed > 100)", None, "s"),
        ("time_of(car.controller.phase == 'waiting')", None, "s"),
        ("1 / 0", None, "1"),
        ("0 / 0", None, "1"),
        ("mean(car.speed / (car.position.z - 4 m))", None, "1/s"),
        ("10 ^ 10 ^ 10", None, "1"),
        ("9 ^ 9 ^ 9 ^ 9", None, "1"),
        ("sqrt(-1)", None, "1"),
        ("(-8) ^ 0.5", None, "1"),
    ],
)
def test_values_and_units(text, value, unit):
    found = measure(text)
    assert found.unit == unit
    assert found.value == (value if value is None else pytest.approx(value, rel=1e-12, abs=1e-12))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("final(car.speed) > 10 and not max(car.force) > 2 N", True),
        ("final(car.controller.phase == 'parked')", True),
        ("first(car.speed > 1)", False),
        ("final(car.speed) < 1 m/s or 1 > 2", False),
        ("final(car.speed) == 20", True),
    ],
)
def test_a_measure_may_be_yes_or_no(text, value):
    assert measure(text) == (value, "")


@pytest.mark.parametrize(
    ("text", "at", "words"),
    [
        ("car.speed", 1, "a value at every row of the run: say which counts, as final"),
        ("1 + car.speed > 2", 15, "final\\(...\\), duration"),
        ("rms(cra.speed)", 5, "no signal 'cra.speed'; there are: car, time"),
        ("rms(car.sped)", 5, "car has: position, speed, force, mixed"),
        ("rms(car.position.w)", 5, "car.position has: x, y, z"),
        ("rms(car.position)", 5, "norm\\(car.position\\), or one of: x, y, z"),
        ("max(norm(car.nothing))", 10, "car has: position"),
        ("max(norm(car.mixed))", 5, "equal units, got m and rad"),
        ("max(norm(car.speed))", 5, "norm takes a group"),
        ("max(car.speed + car.force)", 15, "equal units, got m/s and N"),
        ("time_of(car.speed > 3 N)", 19, "equal units, got m/s and N"),
        ("max(car.speed + car.odd)", 15, "equal units, got m/s and furlong"),
        ("max(car.position.x + car.slow)", 20, "equal units, got m and km"),
        ("rms(car.speed > 1)", 15, "rms takes a number, got a condition"),
        ("duration(car.speed)", 10, "duration takes a condition, as z > 2 m, got a number"),
        ("1 and 2", 1, "and takes a condition"),
        ("not 1", 5, "not takes a condition"),
        ("mean(car.speed when 3)", 21, "when takes a condition"),
        ("mean((car.speed > 1) when car.speed > 1)", 17, "when takes a number"),
        ("rms(3)", 1, "rms goes over the run"),
        ("max(final(car.speed))", 1, "max goes over the run"),
        ("duration(1 < 2)", 1, "duration goes over the run"),
        ("2 ^ final(car.speed)", 5, "an exponent has no unit, got m/s"),
        ("final(car.speed) ^ mean(car.controller.phase)", 20, "needs a plain number"),
        ("time_of(car.controller.phase == 'parkd')", 33, "never 'parkd'; it is one of: waiting, driving, parked"),
        ("time_of(car.speed == 'parked')", 19, "signals that are phases: car.controller.phase"),
        ("'parked'", 1, "stands beside == only"),
        ("max(car.speed, 'parked')", 16, "stands beside == only"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(text, at, words):
    with pytest.raises(ExpressionError, match=f"^character {at}: .*{words}"):
        NAMES.check(parse_expression(text))


def test_a_run_without_rows_has_no_figures():
    nothing = Run(TIME[:0], lambda name: VALUES[name][:0], NAMES.groups, PHASES)
    for text, value in (
        ("max(car.speed)", None),
        ("final(car.speed) > 1", False),
        ("time_of(car.speed > 1)", None),
        ("integral(car.speed)", 0.0),
        ("duration(car.speed > 1)", 0.0),
        ("count(car.speed > 1)", 0.0),
        ("final(car.speed > 1)", None),
    ):
        tree = parse_expression(text)
        assert _measure(evaluate(tree, nothing), NAMES.check(tree)).value == value, text


def test_only_the_signals_that_are_named_are_kept():
    assert NAMES.used(parse_expression("max(norm(car.position)) + final(time) * mean(car.speed)")) == {
        "car.position.x",
        "car.position.y",
        "car.position.z",
        "car.speed",
    }
