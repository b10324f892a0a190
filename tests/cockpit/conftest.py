"""A cockpit that runs in processes of its own, as a user starts it, and a page that speaks to it without a browser."""

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from websockets.sync.client import connect

from cupola.cockpit.built_page import PAGE, find_page
from cupola.cockpit.messages import CLOCK

START = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); \
from pathlib import Path; from cupola.cockpit import built_page; built_page.PAGE = Path({page!r}); \
import cupola.cli; cupola.cli.main()"
"""`cupola` with another folder for its page. Tests may run where Ctrl-C is ignored, which a process would inherit."""
PATIENCE = 120.0
"""[s] for a cockpit to start: a cold one compiles."""
SOON = 60.0
"""[s] after which a test gives up on what was asked for, on a busy machine."""


class Cockpit:
    """A `cupola fly` or `cupola replay` in a process of its own."""

    def __init__(self, folder: Path, page: Path, *arguments: str) -> None:
        self.folder = folder
        options = [] if "--port" in arguments else ["--port", "0"]
        options += [] if "--duration" in arguments else ["--duration", "3600"]
        command = [sys.executable, "-c", START.format(page=str(page)), *arguments, "--no-browser", *options]
        self.process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
        self.said: list[str] = []
        threading.Thread(target=self._read, daemon=True).start()
        wait_for(lambda: self._address() or self.process.poll() is not None, PATIENCE)
        assert self.process.poll() is None, "\n".join(self.said)
        self.url = str(self._address())
        self.port = int(re.search(r":(\d+)/", self.url)[1])
        self._told = False

    def _read(self) -> None:
        assert self.process.stderr
        for line in self.process.stderr:
            self.said.append(line.rstrip())

    def _address(self) -> str | None:
        found = re.search(r"http://\S+", " ".join(self.said))
        return found[0] if found else None

    def tell_to_end(self) -> None:
        """Ctrl-C, once: a second would come while it ends."""
        if self.process.poll() is None and not self._told:
            self.process.send_signal(signal.SIGINT)
        self._told = True

    def end(self) -> int:
        """Ctrl-C; returns the exit code. A cockpit that does not end is killed: a failed test leaves no process."""
        self.tell_to_end()
        try:
            return self.process.wait(SOON)
        except subprocess.TimeoutExpired:
            self.process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(SOON)
            self.process.kill()
            raise


class Page:
    """What a page does, without a browser."""

    def __init__(self, url: str, **options: Any) -> None:
        address, _, query = url.replace("http://", "ws://").partition("?")
        self._opened = ExitStack()
        # A page that goes does not wait for frames that it has not read.
        link = connect(f"{address}ws?{query}", max_size=None, close_timeout=0.2, **options)
        self.socket = self._opened.enter_context(link)
        self.texts: list[dict[str, Any]] = []
        self.frame: Any = None
        self.pictures: list[bytes] = []
        self.hello: dict[str, Any] = {}
        wait_for(lambda: self.read() and self.hello)

    def read(self, timeout: float = 0.05) -> bool:
        """Take one message, if one comes."""
        try:
            message = self.socket.recv(timeout)
        except TimeoutError:
            return True
        if isinstance(message, str):
            self.texts.append(json.loads(message))
            if self.texts[-1]["kind"] == "hello":
                self.hello, self.frame = self.texts[-1], None
        elif np.frombuffer(message, count=1)[0] == 1.0:
            if len(message) == 8 * self.hello.get("length", 0):
                self.frame = np.frombuffer(message)
        else:
            self.pictures.append(message)
        return True

    def say(self, kind: str, **fields: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps({"kind": kind, **fields}))

    def until(self, condition: Callable[[], Any], timeout: float = SOON) -> Any:
        """Read until something is so; returns what the condition gives."""
        return wait_for(lambda: self.read() and condition(), timeout)

    def next_frame(self) -> Any:
        """A frame that comes after now."""
        before = self.frame
        return self.until(lambda: self.frame is not before and self.frame is not None) and self.frame

    def last(self, kind: str) -> dict[str, Any]:
        """The newest message of a kind; without one, all that it could say is None."""
        found = next((text for text in reversed(self.texts) if text["kind"] == kind), {})
        return defaultdict(lambda: None, found)

    def clock(self, name: str) -> float:
        """A number of the clock in the newest frame."""
        return float("nan") if self.frame is None else float(self.frame[CLOCK.index(name)])

    def section(self, name: str) -> Any:
        """Rows of a section of the newest frame."""
        section = next(s for s in self.hello["layout"] if s["name"] == name)
        end = section["offset"] + section["count"] * section["width"]
        return self.frame[section["offset"] : end].reshape(section["count"], section["width"])

    def signal(self, name: str) -> float:
        """The value of a signal in the newest frame."""
        names = [one["name"] for one in self.hello["signals"]]
        return float(self.section("signals")[names.index(name), 0])

    def close(self) -> None:
        """Leave."""
        self._opened.close()

    def __enter__(self) -> "Page":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def wait_for(condition: Callable[[], Any], timeout: float = SOON) -> Any:
    """Wait until something is so; a time-out is a failure."""
    end = time.monotonic() + timeout
    while not (found := condition()):
        assert time.monotonic() < end, f"it did not become so within {timeout:g} s"
        time.sleep(0.002)
    return found


def end_all(started: list[Cockpit]) -> None:
    """Ctrl-C to all at once, then wait for each: one that does not end leaves no other running."""
    for one in started:
        one.tell_to_end()
    with ExitStack() as waiting:
        for one in started:
            waiting.callback(one.end)


@pytest.fixture(scope="session")
def page_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The built page, or a bare one for tests without a browser."""
    if (PAGE / "index.html").is_file():
        return PAGE
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html><title>Cupola</title>")
    return folder


@pytest.fixture(scope="session")
def built_page() -> Path:
    """The built page; `make test` builds it."""
    return find_page()


@pytest.fixture(scope="module")
def start_cockpit(page_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Cockpit]]:
    """Start `cupola fly ...` or `cupola replay ...`; all are ended when the module is done."""
    started: list[Cockpit] = []

    def start(*arguments: str) -> Cockpit:
        started.append(Cockpit(tmp_path_factory.mktemp("flight"), page_folder, *arguments))
        return started[-1]

    yield start
    end_all(started)


@pytest.fixture(scope="module")
def cockpit(page_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cockpit]:
    """A quadcopter that hovers, for a module: one for all modules would fly on until the last test of all."""
    cockpit = Cockpit(tmp_path_factory.mktemp("flight"), page_folder, "fly", "hover")
    yield cockpit
    cockpit.end()


@pytest.fixture(scope="session")
def open_page() -> type[Page]:
    """Open a page of a cockpit: `with open_page(cockpit.url) as page`."""
    return Page


@pytest.fixture
def page(cockpit: Cockpit) -> Iterator[Page]:
    """A page that holds the sticks of a world that has just begun."""
    with Page(cockpit.url) as page:
        page.say("take_sticks", force=True)
        page.say("emergency", on=False)
        page.say("speed", factor=1.0)
        page.say("pause", paused=True)
        page.say("mode", mode="assisted")
        page.say("reset")
        page.until(lambda: page.clock("tick") == 0.0)
        page.say("pause", paused=False)
        page.until(lambda: page.clock("tick") > 0.0)
        page.texts.clear()
        yield page
