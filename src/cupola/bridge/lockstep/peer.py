"""A model from outside in another process: the world calls, and every step is a question and its answer.

After both hellos (see `protocol.py`; roles `world` and `model`; the world names `inputs` and `outputs`, each a list of
[variable, which of its numbers]) the world sends messages of numbers: `M` time, dt and the inputs; `R` start over; `S`
keep your state; `L` go back to that one. The answer to each is a message `C`: to `M` the outputs, to `S` a number under
which the state is kept, to the others nothing.
"""

import argparse
import socket
from collections.abc import Sequence
from pathlib import Path

from cupola.bridge.lockstep.protocol import Link, PeerError, call, listen
from cupola.parts.external.external import External, as_model
from cupola.parts.external.wiring import Slot
from cupola.schema.plugins import load_class
from cupola.schema.trust import Trust, file_of

WORLD, MODEL = "world", "model"
STEP, RESET, SAVE, LOAD, DONE = b"M", b"R", b"S", b"L", b"C"


class Caller:
    """The world's end. A peer that is gone, late or wrong is a `PeerError`, after which it must be called anew."""

    def __init__(self, port: int, timeout: float, inputs: list[Slot], outputs: list[Slot]) -> None:
        self._port, self._timeout = port, timeout
        self._inputs, self._outputs = inputs, outputs
        self._link: Link | None = None

    def step(self, given: Sequence[float], time: float, dt: float) -> list[float]:
        """The outputs for the step of `dt` [s] that begins at `time` [s]."""
        if self._link is None:
            self._link = call(self._port, self._timeout, "the model")
            self._link.greet(WORLD, inputs=self._inputs, outputs=self._outputs)
            self._link.meet(MODEL, self._timeout)
        return self._ask(STEP, [time, dt, *given])

    def reset(self) -> None:
        """Start over, there too."""
        if self._link:
            self._ask(RESET)

    def save(self) -> float | None:
        """Number under which it keeps its present state; None if nobody was called yet."""
        return self._ask(SAVE)[0] if self._link else None

    def load(self, kept: float | None) -> None:
        """Back to that state, or to the start."""
        if self._link:
            self._ask(RESET) if kept is None else self._ask(LOAD, [kept])

    def _ask(self, kind: bytes, numbers: Sequence[float] = ()) -> list[float]:
        assert self._link
        try:
            self._link.send(kind, numbers)
            return self._link.expect(DONE, self._timeout).numbers()
        except PeerError:
            self._link.close()
            self._link = None
            raise


def host(model: External, listener: socket.socket) -> None:
    """Let a model in plain Python work for the next world that calls, until it hangs up."""
    connection, _ = listener.accept()
    with Link(connection, "the world") as link:
        hello = link.meet(WORLD, 2.0)
        model.hear([(str(n), int(k)) for n, k in hello["inputs"]], [(str(n), int(k)) for n, k in hello["outputs"]])
        link.greet(MODEL, name=type(model).__name__)
        model.reset()
        kept = [model.memory()]
        while True:
            try:
                message = link.receive(None)
            except PeerError:
                return  # it has hung up: the run is over
            try:
                link.send(DONE, _answer(model, message.kind, message.numbers(), kept))
            except Exception as error:
                link.complain(f"{type(model).__name__}: {type(error).__name__}: {error}")
                raise


def _answer(model: External, kind: bytes, numbers: list[float], kept: list[dict[str, object]]) -> Sequence[float]:
    if kind == STEP:
        time, dt, *given = numbers
        return model.respond(given, time, dt)
    if kind == SAVE:
        kept.append(model.memory())
        return [len(kept) - 1.0]
    if kind == LOAD:
        model.remember(kept[int(numbers[0])])
    elif kind == RESET:
        model.remember(kept[0])
        model.reset()
    else:
        raise PeerError(f"the world asks {kind!r}, which is not known")
    return []


def main() -> None:
    """`python -m cupola.bridge.lockstep.peer wing.py:Wing`: work for one world after another, until Ctrl-C."""
    parser = argparse.ArgumentParser(description="Let a model in plain Python work for worlds of other processes.")
    parser.add_argument("model", help="file.py:Class, a class that derives from cupola.External, or a function")
    parser.add_argument("--port", type=int, default=8791, help="0 takes a free one")
    parser.add_argument("--once", action="store_true", help="for one world only")
    given = parser.parse_args()
    trust = Trust(named=[file_of(given.model, Path())])
    model = load_class(given.model, External, Path(), trust, "model", as_model).model_validate({"kind": given.model})
    with listen(given.port) as listener:
        print(f"{given.model} listens on port {listener.getsockname()[1]}", flush=True)
        while True:
            host(model, listener)
            if given.once:
                return


if __name__ == "__main__":
    main()
