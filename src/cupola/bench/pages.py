"""Pages without a browser, in a process of their own: they watch, press keys, or attack. Prints its results as JSON.

`python -m cupola.bench.pages watch|press|attack|come_and_go URL NUMBER`
"""

import asyncio
import json
import random
import sys
import time
from typing import Any

import numpy as np
from websockets.asyncio.client import ClientConnection, connect

from cupola.cockpit.messages import CLOCK

REFUSED, TIME = CLOCK.index("refused"), CLOCK.index("time")
MANY, SLOWER = 20, 30
"""Pages at once, and frames a second that each of them asks for."""
SETTLE = 1.0
"""[s] before anything is measured, or that a page stays."""
HOSTILE = (
    "", "null", "[" * 5000, "{", '{"kind": "eval"}', '{"kind": "sticks", "channels": [9]}', "x" * 10_000,
    '{"kind": "sticks", "channels": [NaN]}', '{"kind": "step", "ticks": 1e12}', '{"kind": "tune", "value": 1}',
    '{"kind": "push", "body": 1, "point_b": [0, 0, 0], "force_w": [1e300, 0, 0]}', b"\x00\xff" * 20,
)  # fmt: skip


class Page:
    """One connection."""

    def __init__(self, socket: ClientConnection, hello: dict[str, Any]) -> None:
        self.socket = socket
        self.sticks = next(s["offset"] for s in hello["layout"] if s["name"] == "sticks")

    async def frame(self) -> Any:
        """The next frame."""
        while True:
            message = await self.socket.recv()
            if isinstance(message, bytes):
                return np.frombuffer(message)

    async def say(self, **message: Any) -> None:
        """Send a message."""
        await self.socket.send(json.dumps(message))


def _open(url: str, rate: float = 60) -> connect:
    return connect(f"{url.replace('http', 'ws', 1)}ws?rate={rate:g}", max_size=None, compression=None)


async def _page(socket: ClientConnection) -> Page:
    page = Page(socket, json.loads(await socket.recv()))
    await page.say(kind="take_sticks", force=True)
    return page


async def press(url: str, presses: int) -> list[float]:
    """[s] from each press of a key until a frame shows it, at times that have nothing to do with the frames."""
    async with _open(url) as socket:
        page, waits, moments = await _page(socket), [], random.Random(1)
        for k in range(presses):
            value = 0.1 + 0.2 * (k % 2)
            end = time.perf_counter() + moments.uniform(0.02, 0.06)
            while time.perf_counter() < end:
                await page.frame()
            begun = time.perf_counter()
            await page.say(kind="sticks", channels=[0.0, value])
            while (await page.frame())[page.sticks + 1] != value:
                pass
            waits.append(time.perf_counter() - begun)
        return waits


async def watch(url: str, seconds: int) -> dict[str, float]:
    """Real-time factor and frames a second and page while `MANY` pages watch."""

    async def one() -> tuple[float, int]:
        async with _open(url, SLOWER) as socket:
            page = await _page(socket)
            begun = time.perf_counter()
            while time.perf_counter() < begun + SETTLE:
                first = await page.frame()
            begun = now = time.perf_counter()
            count, last = 0, first
            while now < begun + seconds:
                last, count = await page.frame(), count + 1
                now = time.perf_counter()
            return float(last[TIME] - first[TIME]) / (now - begun), count

    found = await asyncio.gather(*(one() for _ in range(MANY)))
    return {"factor": min(f for f, _ in found), "rate": min(n for _, n in found) / seconds}


async def come_and_go(url: str, rounds: int) -> None:
    """Take every frame for a while, then leave for a while, and again."""
    for _ in range(rounds):
        async with _open(url) as socket:
            page, begun = await _page(socket), time.perf_counter()
            while time.perf_counter() < begun + SETTLE:
                await page.frame()
        await asyncio.sleep(SETTLE)


async def attack(url: str, count: int) -> dict[str, float]:
    """Send hostile messages while another page watches: how many were counted, and the longest halt of the clock."""

    async def storm() -> None:
        bits = random.Random(1)
        async with _open(url, 1) as enemy:
            for _ in range(count):
                await enemy.send(bits.choice(HOSTILE))
            await done.wait()

    done = asyncio.Event()
    async with _open(url) as socket:
        page = await _page(socket)
        before = now = await page.frame()
        halt, storming = 0.0, asyncio.create_task(storm())
        until = time.perf_counter() + 60.0
        while now[REFUSED] < before[REFUSED] + count and time.perf_counter() < until:
            last, now = now, await page.frame()
            halt = max(halt, float(now[TIME] - last[TIME]))
        done.set()
        await storming
        return {"counted": float(now[REFUSED] - before[REFUSED]), "halt": halt}


if __name__ == "__main__":
    what, where, number = sys.argv[1:]
    task: Any = {"press": press, "watch": watch, "attack": attack, "come_and_go": come_and_go}[what]
    print(json.dumps(asyncio.run(task(where, int(number)))))
