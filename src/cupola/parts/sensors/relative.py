"""How far a vehicle is from another, and turned against it: in the same tick, where nothing is out of step."""

from typing import Any, ClassVar, Literal, NamedTuple

import mujoco
import numpy as np
from pydantic import Field

from cupola.kernel.memory import Views
from cupola.kernel.motion import body_quaternion, row_vector
from cupola.parts.binding import BindContext
from cupola.parts.sensors.sensor import Message, Sensor
from cupola.physics.planar import Pose, distance
from cupola.physics.rotation import Quaternion, Vector, euler_from_quaternion, wrap
from cupola.xmath import Number


class RelativeReading(NamedTuple):
    """Of one body to another, on the plane."""

    distance: Number
    """[m]."""
    angle: Number
    """Yaw of this one less that of the other, within half a turn [rad]."""


class Relative(Sensor):
    """The thesis's observer of the simulation: exact relative pose, which no robot could measure."""

    kind: Literal["relative"]
    site: str = "base"
    to: str = Field(description="another vehicle, one of its bodies (vehicle/body), or a body of its own")

    Index: ClassVar[dict[str, str]] = {"other": "i8"}
    Sample = RelativeReading

    def numbers(self, places: BindContext) -> dict[str, Any]:
        """Which body it watches."""
        return {**super().numbers(places), "other": self._watched(places)}

    def _watched(self, places: BindContext) -> int:
        model = places.model
        roots = {model.body(k).name.partition("/")[0]: int(k) for k in np.flatnonzero(model.body_parentid == 0) if k}
        if self.to in roots:
            return roots[self.to]
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, self.to)
        if body < 0:
            try:
                return places.body(self.to)
            except ValueError:
                raise ValueError(
                    f"to: there is no vehicle and no body {self.to!r}; vehicles are: {', '.join(roots)}"
                ) from None
        return int(body)

    def messages(self, frame: str) -> tuple[Message, ...]:
        """The thesis's, with a header."""
        return (Message("cupola_msgs/msg/Relative", {"distance": 0, "angle": 1}, {"header.frame_id": frame}),)

    @staticmethod
    def measure(p: Number, v: Views, pos_w: Vector, quat_ws: Quaternion) -> RelativeReading:
        """Distance and angle."""
        there = row_vector(v.xpos, p.other)
        mine, other = euler_from_quaternion(quat_ws).yaw, euler_from_quaternion(body_quaternion(v, p.other)).yaw
        apart = distance(Pose(pos_w.x, pos_w.y, mine), Pose(there.x, there.y, other))
        return RelativeReading(apart, wrap(mine - other))
