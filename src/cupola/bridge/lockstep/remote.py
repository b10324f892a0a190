"""The same controller in another process, in lock step: `cupola serve my.py:Mine`, then fly with `remote`.

The world waits for each command. A peer that is gone or late is noticed within the time-out; its declared safe command
is held for `COAST`, so that the recording shows it, and then the run ends with the reason.
"""

import json
import logging
import socket
from collections.abc import Sequence
from typing import Any

from pydantic import TypeAdapter

from cupola.bridge.lockstep.protocol import Link, PeerError, call
from cupola.config.controller import Controller, Sensors, parameter
from cupola.config.robot import Robot
from cupola.engine.law import compile_law, law_of
from cupola.kernel.memory import STICKS
from cupola.kernel.observation import Observation, Reference
from cupola.kernel.records import flat, reader, size
from cupola.parts import KINDS
from cupola.parts.sensors.sensor import Sensor
from cupola.sim.camera_images import Pictures
from cupola.sim.samples import Samples

log = logging.getLogger("cupola.bridge")
WORLD, CONTROLLER = "world", "controller"
STEP, TAKE_OVER, RESET, SAVE, LOAD, DONE, WORDS = b"M", b"O", b"R", b"S", b"L", b"C", b"W"
"""The world asks with one of the first five; numbers (`DONE`) are the answer, before it perhaps new words."""
PORT = 8790
SEEN = size(Observation)
"""Numbers of an observation."""
seen_at = reader(Observation)
NOTHING_YET = -1.0
ROBOT = TypeAdapter(Robot)
COAST = 0.1
"""[s] on the safe command before the run ends."""


class Remote(Controller):
    """A controller in another process of this machine: start it with `cupola serve`."""

    port: parameter = parameter(PORT, low=1, high=65535, about="on which it listens")
    timeout: parameter = parameter(2.0, low=0.01, high=3600.0, unit="s", about="for one answer; then the run ends")

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self._link: Link | None = None
        self._lost, self._lost_at = "", 0.0
        self._safe: list[float | None] = []
        self._last: list[float] = []
        self._words = ""
        self._sent: list[Samples] = []
        self._told: dict[str, Any] = {}

    def accept(self, robot: Robot, channel: int) -> None:
        """It passes the description on to the one who flies."""
        self._told = {"about": ROBOT.dump_python(robot), "channel": channel}

    def reset(self) -> None:
        """Start over, here and there."""
        super().reset()
        if self._lost:
            self._hang_up()
        self._lost = ""
        if self._link:
            self._ask(RESET)

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Ask, and wait for the answer."""
        if self._lost and obs.time >= self._lost_at + COAST:
            raise PeerError(f"the run ended at {obs.time:.6g} s: {self._lost}")
        if self._lost:
            return self._last
        if self._link is None:
            self._open(ref)  # whom nobody ever commanded needs no safe command
        try:
            command = self._ask(STEP, [*flat(obs), *ref.sticks, *self._measured()])
        except PeerError as error:
            self._lost, self._lost_at = str(error), obs.time
            self._hang_up()
            log.warning("%s at %g s: the commands are safe now, and the run ends", error, obs.time)
            safe = [*self._safe, *[0.0] * (len(self._last) - len(self._safe))]
            command = [last if value is None else value for value, last in zip(safe, self._last, strict=False)]
        self._last = command
        return command

    def take_over(self, obs: Observation, before: Any) -> Any:
        """Let it begin from the present motion."""
        if self._link:
            self._ask(TAKE_OVER, flat(obs))
        return super().take_over(obs, before)

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """What it said last."""
        return self._words or "waiting for a controller"

    def memory(self) -> dict[str, Any]:
        """Its memory stays there, under a number."""
        kept = self._ask(SAVE)[0] if self._link else NOTHING_YET
        return {"values": dict(self.values), "kept": kept, "words": self._words}

    def remember(self, memory: dict[str, Any]) -> None:
        """Let it go back, too."""
        self.values, self._words = dict(memory["values"]), memory["words"]
        if self._link:
            self._ask(RESET) if memory["kept"] == NOTHING_YET else self._ask(LOAD, [memory["kept"]])

    def _open(self, ref: Reference) -> None:
        link = call(int(self.port), self.timeout, "the controller")
        found = {name: s for name, s in self.sensors.items() if isinstance(s, Samples) and not isinstance(s, Pictures)}
        self._sent = list(found.values())
        sensors = [_about(name, samples.part) for name, samples in found.items()]
        plan = [list(row) for row in ref.plan]
        link.greet(WORLD, seen=SEEN, sticks=STICKS, sensors=sensors, plan=plan, robot=self._told)
        hello = link.meet(CONTROLLER, self.timeout)
        self._safe = [None if value is None else float(value) for value in hello.get("safe", ())]
        self._link = link

    def _measured(self) -> list[float]:
        """Of each sensor: the number of its newest sample (-1: none yet), then the sample."""
        row: list[float] = []
        for samples in self._sent:
            k = samples.newest()
            row += [NOTHING_YET] + [0.0] * samples.part.width() if k is None else [k, *samples.numbers(k)[1:].tolist()]
        return row

    def _ask(self, kind: bytes, numbers: Sequence[float] = ()) -> list[float]:
        assert self._link
        self._link.send(kind, numbers)
        message = self._link.receive(self.timeout)
        if message.kind == WORDS:
            self._words = str(message.json())
            message = self._link.expect(DONE, self.timeout)
        elif message.kind != DONE:
            raise PeerError(f"{self._link.peer} says: {message.json()}")
        return message.numbers()

    def _hang_up(self) -> None:
        if self._link:
            self._link.close()
        self._link = None


class Reader:
    """A sensor of the world as its controller sees it, like `Samples`."""

    def __init__(self, part: Sensor) -> None:
        self.part = part
        self._numbers: list[float] = [NOTHING_YET]

    def take(self, numbers: list[float]) -> None:
        """The number of its newest sample, then the sample."""
        self._numbers = numbers

    def newest(self) -> int | None:
        """Number of the newest sample; None before the first."""
        return None if self._numbers[0] == NOTHING_YET else int(self._numbers[0])

    def numbers(self, k: int) -> list[float]:
        """The number of the newest sample in the place of its tick, then the sample."""
        return self._numbers

    def __call__(self) -> Any:
        """The newest sample; None before the first."""
        return None if self._numbers[0] == NOTHING_YET else self.part.reading(self._numbers[1:])


class Host:
    """A controller that flies for worlds of other processes, one after another."""

    def __init__(self, controller: Controller) -> None:
        self.controller = controller
        if type(controller).long_law is not None:
            compile_law(law_of(type(controller)))  # before a world waits for an answer
        self._sensors: list[tuple[Sensor, str]] = []
        self._kept: list[dict[str, Any]] = []
        self._plan: list[list[float]] = []

    def serve(self, listener: socket.socket) -> None:
        """Fly for the next world that calls, until it hangs up."""
        connection, _ = listener.accept()
        with Link(connection, "the world") as link:
            try:
                self._greet(link)
            except (PeerError, KeyError, TypeError, ValueError) as error:
                link.complain(str(error))
                raise error if isinstance(error, PeerError) else PeerError(f"the world is refused: {error}") from None
            self._fly(link)

    def _greet(self, link: Link) -> None:
        hello = link.meet(WORLD, 2.0)
        if (hello["seen"], hello["sticks"]) != (SEEN, STICKS):
            raise PeerError(f"the world sends {hello['seen']} + {hello['sticks']} numbers, not {SEEN} + {STICKS}")
        self._sensors = [_sensor(about) for about in hello["sensors"]]
        self.controller.sensors = Sensors({name: Reader(part) for part, name in self._sensors})
        self.controller.meet(ROBOT.validate_python(hello["robot"]["about"]), hello["robot"]["channel"])
        self._plan, self._kept = [[float(v) for v in row] for row in hello["plan"]], []
        self.controller.start_over()
        link.greet(CONTROLLER, name=type(self.controller).__name__, safe=list(self.controller.safe_command))

    def _fly(self, link: Link) -> None:
        words = ""
        while True:
            try:
                message = link.receive(None)
            except PeerError:
                return  # it has hung up: the run is over
            try:
                answer, now = self._answer(message.kind, message.numbers())
            except Exception as error:
                link.complain(f"{type(self.controller).__name__}: {type(error).__name__}: {error}")
                raise
            if now and now != words:
                words = now
                link.tell(WORDS, words)
            link.send(DONE, answer)

    def _answer(self, kind: bytes, numbers: list[float]) -> tuple[Sequence[float], str]:
        """Numbers, and what the controller is doing if it was asked to step."""
        controller = self.controller
        if kind == STEP:
            obs, ref = self._opened(numbers)
            command = [float(value) for value in controller.step(obs, ref)]
            return command, controller.mission(obs, ref, controller.state)
        if kind == TAKE_OVER:
            controller.state = controller.take_over(seen_at(numbers, 0), controller.state)
        elif kind == RESET:
            controller.start_over()
        elif kind == SAVE:
            self._kept.append(controller.memory())
            return [len(self._kept) - 1.0], ""
        elif kind == LOAD:
            controller.remember(self._kept[int(numbers[0])])
        else:
            raise PeerError(f"the world asks {kind!r}, which is not known")
        return [], ""

    def _opened(self, numbers: list[float]) -> tuple[Observation, Reference]:
        """What a message holds; the samples go to their readers."""
        at = SEEN + STICKS
        for part, name in self._sensors:
            end = at + 1 + part.width()
            if len(numbers) < end:
                raise PeerError(f"the world sent {len(numbers)} numbers; those of {name} would end at {end}")
            reader = self.controller.sensors[name]
            assert isinstance(reader, Reader)
            reader.take(numbers[at:end])
            at = end
        return seen_at(numbers, 0), Reference(numbers[SEEN : SEEN + STICKS], self._plan)


def _about(name: str, part: Sensor) -> dict[str, Any]:
    """What the other side must know of a sensor."""
    return {**part.model_dump(mode="json"), "name": name, "width": part.width(), **part.told_elsewhere()}


def _sensor(about: dict[str, Any]) -> tuple[Sensor, str]:
    """A sensor of the world's vehicle, as far as it takes to read its samples."""
    cls = KINDS.get(str(about.get("kind")))
    if cls is None or not issubclass(cls, Sensor):
        raise PeerError(f"there is no sensor of kind {about.get('kind')!r}")
    part = cls.model_validate_json(json.dumps({key: about[key] for key in about if key in cls.model_fields}))
    part.learn(about, KINDS)
    if part.width() != about["width"]:
        raise PeerError(f"a sample of {about['name']} has {part.width()} numbers here and {about['width']} there")
    return part, str(about["name"])
