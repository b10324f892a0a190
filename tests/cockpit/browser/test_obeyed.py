"""An arm of seven servos, as an import writes it: every one is moved from the page, by mouse and by keyboard."""

import json

import pytest
from playwright.sync_api import expect
from tests.cockpit.test_obeyed import COUNT, FAR, arm

PLACE = "cupola.link.frame.get('signals')[cupola.link.signal('arm.{}')]"


@pytest.fixture(scope="module")
def seven(start_cockpit, tmp_path_factory):
    """The folder of such an arm, flown by nobody."""
    folder = tmp_path_factory.mktemp("vehicle") / "arm"
    folder.mkdir()
    made = arm(about="an arm", controller={"use": "pass_through", "rate_hz": 100})
    (folder / "model.xml").write_text(f"<mujoco><worldbody>{made.pop('bodies')}</worldbody></mujoco>")
    (folder / "vehicle.yaml").write_text(json.dumps(made))
    return start_cockpit("fly", str(folder), "--start-at-once")


def test_each_servo_has_a_slider_with_its_name_and_range(seven, open_window):
    window = open_window(seven.url, viewport={"width": 1366, "height": 768})
    window.page.keyboard.press("1")
    for k in range(COUNT):
        expect(window.page.get_by_label(f"servo {k} in rad", exact=True)).to_be_visible()
    last = window.page.get_by_label("servo 6 in rad", exact=True)
    last.press("End")
    window.until(f"Math.abs({PLACE.format('joint6.position')} - {FAR}) < 0.2")
    first = window.page.get_by_label("servo 0 in rad, exact value", exact=True)
    first.fill("-1.5")
    first.press("Enter")
    window.until(f"Math.abs({PLACE.format('joint0.position')} + 1.5) < 0.2")
    assert window.tell(PLACE.format("command.6")) == FAR  # it stays
    window.hold("w", f"{PLACE.format('command.3')} > 0.7")  # a throttle stays where keys put it
    window.hold("ArrowRight", f"{PLACE.format('command.0')} > 0.3")  # other sticks do not, as ever
    window.until(f"{PLACE.format('command.0')} === 0")
    expect(first).to_have_value("0")
    first.fill("2")
    first.press("Enter")
    window.until(f"Math.abs({PLACE.format('joint0.position')} - 2) < 0.2")
    assert window.tell(PLACE.format("command.3")) > 0.7
    window.page.keyboard.press("Space")
    expect(last).to_be_disabled()
    window.page.get_by_role("button", name="Motors on again").click()
    expect(last).to_be_enabled()
    window.check_layout()
    window.keep("seven_servos")
    # Words on the sticks on the screen that are as long as names of parts do not run into each other.
    cut = "[...document.querySelectorAll('.hint')].filter((one) => one.scrollWidth > one.clientWidth + 1).length"
    assert window.tell(cut) == 0
    assert window.complaints == []
