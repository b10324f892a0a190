"""Beyond the thesis: targets that drift and spin, all sensors with their noise, many seeds."""

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
OFFSET, OFFSET_TURN = 0.05, math.radians(10.0)
DRIFT, SPIN = 0.02, math.radians(2.0)
"""[m], [rad], [m/s], [rad/s]: the most of each that a target is given."""
PATIENCE = 25.0
"""[s] for a capture."""
CONTROL = {"duration": 4.0, "intercept": 1.0, "push": 0.3, "touch": 0.15, "dead_band": 0.06, "posture_time": 3.0}
FEW, MANY = 20, 200
SHARE = 0.95


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


def chance_meeting(seed: int) -> Meeting:
    """A target somewhere about the place before the hand, turned, drifting and spinning."""
    dice = random.Random(seed)
    hand = reach_of(LISTING, START)
    far, way = OFFSET * math.sqrt(dice.random()), dice.uniform(-math.pi, math.pi)
    speed, course = DRIFT * math.sqrt(dice.random()), dice.uniform(-math.pi, math.pi)
    grip = Pose(
        hand.x + AHEAD * math.cos(hand.yaw) + far * math.cos(way),
        hand.y + AHEAD * math.sin(hand.yaw) + far * math.sin(way),
        hand.yaw + dice.uniform(-OFFSET_TURN, OFFSET_TURN),
    )
    drift = speed * math.cos(course), speed * math.sin(course)
    return Meeting("cepheus_listing", START, grip, drift, dice.uniform(-SPIN, SPIN), seed=seed)


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
    """The share of captures."""
    trials = MANY if full else FEW
    done = [capture(chance_meeting(seed)) for seed in range(trials)]
    caught = sum(one.caught for one in done)
    share, bound = caught / trials, lower_wilson(caught, trials)
    quantity = f"{caught} of {trials} targets captured; the share is at least {bound:.3f} with 95 % confidence"
    yield Row("cepheus_captures", BEYOND, quantity, None, share, "1", f"≥ {SHARE:g}", share >= SHARE)
