"""Four Mecanum wheels and their motors, and one of three models of how the wheels meet the floor.

`kinematic`: the base moves exactly as its wheels say; nothing can hold it up. `friction`: each wheel touches the floor
at one point, with one friction along the axis of the roller there and another across it. `rollers`: every roller is a
body that turns in its bearings. Wheels are named front right, front left, rear left, rear right; a positive speed rolls
forward. Seen from above, the axes of the four rollers on the floor form an O.
"""

import math
from typing import Any, ClassVar, Literal, NamedTuple

import mujoco
import numpy as np
from pydantic import Field

from cupola.kernel.commands import WHEEL_SPEEDS
from cupola.kernel.memory import Views
from cupola.kernel.rays import GHOST
from cupola.parts.binding import BindContext
from cupola.parts.described import RootFrame, WheelSet
from cupola.parts.joints.mecanum_motion import MEMORY, MODELS, Gripped, MecanumNumbers, follow_arc, grip, plan_arc
from cupola.parts.joints.mecanum_motor import (
    HOLDS,
    KINEMATIC,
    WHEELS,
    MotorNumbers,
    MotorState,
    WheelsOutput,
    spin_wheels,
)
from cupola.parts.joints.roller import FIRM, Roller, add_drawn_rollers, add_rollers, mean_askew
from cupola.parts.part import Part
from cupola.physics.mecanum import Mecanum as Sizes
from cupola.xmath import Number

TILT = (1.0, -1.0, 1.0, -1.0)
"""Axis of the roller on the floor: along (1, tilt × slope, 0) in the axes of the base."""
FRONT, LEFT = np.array([1.0, 1.0, -1.0, -1.0]), np.array([-1.0, 1.0, 1.0, -1.0])
"""On which side of the base each wheel stands."""
SHOWN = 2
"""Last of the groups of geoms that are drawn."""
FIRMNESS = 68.0
"""[rad/s] of a wheel that holds its angle against its share of the base; half of critical damping."""
SOFT = 0.4
"""Stiffness × step² / inertia of a wheel alone, at most: see `sim/step_size.py`."""
ENDLESS = 2.0
"""A friction that does not slip: twice the weight. The thesis has infinity, with which no solver is at ease."""


class Grip(NamedTuple):
    """What the thesis or its code chose, or what fits its real robot."""

    along: float
    across: float
    askew: float
    creep: float
    torque_max: float
    slip_along: float = 0.0
    slip_across: float = 0.0
    axle_damping: float = 0.0
    axle_friction: float = 0.0


ASKEW = mean_askew(12)
PRESETS = {
    "thesis": Grip(ENDLESS, 0.0, 0.0, 0.0, 100.0),
    "thesis-code": Grip(ENDLESS, 0.0, 0.0, 0.0, 1000.0),
    "thesis-tuned": Grip(0.95, 0.5, 0.0, 0.0, 2.0, 0.001, 0.1, 0.5, 0.1),
    "fitted": Grip(0.95, 0.003, ASKEW, 0.010, 100.0),
    "fitted rollers": Grip(0.95, 0.0, 0.0, 0.010, 100.0),
}
"""`fitted` follows the real robot's square without rotation, by one number for both models: creep. Rollers stand askew
by themselves, a single contact below the wheel must be told. The slips of `thesis-tuned` are those of its file of the
wheels; its engine would take the lesser of wheel and floor, none, with which 2 N m move no base sideways."""


class Mecanum(Part):
    """Wheels on four channels that command their speeds [rad/s]; NaN holds the previous command.

    A fifth channel switches a tripped supply on again.
    """

    kind: Literal["mecanum"]
    model: Literal["kinematic", "friction", "rollers"] = Field("rollers", description="how the wheels meet the floor")
    wheels: tuple[str, str, str, str] = Field(description="bodies: front right, front left, rear left, rear right")
    channel: int = Field(0, ge=0, description="the first of its five command channels")
    radius: float = Field(0.1016, gt=0, description="[m] of a wheel")
    preset: Literal["thesis", "thesis-code", "thesis-tuned", "fitted"] = Field(
        "fitted", description="where friction, slip, creep, the axles' losses and torque_max come from unless given"
    )
    along: float | None = Field(None, ge=0, description="friction along the roller on the floor")
    across: float | None = Field(None, ge=0, description="friction across it")
    askew: float | None = Field(
        None, ge=0, le=0.2, description="by how much the tangent of a roller's angle on the floor exceeds 1: friction"
    )
    creep: float | None = Field(
        None, ge=0, le=0.5, description="slip along a roller per speed at which it rolls: resistance / stiffness"
    )
    slip_along: float | None = Field(
        None, ge=0, le=10, description="[m/s per N] by which a roller gives way along its axis: friction"
    )
    slip_across: float | None = Field(None, ge=0, le=10, description="[m/s per N] and across it: friction")
    axle_damping: float | None = Field(None, ge=0, le=1000, description="[N m s/rad] of an axle")
    axle_friction: float | None = Field(None, ge=0, le=1000, description="[N m] dry friction of an axle")
    holds: Literal["speed", "angle"] = Field(
        "speed", description="what a motor holds: its speed, and at rest its place; or the sum of all commands"
    )
    torque_max: float | None = Field(None, gt=0, description="[N m] of a motor")
    angle_gain: float | None = Field(
        None, ge=0, description="[N m/rad] with which it regains the angle it lacks; else by mass and radius"
    )
    speed_gain: float | None = Field(
        None, gt=0, description="[N m s/rad] with which it holds the speed; else by mass and radius"
    )
    bearing: float = Field(0.05, ge=0, description="[N m] friction of a roller in its bearings")
    roller: Roller = Field(default_factory=Roller, description="shape of the rollers")
    torque_constant: float = Field(2.0, gt=0, description="[N m/A] of a motor with its gear")
    resistance: float = Field(0.5, ge=0, description="[Ω] of its windings: the current of a stalled motor is heat")
    supply_voltage: float = Field(24.0, gt=0, description="[V]")
    supply_current_max: float = Field(0.0, ge=0, description="[A] above which the supply trips; 0: never")
    supply_patience: float = Field(0.1, ge=0, description="[s] that it stands more")

    follows: str | None = Field(
        None, description="another base of the scenario whose wheels a kinematic one copies: its odometry"
    )

    Numbers = (MecanumNumbers, MotorNumbers)
    Index: ClassVar[dict[str, str]] = {
        **dict.fromkeys(("model", "holds", "root", "channel", "free", "free_q"), "i8"),
        **dict.fromkeys(("motor", "angle", "speed", "source"), f"{WHEELS}i8"),
        **dict.fromkeys(("tread_geom", "tread_start", "tread_count"), "i8"),
    }
    State = MotorState
    switches = MotorState._fields
    Output = WheelsOutput
    order = 90
    obeys = WHEEL_SPEEDS
    fixed = ("radius", "bearing", "angle_gain", "speed_gain", "axle_damping", "axle_friction")
    nan_holds = True
    message = "cupola_msgs/msg/Wheels"
    events: ClassVar[dict[str, str]] = {"tripped": "supply tripped"}

    def model_post_init(self, _: Any) -> None:
        """What is not given is the preset's."""
        preset = "fitted rollers" if (self.preset, self.model) == ("fitted", "rollers") else self.preset
        for name, value in PRESETS[preset]._asdict().items():
            if getattr(self, name) is None:
                self.__dict__[name] = value  # not as if it had been given

    def used_channels(self) -> tuple[int, ...]:
        """Four speeds, and the switch of the supply."""
        return tuple(range(self.channel, self.channel + WHEELS + 1))

    def channel_limits(self) -> dict[int, tuple[float, float]]:
        """The switch."""
        return {self.channel + WHEELS: (0.0, 1.0)}

    def channel_words(self) -> dict[int, str]:
        """A supply that has tripped is on again."""
        return {self.channel + WHEELS: "supply on again"}

    def attach(self, spec: Any) -> None:
        """Motors, rollers, and what touches the floor."""
        for name, tilt in zip(self.wheels, TILT, strict=True):
            wheel = spec.body(name)
            if wheel is None or spec.joint(name) is None:
                names = ", ".join(body.name for body in spec.bodies if body.name)
                raise ValueError(f"the model needs a body {name!r} with a hinge of the same name; its bodies: {names}")
            self._add_motor(spec, name)
            self._add_losses(spec.joint(name))
            if self.model == "rollers":
                add_rollers(wheel, self.roller, self.radius, tilt, self.bearing)
            else:
                add_drawn_rollers(wheel, self.roller, self.radius, tilt)
            if self.model == "friction":
                self._add_tread(wheel)
        if self.model == "kinematic":
            for geom in spec.geoms:
                if geom.group > SHOWN:
                    geom.rgba = np.zeros(4)  # a shape that is met and not seen stays unseen
                geom.contype = geom.conaffinity = 0
                geom.group = GHOST

    def configure(self, option: Any) -> None:
        """Contacts that neither creep nor chatter."""
        option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        option.impratio = 10.0
        option.noslip_iterations = 3

    def wheel_bodies(self) -> tuple[str, ...]:
        """Names of the bodies of its wheels."""
        return self.wheels

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Sizes and gains, where its wheels and motors are, and which geoms touch the floor for them."""
        model = places.model
        bodies = [places.body(name) for name in self.wheels]
        joints = [model.body_jntadr[body] for body in bodies]
        free = model.body_jntadr[places.root]
        track, wheelbase = self._spacing(places, bodies)
        row: dict[str, Any] = {**super().numbers(places), "track": track, "wheelbase": wheelbase}
        row |= {"slope": self.roller.slope, "load": self._weight(places) / WHEELS}
        row |= {
            "model": MODELS[self.model],
            "holds": HOLDS[self.holds],
            "root": places.root,
            "channel": places.channel(self.channel),
        }
        row |= {"free": model.jnt_dofadr[free], "free_q": model.jnt_qposadr[free]}
        row |= self._gains(places, [places.actuator(name) for name in self.wheels])
        row |= {"angle": model.jnt_qposadr[joints], "speed": model.jnt_dofadr[joints]}
        row |= {"source": [self._source(model, name) for name in self.wheels]}
        model.flg_surfacevel = True  # MuJoCo looks at the surface velocity of contacts only in models that have one
        return row | self._treads(places, bodies)

    def describe(self, places: BindContext, frame: RootFrame) -> WheelSet:
        """Its radius and its rectangle."""
        track, wheelbase = self._spacing(places, [places.body(name) for name in self.wheels])
        angle = math.radians(self.roller.angle_deg)
        return WheelSet(self.channel, self.radius, track, wheelbase, angle, self.torque_max or math.inf)

    def kinematics(self, places: BindContext) -> Sizes:
        """What its wheels and the motion of the base have to do with each other."""
        track, wheelbase = self._spacing(places, [places.body(name) for name in self.wheels])
        return Sizes(self.radius, track, wheelbase, self.roller.slope)

    def _weight(self, places: BindContext) -> float:
        """[N] of the whole base; 1 N where nothing weighs, which no slip is divided by."""
        return float(places.model.body_subtreemass[places.root]) * places.gravity or 1.0

    def _gains(self, places: BindContext, motors: list[int]) -> dict[str, Any]:
        """Motors and their gains; those that are not given are made for the share of the base that a wheel moves."""
        model = places.model
        inertia = model.body_subtreemass[places.root] / WHEELS * self.radius**2
        # A wheel that has lost its grip is light: the spring on it must be one that the step follows.
        wheel = min(float(model.dof_M0[model.jnt_dofadr[model.actuator_trnid[motor, 0]]]) for motor in motors)
        firmness = min(FIRMNESS, math.sqrt(SOFT * wheel / inertia) * places.physics_hz)
        angle = firmness**2 * inertia if self.angle_gain is None else self.angle_gain
        speed = firmness * inertia if self.speed_gain is None else self.speed_gain
        model.actuator_biasprm[motors, 1] = -angle
        model.actuator_biasprm[motors, 2] = -speed
        return {"motor": motors, "angle_gain": float(angle), "speed_gain": float(speed)}

    def initial_memory(self) -> list[float]:
        """Angles and speeds that its motors are asked for, and where a kinematic base will be."""
        return [0.0] * MEMORY

    def _treads(self, places: BindContext, bodies: list[int]) -> dict[str, int]:
        """Which wheel each geom from `tread_geom` on belongs to, -1 for none: a list among the constants."""
        model, found = places.model, {}
        wheels = {body: k for k, body in enumerate(bodies)}
        for geom in range(model.ngeom):
            body = int(model.geom_bodyid[geom])
            wheel = wheels.get(body, wheels.get(int(model.body_parentid[body]), -1))
            if model.geom_contype[geom] and wheel >= 0:
                found[geom] = wheel
        first, last = min(found, default=0), max(found, default=-1)
        start = len(places.constants)
        places.constants += [float(found.get(geom, -1)) for geom in range(first, last + 1)]
        return {"tread_geom": first, "tread_start": start, "tread_count": last + 1 - first}

    def _spacing(self, places: BindContext, bodies: list[int]) -> tuple[float, float]:
        """Track and wheelbase [m], from where the wheels are."""
        data = mujoco.MjData(places.model)
        mujoco.mj_kinematics(places.model, data)
        turn = data.xmat[places.root].reshape(3, 3)
        x, y, _ = np.array([turn.T @ (data.xpos[body] - data.xpos[places.root]) for body in bodies]).T
        half, side = x[0], y[1]
        if half <= 0.0 or side <= 0.0 or not np.allclose([x, y], [half * FRONT, side * LEFT], rtol=0.0, atol=1e-9):
            said = ", ".join(f"{name} ({a:g}, {b:g})" for name, a, b in zip(self.wheels, x, y, strict=True))
            raise ValueError(f"the wheels must stand on the corners of a rectangle about the root body: {said}")
        return 2.0 * float(side), 2.0 * float(half)

    def _source(self, model: Any, wheel: str) -> int:
        """Where the speed of the wheel that it copies is found; -1 for none."""
        if self.follows is None:
            return -1
        joint = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, f"{self.follows}/{wheel}")
        if joint < 0 or self.model != "kinematic":
            raise ValueError(f"follows: a kinematic base follows another one with a wheel {self.follows}/{wheel}")
        return int(model.jnt_dofadr[joint])

    def _add_motor(self, spec: Any, name: str) -> None:
        """Torque = control - angle_gain * angle - speed_gain * speed, within its limit; gains: when it is bound."""
        motor = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        motor.gaintype, motor.biastype = mujoco.mjtGain.mjGAIN_FIXED, mujoco.mjtBias.mjBIAS_AFFINE
        motor.gainprm[0] = 1.0
        motor.forcelimited, motor.forcerange = True, [-1.0, 1.0]  # the loop sets it in every tick

    def _add_losses(self, axle: Any) -> None:
        """Beside those that the model has."""
        if self.axle_damping:
            axle.damping = axle.damping + np.array([self.axle_damping, 0.0, 0.0])
        if self.axle_friction:
            axle.frictionloss = axle.frictionloss + self.axle_friction

    def _add_tread(self, wheel: Any) -> None:
        """What touches the floor: round about the axle, and no wider than the wheel."""
        wheel.add_geom(
            name=f"{wheel.name}_tread",
            type=mujoco.mjtGeom.mjGEOM_ELLIPSOID,
            size=[self.radius, self.roller.width / 2.0, self.radius],
            mass=0.0,
            **FIRM,
            rgba=[0.0, 0.0, 0.0, 0.0],
            group=3,
        )

    actuate: ClassVar[Any] = staticmethod(spin_wheels)

    @staticmethod
    def contact(p: Number, v: Views) -> Gripped:
        """Turn the friction of its wheels along their rollers and let them creep: MuJoCo's contacts lie in `v`."""
        return Gripped(grip(v, p))

    @staticmethod
    def before_step(p: Number, memory: Number, qpos: Number, dt: Number) -> None:
        """Where a kinematic base will be after this tick."""
        if p.model == KINEMATIC:
            plan_arc(p, memory, qpos, dt)

    @staticmethod
    def after_step(p: Number, memory: Number, qpos: Number, qvel: Number) -> None:
        """Put a kinematic base there, whatever the step did to it."""
        if p.model == KINEMATIC:
            follow_arc(p, memory, qpos, qvel)
