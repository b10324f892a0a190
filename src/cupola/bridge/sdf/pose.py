"""Places and turns: where a frame lies in another one."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cupola.physics.rotation import (
    Euler,
    Quaternion,
    Vector,
    add,
    conjugate,
    multiply,
    quaternion_from_euler,
    rotate,
    scale,
    unrotate,
)
from cupola.schema.input_files import InputError

Array = np.ndarray[Any, Any]


class Pose(NamedTuple):
    """Of a frame in another: `move(pose, point_in_the_frame)` is the same point in the other."""

    pos: Vector
    quat: Quaternion


NOWHERE = Pose(Vector(0.0, 0.0, 0.0), Quaternion(1.0, 0.0, 0.0, 0.0))


def pose_of(numbers: tuple[float, ...], where: object, degrees: bool = False) -> Pose:
    """x y z roll pitch yaw, or x y z and a quaternion qx qy qz qw."""
    place = Vector(*numbers[:3])
    if len(numbers) == 7:
        x, y, z, w = numbers[3:]
        size = math.hypot(w, x, y, z)
        if not 0.0 < size < math.inf:
            raise InputError(f"{where}: the quaternion {w:g} {x:g} {y:g} {z:g} is no turn")
        return Pose(place, Quaternion(w / size, x / size, y / size, z / size))
    angles = (math.radians(a) for a in numbers[3:]) if degrees else numbers[3:]
    return Pose(place, quaternion_from_euler(Euler(*angles)))


def chain(outer: Pose, inner: Pose) -> Pose:
    """Pose of the innermost frame in the outermost."""
    return Pose(add(outer.pos, rotate(outer.quat, inner.pos)), multiply(outer.quat, inner.quat))


def inverse(pose: Pose) -> Pose:
    """Pose of the other frame in this one."""
    return Pose(scale(-1.0, unrotate(pose.quat, pose.pos)), conjugate(pose.quat))


def between(frame: Pose, other: Pose) -> Pose:
    """Pose of `other` in `frame`, both given in a third."""
    return chain(inverse(frame), other)


def matrix(quat: Quaternion) -> Array:
    """Rotation matrix: its columns are the turned axes."""
    axes = (Vector(1.0, 0.0, 0.0), Vector(0.0, 1.0, 0.0), Vector(0.0, 0.0, 1.0))
    return np.array([rotate(quat, axis) for axis in axes]).T


def attributes(pose: Pose) -> dict[str, str]:
    """As MJCF has it; nothing where it is nothing."""
    made = {"pos": text(pose.pos)} if any(pose.pos) else {}
    return made | ({"quat": text(pose.quat)} if any(pose.quat[1:]) else {})


def unit_vector(given: Sequence[float], where: object) -> Vector:
    """The direction of three numbers."""
    size = math.hypot(*given)
    if not 0.0 < size < math.inf:
        raise InputError(f"{where}: the axis must not be zero, got {' '.join(f'{x:g}' for x in given)}")
    return Vector(*(x / size for x in given))


def text(numbers: Any) -> str:
    """Numbers with all their digits; those that have grown beyond all bounds are refused."""
    found = [float(number) for number in numbers]
    if not all(map(math.isfinite, found)):
        raise InputError(f"its numbers multiply to {', '.join(f'{x:g}' for x in found)}, which no model can hold")
    return " ".join(map(repr, found))
