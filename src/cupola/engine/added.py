"""Air that a wing must move along with itself: its inertia joins MuJoCo's mass matrix before that is factored.

As a load that answers the acceleration of the tick before, it would shake a light wing to pieces; in the matrix it is
exact at any mass. In the axes of the wing's site, with V its rates and velocities through the air, the air has the
energy V A V / 2 and pushes with -A dV/dt. dV/dt is a spatial acceleration: one part comes from the accelerations of the
joints and goes into the matrix, the other from their rates and is a load.
"""

from typing import NamedTuple

from cupola.kernel.air import wind_at
from cupola.kernel.motion import body_rate_w, row_vector, to_site
from cupola.physics.rotation import Quaternion, Vector, Wrench, add, cross, dot, rotate, scale, subtract
from cupola.physics.strip import added_mass
from cupola.xmath import Number

DENSITY = 6
"""Place of the density in the air of a vehicle."""


class Twist(NamedTuple):
    """Rates and velocities of a site, or their changes, in its axes."""

    turn: Vector
    move: Vector


def added_inertia(v: Number, i: Number, strips: Number) -> None:
    """Inertia of the air around all strips of a wing where they now are, per unit of density: rates, then velocities.

    Of each strip it is what `physics.strip.added_wrench` says: a mass across the chord at mid-chord, and an eighth of
    it times the half chord squared about the span line.
    """
    a = v.wings[i].added
    for k in range(36):
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
        for row in range(6):
            for column in range(row + 1):
                a[6 * row + column] += mass * g[row] * g[column]
        eighth = 0.125 * mass * half * half
        a[0] += eighth * axis.x * axis.x
        a[6] += eighth * axis.y * axis.x
        a[7] += eighth * axis.y * axis.y
        a[12] += eighth * axis.z * axis.x
        a[13] += eighth * axis.z * axis.y
        a[14] += eighth * axis.z * axis.z
    for row in range(6):
        for column in range(row):
            a[6 * column + row] = a[6 * row + column]


def add_inertia(v: Number) -> None:
    """Add the inertia of the air around the wings to the mass matrix."""
    for i in range(v.wings.shape[0]):
        wing = v.wings[i]
        if not wing.unsteady:
            continue
        density = v.airs[wing.vehicle, DENSITY]
        row = v.last_dof[wing.body]
        while row >= 0:
            push = _air_push(wing.added, _to_site(v, wing, v.cdof, row))
            for k in range(v.matrix_row[row], v.matrix_row[row] + v.matrix_count[row]):
                along = _to_site(v, wing, v.cdof, v.matrix_column[k])
                v.matrix[k] += density * (dot(push.torque, along.turn) + dot(push.force, along.move))
            row = v.dof_parent[row]


def inertial_push(v: Number, i: Number) -> Wrench:
    """What the air exerts on a wing whose joints turn at constant rates, site axes about the site."""
    wing = v.wings[i]
    turn, move = Vector(0.0, 0.0, 0.0), Vector(0.0, 0.0, 0.0)
    joint = v.last_dof[wing.body]
    while joint >= 0:
        change = _to_site(v, wing, v.cdof_dot, joint)
        turn = add(turn, scale(v.qvel[joint], change.turn))
        move = add(move, scale(v.qvel[joint], change.move))
        joint = v.dof_parent[joint]
    # In the axes of a wing that turns, a steady wind changes.
    wind_w = wind_at(v, wing.vehicle, v.site_xpos[wing.site, 2])
    swept = to_site(v, wing.site, cross(body_rate_w(v, wing.body), wind_w))
    push = _air_push(wing.added, Twist(turn, add(move, swept)))
    density = v.airs[wing.vehicle, DENSITY]
    return Wrench(scale(-density, push.force), scale(-density, push.torque))


def _air_push(a: Number, change: Twist) -> Wrench:
    """A times a twist."""
    x, y, z, u, v, w = change.turn.x, change.turn.y, change.turn.z, change.move.x, change.move.y, change.move.z
    return Wrench(
        Vector(
            a[18] * x + a[19] * y + a[20] * z + a[21] * u + a[22] * v + a[23] * w,
            a[24] * x + a[25] * y + a[26] * z + a[27] * u + a[28] * v + a[29] * w,
            a[30] * x + a[31] * y + a[32] * z + a[33] * u + a[34] * v + a[35] * w,
        ),
        Vector(
            a[0] * x + a[1] * y + a[2] * z + a[3] * u + a[4] * v + a[5] * w,
            a[6] * x + a[7] * y + a[8] * z + a[9] * u + a[10] * v + a[11] * w,
            a[12] * x + a[13] * y + a[14] * z + a[15] * u + a[16] * v + a[17] * w,
        ),
    )


def _to_site(v: Number, wing: Number, spatial: Number, row: Number) -> Twist:
    """A spatial vector of MuJoCo, which it keeps at the centre of mass of the whole tree, in world axes."""
    turn = Vector(spatial[row, 0], spatial[row, 1], spatial[row, 2])
    move = Vector(spatial[row, 3], spatial[row, 4], spatial[row, 5])
    arm = subtract(row_vector(v.site_xpos, wing.site), row_vector(v.subtree_com, v.tree_root[wing.body]))
    return Twist(to_site(v, wing.site, turn), to_site(v, wing.site, add(move, cross(turn, arm))))
