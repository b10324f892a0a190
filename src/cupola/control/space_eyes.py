"""What the space robot knows at one instant, from the truth or from its sensors; the mission cannot tell which."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol

from cupola.control.space_homing import Three
from cupola.control.space_motion import REST, Change, Joints, Measured
from cupola.engine.seen import Seen
from cupola.physics.planar import Pose
from cupola.physics.rotation import euler_from_quaternion

Sensors = Mapping[str, Callable[[], Any]]


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
    """[s] since each of base, hand and target was last seen, the oldest of the three."""


class Eyes(Protocol):
    """Somebody who looks."""

    def see(self, sensors: Sensors, seen: Seen, offsets: Three) -> View:
        """Look once; `offsets` [rad] are added to what the encoders say."""


class TruthEyes:
    """Exact poses and velocities; the push by a force sensor and an accelerometer, as anybody must measure it."""

    def __init__(self, tool_mass: float) -> None:
        self.tool_mass = tool_mass
        self._target_rate: Change | None = None

    def see(self, sensors: Sensors, seen: Seen, offsets: Three) -> View:
        """Look once."""
        hand, target, joints = (sensors[name]() for name in ("hand_truth", "target/truth", "joints"))
        angles, speeds = _three(joints.angles), _three(joints.speeds)
        rate = _rate(target)
        before = self._target_rate or rate
        self._target_rate = rate
        m = Measured(
            base=Pose(seen.pos_w.x, seen.pos_w.y, euler_from_quaternion(seen.quat_wb).yaw),
            base_rate=Change(seen.vel_w.x, seen.vel_w.y, seen.rate_b.z),
            joints=Joints(*angles),
            joint_rates=Joints(*speeds),
            hand=_pose(hand),
            hand_rate=_rate(hand),
            target=_pose(target),
            target_rate=rate,
            target_acceleration=Change(*((a - b) / seen.period for a, b in zip(rate, before, strict=True))),
            push=push_felt(sensors["force"](), sensors["gripper_imu"](), self.tool_mass),
            time=seen.time,
        )
        grip = sensors["grip"]()
        return View(m, angles, angles, speeds, grip.finished, grip.holding > 0.5, 0.0)


def push_felt(force: Any, imu: Any, tool_mass: float) -> float:
    """[N] of the hand on what it touches, along its x axis: what the sensor feels, less the inertia beyond it.

    A gripper that is accelerated pulls at the sensor as if something held it back; this is why the thesis could not
    measure contact on the robot, which had no accelerometer there.
    """
    return float(-force.force_s.x - tool_mass * imu.accel_s.x)


def _pose(reading: Any) -> Pose:
    return Pose(reading.pos_w.x, reading.pos_w.y, euler_from_quaternion(reading.quat_ws).yaw)


def _rate(truth: Any) -> Change:
    return Change(truth.vel_w.x, truth.vel_w.y, truth.rate_s.z)


def _three(values: Any) -> Three:
    one, two, three = values[:3]
    return one, two, three
