"""Motors on joints in the loop: once per tick, before the step."""

from cupola.parts.motor import drive
from cupola.xmath import Number


def turn_motors(v: Number) -> None:
    """What every motor exerts in this tick."""
    dt = v.world[0].dt
    for i in range(v.motors.shape[0]):
        row = v.motors[i]
        s, out = v.state[row.state : row.state + 2], v.outputs[row.output : row.output + 5]
        asked = row.sign * v.drive[row.channel]
        if row.fails_at_zero and asked == 0.0:
            s[0] = 1.0
        elif v.drive[row.reset] > 0.5:
            s[0] = 0.0
        if s[0] > 0.0 or row.dead:
            asked = 0.0
        if not row.geared:
            v.ctrl[row.control] = asked
            out[0], out[3], out[4] = asked, abs(asked * v.qvel[row.speed]), s[0]
            continue
        resting = s[1] > row.patience
        now = drive(row, asked, v.qvel[row.speed], row.current_lasting if resting else row.current_max)
        s[1] = _strain(s[1], row.patience, abs(now.current) > row.current_lasting, resting, dt)
        v.ctrl[row.control] = now.torque
        v.frictionloss[row.speed] = now.friction
        out[0], out[1], out[2], out[3], out[4] = now.torque, now.current, now.duty, now.power, s[0]


def _strain(strain: Number, patience: Number, over: bool, resting: bool, dt: Number) -> Number:
    """How long a driver has given too much [s]; once it cannot any more it rests as long, counted above that."""
    if resting:
        return strain - dt if strain - dt > patience else 0.0
    if over:
        return strain + dt if strain + dt <= patience else 2.0 * patience + dt
    return max(0.0, strain - dt)
