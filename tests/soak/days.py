"""Days of simulated time, in one go and in pieces, each piece in a process of its own.

A flight leaves its state at the end of every block. A piece begins there, in a new process, and must end with the bits
with which the flight went on. What was flown is written down line by line, so that a soak that is broken off goes on.
"""

import csv
import fcntl
import hashlib
import pickle
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cupola.sim.world import Snapshot, load

ROOT = Path(__file__).parents[2]
FLIGHTS = {path.stem: path for path in sorted((Path(__file__).parent / "flights").glob("*.yaml"))}
"""By vehicle. None of them comes to an end: all hold a place, circle, wander or turn."""
MOST_GROWN = 20.0
"""[MB] that a process may have more at the end of a flight than after its first block."""


class Line(NamedTuple):
    """What was written down at the end of a block."""

    kind: str
    """`flight`, or `piece`: a block flown again by a process of its own.

    `begin`: the process of a flight before its first block.
    """
    vehicle: str
    block: int
    """Counted from 1."""
    state: str
    megabytes: float
    """That the process holds, and `begun` is the block with which it began."""
    begun: int
    processor: float
    """[s] that the block took, of the processor; `seconds` are those of a clock on the wall."""
    seconds: float = 0.0
    ticks: int = 0
    """Steps of the physics since the flight began."""


class Endured(NamedTuple):
    """What is known of a vehicle."""

    flown: int
    """Blocks, one after the other."""
    again: int
    """Of these, flown again as a piece."""
    differ: list[int]
    """Blocks whose piece ended with other bits."""
    grown: float
    """[MB] at most, in one process, since the end of its first block."""
    processes: int
    """In which it was flown: 1 unless it was broken off."""
    state: str


def state_of(kept: Snapshot) -> str:
    """All that a world remembers, in 16 letters; it must be finite."""
    digest = hashlib.sha256(kept.engine.tobytes())
    for name in sorted(kept.numbers):
        digest.update(kept.numbers[name].tobytes())
    assert np.isfinite(kept.engine).all(), "the state is not finite"
    return digest.hexdigest()[:16]


def megabytes() -> float:
    """Of memory that this process holds now."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


class Logbook:
    """The folder of a soak: `lines.csv`, and the state of each flight after each block."""

    def __init__(self, folder: Path, block: float) -> None:
        """`block`: simulated time of one [s]."""
        self.folder, self.block = folder, block
        folder.mkdir(parents=True, exist_ok=True)
        said = folder / "block"
        if said.exists() and float(said.read_text(encoding="ascii")) != block:
            raise SystemExit(f"{folder} holds a soak with blocks of {said.read_text(encoding='ascii')} s")
        said.write_text(f"{block:g}", encoding="ascii")

    def lines(self) -> list[Line]:
        """All that was flown; a last line that was cut off is none."""
        rows = csv.reader(self._whole_lines().splitlines())
        return [
            Line(a, b, int(c), d, float(e), int(f), float(g), float(h), int(i)) for a, b, c, d, e, f, g, h, i in rows
        ]

    def _whole_lines(self) -> str:
        path = self.folder / "lines.csv"
        text = path.read_text(encoding="ascii") if path.exists() else ""
        return text[: text.rfind("\n") + 1]

    def write(self, line: Line) -> None:
        """At once, so that nothing that was flown is lost; pieces and flights write one after the other."""
        with (self.folder / "lines.csv").open("a", encoding="ascii") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.truncate(len(self._whole_lines()))
            csv.writer(file, lineterminator="\n").writerow(line)

    def keep(self, vehicle: str, block: int, kept: Snapshot) -> None:
        """The state after a block."""
        path = self._path(vehicle, block)
        path.with_suffix(".new").write_bytes(pickle.dumps(tuple(kept)))
        path.with_suffix(".new").replace(path)

    def state(self, vehicle: str, block: int) -> Snapshot:
        """As it was kept, by this program in its own folder."""
        return Snapshot(*pickle.loads(self._path(vehicle, block).read_bytes()))

    def has(self, vehicle: str, block: int) -> bool:
        """Whether the state after a block was kept; before the first there is none to keep."""
        return block == 0 or self._path(vehicle, block).exists()

    def _path(self, vehicle: str, block: int) -> Path:
        return self.folder / f"{Path(vehicle).stem}_{block:04}.state"

    def endured(self, vehicle: str) -> Endured:
        """What the lines say."""
        own = [line for line in self.lines() if line.vehicle == vehicle]
        flown = {line.block: line for line in own if line.kind == "flight"}
        pieces = {line.block: line.state for line in own if line.kind == "piece"}
        processes = sorted({line.begun for line in flown.values()})
        grown = [0.0]
        for begun in processes:
            held = [line.megabytes for line in flown.values() if line.begun == begun]
            grown.append(max(held) - held[0])
        differ = [block for block, state in pieces.items() if flown[block].state != state]
        last = flown[len(flown)].state if flown else ""
        return Endured(len(flown), len(pieces), differ, max(grown), len(processes), last)


def fly(book: Logbook, vehicle: str, begin: int, end: int, kind: str) -> None:
    """Blocks `begin` to `end` of a flight, from the state that block `begin - 1` left."""
    world = load(str(FLIGHTS.get(vehicle, vehicle)))
    if begin > 1:
        world.restore(book.state(vehicle, begin - 1))
    if kind == "flight":
        book.write(Line("begin", vehicle, begin - 1, state_of(world.snapshot()), megabytes(), begin, 0.0))
    for block in range(begin, end + 1):
        clocks = time.process_time(), time.perf_counter()
        ticks = round(block * book.block / world.dt)
        world.run(ticks * world.dt - world.time)
        took = time.process_time() - clocks[0], time.perf_counter() - clocks[1]
        kept = world.snapshot()
        if kind == "flight":
            book.keep(vehicle, block, kept)
        book.write(Line(kind, vehicle, block, state_of(kept), megabytes(), begin, *took, ticks))


def soak(book: Logbook, vehicle: str, blocks: int, pieces: int, workers: int = 1) -> None:
    """Fly `blocks` of them, and `pieces` of these again, the first and the last among them.

    `workers`: processes at the same time; with more than one, pieces are flown while the flight goes on.
    """
    flown = book.endured(vehicle).flown
    running = [_process(book, vehicle, flown + 1, blocks, "flight")] if flown < blocks else []
    done = {line.block for line in book.lines() if line.vehicle == vehicle and line.kind == "piece"}
    waiting = sorted({round(k) for k in np.linspace(1, blocks, min(pieces, blocks))} - done)
    try:
        while running or waiting:
            if waiting and len(running) < workers and book.has(vehicle, waiting[0] - 1):
                running.append(_process(book, vehicle, waiting[0], waiting.pop(0), "piece"))
                continue
            time.sleep(0.05)
            for process in [one for one in running if one.poll() is not None]:
                running.remove(process)
                if process.returncode:
                    raise subprocess.CalledProcessError(process.returncode, process.args)
    finally:
        for process in running:
            process.kill()
            process.wait()


def _process(book: Logbook, vehicle: str, begin: int, end: int, kind: str) -> subprocess.Popen[bytes]:
    words = [str(book.folder.resolve()), f"{book.block!r}", vehicle, str(begin), str(end), kind]
    return subprocess.Popen([sys.executable, "-m", "tests.soak.days", *words], cwd=ROOT)


if __name__ == "__main__":
    where, block, vehicle, begin, end, kind = sys.argv[1:]
    fly(Logbook(Path(where), float(block)), vehicle, int(begin), int(end), kind)
