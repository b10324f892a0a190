"""What a newcomer does: look, fly, let go, tune, stop, start over."""

import contextlib
import time
from urllib.parse import urlsplit

import numpy as np
import pytest
from playwright.sync_api import expect
from tests.cockpit.browser.conftest import SOON

LATENCY = 50.0
"""[ms] from a key to a state that has it."""
PRESSES = """() => new Promise((done) => {
  const took = [];
  let began = 0;
  const key = (kind) => dispatchEvent(new KeyboardEvent(kind, { code: "ArrowUp" }));
  const press = () => {
    began = performance.now();
    key("keydown");
  };
  cupola.link.on("frame", (frame) => {
    const stick = frame.get("sticks")[1];
    if (began && stick === -1) {
      took.push(performance.now() - began);
      began = 0;
      key("keyup");
    } else if (!began && stick === 0 && took.length < 100) {
      began = Infinity;
      setTimeout(press, 40 * Math.random());
    } else if (took.length === 100) done(took);
  });
})"""
"""Press and release a key 100 times, each time when the world has the former: how long each took [ms]."""
FORWARD = "cupola.link.frame.get('sticks')[1] === -1"
"""The world has the stick that the key holds."""


def test_loads_without_a_complaint_and_asks_nobody_else(window, cockpit):
    window.until("cupola.world.stage.renderer.info.render.frame > 5")
    assert window.complaints == []
    assert {urlsplit(url).netloc for url in window.asked if url.startswith("http")} == {f"127.0.0.1:{cockpit.port}"}
    assert window.page.title().startswith("hover")
    expect(window.page.locator(".gauge output").first).to_be_visible()
    unnamed = "[...document.querySelectorAll('button')].filter((b) => !(b.textContent.trim() || b.ariaLabel)).length"
    assert window.tell(unnamed) == 0


def test_propellers_are_seen_turning_and_pause_stops_them(window):
    window.tell("cupola.world.stage.sharpness = 0.5")  # or a slow machine changes it between two pictures
    seen = window.pixels()
    assert any(not np.array_equal(seen, window.next_pixels()) for _ in range(5))
    window.page.keyboard.press("p")
    window.until("cupola.link.frame.clock('paused') === 1")
    window.until("document.querySelector('.factor').textContent === 'paused'")
    end = time.monotonic() + SOON
    before, now = window.pixels(), window.next_pixels()
    while not np.array_equal(before, now):  # the view comes to rest
        assert time.monotonic() < end, "something still moves"
        before, now = now, window.next_pixels()
    assert np.array_equal(now, window.next_pixels())


def test_a_key_flies_it_and_letting_go_stops_it(window):
    start, seen = window.place(), window.pixels()
    window.hold("ArrowUp", f"{FORWARD} && cupola.link.frame.get('bodies')[7] > {start[0] + 1.0}")
    assert np.abs(window.pixels() - seen).max() > 40  # the ground goes by
    window.until("cupola.link.frame.get('sticks')[1] === 0")
    released = window.place()  # a busy machine holds a key for longer
    stopped = window.settle()
    assert stopped[0] - start[0] > 1.0 and stopped[0] - released[0] < 5.0
    window.hold("w", f"cupola.link.frame.get('bodies')[9] > {stopped[2] + 0.5}")
    assert window.complaints == []


def test_a_key_takes_over_from_the_mission(window):
    window.page.keyboard.press("m")
    window.until("cupola.link.mode === 'mission'")
    window.hold("ArrowRight", "cupola.link.mode === 'assisted' && cupola.link.frame.get('sticks')[0] === 1")


def test_shift_is_gentle_and_typing_is_not_flying(window):
    window.page.keyboard.down("Shift")
    window.hold("ArrowUp", "Math.abs(cupola.link.frame.get('sticks')[1] + 0.3) < 1e-9")
    window.page.keyboard.up("Shift")
    window.page.keyboard.press("3")
    search = window.page.get_by_label("Search parameters")
    search.press_sequentially("wasd ")
    search.fill("")
    assert window.tell("cupola.sticks.channels.every((value) => value === 0)")
    assert window.clock("emergency") == 0


def test_a_key_press_is_in_the_state_soon(window):
    took = np.array(window.tell(PRESSES))
    print(f"key to changed state: median of {len(took)} {np.median(took):.1f} ms")
    assert np.median(took) <= LATENCY


def test_a_slider_changes_the_response(window):
    window.page.keyboard.press("3")
    window.page.get_by_label("Search parameters").fill("assisted.speed_max")
    slider = window.page.get_by_label("quadcopter.assisted.speed_max in m/s", exact=True)
    slider.press("Home")  # the lowest: 0.1 m/s
    window.until("cupola.link.hello.parameters.find((p) => p.name === 'quadcopter.assisted.speed_max').value === 0.1")
    slider.evaluate("(element) => element.blur()")
    window.page.keyboard.down("ArrowUp")
    window.until(FORWARD)
    window.until(f"cupola.link.frame.clock('time') > {window.clock('time') + 1.0}")
    assert 0.02 < window.signal("quadcopter.speed") < 0.2
    window.page.get_by_role("button", name="Back to 5").click()
    window.until("cupola.link.frame.get('signals')[cupola.link.signal('quadcopter.speed')] > 1")
    window.page.keyboard.up("ArrowUp")
    window.page.get_by_label("Search parameters").fill("")


def test_plots_fill_and_another_signal_can_be_added(window):
    window.page.keyboard.press("2")
    window.until("document.querySelectorAll('.plot canvas').length === 3")
    values = "[...document.querySelectorAll('.series b')].map((b) => b.textContent)"
    window.until(f"{values}.every((text) => text !== '–')")
    drawn = """[...document.querySelectorAll('.plot canvas')].map((c) =>
      c.getContext('2d').getImageData(0, 0, c.width, c.height).data.filter((v, k) => k % 4 === 3 && v > 0).length)"""
    window.until(f"Math.min(...{drawn}) > 500")
    window.page.get_by_role("button", name="Add or remove signals").first.click()
    window.page.get_by_label("Search signals").fill("motor1 thrust")
    window.page.locator(".picker-row").first.click()
    window.page.keyboard.press("Escape")
    window.until("document.querySelector('.legend').textContent.includes('motor1.thrust')")
    window.until(f"{values}.every((text) => text !== '–')")  # the plot was made anew, and its buttons may move
    with window.page.expect_download() as download:
        window.page.get_by_role("button", name="Save every row as CSV").first.click()
    note, head, *rows = download.value.path().read_text().splitlines()
    assert note.startswith("# Curves, tables and recordings have 100 rows a second")  # of more ticks
    assert head.startswith("time [s],quadcopter.position.x [m]") and "motor1.thrust" in head
    assert len(rows) > 20
    window.page.reload()
    window.until("document.querySelector('.legend')?.textContent.includes('motor1.thrust')")


def test_pause_step_and_reset(window):
    window.hold("ArrowUp", "cupola.link.frame.get('bodies')[7] > 0.3")
    window.page.get_by_role("button", name="Pause (P)").click()
    window.until("cupola.link.frame.clock('paused') === 1")
    tick = window.clock("tick")
    window.page.get_by_role("button", name="Single step").click()
    window.until(f"cupola.link.frame.clock('tick') === {tick + 1}")
    window.page.get_by_role("button", name="Start over").click()
    window.until("cupola.link.frame.clock('tick') < 100 && cupola.link.frame.get('bodies')[7] === 0")
    window.page.keyboard.press("p")
    window.until("cupola.link.frame.clock('paused') === 0")


def test_a_gamepad_flies_it(window):
    start = window.place()
    window.tell("pad.connected = true")
    window.tell("pad.axes[3] = -1")  # right stick forward
    window.until(f"{FORWARD} && cupola.link.frame.get('bodies')[7] > {start[0] + 0.5}")
    window.tell("pad.axes[3] = 0")
    window.until("cupola.link.frame.get('sticks')[1] === 0")
    window.tell("pad.axes[1] = -1")  # left stick up
    window.until(f"cupola.link.frame.get('bodies')[9] > {start[2] + 0.2}")
    window.tell("pad.axes[1] = 0, pad.buttons[1] = { pressed: true, value: 1 }")
    window.until("cupola.link.frame.clock('emergency') === 1")
    window.tell("pad.connected = false, pad.buttons[1] = { pressed: false, value: 0 }")


def test_a_gamepad_is_calibrated_and_does_not_fly_meanwhile(window):
    window.page.keyboard.press("1")
    window.tell("pad.connected = true")
    window.page.get_by_role("button", name="Map", exact=True).click()
    window.page.get_by_role("button", name="Calibrate").click()
    ask = "document.querySelector('.ask').textContent"
    for step, (axis, value) in enumerate([(3, 0.8), (2, 0.8), (1, -0.9), (0, 0.9)], start=1):
        window.until(f"{ask}.startsWith('{step} of 5')")
        window.tell(f"pad.axes[{axis}] = {value}")
        window.until(f"{ask}.startsWith('{step + 1} of 5')")
        window.tell(f"pad.axes[{axis}] = 0")
    window.tell("pad.axes[1] = 0.9")
    window.until(f"{ask} === 'Test pad'")
    window.tell("pad.axes[1] = 0")
    axes = window.tell("cupola.sticks.gamepads.mapping.axes")
    assert [axes[stick]["axis"] for stick in ("roll", "pitch", "yaw", "throttle")] == [3, 2, 1, 0]
    assert (axes["yaw"]["low"], axes["yaw"]["high"]) == (0.9, -0.9)  # it was first moved the other way
    assert window.tell("cupola.sticks.channels.every((value) => value === 0)")
    window.page.get_by_role("button", name="Usual map").click()
    window.tell("pad.connected = false")


def test_a_stick_on_the_screen_flies_it(window):
    box = window.page.get_by_label("Right stick").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    window.page.mouse.move(x, y)
    window.page.mouse.down()
    window.page.mouse.move(x, y - box["height"] / 2)
    window.until(FORWARD)
    window.page.mouse.up()
    window.until("cupola.link.frame.get('sticks')[1] === 0")


@pytest.mark.parametrize("loss", ["cupola.link.socket.close()", "dispatchEvent(new Event('blur'))"])
def test_lost_connection_or_focus_is_neutral(window, loss):
    window.page.keyboard.down("ArrowUp")
    window.until(FORWARD)
    window.tell(f"(() => {{ {loss} }})()")
    window.until("cupola.sticks.channels.every((value) => value === 0)")
    window.until("cupola.link.connected && cupola.link.frame?.get('sticks')[1] === 0")
    window.settle()  # though the key is still held
    window.page.keyboard.up("ArrowUp")


def test_space_stops_the_motors_until_they_are_released(window):
    window.page.keyboard.press("Space")
    window.until("cupola.link.frame.clock('emergency') === 1")
    window.until("cupola.link.frame.get('bodies')[9] < 1.5")
    window.page.get_by_text("the motors are off").wait_for()  # drawn with the next picture
    window.page.get_by_role("button", name="Motors on again").click()
    window.until("cupola.link.frame.clock('emergency') === 0")


def test_a_body_is_pushed_with_the_mouse(window):
    box = window.page.locator(".view canvas").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    push = "Math.abs(cupola.link.frame.get('forces').at(-2))"  # the last row is the hand; its force across

    def pushes():
        window.page.mouse.move(x, y)
        window.page.mouse.down()
        window.page.mouse.move(x + 60, y)
        with contextlib.suppress(AssertionError):
            return window.until(f"{push} > 0.1", 3.0)
        window.page.mouse.up()  # the camera had not come to the vehicle yet, or its gap was in the middle
        return False

    window.page.keyboard.down("Shift")
    assert any(pushes() for _ in range(20))
    window.until(r"/^[\d.]+ N$/.test(document.querySelector('.tip:not([hidden])')?.textContent ?? '')")
    window.page.mouse.up()
    window.page.keyboard.up("Shift")
    window.until(f"{push} === 0")


def test_two_pages_hand_over_the_sticks(window, cockpit, open_window):
    other = open_window(cockpit.url)
    assert other.tell("cupola.link.role.pilot") is False
    # The notice goes after a while: its button is pressed inside the page, as soon as it is there.
    other.tell("""void setInterval(() => [...document.querySelectorAll('.notice button')]
        .find((one) => one.textContent === 'Take them')?.click(), 20)""")
    other.page.keyboard.press("ArrowUp")
    other.until("cupola.link.role.pilot")
    window.until("!cupola.link.role.pilot")
    expect(window.page.locator(".role")).to_contain_text("take the sticks")


def test_a_paused_world_is_looked_at_in_its_past_and_flown_on_from_there(window):
    window.hold("ArrowUp", "cupola.link.frame.clock('time') > 2.5")
    window.page.keyboard.press("p")
    window.until("cupola.link.frame.clock('paused') === 1")
    end, last = window.clock("end"), window.place()
    slider = window.page.get_by_label("Time", exact=True)
    expect(slider).to_be_visible()  # with the next picture: a key pressed before it would go elsewhere
    expect(slider).to_have_value("2000")  # the end
    slider.press("Home")
    window.until("cupola.link.frame.clock('time') < 0.1")
    assert np.linalg.norm(window.place() - last) > 1.0 and window.clock("end") == end
    expect(slider).not_to_have_value("2000")  # with the next picture: a key that changes nothing asks for nothing
    slider.press("End")
    window.until(f"cupola.link.frame.clock('time') > {end - 0.01}")
    np.testing.assert_array_equal(window.place(), last)  # nothing has changed
    expect(slider).to_have_value("2000")
    slider.press("Home")
    window.until("cupola.link.frame.clock('time') < 0.1")
    # A key acts from where the world is, even if no picture has moved the slider there yet.
    window.until("""(() => {
      const slider = document.querySelector(".replay-bar input");
      slider.value = "2000";
      slider.dispatchEvent(new KeyboardEvent("keydown", { key: "End" }));
      return slider.value === "0";
    })()""")
    window.page.get_by_role("button", name="Fly on from here").click()
    window.until("cupola.link.frame.clock('paused') === 0 && cupola.link.frame.clock('time') > 0.3")
    expect(window.page.get_by_role("button", name="Fly on from here")).to_be_hidden()  # with the next picture
    assert window.complaints == []


def test_what_would_surprise_is_asked_twice(window):
    """Raw sticks in the air, and another world by a key on the list of scenarios."""
    window.page.keyboard.press("1")
    window.until("cupola.link.changed.conditions[0].name === 'moving'")
    hint = "document.querySelector('.segments + .note').textContent"
    window.until(f"{hint}.includes('velocity right, backward and up')")  # as the controller says of itself
    raw = window.page.get_by_role("button", name="Raw", exact=True)
    raw.click()
    window.until(f"{hint}.includes('click Raw again')")
    assert window.tell("cupola.link.mode") == "assisted"
    raw.click()
    window.until("cupola.link.mode === 'raw'")
    scenario = window.tell("cupola.link.hello.scenario")
    window.page.get_by_label("Scenario").focus()
    window.page.keyboard.press("s")
    window.draw_again()
    assert window.tell("document.querySelector('.scenario').value") == scenario
    assert window.complaints == []
