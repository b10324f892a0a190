"""Rotors by blade elements: the air that each ring of the disc moves is state, advanced once per tick."""

from numba import carray

from cupola.kernel.jit import pointer
from cupola.parts.part import SiteMotion
from cupola.parts.propulsion.propeller import RING
from cupola.parts.propulsion.rotor import RotorOutput
from cupola.physics.propeller import blade_load, element_load, inflow_step
from cupola.physics.rotation import length
from cupola.xmath import Number


def rings_of(v: Number, row: Number) -> Number:
    """The rings of a rotor."""
    return carray(pointer(v.curves.ctypes.data + 8 * row.first), (row.count,), RING)


def move_inflow(v: Number, row: Number, omega: Number, motion: SiteMotion, start: Number) -> None:
    """Speed that each ring gives to the air: after one tick, or where it ends if all else stays (`start`)."""
    rings = rings_of(v, row)
    speed, ahead = abs(omega), motion.vel_air_s.x
    for k in range(row.count):
        at = row.inflow + k
        if start:
            v.state[at] = element_load(speed, ahead, 1.0, rings[k]).induced
        else:
            v.state[at] = inflow_step(v.state[at], speed, ahead, v.world[0].dt, rings[k])


def propeller_load(v: Number, row: Number, omega: Number, motion: SiteMotion, density: Number) -> RotorOutput:
    """Thrust and torque of all rings now; the inflow is that of the tick."""
    rings = rings_of(v, row)
    speed, thrust, torque = abs(omega), 0.0, 0.0
    for k in range(row.count):
        one = blade_load(v.state[row.inflow + k], speed, motion.vel_air_s.x, density, rings[k])
        thrust += one.thrust
        torque += one.torque
    return RotorOutput(thrust, -row.direction * torque, omega, length(motion.vel_air_s), 0.0, torque * speed)
