"""A flight as one file: it holds what was flown, states what was thinned, and runs nothing but the page's own code."""

import re
import urllib.error
import urllib.request

import numpy as np
import pytest
from tests.cockpit.shared_file import TRIP, held_in, record, unpacked

from cupola.cockpit import messages as say
from cupola.cockpit.built_page import find_page
from cupola.cockpit.flown import POINTS, gather
from cupola.cockpit.frame import Frame
from cupola.cockpit.moments import BODIES, MOST, Moments
from cupola.cockpit.opening import read_flight
from cupola.cockpit.scene import scene_of
from cupola.cockpit.share import as_page
from cupola.cockpit.timeline import Timeline
from cupola.record.read import Recording
from cupola.sim.world import World, load


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Two seconds of a quadcopter."""
    return record(load("square"), tmp_path_factory.mktemp("flown") / "square.mcap", 2.0)


def test_a_short_flight_is_shared_whole(recording):
    held = held_in(as_page(read_flight(recording), find_page(), "t=1&view=orbit"))
    assert held.head["view"] == "t=1&view=orbit" and held.head["curves_whole"]
    recorded = Recording(recording).named("/quadcopter/odometry")
    times, values = held.curves
    np.testing.assert_array_equal(times, recorded["time"])
    names = [one["name"] for one in held.head["hello"]["signals"]]
    z = next(name for name in recorded if name.endswith("pose.position.z"))
    np.testing.assert_array_equal(values[:, names.index("quadcopter.position.z")], recorded[z].astype("f4"))
    moments, rows = held.tables[0]
    np.testing.assert_array_equal(moments, recorded["time"])  # no more rows than may be kept
    at = 7 * held.head["scene"]["vehicles"][0]["root"] + 2  # bodies stand first
    assert held.head["tables"][0]["sections"][0] == "bodies"
    np.testing.assert_allclose(rows[:, at], recorded[z], atol=1e-5)
    assert held.head["told"][0]["changed"]["missions"][0]
    assert "every one of" in held.head["note"] and "not in it" in held.head["note"]


def long_flight(seconds, rate):
    """A world that stands still, and curves of so many rows: a sine with a spike of one row."""
    world = load("hover")
    frame = Frame(world)
    hello = say.Hello(
        scenario="long", about="", replay=None, layout=frame.layout, length=len(frame.numbers),
        signals=frame.signals[:2], parameters=[], faults=[], scenarios=[], snapshots=0, step=1.0 / rate,
    )  # fmt: skip
    times = np.arange(seconds * rate) / rate
    values = np.column_stack([np.sin(7.0 * times), np.zeros(len(times))])
    values[12_345, 1] = 5.0
    timeline, moments = Timeline(2), [Moments(frame, BODIES, 0.02)]
    timeline.add(times, values)
    for time in times[::2]:
        for one in moments:
            if one.is_due(time):
                one.add(time)
    return gather(hello, scene_of(world), [], moments, timeline), times, values


def test_a_long_flight_keeps_every_extreme_and_says_what_was_thinned():
    flight, times, values = long_flight(360, 100)
    held = unpacked(flight.packed())
    kept, curves = held.curves
    assert len(kept) >= 2 * 2000 == POINTS and not held.head["curves_whole"]
    assert curves[:, 1].max() == 5.0  # one row of 36 000
    for row in range(0, len(kept), 2):  # each stretch has the least and the greatest of its rows
        since, until = np.searchsorted(times, (kept[row], kept[row + 1] + 1e-9))
        inside = values[since:until, 0].astype("f4")
        assert sorted(curves[row : row + 2, 0]) == [inside.min(), inside.max()]
    assert "4000 points: the least and the greatest value of each 0.18 s" in held.head["note"]
    moments, _ = held.tables[0]
    assert f"{len(moments)} moments" in held.head["note"]
    assert held.head["hello"]["replay"] == [0.0, pytest.approx(times[-1])]


def test_moments_stay_even_and_few_however_long_it_flies(monkeypatch):
    frame = Frame(load("hover"))
    monkeypatch.setitem(MOST, BODIES, 100 * 7 * frame.layout[1].count)
    moments = Moments(frame, BODIES, 0.02)
    for k in range(100_000):
        if moments.is_due(0.01 * k):
            moments.add(0.01 * k)
    times, _ = moments.table()
    gaps = np.diff(times)
    assert 50 <= len(times) <= 100 and gaps.max() < 1.01 * gaps.min() and times[-1] > 970.0
    moments.cut(500.0)
    assert moments.table()[0][-1] <= 500.0
    assert not moments.is_due(500.0) or moments.table()[0][-1] < 500.0


def test_a_hostile_recording_brings_no_code_into_the_file(tmp_path):
    world = load("square")
    hostile = world.scenario.model_copy(update={"about": TRIP})
    path = record(World(hostile, name="square"), tmp_path / "<img src=x onerror=tripped=1>.mcap", 0.1)
    page = as_page(read_flight(path), find_page(), f"plot={TRIP}").decode()
    assert "tripped" not in page.replace("&lt;img src=x onerror=tripped=1&gt;", "")
    tags = re.findall(r"<script[^>]*>", page)
    assert tags == ['<script type="module">', '<script type="application/octet-stream" id="flight">']
    assert page.count("</script>") == 2
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe-eval" not in policy
    assert page.index("Content-Security-Policy") < page.index("<script")
    held = held_in(page.encode())
    assert held.head["hello"]["about"] == TRIP  # as text, in the data


def test_the_page_hands_the_flight_over_to_those_with_the_token(start_cockpit, open_page):
    cockpit = start_cockpit("fly", "hover", "--token", "open-sesame")
    plain = cockpit.url.partition("?")[0]
    asked = ("flight.html", "flight.data", "curves?signals=0&since=0&until=1", "scene.json")
    for path in asked:
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(plain + path)
        assert refused.value.code == 403, path
    with open_page(cockpit.url) as page:
        page.until(lambda: page.clock("time") > 1.0)
        seen = page.clock("time")
        names = [one["name"] for one in page.hello["signals"]]
    with urllib.request.urlopen(f"{plain}flight.data?token=open-sesame&view=view%3Dfirst") as answer:
        held = unpacked(answer.read())
    assert held.head["view"] == "view=first" and len(held.tables[0][0]) > 20
    assert [one["name"] for one in held.head["hello"]["signals"]] == names
    first, last = held.head["hello"]["replay"]
    assert first <= 0.1 and last >= 1.0 and last > seen - 0.5  # its rows lag the clock by a page of the timeline
    with urllib.request.urlopen(f"{plain}flight.html?token=open-sesame") as answer:
        assert held_in(answer.read()).head["told"]
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{plain}flight.html?token=open-sesame&view={'x' * 5000}")
    assert refused.value.code == 400
