"""Models from outside, called by address: read their inputs, let them do the step ahead, hold what they gave."""

import numpy as np

from cupola.engine.loads import EXTERNAL, blame
from cupola.kernel.air import sample, wind_at
from cupola.kernel.jit import ask
from cupola.kernel.motion import body_quaternion, point_velocity_w, row_vector, site_quaternion, write_motion
from cupola.parts.external.external import AGE, OUT, STATUS
from cupola.parts.external.quantity import AIR, CHANNEL, CONTROL, JOINT, PLACE, POSITION, VELOCITY
from cupola.parts.external.wiring import SINK, TAP
from cupola.physics.rotation import subtract, unrotate
from cupola.xmath import Number

COLUMNS = 19
"""Numbers of a place: see `look_at`."""


def exchange(v: Number, tick: Number) -> Number:
    """Ask every model that is due, and set the joints and controls that they drive; 0 or what went wrong."""
    for i in range(v.externals.shape[0]):
        row = v.externals[i]
        s = v.state[row.state : row.state + OUT + row.taken]
        if s[AGE] % row.every == 0:
            _read(v, row, tick)
            dt = v.world[0].dt
            # Numba would make a float of an address that is now signed, now not.
            context = row.context if row.context != 0 else np.int64(v.curves[row.parameters :].ctypes.data)
            given, taken = v.outputs[row.shown :].ctypes.data, v.state[row.state + OUT :].ctypes.data
            own = v.state[row.state + OUT + row.taken :].ctypes.data
            s[STATUS] = ask(row.function, (given, taken, own, context, s[AGE] * dt, row.every * dt))
        if not _sound(s):
            return blame(EXTERNAL, i)
        s[AGE] += 1.0
    _drive(v)
    return 0


def _read(v: Number, row: Number, tick: Number) -> None:
    """Fill the inputs of a model with the present motion."""
    sample(v, row.vehicle)
    place = np.empty(COLUMNS)
    body, site = -1, -1
    for k in range(row.given):
        at = row.taps + TAP * k
        kind, a, b = int(v.curves[at]), int(v.curves[at + 1]), int(v.curves[at + 2])
        value = tick * v.world[0].dt
        if kind == POSITION:
            value = v.qpos[a]
        elif kind == VELOCITY:
            value = v.qvel[a]
        elif kind == CHANNEL:
            value = v.drive[a]
        elif kind == AIR:
            value = v.airs[row.vehicle, a]
        elif kind == PLACE:
            if a != body or b != site:
                look_at(v, row.vehicle, a, b, place)
                body, site = a, b
            value = place[int(v.curves[at + 3])]
        v.outputs[row.shown + k] = value


def look_at(v: Number, vehicle: Number, body: Number, site: Number, out: Number) -> None:
    """Motion of a site (-1: of the body itself): as `write_motion`, then its velocity through the air in its axes."""
    point = row_vector(v.xpos, body) if site < 0 else row_vector(v.site_xpos, site)
    turned = body_quaternion(v, body) if site < 0 else site_quaternion(v, body, site)
    write_motion(v, body, point, turned, out, 0)
    through = unrotate(turned, subtract(point_velocity_w(v, body, point), wind_at(v, vehicle, point.z)))
    out[16], out[17], out[18] = through.x, through.y, through.z


def _sound(s: Number) -> bool:
    """Whether a model said that all is well and gave numbers."""
    total = 0.0
    for k in range(OUT, s.shape[0]):
        total += abs(s[k])
    return bool(s[STATUS] == 0.0 and total < 1e300)


def _drive(v: Number) -> None:
    """Joint torques and controls of all models; a joint may be driven by several."""
    for add in range(2):
        for i in range(v.externals.shape[0]):
            row = v.externals[i]
            for k in range(row.sunk):
                at = row.sinks + SINK * k
                kind, index = int(v.curves[at]), int(v.curves[at + 1])
                value = v.state[row.state + OUT + int(v.curves[at + 3])]
                if kind == JOINT:
                    v.qfrc[index] = v.qfrc[index] + value if add else 0.0
                elif kind == CONTROL:
                    v.ctrl[index] = value
