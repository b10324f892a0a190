"""Every page and dialog can be used with a screen reader and by keyboard: axe-core finds nothing against it."""

from pathlib import Path

import pytest
from tests.cockpit.shared_file import record

from cupola.cockpit.built_page import find_page
from cupola.cockpit.opening import read_flight
from cupola.cockpit.share import as_page
from cupola.sim.world import load

AXE = Path(__file__).parents[3] / "web/node_modules/axe-core/axe.min.js"
CHECK = """async () => {
  const found = await axe.run(document, { resultTypes: ['violations'] });
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes.map((node) => `${id}: ${help}: ${node.html.slice(0, 160)} ${node.failureSummary.split('\\n')[1] ?? ''}`));
}"""
SCROLLER = "(document.querySelector('.cm-scroller'))"
WORDS = "(document.querySelector('.cm-tooltip-autocomplete > ul'))"
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 780}


@pytest.fixture(scope="module")
def axe():
    if not AXE.is_file():
        pytest.skip("axe-core is not there: `npm install` in web/ brings it")
    return AXE.read_text(encoding="utf-8")


def violations(window):
    return window.page.evaluate(CHECK)


def test_every_tab_and_dialog(start_cockpit, open_window, axe):
    cockpit = start_cockpit("fly", "omni_manual", "--start-paused")
    window = open_window(cockpit.url, viewport=DESKTOP)
    page = window.page
    page.evaluate(axe)
    found = {}
    window.until("!document.querySelector('.go').hidden")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for tab in range(1, 11):
            page.locator(f"#tab-{tab - 1}").click()
            window.until(f"document.querySelector('#tab-{tab - 1}').ariaSelected === 'true'")
            if tab == 10:
                window.until("document.querySelector('.cm-content')?.textContent.includes('vehicles')")
            found[f"{scheme} tab {tab}"] = violations(window)
        page.set_viewport_size({"width": 1280, "height": 420})
        assert window.tell("(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)" + SCROLLER)
        found[f"{scheme} longer text than room"] = violations(window)
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.press("Enter")
        page.keyboard.press("Control+Space")
        window.until("document.querySelector('.cm-tooltip-autocomplete > ul')?.tabIndex === 0")
        assert window.tell("(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)" + WORDS)
        found[f"{scheme} list of words"] = violations(window)
        page.keyboard.press("Escape")
        page.set_viewport_size(DESKTOP)
        page.keyboard.press("h")
        found[f"{scheme} help"] = violations(window)
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Gallery of all worlds").click()
        window.until("document.querySelectorAll('.card').length > 30")
        found[f"{scheme} gallery"] = violations(window)
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Put this tab beside the others").click()
    found["two panels"] = violations(window)
    page.get_by_role("button", name="Put this tab back").click()
    page.locator("#tab-1").click()
    page.get_by_role("button", name="New plot").click()
    found["signals"] = violations(window)
    page.keyboard.press("Escape")
    page.locator("#tab-4").click()
    broken = page.locator(".fault button").first
    broken.click()
    window.until("cupola.link.changed.faults.some(({ amount }) => amount > 0)")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found[f"{scheme} fault"] = violations(window)  # under the pointer
    broken.click()
    page.locator("#tab-0").click()
    page.get_by_role("button", name="Map", exact=True).click()
    found["gamepad"] = violations(window)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Go", exact=True).click()
    window.until("cupola.link.frame.clock('time') > 0.1")
    page.keyboard.press("Space")
    page.keyboard.press("p")
    window.until("cupola.link.frame.clock('emergency') === 1 && !document.querySelector('.stopped').hidden")
    window.until("!document.querySelector('.replay-bar').hidden")
    window.tell("cupola.link.send({ kind: 'load', scenario: 'nothing' })")
    window.hears("nothing")
    found["stopped"] = violations(window)
    page.set_viewport_size(PHONE)
    found["phone"] = violations(window)
    page.keyboard.press("`")
    found["phone, panel closed"] = violations(window)
    assert {where: what for where, what in found.items() if what} == {}


def test_a_replay_and_a_shared_file(start_cockpit, open_window, axe, tmp_path):
    flown = record(load("square"), tmp_path / "square.mcap", 2.0)
    file = tmp_path / "square.html"
    file.write_bytes(as_page(read_flight(flown), find_page()))
    found = {}
    for url in (start_cockpit("replay", str(flown)).url, file.as_uri()):
        window = open_window(url, viewport=DESKTOP)
        page = window.page
        page.evaluate(axe)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for k, tab in enumerate(page.locator("[role=tab]:visible").all()):
                tab.click()
                found[f"{url} {scheme} tab {k}"] = violations(window)
            page.keyboard.press("h")
            found[f"{url} {scheme} help"] = violations(window)
            page.keyboard.press("Escape")
        page.set_viewport_size(PHONE)
        found[f"{url} phone"] = violations(window)
    assert len(found) > 12
    assert {where: what for where, what in found.items() if what} == {}
