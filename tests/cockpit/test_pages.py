"""The open pages without a network: who holds the sticks, what reaches the simulation, what a slow page misses."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

import numpy as np
import pytest

from cupola.cockpit import messages as say
from cupola.cockpit.pages import MOST_LETTERS, MOST_MESSAGES, NEUTRAL, Page, Pages
from cupola.cockpit.wires import HANDLED, MOST_WAITING, REFUSED, Broadcast, Channels, Frames, Loaded, Picture


class Wire(list):
    """The simulation's end: what it would hear."""

    def send(self, message):
        self.append(message)


@pytest.fixture
def wire():
    return Wire()


@pytest.fixture
def counters():
    return [0, 0, 0]


@pytest.fixture
def pages(wire, counters):
    return Pages(Channels(cast(Any, None), wire, counters))


def enter(pages):
    page = Page(cast(Any, None), 60.0)
    pages._enter(page)
    return page


def hear(pages, page, **message):
    pages._hear(page, json.dumps(message))


def roles(*all_pages):
    return [json.loads(page.letters[-1])["pilot"] for page in all_pages]


def test_the_first_page_holds_the_sticks_until_it_leaves(pages, wire):
    first, second = enter(pages), enter(pages)
    assert roles(first, second) == [True, False]
    wire.clear()
    pages._leave(first)
    assert wire[0] == NEUTRAL  # at once, not when they expire
    assert roles(second) == [False]
    hear(pages, second, kind="take_sticks")
    assert roles(second) == [True]


def test_sticks_are_taken_by_force_only_when_that_is_said(pages, wire):
    first, second = enter(pages), enter(pages)
    hear(pages, second, kind="take_sticks")
    assert roles(first, second) == [True, False]
    wire.clear()
    hear(pages, second, kind="take_sticks", force=True)
    assert roles(first, second) == [False, True]
    assert wire == [NEUTRAL]


def test_a_page_that_talks_too_much_is_not_heard(pages, wire, counters):
    page = enter(pages)
    wire.clear()
    for _ in range(int(MOST_MESSAGES) + 200):
        hear(pages, page, kind="keep")
        counters[HANDLED] += 1
    assert MOST_MESSAGES <= len(wire) < MOST_MESSAGES + 100
    assert counters[REFUSED] == MOST_MESSAGES + 200 - len(wire)


def test_a_simulation_that_is_busy_is_not_flooded(pages, wire, counters):
    page = enter(pages)
    wire.clear()
    for _ in range(2 * MOST_WAITING):
        hear(pages, page, kind="keep")
    assert len(wire) < MOST_WAITING
    assert counters[REFUSED] == 2 * MOST_WAITING - len(wire)
    counters[HANDLED] += len(wire)
    hear(pages, page, kind="reset")
    assert wire[-1] == say.Reset()


def test_a_page_that_comes_late_knows_what_was_said_before(pages):
    frames = Frames(3)
    pages.heard(Loaded("hello", b"scene", frames.name, 3))
    for letter in (
        Broadcast("a", "tuned kp"),
        Broadcast("b", "tuned kd"),
        Broadcast("c", "tuned kp"),
        Broadcast("news", ""),
    ):
        pages.heard(letter)
    assert list(enter(pages).letters)[:3] == ["hello", "c", "b"]
    pages._frames.close()
    frames.close()


def test_a_page_that_does_not_read_misses_the_oldest(pages):
    page = enter(pages)
    for k in range(2 * MOST_LETTERS):
        pages.heard(Broadcast(str(k), ""))
    assert len(page.letters) == MOST_LETTERS and page.letters[-1] == str(2 * MOST_LETTERS - 1)


def test_pictures_go_to_those_who_watch_that_camera(pages, wire):
    first, second = enter(pages), enter(pages)
    hear(pages, second, kind="watch", cameras=[1])
    assert wire[-1] == say.Watch(cameras=[1])
    pages.heard(Picture(1, b"jpeg"))
    pages.heard(Picture(1, b"a second one that would only wait"))
    pages.heard(Picture(0, b"jpeg"))
    assert [one for one in second.letters if isinstance(one, bytes)] == [b"jpeg"]
    assert not any(isinstance(one, bytes) for one in first.letters)


def test_frames_are_read_once_and_whole():
    written = Frames(1000)
    read = Frames(1000, written.name)
    assert read.read() is None
    for k in range(1, 8):
        written.write(np.full(1000, float(k)))
        if k % 3 == 0:
            assert np.frombuffer(read.read() or b"").tolist() == [float(k)] * 1000
            assert read.read() is None
    assert np.frombuffer(read.read() or b"")[0] == 7.0
    read.close()
    written.close()


def test_a_slow_page_gets_the_newest_frame(pages):
    got = []

    class Slow:
        async def send_bytes(self, content):
            got.append(np.frombuffer(content)[0])
            await asyncio.sleep(0.05)

        async def send_text(self, text):
            pass

    async def run():
        page = Page(cast(Any, Slow()), 60.0)
        pages._enter(page)
        frames = Frames(1)
        pages.heard(Loaded("hello", b"", frames.name, 1))
        tasks = [asyncio.create_task(page.send()), asyncio.create_task(pages.look())]
        for k in range(1, 41):
            frames.write(np.array([float(k)]))
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        for task in tasks:
            task.cancel()
        pages._frames.close()
        frames.close()

    # A worker that drove a browser before has an event loop of its own in this thread.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, run()).result()
    assert got == sorted(got) and got[-1] == 40.0
    assert len(got) < 20
