"""Ten vehicles on one page, and what the page weighs."""

import gzip
import re

import pytest
from playwright.sync_api import expect

from .conftest import COLD

SCRIPT_TIME = 4.0
"""[ms] per picture that the page may compute, without drawing."""
DOWNLOAD = 0.5e6
"""[bytes], compressed, before an editor or a film is asked for."""
ALL = """['trails', 'plan', 'names', 'ghost', 'forces', 'contacts', 'wind', 'lasers', 'mass', 'pressure', 'inertia',
  'joints', 'frames']"""


@pytest.fixture(scope="module")
def ten(start_cockpit, tmp_path_factory):
    """Ten quadcopters that hover side by side."""
    file = tmp_path_factory.mktemp("ten") / "ten.yaml"
    rows = [f"  - {{model: quadcopter, name: quad{k}, position: [0, {k}, 2], mode: assisted}}" for k in range(10)]
    file.write_text("\n".join(["about: ten at once", "duration: 3600", "vehicles:", *rows]))
    return start_cockpit("fly", str(file))


def test_script_time_with_ten_vehicles(ten, open_window):
    window = open_window(ten.url)
    window.tell("cupola.pace.most = 60")  # with few pictures a second each would show more frames
    assert window.tell("cupola.link.scene.vehicles.length") == 10
    window.tell(f"{ALL}.forEach((overlay) => cupola.world.show(overlay, true))")
    window.page.keyboard.press("2")  # with plots that draw
    drawn = script_time(window, 60)
    window.tell("cupola.world.stage.draw = () => {}")
    took = script_time(window, 100)
    wall = window.tell("cupola.script.median")
    print(f"script per picture, ten vehicles, everything shown: {took:.2f} ms of computing, {drawn:.2f} with drawing;")
    print(f"by the clock on the wall {wall:.2f} ms in the median")
    assert took <= SCRIPT_TIME
    assert window.complaints == []


def test_trouble_of_any_vehicle_is_told_and_leads_to_it(ten, open_window):
    window = open_window(ten.url)
    for vehicle in (7, 2):
        window.tell(f"cupola.link.send({{kind: 'fault', part: 'quad{vehicle}.motor1', fault: 'off', amount: 1}})")
    for vehicle in (2, 7):
        expect(window.page.get_by_role("button", name=re.compile(f"^quad{vehicle}: ")).first).to_be_visible()
    window.check_layout()
    window.page.get_by_role("button", name=re.compile("^quad7: ")).click()
    window.until("cupola.link.vehicleInfo.name === 'quad7'")
    assert window.page.get_by_role("button", name=re.compile("^quad7: ")).count() == 0
    expect(window.page.locator(".mission.alarm")).to_contain_text("otor1 off")
    for vehicle in (7, 2):
        window.tell(f"cupola.link.send({{kind: 'fault', part: 'quad{vehicle}.motor1', fault: 'off', amount: 0}})")
    expect(window.page.locator(".others")).to_be_hidden()
    assert window.complaints == []


def script_time(window, count):
    """[ms] of the page's thread per picture, in all scripts, as the browser counts its computing time: what other
    programs take is not in it."""
    browser = window.page.context.new_cdp_session(window.page)
    browser.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent():
        found = {one["name"]: one["value"] for one in browser.send("Performance.getMetrics")["metrics"]}
        return found["ScriptDuration"]

    window.tell("cupola.script.pictures = 0")
    begun = spent()
    window.until(f"cupola.script.pictures >= {count}", timeout=COLD)
    took = 1000.0 * (spent() - begun) / window.tell("cupola.script.pictures")
    browser.detach()
    return took


def test_another_vehicle_is_chosen_and_flown(ten, open_window):
    window = open_window(ten.url)
    assert window.page.title().startswith("ten ·")  # a file of one's own by its name
    assert window.page.get_by_label("Scenario", exact=True).input_value() == "ten"
    window.tell("cupola.link.takeSticks(true)")
    window.page.keyboard.press("1")
    window.page.get_by_label("Vehicle", exact=True).select_option("quad3")
    window.tell("document.activeElement.blur()")
    window.hold("ArrowUp", "cupola.link.frame.get('sticks')[20 * 3 + 1] === -1")
    assert window.tell("cupola.link.frame.get('sticks')[1]") == 0  # nobody else moves
    window.page.keyboard.press("2")
    series = "[...document.querySelectorAll('.series')].map((one) => one.textContent)"
    names = window.until(f"{series}.length > 2 && {series}")
    assert all(name.startswith("quad3.") for name in names)


def test_the_page_is_small(built_page):
    """What it begins with: the page, and what the page names; the editor comes when it is asked for."""
    index = built_page / "index.html"
    named = re.findall(r'(?:src|href)="\.?/?(assets/[^"]+)"', index.read_text())
    first = [index, *(built_page / name for name in named)]
    assert {file.suffix for file in first} == {".html", ".js", ".css"}
    total = sum(len(gzip.compress(file.read_bytes())) for file in first)
    print(f"download: {total / 1000:.0f} kB compressed")
    assert 0 < total < DOWNLOAD
    later = [file for file in (built_page / "assets").iterdir() if file not in first]
    assert any("code_editor" in file.name for file in later)
    # Nothing is fetched from anywhere else.
    texts = [file.read_text() for file in built_page.rglob("*") if file.suffix in (".html", ".css")]
    assert not any(mark in text for text in texts for mark in ('src="http', "url(http", 'href="http', "@import"))
