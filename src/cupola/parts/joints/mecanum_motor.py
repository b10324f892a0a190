"""The motors of a base's wheels, and their common supply.

A motor turns its wheel at the speed it is asked for, as far as its torque goes: torque = speed_gain × what the speed
lacks + angle_gain × what it has lacked so far. Asked to stand, it brakes, forgets what it lacked, and holds the wheel
where it stopped, as the zero clamp of a servo drive does. `holds: angle` makes it a servo on the sum of all commands.
"""

import math
from typing import NamedTuple

from cupola.kernel.records import reader
from cupola.physics.mecanum import Wheels
from cupola.xmath import Number, absolute, clip, maximum

WHEELS = 4
STAND = 1e-9
"""[rad/s]: who is asked for less is asked to stand."""
STOPPED = 0.05
"""[rad/s] below which a wheel that shall stand is held where it is."""
KINEMATIC = 0
"""The model of the wheels whose motors have nothing to pull."""
SPEED, ANGLE = 0, 1
HOLDS = {"speed": SPEED, "angle": ANGLE}


class MotorNumbers(NamedTuple):
    """Motors and supply of one base."""

    torque_max: float
    angle_gain: float
    speed_gain: float
    torque_constant: float
    resistance: float
    supply_voltage: float
    supply_current_max: float
    supply_patience: float


class MotorState(NamedTuple):
    """The supply of the motors, and which of them hold their wheels where they stopped."""

    tripped: Number = 0.0
    """[1] whether the supply has given up."""
    over: Number = 0.0
    """[s] for which it gave too much."""
    held_fr: Number = 1.0
    held_fl: Number = 1.0
    held_rl: Number = 1.0
    held_rr: Number = 1.0
    """[1]."""


class Corners(NamedTuple):
    """One number per wheel: front right, front left, rear left, rear right."""

    fr: Number
    fl: Number
    rl: Number
    rr: Number


class WheelsOutput(NamedTuple):
    """What the motors do now."""

    target: Corners
    """[rad/s] that each was asked for last."""
    torque: Corners
    """[N m] of each."""
    current: Number
    """[A] of the supply."""
    tripped: Number
    """[1] whether it has given up."""


class MecanumMove(NamedTuple):
    """Answer of `actuate`."""

    state: MotorState
    output: WheelsOutput
    ok: bool


ANGLES, SPEEDS = 0, WHEELS
"""In the memory of a base: the angles and speeds that its motors are asked for."""
wheels_at, corners_at = reader(Wheels), reader(Corners)


def spin_wheels(
    p: Number,
    state: MotorState,
    memory: Number,
    drive: Number,
    qpos: Number,
    qvel: Number,
    ctrl: Number,
    actuator_force: Number,
    actuator_forcerange: Number,
    dt: Number,
) -> MecanumMove:
    """What the motors are asked for in this tick, and whether their supply bears it."""
    asked = drive[p.channel : p.channel + WHEELS + 1]
    current = supply_current(p, actuator_force, qvel)
    supply = supply_step(p, state, current, asked[WHEELS] > 0.5, dt)
    most = 0.0 if supply.tripped > 0.0 else p.torque_max
    for k in range(WHEELS):
        if p.source[k] >= 0:
            memory[SPEEDS + k] = qvel[p.source[k]]
        elif not math.isnan(asked[k]):
            memory[SPEEDS + k] = asked[k]
        asked[k] = memory[SPEEDS + k]
    after = MotorState(
        supply.tripped,
        supply.over,
        aim(p, memory, 0, state.held_fr, qpos, qvel, most, dt),
        aim(p, memory, 1, state.held_fl, qpos, qvel, most, dt),
        aim(p, memory, 2, state.held_rl, qpos, qvel, most, dt),
        aim(p, memory, 3, state.held_rr, qpos, qvel, most, dt),
    )
    total = current + p.torque_max
    for k in range(WHEELS):
        ctrl[p.motor[k]] = p.angle_gain * memory[ANGLES + k] + p.speed_gain * asked[k]
        total += ctrl[p.motor[k]]
        actuator_forcerange[p.motor[k], 0], actuator_forcerange[p.motor[k], 1] = -most, most
    given = actuator_force
    torque = Corners(given[p.motor[0]], given[p.motor[1]], given[p.motor[2]], given[p.motor[3]])
    shown = WheelsOutput(corners_at(memory, SPEEDS), torque, current, supply.tripped)
    return MecanumMove(after, shown, abs(total) < 1e300)


def aim(
    p: Number, memory: Number, k: Number, held: Number, qpos: Number, qvel: Number, most: Number, dt: Number
) -> Number:
    """Set the angle that a motor pulls its wheel to in this tick; 1 if it holds the wheel where it stopped, else 0."""
    asked, angle = memory[SPEEDS + k], qpos[p.angle[k]]
    stands = absolute(asked) < STAND
    if p.model == KINEMATIC:
        memory[ANGLES + k] = angle + asked * dt
        return 0.0
    if most <= 0.0:
        memory[ANGLES + k] = angle
        return 0.0
    if p.holds == SPEED and stands and held < 0.5:
        memory[ANGLES + k] = angle
        return 1.0 if absolute(qvel[p.speed[k]]) < STOPPED else 0.0
    # A motor that cannot follow does not remember how far it is behind.
    slack = most / maximum(p.angle_gain, 1e-9)
    memory[ANGLES + k] = clip(memory[ANGLES + k] + asked * dt, angle - slack, angle + slack)
    return 1.0 if stands else 0.0


def supply_current(p: Number, actuator_force: Number, qvel: Number) -> Number:
    """Current that the supply gives [A]: mechanical power and heat of the windings; what brakes gives nothing back."""
    power = 0.0
    for k in range(WHEELS):
        torque = actuator_force[p.motor[k]]
        winding = torque / p.torque_constant
        power += maximum(torque * qvel[p.speed[k]] + p.resistance * winding * winding, 0.0)
    return power / p.supply_voltage


class Supply(NamedTuple):
    """After a tick."""

    tripped: Number
    over: Number


def supply_step(p: Number, state: MotorState, current: Number, switched_on: bool, dt: Number) -> Supply:
    """More current than the supply gives, for longer than it stands, trips it."""
    too_much = p.supply_current_max > 0.0 and current > p.supply_current_max
    over = state.over + dt if too_much else 0.0
    tripped = state.tripped
    if over > p.supply_patience:
        tripped = 1.0
    elif switched_on:
        tripped = 0.0
    return Supply(tripped, over)
