"""A base driven by hand from the panel Manual: its keys, a gamepad, the cursor; what is grey; what stops it."""

import contextlib

import pytest
from playwright.sync_api import expect

from .conftest import OUTSIDE, PAD, Opener

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 780}
SMALL = {"width": 800, "height": 600}
"""Where pixels do not matter, but the panel is open."""
DRIVEN = "cupola.link.driven.get(0)"
STANDS = "Math.abs(cupola.link.frame.get('signals')[cupola.link.signal('velma_base.speed')]) < 0.002"
AFRESH = """(() => {
  const { link } = cupola;
  link.takeSticks(true);
  link.send({ kind: "emergency", on: false });
  link.send({ kind: "reset" });
  document.activeElement?.blur();
  pad.connected = false;
  pad.axes.fill(0);
})()"""


def ask(window, expression):
    return window.tell(f"(() => {{ const d = {DRIVEN}; return {expression}; }})()")


def hold(window, key, until):
    """Hold a key until something is so; anew where a busy machine kept the page silent for so long that it stopped."""
    for _ in range(8):
        window.page.keyboard.down(key)
        with contextlib.suppress(AssertionError):
            return window.until(until, timeout=5.0)
        window.page.keyboard.up(key)
    raise AssertionError(f"holding {key} does not lead to {until}")


def mode_button(window, number):
    return window.page.locator(f".manual [aria-label^='{number}: ']")


def open_manual(window):
    window.page.get_by_role("tab", name="Manual").click()
    window.until("cupola.driving.active")


@pytest.fixture(scope="module")
def base(start_cockpit):
    return start_cockpit("fly", "omni_manual")


@pytest.fixture(scope="module")
def shared_base(browser, base):
    opener = Opener(browser)
    yield opener(base.url, script=PAD, viewport=SMALL)
    opener.close()


@pytest.fixture
def manual(shared_base):
    """The panel of a base that stands at its start."""
    window = shared_base
    window.complaints.clear()
    window.tell(AFRESH)
    window.until(f"cupola.link.role.pilot && {DRIVEN} && !{DRIVEN}.by_hand && {DRIVEN}.why_not[9]")
    open_manual(window)
    mode_button(window, 7).click()
    window.page.locator(".manual [title='Gear 7']").click()
    window.until(f"{DRIVEN}.mode === 7 && {DRIVEN}.gear === 7")
    return window


def test_a_base_has_the_panel_and_a_quadcopter_has_none(manual, cockpit, open_window):
    expect(manual.page.get_by_role("tab", name="Manual")).to_be_visible()
    other = open_window(cockpit.url, viewport=SMALL)
    expect(other.page.get_by_role("tab", name="Run")).to_be_visible()
    expect(other.page.get_by_role("tab", name="Manual")).to_be_hidden()
    other.page.keyboard.press("6")
    assert not other.tell("cupola.driving.active")


def test_a_key_moves_it_and_its_release_stops_it(manual):
    start = manual.place()
    hold(manual, "w", f"cupola.link.frame.get('bodies')[7] > {start[0] + 0.3} && !{DRIVEN}.stopped")
    assert ask(manual, "[d.by_hand, d.stopped, d.command]") == [True, False, [0.5, 0.0, 0.0]]
    expect(manual.page.locator(".drive-numbers output").first).to_have_text("0.500")
    expect(manual.page.locator(".drive-state")).to_have_text("You drive")
    manual.page.keyboard.up("w")
    manual.until(STANDS)
    assert ask(manual, "d.command") == [0.0, 0.0, 0.0]
    hold(manual, "a", f"cupola.link.frame.get('bodies')[8] > {start[1] + 0.1}")  # to the left, not a turn
    manual.page.keyboard.up("a")
    assert abs(manual.signal("velma_base.attitude.yaw")) < 0.05
    assert manual.complaints == []


def test_modes_and_gears_are_picked_by_key_and_by_click(manual):
    manual.page.keyboard.press("F4")
    manual.until(f"{DRIVEN}.mode === 4")
    expect(manual.page.locator(".wheels-view")).to_be_visible()
    expect(manual.page.locator(".direction-view")).to_be_hidden()
    mode_button(manual, 9).click()
    manual.until(f"{DRIVEN}.mode === 9")
    expect(mode_button(manual, 9)).to_have_attribute("aria-pressed", "true")
    manual.page.keyboard.press("z")
    manual.until(f"{DRIVEN}.mode === 11")  # there is no gamepad
    manual.page.keyboard.press("3")
    manual.until(f"{DRIVEN}.gear === 3")
    manual.page.keyboard.press("r")  # not: start over
    manual.until(f"{DRIVEN}.gear === 4")
    expect(manual.page.locator(".manual [aria-label=Gear] [aria-pressed=true]")).to_have_text("0.05")


def test_a_wheel_turns_by_its_key_and_idle_ones_are_left_alone(manual):
    manual.page.keyboard.press("F2")
    manual.until(f"{DRIVEN}.mode === 2")
    # Rear left is the third on the screen.
    bar = "document.querySelectorAll('.wheel-bars .does')[2].getAttribute('height') > 20"
    hold(manual, "Numpad5", f"JSON.stringify({DRIVEN}.command) === '[null,null,5,null]' && {bar}")
    expect(manual.page.locator(".wheel output").first).to_have_text("left alone")
    manual.page.keyboard.up("Numpad5")
    manual.until(f"{DRIVEN}.command[2] === null")
    manual.page.keyboard.press("Space")
    manual.until(f"{DRIVEN}.stopped && {DRIVEN}.command.every((speed) => speed === 0)")


def test_space_stops_what_goes_on_by_itself_and_pressed_again_cuts_the_motors(manual):
    manual.page.keyboard.press("F8")
    manual.until(f"{DRIVEN}.mode === 8")
    speed = "cupola.link.frame.get('signals')[cupola.link.signal('velma_base.speed')]"
    hold(manual, "w", f"{DRIVEN}.values[0] > 0.5 && {speed} > 0.2")
    manual.page.keyboard.up("w")
    manual.page.keyboard.press("Space")
    manual.until(f"{DRIVEN}.stopped")
    manual.until(STANDS)
    expect(manual.page.locator(".drive-state")).to_have_text("Stopped")
    assert manual.clock("emergency") == 0
    manual.page.keyboard.press("Space")
    manual.until("cupola.link.frame.clock('emergency') === 1")
    manual.page.get_by_role("button", name="Motors on again").click()
    manual.until("cupola.link.frame.clock('emergency') === 0")


def test_modes_without_a_gamepad_are_grey_and_say_why(manual):
    grey = "[...document.querySelectorAll('.manual [aria-disabled=true]')].map((b) => b.textContent)"
    manual.until(f"{grey}.join() === '6,10'")
    assert "there is no gamepad" in mode_button(manual, 10).get_attribute("title")
    mode_button(manual, 10).click(force=True)
    manual.until("document.querySelector('.manual .note').textContent.includes('there is no gamepad')")
    assert ask(manual, "d.mode") == 7
    manual.tell("pad.connected = true")
    manual.until(f"{grey}.length === 0")


def test_a_gamepad_drives_it_and_pulled_out_it_stands(manual):
    manual.tell("pad.connected = true")
    manual.until(f"{DRIVEN}.why_not[9] === ''")
    mode_button(manual, 10).click()
    manual.until(f"{DRIVEN}.mode === 10")
    manual.tell("pad.axes[3] = -1")  # right stick forward
    manual.until(f"{DRIVEN}.command[0] === 0.5")
    manual.tell("pad.axes[3] = 0, pad.axes[0] = -1")  # left stick to the left
    manual.until(f"{DRIVEN}.command[0] === 0 && {DRIVEN}.command[2] === 0.5")
    manual.until("cupola.link.frame.get('signals')[cupola.link.signal('velma_base.rate_b.z')] > 0.3")
    manual.tell("pad.connected = false")
    manual.until(f"{DRIVEN}.stopped")
    manual.until(STANDS)


def test_the_cursor_is_the_tip_of_the_velocity(manual):
    mode_button(manual, 11).click()
    manual.until(f"{DRIVEN}.mode === 11")
    box = manual.page.locator(".drive-pad").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    manual.page.mouse.move(x, y)
    manual.page.mouse.down()
    manual.page.mouse.move(x - 0.21 * box["width"], y)  # half of the reach, to the left
    manual.until(f"Math.abs({DRIVEN}.command[1] - 0.25) < 0.02 && {DRIVEN}.command[0] === 0")
    manual.page.mouse.wheel(0, -200)
    manual.until(f"Math.abs({DRIVEN}.command[2] - 0.1) < 1e-9")
    manual.page.mouse.up()
    manual.until(f"{DRIVEN}.command[1] === 0")


@pytest.mark.parametrize("loss", ["cupola.link.socket.close()", "dispatchEvent(new Event('blur'))"])
def test_lost_connection_or_focus_stops_it(manual, loss):
    hold(manual, "w", f"{DRIVEN}.command[0] === 0.5")
    manual.tell(f"(() => {{ {loss} }})()")
    manual.until(f"cupola.link.connected && {DRIVEN}?.stopped")
    manual.until(STANDS)  # though the key is still held
    manual.page.keyboard.up("w")


def test_another_tab_lets_go_and_its_keys_are_the_usual_ones(manual):
    manual.page.keyboard.press("F8")
    hold(manual, "w", f"{DRIVEN}.values[0] > 0.2")
    manual.page.keyboard.up("w")
    manual.page.get_by_role("tab", name="Fly").click()
    manual.until(f"{DRIVEN}.stopped")
    manual.hold("ArrowUp", "cupola.link.frame.get('sticks')[1] === -1")
    manual.until(f"!{DRIVEN}.by_hand")


def take(base, open_window, **options):
    """Another page, which holds the sticks."""
    window = open_window(base.url, **options)
    window.tell("cupola.link.takeSticks(true)")
    window.until("cupola.link.role.pilot")
    return window


def test_desktop(base, open_window):
    """Pictures to be looked at; nothing is cut off or lies over another."""
    window = take(base, open_window, viewport=DESKTOP)
    open_manual(window)
    for name, key, scheme in (("manual_light", "F7", "light"), ("manual_dark", "F3", "dark")):
        window.page.emulate_media(color_scheme=scheme)
        window.page.keyboard.press(key)
        window.until(f"{DRIVEN}.mode === {key[1]}")
        hold(window, "w" if key == "F7" else "Numpad5", f"{DRIVEN}.values.some((value) => value > 0.5)")
        window.check_layout()
        window.keep(name)
        window.page.keyboard.up("w" if key == "F7" else "Numpad5")
    for width, height in ((900, 600), (1100, 500)):
        window.page.set_viewport_size({"width": width, "height": height})
        window.check_layout()
    assert window.complaints == []


def test_phone(base, open_window):
    """A finger on the keys of the screen drives."""
    phone = take(base, open_window, viewport=PHONE, has_touch=True)
    phone.page.get_by_role("button", name="Side panel").click()
    open_manual(phone)
    mode_button(phone, 7).click()
    phone.page.locator(".drive-key", has_text="W").hover()
    phone.page.mouse.down()
    phone.until(f"{DRIVEN}.values[0] === 1")
    phone.check_layout()
    phone.keep("manual_phone")
    phone.page.mouse.up()
    phone.until(f"{DRIVEN}.values[0] === 0")
    phone.page.emulate_media(color_scheme="dark")
    mode_button(phone, 1).click()
    phone.until(f"{DRIVEN}.mode === 1")
    phone.check_layout()
    phone.keep("manual_phone_dark")
    stop = phone.page.get_by_role("button", name="Stop", exact=True)
    stop.click()  # what the finger drove
    stop.click()  # the motors
    phone.until("cupola.link.frame.clock('emergency') === 1 && !document.querySelector('.stopped').hidden")
    assert phone.tell(OUTSIDE) == []
    assert phone.complaints == []
