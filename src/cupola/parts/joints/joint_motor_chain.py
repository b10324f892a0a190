"""A geared motor step by step: from the torque that is asked for to what its joint feels, and what its gear and its
driver remember.
"""

from typing import NamedTuple

from cupola.physics.drive import (
    asked_current,
    gear_friction,
    motor_power,
    pulse,
    reachable_current,
    slowed,
    through_teeth,
)
from cupola.xmath import Number, clip, sqrt


class MotorNumbers(NamedTuple):
    """One motor, its gear and its driver."""

    ratio: float
    torque_constant: float
    believed_constant: float
    resistance: float
    voltage: float
    current_lasting: float
    current_max: float
    patience: float
    duty_low: float
    duty_high: float
    duty_steps: float
    efficiency: float
    dry: float
    speed_max: float
    backlash: float
    stiffness: float
    inertia: float
    """[kg m²] of the rotor, seen behind the gear."""


class MotorState(NamedTuple):
    """What a motor remembers."""

    failed: Number = 0.0
    """[1] whether the driver has failed."""
    strain: Number = 0.0
    """[s] for which it gave more than it can for ever."""
    friction: Number = 0.0
    """[N m] dry, at the joint."""
    gap: Number = 0.0
    """[rad] by which the motor is ahead, seen behind a gear with play."""
    spin: Number = 0.0
    """[rad/s] of the motor, seen behind a gear with play."""


class Drive(NamedTuple):
    """Torque at the joint and dry friction there [N m], current [A], pulse width, power [W]."""

    torque: Number
    friction: Number
    current: Number
    duty: Number
    power: Number


class Turned(NamedTuple):
    """A motor after a tick, and what it does in it."""

    state: MotorState
    drive: Drive


def turn_geared(p: Number, s: MotorState, asked: Number, speed: Number, dt: Number) -> Turned:
    """A geared motor: what its joint feels; its friction, and what turns behind a gear with play, go to the state."""
    resting = s.strain > p.patience
    most = p.current_lasting if resting else p.current_max
    loose = p.backlash > 0.0
    now = drive_joint(p, asked, s.spin if loose else speed, most)
    strain = strain_step(s.strain, p.patience, abs(now.current) > p.current_lasting, resting, dt)
    if not loose:
        return Turned(MotorState(s.failed, strain, now.friction, s.gap, s.spin), now)
    teeth = through_teeth(s.gap, s.spin - speed, p.backlash, p.stiffness, sqrt(p.stiffness * p.inertia))
    spin = slowed(s.spin + dt * (now.torque - teeth) / p.inertia, dt * now.friction / p.inertia)
    after = MotorState(s.failed, strain, s.friction, s.gap + dt * (spin - speed), spin)
    return Turned(after, Drive(teeth, 0.0, now.current, now.duty, now.power))


def strain_step(strain: Number, patience: Number, over: bool, resting: bool, dt: Number) -> Number:
    """How long a driver has given too much [s]; once it cannot any more it rests as long, counted above that."""
    if resting:
        return strain - dt if strain - dt > patience else 0.0
    if over:
        return strain + dt if strain + dt <= patience else 2.0 * patience + dt
    return max(0.0, strain - dt)


def runs_out(speed: Number, speed_max: Number, torque: Number) -> bool:
    """Whether a torque would drive a joint further that is as fast as it may be [rad/s]."""
    return bool(abs(speed) >= speed_max and torque * speed > 0.0)


def drive_joint(row: Number, torque: Number, speed: Number, current_max: Number) -> Drive:
    """What a geared motor makes of a torque that is asked of its joint, which turns at `speed` [rad/s]."""
    turn = row.ratio * row.mounted
    told = pulse(
        clip(asked_current(torque, turn, row.believed_constant), -current_max, current_max),
        row.current_max,
        row.duty_low,
        row.duty_high,
        row.duty_steps,
    )
    back = row.torque_constant * turn * speed
    current = reachable_current(told.current, row.voltage, back, row.resistance)
    if runs_out(speed, row.speed_max, current * turn):
        current = 0.0
    given = row.torque_constant * current * turn
    power = motor_power(current, row.resistance, given, speed)
    return Drive(given, gear_friction(given, row.dry, row.efficiency), current, told.duty, power)
