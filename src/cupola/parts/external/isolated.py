"""A model from outside in a process of its own (`isolate: true`): a hang or crash ends the run, not the program.

The world sends the time, the step and the inputs over a pair of sockets and waits for the outputs. The state of the
model lives there; a snapshot keeps it there under a number. `isolated_process.py` is the other end.
"""

import ctypes
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from pydantic import Field, PrivateAttr

from cupola.parts.external.external import External, Interface
from cupola.parts.external.plumbing import STEP, Plumbing
from cupola.parts.external.wiring import Slot
from cupola.schema.yaml_files import InputError

ASK, RESET, KEEP, BACK, WHY = b"MRSLW"
"""First byte of what the world sends: do a step, start over, keep your state, go back to one, say what went wrong."""
HEAD = struct.Struct("<qdd")
"""A request, the model's time and the step [s]; inputs follow."""
NUMBER = struct.Struct("<d")
"""What an answer begins with: the status of a step, or the number of a state."""
TIMEVAL = struct.Struct("@ll")
MOST = 1 << 20
"""[bytes] of one message."""
START = 60.0
"""[s] for the process to start and open the model."""
POLLED = 2e-4
"""[s] that a message is looked for before the process sleeps: to be woken takes longer than most models' steps."""


class LostError(Exception):
    """The process of a model is gone or does not answer."""


def receive(connection: socket.socket, into: Any) -> int:
    """Wait for a message and put it into a buffer; returns its size, 0 when the other end is closed."""
    end = time.perf_counter() + POLLED
    while time.perf_counter() < end:
        try:
            return connection.recv_into(into, 0, socket.MSG_DONTWAIT)
        except BlockingIOError:
            os.sched_yield()  # the other end may have to run on this core
    return connection.recv_into(into)


class ModelProcess:
    """The world's end of the connection."""

    def __init__(self, about: dict[str, Any], limit: float) -> None:
        self._about, self._limit = about, limit
        self.lost = ""
        """Why it is gone."""
        self._socket: socket.socket | None = None

    def start(self) -> dict[str, Any]:
        """Start it and let it open the model; returns what the model takes and gives."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [sys.executable, "-P", "-m", "cupola.parts.external.isolated_process", str(theirs.fileno())]
        self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        theirs.close()
        self._socket, self.lost = ours, ""
        self._wait_at_most(self._limit)
        self._end = weakref.finalize(self, _end, self._process, ours)
        return self.say(self._about, START)

    def say(self, what: dict[str, Any], limit: float | None = None) -> dict[str, Any]:
        """Something that is not a step, as JSON; what it refuses is a ValueError."""
        answer = json.loads(self.ask(json.dumps(what).encode(), limit))
        if "error" in answer:
            raise ValueError(answer["error"])
        assert isinstance(answer, dict)
        return answer

    def ask(self, message: bytes, limit: float | None = None) -> bytes:
        """Send, and wait for the answer."""
        if self._socket is None:
            raise LostError(self.lost or "its process was not started")
        if limit:
            self._wait_at_most(limit)
        answer = bytearray(MOST)
        size = self.exchange(message, answer)
        if limit:
            self._wait_at_most(self._limit)
        return bytes(answer[:size])

    def exchange(self, message: Any, answer: Any) -> int:
        """Send, and wait for the answer, which is put into a buffer; returns its size. The way of every step."""
        if self._socket is None:
            raise LostError(self.lost or "its process was not started")
        try:
            self._socket.send(message)
            size = receive(self._socket, answer)
        except BlockingIOError:  # how the system says that the time is over
            raise self._give_up(f"did not answer within {self._patience:g} s") from None
        except OSError as error:
            raise self._give_up(f"is gone ({error.strerror})") from None
        if not size:
            raise self._give_up(self._how_it_ended())
        return size

    def _wait_at_most(self, limit: float) -> None:
        """The system keeps the time, which is faster than Python's own limit."""
        assert self._socket
        self._patience = limit
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, TIMEVAL.pack(*divmod(round(limit * 1e6), 10**6)))

    def _give_up(self, why: str) -> LostError:
        self.lost = f"failed: its process {why}"
        self.close()
        return LostError(self.lost)

    def _how_it_ended(self) -> str:
        try:
            code = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "closed the connection"
        return f"crashed: {signal.Signals(-code).name}" if code < 0 else f"ended with exit code {code}"

    def close(self) -> None:
        """End it."""
        if self._socket is not None:
            self._socket = None
            self._end()


def _end(process: Any, connection: socket.socket) -> None:
    connection.close()
    process.kill()
    process.wait()


def asking(process: ModelProcess, plumbing: Plumbing) -> Callable[..., int]:
    """The step of the model, as the world calls it. Its names are bound here: those of a part are slow to look up."""
    request = ctypes.create_string_buffer(HEAD.size + 8 * len(plumbing.given))
    answer = ctypes.create_string_buffer(NUMBER.size + 8 * len(plumbing.taken))
    inputs, outputs = ctypes.addressof(request) + HEAD.size, ctypes.addressof(answer) + NUMBER.size
    inputs_size, outputs_size, answer_size = 8 * len(plumbing.given), 8 * len(plumbing.taken), len(answer)
    exchange, begin, status, copy = process.exchange, HEAD.pack_into, NUMBER.unpack_from, ctypes.memmove

    def step(given: int, taken: int, state: int, context: int, now: float, dt: float) -> int:
        try:
            begin(request, 0, ASK, now, dt)
            copy(inputs, given, inputs_size)
            size = exchange(request, answer)
            if size != answer_size:
                raise LostError(f"failed: its process answered {size} bytes, expected {answer_size}")
            copy(taken, outputs, outputs_size)
            return int(status(answer)[0])
        except BaseException as error:  # nothing may pass through C
            plumbing.failure = error
            return 1

    return step


class Isolated(External):
    """A model from outside, seen from the world: all it does is done in the other process."""

    kind: str = Field(description="of the model")
    time_limit: float = 2.0
    apart = True
    fixed: ClassVar[tuple[str, ...]] = ("rate_hz", "time_limit")
    _about: dict[str, Any] = PrivateAttr(default_factory=dict)
    _process: ModelProcess | None = PrivateAttr(None)
    _face: dict[str, Any] = PrivateAttr(default_factory=dict)
    _called: Any = PrivateAttr(None)

    @classmethod
    def of(cls, part: External, reference: str, folder: Path) -> "Isolated":
        """In the place of a part; `reference` is its kind, or file.py:Class of a user's."""
        same = {name: getattr(part, name) for name in ("inputs", "outputs", "rate_hz", "time_limit")}
        made = cls(kind=part.kind, isolate=True, **same)
        made._about = {"kind": reference, "entry": part.model_dump(mode="json"), "folder": str(folder.resolve())}
        return made

    def interface(self, folder: Path, dt: float) -> Interface:
        """Let the other process open the model, once, and say what it takes and gives."""
        if self._process is None:
            self._process = ModelProcess({**self._about, "dt": dt}, self.time_limit)
            self._face = self._open()
        return Interface(**self._face)

    def _open(self) -> dict[str, Any]:
        assert self._process
        try:
            return self._process.start()
        except LostError as error:
            raise ValueError(f"isolate: {error}") from None

    def hear(self, given: list[Slot], taken: list[Slot]) -> None:
        """Pass on which numbers it will be given, and which it shall give."""
        super().hear(given, taken)
        self._wire()

    def _wire(self) -> None:
        assert self._process
        self._process.say({"given": self._plumbing.given, "taken": self._plumbing.taken})

    def connect(self) -> tuple[int, int]:
        """A step that asks the other process."""
        assert self._process
        self._called = STEP(asking(self._process, self._plumbing))
        return ctypes.cast(self._called, ctypes.c_void_p).value or 0, 0

    def step_complaint(self, status: int) -> str:
        """What the model said, or how its process ended."""
        assert self._process
        if self._process.lost:
            return self._process.lost
        try:
            return str(json.loads(self._process.ask(HEAD.pack(WHY, status, 0.0)))["why"])
        except (LostError, ValueError, KeyError) as error:
            return str(error)

    def reset(self) -> None:
        """Start it over; one that was lost is started anew."""
        if self._process is None:
            return
        if self._process.lost:
            self._open()
            self._wire()
        self._number(RESET)

    def memory(self) -> dict[str, Any]:
        """Its state stays there, under a number."""
        return {"kept": self._number(KEEP)}

    def remember(self, memory: dict[str, Any]) -> None:
        """Let it go back."""
        self._number(BACK, memory["kept"])

    def _number(self, request: int, number: float = 0.0) -> float:
        assert self._process
        try:
            answer = self._process.ask(HEAD.pack(request, number, 0.0))
        except LostError as error:
            raise InputError(f"{self.kind}: {error}") from None
        if len(answer) != NUMBER.size:
            raise InputError(f"{self.kind}: {json.loads(answer)['error']}")
        found: float = NUMBER.unpack(answer)[0]
        return found


def die_with_parent() -> None:
    """Let the system end this process when the program that started it ends, however that happens."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() == 1:
        sys.exit(1)
