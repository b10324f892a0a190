"""A recording on the same page."""

import subprocess
import sys

import pytest
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def replay(start_cockpit, tmp_path_factory):
    """Four seconds of a flight, played back."""
    folder = tmp_path_factory.mktemp("recorded")
    command = [sys.executable, "-m", "cupola", "run", "square", "--duration", "4", "--out", str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    (file,) = folder.rglob("*.mcap")
    return start_cockpit("replay", str(file))


def test_replay_seeks(replay, open_window):
    window = open_window(replay.url, viewport={"width": 1280, "height": 800})
    first, last = window.tell("cupola.link.hello.replay")
    assert (first, last) == pytest.approx((0.0, 4.0), abs=0.1)
    slider = window.page.get_by_label("Time", exact=True)
    slider.press("End")
    # At the end it pauses by itself, and stays so when the slider is moved.
    window.until(f"cupola.link.frame.clock('time') > {last - 0.1} && cupola.link.frame.clock('paused') === 1")
    high = window.place()[2]
    slider.press("Home")
    window.until(f"cupola.link.frame.clock('time') < {first + 1.0}")
    assert window.place()[2] < high - 0.5  # it climbs to its first corner
    assert window.page.locator(".pads").is_hidden()
    assert window.page.get_by_role("button", name="STOP").is_hidden()
    # Nothing is offered that a recording cannot do.
    tabs = window.page.get_by_role("tab").all_inner_texts()
    assert not {"Tune", "Excite", "Edit"} & set(tabs) and {"Plots", "Compare"} < set(tabs), tabs
    assert window.page.locator("button.channel").count() == 0
    window.check_layout()
    window.keep("replay")
    assert window.clock("paused") == 1
    window.page.keyboard.press("h")
    keys = window.page.get_by_role("dialog", name="Help").inner_text()
    assert "Space" in keys and "motors" not in keys and "start over" not in keys and "push" not in keys
    window.page.keyboard.press("Escape")
    for key in "mbn":  # the keys of what flies are no requests that a recording must refuse
        window.page.keyboard.press(key)
    assert not window.tell("said.some((one) => one.includes('recording cannot'))") and window.clock("refused") == 0
    window.page.keyboard.press("Space")  # as every player does
    window.until(f"cupola.link.frame.clock('time') > {first + 0.5}")
    assert window.complaints == []


def test_one_row_is_a_point_and_files_are_called_as_what_is_in_them(start_cockpit, open_window, tmp_path):
    command = [sys.executable, "-m", "cupola", "run", "hover", "--duration", "0.001", "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    window = open_window(start_cockpit("replay", str(tmp_path / "hover.mcap")).url)
    window.page.keyboard.press("2")
    expect(window.page.get_by_text("1 sample", exact=True).first).to_be_visible()
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Save as SVG").first.click()
    assert download.value.suggested_filename == "hover_position.x_position.y_position.z.svg"
    assert download.value.path().read_text().count("<circle") == 3
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Save every row as CSV").nth(2).click()
    assert download.value.suggested_filename == "hover_attitude.roll_attitude.pitch_attitude.yaw.csv"
    assert len(download.value.path().read_text().splitlines()) == 2
    curves = "document.querySelector('.plot canvas')"
    ink = f"{curves}.getContext('2d').getImageData(0, 0, {curves}.width, {curves}.height).data"
    coloured = f"""(() => {{
      const data = {ink};
      let found = 0;
      for (let k = 0; k < data.length; k += 4) {{
        const rgb = data.slice(k, k + 3);
        found += Math.max(...rgb) - Math.min(...rgb) > 60;
      }}
      return found;
    }})()"""
    window.until(f"{coloured} > 10")
    assert window.complaints == []
