"""Drives on until something is near, then turns its way by a quarter: the simple control program of the thesis (§5.19).

It moves along the axes of the base and never turns the base itself. It avoids, it does not arrive. Directions count
counter-clockwise: 0 forward, 1 left, 2 backward, 3 right; so do quadrants: 0 front left, 1 rear left, 2 rear right,
3 front right. Unlike the thesis's, which lets every ray of a scan turn it, it turns once per call, by what is nearest.
"""

import math
from typing import NamedTuple

import numpy as np

from cupola.config.controller import parameter
from cupola.config.robot import Robot
from cupola.config.stick_words import NO_STICKS
from cupola.control.mecanum.drive import MecanumGeometry, wheels_for
from cupola.control.told import NOTHING, PlanarTwist
from cupola.kernel.observation import Observation, Reference
from cupola.physics.mecanum import Wheels, quarter_turns
from cupola.physics.planar import Twist

WAYS = ("forward", "left", "backward", "right")
Near = tuple[float, float, float, float]
"""Distance [m] of the nearest thing in each quadrant."""
FREE: Near = (math.inf, math.inf, math.inf, math.inf)


def turn_away(way: int, near: Near, threshold: float) -> int:
    """The next direction: away from the nearer of the two quadrants that lie ahead, if that is near."""
    left, right = near[way], near[(way - 1) % 4]
    if min(left, right) >= threshold:
        return way
    return (way - 1) % 4 if left < right else (way + 1) % 4


def nearest(ranges: tuple[float, ...], middle: float, fan: float) -> Near:
    """Of a scan whose middle ray points at `middle` and whose rays cover `fan` [rad]; from the scanner itself."""
    angles = middle + fan * np.linspace(-0.5, 0.5, len(ranges))
    quadrant = np.floor(angles / (0.5 * math.pi)).astype(int) % 4
    distance = np.maximum(ranges, 0.0)  # -inf is too close to measure, +inf is free
    one, two, three, four = (float(distance[quadrant == q].min(initial=math.inf)) for q in range(4))
    return one, two, three, four


class Quadrants(NamedTuple):
    """One number for each quadrant."""

    front_left: float
    rear_left: float
    rear_right: float
    front_right: float


class AvoiderSignals(NamedTuple):
    """Where it goes, and why."""

    twist: PlanarTwist
    """Commanded."""
    wheels: Wheels
    """[rad/s] commanded."""
    nearest: Quadrants
    """[m] of the nearest thing in each quadrant; nothing where the way is free."""
    phase: float
    """[1] the way it goes."""


class Avoider(MecanumGeometry):
    """Reads laser scanners, commands wheel speeds. 10 Hz in the thesis."""

    stick_words = NO_STICKS
    Signals = AvoiderSignals
    phases = WAYS

    speed: parameter = parameter(0.2, low=0, high=5, unit="m/s")
    threshold: parameter = parameter(0.6, low=0, high=20, unit="m", about="nearer than this: turn away")

    def __init__(self, **values: float) -> None:
        super().__init__(**values)
        self.scanners: dict[str, tuple[float, float]] = {}
        """Of each scanner: where its middle ray points in the body, and the angle that its rays cover [rad]."""
        self.way, self.near = 0, FREE

    def accept(self, robot: Robot, channel: int) -> None:
        """It sees by the laser scanners of the robot."""
        self.scanners = {
            name: (one.yaw + 0.5 * (one.first + one.last), one.last - one.first) for name, one in robot.scanners.items()
        }
        if not self.scanners:
            raise ValueError(f"it sees by laser scanners; the parts are: {', '.join(robot.parts)}")

    def reset(self) -> None:
        """Forward again."""
        super().reset()
        self.way, self.near = 0, FREE

    def step(self, obs: Observation, ref: Reference) -> Wheels:
        """Look, perhaps turn, drive."""
        self.near = self._look()
        self.way = turn_away(self.way, self.near, self.threshold)
        return wheels_for(self._twist(), self)

    def signals(self) -> AvoiderSignals:
        """Where it goes, and why."""
        twist = self._twist()
        near = Quadrants(*(NOTHING if math.isinf(distance) else distance for distance in self.near))
        return AvoiderSignals(PlanarTwist(*twist), wheels_for(twist, self), near, float(self.way))

    def _twist(self) -> Twist:
        return quarter_turns(Twist(self.speed, 0.0, 0.0), self.way)

    def mission(self, obs: Observation, ref: Reference, state: object) -> str:
        """Which way it goes."""
        return f"driving {WAYS[self.way]}"

    def _look(self) -> Near:
        views = []
        for name, (middle, fan) in self.scanners.items():
            if (scan := self.sensors[name]()) is not None:
                views.append(nearest(scan.ranges, middle, fan))
        one, two, three, four = (min((view[q] for view in views), default=math.inf) for q in range(4))
        return one, two, three, four
