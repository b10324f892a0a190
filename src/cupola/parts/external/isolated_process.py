"""The process of an isolated model: opens it as the world would, then answers one message after another.

`python -m cupola.parts.external.isolated_process FD`: FD is the number of its end of the pair of sockets.
"""

import copy
import json
import socket
import sys
from pathlib import Path
from typing import Any

import numpy as np

from cupola.parts import KINDS
from cupola.parts.external.external import External, as_model
from cupola.parts.external.isolated import ASK, BACK, HEAD, KEEP, MOST, NUMBER, RESET, die_with_parent, receive
from cupola.parts.external.plumbing import STEP
from cupola.schema.plugins import load_class
from cupola.schema.trust import Trust


class Model:
    """A model at work, with the numbers that the world would keep for it."""

    def __init__(self, about: dict[str, Any]) -> None:
        folder = Path(about["folder"])
        self.part = _part(about, folder)
        self.face = self.part.interface(folder, about["dt"])
        self._kept: list[Any] = []

    def wire(self, given: list[Any], taken: list[Any]) -> None:
        """Learn which numbers come and go."""
        self.part.hear([(n, k) for n, k in given], [(n, k) for n, k in taken])
        function, context = self.part.connect()
        self.request, self.answered = np.zeros(3 + len(given)), np.zeros(1 + len(taken))
        self._start = np.array([*self.part.own_state(), 0.0])
        self._state = self._start.copy()
        self._parameters = np.array([*self.part.step_parameters(), 0.0])
        self._step = STEP(function)
        ends = (self.request[3:], self.answered[1:], self._state)
        self._places = (*(one.ctypes.data for one in ends), context or self._parameters.ctypes.data)

    def serve(self, connection: socket.socket) -> bytes:
        """Do one step after another; returns the first message that asks for something else."""
        buffer = bytearray(MOST)
        ours: list[Any] = [self.request, self.answered]
        request, answer = (memoryview(one).cast("B") for one in ours)
        view = memoryview(buffer)
        while size := receive(connection, buffer):
            if buffer[0] != ASK:
                return bytes(buffer[:size])
            request[:] = view[: len(request)]
            _, time, dt = HEAD.unpack_from(buffer)
            NUMBER.pack_into(answer, 0, self._step(*self._places, time, dt))
            connection.send(answer)
        return b""

    def answer(self, message: bytes) -> bytes:
        """To what is not a step."""
        request, number, _ = HEAD.unpack_from(message)
        if request == RESET:
            self._state[:] = self._start
            self.part.reset()
        elif request == KEEP:
            self._kept.append((self._state.copy(), copy.deepcopy(self.part.memory())))
            return NUMBER.pack(len(self._kept) - 1)
        elif request == BACK:
            self._state[:], memory = self._kept[int(number)]
            self.part.remember(copy.deepcopy(memory))
        else:
            return json.dumps({"why": self.part.step_complaint(int(number))}).encode()
        return NUMBER.pack(0.0)


def _part(about: dict[str, Any], folder: Path) -> External:
    kind = about["kind"]
    if kind in KINDS:
        found: Any = KINDS[kind]
    else:  # the world, which asked, has been told that its code may run
        found = load_class(kind, External, folder, Trust(everything=True), "isolate", as_model)
    part: External = found.model_validate_json(json.dumps({**about["entry"], "isolate": False}))
    return part


def serve(connection: socket.socket) -> None:
    """Answer until the world hangs up."""
    model: Model | None = None
    is_wired = False
    while message := model.serve(connection) if model and is_wired else connection.recv(MOST):
        try:
            if message[:1] != b"{":
                assert model is not None
                answer = model.answer(message)
            elif model is None:
                model = Model(json.loads(message))
                answer = json.dumps(model.face._asdict()).encode()
            else:
                model.wire(**json.loads(message))
                answer, is_wired = b"{}", True
        except Exception as error:
            answer = json.dumps({"error": str(error) or type(error).__name__}).encode()
        connection.send(answer)


def main() -> None:
    """Take the socket that was inherited."""
    die_with_parent()
    sys.stdout = sys.stderr  # what a model prints must not end up between results
    with socket.socket(fileno=int(sys.argv[1])) as connection:
        serve(connection)


if __name__ == "__main__":
    main()
