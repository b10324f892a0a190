"""A controller of your own: circles at a height. Run it with

cupola run quadcopter --controller examples/my_controller.py:Circle --duration 20 --plot
"""

import math

from cupola import Controller, parameter
from cupola.control.mixing import mix_quad
from cupola.physics.rotation import euler_from_quaternion

GRAVITY = 9.81


class Circle(Controller):
    """Flies a circle around the origin, nose to the east."""

    radius = parameter(2.0, low=0, high=20, unit="m")
    turn = parameter(0.6, low=-2, high=2, unit="rad/s")
    height = parameter(2.0, low=0.5, high=50, unit="m")
    kp = parameter(1.5, low=0, high=10, unit="1/s²")
    kd = parameter(2.0, low=0, high=10, unit="1/s")

    def step(self, obs, ref):
        """Accelerate towards a point that runs around the circle; tilt and throttle give that acceleration."""
        angle, w = self.turn * obs.time, self.turn
        c, s = self.radius * math.cos(angle), self.radius * math.sin(angle)
        goals = ((c, -w * s, -w * w * c), (s, w * c, -w * w * s), (self.height, 0.0, 0.0))
        ax, ay, az = (
            accel + self.kp * (place - p) + self.kd * (speed - v)
            for (place, speed, accel), p, v in zip(goals, obs.pos_w, obs.vel_w, strict=True)
        )
        roll, pitch, yaw = euler_from_quaternion(obs.quat_wb)
        want_pitch = max(-0.5, min(0.5, ax / GRAVITY))  # nose down accelerates forward
        want_roll = max(-0.5, min(0.5, -ay / GRAVITY))
        return mix_quad(
            0.468 * math.sqrt(max(0.0, 1.0 + az / GRAVITY)),
            0.09 * (want_roll - roll) - 0.02 * obs.rate_b.x,
            -0.09 * (want_pitch - pitch) + 0.02 * obs.rate_b.y,
            0.11 * yaw + 0.10 * obs.rate_b.z,
        )
