"""Gas in the loop: what it is used for in a tick, and the loads of bearings and thrusters at every stage."""

from cupola.kernel.motion import push_site, site_motion
from cupola.parts.joints.air_bearing import bearing_load
from cupola.parts.propulsion.thruster_pair import Valve, valve_step
from cupola.physics.gas import supply_share
from cupola.physics.rotation import Vector, Wrench
from cupola.xmath import Number

STILL = Vector(0.0, 0.0, 0.0)


def use_gas(v: Number) -> None:
    """Valves open and close, and bottles empty themselves by what flowed in the tick."""
    dt = v.world[0].dt
    for i in range(v.tanks.shape[0]):
        v.outputs[v.tanks[i].output + 2] = 0.0
    for i in range(v.bearings.shape[0]):
        _take(v, v.bearings[i].tank, v.bearings[i].flow)
    for i in range(v.thrusters.shape[0]):
        row = v.thrusters[i]
        s = v.state[row.state : row.state + 3]
        now = valve_step(row, Valve(s[0], s[1], s[2]), v.drive[row.channel], dt)
        s[0], s[1], s[2] = now.signal, now.since, now.open
        share = _share(v, row.tank)
        v.outputs[row.output] = row.thrust * now.open * share
        _take(v, row.tank, row.flow * abs(now.open) * share)
    for i in range(v.tanks.shape[0]):
        row = v.tanks[i]
        out = v.outputs[row.output : row.output + 3]
        v.state[row.state] = max(0.0, v.state[row.state] - out[2] * dt)
        out[0], out[1] = v.state[row.state], _share(v, i)


def add_gas_loads(v: Number) -> None:
    """Drag of bearings and thrust of nozzles at the present motion."""
    for i in range(v.bearings.shape[0]):
        row = v.bearings[i]
        motion = site_motion(v, row.body, row.site, STILL)
        push_site(v, row.body, row.site, bearing_load(row, motion.vel_s, _share(v, row.tank) > 0.0))
    for i in range(v.thrusters.shape[0]):
        row = v.thrusters[i]
        thrust = v.outputs[row.output]
        if thrust != 0.0:
            push_site(v, row.body, row.site, Wrench(Vector(thrust, 0.0, 0.0), STILL))


def _share(v: Number, tank: Number) -> Number:
    """Share of its pressure that a supply holds; one without a bottle holds all of it."""
    return 1.0 if tank < 0 else supply_share(v.state[v.tanks[tank].state], v.tanks[tank].reserve)


def _take(v: Number, tank: Number, flow: Number) -> None:
    if tank >= 0:
        v.outputs[v.tanks[tank].output + 2] += flow
