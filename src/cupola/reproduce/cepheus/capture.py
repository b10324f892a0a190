"""Beyond the thesis: targets that drift and spin, real motors, all sensors with their noise, many seeds.

The declared envelope is `ENVELOPE`; over twice of it `capture_map` says where captures fail.
"""

import math
import random
from collections.abc import Iterator
from typing import NamedTuple

from cupola.physics.planar import Pose
from cupola.physics.space_arm import LISTING
from cupola.reproduce.cepheus.run import BEYOND, Meeting, fly, meet, reach_of
from cupola.reproduce.row import Row

START = (-60.0, 87.0, 52.0)
AHEAD = 0.08
"""[m] from the hand to the grip at the start, on average."""


class Envelope(NamedTuple):
    """The most of each that a target is given."""

    offset: float
    """[m]."""
    turn: float
    """[rad]."""
    drift: float
    """[m/s]."""
    spin: float
    """[rad/s]."""


ENVELOPE = Envelope(0.05, math.radians(10.0), 0.02, math.radians(2.0))
TWICE = Envelope(*(2.0 * most for most in ENVELOPE))
MOTORS: dict[str, dict[str, int | float | str]] = {
    name: {"model": "geared"} for name in ("wheel", "shoulder", "elbow", "wrist")
}
"""Those of the data sheets, in the place of the ideal ones of the scenario."""
PATIENCE = 25.0
"""[s] for a capture."""
CONTROL = {"duration": 4.0}
"""The rest is the scenario's."""
FEW, MANY = 20, 200
SHARE, BOUND = 0.985, 0.95
"""Of captures, and its lower bound, which 197 of 200 reach."""
YAW = math.radians(2.0)
"""[rad] that the base may turn within the envelope: what the thesis's emulator did."""


class Capture(NamedTuple):
    """How one went."""

    caught: bool
    time: float
    """[s] until the target is held hard."""
    base: float
    """[rad] that the base turned away at most."""
    torque: float
    """[N m] at most."""
    state: str
    """The last one."""


def chance_meeting(seed: int, most: Envelope = ENVELOPE) -> Meeting:
    """A target somewhere about the place before the hand, turned, drifting and spinning.

    Two bodies cannot be in one place: one that would begin with the hand behind its face is drawn again, which within
    the declared envelope none does.
    """
    dice = random.Random(seed)
    hand = reach_of(LISTING, START)
    while True:
        far, way = most.offset * math.sqrt(dice.random()), dice.uniform(-math.pi, math.pi)
        speed, course = most.drift * math.sqrt(dice.random()), dice.uniform(-math.pi, math.pi)
        grip = Pose(
            hand.x + AHEAD * math.cos(hand.yaw) + far * math.cos(way),
            hand.y + AHEAD * math.sin(hand.yaw) + far * math.sin(way),
            hand.yaw + dice.uniform(-most.turn, most.turn),
        )
        drift = speed * math.cos(course), speed * math.sin(course)
        spin = dice.uniform(-most.spin, most.spin)
        if math.cos(grip.yaw) * (grip.x - hand.x) + math.sin(grip.yaw) * (grip.y - hand.y) > 0.0:
            return Meeting("cepheus_capture", START, grip, drift, spin, seed=seed, parts=MOTORS)


def capture(meeting: Meeting) -> Capture:
    """Fly one."""
    run = fly(meet(meeting, **CONTROL), PATIENCE)
    caught = run.state[-1] == "end"
    turned = float(abs(run.base[:, 0]).max())
    return Capture(caught, run.when("settle"), turned, float(abs(run.torques).max()), run.state[-1])


def lower_wilson(successes: int, trials: int, z: float = 1.96) -> float:
    """Lower bound of a share with 95 % confidence (Wilson 1927)."""
    p, n = successes / trials, trials
    centre, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (centre - spread) / (1 + z * z / n)


def rows(full: bool) -> Iterator[Row]:
    """The share of captures within the envelope, and how far the base turned."""
    trials = MANY if full else FEW
    done = [capture(chance_meeting(seed)) for seed in range(trials)]
    caught = sum(one.caught for one in done)
    share, bound = caught / trials, lower_wilson(caught, trials)
    quantity = f"{caught} of {trials} targets captured; the share is at least {bound:.3f} with 95 % confidence"
    passed = bound >= BOUND if full else share >= BOUND
    criterion = f"≥ {SHARE:g}" if full else f"≥ {BOUND:g}"
    yield Row("cepheus_captures", BEYOND, quantity, None, share, "1", criterion, passed)
    turned = math.degrees(max(one.base for one in done))
    what = "most that the base turned in any of them"
    yield Row("cepheus_captures_yaw", BEYOND, what, None, turned, "°", "≤ 2", turned <= math.degrees(YAW))
