"""A free-floating base with an arm of three joints on a plane: geometry, mass matrix, Coriolis vector, Jacobian.

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
    """Inertia [kg m²] of each motor as its joint feels it: rotor × ratio²."""


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


class MassMatrix(NamedTuple):
    """Upper triangle of the symmetric 6 × 6 matrix H."""

    h11: Number
    h12: Number
    h13: Number
    h14: Number
    h15: Number
    h16: Number
    h22: Number
    h23: Number
    h24: Number
    h25: Number
    h26: Number
    h33: Number
    h34: Number
    h35: Number
    h36: Number
    h44: Number
    h45: Number
    h46: Number
    h55: Number
    h56: Number
    h66: Number


def mass_matrix(d: Directions, p: Constants) -> MassMatrix:
    """H of H v̇ + c = Q. A motor adds its inertia to its joint's own entry, as MuJoCo's armature does."""
    c2, c3 = p.p12 * (d.c1 * d.c2 + d.s1 * d.s2), p.p19 * (d.c2 * d.c3 + d.s2 * d.s3)
    c23 = p.p18 * (d.c1 * d.c3 + d.s1 * d.s3)
    b1 = p.p10 * (d.c0 * d.c1 + d.s0 * d.s1) + p.p11 * (d.c0 * d.s1 - d.s0 * d.c1)
    b2 = p.p13 * (d.c0 * d.c2 + d.s0 * d.s2) + p.p14 * (d.c0 * d.s2 - d.s0 * d.c2)
    b3 = p.p16 * (d.c0 * d.c3 + d.s0 * d.s3) + p.p17 * (d.c0 * d.s3 - d.s0 * d.c3)
    h16, h26 = -p.p15 * d.s3, p.p15 * d.c3
    h15, h25 = h16 - p.p5 * d.s2, h26 + p.p5 * d.c2
    h14, h24 = h15 - p.p4 * d.s1, h25 + p.p4 * d.c1
    h66 = p.p9
    h56 = h66 + c3
    h46 = h56 + c23
    h55 = h56 + p.p8 + c3
    h45 = h55 + c2 + c23
    h44 = h45 + p.p7 + c2 + c23
    h36, h35, h34 = h46 + b3, h45 + b2 + b3, h44 + b1 + b2 + b3
    return MassMatrix(
        h11=p.p1,
        h12=0.0 * h16,
        h13=h14 - p.p3 * d.c0 - p.p2 * d.s0,
        h14=h14,
        h15=h15,
        h16=h16,
        h22=p.p1,
        h23=h24 + p.p2 * d.c0 - p.p3 * d.s0,
        h24=h24,
        h25=h25,
        h26=h26,
        h33=h34 + p.p6 + b1 + b2 + b3,
        h34=h34,
        h35=h35,
        h36=h36,
        h44=h44 + p.rotor1,
        h45=h45,
        h46=h46,
        h55=h55 + p.rotor2,
        h56=h56,
        h66=h66 + p.rotor3,
    )


def coriolis(d: Directions, v: Coordinates, p: Constants) -> Coordinates:
    """c of H v̇ + c = Q: the forces that keep the rates `v` constant."""
    w1 = v.yaw + v.q1
    w2 = w1 + v.q2
    w3 = w2 + v.q3
    f0, f1, f2, f3 = v.yaw * v.yaw, w1 * w1, w2 * w2, w3 * w3
    # Two links give each other a torque with the sine of the angle between them.
    e1 = p.p11 * (d.c0 * d.c1 + d.s0 * d.s1) - p.p10 * (d.c0 * d.s1 - d.s0 * d.c1)
    e2 = p.p14 * (d.c0 * d.c2 + d.s0 * d.s2) - p.p13 * (d.c0 * d.s2 - d.s0 * d.c2)
    e3 = p.p17 * (d.c0 * d.c3 + d.s0 * d.s3) - p.p16 * (d.c0 * d.s3 - d.s0 * d.c3)
    s2, s3 = p.p12 * (d.c1 * d.s2 - d.s1 * d.c2), p.p19 * (d.c2 * d.s3 - d.s2 * d.c3)
    s23 = p.p18 * (d.c1 * d.s3 - d.s1 * d.c3)
    t2, t3, t23 = s2 * (f2 - f1), s3 * (f3 - f2), s23 * (f3 - f1)
    return Coordinates(
        f0 * (p.p3 * d.s0 - p.p2 * d.c0) - p.p4 * f1 * d.c1 - p.p5 * f2 * d.c2 - p.p15 * f3 * d.c3,
        -f0 * (p.p3 * d.c0 + p.p2 * d.s0) - p.p4 * f1 * d.s1 - p.p5 * f2 * d.s2 - p.p15 * f3 * d.s3,
        e1 * (f1 - f0) + e2 * (f2 - f0) + e3 * (f3 - f0) - t2 - t3 - t23,
        -f0 * (e1 + e2 + e3) - t2 - t3 - t23,
        -f0 * (e2 + e3) + s2 * f1 - t3 + s23 * f1,
        -f0 * e3 + s3 * f2 + s23 * f1,
    )
