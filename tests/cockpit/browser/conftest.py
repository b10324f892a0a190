"""The page in a real browser: Debian's Chromium, which draws without a graphics card."""

import io
import json
import shutil
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, FloatRect, Page, expect, sync_playwright

ARGUMENTS = ("--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")
FRUGAL_ARGUMENTS = ("--disable-gpu-compositing", "--disable-gpu-rasterization")
"""Software puts the page together by itself: by way of a graphics card that it plays, it takes twice as long."""
SMALL = {"width": 800, "height": 480}
"""Enough where pixels do not matter: software draws every one."""
PICTURES = Path(__file__).parents[3] / "out" / "cockpit"
SOON = 90.0
"""[s] after which a test gives up on what was asked for: a machine may be twenty times busier than usual."""
PICTURES_A_SECOND = 6
"""As many as software draws without taking the processor from the world that is tested."""
BLURRED = 0.3
"""Pixels drawn per pixel of the page, where no test looks at them."""
FRUGAL = f"""try {{
  localStorage.getItem("cupola.pictures") ?? localStorage.setItem("cupola.pictures", "{PICTURES_A_SECOND}");
}} catch {{ /* a page that may remember nothing */ }}
window.said = [];
new MutationObserver((changes) => changes.forEach(({{ addedNodes }}) => addedNodes.forEach((one) => {{
  if (one.classList?.contains("notice")) window.said.push(one.textContent);
}}))).observe(document, {{ childList: true, subtree: true }});"""
"""Draws little, and keeps what notices said: they leave after a while, maybe before a busy test looks."""
COLD = 200.0
"""[s] within which a world shows itself, compiled for the first time."""
expect.set_options(timeout=1000 * SOON)
READY = "window.cupola?.link.connected && cupola.link.frame !== null && cupola.link.changed !== null"
PLACE = """(() => {
  const at = 7 * cupola.link.vehicleInfo.root;
  return Array.from(cupola.link.frame.get("bodies").slice(at, at + 3));
})()"""

OUTSIDE = """[...document.querySelectorAll('button, select, input, output, h2')].filter((one) => {
  const box = one.getBoundingClientRect();
  const seen = one.checkVisibility({ visibilityProperty: true }) && box.width > 0;
  return seen && (box.left < -1 || box.right > innerWidth + 1);
}).map((one) => one.outerHTML.slice(0, 120))"""
"""What is cut off at the left or right edge of the window."""
OVERLAPS = """(() => {
  const names = ['.instruments', '.pads', '.stop', '.stopped', '.go', '.pictures', '.replay-bar',
    '.side-panel', '.beside-panel', '.top-bar'];
  const seen = names.filter((name) => document.querySelector(name)?.checkVisibility());
  const boxes = seen.map((name) => [name, document.querySelector(name).getBoundingClientRect()])
    .filter(([, box]) => box.width && box.height);
  const hit = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  return boxes.flatMap(([a, p], k) => boxes.slice(k + 1).filter(([, q]) => hit(p, q)).map(([b]) => `${a} and ${b}`))
    .filter((pair) => pair !== '.pads and .stop');
})()"""
"""Panels over each other; on a phone the red button stands between the sticks."""


class Window:
    """A page of the cockpit and what it complained about."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        self.asked: list[str] = []
        page.on("console", self._hear)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))

    def _hear(self, said: ConsoleMessage) -> None:
        # Drawing without a graphics card and taking pictures is slow; the driver says so in the page's console.
        slow = "GL Driver Message (OpenGL, Performance" in said.text
        if said.type in ("error", "warning") and not slow:
            self.complaints.append(said.text)

    def tell(self, expression: str) -> Any:
        """The value of a JavaScript expression."""
        return self.page.evaluate(expression)

    def until(self, expression: str, timeout: float = SOON) -> Any:
        """Wait until an expression is true; returns its value."""
        end = time.monotonic() + timeout
        while not (found := self.tell(expression)):
            assert time.monotonic() < end, f"not so within {timeout:g} s: {expression}"
            time.sleep(0.05)
        return found

    def hears(self, words: str) -> None:
        """Wait until a notice has said something."""
        self.until(f"said.some((one) => one.includes({json.dumps(words)}))")

    def place(self) -> Any:
        """Where the vehicle is [m]."""
        return np.array(self.tell(PLACE))

    def signal(self, name: str) -> float:
        """The present value of a signal."""
        return float(self.tell(f"cupola.link.frame.get('signals')[cupola.link.signal('{name}')]"))

    def clock(self, name: str) -> float:
        """A number of the clock in the last frame."""
        return float(self.tell(f"cupola.link.frame.clock('{name}')"))

    def hold(self, key: str, until: str) -> None:
        """Hold a key until something is so."""
        self.page.keyboard.down(key)
        self.until(until)
        self.page.keyboard.up(key)

    def settle(self) -> Any:
        """Wait until the vehicle holds its place to 5 cm for a second; returns the place."""
        end = time.monotonic() + SOON
        while time.monotonic() < end:
            now, time_now = self.place(), self.clock("time")
            self.until(f"cupola.link.frame.clock('time') > {time_now + 1.0}")
            if np.linalg.norm(self.place() - now) < 0.05 and self.signal("quadcopter.speed") < 0.1:
                return now
        raise AssertionError("it did not come to rest")

    def pixels(self) -> Any:
        """The 3-D view around the vehicle, as numbers: rows, columns, colours."""
        box = self.page.locator(".view canvas").bounding_box()
        assert box
        x, y, width, height = box["x"], box["y"], box["width"], box["height"]
        middle = FloatRect(x=x + 0.3 * width, y=y + 0.3 * height, width=0.4 * width, height=0.4 * height)
        shot = self.page.screenshot(clip=middle)
        return np.asarray(Image.open(io.BytesIO(shot)).convert("RGB"), np.int16)

    def next_pixels(self) -> Any:
        """The same after at least two more pictures were drawn."""
        self.draw_again()
        return self.pixels()

    def draw_again(self) -> None:
        """Wait until two more pictures were drawn."""
        before = self.tell("cupola.world.stage.renderer.info.render.frame")
        self.tell("cupola.pace.wake()")
        self.until(f"cupola.world.stage.renderer.info.render.frame > {before + 1}")

    def check_layout(self) -> None:
        """Nothing is cut off or lies over another, once the page has taken its new size."""
        with suppress(AssertionError):
            self.until(f"{OUTSIDE}.length + {OVERLAPS}.length === 0", timeout=20.0)
        assert self.tell(OUTSIDE) == []
        assert self.tell(OVERLAPS) == []

    def keep(self, name: str) -> None:
        """Keep a picture of the page to be looked at."""
        PICTURES.mkdir(parents=True, exist_ok=True)
        self.tell("cupola.world.stage.sharpness = 1")
        self.draw_again()
        self.page.screenshot(path=PICTURES / f"{name}.png")
        self.tell(f"cupola.world.stage.sharpness = {BLURRED}")


@pytest.fixture(scope="session")
def browser(built_page: Path) -> Iterator[Browser]:
    """One browser for all tests."""
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, "the browser tests need Debian's package chromium, which `make test` installs"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=[*ARGUMENTS, *FRUGAL_ARGUMENTS])
        yield browser
        browser.close()


class Opener:
    """Opens windows, each like one of a new user, and closes them."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._opened: list[BrowserContext] = []

    def __call__(self, url: str, *, ready: str = READY, script: str = "", **options: Any) -> Window:
        """Open an address, after an init script, with options of a browser context."""
        context = self._browser.new_context(**{"viewport": SMALL, "color_scheme": "light", **options})
        self._opened.append(context)
        context.set_default_timeout(1000 * SOON)
        page = context.new_page()
        page.add_init_script(f"{FRUGAL}\n{script}")
        window = Window(page)
        page.goto(url)
        window.until(ready, timeout=COLD)
        window.tell(f"cupola.world.stage.sharpness = {BLURRED}")
        return window

    def close(self) -> None:
        """Close all."""
        for context in self._opened:
            context.close()


@pytest.fixture
def open_window(browser: Browser) -> Iterator[Opener]:
    """Open an address: `open_window(url, script=..., color_scheme=...)`; closed at the end of the test."""
    opener = Opener(browser)
    yield opener
    opener.close()


@pytest.fixture(scope="module")
def shared_window(browser: Browser, cockpit: Any) -> Iterator[Window]:
    """One page for the tests of a module: opening it is what takes long."""
    opener = Opener(browser)
    yield opener(cockpit.url, script=PAD)
    opener.close()


PAD = """navigator.getGamepads = () => [window.pad];
window.pad = { id: "Test pad", index: 0, connected: false, mapping: "standard", axes: [0, 0, 0, 0],
               buttons: Array.from({ length: 16 }, () => ({ pressed: false, value: 0 })) };"""
"""A gamepad that a test plugs in with `pad.connected = true`."""
AFRESH = """(() => {
  const { link, sticks } = cupola;
  sticks.neutral();
  link.takeSticks(true);
  link.send({ kind: "emergency", on: false });
  link.send({ kind: "speed", factor: 1 });
  link.send({ kind: "pause", paused: true });
  link.send({ kind: "mode", mode: "assisted" });
  link.send({ kind: "reset" });
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  document.activeElement?.blur();
  document.querySelector(".notices").replaceChildren();
  cupola.world.views.set("chase");
  cupola.world.views.restart();
})()"""


@pytest.fixture
def window(shared_window: Window) -> Window:
    """The page of a quadcopter that has just begun to hover."""
    window = shared_window
    window.complaints.clear()
    window.tell(AFRESH)
    window.until("cupola.link.role.pilot && cupola.link.mode === 'assisted' && cupola.link.frame?.clock('tick') === 0")
    window.tell("cupola.link.send({ kind: 'pause', paused: false })")
    window.until("cupola.link.frame.clock('paused') === 0")
    return window
