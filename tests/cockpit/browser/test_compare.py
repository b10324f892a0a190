"""Runs over each other: two gains without a terminal."""

GAIN = "quadcopter.assisted.velocity_kp"


def fly(window, gain):
    """Two seconds with a gain, from the start, pushed by the stick."""
    window.tell(f"cupola.link.send({{ kind: 'tune', name: '{GAIN}', value: {gain} }})")
    window.page.keyboard.press("r")
    window.until("cupola.link.frame.clock('time') < 1")
    window.hold("ArrowUp", "cupola.link.frame.clock('time') > 2")


def test_two_gains_are_laid_over_each_other(window):
    page = window.page
    fly(window, 1.0)
    fly(window, 4.0)
    page.keyboard.press("7")
    row = page.locator(".run-row", has_text=f"{GAIN}").first
    row.locator("input").check()
    page.get_by_label("Signal to compare").select_option("quadcopter.velocity.x")
    table = page.get_by_role("region", name="Figures of the runs")
    names = table.locator("thead th")
    window.until("document.querySelectorAll('.figures-box thead th').length === 3")
    assert names.nth(1).text_content() == "now" and names.nth(2).text_content().startswith("run ")
    apart = (
        "[...document.querySelectorAll('.figures-box tr')].find((one) => one.textContent.includes('difference to now'))"
    )
    window.until(f"Number({apart}.lastChild.textContent) > 0.01")
    assert "rise time" in table.text_content() and "overshoot" in table.text_content()
    window.keep("compare")
    row.locator("input").uncheck()
    window.until("document.querySelectorAll('.figures-box thead th').length === 2")
    assert window.complaints == []
