"""A shared flight from the disk: no server, no request, the same page."""

import subprocess
import sys
from urllib.parse import parse_qs

import numpy as np
import pytest
from tests.cockpit.shared_file import TRIP, record

from cupola.cockpit.built_page import find_page
from cupola.cockpit.opening import read_flight
from cupola.cockpit.share import as_page
from cupola.record.read import Recording
from cupola.sim.world import World, load

PLOTTED = "[...document.querySelectorAll('.series b')].length && \
[...document.querySelectorAll('.series b')].every((text) => text.textContent !== '–')"


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """Four seconds of a square that climbs."""
    return record(load("square"), tmp_path_factory.mktemp("flown") / "square.mcap", 4.0)


def test_it_opens_from_disk_seeks_and_keeps_its_address(recording, open_window):
    file = recording.with_suffix(".html")
    command = [sys.executable, "-m", "cupola", "share", str(recording)]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert "square.html" in said and "moments" in said
    window = open_window(file.as_uri())
    assert [url for url in window.asked if not url.startswith("data:")] == [file.as_uri()]
    window.page.keyboard.press("p")
    window.until("cupola.link.frame.clock('paused') === 1")
    window.page.keyboard.press("2")
    window.until(PLOTTED)
    slider = window.page.get_by_label("Time", exact=True)
    slider.press("End")
    window.until("cupola.link.frame.clock('time') > 3.95")
    recorded = Recording(recording).named("/quadcopter/odometry")
    height = next(name for name in recorded if name.endswith("pose.position.z"))
    assert window.place()[2] == pytest.approx(recorded[height][-1], abs=1e-4)
    window.tell("cupola.link.send({ kind: 'seek', time: 1.234 })")  # between two moments
    window.until("Math.abs(cupola.link.frame.clock('time') - 1.234) < 1e-6")
    at = np.interp(1.234, recorded["time"], recorded[height])
    assert window.place()[2] == pytest.approx(at, abs=1e-3)
    window.tell("cupola.world.views.set('orbit')")
    window.until("location.hash.includes('view=orbit') && location.hash.includes('t=1.234')")
    parts = parse_qs(window.tell("location.hash.slice(1)"))
    assert parts["plot"][0].split()[0] == "quadcopter.position.x"
    window.keep("shared")
    again = open_window(window.page.url.replace("span=all", "span=5"))
    again.until("cupola.link.frame.clock('paused') === 1 && Math.abs(cupola.link.frame.clock('time') - 1.234) < 1e-6")
    assert again.tell("cupola.world.views.view") == "orbit"
    again.page.keyboard.press("2")
    assert again.page.get_by_label("Time shown").input_value() == "5"
    again.page.keyboard.press("r")  # what a file cannot do is said
    again.hears("cannot reset")
    assert window.complaints == again.complaints == []


def test_the_button_saves_what_is_seen(recording, start_cockpit, open_window, tmp_path):
    window = open_window(start_cockpit("replay", str(recording)).url)
    window.tell("cupola.world.views.set('follow')")
    window.page.keyboard.press("5")
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Share as one file").click()
    file = tmp_path / "mine.html"
    download.value.save_as(file)
    shared = open_window(file.as_uri())
    assert shared.tell("cupola.world.views.view") == "follow"
    assert shared.tell("cupola.link.hello.scenario") == "square.mcap"
    assert shared.page.get_by_role("button", name="Share as one file").count() == 0
    assert window.complaints == shared.complaints == []


def test_a_hostile_flight_runs_nothing(tmp_path, open_window):
    world = load("square")
    hostile = World(world.scenario.model_copy(update={"about": TRIP}), name="square")
    path = record(hostile, tmp_path / "<img src=x onerror=tripped=1>.mcap", 0.5)
    file = tmp_path / "shared.html"
    file.write_bytes(as_page(read_flight(path), find_page(), f"view=first&plot={TRIP}"))
    window = open_window(file.as_uri())
    for tab in "12345":
        window.page.keyboard.press(tab)
        window.draw_again()
    assert "onerror" in window.page.locator(".about").inner_text()  # shown as text
    assert window.tell("window.tripped ?? null") is None
    assert window.complaints == []
    # And if something were brought in, the policy of the file would not let it run.
    window.tell("document.body.append(Object.assign(document.createElement('script'), { text: 'window.tripped = 1' }))")
    assert window.tell("window.tripped ?? null") is None
