"""Pictures of the main layouts, kept in out/cockpit to be looked at; nothing may be clipped or lie over another."""

import numpy as np
from playwright.sync_api import expect

from .conftest import COLD

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 780}


def look(window, name, scheme, tab):
    window.page.emulate_media(color_scheme=scheme)
    if tab:
        window.page.keyboard.press(str(tab))
    window.until("cupola.world.stage.renderer.info.render.frame > 3")
    window.check_layout()
    window.keep(name)
    assert window.complaints == []


LEGENDS = """[...document.querySelectorAll('.plot')].flatMap((plot) => {
  const values = [...plot.querySelectorAll('.series b')];
  values.forEach((one) => { one.textContent = '-1.2345e-12'; });
  const [series, tools] = ['.series', '.icon-button'].map((name) => [...plot.querySelectorAll(name)]
    .map((one) => one.getBoundingClientRect()));
  const lies = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return series.filter((one) => tools.some((tool) => lies(one, tool))).map((one) => one.width);
})"""
"""Legends that lie over the tools of their plot, with values as long as they become."""


def test_desktop(cockpit, open_window):
    window = open_window(cockpit.url, viewport=DESKTOP)
    look(window, "desktop_light", "light", 1)
    look(window, "plots", "light", 2)
    window.until("document.querySelectorAll('.series b').length > 2")
    assert window.tell(LEGENDS) == []
    look(window, "run", "light", 5)
    look(window, "tuning", "dark", 3)
    look(window, "desktop_dark", "dark", 4)
    window.page.keyboard.press("h")
    assert window.page.get_by_role("dialog", name="Help").is_visible()
    window.keep("help")
    window.page.keyboard.press("Escape")
    assert not window.page.get_by_role("dialog", name="Help").is_visible()


def test_phone(cockpit, open_window):
    window = open_window(cockpit.url, viewport=PHONE, has_touch=True)
    assert window.page.locator(".side-panel").is_hidden()
    look(window, "phone", "light", None)
    look(window, "phone_tuning", "dark", 3)


def test_a_run_that_stands_on_a_phone(start_cockpit, open_window):
    """The bar of its time, the red button and, after a stop, the way out of it."""
    window = open_window(start_cockpit("fly", "hover").url, viewport=PHONE, has_touch=True)
    page = window.page
    window.until("cupola.link.frame.clock('time') > 0.1")
    window.tell("cupola.link.takeSticks(true)")
    page.keyboard.press("p")
    window.until("!document.querySelector('.replay-bar').hidden && cupola.link.frame.clock('paused') === 1")
    for stopped in (False, True):
        if stopped:
            page.keyboard.press("Space")
            window.until("!document.querySelector('.stopped').hidden")
        for _panel in ("closed", "open"):
            window.check_layout()
            page.keyboard.press("`")
    window.keep("phone_paused")


WIDTH = "Math.round(document.querySelector('.side-panel').getBoundingClientRect().width)"


def test_two_panels_side_by_side(cockpit, open_window):
    """With the keyboard alone; remembered for the scenario; a narrow window has all tabs in one panel."""
    window = open_window(cockpit.url, viewport=DESKTOP)
    page = window.page
    page.keyboard.press("2")
    page.get_by_role("button", name="Put this tab beside the others").press("Enter")
    window.until("document.activeElement.textContent === 'Plots'")
    assert page.get_by_role("tablist", name="Second panel").get_by_role("tab").all_inner_texts() == ["Plots"]
    page.keyboard.press("3")
    assert page.locator("#panel-1").is_visible() and page.locator("#panel-2").is_visible()
    window.until("document.querySelectorAll('#panel-1 .uplot').length > 0")
    window.check_layout()
    window.keep("two_panels")
    before = window.tell(WIDTH)
    page.get_by_role("separator", name="Width of the panel", exact=True).press("ArrowLeft")
    window.until(f"{WIDTH} === {before + 20}")
    assert not window.tell("cupola.sticks.keyboard?.held.size ?? 0")
    page.reload()
    window.until("window.cupola?.link.frame != null && document.querySelector('.beside-panel #panel-1') !== null")
    assert window.tell(WIDTH) == before + 20
    page.set_viewport_size({"width": 900, "height": 700})
    window.until("document.querySelector('.side-panel #panel-1') !== null")
    assert page.locator(".beside-panel").is_hidden()
    window.check_layout()
    page.set_viewport_size(DESKTOP)
    window.until("document.querySelector('.beside-panel #panel-1') !== null")
    page.get_by_role("button", name="Put this tab back").press("Enter")
    window.until("document.querySelector('.side-panel #panel-1') !== null")
    assert page.locator(".beside-panel").is_hidden() and page.locator("#panel-1").is_visible()
    assert window.complaints == []


def test_widths_between(cockpit, open_window):
    window = open_window(cockpit.url)
    for width, height in ((700, 600), (844, 390), (1024, 700), (1920, 500)):
        window.page.set_viewport_size({"width": width, "height": height})
        window.check_layout()


def test_camera_and_laser_are_shown(start_cockpit, open_window):
    cockpit = start_cockpit("fly", "sensor_plane_camera")
    window = open_window(cockpit.url, viewport=DESKTOP)
    window.until("document.querySelector('.picture img')?.naturalWidth > 0", timeout=COLD)
    expect(window.page.locator(".picture canvas")).to_have_count(1)
    window.check_layout()
    window.keep("camera")


POINTS = """(() => {
  const { geometry } = cupola.world.overlays.lasers.points;
  return Array.from(geometry.getAttribute("position").array.slice(0, 3 * geometry.drawRange.count));
})()"""


def test_scans_of_a_base_that_moves_are_drawn_on_the_walls_of_its_room(start_cockpit, open_window):
    """The walls are planes |x| = 3.95 m and |y| = 2.95 m; the scanners' noise is 12 mm."""
    cockpit = start_cockpit("fly", "omni_room")
    window = open_window(cockpit.url, viewport=DESKTOP)
    start = window.place()
    window.until(f"Math.hypot(...cupola.link.frame.get('bodies').slice(7, 9)) > {np.hypot(*start[:2]) + 0.3}")
    points = np.array(window.until(POINTS)).reshape(-1, 3)
    off = np.minimum(np.abs(np.abs(points[:, 0]) - 3.95), np.abs(np.abs(points[:, 1]) - 2.95))
    assert len(points) > 500
    assert (np.abs(points[:, :2]) < (4.02, 3.02)).all()
    assert np.mean(off < 0.04) > 0.6  # the others lie on what stands in the room
    for width, height in ((1024, 768), (844, 390), (390, 780), (1280, 800)):  # two pictures, and sticks
        window.page.set_viewport_size({"width": width, "height": height})
        window.check_layout()
    window.keep("room")
    assert window.complaints == []


SIX_LASERS = {f"laser_{k}": {"kind": "laser", "site": "base", "rate_hz": 10.0} for k in range(6)}
MIDDLE = """(() => {
  const { left, top, width, height } = document.querySelector('.view').getBoundingClientRect();
  const box = { left: left + 0.4 * width, right: left + 0.6 * width,
    top: top + 0.45 * height, bottom: top + 0.65 * height };
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const seen = (name) => [...document.querySelectorAll(name)].filter((one) => one.checkVisibility());
  const [pictures, go] = [seen('.pictures'), seen('.go, .notice, .instruments, .stop, .stopped')];
  return pictures.map((one) => one.getBoundingClientRect()).flatMap((cards) => [
    ...(over(cards, box) ? ['the vehicle'] : []),
    ...go.filter((one) => over(cards, one.getBoundingClientRect())).map((one) => one.className),
  ]);
})()"""
"""What the pictures of cameras and lasers cover, or what covers them."""


def test_six_scans_cover_neither_the_vehicle_nor_a_greeting(start_cockpit, open_window, vehicle):
    body = '<body name="base" pos="0 0 1"><freejoint/><geom type="sphere" size="0.1"/><site name="base"/></body>'
    folder = vehicle(body, parts=SIX_LASERS)
    window = open_window(start_cockpit("fly", str(folder), "--start-paused").url)
    for k, state in enumerate(("waits", "flies")):
        for width, height in ((1280, 800), (1024, 768), (800, 700), (390, 844)):
            window.page.set_viewport_size({"width": width, "height": height})
            for panel in ("with its panel", "without"):
                window.tell(f"cupola.link.send({{ kind: 'load', scenario: 'no {k} {width} {panel}' }})")
                window.hears(f"no {k} {width} {panel}")
                window.until(f"{MIDDLE}.length === 0", timeout=10.0)
                window.page.keyboard.press("`")
        if state == "waits":
            window.page.set_viewport_size({"width": 1280, "height": 800})
            window.page.get_by_role("button", name="Go", exact=True).click()
            window.until("document.querySelector('.go').hidden")
    assert window.tell("document.querySelectorAll('.picture').length") == 6
    assert window.complaints == []
