"""Four Mecanum wheels and their motors, and one of three models of how the wheels meet the floor.

`kinematic`: the base moves exactly as its wheels say; nothing can hold it up. `friction`: each wheel touches the floor
at one point, with one friction along the axis of the roller there and another across it. `rollers`: every roller is a
body that turns in its bearings. Wheels are named front right, front left, rear left, rear right; a positive speed rolls
forward. Seen from above, the axes of the four rollers on the floor form an O.
"""

from typing import Any, Literal, NamedTuple

import mujoco
import numpy as np
from pydantic import Field

from cupola.parts.joints.roller import FIRM, Roller, add_drawn_rollers, add_rollers, mean_askew
from cupola.parts.part import Part, Places, Row, row_type
from cupola.physics.mecanum import DIAGONAL
from cupola.physics.rotation import Vector
from cupola.xmath import Number

KINEMATIC, FRICTION, ROLLERS = 0, 1, 2
MODELS = {"kinematic": KINEMATIC, "friction": FRICTION, "rollers": ROLLERS}
WHEELS = 4
GHOST = 1
"""Group of the geoms of a kinematic base: it may stand where another one stands, and rays pass through it."""
STATE = 2 * WHEELS + 2 + 7
"""Numbers of its state: see `engine/wheels.py`."""
TILT = (1.0, -1.0, 1.0, -1.0)
"""Axis of the roller on the floor: (1, tilt, 0) / √2 in the axes of the base."""
FRONT, LEFT = np.array([1.0, 1.0, -1.0, -1.0]), np.array([-1.0, 1.0, 1.0, -1.0])
"""On which side of the base each wheel stands."""
ENDLESS = 2.0
"""A friction that does not slip: twice the weight. The thesis has infinity, with which no solver is at ease."""


class Grip(NamedTuple):
    """What the thesis or its code chose, or what fits its real robot."""

    along: float
    across: float
    askew: float
    creep: float
    torque_max: float


ASKEW = mean_askew(12)
PRESETS = {
    "thesis": Grip(ENDLESS, 0.0, 0.0, 0.0, 100.0),
    "thesis-code": Grip(ENDLESS, 0.0, 0.0, 0.0, 1000.0),
    "thesis-tuned": Grip(0.95, 0.5, 0.0, 0.0, 2.0),
    "fitted": Grip(0.95, 0.003, ASKEW, 0.019, 100.0),
    "fitted rollers": Grip(0.95, 0.0, 0.0, 0.019, 100.0),
}
"""`fitted` follows the real robot's square, by one number for both models with friction: creep. Rollers stand askew by
themselves, a single contact below the wheel must be told."""


class MecanumNumbers(NamedTuple):
    """What the loop needs."""

    radius: float
    track: float
    wheelbase: float
    """[m] between the wheels of an axle, and between the axles."""
    along: float
    across: float
    torque_max: float
    angle_gain: float
    speed_gain: float
    supply_voltage: float
    supply_current_max: float
    supply_patience: float
    askew: float
    creep: float


class Mecanum(Part):
    """Wheels on four channels that command their speeds [rad/s]; not a number means: as before.

    A fifth channel switches a tripped supply on again.
    """

    kind: Literal["mecanum"]
    model: Literal["kinematic", "friction", "rollers"] = Field("rollers", description="how the wheels meet the floor")
    wheels: tuple[str, str, str, str] = Field(description="bodies: front right, front left, rear left, rear right")
    channel: int = Field(0, ge=0, description="the first of its five command channels")
    radius: float = Field(0.1016, gt=0, description="[m] of a wheel")
    preset: Literal["thesis", "thesis-code", "thesis-tuned", "fitted"] = Field(
        "fitted", description="where along, across, askew, creep and torque_max come from unless given"
    )
    along: float | None = Field(None, ge=0, description="friction along the roller on the floor")
    across: float | None = Field(None, ge=0, description="friction across it")
    askew: float | None = Field(
        None, ge=0, le=0.2, description="by how much the tangent of a roller's angle on the floor exceeds 1: friction"
    )
    creep: float | None = Field(
        None, ge=0, le=0.5, description="slip along a roller per speed at which it rolls: resistance / stiffness"
    )
    torque_max: float | None = Field(None, gt=0, description="[N m] of a motor")
    angle_gain: float = Field(1000.0, ge=0, description="[N m/rad] with which a motor holds the angle it is asked for")
    speed_gain: float = Field(15.0, gt=0, description="[N m s/rad] with which it holds the speed")
    bearing: float = Field(0.05, ge=0, description="[N m] friction of a roller in its bearings")
    roller: Roller = Field(default_factory=Roller, description="shape of the rollers")
    supply_voltage: float = Field(24.0, gt=0, description="[V]")
    supply_current_max: float = Field(0.0, ge=0, description="[A] above which the supply trips; 0: never")
    supply_patience: float = Field(0.1, ge=0, description="[s] that it stands more")

    follows: str | None = Field(
        None, description="another base of the scenario whose wheels a kinematic one copies: its odometry"
    )

    fixed = ("radius", "bearing")
    holds = True

    def model_post_init(self, _: Any) -> None:
        """What is not given is the preset's."""
        preset = "fitted rollers" if (self.preset, self.model) == ("fitted", "rollers") else self.preset
        for name, value in PRESETS[preset]._asdict().items():
            if getattr(self, name) is None:
                self.__dict__[name] = value  # not as if it had been given

    def used_channels(self) -> tuple[int, ...]:
        """Four speeds, and the switch of the supply."""
        return tuple(range(self.channel, self.channel + WHEELS + 1))

    def attach(self, spec: Any) -> None:
        """Motors, rollers, and what touches the floor."""
        for name, tilt in zip(self.wheels, TILT, strict=True):
            wheel = spec.body(name)
            if wheel is None or spec.joint(name) is None:
                names = ", ".join(body.name for body in spec.bodies if body.name)
                raise ValueError(f"the model needs a body {name!r} with a hinge of the same name; its bodies: {names}")
            self._add_motor(spec, name)
            if self.model == "rollers":
                add_rollers(wheel, self.roller, self.radius, tilt, self.bearing)
            else:
                add_drawn_rollers(wheel, self.roller, self.radius, tilt)
            if self.model == "friction":
                self._add_tread(wheel)
        if self.model == "kinematic":
            for geom in spec.geoms:
                geom.contype = geom.conaffinity = 0
                geom.group = GHOST

    def configure(self, option: Any) -> None:
        """Contacts that neither creep nor chatter."""
        option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
        option.impratio = 10.0
        option.noslip_iterations = 3

    def bind(self, places: Places) -> Row:
        """Numbers and places for the loop."""
        model = places.model
        row = np.zeros((), MECANUM)
        bodies = [places.body(name) for name in self.wheels]
        for name in MecanumNumbers._fields:
            row[name] = getattr(self, name, 0.0)
        row["track"], row["wheelbase"] = self._spacing(places, bodies)
        row["model"], row["root"], row["channel"] = MODELS[self.model], places.root, places.channel(self.channel)
        row["free"] = model.jnt_dofadr[model.body_jntadr[places.root]]
        row["free_q"] = model.jnt_qposadr[model.body_jntadr[places.root]]
        for k, (name, body) in enumerate(zip(self.wheels, bodies, strict=True)):
            joint = model.body_jntadr[body]
            row["motor"][k] = places.actuator(name)
            row["angle"][k], row["speed"][k] = model.jnt_qposadr[joint], model.jnt_dofadr[joint]
            row["wheel"][k] = body
            row["source"][k] = self._source(model, name)
        row["state"] = places.state(*[0.0] * STATE)
        model.flg_surfacevel = True  # MuJoCo looks at the surface velocity of contacts only in models that have one
        row["output"] = places.output(len(WheelsOutput._fields))
        return row

    def _spacing(self, places: Places, bodies: list[int]) -> tuple[float, float]:
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
        """Torque = control - angle_gain * angle - speed_gain * speed, within its limit."""
        motor = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        motor.gaintype, motor.biastype = mujoco.mjtGain.mjGAIN_FIXED, mujoco.mjtBias.mjBIAS_AFFINE
        motor.gainprm[0] = 1.0
        motor.biasprm[:3] = [0.0, -self.angle_gain, -self.speed_gain]
        motor.forcelimited, motor.forcerange = True, [-1.0, 1.0]  # the loop sets it in every tick

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


class WheelsOutput(NamedTuple):
    """What the motors do now: torques [N m], current of the supply [A], whether it has tripped."""

    torque_fr: float
    torque_fl: float
    torque_rl: float
    torque_rr: float
    current: float
    tripped: float


MECANUM = row_type(
    MecanumNumbers,
    **dict.fromkeys(("model", "root", "channel", "free", "free_q", "state", "output"), "i8"),
    **dict.fromkeys(("motor", "angle", "speed", "wheel", "source"), "4i8"),
)


def roller_axis(wheel: Number, askew: Number) -> Vector:
    """Axis of the roller on the floor below a wheel, in the axes of the base; not of length 1 where it is askew."""
    aside = DIAGONAL * (1.0 + askew)
    return Vector(DIAGONAL, aside if wheel % 2 == 0 else -aside, 0.0)


def treads(model: Any, rows: list[Row]) -> Any:
    """Per geom: 4 times the row of the base and the number of the wheel it is the tread of, -1 for others."""
    found = np.full(model.ngeom, -1, np.int64)
    wheels = {int(body): WHEELS * i + k for i, row in enumerate(rows) for k, body in enumerate(row["wheel"])}
    for geom in range(model.ngeom):
        body = int(model.geom_bodyid[geom])
        if model.geom_contype[geom]:
            found[geom] = wheels.get(body, wheels.get(int(model.body_parentid[body]), -1))
    return found
