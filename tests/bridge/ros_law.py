"""A pilot for the quadcopter of Last_letter_2, in numbers only: it runs in a node of ROS and in the world."""

import os
import signal

LIFE = [float(word) for word in os.environ.get("CUPOLA_MORTAL", "").split()]
"""Steps, and [s] after them, after which the process that flies dies at once, wherever it is; none for ever."""


def grow_older():
    """One step; the alarm ends a process that has made no arrangements for it as a kill does."""
    LIFE[0] -= 1
    if LIFE[0] == 0:
        signal.setitimer(signal.ITIMER_REAL, LIFE[1])


def fly(time, position, attitude, velocity, rate):
    """Four motor signals: climb to 1 m and hold the place; body axes front-left-up, attitude w, x, y, z."""
    if LIFE:
        grow_older()
    x, y, z = position
    _, qx, qy, qz = attitude
    u, v, up = velocity
    p, q, r = rate
    wish_pitch = min(0.2, max(-0.2, 0.15 * (0.3 - x) - 0.25 * u))  # nose down goes forward
    wish_roll = min(0.2, max(-0.2, -0.15 * (0.2 - y) + 0.25 * v))  # right side down goes to the right
    roll = 0.25 * (wish_roll - 2.0 * qx) - 0.06 * p
    pitch = -0.25 * (wish_pitch - 2.0 * qy) + 0.06 * q
    yaw = 0.2 * 2.0 * qz + 0.1 * r
    throttle = 0.5 + 0.2 * (1.0 - z) - 0.15 * up
    motors = (
        throttle - roll + pitch - yaw,
        throttle - roll - pitch + yaw,
        throttle + roll - pitch - yaw,
        throttle + roll + pitch + yaw,
    )
    return [min(1.0, max(0.0, motor)) for motor in motors]
