"""Pictures of the main layouts, kept in out/cockpit to be looked at; nothing may be clipped or lie over another."""

import pytest

DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 780}


@pytest.mark.parametrize(
    ("name", "size", "scheme", "tab"),
    [
        ("desktop_light", DESKTOP, "light", 1),
        ("desktop_dark", DESKTOP, "dark", 4),
        ("plots", DESKTOP, "light", 2),
        ("tuning", DESKTOP, "dark", 3),
        ("run", DESKTOP, "light", 5),
        ("phone", PHONE, "light", None),
        ("phone_tuning", PHONE, "dark", 3),
    ],
)
def test_layout(cockpit, open_window, name, size, scheme, tab):
    window = open_window(cockpit.url, viewport=size, color_scheme=scheme)
    if tab:
        window.page.keyboard.press(str(tab))
    window.until("cupola.world.stage.renderer.info.render.frame > 3")
    window.check_layout()
    window.keep(name)
    assert window.complaints == []


def test_help_opens_and_closes(cockpit, open_window):
    window = open_window(cockpit.url, viewport=DESKTOP)
    window.page.keyboard.press("h")
    assert window.page.get_by_role("dialog", name="Help").is_visible()
    window.keep("help")
    window.page.keyboard.press("Escape")
    assert not window.page.get_by_role("dialog", name="Help").is_visible()


def test_camera_and_laser_are_shown(start_cockpit, open_window):
    cockpit = start_cockpit("fly", "sensor_plane_camera")
    window = open_window(cockpit.url, viewport=DESKTOP)
    window.until("document.querySelector('.picture img')?.naturalWidth > 0", timeout=30)
    assert window.page.locator(".picture canvas").count() == 1
    window.check_layout()
    window.keep("camera")
