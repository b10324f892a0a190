"""The simulation's end of the line to the server process."""

import contextlib
import multiprocessing
import queue
import socket
import struct
import threading
from pathlib import Path
from typing import Any

from cupola.cockpit import messages as say
from cupola.cockpit.guard import LOOPBACK
from cupola.cockpit.pages import NEUTRAL
from cupola.cockpit.server import serve
from cupola.cockpit.wires import (
    COUNTERS,
    HANDLED,
    PAGES,
    REFUSED,
    Answer,
    Broadcast,
    Channels,
    Frames,
    Loaded,
    Picture,
    no_shared_memory,
)
from cupola.schema.safe_path import safe_path
from cupola.schema.validation_messages import short
from cupola.schema.yaml_files import InputError

PORT = 8765
TRIES = 50
"""Ports that are tried if none was asked for."""
AT_ONCE = 64
"""Messages worked off between two batches of ticks."""
QUEUE = 256
"""What waits for the server; a server that stands still never stops the simulation."""
PATIENCE = 3.0
"""[s] for the server to take a letter, or to end."""
PICTURE = 2.0
"""First number of a picture message."""


class Link:
    """Starts the server process and talks to it."""

    def __init__(
        self,
        page: Path,
        host: str = "127.0.0.1",
        port: int | None = None,
        token: str | None = None,
        *,
        framed: bool = False,
    ) -> None:
        """`framed`: whether pages of this machine, as a notebook's, may show the page inside of them."""
        listening = _listen(host, port)
        self.port: int = listening.getsockname()[1]
        self.url: str = _url(host, self.port, token)
        context = multiprocessing.get_context("spawn")
        try:
            self._counters = context.RawArray("q", COUNTERS)
        except OSError as error:
            listening.close()
            raise no_shared_memory(error) from error
        theirs, self._out = context.Pipe(duplex=False)
        self._in, back = context.Pipe(duplex=False)
        wires = Channels(theirs, back, self._counters)
        self._process = context.Process(
            target=serve, args=(listening, wires, str(page), host, token, framed), daemon=True
        )
        with safe_path():
            self._process.start()
        for end in (listening, theirs, back):
            end.close()
        self._frames: Frames | None = None
        self._old: list[Frames] = []
        self._letters: queue.Queue[Any] = queue.Queue(QUEUE)
        self._owed: dict[str, Broadcast] = {}
        self._unsaid = 0
        self._writer = threading.Thread(target=self._write, daemon=True)
        self._writer.start()

    @property
    def pages(self) -> int:
        """How many pages are open."""
        return int(self._counters[PAGES])

    @property
    def refused(self) -> int:
        """How many messages the server refused."""
        return int(self._counters[REFUSED])

    @property
    def is_open(self) -> bool:
        """Whether the server lives."""
        return self._process.is_alive()

    def load(self, hello: say.Hello, scene: say.Scene) -> None:
        """Show another world from here on."""
        frames = Frames(hello.length)
        text, drawn = hello.model_dump_json(), scene.model_dump_json().encode()
        self._letters.put(Loaded(text, drawn, frames.name, hello.length), timeout=PATIENCE)
        self._owed.clear()  # of the world before
        if self._frames:
            self._old.append(self._frames)  # the server may still be reading it
        self._frames = frames

    def tell(self, message: say.Tuned | say.Changed | say.Driven | say.Planned | say.Notice) -> None:
        """Say something to all pages."""
        about = {
            "tuned": f"tuned {getattr(message, 'name', '')}",
            "changed": "changed",
            "driven": f"driven {getattr(message, 'vehicle', '')}",
            "planned": f"planned {getattr(message, 'vehicle', '')}",
        }.get(message.kind, "")
        self._say(Broadcast(message.model_dump_json(), about))

    def _say(self, letter: Broadcast) -> None:
        """Hand over a letter. Where no more can wait, the latest of each thing is owed; notices are counted."""
        self._owed.pop(letter.about, None)
        try:
            self._letters.put_nowait(letter)
        except queue.Full:
            if letter.about:
                self._owed[letter.about] = letter
            else:
                self._unsaid += 1

    def _say_what_is_owed(self) -> None:
        """As soon as letters can wait again: what is owed, and how many notices nobody will see."""
        if self._letters.full():
            return
        for letter in list(self._owed.values()):
            self._say(letter)
        if self._unsaid and not self._letters.full():
            count, self._unsaid = self._unsaid, 0
            text = f"{count} notices were not shown: the page's server did not take them in time."
            self._say(Broadcast(say.Notice(level="warning", text=text).model_dump_json(), ""))

    def show(self, numbers: Any) -> None:
        """Show a frame."""
        if self._frames:
            self._frames.write(numbers)

    def show_picture(self, camera: int, time: float, jpeg: bytes) -> None:
        """Show what a camera sees."""
        with contextlib.suppress(queue.Full):
            self._letters.put_nowait(Picture(camera, struct.pack("<3d", PICTURE, camera, time) + jpeg))

    def answer(self, number: int, content: bytes) -> None:
        """Answer a question of a page; one that cannot be handed over is asked again."""
        with contextlib.suppress(queue.Full):
            self._letters.put_nowait(Answer(number, content))

    def hear(self, wait: float) -> list[Any]:
        """What pages said; waits up to `wait` [s] for the first of it. After the server has gone: neutral sticks."""
        self._say_what_is_owed()
        heard: list[Any] = []
        try:
            while len(heard) < AT_ONCE and self._in.poll(0.0 if heard else wait):
                heard.append(self._in.recv())
        except (EOFError, OSError):
            return [NEUTRAL]
        self._counters[HANDLED] += len(heard)
        return heard

    def close(self) -> None:
        """End the server and free the memory."""
        with contextlib.suppress(queue.Full):
            self._letters.put(None, timeout=PATIENCE)
        self._writer.join(PATIENCE)
        if self._writer.is_alive():  # the server takes nothing: its end breaks the pipe, which ends the thread
            self._process.kill()
            self._writer.join()
        self._out.close()
        self._process.join(PATIENCE)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._in.close()
        for frames in [*self._old, *([self._frames] if self._frames else [])]:
            frames.close()

    def _write(self) -> None:
        """Hand over letters in their order, on a thread of its own: a pipe may be full."""
        with contextlib.suppress(OSError):
            while (letter := self._letters.get()) is not None:
                self._out.send(letter)


class Nobody(Link):
    """A line without a server: what is said is not heard."""

    def __init__(self) -> None:
        self._letters = queue.Queue(1)
        self._owed, self._unsaid = {}, 0


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket on the port that was asked for, or on the first free one from `PORT` on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = range(PORT, PORT + TRIES) if port is None else (port,)
    for candidate in ports:
        # With the protocol named, asyncio switches off Nagle's algorithm: else each key press costs 40 ms.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, candidate))
        except (TypeError, UnicodeError) as error:  # a name that no machine can have
            listening.close()
            raise InputError(f"--host: there is no address {short(host)!r}: {error}") from None
        except OSError as error:
            listening.close()
            if candidate == ports[-1]:
                raise InputError(
                    f"cannot listen on {host} port {candidate}: {error.strerror}; choose another with --port"
                ) from None
        else:
            listening.listen(128)
            return listening
    raise AssertionError("unreachable: the last port either listens or raises")


def _url(host: str, port: int, token: str | None) -> str:
    anywhere = host in ("0.0.0.0", "::")
    said = socket.gethostname() if anywhere else f"[{host}]" if ":" in host else host
    return f"http://{said}:{port}/" + (f"?token={token}" if token else "")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach it."""
    return host in LOOPBACK
