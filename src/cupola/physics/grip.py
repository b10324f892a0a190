"""What holds two bodies together that grip each other: a spring and a damper between two frames."""

from cupola.physics.rotation import Quaternion, Vector, add, conjugate, length, multiply, scale
from cupola.xmath import Number, maximum, power, where


def turn_between(quat_wa: Quaternion, quat_wb: Quaternion) -> Vector:
    """Twice the vector part of the rotation from a to b, world axes: the angle [rad] where it is small."""
    q = multiply(quat_wb, conjugate(quat_wa))
    sign = where(q.w < 0.0, -2.0, 2.0)
    return Vector(sign * q.x, sign * q.y, sign * q.z)


def pull(offset: Vector, rate: Vector, stiffness: Number, damping: Number, most: Number) -> Vector:
    """Force (or torque) along an offset and its rate; the spring gives `most`, however far it is stretched."""
    share = most / maximum(most, stiffness * length(offset))
    return add(scale(stiffness * share, offset), scale(damping, rate))


def between(soft: Number, hard: Number, done: Number) -> Number:
    """A stiffness on its way from soft to hard, `done` from 0 to 1, in equal ratios."""
    return soft * power(hard / soft, done)
