"""Steps of the stick: an imported aircraft and JSBSim's own answer the same sticks, from JSBSim's trim."""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from cupola.bridge.jsbsim.elements import FOOT, PSF
from cupola.bridge.jsbsim.pistons import SEA_LEVEL
from cupola.physics.rotation import Vector, frd, unrotate
from cupola.reproduce.hangar.accelerations import SOURCE
from cupola.reproduce.hangar.engines import ADVANCE, Level, flown, put, thin_air, tune_levers
from cupola.reproduce.hangar.peer import NEEDS, JsbsimPeer, State, is_installed, silence
from cupola.reproduce.row import Row, at_most, missing
from cupola.sim.world import World

FLIGHTS = (
    Level("T38", 124.0, 1500.0), Level("c172p", 49.0, 1500.0), Level("737", 144.0, 1500.0),
    Level("A320", 156.0, 1500.0), Level("B747", 149.0, 1500.0), Level("F80C", 103.0, 1500.0),
    Level("T37", 77.0, 1500.0), Level("f16", 125.0, 1500.0), Level("t6texan2", 88.0, 1500.0),
    Level("c172r", 56.0, 1500.0), Level("J3Cub", 35.0, 1500.0), Level("A4", 107.0, 1500.0),
    Level("F4N", 132.0, 1500.0), Level("f15", 111.0, 1500.0), Level("XB-70", 107.0, 1500.0),
    Level("c182", 55.0, 1500.0), Level("global5000", 125.0, 1500.0), Level("Boeing314", 70.0, 1500.0),
    Level("Camel", 40.0, 1500.0), Level("DHC6", 70.0, 1500.0),
)  # fmt: skip
"""Two in the quick table. Beyond the bound are global5000, whose inertia no body has, Camel by a hair, and DHC6, whose
engines JSBSim's trim does not hold."""
QUICK = 2
BOUND = 0.005
"""Largest difference as a share of the largest answer; ours integrates by first order, with steps of 1 ms."""
STICKS = {"aileron": (0, 0.1), "elevator": (1, -0.05)}
"""Which command of `State`, and the step, as JSBSim counts it."""
BEGINS, ENDS, RATE = 1.0, 10.0, 1000
"""[s], and the steps per second of both."""
SAMPLES = 100
"""Steps between two samples."""
ENGINES = 4
"""At most."""
LEVERS = {
    "fcs_pitch_trim_cmd_norm": "fcs/pitch-trim-cmd-norm", ADVANCE: "fcs/advance-cmd-norm",
}  # fmt: skip
"""Levers that JSBSim's trim moves or leaves: constants of the parts that read them here, and their properties."""


class Answer(NamedTuple):
    """Ten seconds in samples."""

    rates: Any
    """p, q, r [rad/s]"""
    alpha: Any
    """[rad]"""
    speed: Any
    """[m/s]"""


def rows(full: bool) -> Iterator[Row]:
    """A row per aircraft and stick."""
    for level in FLIGHTS if full else FLIGHTS[:QUICK]:
        for stick in STICKS:
            key = f"hangar_{level.name}_{stick}"
            seen = "rates, angle of attack and speed over 10 s, share of the answer"
            quantity = f"{level.name}, step of the {stick}: {seen}"
            if is_installed():
                yield at_most(key, SOURCE, quantity, BOUND, difference(level, stick))
            else:
                yield missing(key, SOURCE, quantity, NEEDS)


def difference(level: Level, stick: str) -> float:
    """The largest difference between both answers, each as a share of the largest change of JSBSim's."""
    peer = JsbsimPeer(level.name, RATE)
    state = trimmed(peer, level)
    ours = _ours(level.name, state, {name: peer.fdm[theirs] for name, theirs in LEVERS.items()}, stick)
    theirs = _theirs(peer, state, stick)
    worst = 0.0
    for one, other in zip(ours, theirs, strict=True):
        answer = np.abs(other - other[0]).max()
        worst = max(worst, float(np.abs(one - other).max() / answer))
    return worst


def trimmed(peer: JsbsimPeer, level: Level) -> State:
    """Level flight to the east, found by JSBSim; tanks that stay full.

    Here as in `_theirs` the mixture's lever follows the pressure, as ours does where no law of the aircraft moves it.
    """
    f = peer.fdm
    f["ic/lat-geod-deg"], f["ic/long-gc-deg"], f["ic/psi-true-deg"] = 0.0, 0.0, 90.0
    f["ic/h-sl-ft"], f["ic/vt-fps"], f["ic/gamma-deg"] = level.altitude / FOOT, level.speed / FOOT, 0.0
    thin = thin_air(level.altitude)
    with silence():
        f.run_ic()
        f["propulsion/set-running"] = -1
        for k in range(ENGINES):
            f[f"fcs/mixture-cmd-norm[{k}]"] = f[f"fcs/mixture-pos-norm[{k}]"] = thin
        f["simulation/do_simple_trim"] = 1
    f["propulsion/fuel_freeze"] = 1.0
    u, v, w = (f[f"velocities/{axis}-fps"] * FOOT for axis in "uvw")
    p, q, r = (f[f"velocities/{axis}-rad_sec"] for axis in "pqr")
    roll, pitch, heading = (f[f"attitude/{name}-rad"] for name in ("phi", "theta", "psi"))
    aileron, elevator, rudder = (f[f"fcs/{name}-cmd-norm"] for name in ("aileron", "elevator", "rudder"))
    return State(
        f["position/h-sl-ft"] * FOOT, (u, v, w), (p, q, r), (roll, pitch, heading), (aileron, elevator, rudder),
        f["fcs/throttle-cmd-norm"],
    )  # fmt: skip


def _theirs(peer: JsbsimPeer, state: State, stick: str) -> Answer:
    f, (channel, size) = peer.fdm, STICKS[stick]
    seen = []
    with silence():
        for k in range(round(ENDS * RATE) + 1):
            if k % SAMPLES == 0:
                rates = [f[f"velocities/{axis}-rad_sec"] for axis in "pqr"]
                seen.append((rates, f["aero/alpha-rad"], f["velocities/vt-fps"] * FOOT))
            if k == round(BEGINS * RATE):
                f[f"fcs/{stick}-cmd-norm"] = state.commands[channel] + size
            for engine in range(ENGINES):
                f[f"fcs/mixture-cmd-norm[{engine}]"] = f["atmosphere/P-psf"] * PSF / SEA_LEVEL
            f.run()
    return Answer(*(np.array(column) for column in zip(*seen, strict=True)))


def _ours(name: str, state: State, levers: dict[str, float], stick: str) -> Answer:
    world, (channel, size) = flown(name), STICKS[stick]
    throttle, (aileron, elevator, rudder) = 2.0 * state.throttle - 1.0, state.commands
    moved = (aileron + size, elevator, rudder) if channel == 0 else (aileron, elevator + size, rudder)
    world.sticks([*state.channels, throttle])
    world.arrays.command[world.instances[0].channels][:3] = state.channels
    tune_levers(world, levers)
    put(world, state, state.throttle)
    seen = []
    for k in range(round(ENDS * RATE) // SAMPLES + 1):
        seen.append(_sample(world))
        if k * SAMPLES == round(BEGINS * RATE):
            world.sticks([*state._replace(commands=moved).channels, throttle])
        world.step(SAMPLES)
    return Answer(*(np.array(column) for column in zip(*seen, strict=True)))


def _sample(world: World) -> tuple[Vector, float, float]:
    motion = world.motion()
    u, v, w = frd(unrotate(motion.quat_wb, motion.vel_w))
    return frd(motion.rate_b), math.atan2(w, u), math.sqrt(u * u + v * v + w * w)
