"""Days of simulated time, in one go and in pieces, each piece in a process of its own.

A flight leaves its state at the end of every block. A piece begins there, in a new process, and must end with the bits
with which the flight went on. What was flown is written down line by line, so that a soak that is broken off goes on.
"""

import csv
import hashlib
import pickle
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cupola.sim.world import Snapshot, World, load

ROOT = Path(__file__).parents[2]
FLIGHTS = {path.stem: path for path in sorted((Path(__file__).parent / "flights").glob("*.yaml"))}
"""By vehicle. None of them comes to an end: all hold a place, circle, wander or turn."""
MOST_GROWN = 20.0
"""[MB] that a process may have more at the end of a flight than after its first block."""


class Line(NamedTuple):
    """What was written down at the end of a block."""

    kind: str
    """`flight`, or `piece`: a block flown again by a process of its own."""
    vehicle: str
    block: int
    """Counted from 1."""
    state: str
    megabytes: float
    """That the process holds, and `begun` is the block with which it began."""
    begun: int
    processor: float
    """[s] that the block took."""


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
        return [Line(a, b, int(c), d, float(e), int(f), float(g)) for a, b, c, d, e, f, g in rows]

    def _whole_lines(self) -> str:
        path = self.folder / "lines.csv"
        text = path.read_text(encoding="ascii") if path.exists() else ""
        return text[: text.rfind("\n") + 1]

    def write(self, line: Line) -> None:
        """At once, so that nothing that was flown is lost."""
        whole = len(self._whole_lines())
        with (self.folder / "lines.csv").open("a", encoding="ascii") as file:
            file.truncate(whole)
            csv.writer(file, lineterminator="\n").writerow(line)

    def keep(self, vehicle: str, block: int, kept: Snapshot) -> None:
        """The state after a block."""
        path = self._path(vehicle, block)
        path.with_suffix(".new").write_bytes(pickle.dumps(tuple(kept)))
        path.with_suffix(".new").replace(path)

    def state(self, vehicle: str, block: int) -> Snapshot:
        """As it was kept, by this program in its own folder."""
        return Snapshot(*pickle.loads(self._path(vehicle, block).read_bytes()))

    def _path(self, vehicle: str, block: int) -> Path:
        return self.folder / f"{vehicle}_{block:04}.state"

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
    world = load(str(FLIGHTS[vehicle]))
    if begin > 1:
        world.restore(book.state(vehicle, begin - 1))
    for block, kept, took in _blocks(world, book.block, begin, end):
        if kind == "flight":
            book.keep(vehicle, block, kept)
        book.write(Line(kind, vehicle, block, state_of(kept), megabytes(), begin, took))


def _blocks(world: World, seconds: float, begin: int, end: int) -> Iterator[tuple[int, Snapshot, float]]:
    for block in range(begin, end + 1):
        before = time.process_time()
        world.run(round(block * seconds / world.dt) * world.dt - world.time)
        yield block, world.snapshot(), time.process_time() - before


def soak(book: Logbook, vehicle: str, blocks: int, pieces: int) -> None:
    """Fly `blocks` of them, and `pieces` of these again, the first and the last among them."""
    flown = book.endured(vehicle).flown
    if flown < blocks:
        _process(book, vehicle, flown + 1, blocks, "flight")
    done = {line.block for line in book.lines() if line.vehicle == vehicle and line.kind == "piece"}
    wanted = {round(k) for k in np.linspace(1, blocks, min(pieces, blocks))}
    for block in sorted(wanted - done):
        _process(book, vehicle, block, block, "piece")


def _process(book: Logbook, vehicle: str, begin: int, end: int, kind: str) -> None:
    words = [str(book.folder), f"{book.block!r}", vehicle, str(begin), str(end), kind]
    subprocess.run([sys.executable, "-m", "tests.soak.days", *words], check=True, cwd=ROOT)


if __name__ == "__main__":
    where, block, vehicle, begin, end, kind = sys.argv[1:]
    fly(Logbook(Path(where), float(block)), vehicle, int(begin), int(end), kind)
