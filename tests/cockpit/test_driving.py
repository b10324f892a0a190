"""A base driven by hand through the line that the page uses: what it does, what stops it, and that it repeats."""

import itertools

import numpy as np
import pytest

import cupola
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder
from cupola.sim.events import repeat

REST = (0.0, 0.0, 0.0, 0.0)


def hand(page, *keys, **devices):
    page.say("hand", keys=keys, **devices)


def driven(page):
    return page.last("driven")


def drive(page, condition, *keys, **devices):
    """Repeat what the hand does, as a page does, until something is so."""

    def again():
        hand(page, *keys, **devices)
        return condition()

    return page.until(again)


@pytest.fixture(scope="module")
def base(start_cockpit):
    return start_cockpit("fly", "omni_manual")


@pytest.fixture
def driver(base, open_page):
    """A page at a base that stands at its start, mode 7, gear 7."""
    with open_page(base.url) as page:
        page.say("take_sticks", force=True)
        page.say("emergency", on=False)
        page.say("pause", paused=True)
        page.say("reset")
        page.until(lambda: page.clock("tick") == 0.0)
        for key in ("Digit7", "F7"):
            hand(page, key)
            hand(page)
        page.until(lambda: (driven(page)["mode"], driven(page)["gear"]) == (7, 7))
        page.say("pause", paused=False)
        page.until(lambda: page.clock("tick") > 0.0)
        yield page


def test_a_key_drives_and_its_release_stops(driver):
    assert not driven(driver)["by_hand"]
    drive(driver, lambda: driver.signal("velma_base.velocity_b.x") > 0.4, "KeyW")
    assert driven(driver) == {
        "kind": "driven", "vehicle": 0, "by_hand": True, "mode": 7, "gear": 7, "stopped": False,
        "why_not": driven(driver)["why_not"], "values": [1.0, 0.0, 0.0], "command": [0.5, 0.0, 0.0],
    }  # fmt: skip
    drive(driver, lambda: abs(driver.signal("velma_base.speed")) < 0.001)
    assert driven(driver)["by_hand"] and not driven(driver)["stopped"]


def test_devices_that_are_missing_make_modes_grey(driver):
    grey = [k for k, why in enumerate(driven(driver)["why_not"], 1) if why]
    assert grey == [6, 10, 11]
    hand(driver, pad=REST, cursor=(0.0, 0.0))
    driver.until(lambda: not any(driven(driver)["why_not"]))
    hand(driver, "F10", pad=REST)
    hand(driver, pad=REST)  # at its centre first
    drive(driver, lambda: driven(driver)["command"] == [0.25, 0.0, 0.0], pad=(0.0, 0.0, 0.0, 0.5))
    hand(driver)
    driver.until(lambda: driven(driver)["stopped"] and driven(driver)["why_not"][9] == "there is no gamepad")


def test_a_page_that_falls_silent_stops_it(driver):
    hand(driver, "F8")
    drive(driver, lambda: driven(driver)["values"][0] > 0.3, "KeyW")
    drive(driver, lambda: driver.signal("velma_base.velocity_b.x") > 0.1)  # a smooth speed stays without a key
    driver.until(lambda: driven(driver)["stopped"])
    driver.until(lambda: driver.signal("velma_base.speed") < 0.001)


def test_an_emergency_is_not_undone_by_a_key_that_is_still_held(driver):
    drive(driver, lambda: driver.signal("velma_base.velocity_b.x") > 0.4, "KeyW")
    driver.say("emergency", on=True)
    drive(driver, lambda: driver.clock("emergency") == 1.0 and driven(driver)["stopped"], "KeyW")
    driver.say("emergency", on=False)
    drive(driver, lambda: driver.clock("emergency") == 0.0, "KeyW")
    drive(driver, lambda: driver.signal("velma_base.speed") < 0.001, "KeyW")  # it brakes
    tick, place = driver.clock("tick"), driver.signal("velma_base.position.x")
    drive(driver, lambda: driver.clock("tick") > tick + 300, "KeyW")
    assert driven(driver)["stopped"]
    assert driver.signal("velma_base.position.x") == pytest.approx(place, abs=0.002)  # not 0.15 m further
    hand(driver)
    drive(driver, lambda: driver.signal("velma_base.velocity_b.x") > 0.4, "KeyW")


def test_who_else_takes_the_base_has_it(driver):
    drive(driver, lambda: driven(driver)["by_hand"], "KeyW")
    driver.say("sticks", channels=[0.0, 0.5, 0.0])
    driver.until(lambda: not driven(driver)["by_hand"] and driver.section("sticks")[0, 1] == 0.5)
    hand(driver)
    drive(driver, lambda: driven(driver)["by_hand"] and driver.section("sticks")[0, 1] == -1.0, "KeyW")
    driver.say("mode", mode="mission")
    driver.until(lambda: not driven(driver)["by_hand"] and driver.last("changed")["modes"] == ["mission"])


def test_a_limit_of_zero_lets_nothing_through(driver):
    names = ("velma_base.assisted.linear_x_max_velocity", "velma_base.raw.speed")
    for name in names:
        driver.say("tune", name=name, value=0.0)
    driver.until(lambda: driver.last("tuned")["name"] == names[1])
    drive(driver, lambda: driven(driver)["command"] == [0.5, 0.0, 0.0], "KeyW")
    hand(driver, "F1")
    drive(driver, lambda: driven(driver)["command"] == [0.0, 0.0, 5.0, 0.0], "Numpad5")
    assert driver.last("notice")["text"] is None  # nothing failed
    assert not driver.section("sticks")[0].any()
    for name, value in zip(names, (0.5, 1.0), strict=True):
        driver.say("tune", name=name, value=value)
    driver.until(lambda: driver.last("tuned")["name"] == names[1] and driver.last("tuned")["value"] == 1.0)


def test_a_drive_by_hand_repeats_to_the_bit(base, driver, tmp_path):
    """Wheels left alone, a smooth speed, a gamepad and a stop, recorded; told again, another world does the same."""
    driver.say("pause", paused=True)
    driver.say("reset")
    driver.until(lambda: driver.clock("tick") == 0.0)
    driver.say("record", on=True)
    path = base.folder / driver.until(lambda: driver.last("changed")["recording"])
    driver.say("pause", paused=False)
    hand(driver, "F2")
    drive(driver, lambda: driver.clock("time") > 0.5, "Numpad5")
    hand(driver, "F8")
    drive(driver, lambda: driver.clock("time") > 1.0, "KeyW", "KeyQ")
    hand(driver, "F10", pad=REST)
    hand(driver, pad=REST)  # at its centre first
    for k in itertools.count():
        hand(driver, pad=(0.3, 0.0, 0.5, np.sin(0.1 * k)))
        driver.next_frame()
        if driver.clock("time") > 1.6:
            break
    hand(driver, "Space")
    drive(driver, lambda: driver.clock("time") > 1.9)
    driver.say("record", on=False)
    driver.until(lambda: driver.clock("recording") == 0.0 and driver.last("notice")["text"])
    first = Recording(path)
    world = cupola.load("omni_manual")
    told = first.commands(world.scenario.physics_hz)
    sticks = [command.arguments[0] for command in told if command.call == "sticks"]
    assert len(sticks) > 20 and any(np.isnan(row).any() for row in sticks)
    assert [command.arguments[0] for command in told if command.call == "take_over"][:2] == ["raw", "assisted"]
    tap = WorldRecorder(world, tmp_path / "again.mcap")
    world.observers.append(tap)
    last = round(first.table("/tf")["time"][-1] * world.scenario.physics_hz)
    for tick in range(world.max_ticks_per_batch, last + world.max_ticks_per_batch, world.max_ticks_per_batch):
        repeat(world, [c for c in told if world.tick <= c.tick < min(tick, last)], min(tick, last))
        tap.observe(world)
    tap.close()
    second = Recording(tmp_path / "again.mcap")
    for topic in ("/tf", "/velma_base/odometry", "/velma_base/joint_states", "/velma_base/laser_left"):
        was, now = first.table(topic), second.table(topic)
        for column in was:
            assert np.array_equal(was[column], now[column], equal_nan=True), (topic, column)
    assert np.ptp(first.table("/velma_base/odometry")["pose.pose.position.x"]) > 0.05
