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
    for toggle in window.page.locator(".toggles .switch").all():
        toggle.check()
    window.draw_again()
    assert window.tell("cupola.world.wanted.size") == 14
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
