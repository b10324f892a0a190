"""What people do to a run besides flying: snapshots, faults, boxes, recordings, another scenario."""

from .conftest import COLD

BOX = "cupola.link.frame.get('bodies')[7 * cupola.link.scene.bodies.findIndex((body) => body.name === 'box0')]"


def test_go_back_to_a_moment(window):
    window.page.keyboard.press("5")
    window.page.get_by_role("button", name="Keep this moment").click()
    window.until("cupola.link.changed.snapshots > 0")
    kept = window.tell("cupola.link.changed.snapshots")
    window.hold("ArrowUp", "cupola.link.frame.get('bodies')[7] > 1.0")
    window.page.get_by_role("button", name=f"Back to {kept}", exact=True).click()
    window.until("cupola.link.frame.get('bodies')[7] < 0.5")


def test_what_happened_is_marked_and_gone_to(window):
    """A line of time while it flies; a fault is marked on it, and a click on its words shows the moment."""
    window.until("cupola.link.frame.clock('time') > 0.3")
    window.tell("cupola.link.send({ kind: 'fault', part: 'quadcopter.motor1', fault: 'off', amount: 1 })")
    window.until("cupola.events.all.some(({ text, alarm }) => text === 'motor1 fault: off' && alarm)")
    when = window.tell("cupola.events.all.find(({ alarm }) => alarm).time")
    assert window.page.get_by_label("Time", exact=True).is_visible()
    window.check_layout()
    marked = "document.querySelector('.marks').getContext('2d').getImageData(0, 4, 5000, 1).data.some((one) => one > 0)"
    window.until(marked)
    window.until(f"cupola.link.frame.clock('time') > {when} + 0.4")
    window.page.keyboard.press("5")
    window.page.get_by_role("button", name="motor1 fault: off").click()
    window.until(f"cupola.link.frame.clock('paused') && Math.abs(cupola.link.frame.clock('time') - {when}) < 0.01")
    window.check_layout()
    slider = window.page.get_by_label("Time", exact=True)
    box = slider.bounding_box()
    window.page.mouse.move(box["x"] + 7 + (box["width"] - 14) * when / window.clock("end"), box["y"] + 5)
    window.until("document.querySelector('.replay-bar input').title.endsWith('motor1 fault: off')")
    window.tell("cupola.link.send({ kind: 'fault', part: 'quadcopter.motor1', fault: 'off', amount: 0 })")


def test_a_touch_of_the_line_of_time_stops_it_there(window):
    window.until("cupola.link.frame.clock('time') > 1.0 && document.body.classList.contains('going-on')")
    slider = window.page.get_by_label("Time", exact=True)
    slider.click(position={"x": slider.bounding_box()["width"] / 2, "y": 4})
    window.until("cupola.link.frame.clock('paused') === 1")
    window.until("cupola.link.frame.clock('time') < 0.7 * cupola.link.frame.clock('end')")
    window.page.get_by_role("button", name="Fly on from here").click()
    window.until("cupola.link.frame.clock('paused') === 0")


def test_what_rests_is_drawn_sharp(window):
    """Coarse pixels are for what moves; a world that stands is as sharp as the screen, and drawn seldom."""
    window.tell("cupola.link.send({ kind: 'pause', paused: true })")
    window.tell("cupola.world.stage.adapts = true")
    ratio = "cupola.world.stage.renderer.getPixelRatio()"
    rough = window.tell(ratio)
    window.until(f"{ratio} >= 1")
    drawn = window.tell("cupola.world.stage.renderer.info.render.frame")
    window.page.wait_for_timeout(1500)
    assert window.tell("cupola.world.stage.renderer.info.render.frame") <= drawn + 2
    window.tell("cupola.link.send({ kind: 'pause', paused: false })")
    window.until(f"{ratio} === {rough}")
    window.tell("cupola.world.stage.adapts = false")


def test_break_and_mend_a_motor(window):
    window.page.keyboard.press("5")
    fault = window.page.locator(".fault", has_text="quadcopter.motor1").get_by_role("button", name="Off")
    fault.click()
    window.until("cupola.link.changed.faults.some(({ part, amount }) => part === 'quadcopter.motor1' && amount === 1)")
    window.until("cupola.link.frame.get('bodies')[9] < 1.2")  # three motors do not hold it
    fault.click()
    window.until("cupola.link.changed.faults.every(({ amount }) => amount === 0)")


def test_drop_and_remove_a_box(window):
    window.page.keyboard.press("b")
    window.until(f"Math.abs({BOX}) < 10")
    window.page.keyboard.press("n")
    window.until(f"Math.abs({BOX}) > 1e5")


def test_record_and_save(window, cockpit):
    window.page.get_by_role("button", name="Record", exact=True).click()
    window.until("cupola.link.changed.recording && cupola.link.frame.clock('recording') === 1")
    window.page.get_by_role("button", name="Record", exact=True).click()
    window.until("cupola.link.changed.recording === null")
    assert list(cockpit.folder.rglob("*.mcap"))
    window.page.keyboard.press("3")
    window.page.get_by_role("button", name="Save scenario").click()
    window.hears(".yaml")
    assert list(cockpit.folder.rglob("*.yaml"))


def test_every_view_and_overlay_draws(window):
    views = window.tell("[...document.querySelectorAll('[aria-label=View] button')].length")
    for _ in range(views):
        window.page.keyboard.press("v")
        window.draw_again()
    window.page.keyboard.press("4")
    offered = window.page.locator(".toggles .toggle:visible")
    words = offered.all_inner_texts()
    assert {"Trails", "Planned path", "Wind"} < set(words) and "Laser points" not in words  # which nothing here has
    for k in range(len(words)):
        offered.nth(k).locator(".switch").check()
    window.draw_again()
    assert window.tell("cupola.world.wanted.size") >= len(words) > 10
    assert window.complaints == []


WIRES = """(() => {
  const found = [];
  cupola.world.stage.scene.traverseVisible((one) => {
    if (one.material?.wireframe) found.push(cupola.world.bodies.links.indexOf(one.parent));
  });
  return found;
})()"""
"""Indices of the bodies that are drawn as wire frames."""
TOUCHES = """[...new Set(cupola.link.scene.geoms.filter((g) => g.collides && g.kind !== 'plane').map((g) => g.body))]
  .filter((body) => cupola.world.bodies.links[body].visible)"""


def test_what_touches_is_drawn_as_wire_frames_when_asked_for(window):
    window.page.keyboard.press("4")
    shapes = window.page.get_by_label("Collision shapes")
    shapes.uncheck()  # the test before may have left it on
    window.until(f"({WIRES}).length === 0")
    shapes.check()
    touching = window.tell(TOUCHES)
    assert touching and sorted(window.until(WIRES)) == sorted(touching)
    shapes.uncheck()
    window.until(f"({WIRES}).length === 0")


def test_another_scenario_is_loaded(window):
    window.page.get_by_label("Scenario", exact=True).select_option("square")
    window.until("cupola.link.hello.scenario === 'square' && cupola.link.frame?.clock('time') > 0", timeout=COLD)
    window.until("document.title.startsWith('square')")
    window.page.get_by_label("Scenario", exact=True).select_option("hover")
    window.until("cupola.link.hello.scenario === 'hover' && cupola.link.frame?.clock('time') > 0", timeout=COLD)
    assert window.complaints == []
