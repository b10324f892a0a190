"""A free-floating base with an arm of three joints on a plane: its numbers, the pose of its hand, the Jacobian.

Coordinates are the base's centre of mass (x, y) in the world, its yaw, and the joints. `l` is the distance from a joint
to its link's centre of mass, `r` from there to the next joint, the last one to the hand's tip. No gravity, no friction.
Expressions and names p1 … p19 as in the Cepheus thesis (NTUA 2025, appendix C.1); they are the Lagrangian's.
"""

from typing import NamedTuple

from cupola.physics.planar import Pose
from cupola.xmath import Number, cos, sin


class Arm(NamedTuple):
    """Masses [kg], moments of inertia about the own centres of mass [kg m²] and lengths [m]."""

    mass0: Number
    """The base."""
    mass1: Number
    mass2: Number
    mass3: Number
    inertia0: Number
    inertia1: Number
    inertia2: Number
    inertia3: Number
    l1: Number
    r1: Number
    l2: Number
    r2: Number
    l3: Number
    r3: Number
    shoulder_x: Number
    shoulder_y: Number
    """Of the first joint in the base's axes, from its centre of mass."""
    mount: Number = 0.0
    """[rad] from the base's x axis to the first link at q1 = 0."""
    rotor1: Number = 0.0
    rotor2: Number = 0.0
    rotor3: Number = 0.0
    """Inertia [kg m²] of each motor reflected to its joint: rotor × ratio²."""


LISTING = Arm(
    *(12.0, 0.4409, 0.1304, 1.0),
    *(0.27, 0.0068, 0.010, 0.007908),
    *(0.269, 0.1010, 0.15, 0.143, 0.15, 0.15),
    0.1425,
    0.0,
)
"""Cepheus as the thesis's listing has it."""
SIMULATED = Arm(
    *(53.0, 0.2314, 0.1, 0.046),
    *(1.06, 0.0026476, 0.0011318, 2.73e-5),
    *(0.185, 0.185, 0.184, 0.184, 0.0411, 0.0411),
    *(0.1425, -0.08225, -0.5236),
)
"""Cepheus in the author's public simulation; its links are uniform, so each centre of mass lies in the middle."""


class Coordinates(NamedTuple):
    """Base x, y [m], base yaw and joints [rad]; or their rates; or the forces [N] and torques [N m] along them."""

    x: Number
    y: Number
    yaw: Number
    q1: Number
    q2: Number
    q3: Number


class Constants(NamedTuple):
    """What the arm's numbers amount to in the equations of motion; the last ones are those of the geometry."""

    p1: Number
    p2: Number
    p3: Number
    p4: Number
    p5: Number
    p6: Number
    p7: Number
    p8: Number
    p9: Number
    p10: Number
    p11: Number
    p12: Number
    p13: Number
    p14: Number
    p15: Number
    p16: Number
    p17: Number
    p18: Number
    p19: Number
    length1: Number
    length2: Number
    length3: Number
    shoulder_x: Number
    shoulder_y: Number
    mount: Number
    rotor1: Number
    rotor2: Number
    rotor3: Number


def constants(p: Arm) -> Constants:
    """First and second moments of mass: p1 [kg], p2 to p5 and p15 [kg m], the others [kg m²]."""
    m23 = p.mass2 + p.mass3
    m123 = p.mass1 + m23
    p4, p5, p15 = m123 * p.l1 + m23 * p.r1, m23 * p.l2 + p.mass3 * p.r2, p.mass3 * p.l3
    return Constants(
        p1=p.mass0 + m123,
        p2=m123 * p.shoulder_x,
        p3=m123 * p.shoulder_y,
        p4=p4,
        p5=p5,
        p6=p.inertia0 + m123 * (p.shoulder_x * p.shoulder_x + p.shoulder_y * p.shoulder_y),
        p7=p.inertia1 + m123 * p.l1 * p.l1 + 2.0 * m23 * p.l1 * p.r1 + m23 * p.r1 * p.r1,
        p8=p.inertia2 + m23 * p.l2 * p.l2 + 2.0 * p.mass3 * p.l2 * p.r2 + p.mass3 * p.r2 * p.r2,
        p9=p.inertia3 + p.mass3 * p.l3 * p.l3,
        p10=p4 * p.shoulder_x,
        p11=p4 * p.shoulder_y,
        p12=(p.l1 + p.r1) * p5,
        p13=p5 * p.shoulder_x,
        p14=p5 * p.shoulder_y,
        p15=p15,
        p16=p15 * p.shoulder_x,
        p17=p15 * p.shoulder_y,
        p18=(p.l1 + p.r1) * p15,
        p19=(p.l2 + p.r2) * p15,
        length1=p.l1 + p.r1,
        length2=p.l2 + p.r2,
        length3=p.l3 + p.r3,
        shoulder_x=p.shoulder_x,
        shoulder_y=p.shoulder_y,
        mount=p.mount,
        rotor1=p.rotor1,
        rotor2=p.rotor2,
        rotor3=p.rotor3,
    )


class Directions(NamedTuple):
    """Cosines and sines of the headings of base and links: all that the equations need of a posture."""

    c0: Number
    s0: Number
    c1: Number
    s1: Number
    c2: Number
    s2: Number
    c3: Number
    s3: Number


def directions(q: Coordinates, p: Constants) -> Directions:
    """Headings in the world: A1 = yaw + mount + q1, A2 = A1 + q2, A3 = A2 + q3."""
    a1 = q.yaw + p.mount + q.q1
    a2 = a1 + q.q2
    a3 = a2 + q.q3
    return Directions(cos(q.yaw), sin(q.yaw), cos(a1), sin(a1), cos(a2), sin(a2), cos(a3), sin(a3))


def hand_pose(q: Coordinates, p: Constants) -> Pose:
    """Forward kinematics: the tip of the last link and its heading, which is not wrapped."""
    d = directions(q, p)
    return Pose(
        q.x + p.shoulder_x * d.c0 - p.shoulder_y * d.s0 + p.length1 * d.c1 + p.length2 * d.c2 + p.length3 * d.c3,
        q.y + p.shoulder_x * d.s0 + p.shoulder_y * d.c0 + p.length1 * d.s1 + p.length2 * d.s2 + p.length3 * d.s3,
        q.yaw + p.mount + q.q1 + q.q2 + q.q3,
    )


class Jacobian(NamedTuple):
    """Rows of a 3 × 6 matrix that takes the rates of the coordinates to those of the hand's pose."""

    x: Coordinates
    y: Coordinates
    yaw: Coordinates


def hand_jacobian(d: Directions, p: Constants) -> Jacobian:
    """Of the hand's pose in the world."""
    x3, y3 = -p.length3 * d.s3, p.length3 * d.c3
    x2, y2 = x3 - p.length2 * d.s2, y3 + p.length2 * d.c2
    x1, y1 = x2 - p.length1 * d.s1, y2 + p.length1 * d.c1
    x0, y0 = x1 - p.shoulder_x * d.s0 - p.shoulder_y * d.c0, y1 + p.shoulder_x * d.c0 - p.shoulder_y * d.s0
    one, zero = 1.0 + 0.0 * x3, 0.0 * x3
    return Jacobian(
        Coordinates(one, zero, x0, x1, x2, x3),
        Coordinates(zero, one, y0, y1, y2, y3),
        Coordinates(zero, zero, one, one, one, one),
    )


def hand_jacobian_rate(d: Directions, v: Coordinates, p: Constants) -> Jacobian:
    """Its time derivative at the rates `v`."""
    w1 = v.yaw + v.q1
    w2 = w1 + v.q2
    w3 = w2 + v.q3
    x3, y3 = -p.length3 * w3 * d.c3, -p.length3 * w3 * d.s3
    x2, y2 = x3 - p.length2 * w2 * d.c2, y3 - p.length2 * w2 * d.s2
    x1, y1 = x2 - p.length1 * w1 * d.c1, y2 - p.length1 * w1 * d.s1
    x0 = x1 + v.yaw * (p.shoulder_y * d.s0 - p.shoulder_x * d.c0)
    y0 = y1 - v.yaw * (p.shoulder_y * d.c0 + p.shoulder_x * d.s0)
    zero = 0.0 * x3
    return Jacobian(
        Coordinates(zero, zero, x0, x1, x2, x3),
        Coordinates(zero, zero, y0, y1, y2, y3),
        Coordinates(zero, zero, zero, zero, zero, zero),
    )
