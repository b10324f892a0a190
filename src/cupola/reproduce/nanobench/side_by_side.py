"""The vehicle `crazyflie` in NumPy, all windows side by side: a hundred times faster to fit than one after the other.

The equations of the blades are those of the compiled world (`physics.blades`), and so are step and order; a test holds
the two together. Scores are made with the world.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from cupola.analysis.real_flight import GRAVITY, STEP, STEPS, Array, Prediction, Windows
from cupola.physics.blades import SEA_LEVEL, LaggedMotor, blades_along, blades_aside
from cupola.physics.rotation import Quaternion, Vector, multiply, rotate, unrotate
from cupola.physics.servo import first_order
from cupola.reproduce.nanobench.real_flights import TIME_CONSTANT

MASS, I_ZZ, K_THRUST, K_TORQUE = 0.030, 2.89e-5, 2.3e-8, 1.372e-10
ARM = 0.043 / math.sqrt(2.0)
X, Y = ARM * np.array([1.0, -1.0, -1.0, 1.0]), ARM * np.array([-1.0, -1.0, 1.0, 1.0])
DIRECTION = np.array([1.0, -1.0, 1.0, -1.0])
"""Of motors 1 to 4, as `models/crazyflie` has them."""
TICKS = 10


def predict(windows: Windows, fitted: Mapping[str, float]) -> Prediction:
    """What happens in each window, with inertia and blades as fitted."""
    blades = {name: fitted[name] for name in ("k_drag", "k_inflow", "k_flap", "k_damping")}
    motor = LaggedMotor(0.0, TIME_CONSTANT, K_THRUST, K_TORQUE, **blades)
    inertia, dt = np.array([fitted["i_xx"], fitted["i_yy"], I_ZZ]), STEP / TICKS
    pos, vel, quat, rate = windows.pos_w, windows.vel_w, windows.quat_wb, windows.rate_b
    speeds, found = windows.speeds, []
    for k in range(STEPS):
        for _ in range(TICKS):
            speeds = first_order(speeds, windows.commands[:, k], TIME_CONSTANT, dt)
            force, torque = _load(speeds, vel, quat, rate, motor)
            accel = np.stack(rotate(Quaternion(*quat.T), Vector(*force.T)), axis=-1) / MASS
            vel = vel + dt * (accel - np.array([0.0, 0.0, GRAVITY]))
            rate = rate + dt * (torque - np.cross(rate, inertia * rate)) / inertia
            pos = pos + dt * vel
            turn = np.concatenate([np.ones((len(rate), 1)), 0.5 * dt * rate], axis=1)
            quat = np.stack(multiply(Quaternion(*quat.T), Quaternion(*turn.T)), axis=-1)
            quat = quat / np.linalg.norm(quat, axis=1, keepdims=True)
        found.append((pos, vel, quat, rate))
    return Prediction(*(np.stack(column, axis=1) for column in zip(*found, strict=True)))


def _load(speeds: Array, vel: Array, quat: Array, rate: Array, motor: LaggedMotor) -> tuple[Array, Array]:
    """Force [N] and torque [N m] of four rotors, body axes. Axes of a motor's site: shaft, front, left."""
    through: Any = unrotate(Quaternion(*quat.T), Vector(*vel.T))  # arrays where checkers know numbers
    rates: list[Any] = [rate[:, k : k + 1] for k in range(3)]
    p, q, r = rates
    along = through.z[:, None] + p * Y - q * X
    hub = Vector(along, through.x[:, None] - r * Y, through.y[:, None] + r * X)
    out = blades_along(speeds, along, SEA_LEVEL, DIRECTION, motor)
    side = blades_aside(speeds, hub, Vector(r, p, q), SEA_LEVEL, motor)
    front, left, lift = side.force.y, side.force.z, out.thrust
    torque = Vector(
        side.torque.y + Y * lift, side.torque.z - X * lift, side.torque.x + out.torque + X * left - Y * front
    )
    return _total(Vector(front, left, lift)), _total(torque)


def _total(each: Vector) -> Array:
    return np.stack([np.sum(component, axis=1) for component in each], axis=-1)
