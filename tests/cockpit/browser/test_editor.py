"""The editor in a real browser: loaded when asked for, completion, errors at their lines, flown, saved."""

import pytest

from cupola.config.scenario import find_scenario

STATUS = "document.querySelector('.edit [role=status]').textContent"


def write(window, text):
    """At the end of what stands there."""
    window.page.locator(".cm-content").focus()
    window.page.keyboard.press("Control+End")
    window.page.keyboard.type(text)


def test_a_scenario_is_edited_flown_and_saved(cockpit, open_window):
    window = open_window(cockpit.url, viewport={"width": 1280, "height": 800})
    page = window.page
    window.tell("window.first = cupola.link.hello")
    window.tell("cupola.link.takeSticks(true) && cupola.link.send({ kind: 'load', scenario: 'hover' })")
    window.until("cupola.link.hello !== window.first")
    assert not any("code_editor" in url for url in window.asked)  # not part of the first download
    page.keyboard.press("0")
    window.until("document.querySelector('.cm-content')?.textContent.includes('quadcopter')")
    assert any("code_editor" in url for url in window.asked)
    write(window, "gra")
    window.until("document.querySelector('.cm-tooltip-autocomplete')?.textContent.includes('gravity')")
    window.until("document.querySelector('.cm-completionInfo')?.textContent.includes('[m/s²] downward')")
    window.check_layout()
    page.keyboard.press("Escape")
    write(window, "vity: 2000")
    window.until(f"{STATUS} === 'One thing is wrong.'")
    problem = page.locator(".problems button")
    assert "gravity: must be at most 1000, got 2000" in problem.inner_text()
    window.until("document.querySelector('.cm-lint-marker-error') !== null")
    window.keep("editor")
    page.get_by_role("button", name="Fly it").click()
    window.until(f"{STATUS}.startsWith('One thing is wrong: the world flies on')")
    problem.click()
    assert window.tell("document.activeElement.classList.contains('cm-content')")
    page.keyboard.press("Control+End")
    for _ in "000":
        page.keyboard.press("Backspace")
    window.until(f"{STATUS} === 'Nothing is wrong with it.'")
    window.tell("window.before = cupola.link.hello")
    page.keyboard.press("Control+Enter")
    window.until(f"{STATUS}.startsWith('It flies as it is written here')")
    window.until("cupola.link.hello !== window.before && cupola.link.frame?.clock('paused') === 0")
    assert window.tell("document.querySelector('.cm-content').textContent").endswith("gravity: 2")
    name = f"light{len(list(cockpit.folder.glob('out/*.yaml')))}"
    page.get_by_label("Name of the new file").fill(name)
    page.get_by_role("button", name="Save as new").click()
    window.until(f"{STATUS}.startsWith('Saved out/{name}.yaml')")
    assert find_scenario(str(cockpit.folder / "out" / f"{name}.yaml"))[0].gravity == 2.0
    page.get_by_label("File to edit").select_option("vehicle quadcopter")
    window.until("document.querySelector('.cm-content').textContent.includes('mjcf')")
    page.set_viewport_size({"width": 390, "height": 780})
    window.check_layout()
    page.reload()  # the tab that was open is open again
    window.until("document.querySelector('.cm-content')?.textContent.includes('about')")
    assert "changed here; not saved" in window.tell(STATUS)
    assert window.complaints == []


@pytest.mark.parametrize("tab", [3, 8, 10], ids=["Tune", "Excite", "Edit"])
def test_the_tab_that_was_open_is_open_again(cockpit, open_window, tab):
    """Those that a world must offer first, too."""
    window = open_window(cockpit.url, viewport={"width": 1280, "height": 800})
    window.page.keyboard.press(str(tab % 10))
    open_tab = "document.querySelector('.side-panel [role=tab][aria-selected=true]')?.id"
    window.until(f"{open_tab} === 'tab-{tab - 1}'")
    window.page.reload()
    window.until("window.cupola?.link.connected")
    assert window.tell(open_tab) == f"tab-{tab - 1}"


def test_another_page_is_told_to_take_the_sticks(cockpit, window, open_window):
    """What flies is what the page that holds them wrote; keys that are typed into a text do not fly."""
    other = open_window(cockpit.url)
    other.page.keyboard.press("0")
    other.until(f"{STATUS}.includes('take them first')")
    assert other.page.locator(".cm-content").count() == 0


def test_another_world_comes_while_the_editor_is_open(cockpit, open_window):
    window = open_window(cockpit.url, viewport={"width": 1280, "height": 800})
    window.tell("cupola.link.takeSticks(true) && cupola.link.send({ kind: 'load', scenario: 'hover' })")
    window.until("cupola.link.hello.scenario === 'hover'")
    window.page.keyboard.press("0")
    window.until("document.querySelector('.cm-content')?.textContent.includes('quadcopter')")
    window.tell("cupola.link.send({ kind: 'load', scenario: 'hexacopter_hover' })")
    window.until("cupola.link.hello.scenario === 'hexacopter_hover'")
    window.until("document.querySelector('.edit select').textContent.includes('hexacopter_hover')")
    assert window.complaints == []
