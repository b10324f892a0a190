"""What the space robot sees at a look, what it is told for that, and where in its memory what it remembers lies."""

from typing import Any, NamedTuple

import numpy as np

from cupola.control.space.motion import Change, Joints, Measured
from cupola.estimate.tracked_pose import BASE, HAND, TARGET, Tracked, Windows
from cupola.kernel.records import leaves, reader, writer
from cupola.parts.sensors.truth import TruthReading
from cupola.physics.planar import Pose
from cupola.physics.space_arm import Constants

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
