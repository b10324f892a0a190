"""From six coordinates of a floating arm to the four that its actuators can steer: base yaw and the hand's pose.

Nothing pushes the base sideways, so its translation is eliminated. Then the hand's acceleration is G times that of the
actuated coordinates, with G the Jacobian about the common centre of mass (Umetani and Yoshida, IEEE Trans. Robotics and
Automation 5, 1989). Its first row is (1 0 0 0) and its last one (1 1 1 1), so inverting it is a 2 × 2 matter whose
determinant is a constant times sin q2: the arm is singular where the elbow is stretched or folded, and only there.
"""

from typing import NamedTuple

from cupola.physics.space_arm import (
    Constants,
    Coordinates,
    directions,
    hand_jacobian,
    hand_jacobian_rate,
)
from cupola.physics.space_dynamics import coriolis, mass_matrix
from cupola.xmath import Number, where

SINGULAR = 0.17
"""|sin q2| below which the inverse is damped: 10° from stretched or folded."""
DAMPING = 0.03
"""[m]: the least singular value that the damped inverse pretends to see when the elbow is straight."""


class Task(NamedTuple):
    """Base yaw [rad], the hand's place [m] and yaw in the world; or rates; or forces along them."""

    base: Number
    x: Number
    y: Number
    yaw: Number


class Actuated(NamedTuple):
    """Base yaw and the joints: angles [rad], rates, or the torques [N m] of wheel and motors along them."""

    base: Number
    q1: Number
    q2: Number
    q3: Number


class Floating(NamedTuple):
    """An arm without the translation of its base: inertia w + bias = torques, and the hand's v̇ = G w + drift."""

    base: Actuated
    q1: Actuated
    q2: Actuated
    q3: Actuated
    """Rows of the inertia [kg m²]."""
    bias: Actuated
    """Coriolis torques [N m]."""
    x: Actuated
    y: Actuated
    """Rows of G [m]; those of the angles are (1 0 0 0) and (1 1 1 1)."""
    drift_x: Number
    drift_y: Number
    """Acceleration of the hand at constant rates [m/s²]."""
    mass: Number
    """[kg] of everything."""
    fold: Number
    """sin q2: 0 where it is singular."""


def dot(a: Actuated, b: Actuated) -> Number:
    """Sum of products."""
    return a.base * b.base + a.q1 * b.q1 + a.q2 * b.q2 + a.q3 * b.q3


def float_free(q: Coordinates, v: Coordinates, p: Constants) -> Floating:
    """Eliminate the translation of the base at a posture and rates."""
    d = directions(q, p)
    h, c = mass_matrix(d, p), coriolis(d, v, p)
    j, jd = hand_jacobian(d, p), hand_jacobian_rate(d, v, p)
    m = p.p1
    x0, x1, x2, x3 = h.h13 / m, h.h14 / m, h.h15 / m, h.h16 / m
    y0, y1, y2, y3 = h.h23 / m, h.h24 / m, h.h25 / m, h.h26 / m
    h34, h35 = h.h34 - m * (x0 * x1 + y0 * y1), h.h35 - m * (x0 * x2 + y0 * y2)
    h36, h45 = h.h36 - m * (x0 * x3 + y0 * y3), h.h45 - m * (x1 * x2 + y1 * y2)
    h46, h56 = h.h46 - m * (x1 * x3 + y1 * y3), h.h56 - m * (x2 * x3 + y2 * y3)
    return Floating(
        base=Actuated(h.h33 - m * (x0 * x0 + y0 * y0), h34, h35, h36),
        q1=Actuated(h34, h.h44 - m * (x1 * x1 + y1 * y1), h45, h46),
        q2=Actuated(h35, h45, h.h55 - m * (x2 * x2 + y2 * y2), h56),
        q3=Actuated(h36, h46, h56, h.h66 - m * (x3 * x3 + y3 * y3)),
        bias=Actuated(
            c.yaw - x0 * c.x - y0 * c.y,
            c.q1 - x1 * c.x - y1 * c.y,
            c.q2 - x2 * c.x - y2 * c.y,
            c.q3 - x3 * c.x - y3 * c.y,
        ),
        x=Actuated(j.x.yaw - x0, j.x.q1 - x1, j.x.q2 - x2, j.x.q3 - x3),
        y=Actuated(j.y.yaw - y0, j.y.q1 - y1, j.y.q2 - y2, j.y.q3 - y3),
        drift_x=jd.x.yaw * v.yaw + jd.x.q1 * v.q1 + jd.x.q2 * v.q2 + jd.x.q3 * v.q3 - c.x / m,
        drift_y=jd.y.yaw * v.yaw + jd.y.q1 * v.q1 + jd.y.q2 * v.q2 + jd.y.q3 * v.q3 - c.y / m,
        mass=m,
        fold=d.c1 * d.s2 - d.s1 * d.c2,
    )


def solve(f: Floating, a: Task) -> Actuated:
    """G⁻¹ a: accelerations of base and joints that move the hand so. Damped least squares near the singularity."""
    a1, a2 = f.x.q1 - f.x.q3, f.x.q2 - f.x.q3
    b1, b2 = f.y.q1 - f.y.q3, f.y.q2 - f.y.q3
    turn = a.yaw - a.base
    rx, ry = a.x - f.x.base * a.base - f.x.q3 * turn, a.y - f.y.base * a.base - f.y.q3 * turn
    regular = f.fold * f.fold >= SINGULAR * SINGULAR
    det = where(regular, a1 * b2 - a2 * b1, 1.0)
    near = f.fold / SINGULAR
    damping = DAMPING * DAMPING * where(regular, 1.0, 1.0 - near * near)
    s11, s12, s22 = a1 * a1 + b1 * b1 + damping, a1 * a2 + b1 * b2, a2 * a2 + b2 * b2 + damping
    t1, t2 = a1 * rx + b1 * ry, a2 * rx + b2 * ry
    damped = s11 * s22 - s12 * s12
    w1 = where(regular, (b2 * rx - a2 * ry) / det, (s22 * t1 - s12 * t2) / damped)
    w2 = where(regular, (a1 * ry - b1 * rx) / det, (s11 * t2 - s12 * t1) / damped)
    return Actuated(a.base, w1, w2, turn - w1 - w2)


def task_torques(f: Floating, u: Task, push: Task) -> Actuated:
    """Torques [N m] that give base and hand the accelerations `u` while it pushes with `push` [N, N m].

    World axes. Equations (2.58) to (2.61) with the push on the target positive: the force on the hand is its opposite.
    """
    w = solve(f, Task(u.base, u.x - f.drift_x + push.x / f.mass, u.y - f.drift_y + push.y / f.mass, u.yaw))
    t = actuated_torques(f, w)
    return Actuated(
        t.base + f.x.base * push.x + f.y.base * push.y + push.yaw + push.base,
        t.q1 + f.x.q1 * push.x + f.y.q1 * push.y + push.yaw,
        t.q2 + f.x.q2 * push.x + f.y.q2 * push.y + push.yaw,
        t.q3 + f.x.q3 * push.x + f.y.q3 * push.y + push.yaw,
    )


def actuated_torques(f: Floating, w: Actuated) -> Actuated:
    """Torques [N m] that give base and joints these accelerations [rad/s²]; no posture is singular to them."""
    return Actuated(
        dot(f.base, w) + f.bias.base, dot(f.q1, w) + f.bias.q1, dot(f.q2, w) + f.bias.q2, dot(f.q3, w) + f.bias.q3
    )


class Reduced(NamedTuple):
    """The thesis's (2.21): inertia v̇ + bias = (torque map) τ - push, with v the rates of a `Task`."""

    inertia_base: Task
    inertia_x: Task
    inertia_y: Task
    inertia_yaw: Task
    """Rows of H̄."""
    bias: Task
    """c̄."""
    map_base: Actuated
    map_x: Actuated
    map_y: Actuated
    map_yaw: Actuated
    """Rows of J̄."""


def reduce(f: Floating) -> Reduced:
    """H̄, c̄ and J̄. The whole floats, so to the inertia that the joints feel comes its mass in series, by Woodbury."""
    zero = 0.0 * f.mass
    one = 1.0 + zero
    zb, zx = solve(f, Task(one, zero, zero, zero)), solve(f, Task(zero, one, zero, zero))
    zy, zt = solve(f, Task(zero, zero, one, zero)), solve(f, Task(zero, zero, zero, one))
    nb, nx, ny, nt = _column(f, zb), _column(f, zx), _column(f, zy), _column(f, zt)
    xx, xy, yy = f.mass + dot(zx, nx), dot(zx, ny), f.mass + dot(zy, ny)
    det = xx * yy - xy * xy
    k = _Block(yy / det, -xy / det, xx / det)
    b, x, y, t = (
        _Seen(dot(zb, nx), dot(zb, ny)),
        _Seen(dot(zx, nx), xy),
        _Seen(xy, dot(zy, ny)),
        _Seen(dot(zt, nx), dot(zt, ny)),
    )
    hb = Task(dot(zb, nb) - _form(b, k, b), b.x - _form(b, k, x), b.y - _form(b, k, y), dot(zb, nt) - _form(b, k, t))
    hx = Task(hb.x, x.x - _form(x, k, x), x.y - _form(x, k, y), t.x - _form(x, k, t))
    hy = Task(hb.y, hx.y, y.y - _form(y, k, y), t.y - _form(y, k, t))
    ht = Task(hb.yaw, hx.yaw, hy.yaw, dot(zt, nt) - _form(t, k, t))
    jb, jx = _row(zb, hb, zx, zy, f.mass), _row(zx, hx, zx, zy, f.mass)
    jy, jt = _row(zy, hy, zx, zy, f.mass), _row(zt, ht, zx, zy, f.mass)
    bias = Task(
        dot(jb, f.bias) - hb.x * f.drift_x - hb.y * f.drift_y,
        dot(jx, f.bias) - hx.x * f.drift_x - hx.y * f.drift_y,
        dot(jy, f.bias) - hy.x * f.drift_x - hy.y * f.drift_y,
        dot(jt, f.bias) - ht.x * f.drift_x - ht.y * f.drift_y,
    )
    return Reduced(hb, hx, hy, ht, bias, jb, jx, jy, jt)


class _Block(NamedTuple):
    """A symmetric 2 × 2 matrix."""

    xx: Number
    xy: Number
    yy: Number


class _Seen(NamedTuple):
    """What a direction of the task shares with the hand's x and y."""

    x: Number
    y: Number


def _column(f: Floating, z: Actuated) -> Actuated:
    """Inertia times a vector."""
    return Actuated(dot(f.base, z), dot(f.q1, z), dot(f.q2, z), dot(f.q3, z))


def _form(a: _Seen, k: _Block, b: _Seen) -> Number:
    return a.x * (k.xx * b.x + k.xy * b.y) + a.y * (k.xy * b.x + k.yy * b.y)


def _row(z: Actuated, h: Task, zx: Actuated, zy: Actuated, mass: Number) -> Actuated:
    """Row of (1 - H̄ D) G⁻ᵀ, where D has 1 / mass for x and y."""
    x, y = h.x / mass, h.y / mass
    return Actuated(
        z.base - x * zx.base - y * zy.base,
        z.q1 - x * zx.q1 - y * zy.q1,
        z.q2 - x * zx.q2 - y * zy.q2,
        z.q3 - x * zx.q3 - y * zy.q3,
    )
