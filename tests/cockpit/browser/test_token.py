"""Without the token of its address a page sees nothing."""

REFUSED = "document.querySelector('.waiting span')?.textContent.includes('token')"


def test_the_token_is_enforced(start_cockpit, open_window):
    cockpit = start_cockpit("fly", "hover", "--token", "open-sesame")
    assert cockpit.url.endswith("?token=open-sesame")
    plain = cockpit.url.partition("?")[0]
    for address in (plain, f"{plain}?token=wrong"):
        window = open_window(address, ready=REFUSED)
        assert window.tell("cupola.link.scene") is None
    window = open_window(cockpit.url)
    assert window.tell("cupola.link.scene.vehicles.length") == 1
