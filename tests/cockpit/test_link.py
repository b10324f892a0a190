"""The simulation's end of the line to the server: nothing that pages must know is lost, and the line ends in order."""

import json
import queue
import threading
from typing import Any, cast

import pytest

from cupola.cockpit import link as line
from cupola.cockpit import messages as say
from cupola.cockpit.link import Link, Nobody


def tuned(value, name="air.wind_speed"):
    return say.Tuned(name=name, value=value)


@pytest.fixture
def full():
    """A line with room for two letters that nobody takes."""
    link = Nobody()
    link._letters = queue.Queue(2)
    for text in ("first", "second"):
        link.tell(say.Notice(level="info", text=text))
    return link


def take(link, many):
    """What the server would read next."""
    return [json.loads(link._letters.get_nowait().text) for _ in range(many)]


def hear(link):
    link._in = cast(Any, NoPipe())
    return link.hear(0.0)


class NoPipe:
    """Nothing comes."""

    def poll(self, wait):
        raise EOFError


def test_the_latest_of_what_was_dropped_is_said_once_there_is_room(full):
    full.tell(tuned(1.0))
    full.tell(tuned(2.0))
    full.tell(tuned(5.0, "air.temperature"))
    hear(full)
    assert [one["text"] for one in take(full, 2)] == ["first", "second"]
    hear(full)
    assert [(one["name"], one["value"]) for one in take(full, 2)] == [("air.wind_speed", 2.0), ("air.temperature", 5.0)]
    hear(full)
    assert full._letters.empty()


def test_what_is_owed_is_forgotten_when_newer_is_said(full):
    full.tell(tuned(1.0))
    take(full, 2)
    full.tell(tuned(3.0))
    hear(full)
    assert [one["value"] for one in take(full, 1)] == [3.0] and full._letters.empty()


def test_notices_that_nobody_will_see_are_counted(full):
    for _ in range(3):
        full.tell(say.Notice(level="info", text="lost"))
    take(full, 2)
    hear(full)
    (said,) = take(full, 1)
    assert said["level"] == "warning" and said["text"].startswith("3 notices were not shown")


class Process:
    """A server that takes nothing until it is killed."""

    def __init__(self):
        self.killed = threading.Event()

    def kill(self):
        self.killed.set()

    def join(self, timeout=None):
        pass

    def is_alive(self):
        return not self.killed.is_set()


class Pipe:
    """Full; a pipe that is closed while it is written to raises what is no OSError, as Python's does."""

    def __init__(self, process):
        self._process, self.closed = process, False
        self.entered = threading.Event()

    def send(self, letter):
        self.entered.set()
        assert self._process.killed.wait(60.0)
        if self.closed:
            raise TypeError("'NoneType' object cannot be interpreted as an integer")
        raise BrokenPipeError

    def close(self):
        self.closed = True


def test_the_pipe_is_closed_after_its_last_writer(monkeypatch):
    monkeypatch.setattr(line, "PATIENCE", 0.01)
    raised: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    link, process = Link.__new__(Link), Process()
    link._process, link._letters, link._frames, link._old = cast(Any, process), queue.Queue(1), None, []
    pipe = Pipe(process)
    link._out, link._in = cast(Any, pipe), cast(Any, Pipe(process))
    link._writer = threading.Thread(target=link._write, daemon=True)
    link._writer.start()
    link._letters.put("a letter")
    assert pipe.entered.wait(60.0)
    link.close()
    link._writer.join(60.0)
    assert raised == [] and pipe.closed and not link._writer.is_alive()
