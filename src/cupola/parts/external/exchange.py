"""Models from outside, called by address: read their inputs, let them do the step ahead, hold what they gave."""

from typing import NamedTuple

import numpy as np

from cupola.kernel.air import wind_at
from cupola.kernel.arguments import elements_of
from cupola.kernel.jit import ask_int
from cupola.kernel.memory import Views
from cupola.kernel.motion import body_quaternion, point_motion, point_velocity_w, push_site, row_vector, site_quaternion
from cupola.kernel.planet import height_of
from cupola.kernel.records import size
from cupola.parts.external.quantity import (
    AIR,
    CHANNEL,
    CONTROL,
    JOINT,
    PLACE,
    POSITION,
    SITE,
    VELOCITY,
    LocalAir,
    Sight,
)
from cupola.parts.external.wiring import DRIVEN, MODEL_INPUT
from cupola.physics.atmosphere import atmosphere
from cupola.physics.rotation import Vector, Wrench, subtract, unrotate
from cupola.xmath import Number


class ExternalState(NamedTuple):
    """What the loop remembers of a model; its outputs and its own state follow in its memory."""

    age: Number = 0.0
    """[1] ticks since it was reset."""
    status: Number = 0.0
    """[1] what its last step returned; 0: all is well."""


class Exchanged(NamedTuple):
    """Answer of `exchange`."""

    state: ExternalState
    ok: Number


CHANGING = (POSITION, VELOCITY, AIR, PLACE)
"""Inputs that change smoothly; commands may jump, and then the middle of a step is no better known."""
SIGHT, LOCAL_AIR = size(Sight), size(LocalAir)


def exchange(p: Number, v: Views, state: ExternalState, memory: Number, tick: Number) -> Exchanged:
    """Ask a model if it is due, and let go of the joints that it drives: `drive` sums over all models."""
    status = state.status
    if state.age % p.every == 0:
        read_inputs(p, v, tick)
        if p.extrapolates:
            extrapolate(p, v, memory, state.age == 0.0)
        dt = v.world[0].dt
        # Numba would make a float of an address that is now signed, now not.
        context = p.context if p.context != 0 else np.int64(v.constants[p.parameters :].ctypes.data)
        given, taken, own = v.outputs[p.output :].ctypes.data, memory.ctypes.data, memory[p.taken_count :].ctypes.data
        status = float(ask_int(p.function, (given, taken, own, context, state.age * dt, p.every * dt)))
    if not (status == 0.0 and is_sound(memory[: p.taken_count])):
        return Exchanged(ExternalState(state.age, status), False)
    driven = elements_of(v.constants, p.driven, p.driven_count, DRIVEN)
    for k in range(p.driven_count):
        if driven[k].kind == JOINT:
            v.qfrc_applied[int(driven[k].place)] = 0.0
    return Exchanged(ExternalState(state.age + 1.0, status), True)


def extrapolate(p: Number, v: Views, memory: Number, first: bool) -> None:
    """Bring the inputs of a model to the middle of the step ahead, along the line from the exchange before."""
    model_inputs = elements_of(v.constants, p.model_inputs, p.given_count, MODEL_INPUT)
    for k in range(p.given_count):
        now, before = v.outputs[p.output + k], memory[p.before + k]
        memory[p.before + k] = now
        if not first and int(model_inputs[k].kind) in CHANGING:
            v.outputs[p.output + k] = now + 0.5 * (now - before)


def drive(p: Number, v: Views, memory: Number) -> None:
    """Add the joint torques that a model holds, and set its controls; a joint may be driven by several."""
    driven = elements_of(v.constants, p.driven, p.driven_count, DRIVEN)
    for k in range(p.driven_count):
        one = driven[k]
        if one.kind == JOINT:
            v.qfrc_applied[int(one.place)] = v.qfrc_applied[int(one.place)] + memory[int(one.first)]
        elif one.kind == CONTROL:
            v.ctrl[int(one.place)] = memory[int(one.first)]


def push_sites(p: Number, v: Views, memory: Number) -> None:
    """The wrenches that a model holds at sites; `exchange` has checked its numbers."""
    driven = elements_of(v.constants, p.driven, p.driven_count, DRIVEN)
    for k in range(p.driven_count):
        one = driven[k]
        if one.kind == SITE:
            force = Vector(_held(memory, one.first), _held(memory, one.force_y), _held(memory, one.force_z))
            torque = Vector(_held(memory, one.torque_x), _held(memory, one.torque_y), _held(memory, one.torque_z))
            push_site(v, int(one.body), int(one.place), Wrench(force, torque))


def _held(memory: Number, source: Number) -> Number:
    return memory[int(source)] if source >= 0.0 else 0.0


def read_inputs(p: Number, v: Views, tick: Number) -> None:
    """Fill the inputs of a model with the present motion."""
    model_inputs = elements_of(v.constants, p.model_inputs, p.given_count, MODEL_INPUT)
    air, seen = np.empty(LOCAL_AIR), np.empty(SIGHT)
    write_air(v, p.vehicle, air)
    body, site = -1, -1
    for k in range(p.given_count):
        source = model_inputs[k]
        kind, place = int(source.kind), int(source.place)
        value = tick * v.world[0].dt
        if kind == POSITION:
            value = v.qpos[place]
        elif kind == VELOCITY:
            value = v.qvel[place]
        elif kind == CHANNEL:
            value = v.drive[place]
        elif kind == AIR:
            value = air[int(source.column)]
        elif kind == PLACE:
            if place != body or int(source.site) != site:
                body, site = place, int(source.site)
                write_sight(look_at(v, p.vehicle, body, site), seen)
            value = seen[int(source.column)]
        v.outputs[p.output + k] = value


def write_air(v: Views, vehicle: Number, out: Number) -> None:
    """The air at a vehicle now, in the order of `LocalAir`."""
    root = row_vector(v.xpos, v.vehicles[vehicle].root)
    wind, now = wind_at(v, vehicle, root), atmosphere(height_of(v, root), v.air[0])
    here = LocalAir(wind, now.density, now.pressure, now.temperature)
    at = _write(here.wind_w, out, 0)
    out[at], out[at + 1], out[at + 2] = here.density, here.pressure, here.temperature


def look_at(v: Views, vehicle: Number, body: Number, site: Number) -> Sight:
    """Motion of a site (-1: of the body itself)."""
    point = row_vector(v.xpos, body) if site < 0 else row_vector(v.site_xpos, site)
    turned = body_quaternion(v, body) if site < 0 else site_quaternion(v, body, site)
    m = point_motion(v, body, point, turned)
    through = unrotate(turned, subtract(point_velocity_w(v, body, point), wind_at(v, vehicle, point)))
    return Sight(m.pos_w, m.quat_wb, m.vel_w, m.vel_b, m.rate_b, through)


def write_sight(seen: Sight, out: Number) -> None:
    """All numbers in the order of `Sight`."""
    at = _write(seen.pos_w, out, 0)
    at = _write(seen.quat, out, at)
    at = _write(seen.vel_w, out, at)
    at = _write(seen.vel, out, at)
    at = _write(seen.rate, out, at)
    _write(seen.vel_air, out, at)


def _write(numbers: Number, out: Number, at: Number) -> Number:
    """Numbers of a vector or quaternion into an array; returns where the next begin."""
    for k in range(len(numbers)):
        out[at + k] = numbers[k]
    return at + len(numbers)


def is_sound(outputs: Number) -> bool:
    """Whether a model gave numbers."""
    total = 0.0
    for k in range(outputs.shape[0]):
        total += abs(outputs[k])
    return bool(total < 1e300)
