"""What the page plots is what was simulated: row for row, whatever the speed, and thinned only where it is said."""

import json
import time
from typing import cast

import numpy as np
import pytest

from cupola.cockpit import messages as say
from cupola.cockpit.flight import Flight
from cupola.cockpit.link import Link
from cupola.cockpit.replay import Replay
from cupola.cockpit.timeline import CHUNK, Timeline
from cupola.record.read import Recording
from cupola.sim.world import load

SLOWDOWN = 1.1


class Answers:
    """A line that keeps the answers."""

    def __init__(self):
        self.kept = {}

    def tell(self, message):
        pass

    def answer(self, number, content):
        rows, whole, *numbers = np.frombuffer(content)
        table = np.array(numbers).reshape(-1, int(rows))
        self.kept[number] = bool(whole), table[0], table[1:]


def asked(show, names, since=0.0, until=1e6, points=0):
    index = [[signal.name for signal in show.frame.signals].index(name) for name in names]
    show.obey(say.Curves(number=7, signals=index, since=since, until=until, points=points))
    return show.link.kept[7]


@pytest.fixture
def bird(tmp_path):
    flight = Flight(load("robird_flight"), cast(Link, Answers()), tmp_path, [], load)
    flight.obey(say.Record(on=True))
    for ticks in (3, 1000, 1, 777):  # as frames come at full speed: far between and unequal
        flight.step(ticks)
        flight.look()
    return flight


NAMES = ("robird.position.z", "robird.attitude.pitch", "robird.airspeed", "robird.rate_b.y")


def test_every_recorded_row_is_there(bird, tmp_path):
    whole, times, values = asked(bird, NAMES)
    bird.close()
    recorded = Recording(next(tmp_path.glob("*.mcap"))).named("/robird/odometry")
    assert whole and len(times) == len(recorded["time"]) > 100
    np.testing.assert_allclose(times, recorded["time"], atol=1e-9)
    z = next(name for name in recorded if name.endswith("pose.position.z"))
    np.testing.assert_array_equal(values[0], recorded[z])


def test_a_replay_has_the_same_curves_and_keeps_them_when_it_seeks(bird, tmp_path):
    _, times, values = asked(bird, NAMES)
    bird.close()
    replay = Replay(next(tmp_path.glob("*.mcap")), cast(Link, Answers()))
    replay.obey(say.Seek(time=0.3))
    whole, again, shown = asked(replay, NAMES)
    assert whole
    np.testing.assert_allclose(again, times, atol=1e-9)
    np.testing.assert_allclose(shown, values, rtol=1e-6, atol=1e-7)


def test_a_flap_keeps_its_height_in_few_points(bird):
    _, _, values = asked(bird, NAMES)
    whole, times, few = asked(bird, NAMES, points=40)
    assert not whole and len(times) <= 40 and (np.diff(times) >= 0.0).all()
    np.testing.assert_array_equal(few.max(axis=1), values.max(axis=1))
    np.testing.assert_array_equal(few.min(axis=1), values.min(axis=1))


def test_going_back_cuts_and_starting_over_clears(bird):
    bird.obey(say.Keep())
    kept = bird.world.time
    bird.step(500)
    bird.obey(say.Restore(index=0))
    _, times, _ = asked(bird, NAMES)
    assert times[-1] <= kept
    bird.step(500)
    _, times, _ = asked(bird, NAMES)
    assert (np.diff(times) > 0.0).all() and times[-1] > kept
    bird.obey(say.Reset())
    bird.step(200)
    _, times, _ = asked(bird, NAMES)
    assert (np.diff(times) > 0.0).all() and times[-1] <= bird.world.time < 1.0


def test_sensors_are_plotted_as_controllers_saw_them(tmp_path):
    flight = Flight(load("sensor_plane_takeoff"), cast(Link, Answers()), tmp_path, [], load)
    names = [signal.name for signal in flight.frame.signals if ".imu." in signal.name]
    found = []
    for _ in range(200):
        flight.step(1)
        if int(flight.world.arrays.counters[-1]) > len(found):
            found.append([flight.world.signal(name) for name in names])
    _, _, values = asked(flight, names)
    assert len(names) >= 6 and len(found) > 3
    np.testing.assert_array_equal(values.T, found)


SHAKER = """import math
from cupola import Controller

class Shaker(Controller):
    def step(self, obs, ref):
        return [math.sin(2 * math.pi * {hz} * obs.time + 1.0)]
"""
PUSHED = '<body name="base"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="1"/></body>'


@pytest.mark.parametrize(("hz", "rate"), [(20, 100), (90, 400), (200, 400)], ids=["flap", "vibration", "every call"])
@pytest.mark.parametrize("kept", [None, 2000])
def test_what_is_fast_is_row_for_row_that_of_the_recording(vehicle, tmp_path, hz, rate, kept):
    """A flap of 20 Hz, a vibration, a controller of 400 Hz that changes its mind at every call; at full speed."""
    parts = {"servo": {"kind": "servo", "channel": 0}}
    controller = {"use": "own.py:Shaker", "rate_hz": rate}
    model = vehicle(PUSHED, parts=parts, controller=controller, files={"own.py": SHAKER.format(hz=hz)})
    scenario = {"vehicles": [{"model": model}], "physics_hz": 2000, **({"record": {"rate_hz": kept}} if kept else {})}
    (tmp_path / "shake.yaml").write_text(json.dumps(scenario))
    flight = Flight(load(str(tmp_path / "shake.yaml")), cast(Link, Answers()), tmp_path, [], load)
    flight.obey(say.Record(on=True))
    for ticks in (1, 1500, 7, 2492):
        flight.step(ticks)
        flight.look()
    whole, times, (command,) = asked(flight, ["toy.command.0"])
    flight.close()
    recorded = Recording(next(tmp_path.glob("*.mcap"))).named("/toy/channels")
    assert whole and len(times) == (4001 if kept else 201)  # ticks, or the hundred rows a second that are usual
    np.testing.assert_allclose(times, recorded["time"], atol=1e-9)
    column = next(name for name in recorded if name.startswith("command"))
    np.testing.assert_array_equal(command, recorded[column])
    note = flight.begin()[0].note
    if not kept:  # which cannot show it, and says so
        assert "100 rows a second" in note and "2000 ticks" in note and "record: {rate_hz: 2000}" in note
        return
    assert note == ""
    # A row has the command that led to it.
    led = np.sin(2 * np.pi * hz * np.floor(times[:-1] * rate + 1e-6) / rate + 1.0)
    np.testing.assert_allclose(command[1:], led, atol=1e-9)
    _, _, (few,) = asked(flight, ["toy.command.0"], points=100)
    assert few.max() == command.max() and few.min() == command.min()


def test_memory_is_bounded_and_what_is_thinned_is_said():
    timeline = Timeline(1, most_bytes=16.0 * 8 * CHUNK)
    times = np.arange(200 * CHUNK) / 100.0
    for part in np.array_split(times, 400):
        timeline.add(part, np.sin(40.0 * part)[:, None])
    old, new = timeline.between([0], 0.0, 20.0), timeline.between([0], times[-1] - 1.0, times[-1])
    assert not old.whole and new.whole and len(new.times) == 101
    assert len(timeline.between([0], 0.0, times[-1]).times) <= 10 * CHUNK
    assert old.values.max() > 0.999 and old.values.min() < -0.999
    assert timeline.between([0], 0.0, 0.05).times[0] == 0.0  # the first row is never lost


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_few_rows_in_few_points(count):
    timeline = Timeline(2)
    timeline.add(np.arange(count) * 1.0, np.full((count, 2), np.nan))
    found = timeline.between([0, 1], -1.0, 10.0, points=2)
    assert len(found.times) <= 2 and np.isnan(found.values).all()


@pytest.mark.parametrize("name", ["hover", "robird_flight"])
def test_it_takes_little_of_the_simulations_time(name, tmp_path):
    """At full speed, in computing time: batches of a bare world and of one that is kept, in turn; the quickest tell."""
    bare, flight = load(name), Flight(load(name), cast(Link, Answers()), tmp_path, [], load)
    took: dict[str, list[float]] = {"bare": [], "kept": []}
    for _ in range(12):
        for which, step in (("bare", bare.step), ("kept", flight.step)):
            begun = time.thread_time()
            for _ in range(4):
                step(500)
            if which == "kept":
                flight.course.observe()
            took[which].append(time.thread_time() - begun)
    ratio = min(took["kept"]) / min(took["bare"])
    print(f"{name}: computing time with the timeline / without: {ratio:.3f}")
    assert ratio <= SLOWDOWN
