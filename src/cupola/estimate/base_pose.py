"""Pose of a base from wheel encoders, the gyroscope and laser scans: an extended Kalman filter.

Wheels say how far (they do not feel slip), the gyroscope how much it turned (with a bias), scans where it is. Wheels or
scans alone are enough; the gyroscope needs the wheels. Encoders should be read at least as often as scans are taken.
The laser's pose comes from matching scans to a map, see `scan_match`.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from cupola.estimate.scan_match import Match, ScanMatcher, Scanner
from cupola.physics.mecanum import Mecanum, Wheels, body_twist
from cupola.physics.planar import Pose, Twist, advance
from cupola.physics.rotation import wrap

Array = np.ndarray[Any, Any]
STILL = 1e-9
"""[rad]: wheels that turned less stood still, and the gyroscope shows its bias."""
UNKNOWN = 1.0
"""[m/s], [rad/s]: largest motion without wheel data."""
GATE = 25.0
"""A fix farther than five standard deviations from the expected pose is rejected."""


def roll(pose: Pose, turned: Wheels, p: Mecanum) -> Pose:
    """Odometry: the pose after every wheel turned by so much [rad], along an arc."""
    return advance(pose, body_twist(turned, p), 1.0)


class Trust(NamedTuple):
    """Standard deviations of each source."""

    slip: float = 0.02
    """[m] after a metre driven by the wheels; grows with the square root of the way."""
    wheel_turn: float = 0.05
    """[rad] after a turn of a radian by the wheels, or a metre."""
    gyro: float = 0.003
    """[rad/s] of one sample."""
    bias: float = 0.01
    """[rad/s] at the start."""
    bias_drift: float = 1e-5
    """[rad/s] after a second."""
    laser: float = 0.002
    """[m], [rad]: what repeated scans of the same walls have in common, beside their noise."""


class BasePose:
    """The filter: x, y, yaw, bias of the gyroscope. Feed it in the order of time.

    `p` are the wheels of the base: `world.robot().wheels_at(0).kinematics()`.
    """

    def __init__(self, p: Mecanum, start: Pose = Pose(0.0, 0.0, 0.0), trust: Trust = Trust()) -> None:  # noqa: B008
        self.pose, self.bias = start, 0.0
        self._p, self._trust = p, trust
        self.covariance = np.diag([0.0, 0.0, 0.0, trust.bias**2])
        self._angles: Wheels | None = None
        self._time: float | None = None
        self._rates: list[float] = []

    def gyro(self, rate: float) -> None:
        """Turn rate about z [rad/s]; acts with the next encoders."""
        self._rates.append(rate)

    def encoders(self, time: float, angles: Wheels) -> None:
        """Wheel angles [rad] at a time [s]: move on."""
        before, dt = self._angles, 0.0 if self._time is None else time - self._time
        self._angles, self._time = angles, time
        rates, self._rates = self._rates, []
        if before is None:
            return
        turned = Wheels(*(now - then for now, then in zip(angles, before, strict=True)))
        step = body_twist(turned, self._p)
        if not rates:
            self._predict(step, 0.0, self._trust.wheel_turn**2 * (abs(step.yaw) + np.hypot(step.x, step.y)), dt)
            return
        rate, noise = float(np.mean(rates)), self._trust.gyro**2 / len(rates)
        if max(map(abs, turned)) < STILL:
            self._correct(np.array([[0.0, 0.0, 0.0, 1.0]]), np.array([rate - self.bias]), np.array([[noise]]))
        self._predict(step._replace(yaw=(rate - self.bias) * dt), -dt, noise * dt * dt, dt)

    def wait(self, time: float) -> None:
        """Predict without wheel data: the uncertainty grows in all directions."""
        if self._time is not None and time > self._time:
            far = (UNKNOWN * (time - self._time)) ** 2
            self.covariance = self.covariance + np.diag([far, far, far, 0.0])
        self._time = time

    def fix(self, match: Match) -> bool:
        """Update with a pose from a scan; returns whether it was accepted."""
        seen, noise = match.pose, match.covariance + self._trust.laser**2 * np.eye(3)
        miss = np.array([seen.x - self.pose.x, seen.y - self.pose.y, wrap(seen.yaw - self.pose.yaw)])
        if miss @ np.linalg.solve(self.covariance[:3, :3] + noise, miss) > GATE:
            return False
        self._correct(np.eye(3, 4), miss, noise)
        return True

    def _predict(self, step: Twist, by_bias: float, turn_noise: float, dt: float) -> None:
        """Move by a step [m, m, rad] whose turn depends so on the bias and is unsure by so much [rad²]."""
        before, self.pose = self.pose, advance(self.pose, step, 1.0)
        slope = np.eye(4)
        slope[0, 2], slope[1, 2], slope[2, 3] = before.y - self.pose.y, self.pose.x - before.x, by_bias
        way = self._trust.slip**2 * np.hypot(step.x, step.y)
        noise = np.diag([way, way, turn_noise, self._trust.bias_drift**2 * dt])
        self.covariance = slope @ self.covariance @ slope.T + noise

    def _correct(self, shape: Array, miss: Array, noise: Array) -> None:
        gain = self.covariance @ shape.T @ np.linalg.inv(shape @ self.covariance @ shape.T + noise)
        x, y, yaw, bias = (gain @ miss).tolist()
        self.pose = Pose(self.pose.x + x, self.pose.y + y, wrap(self.pose.yaw + yaw))
        self.bias += bias
        keep = np.eye(4) - gain @ shape
        self.covariance = keep @ self.covariance @ keep.T + gain @ noise @ gain.T


class Localiser:
    """Localisation: the filter, and a scan matcher that starts at the pose predicted by the filter."""

    def __init__(self, filter: BasePose, matcher: ScanMatcher | None = None) -> None:  # noqa: A002
        self.filter: BasePose = filter
        self.matcher: ScanMatcher = matcher or ScanMatcher()

    @property
    def pose(self) -> Pose:
        """Estimated pose of the base."""
        return self.filter.pose

    def scan(self, time: float, points: Array) -> bool:
        """Use what one or several scanners saw at a moment [s], body axes; whether it told where the base is."""
        self.filter.wait(time)
        match = self.matcher.match(points, self.filter.pose)
        believed = match is not None and self.filter.fix(match)
        if believed or self.matcher.empty:
            self.matcher.learn(points, self.filter.pose)
        return believed


def localise(encoders: Array, gyro: Array, scans: Iterable[tuple[Scanner, Array]], localiser: Localiser) -> Array:
    """Poses from a recording: rows of time [s], x, y [m], yaw [rad], one after every scan.

    `encoders`: time and four wheel angles; `gyro`: time and turn rate (may be empty); `scans`: time and ranges of each
    scanner. Scanners that fire together are used together.
    """
    found = localiser
    seen: dict[float, list[Array]] = {}
    for scanner, rows in scans:
        for row in rows:
            seen.setdefault(float(row[0]), []).append(scanner.points(row[1:]))
    events = [(float(row[0]), 0, row[1:]) for row in gyro]
    events += [(float(row[0]), 1, row[1:]) for row in encoders]
    events += [(time, 2, np.concatenate(points)) for time, points in seen.items()]
    poses = []
    for time, kind, values in sorted(events, key=lambda event: event[:2]):
        if kind == 0:
            found.filter.gyro(float(values[0]))
        elif kind == 1:
            found.filter.encoders(time, Wheels(*values.tolist()))
        else:
            found.scan(time, values)
            poses.append((time, *found.pose))
    return np.array(poses).reshape(-1, 4)
