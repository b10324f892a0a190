"""What the mission of the space robot remembers, and where that lies in its array: the numbers of the robot first,
then what the mission itself keeps, what it saw last, and the rows of the filters.
"""

from typing import NamedTuple

from cupola.control.space.base import Layout, StationState
from cupola.control.space.homing import Homing, Stops
from cupola.control.space.motion import DesiredMotion, Joints, Plan
from cupola.control.space.payload_inertia import Load
from cupola.control.space.room import PACES, Ranges
from cupola.control.space.signals import (
    SpaceSignals,
)
from cupola.control.space.states import (
    Signs,
)
from cupola.control.space.view import MEMORY as FILTER_ROWS
from cupola.control.space.view import Place, Setting, View
from cupola.estimate.windows import ROW
from cupola.kernel.records import reader, size, writer
from cupola.physics.planar import Pose
from cupola.physics.space_arm import Arm
from cupola.physics.space_task import Actuated, Task
from cupola.xmath import Number

NO_MOTION = DesiredMotion(Task(0.0, 0.0, 0.0, 0.0), Task(0.0, 0.0, 0.0, 0.0), Task(0.0, 0.0, 0.0, 0.0))


class Fixed(NamedTuple):
    """Numbers of the robot and its target."""

    place: Place
    setting: Setting
    arm: Arm
    load: Load
    ranges: Ranges
    stops: Stops
    nozzles: Layout
    thrust: Number
    """[N] of one nozzle; 0: there are none."""
    shortest: Number
    """[s] of a pulse."""
    motors: Actuated
    """[N m] that wheel and joint motors give at most."""
    fastest: Number
    """[rad/s] of the wheel."""
    faint: Number
    """[N m] in the place of none."""


class Clock(NamedTuple):
    """Where the mission is, since when [s], and how long some conditions have been true [s]."""

    now: Number = 0.0
    entered: Number = 0.0
    started: Number = 0.0
    """[s] of the plan."""
    near: Number = 0.0
    away: Number = 0.0
    still: Number = 0.0


class Aim(NamedTuple):
    """Values stored at the start of a state."""

    known: Number = 0.0
    """1: the yaw of the base to be kept is known."""
    yaw: Number = 0.0
    latched: Joints = Joints(0.0, 0.0, 0.0)
    plan: Plan = Plan(Pose(0.0, 0.0, 0.0), Pose(0.0, 0.0, 0.0), 0.0, 1.0)
    tries: Number = 0.0
    place: Pose = Pose(0.0, 0.0, 0.0)
    """Of the base, for the thrusters to keep."""


class Body(NamedTuple):
    """Its actions."""

    held: Number = 0.0
    """[N] push, remembered."""
    order: Number = 0.0
    """To the gripper."""
    asked: Actuated = Actuated(0.0, 0.0, 0.0, 0.0)
    """[N m] sent last."""
    valves: Joints = Joints(0.0, 0.0, 0.0)
    keeps: Number = 0.0
    """1: thrusters keep the place."""
    keeping: StationState = StationState()
    homing: Homing = Homing()
    steers: Number = 0.0
    """1: there is a reference."""
    reference: DesiredMotion = NO_MOTION
    blend: Number = 0.0
    push_wanted: Number = 0.0


class Kept(NamedTuple):
    """State of the mission."""

    clock: Clock
    aim: Aim
    body: Body


FIRST_KEPT = Kept(Clock(), Aim(), Body())
KEPT_AT = size(Fixed)
TRIED_AT = KEPT_AT + size(Kept)
VIEW_AT = TRIED_AT + len(PACES)
FILTERS_AT = VIEW_AT + size(View)
SIGNS = size(Signs)
LENGTH = FILTERS_AT + FILTER_ROWS * ROW
read_fixed, read_kept, read_signs = reader(Fixed), reader(Kept), reader(Signs)
write_kept, write_view, write_signs, write_signals = writer(Kept), writer(View), writer(Signs), writer(SpaceSignals)
