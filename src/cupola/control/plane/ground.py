"""A plane on its wheels: keep the runway, raise the nose when fast enough, climb out straight ahead."""

from typing import Any

from cupola.config.controller import parameter
from cupola.control.pass_through import PlaneCommand
from cupola.control.plane.loops import PlaneGains, airspeed, bank_for, hold_pitch, hold_roll, hold_sideslip
from cupola.kernel.observation import Observation
from cupola.physics.rotation import euler_from_quaternion, wrap
from cupola.xmath import Number, clip

LOW_BANK = 0.15
"""[rad] at most near the ground."""
OFF_GROUND = 0.3
"""[m] above the start that count as flying."""


class GroundGains(PlaneGains):
    """The tunable numbers of `on_wheels`."""

    rotate_speed: parameter = parameter(19.0, low=2, high=100, unit="m/s", about="airspeed at which the nose is raised")
    takeoff_pitch: parameter = parameter(0.15, low=0.02, high=0.6, unit="rad", about="nose angle of the first climb")
    takeoff_height: parameter = parameter(10.0, low=1, high=200, unit="m", about="above this the take-off is over")
    ground_pitch: parameter = parameter(0.045, low=-0.3, high=0.5, unit="rad", about="nose angle on the wheels")
    steer_kp: parameter = parameter(6.0, low=0, high=20, unit="1/rad", about="rudder on the ground per heading error")
    steer_kd: parameter = parameter(1.0, low=0, high=10, unit="s/rad")


def low_and_slow(speed: Number, obs: Observation, p: Any) -> bool:
    """Below `speed` [m/s] and near the ground at z = 0: it has yet to take off. High up it flies, however slowly."""
    return bool(obs.pos_w.z < p.takeoff_height and airspeed(obs) < speed)


def on_wheels(
    throttle: Number, taking_off: bool, runway: Number, height: Number, obs: Observation, p: Any
) -> PlaneCommand:
    """Wings level, nose along the runway [rad]; when taking off and fast enough, nose up.

    `height` is that of the start [m]; just above it the rudder lets go, and a small bank keeps the runway's course.
    """
    raised = taking_off and airspeed(obs) > p.rotate_speed
    stick, _ = hold_pitch(p.takeoff_pitch if raised else p.ground_pitch, 0.0, obs, p)
    off = wrap(runway - euler_from_quaternion(obs.quat_wb).yaw)
    yaw, bank = clip(-p.steer_kp * off + p.steer_kd * obs.rate_b.z, -1.0, 1.0), 0.0
    if raised and obs.pos_w.z > height + OFF_GROUND:
        yaw, _ = hold_sideslip(0.0, obs, p)
        bank = clip(bank_for(runway, 0.0, obs, p), -LOW_BANK, LOW_BANK)
    return PlaneCommand(hold_roll(bank, obs, p), stick, yaw, throttle)
