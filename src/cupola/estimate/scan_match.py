"""Scan matching: pose of a laser scanner from its scans and a map built from them.

Point-to-line matching (Censi, "An ICP variant using a point-to-line metric", ICRA 2008) against the cells of a map.
A cell holds the mean of the points that fell into it, its line is fitted through its neighbours. Needs neither a given
map nor a calibration. Registration libraries are made for three dimensions; small_gicp, given each scan as a low wall,
was as exact (1.6 mm against 1.4 mm between two scans of 540 rays with 12 mm noise) and as fast, so SciPy's tree it is.
"""

from typing import Any, NamedTuple

import numpy as np
from scipy.spatial import KDTree

from cupola.config.robot import Robot
from cupola.physics.planar import Pose
from cupola.physics.rotation import wrap
from cupola.schema.yaml_files import InputError

Array = np.ndarray[Any, Any]

CELL = 0.05
"""[m] edge of a cell of the map."""
NEIGHBOURS = 7
"""Cells through which a line is fitted."""
STRAIGHT = 0.3
"""A line is used where its cells spread less across it than this share of their length."""
SETTLED = 1e-4
"""[m] or [rad]: a step that ends the search."""
STEPS = 20
BARE = 0.01
"""Below this ratio of information along and across walls the direction along them counts as unobservable: it is only
noise of their normals."""


class Scanner(NamedTuple):
    """Parameters of a scanner needed to use its ranges."""

    angles: Array
    """[rad] of each ray from the scanner's x axis, counter-clockwise."""
    mount: Pose = Pose(0.0, 0.0, 0.0)
    """Its pose in the body."""
    nearest: float = 0.06
    farthest: float = 20.0
    """[m] limits of valid ranges."""

    @classmethod
    def of(cls, robot: Robot, name: str) -> "Scanner":
        """The scanner of a robot that has this name."""
        if name not in robot.scanners:
            there = ", ".join(robot.scanners) or "none"
            raise InputError(f"{robot.name} has no laser scanner {name!r}; it has: {there}")
        one = robot.scanners[name]
        angles = np.linspace(one.first, one.last, one.rays)
        return cls(angles, Pose(one.x, one.y, one.yaw), one.range_min, one.range_max)

    def points(self, ranges: Any) -> Array:
        """Points hit by a scan [m], body axes."""
        distance = np.asarray(ranges, float)
        good = (distance > self.nearest) & (distance < self.farthest)
        angle = self.angles[good] + self.mount.yaw
        ray = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return np.asarray(distance[good, None] * ray + [[self.mount.x, self.mount.y]])


class Match(NamedTuple):
    """The outcome of a search."""

    pose: Pose
    covariance: Array
    """3 × 3, of x, y [m] and yaw [rad]; large along a wall that looks the same everywhere."""
    used: float
    """Share of the points that found a line."""


def place(points: Array, pose: Pose) -> Array:
    """Points of the body in the map."""
    c, s = np.cos(pose.yaw), np.sin(pose.yaw)
    return np.asarray(points @ np.array([[c, s], [-s, c]]) + [pose.x, pose.y])


class ScanMap:
    """The map, in cells."""

    def __init__(self, cell: float = CELL) -> None:
        self._cell = cell
        self._sums: dict[tuple[int, int], Array] = {}

    def add(self, points: Array) -> None:
        """Points [m] in the axes of the map."""
        keys, where = np.unique(np.floor(points / self._cell).astype(int), axis=0, return_inverse=True)
        sums = np.zeros((len(keys), 3))
        np.add.at(sums, where.ravel(), np.column_stack([points, np.ones(len(points))]))
        for key, total in zip(map(tuple, keys.tolist()), sums, strict=True):
            self._sums[key] = self._sums.get(key, 0.0) + total
        self._fit()

    def _fit(self) -> None:
        sums = np.array(list(self._sums.values()))
        self._centres = sums[:, :2] / sums[:, 2:]
        self.tree = KDTree(self._centres)
        _, near = self.tree.query(self._centres, k=min(NEIGHBOURS, len(sums)))
        group = self._centres[near.reshape(len(sums), -1)]
        arms = group - group.mean(axis=1, keepdims=True)
        xx, yy, xy = (arms[..., 0] ** 2).sum(1), (arms[..., 1] ** 2).sum(1), (arms[..., 0] * arms[..., 1]).sum(1)
        along = 0.5 * np.arctan2(2.0 * xy, xx - yy)
        self.normals = np.stack([-np.sin(along), np.cos(along)], axis=1)
        self.middles: Any = group.mean(axis=1)
        spread = np.hypot(xx - yy, 2.0 * xy)
        self.straight: Any = (xx + yy - spread) < STRAIGHT**2 * (xx + yy + spread)


class ScanMatcher:
    """Finds poses in a map, and adds scans from new places to it."""

    def __init__(self, *, noise: float = 0.012, reach: float = 0.3, apart: tuple[float, float] = (0.3, 0.3)) -> None:
        """`noise` [m] of a range; `reach` [m] to look for a line; `apart` [m], [rad]: the places that are mapped."""
        self._noise, self._reach, self._apart = noise, reach, apart
        self._map = ScanMap()
        self._places: list[Pose] = []

    @property
    def empty(self) -> bool:
        """Whether the map is empty."""
        return not self._places

    def learn(self, points: Array, pose: Pose) -> bool:
        """Add a scan seen from a pose to the map, unless one from close by is in it; whether it was added."""
        if len(points) < NEIGHBOURS:
            return False
        if self._places:
            x, y, yaw = np.array(self._places).T
            near = np.hypot(x - pose.x, y - pose.y) < self._apart[0]
            if np.any(near & (np.abs(wrap(yaw - pose.yaw)) < self._apart[1])):
                return False
        self._places.append(pose)
        self._map.add(place(points, pose))
        return True

    def match(self, points: Array, guess: Pose) -> Match | None:
        """The pose near `guess` at which `points` match the map; None if too few match."""
        pose = guess
        for _ in range(STEPS):
            step = self._step(points, pose)
            if step is None:
                return None
            change, information, used = step
            pose = Pose(pose.x + change[0], pose.y + change[1], wrap(pose.yaw + change[2]))
            if np.abs(change).max() < SETTLED:
                break
        return Match(pose, self._noise**2 * np.linalg.inv(information), used)

    def _step(self, points: Array, pose: Pose) -> tuple[Array, Array, float] | None:
        """One step of Gauss and Newton: change of the pose, information matrix, share of points used."""
        if self.empty:
            return None
        world = place(points, pose)
        away, cell = self._map.tree.query(world, distance_upper_bound=self._reach)
        found = np.isfinite(away)
        found[found] = self._map.straight[cell[found]]
        if found.sum() < 0.2 * len(points) or found.sum() < 3:
            return None
        normal, hit = self._map.normals[cell[found]], world[found]
        error = ((hit - self._map.middles[cell[found]]) * normal).sum(axis=1)
        arm = hit - [pose.x, pose.y]
        slope = np.column_stack([normal, arm[:, 0] * normal[:, 1] - arm[:, 1] * normal[:, 0]])
        usual = 3.0 * max(1.4826 * float(np.median(np.abs(error))), self._noise)
        weight = np.minimum(1.0, usual / np.maximum(np.abs(error), 1e-12)) ** 2
        slope = slope @ _known(slope, weight)
        information = slope.T @ (slope * weight[:, None]) + 1e-6 * np.eye(3)
        return -np.linalg.solve(information, slope.T @ (weight * error)), information, float(found.mean())


def _known(slope: Array, weight: Array) -> Array:
    """Projects onto what the lines tell of: all directions, or none along bare walls.

    Zhang, Kaess, Singh, "On degeneracy of optimization-based state estimation problems", ICRA 2016.
    """
    shares, ways = np.linalg.eigh(slope[:, :2].T @ (slope[:, :2] * weight[:, None]))
    if shares[0] > BARE * shares[1]:
        return np.eye(3)
    along = np.array([*ways[:, 0], 0.0])
    return np.asarray(np.eye(3) - np.outer(along, along))
