"""Check values of mavsim, the teaching simulator of Beard and McLain's book, with the vehicle `aerosonde` as it flies.

Chapter 3: derivatives of the state under a given force and moment. Chapter 4: forces, moments and derivatives, at rest
in the air (A) and turning, with old air data (B). Chapter 5 is in `linear.py`. Everything is asked of the compiled
world. The book's world is north-east-down; our x is its north.
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cupola.analysis import Aircraft, Flight
from cupola.analysis.coordinates import attitude
from cupola.config.air import Air
from cupola.config.scenario import Scenario, VehicleEntry
from cupola.physics.rotation import (
    Euler,
    Quaternion,
    Vector,
    add,
    cross,
    euler_from_quaternion,
    frd,
    multiply,
    quaternion_from_euler,
    rotate,
    scale,
    subtract,
)
from cupola.reproduce.row import Row, printed, within
from cupola.sim.world import World

SOURCE = "mavsim_public e8bff50, chapter {} check values"
DENSITY = 1.2682
UNITS = {
    **dict.fromkeys(("north_dot", "east_dot", "down_dot"), "m/s"),
    **dict.fromkeys(("u_dot", "v_dot", "w_dot"), "m/s²"),
    **dict.fromkeys(("e0_dot", "e1_dot", "e2_dot", "e3_dot"), "1/s"),
    **dict.fromkeys(("p_dot", "q_dot", "r_dot"), "rad/s²"),
    **dict.fromkeys(("thrust", "fx", "fy", "fz"), "N"),
    **dict.fromkeys(("torque", "Mx", "My", "Mz"), "N m"),
    "speed": "rad/s",
}
SHORT, LONG = 6, 15
"""Digits."""
AS_ZERO = 5e-9
"""What is printed as 0, 5 or 2.5 beside figures of eight decimals."""
ALL_DIGITS = 1e-12
"""Relative; figures of 16 digits are printed to the last bit, which depends on the order of the sums."""
OLD_AIR = 1e-6
"""Relative, as the source of 4.B asks: its quaternion has nine digits."""

CHAPTER_3 = {
    "north_dot": "5", "east_dot": "0", "down_dot": "0", "u_dot": "0.90909091", "v_dot": "0.45454545", "w_dot": "2.5",
    "e0_dot": "0", "e1_dot": "0.5", "e2_dot": "0.25", "e3_dot": "0",
    "p_dot": "0.06073576", "q_dot": "12.22872247", "r_dot": "-0.08413156",
}  # fmt: skip
FORCE, MOMENT, STATE_3 = Vector(10.0, 5.0, 0.0), Vector(0.0, 14.0, 0.0), Flight(5, 0, 0, 1, 0.5, 0, x=5, y=2, h=20)

STATE_4A, INPUTS_4A = Flight(25.0, 0.0, 0.0, h=100.0), (0.0, -0.2, 0.005, 0.5)
CHAPTER_4A = {
    "thrust": "-12.43072534597213", "torque": "-0.49879620097737787", "speed": "340.96648293",
    "fx": "-12.109717001006562", "fy": "0.20707328125000002", "fz": "63.44373750624077",
    "Mx": "0.5063701133123779", "My": "8.75643373378125", "Mz": "-0.21774997963125006",
    "north_dot": "25", "east_dot": "0", "down_dot": "0",
    "u_dot": "-1.1008833637278692", "v_dot": "0.01882484375", "w_dot": "5.767612500567343",
    "e0_dot": "0", "e1_dot": "0", "e2_dot": "0", "e3_dot": "0",
    "p_dot": "0.6021690003674433", "q_dot": "7.714919589234582", "r_dot": "-0.08257466286924951",
}  # fmt: skip

QUAT_4B = Quaternion(0.938688796, 0.247421558, 0.0656821468, 0.23093673)
MOTION_4B = (27.3465947, 0.619628233, 1.42257772, 0.00498772167, 0.168736005, 0.171797313)
PLACE_4B = {"x": 61.9506532, "y": 22.2940203, "h": 110.837551}
INPUTS_4B, OLD_AIRSPEED = (0.01788999, -0.15705144, 0.01084654, 1.0), 25.0
CHAPTER_4B = {
    "thrust": "37.7794805541605", "torque": "1.8098467397878482", "speed": "655.70310703",
    "fx": "36.99938467421735", "fy": "54.13991070468528", "fz": "46.97294443218653",
    "Mx": "1.6030203500067555", "My": "5.982053219886495", "Mz": "-1.1805441645292776",
    "north_dot": "24.283238643486627", "east_dot": "12.605130052025968", "down_dot": "1.2957327060769266",
    "u_dot": "3.2299908091423797", "v_dot": "0.2308339966235602", "w_dot": "8.881532282520418",
    "e0_dot": "-0.025995661302161892", "e1_dot": "-0.011500703223228347",
    "e2_dot": "0.05851804333262313", "e3_dot": "0.10134276693843723",
    "p_dot": "1.8427420637214973", "q_dot": "5.2743652738342774", "r_dot": "-0.5471458931221012",
}  # fmt: skip


def rows(full: bool) -> Iterator[Row]:
    """Chapters 3 and 4."""
    for name, measured in chapter_3().items():
        yield judge("3", name, CHAPTER_3[name], measured)
    book = aerosonde()
    for name, measured in everything(book, STATE_4A, INPUTS_4A).items():
        yield judge("4a", name, CHAPTER_4A[name], measured)
    for name, measured in chapter_4b(book).items():
        figure = float(CHAPTER_4B[name])
        yield within(*titles("4b", name), figure, measured, OLD_AIR * abs(figure), UNITS[name])


def judge(chapter: str, name: str, text: str, measured: float, unit: str | None = None) -> Row:
    """By the digits of the text; a short one has lost its zeros, and one of 16 digits allows `ALL_DIGITS`."""
    figure, digits = float(text), len(text.partition("e")[0].strip("-0.").replace(".", ""))
    unit = unit or UNITS[name]
    if digits < SHORT:
        return within(*titles(chapter, name), figure, measured, AS_ZERO, unit)
    if digits >= LONG:
        return within(*titles(chapter, name), figure, measured, ALL_DIGITS * abs(figure), unit)
    return printed(*titles(chapter, name), text, measured, unit)


def titles(chapter: str, name: str) -> tuple[str, str, str]:
    """Key, source and quantity of a row."""
    return f"mavsim_{chapter}_{name}", SOURCE.format(chapter), f"Aerosonde, {name}"


def aerosonde(**scenario: Any) -> Aircraft:
    """The vehicle alone in the book's air."""
    given = {"air": Air(density=DENSITY), "floor": None, "vehicles": (VehicleEntry(model="aerosonde"),), **scenario}
    return Aircraft(World(Scenario(**given)))


def chapter_3() -> dict[str, float]:
    """Derivatives of the state without gravity and air."""
    craft = aerosonde(gravity=0.0, air=Air(space=True))
    craft.world.arrays.external_wrench[craft.instance.root] = [*frd(FORCE), *frd(MOMENT)]
    found = everything(craft, STATE_3, (0.0,) * len(craft.controls))
    return {name: found[name] for name in CHAPTER_3}


def chapter_4b(craft: Aircraft) -> dict[str, float]:
    """A wind that gives the old air data: `OLD_AIRSPEED` straight from ahead, whatever the velocity."""
    size = math.sqrt(sum(e * e for e in QUAT_4B))
    state = Flight(*MOTION_4B, *euler_from_quaternion(Quaternion(*(e / size for e in QUAT_4B))), **PLACE_4B)
    quat_wb = attitude(state)
    vel_w, ahead_w = rotate(quat_wb, frd(Vector(*state[:3]))), rotate(quat_wb, Vector(OLD_AIRSPEED, 0.0, 0.0))
    air = craft.world.arrays.air_samples[0]
    air.gust_x, air.gust_y, air.gust_z = subtract(vel_w, ahead_w)
    found = everything(craft, state, INPUTS_4B)
    air.gust_x, air.gust_y, air.gust_z = 0.0, 0.0, 0.0
    return found


def everything(craft: Aircraft, state: Flight, inputs: tuple[float, ...]) -> dict[str, float]:
    """Propeller, forces, moments and derivatives, in the order of the tables and the axes of the book."""
    rates = craft.derivative(state, np.array(inputs)).rates.tolist()
    mass = float(craft.world.model.body_subtreemass[craft.instance.root])
    wing, motor = craft.world.part("wing").outputs, craft.world.part("motor1").outputs
    vel, rate = Vector(*state[:3]), Vector(*state[3:6])
    force = scale(mass, add(Vector(*rates[:3]), cross(rate, vel)))
    moment = add(frd(wing.torque), Vector(motor.torque, 0.0, 0.0))
    turn = multiply(quaternion_from_euler(Euler(state.phi, state.theta, state.psi)), Quaternion(0.0, *rate))
    moving = (rates[9], rates[10], -rates[11], *rates[:3])
    engine = (motor.thrust, -motor.torque, motor.omega)
    numbers = (*engine, *force, *moment, *moving, *(0.5 * e for e in turn), *rates[3:6])
    return dict(zip(CHAPTER_4A, numbers, strict=True))
