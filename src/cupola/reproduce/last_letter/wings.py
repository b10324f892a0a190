"""Lift and drag of the planes of Last_letter_2: the linear wing with stall, and the two splines of the sensor plane."""

import functools
import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cupola.config.scenario import Scenario, VehicleEntry
from cupola.config.vehicle import MODELS, read_vehicle
from cupola.parts.aero.airfoil import Airfoil
from cupola.parts.table import read_spline
from cupola.physics.airfoil import linear_drag, linear_lift, stall_blend
from cupola.physics.curve import spline
from cupola.reproduce.row import Row, printed
from cupola.sim.world import World

LINEAR = (
    # angle of attack [deg], stall blend, lift and drag coefficient as printed
    (0, "1.17e-10", "0.56000", "0.05202"),
    (20, "0.00222", "2.96244", "0.27745"),
    (25, "0.14888", "3.08728", "0.38190"),
    (27, "0.50049", "2.08774", "0.42906"),
    (30, "0.93213", "0.68682", "0.50558"),
    (40, "0.99999", "0.63308", "0.81065"),
)
LINEAR_SOURCE = "Last_letter_2 specification §3.3.5"
# Angle of attack [deg] and coefficient; "0" at 90° stands among figures of four decimals.
LIFT = (
    (-10, "-0.3822"), (0, "0.622"), (10, "1.5372"), (15, "1.802"), (17, "1.839"), (25, "1.301"), (45, "0.8589"),
    (90, "0.0000"),
)  # fmt: skip
DRAG = ((-5, "0.0301"), (0, "0.0432"), (10, "0.1137"), (15, "0.180"), (25, "0.564"), (45, "1.3802"), (90, "2.0"))
MOST_LIFT, MOST_LIFT_AT = "1.8427", "16.6"
SPLINE_SOURCE = "Last_letter_2 specification annex C"
SPEED = 15.0
"""[m/s] at which the coefficients are read; they do not depend on it."""


class Coefficients(NamedTuple):
    """Of lift and drag."""

    c_lift: float
    c_drag: float


def rows(full: bool) -> Iterator[Row]:
    """The linear wing of plane_1wing as its vehicle file has it, then the splines of plane_1wing_sensors."""
    wing = read_vehicle(MODELS / "plane_1wing" / "vehicle.yaml").parts["wing"]
    assert isinstance(wing, Airfoil)
    p = wing.surface
    for degrees, blend, lift, drag in LINEAR:
        alpha, at = math.radians(degrees), f"at {degrees}°"
        measured = stall_blend(alpha, p.alpha_stall, p.mcoeff)
        yield printed(f"wing_blend_{degrees}", LINEAR_SOURCE, f"stall blend {at}", blend, measured)
        yield printed(f"wing_lift_{degrees}", LINEAR_SOURCE, f"lift coefficient {at}", lift, linear_lift(alpha, p))
        yield printed(f"wing_drag_{degrees}", LINEAR_SOURCE, f"drag coefficient {at}", drag, linear_drag(alpha, p))
    for degrees, published in LIFT:
        yield spline_row("lift", degrees, published)
    for degrees, published in DRAG:
        yield spline_row("drag", degrees, published)
    yield from most_lift()


def spline_row(name: str, degrees: int, published: str) -> Row:
    """A printed figure of a spline beside what the plane in flight reads from its table."""
    measured = getattr(flying_at(degrees), f"c_{name}")
    quantity = f"{name} coefficient of the spline at {degrees}°"
    return printed(f"spline_{name}_{degrees}", SPLINE_SOURCE, quantity, published, measured)


@functools.cache
def flying_at(degrees: int) -> Coefficients:
    """Coefficients of plane_1wing_sensors while it flies at this angle of attack, read from its compiled part."""
    alpha = math.radians(degrees)
    velocity = (SPEED * math.cos(alpha), 0.0, -SPEED * math.sin(alpha))
    plane = VehicleEntry(model="plane_1wing_sensors", position=(0.0, 0.0, 100.0), velocity_b=velocity)
    world = World(Scenario(vehicles=(plane,)))
    world.step()  # shows the loads at its start
    wing = world.part("wing").outputs
    return Coefficients(wing.c_lift, wing.c_drag)


def most_lift() -> Iterator[Row]:
    """The highest point of the lift spline, found on a grid of 0.001°."""
    table = read_spline(MODELS / "plane_1wing_sensors" / "lift.csv")
    degrees = np.arange(0.0, 90.0, 0.001)
    lift = spline(np.radians(degrees), np.array(table.breaks), np.array(table.coefficients))
    top = int(np.argmax(lift))
    yield printed("spline_lift_max", SPLINE_SOURCE, "largest lift coefficient of the spline", MOST_LIFT, lift[top])
    yield printed(
        "spline_lift_max_at", SPLINE_SOURCE, "angle of the largest lift", MOST_LIFT_AT, degrees[top], unit="deg"
    )
