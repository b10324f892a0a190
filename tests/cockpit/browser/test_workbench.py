"""Test inputs, computed curves, figures and the map, in a real browser."""


def test_a_push_is_asked_for_and_its_response_measured(window):
    page = window.page
    page.keyboard.press("8")
    page.get_by_label("Test input").select_option("push")
    page.get_by_label("Size", exact=True).fill("")
    page.get_by_role("button", name="Excite", exact=True).click()
    window.until("document.querySelector('#panel-7 [role=status]').textContent.startsWith('Size: a number from')")
    page.get_by_label("Size", exact=True).fill("1.5")
    page.get_by_label("Seconds", exact=True).fill("0.4")
    page.get_by_role("button", name="Excite", exact=True).click()
    window.until("cupola.link.changed.excitation?.text === 'push of 1.5 N for 0.4 s'")
    window.until("document.querySelector('#panel-7 table').textContent.includes('farthest from the start [m/s]')")
    window.keep("excite")
    assert window.complaints == []


def test_a_twist_is_asked_for_about_an_axis(window):
    page = window.page
    page.keyboard.press("8")
    page.get_by_label("Test input").select_option("twist")
    assert page.get_by_label("Direction").locator("option").count() == 6
    page.get_by_text("About", exact=True).wait_for()
    assert not page.get_by_label("Point on the body, x in metres").is_visible()
    page.get_by_label("Size", exact=True).fill("0.01")
    page.get_by_label("Seconds", exact=True).fill("0.2")
    page.get_by_role("button", name="Excite", exact=True).click()
    window.until("cupola.link.changed.excitation?.text === 'twist of 0.01 N m for 0.2 s'")
    window.until("document.querySelector('[aria-label=\"Signal that answers\"]').value === 'quadcopter.rate_b.z'")
    assert window.complaints == []


def test_curves_are_computed_and_drawn_against_each_other(window):
    page = window.page
    page.keyboard.press("2")
    page.get_by_role("button", name="New plot").click()
    page.get_by_label("Expression on signals").fill("norm(quadcopter.velocity) + quadcopter.position")
    page.get_by_role("button", name="Compute").click()
    window.until("document.querySelector('.picker [role=status]').textContent.startsWith('character ')")
    page.get_by_label("Expression on signals").fill("norm(quadcopter.velocity)")
    page.get_by_role("button", name="Compute").click()
    page.get_by_role("checkbox", name="=norm(quadcopter.velocity)").wait_for()
    page.get_by_role("button", name="Close", exact=True).click()
    window.until("[...document.querySelectorAll('.series')].some((one) => /norm\\(.*\\d.*m\\/s/.test(one.textContent))")
    page.get_by_label("Another kind of plot").select_option("#xy")
    for name in ("position.x", "position.z"):
        page.locator(".picker-row", has_text=f"quadcopter.{name}").first.locator("input").check()
    page.get_by_role("button", name="Close", exact=True).click()
    window.until("document.querySelector('.figure-box polyline')")
    page.get_by_label("Another kind of plot").select_option(label="Set-point: assisted velocity")
    window.until("[...document.querySelectorAll('.series')].some((one) => one.title.endsWith('a set-point'))")
    window.keep("workbench_plots")
    assert window.complaints == []


def test_a_click_in_the_map_is_a_place_to_go_to(window):
    page = window.page
    page.keyboard.press("9")
    window.draw_again()
    page.get_by_label("Height to go to, in metres").fill("3")
    page.locator(".map").click(position={"x": 60, "y": 60})
    window.until("cupola.link.mode === 'mission' && cupola.link.vehicleInfo.plan.length === 1")
    x, y, z = window.tell("cupola.link.vehicleInfo.plan[0].position")
    assert x < 0 < y and z == 3.0
    window.keep("map")
    page.get_by_role("button", name="Back to the plan").click()
    window.until("cupola.link.vehicleInfo.plan[0]?.position[2] !== 3 || cupola.link.vehicleInfo.plan.length !== 1")
    assert window.complaints == []
