"""Plots and tables of the page against the recording of the same flight: at ten times real time, and played back."""

import time

import numpy as np
import pytest

from cupola.record.read import Recording

CURVE = "document.querySelector('.plot canvas') && cupola.link.frame.clock('time') > 3"


@pytest.fixture(scope="module")
def bird(start_cockpit):
    """A bird at full speed: its flap is faster than what the page shows."""
    return start_cockpit("fly", "robird_flight", "--speed", "10")


def saved_table(window, plot=0):
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Save every row as CSV").nth(plot).click()
    lines = download.value.path().read_text().splitlines()
    head, *rows = [line for line in lines if not line.startswith("#")]
    return head.split(","), np.array([[float(number) for number in row.split(",")] for row in rows])


def whole_table(window):
    """The table as soon as the plot shows the present moment: on a busy machine the curves are drawn later."""
    now, end = window.clock("time"), time.monotonic() + 15.0
    while True:
        head, table = saved_table(window)
        if table[-1, 0] > now - 0.011 or time.monotonic() > end:
            return head, table


def test_a_table_has_every_row_of_the_recording(bird, open_window, start_cockpit):
    window = open_window(bird.url)
    window.tell("cupola.link.takeSticks(true)")
    window.page.keyboard.press("p")
    window.until("cupola.link.frame.clock('paused') === 1")
    window.page.get_by_role("button", name="Record").click()
    window.until("cupola.link.changed.recording !== null && cupola.link.frame.clock('recording') === 1")
    window.page.keyboard.press("r")  # start over, in a file of its own: from the first row on
    window.until("cupola.link.frame.clock('time') === 0")
    window.page.keyboard.press("2")
    window.page.get_by_label("Time shown").select_option("all")
    window.page.keyboard.press("p")
    window.until(CURVE)
    window.page.keyboard.press("p")
    window.until("cupola.link.frame.clock('paused') === 1")
    head, table = whole_table(window)
    window.page.get_by_role("button", name="Record").click()
    window.until("cupola.link.changed.recording === null")
    file = max(bird.folder.rglob("*.mcap"), key=lambda path: path.stat().st_mtime)
    recorded = Recording(file).named("/robird/odometry")
    assert head[0] == "time [s]" and head[3] == "robird.position.z [m]"
    z = next(name for name in recorded if name.endswith("pose.position.z"))
    count = len(recorded["time"])
    assert count > 300 and abs(len(table) - count) <= 1
    rows = min(count, len(table))
    np.testing.assert_allclose(table[:rows, 0], recorded["time"][:rows], atol=1e-9)
    np.testing.assert_array_equal(table[:rows, 3], recorded[z][:rows])
    window.keep("plots_bird")
    assert window.complaints == []
    again = open_window(start_cockpit("replay", str(file)).url)
    again.page.keyboard.press("2")
    again.until("document.querySelector('.plot canvas')")
    again.until("[...document.querySelectorAll('.series b')].every((text) => text.textContent !== '–')")
    _, played = saved_table(again)
    np.testing.assert_allclose(played[:rows, 3], table[:rows, 3], rtol=1e-12)
    curves = again.page.locator(".plot .u-over").first
    curves.scroll_into_view_if_needed()
    box = curves.bounding_box()
    again.page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.5 * box["height"])
    middle = 0.5 * recorded["time"][-1]
    again.until(f"Math.abs(cupola.link.frame.clock('time') - {middle}) < 1.0")
    assert again.complaints == []
