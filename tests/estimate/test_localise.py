"""Where a base is, from wheels, gyroscope and laser: in a room of straight walls whose rays are cast here."""

import math

import numpy as np
import pytest

from cupola.estimate.base_pose import BasePose, Localiser, localise, roll
from cupola.estimate.scan_match import Match, ScanMatcher, Scanner
from cupola.physics.mecanum import VELMA, Wheels, wheel_speeds
from cupola.physics.planar import Pose, Twist, advance, compose, distance
from cupola.physics.rotation import wrap

ANGLES = np.radians(np.linspace(-135.0, 135.0, 540))
SCANNER = Scanner(ANGLES)
NOISE, GYRO_NOISE, GYRO_BIAS = 0.012, 0.003, 0.001
"""[m], [rad/s]: as the devices of the thesis."""
PERIOD = 0.02
ROUTE = [
    (0.2, 0, 0), (0, 0.2, 0.1), (-0.25, 0, 0.05), (0, -0.2, -0.2), (0, 0, 0.3), (0.15, 0.15, 0),
    (0, 0, -0.3), (-0.2, 0.1, 0.1), (0.3, 0, 0.3), (0, -0.2, 0), (0.1, 0.1, 0.2), (-0.2, 0, 0),
]  # fmt: skip
"""5 s each."""


def polygon(points):
    return [(points[k], points[(k + 1) % len(points)]) for k in range(len(points))]


def box(x, y, a, b, yaw):
    """Half sizes a, b."""
    c, s = math.cos(yaw), math.sin(yaw)
    return polygon([(x + c * u - s * v, y + s * u + c * v) for u, v in ((a, b), (-a, b), (-a, -b), (a, -b))])


ROOM = np.array(
    polygon([(-4, -3), (4, -3), (4, 2), (2.5, 2), (2.5, 3), (-4, 3)])
    + box(-2.5, -1.5, 0.4, 0.6, 0.3)
    + box(1.5, -1.6, 0.5, 0.3, -0.5)
    + box(-2.6, 1.9, 0.3, 0.3, 0.8),
    float,
)
AISLE = np.array([[(-50, -1), (50, -1)], [(-50, 1), (50, 1)]], float)


def cast(pose, walls=ROOM, angles=ANGLES):
    """Distances [m] to the walls."""
    along = np.stack([np.cos(angles + pose.yaw), np.sin(angles + pose.yaw)], axis=-1)[:, None]
    start, wall = walls[None, :, 0] - [pose.x, pose.y], walls[None, :, 1] - walls[None, :, 0]
    between = _cross(along, wall)
    between = np.where(between == 0.0, 1e-300, between)
    far, where = _cross(start, wall) / between, _cross(start, along) / between
    return np.where((far > 0) & (where >= 0) & (where <= 1), far, np.inf).min(axis=1)


def _cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def blurred(pose, chance, **where):
    ranges = cast(pose, **where)
    return ranges + NOISE * chance.normal(size=len(ranges))


class Drive:
    """60 s through the room with wheels that lose 4 % sideways and gain 1 % ahead, as the real ones."""

    def __init__(self, seconds=60.0):
        chance = np.random.default_rng(1)
        pose, angles, turn = Pose(0.0, 0.0, 0.0), np.zeros(4), 0.0
        truth, encoders, gyro, scans = [], [], [], []
        for k in range(round(seconds / PERIOD)):
            time = k * PERIOD
            truth.append((time, *pose))
            encoders.append((time, *angles))
            gyro.append((time, turn + GYRO_BIAS + GYRO_NOISE * chance.normal()))
            scans.append((time, *blurred(pose, chance)))
            x, y, turn = ROUTE[int(time / 5.0)]
            angles = angles + PERIOD * np.array(wheel_speeds(Twist(x, y, turn), VELMA))
            pose = advance(pose, Twist(1.01 * x, 0.96 * y, turn), PERIOD)
        self.truth, self.encoders, self.gyro, self.scans = map(np.array, (truth, encoders, gyro, scans))

    def errors(self, found):
        """Root of the mean square, [m] and [deg]."""
        off = found[:, 1:3] - self.truth[: len(found), 1:3]
        turned = wrap(found[:, 3] - self.truth[: len(found), 3])
        return np.sqrt((off**2).sum(1).mean()), math.degrees(np.sqrt((turned**2).mean()))


def of_velma() -> Localiser:
    return Localiser(BasePose(VELMA))


@pytest.fixture(scope="module")
def drive():
    return Drive()


NOTHING = np.zeros((0, 2))


def test_wheels_gyroscope_and_laser_find_the_way_through_the_room(drive):
    """The bar: 60 s, 540 rays at 50 Hz with 12 mm noise, below 0.02 m and 0.5°."""
    far, turned = drive.errors(localise(drive.encoders, drive.gyro, [(SCANNER, drive.scans)], of_velma()))
    assert far < 0.02
    assert turned < 0.5


def test_the_laser_alone_does_too(drive):
    first = drive.scans[:1000]
    far, turned = drive.errors(localise(np.zeros((0, 5)), NOTHING, [(SCANNER, first)], of_velma()))
    assert far < 0.02
    assert turned < 0.5


def test_wheels_alone_do_not_feel_the_slip(drive):
    pose, path = Pose(0.0, 0.0, 0.0), []
    for time, *change in np.diff(drive.encoders, axis=0, prepend=drive.encoders[:1]):
        pose = roll(pose, Wheels(*change), VELMA)
        path.append((time, *pose))
    far, _ = drive.errors(np.array(path))
    assert far > 0.02


def test_lost_echoes_and_things_in_the_way_do_not_mislead_it(drive):
    """Every tenth ray returns nothing, every tenth hits something that is not on the map."""
    spoiled = drive.scans[:1000].copy()
    spoiled[:, 1::10] = np.inf
    spoiled[:, 2::10] *= np.random.default_rng(2).uniform(0.2, 1.0, spoiled[:, 2::10].shape)
    far, turned = drive.errors(localise(drive.encoders[:1000], drive.gyro[:1000], [(SCANNER, spoiled)], of_velma()))
    assert far < 0.02
    assert turned < 0.5


def test_a_match_is_as_good_as_its_covariance_says():
    chance, matcher = np.random.default_rng(3), ScanMatcher()
    matcher.learn(SCANNER.points(cast(Pose(0.0, 0.0, 0.0))), Pose(0.0, 0.0, 0.0))
    true = Pose(0.12, -0.08, 0.06)
    misses = []
    for _ in range(40):
        match = matcher.match(SCANNER.points(blurred(true, chance)), Pose(0.0, 0.0, 0.0))
        misses.append(np.subtract(match.pose, true))
    scatter = np.std(misses, axis=0) / np.sqrt(np.diag(match.covariance))
    assert np.all((scatter > 0.5) & (scatter < 2.0))
    assert np.abs(np.mean(misses, axis=0)).max() < 0.002


def test_along_an_aisle_the_laser_knows_nothing_and_says_so():
    """Two bare walls: the wheels say how far, the laser where between the walls."""
    chance, matcher = np.random.default_rng(4), ScanMatcher()
    start = Pose(0.0, 0.0, 0.0)
    matcher.learn(SCANNER.points(blurred(start, chance, walls=AISLE)), start)
    match = matcher.match(SCANNER.points(blurred(Pose(0.0, 0.1, 0.0), chance, walls=AISLE)), start)
    spread, ways = np.linalg.eigh(match.covariance[:2, :2])
    assert math.sqrt(spread[0]) < 0.002 and abs(ways[1, 0]) > 0.999  # across
    assert math.sqrt(spread[1]) > 1.0  # along
    assert match.pose.y == pytest.approx(0.1, abs=0.005)
    assert abs(match.pose.x) < 1e-3  # where it was guessed


def test_along_an_aisle_the_wheels_say_how_far():
    """12 s at 0.4 m/s: noise of the walls' normals must not hold it back."""
    chance, encoders, scans = np.random.default_rng(5), [], []
    for k in range(600):
        time, x = k * PERIOD, 0.4 * k * PERIOD
        encoders.append((time, *[x / VELMA.radius] * 4))
        scans.append((time, *blurred(Pose(x, 0.2, 0.0), chance, walls=AISLE)))
    found = localise(np.array(encoders), NOTHING, [(SCANNER, np.array(scans))], of_velma())
    assert found[-1, 1] == pytest.approx(0.4 * 599 * PERIOD, abs=0.002)
    assert np.abs(found[:, 2]).max() < 0.005 and np.abs(found[:, 3]).max() < 0.005


def test_what_was_never_seen_gives_no_pose():
    matcher, points = ScanMatcher(), SCANNER.points(cast(Pose(0.0, 0.0, 0.0)))
    assert matcher.match(points, Pose(0.0, 0.0, 0.0)) is None
    matcher.learn(points, Pose(0.0, 0.0, 0.0))
    assert matcher.match(points, Pose(30.0, 0.0, 0.0)) is None
    assert not of_velma().scan(0.0, points)


def test_a_scan_that_hits_nothing_is_no_map():
    localiser, nothing = of_velma(), SCANNER.points(np.full(540, np.inf))
    assert not localiser.scan(0.0, nothing)
    assert localiser.matcher.empty


def test_a_scan_from_close_by_adds_nothing_to_the_map():
    matcher, points = ScanMatcher(), SCANNER.points(cast(Pose(0.0, 0.0, 0.0)))
    assert matcher.learn(points, Pose(0.0, 0.0, 0.0))
    assert not matcher.learn(points, Pose(0.1, 0.0, 0.0))
    assert matcher.learn(points, Pose(0.4, 0.0, 0.0))
    assert matcher.learn(points, Pose(0.0, 0.0, 0.5))


def test_points_are_those_of_the_body_and_only_good_ones():
    scanner = Scanner(np.array([0.0, math.pi / 2, 0.0, 0.0]), Pose(0.3, 0.0, -math.pi / 2))
    points = scanner.points([1.0, 2.0, math.inf, 0.01])
    np.testing.assert_allclose(points, [(0.3, -1.0), (2.3, 0.0)], atol=1e-12)


def test_two_scanners_that_fire_together_see_all_around():
    mounts = [Pose(0.0, -0.3, -math.pi / 2), Pose(0.0, 0.3, math.pi / 2)]
    chance, true = np.random.default_rng(5), [Pose(0.0, 0.0, 0.0), Pose(0.015, -0.01, 0.01)]
    scans = []
    for mount in mounts:
        rows = [(PERIOD * k, *blurred(compose(pose, mount), chance)) for k, pose in enumerate(true)]
        scans.append((Scanner(ANGLES, mount), np.array(rows)))
    found = localise(np.zeros((0, 5)), NOTHING, scans, of_velma())
    assert len(found) == 2
    assert distance(Pose(*found[1, 1:]), true[1]) < 0.005


def test_standing_still_shows_the_bias_of_the_gyroscope():
    chance, base = np.random.default_rng(6), BasePose(VELMA)
    for k in range(2000):
        base.gyro(GYRO_BIAS + GYRO_NOISE * chance.normal())
        base.encoders(k * 0.001, Wheels(1.0, 2.0, 3.0, 4.0))
    assert base.bias == pytest.approx(GYRO_BIAS, abs=3 * GYRO_NOISE / math.sqrt(2000))
    assert abs(base.pose.yaw) < 1e-3
    assert (base.pose.x, base.pose.y) == (0.0, 0.0)


def test_a_fix_from_another_world_is_not_believed():
    base = BasePose(VELMA)
    base.encoders(0.0, Wheels(0.0, 0.0, 0.0, 0.0))
    base.encoders(1.0, Wheels(1.0, 1.0, 1.0, 1.0))
    here = base.pose
    assert here.x == pytest.approx(VELMA.radius)
    sure = 1e-6 * np.eye(3)
    assert not base.fix(Match(Pose(5.0, 0.0, 0.0), sure, 1.0))
    assert base.pose == here
    assert base.fix(Match(Pose(here.x + 0.003, 0.0, 0.0), sure, 1.0))
    assert here.x < base.pose.x < here.x + 0.003
