"""Options of the air, off unless a part asks: the ground, streams behind propellers, sheared wind, spinning shafts.

Nothing is kept from one evaluation to the next. The stream over a surface is found from the thrust of its rotor at the
same stage of the integrator, so no lag of a tick comes in, and the order of the parts in a file does not matter.
"""

from typing import NamedTuple

from cupola.engine.propeller import propeller_load
from cupola.kernel.air import motion_in_air, wind_slope_w
from cupola.kernel.motion import row_vector, to_site
from cupola.kernel.planet import height_of, spin_w
from cupola.parts.aero.airfoil import AirfoilOutput, airfoil_load, moved
from cupola.parts.part import SiteMotion
from cupola.parts.propulsion.rotor import ELEMENTS, RotorOutput, rotor_load
from cupola.physics.ground import rotor_gain, wing_share
from cupola.physics.motor import shaft_reaction
from cupola.physics.rotation import Vector, add, dot, length, scale, subtract
from cupola.physics.slipstream import immersed_share, induced_speed, stream_radius, stream_speed
from cupola.physics.wind import sheared_rate
from cupola.xmath import Number, clip

WASH = 2
"""Numbers of a stream over a surface: row of its rotor, share of the area (below 0: found from the geometry)."""


def supply(v: Number, row: Number) -> Number:
    """Voltage of a motor's battery by the nominal one of the motor: its throttle counts for that much."""
    if row.battery < 0:
        return 1.0
    return v.state[v.batteries[row.battery].state + 1] / (row.cells * row.cell_voltage)


def rotor_now(v: Number, row: Number, motion: SiteMotion, density: Number) -> RotorOutput:
    """What a rotor does at the present motion, with the ground below it."""
    if row.model == ELEMENTS:
        out = propeller_load(v, row, v.state[row.state], motion, density)
    else:
        out = rotor_load(row, v.state[row.state], motion, density, v.drive, v.curves, supply(v, row))
    if not row.ground:
        return out
    sideways = length(Vector(0.0, motion.vel_air_s.y, motion.vel_air_s.z))
    upright = v.site_xmat[row.site, 6]
    gain = rotor_gain(_height(v, row), row.radius, out.thrust, sideways, upright, density)
    return RotorOutput(gain * out.thrust, out.torque, out.omega, out.airspeed, out.current, out.power)


def shaft_torque(v: Number, row: Number, motion: SiteMotion) -> Vector:
    """Reaction of the spinning mass on the vehicle, axes of the site [N m]."""
    omega, omega_dot = v.state[row.state], v.state[row.state + 2]
    halfway = omega - 0.5 * omega_dot * v.world[0].dt  # the speed grows during the tick, from that of the tick before
    return shaft_reaction(row.shaft_inertia, halfway, omega_dot, add(motion.rate_s, to_site(v, row.site, spin_w(v))))


def airfoil_now(v: Number, row: Number, motion: SiteMotion, density: Number) -> AirfoilOutput:
    """Load of a surface that uses an option: the sum over the parts of its area in and out of streams."""
    rate = motion.rate_s
    if row.sheared:
        slope = to_site(v, row.site, wind_slope_w(v, v.site_xpos[row.site, 2]))
        rate = add(rate, sheared_rate(slope, to_site(v, row.site, Vector(0.0, 0.0, 1.0))))
    taken = wing_share(_height(v, row), row.span) if row.ground else 0.0
    outside = airfoil_load(row, SiteMotion(motion.vel_s, motion.vel_air_s, rate), density, v.drive, v.curves, taken)
    out, left = outside, 1.0
    for k in range(row.wash_count):
        at = row.wash_start + WASH * k
        stream = _stream_over(v, row, v.rotors[int(v.curves[at])])
        share = clip(stream.share if v.curves[at + 1] < 0.0 else v.curves[at + 1], 0.0, left)
        flow = SiteMotion(motion.vel_s, add(motion.vel_air_s, stream.added_s), rate)
        out = moved(out, share, outside, airfoil_load(row, flow, density, v.drive, v.curves, taken))
        left -= share
    return out


class _Stream(NamedTuple):
    share: Number
    """Of the span that lies in the stream."""
    added_s: Vector
    """Velocity of the surface through the stream, less that through the air around it, axes of the surface [m/s]."""


def _stream_over(v: Number, row: Number, rotor: Number) -> _Stream:
    """The stream of a rotor where a surface is."""
    motion, density = motion_in_air(v, rotor)
    ahead = motion.vel_air_s.x
    R = v.site_xmat[rotor.site]
    shaft_w = Vector(R[0], R[3], R[6])
    place_w = subtract(row_vector(v.site_xpos, row.site), row_vector(v.site_xpos, rotor.site))
    behind = -dot(shaft_w, place_w)
    induced = induced_speed(rotor_now(v, rotor, motion, density).thrust, ahead, density, rotor.radius)
    added = stream_speed(induced, behind, rotor.radius)
    aside = to_site(v, row.site, add(place_w, scale(behind, shaft_w)))  # from the axis of the stream to the surface
    width = stream_radius(induced, added, ahead, rotor.radius)
    return _Stream(immersed_share(width, -aside.y, aside.z, row.span), to_site(v, row.site, scale(added, shaft_w)))


def _height(v: Number, row: Number) -> Number:
    """Of a part above the floor, which is level: boxes and other vehicles on it do not count [m]."""
    return height_of(v, row_vector(v.site_xpos, row.site))
