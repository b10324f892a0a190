"""What the space robot knows at one instant, from the truth or from its sensors; the mission cannot tell which."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from cupola.control.space.homing import Three
from cupola.control.space.motion import Change, Joints, Measured, coordinate_rates, coordinates
from cupola.estimate.moving_mean import MovingMean
from cupola.estimate.tracked_pose import BASE, HAND, TARGET, Tracked, TrackedPose, Windows, mean, median
from cupola.kernel.observation import Observation
from cupola.physics.planar import Pose
from cupola.physics.rotation import euler_from_quaternion, wrap
from cupola.physics.space_arm import Constants, directions, hand_jacobian, hand_pose

FORCE_WINDOW = JOINT_WINDOW = 10
"""Samples of the means of the thesis's program."""
CORRECTION_WINDOW = 50
"""Samples over which the cameras correct the kinematics of the arm."""
BODIES = {"base": "base_mocap", "hand": "hand_mocap", "target": "target/mocap"}
"""The sensor that sees the markers of each."""
STEADY = Windows((median(1), mean(10)), (median(1), mean(10)), (median(1), mean(10)))
"""For a target, which nothing shakes: its rate is less noisy, and a little later."""


class View(NamedTuple):
    """One look."""

    measured: Measured | None
    """None: a body was never seen."""
    said: Three
    """[rad] joints by the encoders, from wherever these count."""
    joints: Three
    """[rad] the same with the offsets that are known."""
    rates: Three
    """[rad/s]."""
    finished: float
    """0: open, 1: soft grip, 2: hard grip, as the gripper says."""
    holding: bool
    age: float
    """[s] since base, hand and target were last seen, the longest of the three."""


class Eyes(Protocol):
    """Somebody who looks."""

    def see(self, sensors: Mapping[str, Any], obs: Observation, offsets: Three) -> View:
        """Look once; `offsets` [rad] are added to what encoders say that count from where they were switched on."""


class TruthEyes:
    """Exact poses and velocities; the push by a force sensor and an accelerometer, as anybody must measure it."""

    def __init__(self, tool_mass: float) -> None:
        self._tool_mass = tool_mass
        self._target_rate: Change | None = None

    def see(self, sensors: Mapping[str, Any], obs: Observation, offsets: Three) -> View:
        """Look once."""
        hand, target, joints = (sensors[name]() for name in ("hand_truth", "target/truth", "joints"))
        angles, speeds = _three(joints.angles), _three(joints.speeds)
        rate = _rate(target)
        acceleration = difference(rate, self._target_rate or rate, obs.period)
        self._target_rate = rate
        m = Measured(
            base=Pose(obs.pos_w.x, obs.pos_w.y, euler_from_quaternion(obs.quat_wb).yaw),
            base_rate=Change(obs.vel_w.x, obs.vel_w.y, obs.rate_b.z),
            joints=Joints(*angles),
            joint_rates=Joints(*speeds),
            hand=_pose(hand),
            hand_rate=_rate(hand),
            target=_pose(target),
            target_rate=rate,
            target_acceleration=acceleration,
            push=push_felt(sensors["force"](), sensors["gripper_imu"](), self._tool_mass),
            time=obs.time,
        )
        grip = sensors["grip"]()
        return View(m, angles, angles, speeds, grip.finished, grip.holding > 0.5, 0.0)


class SensorEyes:
    """Motion capture, encoders, force sensor and accelerometer, with the filters of the thesis's program."""

    windows: Mapping[str, Windows] = {"base": BASE, "hand": HAND, "target": TARGET}
    force_window, joint_window = FORCE_WINDOW, JOINT_WINDOW

    def __init__(self, tool_mass: float) -> None:
        self._tool_mass = tool_mass
        self._filters = {body: TrackedPose(windows) for body, windows in self.windows.items()}
        self._tracked: dict[str, Tracked] = {}
        self._number: dict[str, int] = {}
        self._age = dict.fromkeys(BODIES, 0.0)
        self._push, self._rates = MovingMean(self.force_window), MovingMean(self.joint_window)
        self._target_rate: Change | None = None

    def see(self, sensors: Mapping[str, Any], obs: Observation, offsets: Three) -> View:
        """Look once."""
        for body, name in BODIES.items():
            self._track(body, sensors[name], obs.period)
        said, joints, now = _joints(sensors, offsets)
        one, two, three = (float(rate) for rate in self._rates.add(now))
        grip = sensors["grip"]()
        m = self._measured(sensors, obs, joints, (one, two, three)) if len(self._tracked) == len(BODIES) else None
        finished, holding = (grip.finished, grip.holding > 0.5) if grip else (0.0, False)
        return View(m, said, joints, (one, two, three), finished, holding, max(self._age.values()))

    def _track(self, body: str, sensor: Any, period: float) -> None:
        """Take a sample if there is a new one; lost ones only make the step longer."""
        self._age[body] += period
        number = sensor.newest()
        if number is None or number == self._number.get(body):
            return
        steps = number - self._number.get(body, number - 1)
        pose = _pose(sensor())
        self._tracked[body] = self._filters[body].add(*pose, steps / sensor.part.rate_hz)
        self._number[body], self._age[body] = number, 0.0

    def _measured(self, sensors: Mapping[str, Any], obs: Observation, joints: Three, rates: Three) -> Measured:
        base, hand, target = (self._tracked[body] for body in BODIES)
        rate = Change(*target[3:])
        acceleration = difference(rate, self._target_rate or rate, obs.period)
        self._target_rate = rate
        felt = push_felt(sensors["force"](), sensors["gripper_imu"](), self._tool_mass)
        return Measured(
            base=Pose(*base[:3]),
            base_rate=Change(*base[3:]),
            joints=Joints(*joints),
            joint_rates=Joints(*rates),
            hand=Pose(*hand[:3]),
            hand_rate=Change(*hand[3:]),
            target=Pose(*target[:3]),
            target_rate=rate,
            target_acceleration=acceleration,
            push=float(self._push.add(felt)),
            time=obs.time,
        )


class ArmEyes(SensorEyes):
    """The same, but the hand is where base and encoders say, and the cameras correct that slowly.

    Encoders are quick and fine; differences of filtered poses are late by a tenth of a second, too late for contact.
    """

    windows: Mapping[str, Windows] = {**SensorEyes.windows, "target": STEADY}
    force_window = joint_window = 3

    def __init__(self, tool_mass: float, arm: Constants) -> None:
        super().__init__(tool_mass)
        self._arm, self._correction = arm, MovingMean(CORRECTION_WINDOW)

    def _measured(self, sensors: Mapping[str, Any], obs: Observation, joints: Three, rates: Three) -> Measured:
        m = super()._measured(sensors, obs, joints, rates)
        q, v = coordinates(m), coordinate_rates(m)
        hand, j = hand_pose(q, self._arm), hand_jacobian(directions(q, self._arm), self._arm)
        x, y, yaw = self._correction.add([m.hand.x - hand.x, m.hand.y - hand.y, wrap(m.hand.yaw - hand.yaw)]).tolist()
        return m._replace(
            hand=Pose(hand.x + x, hand.y + y, hand.yaw + yaw),
            hand_rate=Change(*(sum(a * b for a, b in zip(row, v, strict=True)) for row in j)),
        )


def push_felt(force: Any, imu: Any, tool_mass: float) -> float:
    """[N] of the hand on what it touches, along its x axis: what the sensor feels, less the inertia beyond it.

    A gripper that is accelerated pulls at the sensor as if something held it back; this is why the thesis could not
    measure contact on the robot, which had no accelerometer there.
    """
    return float(-force.force_s.x - tool_mass * imu.accel_s.x)


def difference(now: Change, before: Change, period: float) -> Change:
    """Rate of change."""
    return Change((now.x - before.x) / period, (now.y - before.y) / period, (now.yaw - before.yaw) / period)


def _joints(sensors: Mapping[str, Any], offsets: Three) -> tuple[Three, Three, Three]:
    """What the encoders say of shoulder, elbow and wrist, the angles that this means, and their rates.

    On the robot shoulder and wrist count backward, and the elbow's encoder turns with the shoulder too.
    """
    if "encoders" not in sensors:
        angles, speeds = sensors["joints"]()
        return _three(angles), _three(angles), _three(speeds)
    said, rates = (_uncoupled(_three(three)) for three in sensors["encoders"]())
    one, two, three = (angle + offset for angle, offset in zip(said, offsets, strict=True))
    return said, (one, two, three), rates


def _uncoupled(said: Three) -> Three:
    return -said[0], said[1] + said[0], -said[2]


def _pose(reading: Any) -> Pose:
    return Pose(reading.pos_w.x, reading.pos_w.y, euler_from_quaternion(reading.quat_ws).yaw)


def _rate(truth: Any) -> Change:
    return Change(truth.vel_w.x, truth.vel_w.y, truth.rate_s.z)


def _three(values: Any) -> Three:
    one, two, three = values[:3]
    return one, two, three
