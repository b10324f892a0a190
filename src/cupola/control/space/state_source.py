"""What the space robot knows at one instant, from the truth or from its sensors; the mission cannot tell which.

One compiled function turns the newest samples into a `View`; what it must remember lies in the rows of an array.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cupola.build.readings import Readings
from cupola.control.space.motion import Change, Joints, Measured, coordinate_rates, coordinates
from cupola.estimate.tracked_pose import BASE, HAND, JUMP, ROWS, TARGET, Tracked, Windows, track
from cupola.estimate.windows import ROW, mean_with
from cupola.kernel.jit import jit
from cupola.kernel.observation import Observation
from cupola.kernel.records import construct, flat, leaves, reader, size, writer
from cupola.parts.sensors.truth import TruthReading
from cupola.physics.planar import Pose
from cupola.physics.rotation import Quaternion, euler_from_quaternion, wrap
from cupola.physics.space_arm import Constants, Coordinates, directions, hand_jacobian, hand_pose
from cupola.xmath import Number

TRUTH, FILTERED, ENCODERS = 0, 1, 2
"""Kinds of eyes: exact poses; sensors with the filters of the thesis; encoders first, corrected by the cameras."""
THESIS_WINDOW, SHORT_WINDOW = 10, 3
"""Samples of the means of push and joint rates: the thesis's program; with encoders first."""
CORRECTION_WINDOW = 50
"""Samples over which the cameras correct the kinematics of the arm."""
STEADY = Windows(-1.0, 10.0, -1.0, 10.0, -1.0, 10.0)
"""For a target, which nothing shakes: its rate is less noisy, and a little later."""
BODIES = ("base_mocap", "hand_mocap", "target/mocap")
"""Cameras that see the markers of base, hand and target."""
EXACT = ("hand_truth", "target/truth", "joints")
SENSORS = (*BODIES, *EXACT, "encoders", "force", "gripper_imu", "grip", "wheel_encoder", "gauge")
PUSH, RATES, CORRECTION, TARGET_BEFORE, NUMBERS, AGE = 21, 22, 25, 37, 38, 39
"""Rows of the memory after those of the three bodies: means of the push, of three rates, of the correction; the rate of
the target at the look before, with a mark whether there was one; of each body how many samples there were with the
newest; and its age [s]."""
MEMORY = 40
LONG = 4
"""Rows that a window of the correction takes."""
UNKNOWN = float("nan")
Array = np.ndarray[Any, Any]
Three = tuple[float, float, float]


class View(NamedTuple):
    """One look."""

    measured: Measured
    seen: float
    """1: all of that is known; 0: a body was never seen."""
    said: Joints
    """[rad] joints by the encoders, from wherever these count."""
    joints: Joints
    """[rad] the same with the offsets that are known."""
    rates: Joints
    """[rad/s]."""
    finished: float
    """0: open, 1: soft grip, 2: hard grip, as the gripper says."""
    holding: float
    age: float
    """[s] since base, hand and target were last seen, the longest of the three."""
    wheel: float
    """[rad/s] of the flywheel against the base; not a number where nothing tells it."""
    gas: float
    """[1] of the pressure behind the regulator; 1 where there is no gauge."""


class Place(NamedTuple):
    """Where the numbers of each sensor begin; -1: it is not there. In the order of `SENSORS`."""

    base: float
    hand: float
    target: float
    hand_truth: float
    target_truth: float
    joints: float
    encoders: float
    force: float
    imu: float
    grip: float
    wheel: float
    gauge: float


class Setting(NamedTuple):
    """Constant inputs of the measurement."""

    eyes: float
    tool_mass: float
    """[kg] beyond the force sensor."""
    base_hz: float
    hand_hz: float
    target_hz: float
    """Of the cameras."""
    exact: Joints
    """Which angles of `joints` are shoulder, elbow, wrist."""
    exact_count: float
    """How many it has."""
    exact_wheel: float
    """Which one is the flywheel; -1: none."""
    coded: Joints
    """The same of `encoders`."""
    coded_count: float
    sign: Joints
    """-1 where an encoder counts backward."""
    counted: float
    """1: they count from where they were switched on; 0: they know their angles."""
    coupled: Joints
    """Which of the three an encoder turns with, too; -1: none."""


class Now(NamedTuple):
    """Inputs from the world itself."""

    time: float
    period: float
    base: Pose
    base_rate: Change
    offsets: Joints
    """[rad] to add to what encoders say that count from where they were switched on."""


read_constants, read_setting, read_now, read_place = reader(Constants), reader(Setting), reader(Now), reader(Place)
read_windows, read_tracked = reader(Windows), reader(Tracked)
write_tracked, write_view = writer(Tracked), writer(View)
KEPT = 8
"""Where the last row of a body has what was tracked."""
VELOCITY, RATE_Z = leaves(TruthReading).index("vel_w.x"), leaves(TruthReading).index("rate_s.z")
WINDOWS = np.array([(BASE, HAND, TARGET), (BASE, HAND, TARGET), (BASE, HAND, STEADY)])
"""Of each kind of eyes."""


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


class SaidJoints(NamedTuple):
    """Angles by the encoders [rad], what they mean, and their rates [rad/s]."""

    said: Joints
    angles: Joints
    rates: Joints


def joints_said(numbers: Array, at: Place, p: Setting, offsets: Joints, eyes: Number) -> SaidJoints:
    """Shoulder, elbow and wrist: exact, or by encoders of which some count backward or turn with another joint."""
    if eyes == TRUTH or at.encoders < 0.0:
        first, count = int(at.joints) + 1, int(p.exact_count)
        angles, rates = three_of(numbers, first, p.exact), three_of(numbers, first + count, p.exact)
        return SaidJoints(angles, angles, rates)
    first, count = int(at.encoders) + 1, int(p.coded_count)
    said = uncoupled(three_of(numbers, first, p.coded), p)
    rates = uncoupled(three_of(numbers, first + count, p.coded), p)
    if p.counted < 0.5:
        return SaidJoints(said, said, rates)
    angles = Joints(said.q1 + offsets.q1, said.q2 + offsets.q2, said.q3 + offsets.q3)
    return SaidJoints(said, angles, rates)


def three_of(numbers: Array, first: int, which: Joints) -> Joints:
    """Numbers of the three joints among those of an encoder part."""
    return Joints(numbers[first + int(which.q1)], numbers[first + int(which.q2)], numbers[first + int(which.q3)])


def uncoupled(said: Joints, p: Setting) -> Joints:
    """Joint angles from encoder counts; an encoder may include the joint before it."""
    one = p.sign.q1 * said.q1
    two = p.sign.q2 * said.q2 - (one if p.coupled.q2 == 0.0 else 0.0)
    three = p.sign.q3 * said.q3
    if p.coupled.q3 == 0.0:
        three -= one
    elif p.coupled.q3 == 1.0:
        three -= two
    return Joints(one, two, three)


def push_felt(numbers: Array, at: Place, tool_mass: Number) -> Number:
    """[N] of the hand on what it touches, along its x axis: what the sensor feels, less the inertia beyond it.

    A gripper that is accelerated pulls at the sensor as if something held it back; this is why the thesis could not
    measure contact on the robot, which had no accelerometer there.
    """
    if at.force < 0.0 or numbers[int(at.force)] < 0.0:
        return 0.0
    felt = -numbers[int(at.force) + 1]
    if at.imu >= 0.0 and numbers[int(at.imu)] >= 0.0:
        felt -= tool_mass * numbers[int(at.imu) + 1]
    return felt


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


def wheel_speed(numbers: Array, at: Place, p: Setting, eyes: Number) -> Number:
    """[rad/s] of the flywheel against the base, by its own encoder or an exact one."""
    if eyes != TRUTH and at.wheel >= 0.0 and numbers[int(at.wheel)] >= 0.0:
        return numbers[int(at.wheel) + 2]
    if at.joints >= 0.0 and p.exact_wheel >= 0.0 and numbers[int(at.joints)] >= 0.0:
        return numbers[int(at.joints) + 1 + int(p.exact_count) + int(p.exact_wheel)]
    return UNKNOWN


def gas_share(numbers: Array, at: Place) -> Number:
    """[1] of the pressure that the bottle still holds."""
    return numbers[int(at.gauge) + 2] if at.gauge >= 0.0 and numbers[int(at.gauge)] >= 0.0 else 1.0


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
