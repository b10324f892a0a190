"""Test inputs, plans that are changed on the way, curves computed from signals, set-points: without a browser."""

import math
from typing import cast

import numpy as np
import pytest

from cupola.cockpit import messages as say
from cupola.cockpit.derived import DerivedCurves
from cupola.cockpit.excitation import _along
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.cockpit.setpoints import setpoints
from cupola.cockpit.timeline import Timeline
from cupola.schema.yaml_files import InputError
from cupola.sim.world import load


class Line:
    """Keeps what pages would be told."""

    def __init__(self):
        self.said, self.answers = [], []

    def tell(self, message):
        self.said.append(message)

    def answer(self, number, content):
        self.answers.append(content)

    def last(self, kind):
        return [one for one in self.said if isinstance(one, kind)][-1]


def fly(name, folder, **options):
    return Flight(load(name), cast(Link, Line()), folder, [], load, **options)


@pytest.fixture
def flight(tmp_path):
    flight = fly("hover", tmp_path)
    flight.obey(say.Mode(mode="assisted"))
    return flight


def curve(flight, name, *, since=0.0, until=math.inf):
    flight.course.observe()
    k = [one.name for one in flight.frame.signals].index(name)
    found = flight.timeline.between([k], since, until)
    return found.times, found.values[:, 0]


def stick(flight, seconds):
    """The stick roll at each tick from now on."""
    found = []
    for _ in range(round(seconds / flight.dt)):
        flight.step(1)
        found.append(flight.world.signal("quadcopter.stick.roll"))
    return np.array(found)


def test_a_step_acts_for_exactly_its_ticks(flight):
    flight.step(7)
    flight.obey(say.Excite(shape="step", stick="roll", size=0.4, seconds=0.1))
    seen = stick(flight, 0.2)
    ticks = round(0.1 / flight.dt)
    np.testing.assert_array_equal(seen[:ticks], 0.4)
    np.testing.assert_array_equal(seen[ticks:], 0.0)
    flight.look()
    told = flight.link.last(say.Changed).excitation
    assert told.since == pytest.approx(7 * flight.dt) and told.until - told.since == pytest.approx(0.1)
    assert told.text == "step of 0.4 on roll for 0.1 s"


def test_batches_of_ticks_do_not_change_it(flight):
    asked = say.Excite(shape="chirp", stick="pitch", size=0.3, seconds=0.5, from_hz=1.0, to_hz=4.0)
    ends = []
    for batch in (1, 13, 400):
        flight.obey(say.Reset())
        flight.obey(say.Mode(mode="assisted"))
        flight.obey(asked)
        for left in range(400, 0, -batch):
            flight.step(min(batch, left))
        ends.append(flight.world.state_hash())
    assert len(set(ends)) == 1


def test_a_doublet_goes_to_one_side_and_then_as_long_to_the_other(flight):
    flight.obey(say.Excite(shape="doublet", size=-0.5, seconds=0.2))
    seen = stick(flight, 0.25)
    half = round(0.1 / flight.dt)
    assert set(seen[:half]) == {-0.5} and set(seen[half : 2 * half]) == {0.5} and set(seen[2 * half :]) == {0.0}


def test_a_chirp_sweeps_its_frequencies(flight):
    flight.obey(say.Excite(shape="chirp", size=0.5, seconds=2.0, from_hz=1.0, to_hz=3.0))
    seen = stick(flight, 2.0)
    # A linear sweep turns (1 + 3) / 2 times a second on average: two zeros each.
    assert np.count_nonzero(np.diff(np.signbit(seen))) == pytest.approx(8, abs=1)
    assert np.max(np.abs(seen)) <= 0.5


def test_a_push_gives_its_momentum(flight):
    flight.obey(say.Emergency(on=True))  # no controller pushes back
    flight.step(2)
    before = flight.world.motion().vel_w.y
    flight.obey(say.Excite(shape="push", size=3.0, seconds=0.05, direction_w=(0.0, 2.0, 0.0)))
    flight.step(round(0.1 / flight.dt))
    mass = flight.world.model.body_subtreemass[flight.world.instances[0].root]
    drag = 0.02  # of what it gains: 0.14 m/s for a tenth of a second
    assert flight.world.motion().vel_w.y - before == pytest.approx(3.0 * 0.05 / mass, rel=drag)
    assert not flight.world.arrays.world["forces_applied"][0]


def test_a_twist_is_a_torque_about_its_axis_and_no_force(flight):
    flight.obey(say.Emergency(on=True))  # no controller turns it back
    flight.step(2)
    before = flight.world.snapshot()
    gained = []
    for asked in (None, say.Excite(shape="twist", size=0.01, seconds=0.02, direction_w=(3.0, 0.0, 4.0))):
        flight.world.restore(before)
        if asked:
            flight.obey(asked)
        flight.step(round(0.03 / flight.dt))
        after = flight.world.motion()
        gained.append([*after.vel_w, *after.rate_b])
    moved = np.subtract(gained[1], gained[0])
    inertia = np.array(flight.world.robot().inertia)
    # It starts level, and turns by 0.002 while it is twisted.
    np.testing.assert_allclose(inertia @ moved[3:], [0.6 * 2e-4, 0.0, 0.8 * 2e-4], rtol=0.02, atol=2e-6)
    # What is left of the thrust tilts with it; a force of as many newtons would give ten times this.
    assert np.abs(moved[:3]).max() < 0.2 * 2e-4 / flight.world.robot().mass
    assert not flight.world.arrays.world["forces_applied"][0]


def test_a_gust_blows_as_asked_and_the_wind_is_then_as_before(flight):
    flight.obey(say.Tune(name="air.wind_speed", value=2.0))
    flight.obey(say.Tune(name="air.wind_from_deg", value=270.0))  # towards +x
    flight.obey(say.Excite(shape="gust", size=3.0, seconds=0.4, direction_w=(0.0, 1.0, 0.0)))
    flight.step(round(0.2 / flight.dt) + 1)
    found = {name: value for name, (_, value) in flight.world.parameters.items() if name.startswith("air.wind")}
    assert found["air.wind_speed"] == pytest.approx(math.hypot(2.0, 3.0), rel=1e-6)
    assert found["air.wind_from_deg"] == pytest.approx(270.0 - math.degrees(math.atan2(3.0, 2.0)), rel=1e-6)
    flight.step(round(0.3 / flight.dt))
    after = {name: value for name, (_, value) in flight.world.parameters.items()}
    assert (after["air.wind_speed"], after["air.wind_from_deg"]) == (2.0, 270.0)


@pytest.mark.parametrize("long", [1.7e308, 1e-200, 5e-324])
def test_a_direction_may_have_any_length(long):
    wanted = _along(say.Excite(shape="push", size=300.0, seconds=1.0, direction_w=(1.0, -1.0, 1.0)))
    assert wanted == pytest.approx((300.0 / math.sqrt(3.0), -300.0 / math.sqrt(3.0), 300.0 / math.sqrt(3.0)))
    found = _along(say.Excite(shape="push", size=300.0, seconds=1.0, direction_w=(long, -long, long)))
    assert found == pytest.approx(wanted)


def test_what_cannot_be_done_says_so(flight):
    with pytest.raises(InputError, match=r"stands at 0: 1\.5 from there is beyond its ends"):
        flight.obey(say.Excite(shape="step", size=1.5, seconds=1.0))
    with pytest.raises(InputError, match="a push needs a direction"):
        flight.obey(say.Excite(shape="push", size=1.0, seconds=1.0, direction_w=(0.0, 0.0, 0.0)))
    with pytest.raises(InputError, match="there is no body 99 to push"):
        flight.obey(say.Excite(shape="push", size=1.0, seconds=1.0, body=99))


def test_a_hand_on_the_sticks_ends_it(flight):
    flight.obey(say.Excite(shape="step", size=0.4, seconds=5.0))
    flight.step(10)
    flight.obey(say.Sticks(channels=[0.1, 0.0, 0.0, 0.0]))
    flight.step(50)
    assert flight.world.signal("quadcopter.stick.roll") == pytest.approx(0.1)
    assert "ended: a hand is on the sticks" in flight.link.last(say.Notice).text
    flight.look()
    assert flight.link.last(say.Changed).excitation.until == pytest.approx(10 * flight.dt)


def test_a_mission_gives_the_sticks_away_and_a_vehicle_without_sticks_refuses(flight, tmp_path):
    flight.obey(say.Mode(mode="mission"))
    flight.obey(say.Excite(shape="step", size=0.2, seconds=0.1))
    assert flight.world.mode() == "assisted"
    locked = fly("hover", tmp_path, may_fly=["mission"])
    with pytest.raises(InputError, match="no mode that hears the sticks"):
        locked.obey(say.Excite(shape="step", size=0.2, seconds=0.1))


def test_a_run_that_is_flown_on_from_the_middle_of_a_push_is_the_same(flight):
    flight.obey(say.Excite(shape="push", size=2.0, seconds=0.2, direction_w=(1.0, 0.0, 0.0)))
    flight.step(round(0.4 / flight.dt))
    end = flight.world.state_hash()
    flight.obey(say.Seek(time=0.1))
    flight.step(round(0.3 / flight.dt))
    assert flight.world.state_hash() == end


def test_an_input_that_was_stopped_ends_there_again_when_it_is_flown_on_from_its_middle(flight):
    flight.obey(say.Excite(shape="push", size=2.0, seconds=5.0, direction_w=(1.0, 0.0, 0.0)))
    flight.step(100)
    flight.obey(say.StopExcitation())
    flight.step(100)
    end = flight.world.state_hash()
    flight.obey(say.Seek(time=50 * flight.dt))
    flight.step(150)
    assert flight.world.state_hash() == end and not flight.world.arrays.world["forces_applied"][0]


def test_a_hand_that_pushed_is_not_there_when_it_is_flown_on_from_that_moment(flight):
    flight.step(10)
    flight.obey(say.Push(body=flight.world.instances[0].root, point_b=(0.0, 0.0, 0.0), force_w=(1.0, 0.0, 0.0)))
    flight.step(10)
    flight.course.hands.release()
    flight.step(10)
    flight.obey(say.Seek(time=15 * flight.dt))
    assert flight.world.arrays.world["forces_applied"][0]
    flight.step(1)
    assert not flight.world.arrays.world["forces_applied"][0]


def test_a_vehicle_goes_to_a_place_and_back_to_its_plan(tmp_path):
    flight = fly("square", tmp_path)
    flight.obey(say.Mode(mode="assisted"))
    flight.obey(say.GoTo(place=(1.0, 0.5, 2.0)))
    flight.look()
    told = flight.link.last(say.Planned)
    assert [one.position for one in told.plan] == [(1.0, 0.5, 2.0)] and not told.own
    assert flight.world.mode() == "mission"
    flight.step(round(8.0 / flight.dt))
    assert math.dist(flight.world.motion().pos_w, (1.0, 0.5, 2.0)) < 0.3
    flight.obey(say.GoTo(place=None))
    flight._next_look = 0.0
    flight.look()
    assert flight.link.last(say.Planned).own


def test_a_waypoint_is_moved_and_a_reset_puts_it_back(tmp_path):
    flight = fly("square", tmp_path)
    own = flight.begin()[1].vehicles[0].plan
    flight.step(100)
    flight.obey(say.MoveWaypoint(index=1, place=(9.0, 8.0, 3.0)))
    flight.look()
    told = flight.link.last(say.Planned)
    assert told.plan[1].position == (9.0, 8.0, 3.0) and told.plan[0] == own[0] and not told.own
    with pytest.raises(InputError, match="the plan has no place 99"):
        flight.obey(say.MoveWaypoint(index=99, place=(0.0, 0.0, 1.0)))
    flight.obey(say.Reset())
    flight._next_look = 0.0
    flight.look()
    assert flight.link.last(say.Planned).plan == own


def test_who_flies_no_plan_goes_nowhere(tmp_path):
    flight = fly("omni_manual", tmp_path)
    assert not flight.begin()[1].vehicles[0].goes
    with pytest.raises(InputError, match="flies no plan"):
        flight.obey(say.GoTo(place=(1.0, 0.0, 0.0)))


SIGNALS = [
    say.Signal(name="a.position.x", unit="m"),
    say.Signal(name="a.position.y", unit="m"),
    say.Signal(name="a.speed", unit="m/s"),
]


@pytest.fixture
def rows():
    timeline = Timeline(3)
    times = np.arange(0.0, 10.0, 0.01)
    timeline.add(times, np.column_stack([np.sin(times), np.cos(times), 0 * times + 2.0]))
    return timeline


def test_curves_are_computed_at_every_row_and_thinned_after(rows):
    curves = DerivedCurves(SIGNALS, {})
    formulas = ["norm(a.position)", "derivative(a.position.x)", "a.position.x ^ 2 when time > 5 s"]
    found = curves.between(rows, say.Curves(signals=[2], since=0.0, until=20.0, formulas=formulas))
    assert found.whole and found.values.shape == (1000, 4)
    np.testing.assert_allclose(found.values[:, 1], 1.0, atol=1e-12)
    # A centred difference of a sine is short by (step)²/6 of it.
    np.testing.assert_allclose(found.values[1:-1, 2], np.cos(found.times[1:-1]), atol=2e-5)
    assert np.isnan(found.values[:500, 3]).all()
    # The norm of extremes would be 1.4: they are not of one moment.
    thin = curves.between(rows, say.Curves(signals=[], since=0.0, until=20.0, formulas=formulas[:1], points=20))
    assert not thin.whole and len(thin.times) <= 20
    np.testing.assert_allclose(thin.values, 1.0, atol=1e-12)


def test_a_mean_is_that_of_the_run_and_not_of_what_is_shown(rows):
    curves = DerivedCurves(SIGNALS, {})
    asked = say.Curves(signals=[0], since=3.0, until=4.0, formulas=["a.position.x - mean(a.position.x)"])
    found = curves.between(rows, asked)
    whole = rows.between([0], -1.0, 20.0).values.mean()
    np.testing.assert_allclose(found.values[:, 1], found.values[:, 0] - whole)
    assert found.times[0] == pytest.approx(3.0) and found.times[-1] == pytest.approx(4.0)


def test_rows_of_an_xy_plot_are_of_one_moment(rows):
    curves = DerivedCurves(SIGNALS, {})
    found = curves.between(rows, say.Curves(signals=[0, 1], since=0.0, until=20.0, points=100, thin="rows"))
    assert not found.whole and len(found.times) == 100
    np.testing.assert_allclose(np.hypot(*found.values.T), 1.0, atol=1e-12)


@pytest.mark.parametrize(
    ("formula", "unit", "error"),
    [
        ("norm(a.position) / a.speed", "s", ""),
        ("derivative(a.speed)", "m/s²", ""),
        ("a.speed > 1", "1", ""),
        ("a.speed + a.position.x", "", "needs equal units"),
        ("mean(a.speed)", "", "one value for the whole run"),
        ("derivative(2)", "", "one value only"),
        ("b.speed", "", "there is no signal 'b.speed'"),
        ("__import__('os')", "", "there is no function"),
    ],
)
def test_an_expression_tells_its_unit_or_what_is_wrong(formula, unit, error):
    found = DerivedCurves(SIGNALS, {}).tell(formula)
    assert found.unit == unit and error in found.error and bool(error) == bool(found.error)


def test_a_page_asks_for_them(flight):
    flight.step(200)
    flight.obey(say.Derive(formula="norm(quadcopter.velocity)"))
    assert say.Derived.model_validate_json(flight.link.answers[-1]).unit == "m/s"
    flight.obey(say.Curves(signals=[], since=0.0, until=1.0, formulas=["norm(quadcopter.velocity)"]))
    numbers = np.frombuffer(flight.link.answers[-1], "<f8")
    assert len(numbers) == 2 + 2 * numbers[0]
    _, speed = curve(flight, "quadcopter.speed")
    np.testing.assert_allclose(numbers[2 + int(numbers[0]) :], speed, atol=1e-12)


def test_set_points_are_known_by_what_follows_them():
    units = {
        "v.position.z": "m", "v.attitude.roll": "rad", "v.airspeed": "m/s", "v.controller.height": "m",
        "v.controller.bank": "rad", "v.controller.assisted.position.z": "m", "v.controller.error.x": "m",
        "v.controller.raw.airspeed": "m", "v.controller.phase": "1",
    }  # fmt: skip
    assert setpoints(units) == {
        "v.controller.height": "v.position.z",
        "v.controller.bank": "v.attitude.roll",
        "v.controller.assisted.position.z": "v.position.z",
    }
