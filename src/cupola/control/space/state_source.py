"""What the space robot knows at one instant, from the truth or from its sensors; the mission cannot tell which.

One compiled function turns the newest samples into a `View`; what it must remember lies in the rows of an array.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cupola.build.readings import Readings
from cupola.control.space.motion import Change, Joints, Measured, coordinate_rates, coordinates
from cupola.control.space.sensed import gas_share, joints_said, push_felt, wheel_speed
from cupola.control.space.view import (
    AGE,
    BODIES,
    CORRECTION,
    CORRECTION_WINDOW,
    ENCODERS,
    FILTERED,
    KEPT,
    LONG,
    MEMORY,
    NUMBERS,
    PUSH,
    RATE_Z,
    RATES,
    SENSORS,
    SHORT_WINDOW,
    TARGET_BEFORE,
    THESIS_WINDOW,
    TRUTH,
    VELOCITY,
    WINDOWS,
    Array,
    Now,
    Place,
    Setting,
    View,
    read_constants,
    read_now,
    read_place,
    read_setting,
    read_tracked,
    read_windows,
    write_tracked,
    write_view,
)
from cupola.estimate.tracked_pose import JUMP, ROWS, Tracked, track
from cupola.estimate.windows import ROW, mean_with
from cupola.kernel.jit import jit
from cupola.kernel.observation import Observation
from cupola.kernel.records import construct, flat, size
from cupola.physics.planar import Pose
from cupola.physics.rotation import Quaternion, euler_from_quaternion, wrap
from cupola.physics.space_arm import Constants, Coordinates, directions, hand_jacobian, hand_pose
from cupola.xmath import Number


class Eyes:
    """A source of measurements: sensors, filters and their states."""

    def __init__(self, sensors: Mapping[str, Any], eyes: int, tool_mass: float, arm: Constants, chain: Any) -> None:
        self.readings = Readings(sensors, SENSORS)
        self.memory: Array = np.zeros((MEMORY, ROW))
        self.eyes = eyes
        self._place = np.array([self.readings.at.get(name, -1) for name in SENSORS], float)
        self._setting = np.array(flat(setting_of(sensors, eyes, tool_mass, chain)))
        self._windows = np.array(WINDOWS[eyes])
        self._arm = np.array(flat(arm))
        self._now, self.found = np.zeros(size(Now)), np.zeros(size(View))

    def see(self, obs: Observation, offsets: Sequence[float]) -> View:
        """Look once."""
        base, rate = obs.pos_w, obs.vel_w
        yaw = euler_from_quaternion(obs.quat_wb).yaw
        self._now[:] = (obs.time, obs.period, base.x, base.y, yaw, rate.x, rate.y, obs.rate_b.z, *offsets)
        numbers = self.readings.read()
        look(numbers, self._place, self._setting, self._windows, self._arm, self._now, self.memory, self.found)
        view: View = construct(View, self.found.tolist())
        return view


def setting_of(sensors: Mapping[str, Any], eyes: int, tool_mass: float, chain: Any) -> Setting:
    """From the parts behind the sensors."""

    def which(name: str, joint: str) -> float:
        joints = sensors[name].part.joints if name in sensors else []
        return float(joints.index(joint)) if joint in joints else -1.0

    def all_of(name: str) -> Joints:
        one, two, three = (which(name, joint) for joint in chain.joints)
        return Joints(one, two, three)

    coded = sensors["encoders"].part if "encoders" in sensors else None
    backward, with_other = (coded.reversed, coded.coupled) if coded else ([], {})
    signs = [-1.0 if joint in backward else 1.0 for joint in chain.joints]
    others = [with_other.get(joint) for joint in chain.joints]
    coupled = [float(chain.joints.index(other)) if other in chain.joints else -1.0 for other in others]
    base, hand, target = (sensors[name].part.rate_hz if name in sensors else 1.0 for name in BODIES)
    exact, coded_joints = all_of("joints"), all_of("encoders")
    return Setting(
        float(eyes),
        tool_mass,
        base,
        hand,
        target,
        exact,
        _count(sensors, "joints"),
        which("joints", chain.wheel),
        coded_joints,
        _count(sensors, "encoders"),
        Joints(*signs),
        1.0 if coded and coded.incremental else 0.0,
        Joints(*coupled),
    )


def _count(sensors: Mapping[str, Any], name: str) -> float:
    return float(len(sensors[name].part.joints)) if name in sensors else 0.0


def followed(
    numbers: Array, at: int, memory: Array, body: int, windows: Array, rate_hz: Number, period: Number
) -> Tracked:
    """A body before the cameras: filtered when there is a new sample; lost ones only make the step longer."""
    rows, kept = memory[ROWS * body : ROWS * (body + 1)], memory[AGE]
    kept[body] += period
    number, before = numbers[at] + 1.0, memory[NUMBERS, body]
    last = ROWS * (body + 1) - 1
    if number > 0.0 and number != before:
        steps = number - before if before > 0.0 else 1.0
        pose = seen_pose(numbers, at + 1)
        found = track(rows, read_windows(windows[body], 0), pose.x, pose.y, pose.yaw, steps / rate_hz, JUMP)
        memory[NUMBERS, body], kept[body] = number, 0.0
        write_tracked(memory[last], KEPT, found)
    tracked: Tracked = read_tracked(memory[last], KEPT)
    return tracked


def seen_pose(numbers: Array, at: int) -> Pose:
    """From place and quaternion."""
    turn = Quaternion(numbers[at + 3], numbers[at + 4], numbers[at + 5], numbers[at + 6])
    return Pose(numbers[at], numbers[at + 1], euler_from_quaternion(turn).yaw)


def true_rate(numbers: Array, at: int) -> Change:
    """Of a `truth` part: velocity in the world, rate about its own vertical."""
    return Change(numbers[at + VELOCITY], numbers[at + VELOCITY + 1], numbers[at + RATE_Z])


def since_before(kept: Array, rate: Change, period: Number) -> Change:
    """Rate of change since the look before; none at the first one."""
    change = Change(0.0, 0.0, 0.0)
    if kept[3] > 0.0:
        change = Change((rate.x - kept[0]) / period, (rate.y - kept[1]) / period, (rate.yaw - kept[2]) / period)
    kept[0], kept[1], kept[2], kept[3] = rate.x, rate.y, rate.yaw, 1.0
    return change


def by_encoders(m: Measured, memory: Array, arm: Constants) -> Measured:
    """The hand where base and encoders say, and the cameras correct that slowly.

    Encoders are quick and fine; differences of filtered poses are late by a tenth of a second, too late for contact.
    """
    q, v = coordinates(m), coordinate_rates(m)
    hand, j = hand_pose(q, arm), hand_jacobian(directions(q, arm), arm)
    off = Pose(
        mean_with(long_row(memory, 0), CORRECTION_WINDOW, m.hand.x - hand.x),
        mean_with(long_row(memory, 1), CORRECTION_WINDOW, m.hand.y - hand.y),
        mean_with(long_row(memory, 2), CORRECTION_WINDOW, wrap(m.hand.yaw - hand.yaw)),
    )
    rate = Change(along(j.x, v), along(j.y, v), along(j.yaw, v))
    place = Pose(hand.x + off.x, hand.y + off.y, hand.yaw + off.yaw)
    return Measured(
        m.base,
        m.base_rate,
        m.joints,
        m.joint_rates,
        place,
        rate,
        m.target,
        m.target_rate,
        m.target_acceleration,
        m.push,
        m.time,
    )


def long_row(memory: Array, k: int) -> Array:
    """One of the windows of the correction, which are longer than a row."""
    first = CORRECTION + LONG * k
    return memory[first : first + LONG].reshape(LONG * ROW)


def along(row: Coordinates, v: Coordinates) -> Number:
    """A row of a Jacobian times rates."""
    return row.x * v.x + row.y * v.y + row.yaw * v.yaw + row.q1 * v.q1 + row.q2 * v.q2 + row.q3 * v.q3


def looked(
    numbers: Array, at: Place, p: Setting, windows: Array, arm: Constants, t: Now, eyes: Number, memory: Array
) -> View:
    """One look, from the newest samples."""
    joints = joints_said(numbers, at, p, t.offsets, eyes)
    period, window = t.period, THESIS_WINDOW if eyes == FILTERED else SHORT_WINDOW
    felt = push_felt(numbers, at, p.tool_mass)
    age, seen = 0.0, 1.0
    if eyes == TRUTH:
        rates, push = joints.rates, felt
        base, base_rate = t.base, t.base_rate
        hand, hand_rate = seen_pose(numbers, int(at.hand_truth) + 1), true_rate(numbers, int(at.hand_truth) + 1)
        target, rate = seen_pose(numbers, int(at.target_truth) + 1), true_rate(numbers, int(at.target_truth) + 1)
    else:
        rates = Joints(
            mean_with(memory[RATES], window, joints.rates.q1),
            mean_with(memory[RATES + 1], window, joints.rates.q2),
            mean_with(memory[RATES + 2], window, joints.rates.q3),
        )
        one = followed(numbers, int(at.base), memory, 0, windows, p.base_hz, period)
        two = followed(numbers, int(at.hand), memory, 1, windows, p.hand_hz, period)
        three = followed(numbers, int(at.target), memory, 2, windows, p.target_hz, period)
        age = max(memory[AGE, 0], memory[AGE, 1], memory[AGE, 2])
        seen = 1.0 if min(memory[NUMBERS, 0], memory[NUMBERS, 1], memory[NUMBERS, 2]) > 0.0 else 0.0
        base, base_rate = Pose(one.x, one.y, one.yaw), Change(one.rate_x, one.rate_y, one.rate_yaw)
        hand, hand_rate = Pose(two.x, two.y, two.yaw), Change(two.rate_x, two.rate_y, two.rate_yaw)
        target, rate = Pose(three.x, three.y, three.yaw), Change(three.rate_x, three.rate_y, three.rate_yaw)
        push = mean_with(memory[PUSH], window, felt) if seen > 0.0 else 0.0
    acceleration = Change(0.0, 0.0, 0.0)
    if seen > 0.0:
        acceleration = since_before(memory[TARGET_BEFORE], rate, period)
    m = Measured(base, base_rate, joints.angles, rates, hand, hand_rate, target, rate, acceleration, push, t.time)
    if eyes == ENCODERS and seen > 0.0:
        m = by_encoders(m, memory, arm)
    finished, holding = 0.0, 0.0
    if at.grip >= 0.0 and numbers[int(at.grip)] >= 0.0:
        finished, holding = numbers[int(at.grip) + 2], numbers[int(at.grip) + 3]
    wheel, gas = wheel_speed(numbers, at, p, eyes), gas_share(numbers, at)
    return View(m, seen, joints.said, joints.angles, rates, finished, holding, age, wheel, gas)


@jit
def look(
    numbers: Array, place: Array, setting: Array, windows: Array, arm: Array, now: Array, memory: Array, found: Array
) -> None:
    """`looked` from arrays to an array."""
    p = read_setting(setting, 0)
    view = looked(numbers, read_place(place, 0), p, windows, read_constants(arm, 0), read_now(now, 0), p.eyes, memory)
    write_view(found, 0, view)
