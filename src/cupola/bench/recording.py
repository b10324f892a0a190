"""What it costs to sense and to record: time of a flight with both, and memory of a long one."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from cupola.bench.flights import world_in_flight
from cupola.bench.result import Result, absent, at_most, ratio_at_most
from cupola.bench.timing import Side, pair
from cupola.record.world_recorder import WorldRecorder
from cupola.sim.world import World

TIME_BAR, MEMORY_BAR = 1.3, 50.0
FLIGHT = 60.0
"""[s] of each timed flight."""
MINUTE, LONG = 60.0, 600.0
MEMORY_TIMEOUT = 300.0
MEGABYTE = 1e6


def cases() -> Iterator[Result]:
    """Time, then memory."""
    yield overhead()
    yield growth()


def overhead() -> Result:
    """A flight with the IMU at 400 Hz and a file that is opened, filled and closed, against one without both."""
    blind, seeing = (world_in_flight("quadcopter", sensors=sensors) for sensors in (False, True))
    empty, start = blind.snapshot(), seeing.snapshot()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flight.mcap"
        found = pair(
            Side(lambda: fly_recorded(seeing, path, FLIGHT), lambda: seeing.restore(start)),
            Side(lambda: blind.run(FLIGHT), lambda: blind.restore(empty)),
            rounds=9,
        )
    case = "quadcopter, IMU at 400 Hz and recording at 100 Hz: time / time without"
    return ratio_at_most(case, FLIGHT / found.ours, "s/s", FLIGHT / found.theirs, found.ratio, TIME_BAR)


def fly_recorded(world: World, path: Path, duration: float) -> None:
    """Run for `duration` [s] with a recording of it all."""
    recorder = WorldRecorder(world, path)
    world.observers.append(recorder)
    try:
        world.run(duration)
    finally:
        recorder.close()


def growth() -> Result:
    """Memory gained between the first minute and the end of a recorded flight of ten, in a process of its own."""
    case = "quadcopter, 10 minutes recorded: memory gained after the first minute"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "cupola.bench.recording", str(Path(folder) / "flight.mcap")]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=MEMORY_TIMEOUT, check=True)
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
            return absent(case, f"the flight failed: {error}", "MB", f"≤ {MEMORY_BAR:g} MB")
    first, last = json.loads(done.stdout)
    return at_most(case, (last - first) / MEGABYTE, "MB", MEMORY_BAR)


def resident() -> int:
    """Memory of this process that is in use [bytes]; where only the peak is known, the peak."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def fly_long(path: Path) -> tuple[int, int]:
    """Memory [bytes] after the first minute and at the end of a recorded flight of ten minutes."""
    world = world_in_flight("quadcopter", sensors=True)
    recorder = WorldRecorder(world, path)
    world.observers.append(recorder)
    world.run(MINUTE)
    first = resident()
    world.run(LONG - MINUTE)
    last = resident()
    recorder.close()
    return first, last


if __name__ == "__main__":
    print(json.dumps(fly_long(Path(sys.argv[1]))))
