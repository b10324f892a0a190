"""Motors on joints: a torque that is asked for becomes a current, a pulse width, and what the gear leaves of it.

`ideal`: the joint gets what is asked for, up to its `speed_max`. `geared`: the chain of a data sheet, and the rotor's
inertia, seen through the gear, in the joint.
"""

from typing import Any, ClassVar, Literal, NamedTuple

import mujoco
from pydantic import Field

from cupola.parts.binding import BindContext, Row, Take
from cupola.parts.described import JointDrive, RootFrame
from cupola.parts.families import Actuator
from cupola.parts.joints.joint_motor_chain import Drive, MotorNumbers, MotorState, Turned, runs_out, turn_geared
from cupola.physics.battery import BatteryState, Draw
from cupola.physics.drive import GearPlay
from cupola.xmath import Number

DRY = {"solref_friction": [0.002, 1.0], "solimp_friction": [0.99, 0.999, 0.001, 0.5, 2.0]}
"""Friction of a joint: with MuJoCo's usual softness it creeps at any torque."""
BALANCED = 1e-14
"""Tolerance of MuJoCo's solver: with its usual 1e-8 an end stop costs 1e-5 of the momentum."""


class MotorOutput(NamedTuple):
    """Outputs of a motor."""

    torque: Number
    """[N m] at the joint, before its friction."""
    current: Number
    """[A]."""
    duty: Number
    """[1] duty cycle."""
    power: Number
    """[W] from the battery."""
    failed: Number
    """[1] whether the driver reports a fault."""


class MotorMove(NamedTuple):
    """Answer of `actuate`."""

    state: MotorState
    output: MotorOutput
    control: Number
    friction: Number
    draw: Draw


class Friction(NamedTuple):
    """Answer of `reopen`."""

    friction: Number


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

    Numbers = (MotorNumbers,)
    Index: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("dof", "friction_dof", "control", "channel", "reset", "geared", "fails_at_zero"), "i8"),
        **dict.fromkeys(("sign", "mounted", "dead"), "i8"),
    }
    State = MotorState
    switches = ("failed", "strain")
    Output = MotorOutput
    takes: ClassVar[dict[str, Take]] = {"battery_state": Take(BatteryState, "battery")}
    feeds: ClassVar[dict[str, Any]] = {"draw": (Draw, "battery")}
    gives = GearPlay
    order = 100
    events: ClassVar[dict[str, str]] = {"failed": "driver failed"}
    failures = ("off",)
    fixed = ("ratio", "rotor_inertia", "viscous", "backlash")
    acts_back: ClassVar[bool] = False
    """Whether the command is the torque on what carries the motor."""

    def used_channels(self) -> tuple[int, ...]:
        """Its torque, and the reset of its driver."""
        return (self.channel, self.reset_channel)

    def channel_words(self) -> dict[int, str]:
        """A driver that has failed is on again."""
        return {self.reset_channel: "driver on again"} if self.reset_channel >= 0 else {}

    def describe(self, places: BindContext, frame: RootFrame) -> JointDrive:
        """Which joint it turns, and what of it that joint feels."""
        if self.model == "ideal":
            return JointDrive(self.channel, self.joint, self.acts_back, 0.0, 0.0, speed_max=self.speed_max)
        current = min(self.current_max, self.voltage / self.resistance)
        most = self.ratio * self.torque_constant * current * self.efficiency
        about = self.reflected, self.dry, self.efficiency, most, self.speed_max
        return JointDrive(self.channel, self.joint, self.acts_back, *about)

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

    def configure(self, option: Any) -> None:
        """What floats keeps its momentum only as well as the solver balances contacts and end stops."""
        option.tolerance = BALANCED

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Its chain, and the joint it turns; only a geared motor sets the friction of its joint."""
        geared = self.model == "geared"
        if geared and self.backlash > 0.0 and self.rotor_inertia == 0.0:
            raise ValueError("a gear with backlash needs the rotor_inertia behind it")
        believed = self.torque_constant if self.believed_constant is None else self.believed_constant
        dof = int(places.model.jnt_dofadr[places.joint(self.joint)])
        row: dict[str, Any] = {**super().numbers(places), "believed_constant": believed, "inertia": self.reflected}
        row |= {"dof": dof, "friction_dof": dof if geared else -1, "control": places.actuator(self.joint)}
        row |= {"channel": places.channel(self.channel), "reset": places.channel(self.reset_channel)}
        row |= {"geared": geared, "fails_at_zero": self.fails_at_zero}
        row |= {"sign": -1 if self.acts_back else 1, "mounted": -1 if self.reversed else 1}
        return row

    def initial_state(self) -> MotorState:
        """A gear without play has its own friction."""
        return MotorState(friction=self.dry if self.model == "geared" and self.backlash == 0.0 else 0.0)

    def fail(self, row: Row, failure: str) -> None:
        """Without power it gives no torque."""
        row["dead"] = 1

    @staticmethod
    def reopen(state: MotorState) -> Friction:
        """Dry friction of the joint, as the state has it."""
        return Friction(state.friction)

    @staticmethod
    def publish(p: Number, state: MotorState) -> GearPlay:
        """How the motor turns behind a gear with play."""
        return GearPlay(state.gap, state.spin, 1.0 if p.geared and p.backlash > 0.0 else 0.0)

    @staticmethod
    def actuate(
        p: Number, state: MotorState, joint_speed: Number, drive: Number, battery_state: BatteryState, dt: Number
    ) -> MotorMove:
        """Torque at the joint in this tick, and what it draws."""
        asked = p.sign * drive[p.channel]
        failed = state.failed
        if p.fails_at_zero and asked == 0.0:
            failed = 1.0
        elif drive[p.reset] > 0.5:
            failed = 0.0
        if failed > 0.0 or p.dead or (not p.geared and runs_out(joint_speed, p.speed_max, asked)):
            asked = 0.0
        before = MotorState(failed, state.strain, state.friction, state.gap, state.spin)
        turned = Turned(before, Drive(asked, 0.0, 0.0, 0.0, abs(asked * joint_speed)))
        if p.geared:
            turned = turn_geared(p, before, asked, joint_speed, dt)
        after, now = turned.state, turned.drive
        output = MotorOutput(now.torque, now.current, now.duty, now.power, failed)
        draw = Draw(0.0, -(max(0.0, now.power) / max(battery_state.voltage, 1.0)))
        return MotorMove(after, output, now.torque, after.friction, draw)
