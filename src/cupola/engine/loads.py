"""All loads of all parts, summed into MuJoCo's applied forces. Called at every stage of the integrator."""

import math

from cupola.engine.gas import add_gas_loads, use_gas
from cupola.engine.gripping import hold_targets, move_jaws
from cupola.engine.motors import turn_motors
from cupola.engine.propeller import move_inflow
from cupola.engine.wake import airfoil_now, rotor_now, shaft_torque, supply
from cupola.engine.wheels import spin_wheels
from cupola.engine.wings import remember_air, shape_wings, wing_inertia, wing_load
from cupola.kernel.air import motion_in_air, sample
from cupola.kernel.motion import body_quaternion, push_site, row_vector, to_site
from cupola.kernel.planet import pull, spin_w
from cupola.parts.aero.airfoil import airfoil_load
from cupola.parts.aero.bluff import bluff_load
from cupola.parts.aero.liftdrag import liftdrag_load
from cupola.parts.external.external import OUT
from cupola.parts.external.quantity import SITE
from cupola.parts.external.wiring import SINK
from cupola.parts.joints.servo import servo_step
from cupola.parts.propulsion.flapping import flap_step
from cupola.parts.propulsion.mixer import mix
from cupola.parts.propulsion.rotor import (
    ELECTRIC,
    ELEMENTS,
    LAGGED,
    QUADRATIC,
    electric_speed,
    generic_speed,
    rotor_load,
    side_load,
    speed_behind,
)
from cupola.physics.battery import Draw, battery_supply, cell_voltage, discharge, motor_draw
from cupola.physics.rotation import Vector, Wrench, add, cross, rotate, subtract
from cupola.xmath import Number, clip

COMMAND, AIRFOIL_LOAD, ROTOR_LOAD, HELD_LOAD, MOTION, BLUFF_LOAD, WING_LOAD = 1, 2, 3, 4, 5, 6, 7
EXTERNAL, LIFTDRAG_LOAD = 8, 9
"""What can go wrong in a tick: see `engine.errors`."""


def actuate(v: Number) -> None:
    """Commands become drives: servos lag, motors spin up. Held during the tick."""
    dt = v.world[0].dt
    for i in range(v.command.shape[0]):
        v.drive[i] = v.command[i]
    for i in range(v.mixers.shape[0]):
        mix(v.mixers[i], v.drive, v.curves)
    for i in range(v.flappers.shape[0]):
        row = v.flappers[i]
        v.state[row.state] = flap_step(row, v.state[row.state], v.drive, dt)
    for i in range(v.servos.shape[0]):
        row = v.servos[i]
        new = servo_step(row, v.state[row.state], v.state[row.state + 1], v.drive[row.channel], dt)
        v.drive[row.channel] = v.state[row.state] = new.position
        v.state[row.state + 1] = new.rate
        if row.control >= 0:
            v.ctrl[row.control] = new.position
    shape_wings(v)
    remember_air(v, start=False)
    spin_wheels(v)
    turn_motors(v)
    use_gas(v)
    move_jaws(v)
    drain(v)
    for i in range(v.rotors.shape[0]):
        row = v.rotors[i]
        omega = generic_speed(row, v.drive)
        if row.model == ELECTRIC:
            motion, density = motion_in_air(v, row)
            omega = electric_speed(row, v.state[row.state], motion, density, v.drive, v.curves, dt, supply(v, row))
        elif row.model == QUADRATIC:
            motion, density = motion_in_air(v, row)
            omega = rotor_load(row, 0.0, motion, density, v.drive, v.curves).omega
        elif row.model == LAGGED:
            omega = speed_behind(row, v.state[row.state], v.drive, dt)
        elif row.model == ELEMENTS:
            motion, _ = motion_in_air(v, row)
            omega = speed_behind(row, v.state[row.state], v.drive, dt)
            move_inflow(v, row, omega, motion, False)
        if row.shaft_inertia > 0.0:
            v.state[row.state + 2] = (omega - v.state[row.state]) / dt
        v.state[row.state] = omega
        v.state[row.state + 1] += omega * dt


def drain(v: Number) -> None:
    """Voltage of each battery under what its motors ask for at this tick, and what that leaves in it."""
    for b in range(v.batteries.shape[0]):
        battery = v.batteries[b]
        s = v.state[battery.state : battery.state + 3]
        pull, push = 0.0, -battery.power / max(s[1], 1.0)
        for i in range(v.motors.shape[0]):
            if v.motors[i].battery == b:
                push -= max(0.0, v.outputs[v.motors[i].output + 3]) / max(s[1], 1.0)
        for i in range(v.rotors.shape[0]):
            row = v.rotors[i]
            if row.battery == b:
                throttle = clip(v.drive[row.channel], 0.0, 1.0)
                one = motor_draw(throttle, abs(v.state[row.state]) / (2.0 * math.pi * row.k_v), row.r_motor)
                pull += one.pull
                push += one.push
        now = battery_supply(battery.cells * cell_voltage(s[0]), s[0], battery.resistance, Draw(pull, push))
        s[0] = discharge(s[0], now.current, battery.capacity, v.world[0].dt)
        s[1], s[2] = now.voltage, now.current


def add_loads(v: Number) -> Number:
    """Sum all loads at the present motion; the result is 0, or what went wrong with which part."""
    for body in range(v.xfrc.shape[0]):
        for k in range(6):
            v.xfrc[body, k] = v.push[body, k]
    if v.world[0].pushed:
        pull_bodies(v)
    pull(v)
    for i in range(v.vehicles.shape[0]):
        sample(v, i)
    problem = _airfoils(v)
    if problem == 0:
        problem = _liftdrags(v)
    if problem == 0:
        problem = _wings(v)
    if problem == 0:
        problem = _rotors(v)
    if problem == 0:
        problem = _bluffs(v)
    add_gas_loads(v)
    hold_targets(v)
    if problem == 0:
        problem = _held(v)
    _externals(v)
    return problem


def pull_bodies(v: Number) -> None:
    """Add the forces that somebody exerts at points of bodies: their torque turns with the body."""
    for body in range(1, v.pulls.shape[0]):
        force = row_vector(v.pulls, body)
        if force.x == 0.0 and force.y == 0.0 and force.z == 0.0:
            continue
        point_b = Vector(v.pulls[body, 3], v.pulls[body, 4], v.pulls[body, 5])
        point_w = add(row_vector(v.xpos, body), rotate(body_quaternion(v, body), point_b))
        torque = cross(subtract(point_w, row_vector(v.xipos, body)), force)
        v.xfrc[body, 0] += force.x
        v.xfrc[body, 1] += force.y
        v.xfrc[body, 2] += force.z
        v.xfrc[body, 3] += torque.x
        v.xfrc[body, 4] += torque.y
        v.xfrc[body, 5] += torque.z


def _airfoils(v: Number) -> Number:
    for i in range(v.airfoils.shape[0]):
        row = v.airfoils[i]
        motion, density = motion_in_air(v, row)
        if row.options:
            out = airfoil_now(v, row, motion, density)
        else:
            out = airfoil_load(row, motion, density, v.drive, v.curves)
        if not _finite(out.wrench):
            return blame(AIRFOIL_LOAD, i)
        push_site(v, row.body, row.site, out.wrench)
        o = v.outputs[row.output : row.output + 11]
        o[0], o[1], o[2], o[3], o[4] = out.speed, out.alpha, out.beta, out.c_lift, out.c_drag
        o[5], o[6], o[7] = out.wrench.force.x, out.wrench.force.y, out.wrench.force.z
        o[8], o[9], o[10] = out.wrench.torque.x, out.wrench.torque.y, out.wrench.torque.z
    return 0


def _liftdrags(v: Number) -> Number:
    for i in range(v.liftdrags.shape[0]):
        row = v.liftdrags[i]
        motion, density = motion_in_air(v, row)
        com = to_site(v, row.site, subtract(row_vector(v.xipos, row.body), row_vector(v.site_xpos, row.site)))
        out = liftdrag_load(row, motion, density, com, v.qpos, v.curves)
        if not _finite(out.wrench):
            return blame(LIFTDRAG_LOAD, i)
        push_site(v, row.body, row.site, out.wrench)
        o = v.outputs[row.output : row.output + 21]
        o[0], o[1], o[2], o[3], o[4], o[5] = out.speed, out.sweep, out.alpha, out.pressure, out.c_lift, out.c_drag
        o[6], o[7], o[8], o[9], o[10], o[11] = out.c_moment, out.control, out.lift, out.drag, out.side, out.moment
        o[12], o[13], o[14] = out.vel.x, out.vel.y, out.vel.z
        o[15], o[16], o[17] = out.wrench.force.x, out.wrench.force.y, out.wrench.force.z
        o[18], o[19], o[20] = out.wrench.torque.x, out.wrench.torque.y, out.wrench.torque.z
    return 0


def _wings(v: Number) -> Number:
    for i in range(v.wings.shape[0]):
        load = wing_load(v, i)
        if not _finite(load):
            return blame(WING_LOAD, i)
        push_site(v, v.wings[i].body, v.wings[i].site, load)
        wing_inertia(v, i)
    return 0


def _rotors(v: Number) -> Number:
    for i in range(v.rotors.shape[0]):
        row = v.rotors[i]
        motion, density = motion_in_air(v, row)
        out = rotor_now(v, row, motion, density)
        load = Wrench(Vector(out.thrust, 0.0, 0.0), Vector(out.torque, 0.0, 0.0))
        if row.model == LAGGED:
            side = side_load(row, out.omega, motion, density)
            load = Wrench(add(load.force, side.force), add(load.torque, side.torque))
        if row.shaft_inertia > 0.0:
            load = Wrench(load.force, add(load.torque, shaft_torque(v, row, motion)))
        if not _finite(load):
            return blame(ROTOR_LOAD, i)
        push_site(v, row.body, row.site, load)
        o = v.outputs[row.output : row.output + 6]
        o[0], o[1], o[2], o[3], o[4], o[5] = out.thrust, load.torque.x, out.omega, out.airspeed, out.current, out.power
    return 0


def _bluffs(v: Number) -> Number:
    for i in range(v.bluffs.shape[0]):
        row = v.bluffs[i]
        motion, density = motion_in_air(v, row)
        load = bluff_load(row, motion, to_site(v, row.site, spin_w(v)), density)
        if not _finite(load):
            return blame(BLUFF_LOAD, i)
        push_site(v, row.body, row.site, load)
    return 0


def _held(v: Number) -> Number:
    for i in range(v.held.shape[0]):
        row = v.held[i]
        s = v.state[row.state : row.state + 6]
        load = Wrench(Vector(s[0], s[1], s[2]), Vector(s[3], s[4], s[5]))
        if not _finite(load):
            return blame(HELD_LOAD, i)
        push_site(v, row.body, row.site, load)
    return 0


def _externals(v: Number) -> None:
    """The wrenches that models from outside hold at sites; `exchange` has checked their numbers."""
    for i in range(v.externals.shape[0]):
        row = v.externals[i]
        for k in range(row.sunk):
            sink = v.curves[row.sinks + SINK * k : row.sinks + SINK * (k + 1)]
            if sink[0] == SITE:
                out = v.state[row.state + OUT :]
                force = Vector(_driven(out, sink[3]), _driven(out, sink[4]), _driven(out, sink[5]))
                torque = Vector(_driven(out, sink[6]), _driven(out, sink[7]), _driven(out, sink[8]))
                push_site(v, int(sink[2]), int(sink[1]), Wrench(force, torque))


def _driven(outputs: Number, source: Number) -> Number:
    return outputs[int(source)] if source >= 0.0 else 0.0


def blame(what: int, which: Number) -> Number:
    """One number for a kind of problem and the index of the part."""
    return what + 16 * which


def _finite(w: Wrench) -> bool:
    # NaN and infinity both fail this comparison.
    total = w.force.x + w.force.y + w.force.z + w.torque.x + w.torque.y + w.torque.z
    return bool(abs(total) < 1e300)
