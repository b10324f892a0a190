"""The torque that a model misses, learnt in flight: what it turned too far in the windows before.

Bent blades, a mass that does not hang in the middle and the air push a vehicle for seconds the same way, so a model
that knows nothing of it turns too far by about the same angle in window after window. The mean of that angle, from
windows that had ended when a window starts, is taken as a steady angular acceleration, and the prediction is corrected
by what that does: to rate, attitude, and through the tilt of the thrust to velocity and place. Such a torque fades with
one time constant, by which old windows count less and the forecast is smaller than what was seen.
"""

import math

import numpy as np

from cupola.analysis.real_flight import GRAVITY, STEP, STEPS, Array, Predict, Prediction, Windows, turn_between
from cupola.physics.rotation import Quaternion, Vector, multiply, rotate

LENGTH = STEP * STEPS
"""[s] of a window."""
FADES = 1.0
"""[s] in which such a torque fades; 0.7 to 2 s serve the six flights of a Crazyflie about as well."""


def with_missed_torque(model: Predict) -> Predict:
    """The model, corrected by the torque that it was seen to miss before each window."""
    return lambda windows: corrected(windows, model(windows))


def corrected(windows: Windows, found: Prediction) -> Prediction:
    """A prediction less what the torque does that it missed so far."""
    begun = np.repeat(windows.quat_wb[:, None], STEPS, axis=1)
    turned = turn_between(found.quat_wb, begun)
    too_far = turned[:, -1] - turn_between(windows.flown.quat_wb, begun)[:, -1]
    share = np.arange(1, STEPS + 1)[None, :, None] / STEPS
    off = -_learnt(windows.start, too_far)[:, None] * share**2
    # The thrust, about the weight, tilts with the vehicle: up of the body moves by off x up.
    leaning = Vector(*(off @ np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])).transpose(2, 0, 1))
    accel = GRAVITY * np.stack(rotate(Quaternion(*np.moveaxis(begun, -1, 0)), leaning), axis=-1)
    faster = STEP * np.cumsum(accel, axis=1)
    return Prediction(
        found.pos_w + STEP * np.cumsum(faster, axis=1),
        found.vel_w + faster,
        _turn(begun, turned + off),
        found.rate_b + 2.0 * off / (share * LENGTH),
    )


def _learnt(start: Array, too_far: Array) -> Array:
    """For each window: what the fading mean over those that had ended when it starts foretells; at first nothing."""
    means, mean, seen = np.zeros_like(too_far), np.zeros(3), 0
    steps = np.diff(start, prepend=start[0] - (start[1] - start[0] if len(start) > 1 else LENGTH))
    for i, now in enumerate(start):
        while start[seen] + LENGTH <= now + 1e-6:
            keep = math.exp(-steps[seen] / FADES)
            mean, seen = keep * mean + (1.0 - keep) * too_far[seen], seen + 1
        means[i] = math.exp(-(now - start[seen - 1]) / FADES) * mean if seen else 0.0
    return means


def _turn(quat: Array, by: Array) -> Array:
    """Attitudes turned by rotation vectors in their own axes."""
    angle = np.linalg.norm(by, axis=-1)
    half = 0.5 * np.sinc(angle / (2.0 * np.pi))[..., None] * by
    small = Quaternion(np.cos(0.5 * angle), *np.moveaxis(half, -1, 0))
    return np.stack(multiply(Quaternion(*np.moveaxis(quat, -1, 0)), small), axis=-1)
