"""Ten minutes of flight: any moment of them is there at once, in 3-D and in every curve, live and replayed."""

import statistics
from functools import partial

from tests.cockpit.browser.work import processes_of, tree, would_take
from tests.cockpit.shared_file import record

from cupola.config.scenario import Record
from cupola.sim.world import World, load

from .conftest import COLD

WITHIN = 200.0
"""[ms] from the wish to pictures and curves that are complete."""
FLIGHT = 600.0
PLACES = (0.031, 0.27, 0.5, 0.7331, 0.9)
"""Shares of the flight; the last that was shown is far from each."""
TRIES = 9
"""Of each place; the median counts."""
SEEK = """(time) => new Promise((done) => {
  const began = performance.now();
  cupola.link.send({ kind: 'seek', time });
  const look = () => {
    const { frame } = cupola.link;
    const there = Math.abs(frame.clock('time') - time) < 0.02;
    if (there && cupola.world.shows === frame && cupola.plots.moment === frame.clock('time'))
      done(performance.now() - began);
    else setTimeout(look, 1);
  };
  look();
})"""
"""Waits until bodies and curves stand where the time was asked for."""


def seeks(window, browser, cockpit):
    """What it takes to go to each place, in the median of some tries [ms]."""
    window.tell("cupola.pace.most = 0")  # as on any page without a graphics card
    window.page.keyboard.press("2")
    window.page.get_by_label("Time shown").select_option("all")
    window.until("document.querySelectorAll('.plot canvas').length > 2 && cupola.plots.moment >= 0")
    busy = processes_of(browser) | tree(cockpit.process.pid)
    took = {share: [] for share in PLACES}
    for _ in range(TRIES):
        for share, found in took.items():
            found.append(would_take(busy, partial(window.page.evaluate, SEEK, share * FLIGHT)))
    return [statistics.median(found) for found in took.values()]


def test_in_a_flight_that_goes_on(start_cockpit, open_page, open_window, browser):
    cockpit = start_cockpit("fly", "hover")
    with open_page(cockpit.url) as page:  # which draws nothing meanwhile
        page.say("speed", factor=None)
        page.until(lambda: page.clock("time") > FLIGHT, COLD)
        page.say("pause", paused=True)
        page.until(lambda: page.clock("paused") == 1.0)
    window = open_window(cockpit.url)
    took = seeks(window, browser, cockpit)
    print("seek in a flight of ten minutes:", ", ".join(f"{one:.0f}" for one in took), "ms")
    assert max(took) <= WITHIN
    assert window.complaints == []


def test_in_a_recording(start_cockpit, open_window, browser, tmp_path):
    """With fewer rows than the flight had: what is looked for is how long the page and the reader take."""
    world = load("hover")
    thin = World(world.scenario.model_copy(update={"record": Record(rate_hz=20.0)}), name="hover")
    cockpit = start_cockpit("replay", str(record(thin, tmp_path / "long.mcap", FLIGHT)))
    window = open_window(cockpit.url)
    window.tell("cupola.link.send({ kind: 'pause', paused: true })")
    took = seeks(window, browser, cockpit)
    print("seek in a recording of ten minutes:", ", ".join(f"{one:.0f}" for one in took), "ms")
    assert max(took) <= WITHIN
    assert window.complaints == []
