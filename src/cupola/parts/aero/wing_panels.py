"""The inertia of the air around a wing of an unsteady lattice.

A lattice finds the push of the air that goes along from the motion of its last solutions, and holds it. On a wing that
weighs less than this air such a load overshoots and grows. So the inertia of the air also stands in the mass matrix, as
that of strips does, and what it gave at the last solution is taken back: the sum is the lattice's load, with what the
acceleration has changed since then.
"""

from typing import Any, NamedTuple

from cupola.kernel.memory import Views
from cupola.kernel.motion import SiteMotion
from cupola.kernel.records import reader, size, writer
from cupola.kernel.spatial import Twist
from cupola.parts.aero.added_mass import add_to_matrix, drift_push
from cupola.parts.aero.surfaces import motion_of_surface
from cupola.parts.aero.wing_mass import moving_mass
from cupola.parts.aero.wing_records import UnsteadyLoad, WorkState, shown
from cupola.parts.aero.wing_strips import HELD, lattice_load
from cupola.physics.rotation import Vector, add, cross, scale, subtract
from cupola.xmath import Number


class PanelMotion(NamedTuple):
    """What an unsteady lattice remembers of the motion of a wing, behind its `PanelLoad`; axes of the site."""

    turning: Vector
    """Acceleration at the last solution, as the lattice takes it [rad/s²]."""
    moving: Vector
    """[m/s²]"""
    rate_1: Vector
    """Rates and velocities at the last two solutions [rad/s], [m/s]."""
    vel_1: Vector
    rate_2: Vector
    vel_2: Vector


read_motion: Any = reader(PanelMotion)
write_motion: Any = writer(PanelMotion)
MOVED: int = size(PanelMotion)


def settle_motion(v: Views, surfaces: Number) -> None:
    """All wings have long moved as they do now."""
    for k in range(surfaces.shape[0]):
        one = motion_of_surface(v, surfaces[k])
        still = Vector(0.0, 0.0, 0.0)
        past = PanelMotion(still, _swept(one), one.rate_s, one.vel_s, one.rate_s, one.vel_s)
        write_motion(v.state, int(surfaces[k].memory) + HELD, past)


def remember_motion(v: Views, surfaces: Number, time: Number) -> None:
    """The accelerations of all wings by the formula of the lattice, from solutions `time` [s] apart."""
    for k in range(surfaces.shape[0]):
        at, one = int(surfaces[k].memory) + HELD, motion_of_surface(v, surfaces[k])
        past = read_motion(v.state, at)
        turning = _growth(one.rate_s, past.rate_1, past.rate_2, time)
        moving = add(_growth(one.vel_s, past.vel_1, past.vel_2, time), _swept(one))
        write_motion(v.state, at, PanelMotion(turning, moving, one.rate_s, one.vel_s, past.rate_1, past.vel_1))


def _growth(now: Vector, last: Vector, older: Vector, time: Number) -> Vector:
    return scale(0.5 / time, add(subtract(scale(3.0, now), scale(4.0, last)), older))


def _swept(one: SiteMotion) -> Vector:
    """In the axes of a site that turns, a steady wind changes."""
    return cross(one.rate_s, subtract(one.vel_s, one.vel_air_s))


class PanelKernels:
    """Of the variant `panels`: the load of a wing of an unsteady lattice."""

    @staticmethod
    def load_panels(
        p: Number,
        state: WorkState,
        motion: SiteMotion,
        drift: Twist,
        density: Number,
        elements: Number,
        memory: Number,
    ) -> UnsteadyLoad:
        """What the last solution left, and the inertia of the air as far as it has changed since."""
        air, own = lattice_load(p, elements, motion, density, memory), moving_mass(p, motion)
        then = read_motion(memory, HELD)
        since = Twist(subtract(drift.turn, then.turning), subtract(drift.move, then.moving))
        output = shown(p, state, motion, density, air, own.power, own.power)
        return UnsteadyLoad(output, air.wrench, drift_push(p.added, since, density), own.wrench)

    @staticmethod
    def inertia_panels(p: Number, v: Views, matrix_density: Number) -> None:
        """As `WingKernels.inertia_unsteady`."""
        if not p.off:
            add_to_matrix(v, p.body, p.site, p.added, matrix_density)
