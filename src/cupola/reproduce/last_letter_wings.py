"""Lift and drag of the planes of Last_letter_2: the linear wing with stall, and the two splines of the sensor plane."""

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cupola.parts.airfoil import Airfoil
from cupola.physics.airfoil import linear_drag, linear_lift, stall_blend
from cupola.physics.curve import spline
from cupola.reproduce.row import Row, printed
from cupola.vehicle import MODELS, read_vehicle

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


class Table(NamedTuple):
    """A piecewise cubic as `physics.curve.spline` reads it."""

    breaks: list[float]
    coefficients: list[float]


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
    yield from spline_rows("lift", LIFT)
    yield from spline_rows("drag", DRAG)
    yield from most_lift()


def spline_rows(name: str, figures: tuple[tuple[int, str], ...]) -> Iterator[Row]:
    """One row per printed figure of a spline."""
    table = read_spline(MODELS / "plane_1wing_sensors" / f"{name}.csv")
    for degrees, published in figures:
        measured = spline(math.radians(degrees), *table)
        quantity = f"{name} coefficient of the spline at {degrees}°"
        yield printed(f"spline_{name}_{degrees}", SPLINE_SOURCE, quantity, published, measured)


def most_lift() -> Iterator[Row]:
    """The highest point of the lift spline, found on a grid of 0.001°."""
    table = read_spline(MODELS / "plane_1wing_sensors" / "lift.csv")
    degrees = np.arange(0.0, 90.0, 0.001)
    lift = spline(np.radians(degrees), *map(np.array, table))
    top = int(np.argmax(lift))
    yield printed("spline_lift_max", SPLINE_SOURCE, "largest lift coefficient of the spline", MOST_LIFT, lift[top])
    yield printed(
        "spline_lift_max_at", SPLINE_SOURCE, "angle of the largest lift", MOST_LIFT_AT, degrees[top], unit="deg"
    )


def read_spline(path: Path) -> Table:
    """A spline beside its model: one row per segment (break, then four coefficients), then the last break."""
    with path.open(newline="") as file:
        lines = list(csv.DictReader(file))
    coefficients = [float(line[column]) for line in lines[:-1] for column in "abcd"]
    return Table([float(line["break"]) for line in lines], coefficients)
