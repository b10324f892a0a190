"""The open pages: messages to each, the holder of the sticks, refused messages. Runs in the server's event loop."""

import asyncio
import json
import time
from collections import deque
from typing import Any

from pydantic import ValidationError
from starlette.websockets import WebSocket

from cupola.cockpit import messages as say
from cupola.cockpit.wires import (
    HANDLED,
    MOST_WAITING,
    PAGES,
    REFUSED,
    Answer,
    Broadcast,
    Channels,
    Frames,
    Loaded,
    Picture,
)

MOST_PAGES = 32
RATE = 60.0
"""Frames a second."""
MOST_MESSAGES = 500.0
"""A second, from one page."""
MOST_LETTERS = 512
"""Messages that wait for a page; one that reads none of them misses the oldest, and soon the pings too."""
TELL_AGAIN = 1.0
"""[s] between two notices of refused messages."""
LOOK, IDLE = 1 / 250, 0.05
"""[s] between two looks for a new frame, with and without pages."""
FREE = (say.TakeSticks, say.GiveSticks, say.Watch)
"""What a page may say that does not hold the sticks; and an emergency."""
TEXTS = (say.OpenText, say.CheckText, say.FlyText, say.SaveText)
"""What is answered to the page that said it."""
ANSWER, SHARE = 5.0, 120.0
"""[s] for the simulation to answer a question, and to hand over a whole flight."""
ENDED, CROWDED = 4000, 1008
"""Codes with which a page is closed."""
NEUTRAL = "neutral"
"""Sent to the simulation when no page holds the sticks."""


class Page:
    """One connection."""

    def __init__(self, socket: WebSocket, rate: float) -> None:
        self.socket, self.period = socket, 1.0 / rate
        self.due: float = 0.0
        self.frame: bytes | None = None
        """To be sent."""
        self.had: bytes | None = None
        """The last one that was handed to it."""
        self.letters: deque[str | bytes] = deque(maxlen=MOST_LETTERS)
        self.woken = asyncio.Event()
        self.cameras: set[int] = set()
        self.told: float = 0.0
        self.reply: asyncio.Task[None] | None = None
        """Under way to it."""
        self._allowance, self._since = MOST_MESSAGES, time.monotonic()

    def write(self, letter: str | bytes) -> None:
        """Send something as soon as the page reads."""
        self.letters.append(letter)
        self.woken.set()

    def may_speak(self) -> bool:
        """Whether it has said less than `MOST_MESSAGES` in the last second."""
        now = time.monotonic()
        self._allowance = min(MOST_MESSAGES, self._allowance + MOST_MESSAGES * (now - self._since))
        self._since = now
        if self._allowance < 1.0:
            return False
        self._allowance -= 1.0
        return True

    async def send(self) -> None:
        """Send letters in their order and then the newest frame, for ever; a slow page misses frames only."""
        while True:
            await self.woken.wait()
            self.woken.clear()
            while self.letters:
                letter = self.letters.popleft()
                await (self.socket.send_text(letter) if isinstance(letter, str) else self.socket.send_bytes(letter))
            if self.frame is not None:
                frame, self.frame = self.frame, None
                await self.socket.send_bytes(frame)


class Pages:
    """All open pages of one run."""

    def __init__(self, wires: Channels) -> None:
        self._wires = wires
        self._pages: list[Page] = []
        self._pilot: Page | None = None
        self._sent = 0
        self._known: dict[str, str] = {}
        """What a page that comes now must be told, in this order."""
        self._frames: Frames | None = None
        self.scene = b""
        self._questions = 0
        self._asked: dict[int, asyncio.Future[bytes]] = {}
        """Answers that are waited for."""

    def refuse(self) -> None:
        """Count something that was not obeyed."""
        self._wires.counters[REFUSED] += 1

    # from the simulation

    def heard(self, message: Loaded | Picture | Broadcast | Answer) -> None:
        """Pass on what the simulation says."""
        if isinstance(message, Answer):
            if (waiting := self._asked.pop(message.number, None)) and not waiting.done():
                waiting.set_result(message.content)
            return
        if isinstance(message, Loaded):
            if self._frames is not None:
                self._frames.close()
            self.scene = message.scene
            self._frames = Frames(message.length, message.memory)
            self._known = {"hello": message.hello}
            self._tell(message.hello)
        elif isinstance(message, Picture):
            for page in self._pages:
                if message.camera in page.cameras and not any(isinstance(one, bytes) for one in page.letters):
                    page.write(message.content)
        else:
            if message.about:
                self._known[message.about] = message.text
            self._tell(message.text)

    async def look(self) -> None:
        """Hand the newest frame to every page that is due and has not had it, for ever."""
        newest: bytes | None = None
        while True:
            await asyncio.sleep(LOOK if self._pages else IDLE)
            newest = (self._frames.read() if self._frames else None) or newest
            now = time.monotonic()
            for page in self._pages:
                if page.had is not newest and now >= page.due - 0.25 * page.period:
                    page.due = max(page.due + page.period, now)
                    page.frame = page.had = newest
                    page.woken.set()

    async def ask(self, question: Any) -> bytes | None:
        """What the simulation answers; None when it does not in time."""
        self._questions += 1
        number = self._questions
        self._asked[number] = asyncio.get_running_loop().create_future()
        self._to_simulation(question.model_copy(update={"number": number}))
        try:
            return await asyncio.wait_for(
                self._asked[number], ANSWER if isinstance(question, say.Curves | say.Derive | say.AskEvents) else SHARE
            )
        except TimeoutError:
            return None
        finally:
            self._asked.pop(number, None)

    async def close(self) -> None:
        """Send everybody away."""
        for page in list(self._pages):
            await page.socket.close(ENDED)

    # from the pages

    async def attend(self, socket: WebSocket) -> None:
        """Serve one page until it leaves."""
        await socket.accept()
        if len(self._pages) >= MOST_PAGES:
            self.refuse()
            await socket.close(CROWDED)
            return
        page = Page(socket, _rate(socket.query_params.get("rate")))
        self._enter(page)
        sending = asyncio.create_task(page.send())
        try:
            await self._listen(page, sending)
        finally:
            sending.cancel()
            self._leave(page)

    async def _listen(self, page: Page, sending: asyncio.Task[None]) -> None:
        while not sending.done():
            event = await page.socket.receive()
            if event["type"] == "websocket.disconnect":
                if event.get("code") in (1009, 1007, 1002):  # too long, no text, no WebSocket
                    self.refuse()
                return
            self._hear(page, event.get("text"))
            await asyncio.sleep(0)  # one page that talks without pause must not keep the others waiting

    def _enter(self, page: Page) -> None:
        self._pages.append(page)
        self._wires.counters[PAGES] = len(self._pages)
        for text in self._known.values():
            page.write(text)
        if self._pilot is None:
            self._pilot = page
        self._tell_roles()
        self._to_simulation(say.Watch(cameras=self._cameras()))

    def _leave(self, page: Page) -> None:
        self._pages.remove(page)
        self._wires.counters[PAGES] = len(self._pages)
        if page is self._pilot:
            self._pass_sticks(None)
        else:
            self._tell_roles()
        self._to_simulation(say.Watch(cameras=self._cameras()))

    def _hear(self, page: Page, text: str | None) -> None:
        """One message of a page: obeyed, handed on, or refused and counted."""
        if not page.may_speak() or text is None:
            self.refuse()
            return
        try:
            message = say.from_page.validate_json(text)
        except (ValidationError, ValueError, RecursionError):
            self.refuse()
            return
        stop = isinstance(message, say.Emergency) and message.on
        if page is not self._pilot and not stop and not isinstance(message, FREE):
            self.refuse()
            self._explain(page)
        elif isinstance(message, say.TakeSticks):
            if self._pilot is None or message.force:
                self._pass_sticks(page)
        elif isinstance(message, say.GiveSticks):
            if page is self._pilot:
                self._pass_sticks(None)
        elif isinstance(message, say.Watch):
            page.cameras = set(message.cameras)
            self._to_simulation(say.Watch(cameras=self._cameras()))
        elif isinstance(message, TEXTS):
            self._pass_text(page, message)
        else:
            self._to_simulation(message)

    def _pass_text(self, page: Page, message: Any) -> None:
        """A text to the simulation and its answer to the page; one at a time."""
        if page.reply is not None and not page.reply.done():
            self.refuse()
            return

        async def reply() -> None:
            if answer := await self.ask(message):
                page.write(answer.decode())

        page.reply = asyncio.create_task(reply())

    def _explain(self, page: Page) -> None:
        now = time.monotonic()
        if now > page.told + TELL_AGAIN:
            page.told = now
            page.write(_as_text(say.Notice(level="warning", text="This page only watches: take the sticks first.")))

    def _pass_sticks(self, to: Page | None) -> None:
        """Change the page that holds the sticks; they go to neutral in between."""
        if to is not self._pilot:
            self._pilot = to
            self._to_simulation(NEUTRAL)
        self._tell_roles()

    def _tell_roles(self) -> None:
        for page in self._pages:
            taken, count = self._pilot is not None, len(self._pages)
            page.write(_as_text(say.Role(pilot=page is self._pilot, taken=taken, pages=count)))

    def _tell(self, text: str) -> None:
        for page in self._pages:
            page.write(text)

    def _cameras(self) -> list[int]:
        return sorted({camera for page in self._pages for camera in page.cameras})

    def _to_simulation(self, message: Any) -> None:
        if self._sent - self._wires.counters[HANDLED] >= MOST_WAITING and message != NEUTRAL:
            self.refuse()
            return
        self._sent += 1
        self._wires.to_simulation.send(message)


def _rate(asked: str | None) -> float:
    try:
        return min(max(float(asked or RATE), 1.0), RATE)
    except ValueError:
        return RATE


def _as_text(message: Any) -> str:
    return json.dumps(message.model_dump())
