"""The whole capture in one controller: homing, approach, contact, soft grip, hard grip, rest.

Which state follows which is the table in `states.py`; what the robot sees comes from `state_source.py`, truth or
sensors; how the arm reaches for the target is the impedance law of `impedance.py`, blended by the push alone, how it is
held in between `payload_inertia.py`, how fast it goes to a moving target `room.py`; `mission_law.py` joins them.
"""

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from cupola.build.long_law import LongLaw
from cupola.build.readings import Readings
from cupola.config.controller import parameter
from cupola.config.robot import Robot
from cupola.control.space.base import Layout, Push
from cupola.control.space.controllers import SpaceImpedanceByForce
from cupola.control.space.homing import NONE, Stops
from cupola.control.space.mission_law import fly
from cupola.control.space.mission_memory import FIRST_KEPT, KEPT_AT, LENGTH, Fixed, Kept
from cupola.control.space.mission_signs import CLOSE, FOLD, GO_ON, STOP, STRAIGHT
from cupola.control.space.motion import Joints
from cupola.control.space.robot_arm import (
    arm_of,
    check_sensors,
    chosen,
    faint_of,
    layout_of,
    load_of,
    push_noise_of,
    ranges_of,
    reach_of,
    start_posture_of,
    stops_of,
    stretched_of,
    tilt_of,
    wheel_of,
)
from cupola.control.space.room import Ranges
from cupola.control.space.signals import SpaceSignals
from cupola.control.space.state_source import setting_of
from cupola.control.space.states import NAMES
from cupola.control.space.view import SENSORS, Place
from cupola.kernel.observation import Observation, Reference
from cupola.kernel.records import construct, flat, size

log = logging.getLogger("cupola")
FAINT = 1e-4
"""[N m] the safe torque: at exactly zero the drivers fail (Cepheus thesis, appendix B.2)."""
QUIET = 3.0
"""Times the spread of the force sensor that a touch must be."""
NO_NOZZLES = Layout(Push(0.0, 0.0, 0.0), Push(0.0, 0.0, 0.0), Push(0.0, 0.0, 0.0))
KEPT_OFF = 0.25 / 0.963
"""Of the stretched arm, that the target keeps from the centre of the base (Cepheus thesis, appendix C.2: 0.25 m, which
its program declares and never reads)."""
CHANNELS = 10
"""Torques, grip, thrusters, reset, tare."""


def _posture_parameter(joint: int, about: str) -> parameter:
    """A choice of its own, so that any angle goes."""
    return chosen(lambda robot, c: math.degrees(start_posture_of(robot, c)[joint]), -180, 180, "°", about)


class SpaceMission(SpaceImpedanceByForce):
    """Captures a floating target: homing, approach, touch, grip, rest; or states why it failed."""

    phases = NAMES
    channel_words: ClassVar[Mapping[int, str]] = {
        STOP: "stop",
        CLOSE: "safe-close",
        FOLD: "safe posture",
        GO_ON: "go on",
    }
    faint_most: ClassVar[float] = FAINT
    long_law = staticmethod(fly)
    State = staticmethod(lambda: (0.0,) * LENGTH)
    sees = SENSORS

    homing: parameter = parameter(
        0, low=0, high=1, about="1: find the end stops first; 0: it was switched on in its posture"
    )
    grip: parameter = parameter(1, low=0, high=1, about="0: stay in contact and never grip")
    tries: parameter = parameter(3, low=1, high=100, about="approaches until it gives up")
    guard: parameter = parameter(
        STRAIGHT, low=0, high=1, unit="1", about="|sin q2| below which the elbow counts as straight"
    )
    touch: parameter = chosen(
        lambda robot, c: 0.03 * load_of(robot, c).mass, 0.0, 1e6, "N", "of measured push that counts as contact"
    )
    catch_distance: parameter = chosen(
        lambda robot, c: 0.8 * reach_of(robot, c), 1e-6, 50, "m", "of hand and target, along and across"
    )
    catch_turn: parameter = chosen(lambda robot, c: 0.57 * tilt_of(robot, c), 0.01, 1.0, "rad", "the same, turned")
    catch_time: parameter = parameter(0.3, low=0.0, high=10.0, unit="s", about="for which they must be so close")
    safety_distance: parameter = chosen(
        lambda robot, c: KEPT_OFF * stretched_of(robot, c),
        0.0,
        50,
        "m",
        "that the grip of the target keeps from the base",
    )
    posture_1: parameter = _posture_parameter(0, "shoulder before the approach; unless given, as at the start")
    posture_2: parameter = _posture_parameter(1, "elbow")
    posture_3: parameter = _posture_parameter(2, "wrist")
    posture_time: parameter = parameter(10.0, low=0.1, high=100.0, unit="s", about="to get there")
    hold_frequency: parameter = parameter(
        2.0, low=0.1, high=20.0, unit="rad/s", about="of the joints where they are held"
    )
    station: parameter = parameter(0, low=0, high=1, about="1: once it holds the target, thrusters keep its place")
    rotor: parameter = parameter(
        robot=lambda robot, c: arm_of(robot, c).rotor1,
        low=0,
        high=1e3,
        unit="kg m²",
        about="inertia of a motor as its joint feels it",
    )

    def __init__(self, **values: Any) -> None:
        self.faint = self.faint_most
        """[N m] that the drivers get while nothing shall move."""
        super().__init__(**values)

    def accept(self, robot: Robot, channel: int) -> None:
        """Learn target, stops, nozzles and wheel too; refuse a robot that lacks what the mission looks at."""
        super().accept(robot, channel)
        self.faint = faint_of(robot, channel, self.faint_most)
        self.safe_command = (*[self.faint] * 4, None)
        self.load = load_of(robot, channel)
        self.ranges = ranges_of(robot, channel)
        self.nozzles = self._mild(layout_of(robot, channel), robot.name)
        self.fastest: float = wheel_of(robot, channel).speed_max
        """[rad/s] of the wheel."""
        self.stops = stops_of(robot, channel, self.constants)
        self.noise = push_noise_of(robot)
        """[N] of a push."""
        self._check_choices()

    def _mild(self, nozzles: tuple[Layout, float, float] | None, name: str) -> tuple[Layout, float, float] | None:
        """Thrusters, unless together they turn the robot faster than its motors may: then nothing could hold it."""
        if nozzles is None:
            return None
        layout, thrust, _ = nozzles
        turning = thrust * math.fsum(abs(push.torque) for push in layout)
        if turning <= self.most:
            return nozzles
        log.warning(
            "%s: its thrusters turn it with %.3g N m, more than the %.3g N m that its motors may give (most): they are "
            "not used, and nothing unloads its wheel", name, turning, self.most,
        )  # fmt: skip
        return None

    def on_tune(self, name: str) -> None:
        """Nothing is computed ahead; a choice that the robot cannot follow is refused."""
        self._check_choices()

    def _check_choices(self) -> None:
        check_sensors(self.robot, round(self.eyes), ("grip",))
        if self.touch < QUIET * self.noise:
            raise ValueError(
                f"touch: it would take the noise of its push, {self.noise:.3g} N, for a touch of {self.touch:.3g} N"
            )
        if self.station > 0.5 and self.nozzles is None:
            raise ValueError("station: the robot has no pairs of thrusters to keep its place with")
        posture = self.posture_1, self.posture_2, self.posture_3
        for k, (angle, (low, high)) in enumerate(zip(posture, self.ranges, strict=True)):
            if not low <= math.radians(angle) <= high:
                raise ValueError(
                    f"posture_{k + 1}: {angle:g}° is beyond the end stops of the joint, {math.degrees(low):.4g}° and "
                    f"{math.degrees(high):.4g}°"
                )
        if self.homing > 0.5 and self.stops is None:
            raise ValueError("homing: a joint of the robot has no end stop to be found")

    def reset(self) -> None:
        """Nothing seen, nothing known; what was chosen since it met the robot is refused here."""
        super().reset()
        if self.chain is not None:
            self._check_choices()
        self.state = self._first_state()
        self._plain: LongLaw | None = None

    def _first_state(self) -> np.ndarray[Any, Any]:
        """The numbers of the robot, a mission that has not begun, and empty filters."""
        state = np.zeros(LENGTH)
        if self.chain is not None:
            state[:KEPT_AT] = flat(self._fixed())
        state[KEPT_AT : KEPT_AT + size(Kept)] = flat(FIRST_KEPT)
        return state

    def _fixed(self) -> Fixed:
        at = Readings(self.sensors, SENSORS).at
        place = Place(*(float(at.get(name, -1)) for name in SENSORS))
        setting = setting_of(self.sensors, round(self.eyes), self.tool_mass, self.chain)
        low, high = (Joints(*(pair[side] for pair in self.ranges)) for side in (0, 1))
        layout, thrust, shortest = self.nozzles or (NO_NOZZLES, 0.0, 0.0)
        stops = self.stops or Stops(NONE, NONE, NONE, NONE)
        numbers = thrust, shortest, self.motors, self.fastest, self.faint
        return Fixed(place, setting, self.arm, self.load, Ranges(low, high), stops, layout, *numbers)

    def take_over(self, obs: Observation, before: Any) -> Any:
        """From the beginning."""
        return self._first_state()

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """The law where the world does not call it itself: served to another process, or uncompiled."""
        if self._plain is None:
            self._plain = LongLaw(self, self.state, CHANNELS)
        return self._plain.step(obs, ref)

    def memory(self) -> dict[str, Any]:
        """All but where in the world the samples lie."""
        self._plain = None
        return super().memory()

    def remember(self, memory: dict[str, Any]) -> None:
        """The law then works on what was kept."""
        super().remember(memory)
        self._plain = None

    def signals(self) -> SpaceSignals:
        """What it told last, where the world does not keep that."""
        assert self._plain is not None
        found: SpaceSignals = construct(SpaceSignals, self._plain.told.tolist())
        return found

    def mission(self, obs: Observation, ref: Reference, state: Any) -> str:
        """The state of the table."""
        return NAMES[int(state[KEPT_AT])]


class SpaceMissionSimulated(SpaceMission):
    """The same for motor drivers that accept a torque of exactly zero: the robot of the thesis's simulation."""

    faint_most = 0.0
    smallest: parameter = parameter(
        0.0, low=0, high=1, unit="N m", about="sent in the place of exactly zero; these drivers take that"
    )
