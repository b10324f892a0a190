"""Coordinates of a vehicle by name: twelve of the books for a body that moves freely, one angle and rate per joint.

States, angles and rates of a free body are those of the books (front-right-down axes, nose up positive): here they are
turned into ours and back, and nowhere else.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import mujoco
import numpy as np

from cupola.analysis.level import Level
from cupola.analysis.system import Array, Variable
from cupola.physics.rotation import (
    Euler,
    Quaternion,
    Vector,
    cross,
    euler_from_quaternion,
    euler_rates,
    frd,
    multiply,
    quaternion_from_euler,
    rotate,
    subtract,
    unrotate,
)


class Flight(NamedTuple):
    """State of a body that moves freely, at its origin."""

    u: float
    v: float
    w: float
    """Velocity front, right, down [m/s]."""
    p: float = 0.0
    q: float = 0.0
    r: float = 0.0
    """Rates about front, right, down [rad/s]."""
    phi: float = 0.0
    theta: float = 0.0
    psi: float = 0.0
    """Right side down, nose up, nose right of the world's x axis [rad]."""
    x: float = 0.0
    y: float = 0.0
    h: float = 0.0
    """Along the world's x axis, right of it, up [m]."""


UNITS = (*["m/s"] * 3, *["rad/s"] * 3, *["rad"] * 3, *["m"] * 3)
AT_STOP = 1e-3
"""Of a joint's scale."""
SCALES = (1.0, 1.0, 1.0, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 1.0, 1.0, 1.0)


def attitude(state: Flight) -> Quaternion:
    """`quat_wb` of a state."""
    return quaternion_from_euler(Euler(state.phi, -state.theta, -state.psi))


STILL = Vector(0.0, 0.0, 0.0)


def flight_rates(state: Flight, accel_w: Vector, angular_b: Vector, level_w: Vector = STILL) -> list[float]:
    """How the twelve change, from the accelerations of the origin; `level_w` is the rate of the local level."""
    quat_wb = attitude(state)
    vel, rate = Vector(state.u, state.v, state.w), Vector(state.p, state.q, state.r)
    moving = subtract(frd(unrotate(quat_wb, accel_w)), cross(rate, vel))
    angles = euler_rates(Euler(state.phi, state.theta, state.psi), subtract(rate, frd(unrotate(quat_wb, level_w))))
    vel_w = rotate(quat_wb, frd(vel))
    return [*moving, *frd(angular_b), *angles, vel_w.x, -vel_w.y, vel_w.z]


def _flight(place: Sequence[Any], motion: Sequence[Any]) -> list[Any]:
    """The twelve from the numbers of a free joint, or from arrays of them."""
    x, y, h, *quat = place
    quat_wb = Quaternion(*quat)
    angles = euler_from_quaternion(quat_wb)
    vel, rate = frd(unrotate(quat_wb, Vector(*motion[:3]))), frd(Vector(*motion[3:]))
    return [*vel, *rate, angles.roll, -angles.pitch, -angles.yaw, x, -y, h]


class FreeBody:
    """The coordinates of a free joint."""

    def __init__(self, model: Any, joint: int, prefix: str) -> None:
        self._q, self._d = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        rows = zip(Flight._fields, UNITS, SCALES, strict=True)
        self.variables = [Variable(prefix + name, unit, scale) for name, unit, scale in rows]
        self.angles: list[int] = []
        self.level: Level | None = None
        """That of a round planet."""

    def read(self, data: Any) -> list[float]:
        """The present state."""
        q, d = self._q, self._d
        return _flight(data.qpos[q : q + 7].tolist(), data.qvel[d : d + 6].tolist())

    def read_rows(self, qpos: Array, qvel: Array) -> Array:
        """The state of many moments, one per row; angles go on over half a turn."""
        q, d = self._q, self._d
        found = np.array(_flight([*qpos[:, q : q + 7].T], [*qvel[:, d : d + 6].T])).T
        found[:, [6, 8]] = np.unwrap(found[:, [6, 8]], axis=0)
        return found

    def put(self, data: Any, values: Array) -> None:
        """Set the coordinates of the body."""
        state, q, d = Flight(*values.tolist()), self._q, self._d
        quat_wb = attitude(state)
        data.qpos[q : q + 7] = [state.x, -state.y, state.h, *quat_wb]
        data.qvel[d : d + 3] = rotate(quat_wb, frd(Vector(state.u, state.v, state.w)))
        data.qvel[d + 3 : d + 6] = frd(Vector(state.p, state.q, state.r))

    def rates(self, data: Any, values: Array) -> list[float]:
        """Derivatives of the values."""
        d = self._d
        accel_w, angular_b = (Vector(*data.qacc[k : k + 3].tolist()) for k in (d, d + 3))
        if self.level is None:
            return flight_rates(Flight(*values.tolist()), accel_w, angular_b)
        vel_w = Vector(*data.qvel[d : d + 3].tolist())
        turning = self.level.turning(vel_w, float(data.qpos[self._q + 2]))
        return flight_rates(Flight(*values.tolist()), accel_w, angular_b, turning)


class Joint:
    """A hinge or a slide: position and speed."""

    def __init__(self, model: Any, joint: int, name: str) -> None:
        self._q, self._d = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        slides = model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_SLIDE
        unit = "m" if slides else "rad"
        self.variables = [Variable(name, unit, 0.1), Variable(f"{name}_rate", f"{unit}/s", 0.1)]
        self.angles: list[int] = [0]
        self._stops = model.jnt_range[joint].tolist() if model.jnt_limited[joint] else []
        self.turns: bool = not slides and not self._stops
        """Whether it may rotate without limit."""

    @property
    def place(self) -> int:
        """Among the degrees of freedom."""
        return self._d

    def at_stop(self, data: Any) -> bool:
        """Whether it is so close to the end of its range that a small motion reaches it."""
        return any(abs(float(data.qpos[self._q]) - stop) < AT_STOP * self.variables[0].scale for stop in self._stops)

    def read(self, data: Any) -> list[float]:
        """Position and speed."""
        return [float(data.qpos[self._q]), float(data.qvel[self._d])]

    def read_rows(self, qpos: Array, qvel: Array) -> Array:
        """The same of many moments, one per row."""
        return np.stack([qpos[:, self._q], qvel[:, self._d]], axis=1)

    def put(self, data: Any, values: Array) -> None:
        """Set both."""
        data.qpos[self._q], data.qvel[self._d] = values

    def rates(self, data: Any, values: Array) -> list[float]:
        """Speed and acceleration."""
        return [float(values[1]), float(data.qacc[self._d])]


class Ball:
    """A ball joint: a small turn from where it is now, and its rates, in the axes of the outer body."""

    def __init__(self, model: Any, data: Any, joint: int, name: str) -> None:
        self._q, self._d = int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        self._now = Quaternion(*data.qpos[self._q : self._q + 4].tolist())
        turns = [Variable(f"{name}_{axis}", "rad", 0.1) for axis in "xyz"]
        self.variables = [*turns, *(Variable(f"{name}_rate_{axis}", "rad/s", 0.1) for axis in "xyz")]
        self.angles: list[int] = [0, 1, 2]

    def read(self, data: Any) -> list[float]:
        """The turn since then, and the rates."""
        found = np.zeros(3)
        mujoco.mju_subQuat(found, data.qpos[self._q : self._q + 4], np.array(self._now))
        return [*found.tolist(), *data.qvel[self._d : self._d + 3].tolist()]

    def read_rows(self, qpos: Array, qvel: Array) -> Array:
        """The same of many moments, one per row."""
        found = np.zeros((len(qpos), 3))
        for row, quat in zip(found, qpos[:, self._q : self._q + 4], strict=True):
            mujoco.mju_subQuat(row, quat, np.array(self._now))
        return np.hstack([found, qvel[:, self._d : self._d + 3]])

    def put(self, data: Any, values: Array) -> None:
        """Turn it."""
        angle = float(np.linalg.norm(values[:3]))
        share = 0.5 if angle == 0.0 else math.sin(angle / 2.0) / angle
        x, y, z = (share * values[:3]).tolist()
        data.qpos[self._q : self._q + 4] = multiply(self._now, Quaternion(math.cos(angle / 2.0), x, y, z))
        data.qvel[self._d : self._d + 3] = values[3:]

    def rates(self, data: Any, values: Array) -> list[float]:
        """A turn changes by w + t x w / 2 + t x (t x w) / 12 when the body turns at w."""
        turn, rate = values[:3], values[3:]
        first = np.cross(turn, rate)
        change = rate + first / 2.0 + np.cross(turn, first) / 12.0
        return [*change.tolist(), *data.qacc[self._d : self._d + 3].tolist()]


def coordinates_of(model: Any, data: Any, vehicle: str, root: int) -> list[FreeBody | Joint | Ball]:
    """All joints of a vehicle; those of its root body go first, and a free one there has the plain names."""
    own = [j for j in range(model.njnt) if model.body(int(model.jnt_bodyid[j])).name.startswith(f"{vehicle}/")]
    found: list[FreeBody | Joint | Ball] = []
    for joint in sorted(own, key=lambda j: int(model.jnt_bodyid[j]) != root):
        body = int(model.jnt_bodyid[joint])
        said = (model.joint(joint).name or model.body(body).name).removeprefix(f"{vehicle}/")
        kind = int(model.jnt_type[joint])
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            found.append(FreeBody(model, joint, "" if body == root else f"{said}."))
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            found.append(Ball(model, data, joint, said))
        else:
            found.append(Joint(model, joint, said))
    return found
