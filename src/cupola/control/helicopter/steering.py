"""A helicopter accelerates along the thrust of its disc: attitude by cyclic, lift by collective, heading by the tail.

A disc that follows its swashplate with a lag turns the body at a rate in proportion to the cyclic, so the attitude
error asks for a rate and the rate for a tilt of the disc. The tail rotor holds the torque of the main rotor by what is
known of the hover, and by an integral of the yaw rate's error, as the gyros of model helicopters do.
"""

from typing import Any, NamedTuple

from cupola.config.controller import Controller, parameter
from cupola.control.helicopter.authority import of_hover
from cupola.control.multirotor.geometric import insist
from cupola.control.waypoints import GRAVITY, leaning_force
from cupola.kernel.observation import Observation
from cupola.physics.rotation import Vector, attitude_error, axes_along, dot, rotate, unrotate
from cupola.xmath import Number, clip, maximum, where


class HelicopterCommand(NamedTuple):
    """Channels 0 to 3, each from -1 to 1."""

    collective: Number
    roll: Number
    pitch: Number
    tail: Number


class Steered(NamedTuple):
    """A command, and the integral of the yaw rate's error after it [rad/s²]."""

    command: HelicopterCommand
    turning: Number


class DiscGains(Controller):
    """The tunable numbers of `steer`."""

    tilt_bandwidth: parameter = parameter(3.0, low=0.3, high=20, unit="rad/s", about="of the attitude")
    yaw_bandwidth: parameter = parameter(2.0, low=0.2, high=20, unit="rad/s", about="of the heading")
    yaw_damping: parameter = parameter(10.0, low=0.5, high=60, unit="1/s", about="of the yaw rate")
    yaw_ki: parameter = parameter(10.0, low=0, high=100, unit="1/s²", about="of the yaw rate's integral")
    yaw_rate_max: parameter = parameter(1.5, low=0.1, high=6, unit="rad/s")
    hover_collective: parameter = of_hover("collective", "1", "command that carries the weight")
    idle_collective: parameter = of_hover("idle", "1", "command without thrust")
    climb_effect: parameter = of_hover("climb", "m/s²", "acceleration per collective")
    disc_lag: parameter = of_hover("lag", "s", "by which the disc follows the body")
    roll_effect: parameter = of_hover("roll", "s/rad", "cyclic per roll rate")
    pitch_effect: parameter = of_hover("pitch", "s/rad", "cyclic per pitch rate")
    hover_tail: parameter = of_hover("tail", "1", "command that holds the torque")
    yaw_effect: parameter = of_hover("yaw", "rad/s²", "angular acceleration per command of the tail rotor")


def disc_lag(p: Any) -> Number:
    """[s] by which the thrust follows a wish."""
    return 1.0 / p.tilt_bandwidth + p.disc_lag


def steer(accel_w: Vector, yaw: Number, yaw_rate: Number, turning: Number, obs: Observation, p: Any) -> Steered:
    """Accelerate by `accel_w` [m/s²] with the nose at `yaw` [rad], turning at `yaw_rate` [rad/s]."""
    force_w = leaning_force(accel_w, p)
    ref = axes_along(force_w, yaw)
    error = insist(attitude_error(obs.quat_wb, ref), unrotate(obs.quat_wb, ref.z))
    turn_b = unrotate(obs.quat_wb, Vector(0.0, 0.0, yaw_rate))
    thrust = maximum(dot(force_w, rotate(obs.quat_wb, Vector(0.0, 0.0, 1.0))), 0.0)
    roll_rate = turn_b.x - p.tilt_bandwidth * error.x
    pitch_rate = turn_b.y - p.tilt_bandwidth * error.y
    wanted = turn_b.z + clip(-p.yaw_bandwidth * error.z, -p.yaw_rate_max, p.yaw_rate_max)
    off = wanted - obs.rate_b.z
    turning = clip(turning + p.yaw_ki * off * obs.period, -30.0, 30.0)
    # The torque of the main rotor grows about as its thrust does.
    share = thrust / GRAVITY
    tail = p.hover_tail * share + _command(p.yaw_damping * off + turning, p.yaw_effect)
    command = HelicopterCommand(
        clip(p.hover_collective + _command(thrust - GRAVITY, p.climb_effect), -1.0, 1.0),
        clip(p.roll_effect * roll_rate, -1.0, 1.0),
        clip(p.pitch_effect * pitch_rate, -1.0, 1.0),
        clip(tail, -1.0, 1.0),
    )
    return Steered(command, turning)


def _command(wish: Number, effect: Number) -> Number:
    """Of what moves the body by `effect` per command; what has none is left alone."""
    without = effect == 0.0
    return where(without, 0.0, wish / where(without, 1.0, effect))
