"""A body without lift: drag against the motion, and damping of its rates."""

from typing import NamedTuple

from cupola.physics.rotation import Vector, Wrench, length, scale
from cupola.xmath import Number


class Bluff(NamedTuple):
    """Numbers of one body; the damping derivatives are those of an aircraft (roll and yaw by span, pitch by chord)."""

    area: float
    """[m²]."""
    c_drag: float = 0.0
    span: float = 0.0
    """[m]."""
    chord: float = 0.0
    """[m]."""
    c_l_p: float = 0.0
    c_m_q: float = 0.0
    c_n_r: float = 0.0


def bluff_wrench(vel_air: Vector, rate: Vector, density: Number, p: Bluff) -> Wrench:
    """Drag ½ ρ V² S C_D against the air-relative velocity [m/s], and moments ½ ρ V² S b C_lp (b p / 2V) and so on.

    V is not divided by: the moments are ¼ ρ V S b² C_lp p. Signs do not depend on whether z is up or down.
    """
    speed = length(vel_air)
    drag = scale(-0.5 * density * speed * p.area * p.c_drag, vel_air)
    damping = 0.25 * density * speed * p.area
    roll, pitch, yaw = p.span * p.span * p.c_l_p, p.chord * p.chord * p.c_m_q, p.span * p.span * p.c_n_r
    return Wrench(drag, Vector(damping * roll * rate.x, damping * pitch * rate.y, damping * yaw * rate.z))
