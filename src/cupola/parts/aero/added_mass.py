"""Air that a wing must move along with itself: its inertia joins MuJoCo's mass matrix before that is factored.

As a load that answers the acceleration of the tick before, it would shake a light wing to pieces; in the matrix it is
exact at any mass. In the axes of the wing's site, with V its rates and velocities through the air, the air has the
energy V A V / 2 and pushes with -A dV/dt. dV/dt is a spatial acceleration: one part comes from the accelerations of the
joints and goes into the matrix, the other from their rates and is a load.
"""

from cupola.kernel.memory import Views
from cupola.kernel.spatial import Twist, spatial_at_site
from cupola.physics.rotation import Quaternion, Vector, Wrench, cross, dot, rotate, scale, subtract
from cupola.physics.strip import added_mass
from cupola.xmath import Number

SIZE = 6
"""Rows and columns of A: three rates, then three velocities."""
ADDED = f"{SIZE * SIZE}f8"
"""Column of a wing's row for A per unit of density, row by row."""


def added_inertia(a: Number, strips: Number) -> None:
    """Write into `a` the inertia of the air around all strips where they now are, per unit of density.

    Of each strip it is what `physics.strip.added_wrench` says: a mass across the chord at mid-chord, and an eighth of
    it times the half chord squared about the span line.
    """
    for k in range(SIZE * SIZE):
        a[k] = 0.0
    for k in range(strips.shape[0]):
        strip = strips[k]
        turn = Quaternion(strip.turn_w, strip.turn_x, strip.turn_y, strip.turn_z)
        half, mass = 0.5 * strip.chord, added_mass(1.0, strip)
        up, axis = rotate(turn, Vector(0.0, 0.0, 1.0)), rotate(turn, Vector(0.0, -1.0, 0.0))
        # Mid-chord moves down with the nose-up rate where it lies behind the origin.
        behind = scale((0.5 - strip.origin) * strip.chord, axis)
        arm = subtract(cross(Vector(strip.pos_x, strip.pos_y, strip.pos_z), up), behind)
        g = (arm.x, arm.y, arm.z, up.x, up.y, up.z)
        for row in range(SIZE):
            for column in range(row + 1):
                a[SIZE * row + column] += mass * g[row] * g[column]
        eighth = 0.125 * mass * half * half
        about = (axis.x, axis.y, axis.z)
        for row in range(3):
            for column in range(row + 1):
                a[SIZE * row + column] += eighth * about[row] * about[column]
    for row in range(SIZE):
        for column in range(row):
            a[SIZE * column + row] = a[SIZE * row + column]


def add_to_matrix(v: Views, body: Number, site: Number, a: Number, density: Number) -> None:
    """Add the inertia `a` of the air around a site of a body to MuJoCo's mass matrix."""
    row = v.last_dof[body]
    while row >= 0:
        push = times_twist(a, spatial_at_site(v, body, site, v.cdof, row))
        for k in range(v.M_rowadr[row], v.M_rowadr[row] + v.M_rownnz[row]):
            along = spatial_at_site(v, body, site, v.cdof, v.M_colind[k])
            v.M[k] += density * (dot(push.torque, along.turn) + dot(push.force, along.move))
        row = v.dof_parentid[row]


def drift_push(a: Number, drift: Twist, density: Number) -> Wrench:
    """What the air exerts on a wing whose joints keep their rates, axes of the site, about the site."""
    push = times_twist(a, drift)
    return Wrench(scale(-density, push.force), scale(-density, push.torque))


def times_twist(a: Number, change: Twist) -> Wrench:
    """A times a twist: torques answer the rates, forces the velocities."""
    return Wrench(
        Vector(_row_times(a, 3, change), _row_times(a, 4, change), _row_times(a, 5, change)),
        Vector(_row_times(a, 0, change), _row_times(a, 1, change), _row_times(a, 2, change)),
    )


def _row_times(a: Number, row: int, change: Twist) -> Number:
    r, turn, move = a[SIZE * row :], change.turn, change.move
    return r[0] * turn.x + r[1] * turn.y + r[2] * turn.z + r[3] * move.x + r[4] * move.y + r[5] * move.z
