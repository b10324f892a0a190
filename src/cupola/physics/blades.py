"""A motor that follows its commanded speed with a lag, and a rotor whose blades feel the air from every side.

Beside thrust k Ω², everything is linear in the motion of the hub and in the shaft speed: a hub that moves along the
shaft loses thrust (more inflow), one that moves across it is dragged back and tipped away from the motion (the blades
flap), one that turns is damped. The first two are those of Förster, "System identification of the Crazyflie 2.0 nano
quadrocopter", ETH Zurich (2015), and of RotorPy (Folk, Paulos and Kumar, arXiv 2306.04485). Axes and signs are those of
`motor`: the shaft is +x of the site, `direction` is +1 for right-handed rotation about it.
"""

import math
from typing import NamedTuple

from cupola.physics.motor import MotorOutput
from cupola.physics.rotation import Vector, Wrench
from cupola.physics.servo import first_order
from cupola.xmath import Number, absolute, maximum, sqrt

SEA_LEVEL = 1.225
"""Density [kg/m³] for which the coefficients hold; all forces grow with the density."""


SMALL = 1e-12
"""[N] that counts as no thrust: the root of nothing has no slope."""
SIDE_FORCE = 0.2
"""Of `side_force`: the Crazyflie's, whose drag was fitted on real flights (`models/crazyflie`), without dimension."""


def side_force(thrust: Number, vel_air: Vector, density: Number, radius: Number, share: Number) -> Vector:
    """Force [N] on a lifting rotor against its motion across the shaft, axes of the site.

    Flapping blades and their drag act against the motion, in proportion to it (Mahony, Kumar and Corke, "Multirotor
    aerial vehicles", IEEE Robotics & Automation Magazine 2012; measured in flight by Faessler, Franchi and Scaramuzza,
    RA-L 2018). The scale is the momentum of the air of the far wake: momentum theory's disc blows √(2 ρ A T) [kg/s] of
    it, and the force is a share of that flow times the velocity across the shaft.
    """
    flow = sqrt(2.0 * density * math.pi * radius * radius * maximum(thrust, SMALL))
    return Vector(0.0, -share * flow * vel_air.y, -share * flow * vel_air.z)


class LaggedMotor(NamedTuple):
    """Numbers of one motor and its rotor."""

    speed_max: float
    """[rad/s] at full throttle."""
    time_constant: float
    """[s] of the shaft speed behind its command."""
    k_thrust: float
    """Thrust per squared shaft speed [N s²]."""
    k_torque: float
    """Reaction torque per squared shaft speed [N m s²]."""
    k_drag: float = 0.0
    """Force against motion across the shaft, per shaft speed and velocity [N s²/m]."""
    k_inflow: float = 0.0
    """Thrust lost to motion along the shaft, per shaft speed and velocity [N s²/m]."""
    k_flap: float = 0.0
    """Torque that tips the shaft away from motion across it, per shaft speed and velocity [N s²]."""
    k_damping: float = 0.0
    """Torque against turning, per shaft speed and rate [N m s²]."""


def lagged_speed(omega: Number, throttle: Number, direction: Number, dt: Number, p: LaggedMotor) -> Number:
    """Shaft speed after `dt` [s] of a throttle held constant [rad/s]."""
    return direction * first_order(absolute(omega), throttle * p.speed_max, p.time_constant, dt)


def blades_along(omega: Number, v_normal: Number, density: Number, direction: Number, p: LaggedMotor) -> MotorOutput:
    """Thrust and reaction torque along the shaft, of a hub that moves at `v_normal` [m/s] along it."""
    share, speed = density / SEA_LEVEL, absolute(omega)
    thrust = share * speed * (p.k_thrust * speed - p.k_inflow * v_normal)
    return MotorOutput(thrust, -direction * share * p.k_torque * speed * speed, omega)


def blades_aside(omega: Number, vel_air: Vector, rate: Vector, density: Number, p: LaggedMotor) -> Wrench:
    """All else that the blades do to their hub: `vel_air` [m/s] through the air, `rate` [rad/s], axes of the site."""
    spin = density / SEA_LEVEL * absolute(omega)
    drag, flap, damping = spin * p.k_drag, spin * p.k_flap, spin * p.k_damping
    return Wrench(
        Vector(0.0, -drag * vel_air.y, -drag * vel_air.z),
        # flap (velocity × shaft) - damping rate
        Vector(-damping * rate.x, flap * vel_air.z - damping * rate.y, -flap * vel_air.y - damping * rate.z),
    )
