"""Motors on joints in the loop: once per tick, before the step."""

from cupola.parts.joints.joint_motor import FAILED, FRICTION, GAP, SPIN, STRAIN, Drive, drive
from cupola.physics.drive import slowed, through_teeth
from cupola.xmath import Number, sqrt


def turn_motors(v: Number) -> None:
    """What every motor exerts in this tick."""
    for i in range(v.motors.shape[0]):
        row = v.motors[i]
        s, out = v.state[row.state : row.state + 5], v.outputs[row.output : row.output + 5]
        asked = row.sign * v.drive[row.channel]
        if row.fails_at_zero and asked == 0.0:
            s[FAILED] = 1.0
        elif v.drive[row.reset] > 0.5:
            s[FAILED] = 0.0
        if s[FAILED] > 0.0 or row.dead:
            asked = 0.0
        speed = v.qvel[row.speed]
        if row.geared:
            now = _drive(row, s, asked, speed, v.world[0].dt)
        else:
            now = Drive(asked, 0.0, 0.0, 0.0, abs(asked * speed))
        v.ctrl[row.control] = now.torque
        out[0], out[1], out[2], out[3], out[4] = now.torque, now.current, now.duty, now.power, s[FAILED]
    set_friction(v)


def set_friction(v: Number) -> None:
    """Dry friction of all joints with a geared motor, as the state has it."""
    for i in range(v.motors.shape[0]):
        row = v.motors[i]
        if row.geared:
            v.frictionloss[row.speed] = v.state[row.state + FRICTION]


def _drive(row: Number, s: Number, asked: Number, speed: Number, dt: Number) -> Drive:
    """A geared motor: what its joint feels; its friction, and what turns behind a gear with play, go to the state."""
    resting = s[STRAIN] > row.patience
    most = row.current_lasting if resting else row.current_max
    loose = row.backlash > 0.0
    now = drive(row, asked, s[SPIN] if loose else speed, most)
    s[STRAIN] = _strain(s[STRAIN], row.patience, abs(now.current) > row.current_lasting, resting, dt)
    if not loose:
        s[FRICTION] = now.friction
        return now
    teeth = through_teeth(s[GAP], s[SPIN] - speed, row.backlash, row.stiffness, sqrt(row.stiffness * row.inertia))
    spin = s[SPIN] + dt * (now.torque - teeth) / row.inertia
    s[SPIN] = slowed(spin, dt * now.friction / row.inertia)
    s[GAP] += dt * (s[SPIN] - speed)
    return Drive(teeth, 0.0, now.current, now.duty, now.power)


def _strain(strain: Number, patience: Number, over: bool, resting: bool, dt: Number) -> Number:
    """How long a driver has given too much [s]; once it cannot any more it rests as long, counted above that."""
    if resting:
        return strain - dt if strain - dt > patience else 0.0
    if over:
        return strain + dt if strain + dt <= patience else 2.0 * patience + dt
    return max(0.0, strain - dt)
