"""The thesis's simulated experiment, approach and contact, and what it leaves open: the listing's 1 N, moving targets.

A constant push on a free target drives both apart, so a long hold needs a small one: 0.04 N moves the cube by 0.1 m in
10 s. The listing's 1 N is for the moment until the soft grip.
"""

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cupola.reproduce.cepheus.run import BEYOND, Meeting, Run, fly, meet, or_never
from cupola.reproduce.row import Row

SECTION = "Cepheus thesis 2025, section 4.5"
BASE_DEG = 8.827
"""Attitude of the base in figure 4.6."""
DURATION = 50.0
"""[s] of the way, as the scenario has it."""
PUSH = 0.04
"""[N]."""
HOLD = 10.0
"""[s] of contact."""
LAWS = ("by_force", "by_time")
"""Scenarios of the same experiment by the thesis's theory and by its program."""
EYES = {"truth": 0.0, "sensors": 2.0}


class Found(NamedTuple):
    """Of the simulated experiment."""

    off: float
    turn: float
    """[m], [rad] hand from its path, and from the target in contact."""
    base: float
    """[rad] in free motion."""
    base_contact: float
    base_rate: float
    """[rad], [rad/s] from the touch on."""
    torque: float
    """[N m]."""
    touch: float
    """[s] from the start of the motion."""
    share: float
    """Of the samples in contact after its first second."""
    push: float
    """[N] mean then."""


def simulated(eyes: float, drift: tuple[float, float] = (0.0, 0.0), spin: float = 0.0, **control: float) -> Run:
    """The scenario `cepheus_simulation`: the robot of the simulation before its cube, 50 s, then 11 s of contact."""
    world = meet(Meeting("cepheus_simulation", drift=drift, spin=spin), eyes=eyes, **control)
    return fly(world, control.get("duration", DURATION) + HOLD + 2.0)


def judge(run: Run) -> Found:
    """Figures of a run with a contact that is held."""
    moves = np.isfinite(run.wanted[:, 1])
    start, touch = float(run.time[np.argmax(moves)]), float(run.time[np.argmax(run.push > 0.0)])
    free, contact = run.during(start, touch), run.during(touch, touch + 1.0 + HOLD)
    held = contact.during(touch + 1.0, math.inf)
    apart = abs(np.concatenate([free.hand - free.wanted[:, 1:], contact.hand - contact.target]))
    attitude = math.radians(BASE_DEG)
    return Found(
        off=float(apart[:, :2].max()),
        turn=float(apart[:, 2].max()),
        base=float(abs(free.base[:, 0] - attitude).max()),
        base_contact=float(abs(contact.base[:, 0] - attitude).max()),
        base_rate=float(abs(contact.base[:, 1]).max()),
        torque=float(abs(run.torques).max()),
        touch=touch - start,
        share=float((held.push > 0.0).mean()),
        push=float(held.push.mean()),
    )


def rows(full: bool) -> Iterator[Row]:
    """Simulated experiment on truth, on sensors and by each law, the listing's 1 N, a target that drifts and spins."""
    for name, eyes in EYES.items():
        yield from _simulated(name, judge(simulated(eyes)))
    for name in LAWS:
        yield from _simulated(name, judge(fly(meet(Meeting(f"cepheus_{name}")), DURATION + HOLD + 2.0)))
    yield from _moving()
    for name, eyes in EYES.items():
        yield from _listing(name, eyes)


def _simulated(name: str, f: Found) -> Iterator[Row]:
    def most(key: str, what: str, published: float | None, bound: float, value: float, unit: str) -> Row:
        return Row(
            f"cepheus_{name}_{key}", SECTION, f"{what}, {name}", published, value, unit, f"≤ {bound:g}", value <= bound
        )

    yield most("path", "hand from its path, then from the cube, x and y", None, 1.0, 1e3 * f.off, "mm")
    yield most("turn", "the same, attitude of the hand", 0.4, 0.4, math.degrees(f.turn), "°")
    yield most("base", "attitude of the base, free motion", 0.004, 0.004, math.degrees(f.base), "°")
    yield most("base_contact", "attitude of the base in contact", 0.003, 0.003, math.degrees(f.base_contact), "°")
    yield most("base_rate", "its rate in contact", 0.02, 0.02, math.degrees(f.base_rate), "°/s")
    yield most("torque", "largest torque", 0.1, 0.1, f.torque, "N m")
    touch = "first touch; the thesis's is slightly after 50 s"
    yield Row(
        f"cepheus_{name}_touch", SECTION, f"{touch}, {name}", 50.0, f.touch, "s", "50 to 51", 50.0 <= f.touch <= 51.0
    )
    yield from _contact(f"cepheus_{name}", SECTION, name, f)


def _contact(key: str, source: str, name: str, f: Found) -> Iterator[Row]:
    share = f"samples in contact in the 10 s after its first second, {name}"
    yield Row(f"{key}_held", source, share, None, f.share, "1", "≥ 0.95", f.share >= 0.95)
    close = abs(f.push - PUSH) <= 0.1 * PUSH
    yield Row(f"{key}_push", source, f"mean push, {PUSH:g} N wanted, {name}", None, f.push, "N", "± 10 %", close)


def _moving() -> Iterator[Row]:
    """A cube that drifts off sideways and spins."""
    run = simulated(EYES["sensors"], (0.004, 0.006), math.radians(0.5), duration=10.0, intercept=1.0)
    yield from _contact("cepheus_moving", BEYOND, "cube with 7 mm/s and 0.5 °/s", judge(run))


def listing(eyes: float) -> Run:
    """The scenario `cepheus_listing`: ideal motors, 1 N until the soft grip, then the hard one."""
    return fly(meet(Meeting("cepheus_listing"), eyes=eyes), 30.0)


def _listing(name: str, eyes: float) -> Iterator[Row]:
    run = listing(eyes)
    touch = float(run.time[np.argmax(run.push > 0.0)])
    key, source = f"cepheus_listing_{name}", f"{BEYOND}: its listing, contact with 1 N"
    soft, what = run.when("soft grip") - touch, f"touch to soft grip, {name}"
    yield Row(f"{key}_soft", source, what, None, or_never(soft), "s", "≤ 1", 0.0 <= soft <= 1.0)
    torque = float(abs(run.torques).max())
    yield Row(f"{key}_torque", source, f"largest torque, {name}", None, torque, "N m", "≤ 0.3", torque <= 0.3)
    done, what = run.when("settle") - touch, f"touch to the end of the hard grip, {name}"
    yield Row(f"{key}_hard", source, what, None, or_never(done), "s", "≤ 10", done <= 10.0)
