"""Other simulators beside ours, each in a process of its own. No bar: no two of them do the same work.

A peer is looked for in this Python environment, then in those that `CUPOLA_PEERS_PYTHON` names (paths of interpreters,
separated as in PATH): PyFlyt needs another NumPy than we do.
"""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cupola.bench.flights import TICKS, world_in_flight
from cupola.bench.result import Result, absent
from cupola.bench.timing import Side

TIMEOUT = 300.0
NO_BAR = "none"


class Peer(NamedTuple):
    """Where to find it, and which of our vehicles stands beside it."""

    module: str
    ours: str


PEERS = {
    "JSBSim": Peer("jsbsim", "plane_1wing"),
    "RotorPy": Peer("rotorpy", "quadcopter"),
    "PyFlyt": Peer("PyFlyt", "quadcopter"),
    "crazyflow": Peer("crazyflow", "quadcopter"),
}
OURS = {
    "quadcopter": "1 rigid body, 4 rotors, controller at 400 Hz, contact, semi-implicit Euler, steps of 0.5 ms",
    "plane_1wing": "4 bodies, 1 wing, 1 rotor, controller at 400 Hz, contact, semi-implicit Euler, steps of 0.5 ms",
}


def cases() -> Iterator[Result]:
    """Ours first, then each peer with the ratio of our speed to its."""
    speeds = {}
    for name, work in OURS.items():
        speeds[name] = our_speed(name)
        yield Result(f"cupola {name}: {work}", speeds[name], "steps/s", None, None, NO_BAR, True)
    for name, peer in PEERS.items():
        yield against(name, peer, speeds[peer.ours])


def our_speed(name: str) -> float:
    """Steps per second of one of our vehicles, without sensors."""
    world = world_in_flight(name, sensors=False)
    start = world.snapshot()
    flight = Side(lambda: world.step(TICKS), lambda: world.restore(start))
    return TICKS / statistics.median(flight.time() for _ in range(50))


def against(name: str, peer: Peer, ours: float) -> Result:
    """Run a peer's script; what it prints last is its result."""
    python = interpreter_with(peer.module)
    if python is None:
        why = f"not installed: pip install {name}, here or in an environment that CUPOLA_PEERS_PYTHON names"
        return absent(name, why, "steps/s", NO_BAR)
    script = Path(__file__).parent / "peers" / f"{peer.module.lower()}.py"
    try:
        done = subprocess.run([python, str(script)], capture_output=True, text=True, timeout=TIMEOUT, check=True)
        found = json.loads(done.stdout.strip().splitlines()[-1])
    except subprocess.TimeoutExpired:
        return absent(name, f"did not finish in {TIMEOUT:g} s", "steps/s", NO_BAR)
    except subprocess.CalledProcessError as error:
        last = (error.stderr or "").strip().splitlines()[-1:] or ["no message"]
        return absent(name, f"failed: {last[0]}", "steps/s", NO_BAR)
    speed = float(found["steps_per_second"])
    case = f"{name} {found['version']}: {found['work']} (ratio: our {peer.ours} / it)"
    return Result(case, speed, "steps/s", ours, ours / speed, NO_BAR, True)


def interpreter_with(module: str) -> str | None:
    """The first Python that can import `module`, or None."""
    probe = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    others = os.environ.get("CUPOLA_PEERS_PYTHON", "").split(os.pathsep)
    for python in (sys.executable, *filter(None, others)):
        try:
            if subprocess.run([python, "-c", probe], capture_output=True, timeout=TIMEOUT).returncode == 0:
                return python
        except OSError:
            continue
    return None
