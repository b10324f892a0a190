"""The page has what its world has: instruments, sliders and channels follow from air, gravity and who listens."""

HEADINGS = "[...document.querySelectorAll('[role=tabpanel]:not([hidden]) h2')].filter((one) => \
one.checkVisibility()).map((one) => one.textContent)"
GAUGES = "[...document.querySelectorAll('.gauge')].filter((one) => one.checkVisibility()).map((one) => \
one.firstChild.textContent)"
CHANNELS = "[...document.querySelectorAll('.channel')].map((one) => one.firstChild.textContent)"
AWAY = """(() => {
  const { world, link } = cupola;
  const at = link.frame.get('bodies').slice(7 * link.vehicleInfo.root, 7 * link.vehicleInfo.root + 3);
  return Math.hypot(...world.stage.camera.position.toArray().map((x, k) => x - at[k])) / world.bodies.radii[0];
})()"""
"""How many sizes of the vehicle one looks from."""


def test_a_space_robot_and_then_a_quadcopter(start_cockpit, open_window):
    window = open_window(start_cockpit("fly", "cepheus_capture").url)
    page = window.page
    page.keyboard.press("1")
    window.until(f"{HEADINGS}.includes('Channels')")
    assert not {"Wind", "Boxes"} & set(window.tell(HEADINGS))
    assert window.tell(CHANNELS) == ["stop", "safe-close", "safe posture", "go on", "start over"]
    assert window.tell(GAUGES) == ["Speed", "Turning", "Battery", "Voltage"]
    assert page.locator(".attitude").is_hidden() and page.get_by_label("Sticks on the screen").is_hidden()
    page.get_by_role("button", name="safe-close").press("Enter")
    window.until("cupola.link.changed.missions[0] === 'safe-close'")
    page.locator("#tab-7").click()
    assert page.get_by_label("Test input").locator("option").all_inner_texts() == ["Push", "Twist"]
    assert page.get_by_label("Direction", exact=True).locator("option").count() == 4  # it is not lifted
    page.keyboard.press("h")
    assert "drop a box" not in page.locator(".help").inner_text()
    page.keyboard.press("Escape")
    window.tell("cupola.link.send({ kind: 'load', scenario: 'hover' })")
    window.until("cupola.link.hello.scenario === 'hover' && cupola.link.frame?.clock('time') > 0")
    page.locator("#tab-0").click()
    window.until(f"{HEADINGS}.includes('Wind') && {HEADINGS}.includes('Boxes')")
    assert {"Speed", "Height", "Climb"} <= set(window.tell(GAUGES)) and page.locator(".attitude").is_visible()
    assert "throttle" in window.tell(CHANNELS)
    window.draw_again()
    assert 5.0 < window.tell(AWAY) < 9.0  # not from where the small robot before was looked at
    names = "[...document.querySelectorAll('.series')].map((one) => one.textContent)"
    page.keyboard.press("2")
    window.until(
        f"{names}.length > 2 && {names}.every((name) => name.startsWith('position') || \
name.startsWith('speed') || name.startsWith('velocity') || name.startsWith('attitude'))"
    )
    assert window.complaints == []
