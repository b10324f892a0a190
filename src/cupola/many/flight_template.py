"""The text of a flight before a vehicle is written into it: what always stands there, and the words of its kernels."""

from typing import Any, NamedTuple

import numpy as np

from cupola.kernel.memory import Views
from cupola.kernel.wind_field import field_slope, field_wind
from cupola.many.solid import whole
from cupola.physics.rotation import Vector
from cupola.sim.world import World
from cupola.xmath import Number

COMMAND, RUNS_AWAY, TOUCHES = 1, 2, 3
"""Why a world stops."""
READS = {
    "dt": "DT",
    "tick": "tick",
    "drive": "drive",
    "command": "drive[{p}.channel]",
    "constants": "constants",
    "motion": "motion_{site}(b, around)",
    "frame": "frame_{site}(b)",
    "pos_w": "place_{site}(b)",
    "density": "air.density",
    "air": "atmosphere(height_of(around, place_{site}(b)), around.air[0])",
    "height": "height_of(around, place_{site}(b))",
    "level": "level_at(around, place_{site}(b))",
    "up_w": "up_w(around, place_{site}(b))",
    "place": "place_of(around, place_{site}(b))",
    "wind_slope_w": "wind_slope_w(around, place_{site}(b))",
    "spin_s": "into_{site}(into_body(b, spin_w(around)))",
    "inertial": "inertial_{site}(b, acc)",
    "quat_ws": "quat_{site}(b)",
}
"""What a kernel may ask for here, beside `p`, `state`, `memory`, `sample`, `noise`, and what is derived."""
AROUND = "Around(AIR, EARTH, GUSTS, LAYERS, NO_FIELD, NO_TICKS, THERMALS, JETS, CLOCK, ({},), GIVEN)"
CALM = AROUND.format("Gust(ZERO, ZERO, ZERO)")
SITE = """
def into_{k}(a):
    return Vector({into})
def out_{k}(a):
    return Vector({out})
def place_{k}(b):
    return point_of(b, {at})
def quat_{k}(b):
    return multiply(b.quat_wb, {quat})
def motion_{k}(b, around):
    at = add(b.vel_b, cross(b.rate_b, {at}))
    wind = into_body(b, wind_at(around, 0, place_{k}(b)))
    return SiteMotion(into_{k}(at), into_{k}(subtract(at, wind)), into_{k}(b.rate_b))
def frame_{k}(b):
    x, y, z = Vector(ONE, ZERO, ZERO), Vector(ZERO, ONE, ZERO), Vector(ZERO, ZERO, ONE)
    axes = out_of_body(b, out_{k}(x)), out_of_body(b, out_{k}(y)), out_of_body(b, out_{k}(z))
    return SiteFrame(place_{k}(b), axes[0], axes[1], axes[2])
def inertial_{k}(b, acc):
    return true_inertial_of(into_{k}(felt(b, acc, GRAVITY, {at})), into_{k}(b.rate_b), quat_{k}(b))
"""
FLIGHT = """
def one(S, K, I, i, count):
    if I[2, i] != 0:
        return
    tick, seed = I[0, i], I[1, i]
    {read}
    b = free_body(pos, quat, vel, rate)
    for k in range(-1 if I[3, i] else 0, count):
        if k < 0:
            {begin}
        else:
            {control}
            {gusts}
        blows = (Gust(gust.x, gust.y, gust.z),)
        around = Around(AIR, EARTH, GUSTS, LAYERS, NO_FIELD, NO_TICKS, THERMALS, JETS, CLOCK, blows, GIVEN)
        air = atmosphere(height_of(around, b.pos_w), around.air[0])
        if k >= 0:
            {actuate}
        force, torque = Vector(ZERO, ZERO, ZERO), Vector(ZERO, ZERO, ZERO)
        {load}
        acc = accelerate_free(b, solid, spin, force, torque, GRAVITY)
        if k >= 0:
            b = step_free(b, acc, DT)
            tick += 1
            {check}
        {sense}
    I[0, i], I[3, i] = tick, 0
    pos, quat, vel, rate = b.pos_w, b.quat_wb, b.vel_w, b.rate_b
    {store}
"""


def no_wind(v: Views, x: Number, y: Number, height: Number) -> Vector:
    """Stands for the wind of a grid, which no flight has: its clock would be a number of 64 bits."""
    return Vector(0.0, 0.0, 0.0)


INSTEAD = {field_wind: no_wind, field_slope: no_wind}


class Flight(NamedTuple):
    """A text, what its names mean, and where the numbers of a world lie."""

    text: str
    names: dict[str, Any]
    rows: dict[str, int]
    """Row of each number in the state of the worlds."""
    given: list[str]
    """Numbers that each world has of its own, in the order of their rows."""


def numbers_in(world: World) -> dict[str, float]:
    """Every number that stands in the text, by a name of its place; a world may have its own."""
    arrays = world.arrays
    found = {f"air.{name}": float(arrays.air[0][name]) for name in arrays.air.dtype.names or ()}
    for k, bound in enumerate(world.assembly.parts):
        for name in bound.rows.dtype.names:
            if bound.rows.dtype[name] == np.float64:
                found[f"row.{k}.{name}"] = float(bound.row[name])
    found |= {f"constant.{k}": float(value) for k, value in enumerate(arrays.constants)}
    values = world.runner().controller.values
    for name, value in values.items():
        if np.ndim(value) == 0:
            found[f"law.{name}"] = float(value)
    found |= {f"solid.{k}": value for k, value in enumerate(whole(world).numbers())}
    return found
