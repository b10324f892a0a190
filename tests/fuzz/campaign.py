"""Many damaged inputs, one after the other in one process: what came of each, how long it took, what must not be."""

import argparse
import random
import signal
import sys
import tempfile
import time
import traceback
import warnings
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from cupola.engine.units import compile_together

from .formats import FORMATS, Format
from .mutation import mutate

PATIENCE = 10.0
"""[s] of processor time that one input may take: a busy machine makes nothing slower."""
LONGEST_WAIT = 60.0
"""[s] of wall time, for inputs that wait without computing."""
QUICK = Path("/dev/shm")
"""Where files are written that nobody keeps; elsewhere than on Linux the usual place."""
MEMORY = 8 << 30
"""[bytes] that a campaign may use."""


class Hang(BaseException):
    """An input took longer than anybody waits."""


class Finding(NamedTuple):
    """An input that was neither read nor refused with a sentence."""

    format: str
    data: bytes
    what: str


class Tally:
    """What came of the inputs of one format."""

    def __init__(self) -> None:
        self.inputs = self.read = self.refused = 0
        self.slowest = 0.0
        self.findings: list[Finding] = []


def inputs(one: Format, seed: int) -> Iterator[bytes]:
    """The corpus and the real files as they are, then damaged ones without end."""
    rng = random.Random(zlib.crc32(one.name.encode()) + seed)
    seeds = one.begin()
    yield from seeds
    while True:
        yield mutate(rng.choice(seeds), rng, one.words, rng.choice(seeds))


def attempt(one: Format, data: bytes, folder: Path, tally: Tally) -> None:
    """Read one input and note what came of it."""
    tally.inputs += 1
    started = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    signal.setitimer(signal.ITIMER_REAL, LONGEST_WAIT)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            one.read(data, folder)
        tally.read += 1
    except one.errors as error:
        tally.refused += 1
        if not str(error).strip():
            tally.findings.append(Finding(one.name, data, "an error without a sentence"))
    except Hang:
        tally.findings.append(
            Finding(one.name, data, f"more than {PATIENCE:g} s of computing, or {LONGEST_WAIT:g} s of waiting")
        )
    except Exception:
        tally.findings.append(Finding(one.name, data, traceback.format_exc()))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        tally.slowest = max(tally.slowest, time.process_time() - started)


def ring(number: int, frame: FrameType | None) -> None:
    """The alarm for an input that takes too long; on a new machine it waits for the kernels that are compiled once."""
    while frame is not None:
        if frame.f_code is compile_together.__code__:
            timer = signal.ITIMER_PROF if number == signal.SIGPROF else signal.ITIMER_REAL
            signal.setitimer(timer, PATIENCE)
            return
        frame = frame.f_back
    raise Hang


def run(one: Format, folder: Path, seed: int, most: int, seconds: float = float("inf")) -> Tally:
    """Up to `most` inputs of a format, or as many as fit into the time."""
    before = {number: signal.signal(number, ring) for number in (signal.SIGALRM, signal.SIGPROF)}
    tally, end = Tally(), time.monotonic() + seconds
    try:
        for data in inputs(one, seed):
            if tally.inputs >= most or time.monotonic() > end or len(tally.findings) > 20:
                return tally
            attempt(one, data, folder, tally)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return tally


def main() -> int:
    """Run a campaign from the command line; findings are written to out/fuzz."""
    parser = argparse.ArgumentParser(description="Read damaged files of every format.")
    parser.add_argument("--seconds", type=float, default=120.0, help="of all formats together")
    parser.add_argument("--inputs", type=int, default=10**9, help="of each format, at most")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("formats", nargs="*", metavar="FORMAT", help=f"of {', '.join(FORMATS)}; all unless given")
    given = parser.parse_args()
    _bound_memory()
    chosen = [FORMATS[name] for name in given.formats or FORMATS]
    print(f"{'format':12} {'inputs':>9} {'read':>9} {'refused':>9} {'slowest':>9} {'findings':>9}", flush=True)
    total = found = 0
    for one in chosen:
        with tempfile.TemporaryDirectory(dir=QUICK if QUICK.is_dir() else None) as folder:
            tally = run(one, Path(folder), given.seed, given.inputs, given.seconds / len(chosen))
        counts = f"{tally.inputs:9} {tally.read:9} {tally.refused:9} {tally.slowest:7.2f} s {len(tally.findings):9}"
        print(f"{one.name:12} {counts}", flush=True)
        total, found = total + tally.inputs, found + len(tally.findings)
        for k, finding in enumerate(tally.findings):
            target = Path("out/fuzz") / f"{one.name}_{k}"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(finding.data)
            print(f"{target}: {finding.what.strip().splitlines()[-1][:200]}")
            target.with_suffix(".txt").write_text(finding.what)
    print(f"{total} inputs, {found} findings")
    return 1 if found else 0


def _bound_memory() -> None:
    try:
        import resource
    except ImportError:  # not on Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


if __name__ == "__main__":
    sys.exit(main())
