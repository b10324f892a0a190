"""Motors on joints: a torque that is asked for becomes a current, a pulse width, and what the gear leaves of it.

`ideal`: the joint gets what is asked for. `geared`: the chain of a data sheet, and the rotor's inertia, seen through
the gear, in the joint.
"""

from typing import Any, ClassVar, Literal, NamedTuple

import mujoco
import numpy as np
from pydantic import Field

from cupola.parts.part import Actuator, Places, Row, row_type
from cupola.physics.drive import asked_current, gear_friction, motor_power, pulse, reachable_current
from cupola.xmath import Number, clip

DRY = {"solref_friction": [0.002, 1.0], "solimp_friction": [0.99, 0.999, 0.001, 0.5, 2.0]}
"""Friction of a joint: with MuJoCo's usual softness it creeps at any torque."""
BALANCED = 1e-14
"""Tolerance of MuJoCo's solver: with its usual 1e-8 an end stop costs 1e-5 of the momentum."""
FAILED, STRAIN, FRICTION, GAP, SPIN = 0, 1, 2, 3, 4
"""Its state: whether the driver has failed, for how long it gave more than it can for ever [s], dry friction at the
joint [N m]; where its gear has play, how far [rad] and how fast [rad/s] the motor turns ahead, seen behind the gear."""


class MotorNumbers(NamedTuple):
    """One motor, its gear and its driver."""

    ratio: float
    torque_constant: float
    believed_constant: float
    resistance: float
    voltage: float
    current_lasting: float
    current_max: float
    patience: float
    duty_low: float
    duty_high: float
    duty_steps: float
    efficiency: float
    dry: float
    speed_max: float
    backlash: float
    stiffness: float


class MotorOutput(NamedTuple):
    """What a motor does now."""

    torque: float
    """[N m] at the joint, before its friction."""
    current: float
    """[A]."""
    duty: float
    """[1] share of the period."""
    power: float
    """[W] from the battery."""
    failed: float
    """[1] whether the driver shows red."""


class JointMotor(Actuator):
    """Torque at a joint [N m] on one channel."""

    kind: Literal["joint_motor"]
    joint: str = Field(description="hinge of the model")
    model: Literal["ideal", "geared"] = Field("ideal", description="what is asked for, or the chain of the data sheets")
    ratio: float = Field(1.0, gt=0, description="turns of the motor per turn of the joint")
    reversed: bool = Field(False, description="the motor turns against the joint")
    torque_constant: float = Field(1.0, gt=0, description="[N m/A] of the motor")
    believed_constant: float | None = Field(
        None, gt=0, description="[N m/A] that the computer reckons with; the motor's unless given"
    )
    resistance: float = Field(1.0, gt=0, description="[ohm] of the winding")
    voltage: float = Field(24.0, gt=0, description="[V] of the supply")
    rotor_inertia: float = Field(0.0, ge=0, description="[kg m²] of all that turns with the motor")
    current_lasting: float = Field(1.0, gt=0, description="[A] that the driver gives for ever")
    current_max: float = Field(1.0, gt=0, description="[A] that it gives for a while")
    patience: float = Field(60.0, ge=0, description="[s] of that while")
    duty_low: float = Field(0.0, ge=0, lt=1, description="share of the period that means no current")
    duty_high: float = Field(1.0, gt=0, le=1, description="share that means the largest current")
    duty_steps: int = Field(0, ge=0, description="steps of a period; 0: exact")
    efficiency: float = Field(1.0, gt=0, le=1, description="of the gear")
    dry: float = Field(0.0, ge=0, description="[N m] dry friction at the joint")
    viscous: float = Field(0.0, ge=0, description="[N m s/rad] at the joint")
    backlash: float = Field(0.0, ge=0, description="[rad] play of the gear at the joint")
    stiffness: float = Field(300.0, gt=0, description="[N m/rad] of its teeth, where it has play")
    speed_max: float = Field(1e9, gt=0, description="[rad/s] of the joint beyond which it drives no further")
    fails_at_zero: bool = Field(False, description="a torque of exactly zero makes the driver fail, until it is reset")
    reset_channel: int = Field(-1, ge=-1, description="above 0.5 it resets the driver; -1: none")
    battery: str | None = Field(None, description="name of the battery part that feeds it")

    fixed = ("ratio", "rotor_inertia", "viscous", "backlash")
    _state_at: int = -1
    Output = MotorOutput
    acts_back: ClassVar[bool] = False
    """Whether the command is the torque on what carries the motor."""

    def used_channels(self) -> tuple[int, ...]:
        """Its torque, and the reset of its driver."""
        return (self.channel, self.reset_channel)

    def attach(self, spec: Any) -> None:
        """A torque at the joint, and what the gear adds to it."""
        joint = spec.joint(self.joint)
        if joint is None:
            names = ", ".join(one.name for one in spec.joints if one.name)
            raise ValueError(f"the model has no joint {self.joint!r}; its joints: {names}")
        motor = spec.add_actuator(name=self.joint, target=self.joint, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        motor.gainprm[0] = 1.0
        if self.model == "geared":
            if self.backlash == 0.0:
                joint.armature = joint.armature + self.reflected
            joint.damping[0] = joint.damping[0] + self.viscous
            for name, value in DRY.items():
                setattr(joint, name, value)

    @property
    def reflected(self) -> float:
        """Inertia of the rotor, seen behind the gear [kg m²]."""
        return self.ratio**2 * self.rotor_inertia

    def ahead_at(self) -> int:
        """Where the state has how far the motor turns ahead of its joint; -1 where it does not."""
        return self._state_at + GAP if self.model == "geared" and self.backlash > 0.0 else -1

    def configure(self, option: Any) -> None:
        """What floats keeps its momentum only as well as the solver balances contacts and end stops."""
        option.tolerance = BALANCED

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        row = np.zeros((), MOTOR)
        for name in MotorNumbers._fields:
            value = getattr(self, name)
            row[name] = self.torque_constant if value is None else value
        joint = places.joint(self.joint)
        row["angle"], row["speed"] = places.model.jnt_qposadr[joint], places.model.jnt_dofadr[joint]
        row["control"], row["channel"] = places.actuator(self.joint), places.channel(self.channel)
        row["reset"] = places.channel(self.reset_channel)
        row["geared"], row["fails_at_zero"] = self.model == "geared", self.fails_at_zero
        row["sign"] = -1 if self.acts_back else 1
        row["mounted"] = -1 if self.reversed else 1
        row["battery"] = -1 if self.battery is None else places.battery(self.battery)
        if self.model == "geared" and self.backlash > 0.0 and self.rotor_inertia == 0.0:
            raise ValueError("a gear with backlash needs the rotor_inertia behind it")
        row["inertia"] = self.reflected
        friction = self.dry if self.model == "geared" and self.backlash == 0.0 else 0.0
        row["state"] = self._state_at = places.state(0.0, 0.0, friction, 0.0, 0.0)
        row["output"] = places.output(len(MotorOutput._fields))
        return row


MOTOR = row_type(
    MotorNumbers,
    inertia="f8",
    **dict.fromkeys(("angle", "speed", "control", "channel", "reset", "geared", "fails_at_zero"), "i8"),
    **dict.fromkeys(("sign", "mounted", "battery", "state", "output", "dead"), "i8"),
)
"""Row of a motor; a `dead` one gets no power."""


class Drive(NamedTuple):
    """Torque at the joint and dry friction there [N m], current [A], pulse width, power [W]."""

    torque: Number
    friction: Number
    current: Number
    duty: Number
    power: Number


def drive(row: Number, torque: Number, speed: Number, current_max: Number) -> Drive:
    """What a geared motor makes of a torque that is asked of its joint, which turns at `speed` [rad/s]."""
    turn = row.ratio * row.mounted
    told = pulse(
        clip(asked_current(torque, turn, row.believed_constant), -current_max, current_max),
        row.current_max,
        row.duty_low,
        row.duty_high,
        row.duty_steps,
    )
    back = row.torque_constant * turn * speed
    current = reachable_current(told.current, row.voltage, back, row.resistance)
    if abs(speed) >= row.speed_max and current * turn * speed > 0.0:
        current = 0.0
    given = row.torque_constant * current * turn
    power = motor_power(current, row.resistance, given, speed)
    return Drive(given, gear_friction(given, row.dry, row.efficiency), current, told.duty, power)
