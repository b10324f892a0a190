"""What stands beside the controls is true in each mode, and nothing covers or cuts it."""

import pytest

HINTS = "[...document.querySelectorAll('.hint')].map((one) => one.textContent)"
VELOCITY = ["up", "turn right", "down", "turn left", "forward", "right", "back", "left"]
RAW = ["more power", "nose right", "less power", "nose left", "nose down", "roll right", "nose up", "roll left"]
KEYS = ["W", "D", "S", "A", "↑", "→", "↓", "←"]
COVERED = """(() => {
  const card = document.createElement('div');
  card.className = 'notice';
  card.textContent = 'A sentence that is long enough to be as wide as a notice becomes, and wider than half a page.';
  document.querySelector('.notices').append(card);
  const a = card.getBoundingClientRect();
  card.remove();
  return ['.side-panel', '.instruments', '.top-bar'].filter((name) => {
    const b = document.querySelector(name).getBoundingClientRect();
    return a.width > 0 && a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  });
})()"""
"""Over what a notice lies."""


@pytest.fixture(scope="module")
def vtol(start_cockpit):
    return start_cockpit("fly", "vtol_mission", "--start-paused")


def choose(window, mode):
    window.tell(f"cupola.link.send({{ kind: 'mode', mode: '{mode}' }})")
    window.until(f"cupola.link.mode === '{mode}'")


def with_keys(words):
    return [f"{key} {word}" for key, word in zip(KEYS, words, strict=True)]


def test_labels_follow_the_mode_and_help_says_the_same(vtol, open_window):
    window = open_window(vtol.url, viewport={"width": 1024, "height": 768})
    page = window.page
    window.tell("cupola.link.takeSticks(true)")
    for mode, words in (("assisted", VELOCITY), ("raw", RAW), ("mission", VELOCITY)):
        choose(window, mode)
        window.until(f"{HINTS}.join() === {','.join(with_keys(words))!r}")
        page.keyboard.press("h")
        said = page.locator(".help .moves").inner_text()
        assert f"{words[4]}, {words[6]}, {words[7]}, {words[5]}" in said
        assert f"{words[0]}, {words[2]}" in said and f"{words[3]}, {words[1]}" in said
        page.keyboard.press("Escape")
    window.check_layout()
    assert window.tell(COVERED) == []
    assert window.complaints == []


def test_a_number_beyond_its_range_is_said_and_channels_are_no_stops(vtol, open_window):
    window = open_window(vtol.url)
    page = window.page
    window.tell("cupola.link.takeSticks(true)")
    page.keyboard.press("1")
    stops = window.tell("[...document.querySelectorAll('.channel')].filter((one) => one.tabIndex === 0).length")
    assert stops <= 3  # those that do something and have no other key
    page.get_by_label("air.wind_speed in m/s, exact value").first.fill("400")
    page.keyboard.press("Enter")
    said = window.until("[...document.querySelectorAll('.beyond:not([hidden])')].map((one) => one.textContent)[0]")
    assert said.startswith("400 is beyond its range") and "the most" in said


@pytest.mark.parametrize("phone", [{"width": 390, "height": 780}, {"width": 844, "height": 390}])
def test_a_phone_has_no_letters_of_keys_and_its_sticks_lie_near_the_thumbs(vtol, open_window, phone):
    window = open_window(vtol.url, viewport=phone, has_touch=True, is_mobile=True)
    window.tell("cupola.link.takeSticks(true)")
    choose(window, "assisted")
    window.until(f"{HINTS}.join() === {','.join(VELOCITY)!r}")
    boxes = [window.page.locator(".pad").nth(k).bounding_box() for k in (0, 1)]
    assert boxes[0]["x"] < 20 and boxes[1]["x"] + boxes[1]["width"] > phone["width"] - 20
    assert max(box["y"] + box["height"] for box in boxes) > phone["height"] - 40
    assert window.page.locator(".stop small").is_hidden()
    window.check_layout()
    header = window.page.locator(".top-bar").bounding_box()
    inside = window.page.locator(".top-bar button:visible").all()
    assert all(one.bounding_box()["y"] >= header["y"] for one in inside)


TAKEN = """(() => {
  const ways = [...document.querySelectorAll('.stop, .stopped .button, .go .button, .tabs [role=tab]')]
    .filter((one) => one.checkVisibility());
  return ways.filter((one) => {
    const box = one.getBoundingClientRect();
    return [0.15, 0.5, 0.85].some((x) => [0.2, 0.5, 0.8].some((y) => {
      const at = document.elementFromPoint(box.left + x * box.width, box.top + y * box.height);
      const corner = Math.hypot(x - 0.5, y - 0.5) > 0.3;  // the red button is round
      return !corner && at !== one && !one.contains(at);
    }));
  }).map((one) => one.textContent);
})()"""
"""Ways out of a stop and into a flight, and tabs, that a click would not reach."""
SPILLS = """[...document.querySelectorAll('.mission, .notice p')].filter((one) => {
  const box = one.getBoundingClientRect(), card = one.closest('.instruments, .notice').getBoundingClientRect();
  return box.right > card.right || box.left < card.left || one.scrollWidth > one.clientWidth;
}).map((one) => one.textContent)"""
"""Words that leave their card."""
BEYOND_BAR = """(() => {
  const bar = document.querySelector('.top-bar').getBoundingClientRect();
  return [...document.querySelectorAll('.top-bar button, .top-bar select, .clock > *')].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && (box.top < bar.top || box.bottom > bar.bottom || box.right > bar.right + 1);
  }).map((one) => one.outerHTML.slice(0, 80));
})()"""
SIZES = [(1280, 800), (1024, 768), (844, 390), (390, 780)]


def test_long_words_hide_no_way_out_of_a_stop(start_cockpit, open_window, tmp_path):
    """A controller of a stranger fails with a long word without a blank in it, and more goes wrong after that."""
    file = tmp_path / "failing.py"
    file.write_text(
        "from cupola import Controller\n\n\nclass Failing(Controller):\n    def step(self, obs, ref):\n"
        "        raise ValueError('the gyro burns ' + 300 * 'x')\n"
    )
    window = open_window(start_cockpit("fly", "quadcopter", "--controller", f"{file}:Failing", "--start-at-once").url)
    window.until("cupola.link.changed.conditions[0].name === 'stopped'")
    window.tell("cupola.link.takeSticks(true)")
    window.tell("cupola.link.send({ kind: 'reset' })")  # it ended before the page was there
    window.tell("cupola.link.send({ kind: 'pause', paused: false })")
    window.hears("xxx. Reset to fly again.")
    window.page.keyboard.press("Space")
    window.until("!document.querySelector('.stopped').hidden")
    for panel in ("with its panel", "without"):
        for k, (width, height) in enumerate(SIZES):
            window.page.set_viewport_size({"width": width, "height": height})
            name = f"{panel} {k} " + 30 * "long "
            window.tell(f"cupola.link.send({{ kind: 'load', scenario: '{name}' }})")
            window.hears(name)
            assert window.tell("document.querySelectorAll('.notice').length") > 0
            assert window.tell(BEYOND_BAR) == [], (panel, width)
            assert (window.tell(TAKEN), window.tell(SPILLS)) == ([], []), (panel, width)
        window.page.keyboard.press("`")
    assert window.complaints == []


GO_OVER = """(() => {
  const go = document.querySelector('.go').getBoundingClientRect();
  return ['.instruments', '.notice', '.stop'].filter((name) => [...document.querySelectorAll(name)].some((one) => {
    const box = one.getBoundingClientRect();
    return go.left < box.right && box.left < go.right && go.top < box.bottom && box.top < go.bottom;
  }));
})()"""


def test_nothing_lies_over_go(start_cockpit, open_window):
    """Neither the greeting, which comes while a world waits, nor the instruments; and locked modes look locked."""
    window = open_window(start_cockpit("fly", "vtol_mission", "--start-paused", "--modes", "assisted").url)
    window.until("!document.querySelector('.go').hidden && document.querySelectorAll('.notice').length > 0")
    for panel in ("with its panel", "without"):
        for k, (width, height) in enumerate(SIZES):
            window.page.set_viewport_size({"width": width, "height": height})
            name = f"{panel} {k}"
            window.tell(f"cupola.link.send({{ kind: 'load', scenario: '{name}' }})")
            window.hears(name)
            assert window.tell(GO_OVER) == [], (panel, width)
            assert window.tell(TAKEN) == [], (panel, width)
        window.page.keyboard.press("`")
    window.page.set_viewport_size({"width": 1280, "height": 800})
    looks = "[one.textContent, one.disabled, +getComputedStyle(one).opacity]"
    locked = f"[...document.querySelectorAll('.segments button')].map((one) => {looks})"
    found = {text: (off, seen) for text, off, seen in window.tell(locked)}
    assert found["Assisted"] == (False, 1.0) and found["Raw"][0] and found["Mission"][0]
    assert found["Raw"][1] < 0.6 and found["Mission"][1] < 0.6
    assert window.complaints == []
