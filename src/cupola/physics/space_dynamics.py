"""Equations of motion of a floating arm on a plane: H v̇ + c = Q, with v the rates of `Coordinates`.

Q is (0, 0, torque on the base, torques of the joints), less the Jacobian's transpose times the push where the hand has
one. Entries as in the Cepheus thesis (NTUA 2025, appendix C.1); they are the Lagrangian's.
"""

from typing import NamedTuple

from cupola.physics.space_arm import Constants, Coordinates, Directions
from cupola.xmath import Number


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
