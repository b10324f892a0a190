"""Two controllers as a user writes them: one class, plain Python, floats. They are what the bar for Python measures."""

import math
from collections.abc import Sequence

from cupola.config.controller import Controller, parameter
from cupola.kernel.observation import Observation, Reference


class Hover(Controller):
    """A quadcopter stays level at a height: PD on height, roll and pitch, damping of the yaw rate."""

    height: parameter = parameter(500.0, low=0, high=1000, unit="m")
    climb_kp: parameter = parameter(0.15, low=0, high=1, unit="1/m")
    climb_kd: parameter = parameter(0.15, low=0, high=1, unit="s/m")
    tilt_kp: parameter = parameter(0.09, low=0, high=1, unit="1/rad")
    tilt_kd: parameter = parameter(0.02, low=0, high=1, unit="s/rad")
    yaw_kd: parameter = parameter(0.1, low=0, high=1, unit="s/rad")

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Signals of the four motors."""
        w, x, y, z = obs.quat_wb
        roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
        pitch = math.asin(max(-1.0, min(1.0, 2.0 * (w * y - z * x))))
        lift = 0.468 + self.climb_kp * (self.height - obs.pos_w.z) - self.climb_kd * obs.vel_w.z
        right = -self.tilt_kp * roll - self.tilt_kd * obs.rate_b.x
        up = self.tilt_kp * pitch + self.tilt_kd * obs.rate_b.y
        turn = self.yaw_kd * obs.rate_b.z
        motors = (
            lift - right + up - turn,
            lift - right - up + turn,
            lift + right - up - turn,
            lift + right + up + turn,
        )
        return [max(0.0, min(1.0, motor)) for motor in motors]


class Level(Controller):
    """A plane flies straight: PD on roll and pitch, damping of the yaw rate, fixed throttle."""

    pitch: parameter = parameter(0.0, low=-0.5, high=0.5, unit="rad")
    throttle: parameter = parameter(0.35, low=0, high=1)
    roll_kp: parameter = parameter(0.5, low=0, high=5, unit="1/rad")
    roll_kd: parameter = parameter(0.1, low=0, high=5, unit="s/rad")
    pitch_kp: parameter = parameter(0.5, low=0, high=5, unit="1/rad")
    pitch_kd: parameter = parameter(0.1, low=0, high=5, unit="s/rad")
    yaw_kd: parameter = parameter(0.1, low=0, high=5, unit="s/rad")

    def step(self, obs: Observation, ref: Reference) -> Sequence[float]:
        """Roll, pitch and yaw channel, and the throttle."""
        w, x, y, z = obs.quat_wb
        roll = math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))
        pitch = math.asin(max(-1.0, min(1.0, 2.0 * (w * y - z * x))))
        aileron = -self.roll_kp * roll - self.roll_kd * obs.rate_b.x
        elevator = self.pitch_kp * (pitch + self.pitch) + self.pitch_kd * obs.rate_b.y
        rudder = self.yaw_kd * obs.rate_b.z
        return [max(-1.0, min(1.0, aileron)), max(-1.0, min(1.0, elevator)), max(-1.0, min(1.0, rudder)), self.throttle]
