"""Without the token of its address a page sees nothing."""

REFUSED = "document.querySelector('.waiting span')?.textContent.includes('token')"


def test_the_token_is_enforced(start_cockpit, open_window):
    cockpit = start_cockpit("fly", "hover", "--token", "open-sesame")
    assert cockpit.url.endswith("?token=open-sesame")
    plain = cockpit.url.partition("?")[0]
    window = open_window(plain, ready=REFUSED)
    assert window.tell("cupola.link.scene") is None
    window.page.goto(f"{plain}?token=wrong")
    window.until(REFUSED)
    assert window.tell("cupola.link.scene") is None
    window.page.goto(cockpit.url)
    window.until("window.cupola?.link.frame")
    assert window.tell("cupola.link.scene.vehicles.length") == 1


DENIED = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });"""


def test_a_page_that_may_remember_nothing_shows_itself(start_cockpit, open_window):
    """As in a frame of a notebook: browsers deny its storage to a page of another site."""
    window = open_window(start_cockpit("fly", "hover").url, script=DENIED)
    assert window.tell("cupola.link.scene.vehicles.length") == 1
