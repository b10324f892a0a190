"""Chapter 5 of mavsim's check values: rates at its trim, Jacobians, and the coefficients of its transfer functions.

All Jacobians there are forward differences with a step of 0.01 in every Euler-form state and control; exact derivatives
differ in the third digit. Its angle rates were formed through the quaternion, hence `ANGLE_ROWS`.
"""

import math
from collections.abc import Iterator

import numpy as np

from cupola.analysis import Aircraft, Flight, LinearModel, linearize
from cupola.analysis.aircraft import OUTPUTS
from cupola.analysis.linear import LATERAL, LONGITUDINAL
from cupola.physics.airfoil import airflow
from cupola.physics.rotation import Quaternion, Vector, euler_from_quaternion
from cupola.reproduce.mavsim.check_values import AS_ZERO, UNITS, aerosonde, judge, titles
from cupola.reproduce.row import Row, within

STEP, SMALL = 0.01, 1e-5
PLACES = {"north": ("x", 1.0), "east": ("y", 1.0), "down": ("h", -1.0)}
"""The book's place in our states."""
QUATERNION = Quaternion(0.999687, 0.0, 0.025003, 0.0)
TRIM = Flight(24.968743, 0.0, 1.249755, theta=0.05001119284259128, h=100.0)
INPUTS = np.array([0.001836, -0.124778, -0.000303, 0.676752])
"""Aileron, elevator, rudder [rad], throttle."""
ANGLE_ROWS = 3e-5
V_COLUMN = 1e-7
"""Relative."""
DIFFERENCE = 1e-11
"""Relative; rounding of two evaluations, divided by the step, of figures printed with 16 digits."""

AIRSPEED, ALPHA, THETA = "25.000000291201477", "0.05001104395214544", "0.05001119284259128"
RATES = {
    "north": "25.0000003", "east": "0", "down": "-3.72226119e-06",
    "u": "-5.12768098e-04", "v": "1.58782607e-03", "w": "9.98742522e-03", "phi": "0", "theta": "0", "psi": "0",
    "p": "-4.98388573e-05", "q": "-1.47473075e-06", "r": "2.51707628e-04",
}  # fmt: skip
A_LON = """
-0.20676658 0.50039026 -1.21983882 -9.79511927 0
-0.56064206 -4.46393561 24.37105023 -0.53938541 0
0.19993539 -3.99297865 -5.29473836 0 0
0 0 0.99997406 0 0
0.04999035 -0.9987497 0 24.99958361 0"""
B_LON = """
-0.13840016 8.20722086
-2.58618345 0
-36.11239041 0
0 0
0 0"""
A_LAT = """
-0.776772629 1.249755 -24.968743 9.79757127 0
-3.86671935 -22.628851 10.9050409 0 0
0.783077145 -0.115091678 -1.22765475 0 0
0 0.999999666 0.0500528958 0 0
0 -1.67051761e-08 1.00125153 0 0"""
B_LAT = """
1.48617191 3.76496884
130.88368125 -1.79637441
5.01173513 -24.88134191
0 0
0 0"""
MORE = {
    ("p", "throttle"): "-5.31386382", ("r", "throttle"): "-0.363723254", ("p", "u"): "0.143288661",
    ("q", "p"): "-1.06079295e-03", ("q", "r"): "1.06079295e-03", ("w", "phi"): "-0.0489882646",
    ("north", "theta"): "-0.125002682", ("down", "theta"): "-24.9995836",
}  # fmt: skip
SCALARS = {
    "dT_dVa": ("-2.3521982958853327", "N s/m"), "dT_dthrottle": ("90.27942950194785", "N"),
    "a_phi1": ("22.62885095683996", "1/s"), "a_phi2": ("130.88368124853207", "1/s²"),
    "a_theta1": ("5.294738359662443", "1/s"), "a_theta2": ("99.94742395724161", "1/s²"),
    "a_theta3": ("-36.11239040790846", "1/s²"), "a_V2": ("8.20722086381344", "m/s²"), "a_V3": ("9.81", "m/s²"),
}  # fmt: skip


def rows(full: bool) -> Iterator[Row]:
    """Chapter 5."""
    craft = aerosonde()
    yield from trim_rows(craft)
    model = linearize(craft, TRIM, INPUTS, forward=STEP)
    for states, inputs, A, B in (
        (LONGITUDINAL, ("elevator", "throttle"), A_LON, B_LON),
        (LATERAL, ("aileron", "rudder"), A_LAT, B_LAT),
    ):
        for columns, text in ((states, A), (inputs, B)):
            for row, line in zip(states, text.split("\n")[1:], strict=True):
                for column, figure in zip(columns, line.split(), strict=True):
                    yield entry(model, row, column, figure)
    for (row, column), figure in MORE.items():
        yield entry(model, row, column, figure)
    for name, measured in scalars(craft).items():
        text, unit = SCALARS[name]
        allowed = AS_ZERO if name == "a_V3" else DIFFERENCE * abs(float(text))
        yield within(*titles("5", name), float(text), measured, allowed, unit)


def trim_rows(craft: Aircraft) -> Iterator[Row]:
    """Flow and rates at the book's trim."""
    now = craft.derivative(TRIM, INPUTS)
    outputs = dict(zip(OUTPUTS, now.outputs.tolist(), strict=True))
    yield judge("5", "airspeed", AIRSPEED, outputs["airspeed"], "m/s")
    yield judge("5", "alpha", ALPHA, outputs["alpha"], "rad")
    yield judge("5", "theta", THETA, euler_from_quaternion(QUATERNION).pitch, "rad")
    rates = dict(zip(Flight._fields, now.rates.tolist(), strict=True))
    for name, text in RATES.items():
        ours, sign = PLACES.get(name, (name, 1.0))
        yield judge("5", f"{name}_dot", text, sign * rates[ours], UNITS.get(f"{name}_dot", "rad/s"))


def entry(model: LinearModel, row: str, column: str, text: str) -> Row:
    """One number of a Jacobian."""
    ours, sign = PLACES.get(row, (row, 1.0))
    matrix, names = (model.B, model.inputs) if column in model.inputs else (model.A, model.states)
    measured = sign * float(matrix[model.states.index(ours), names.index(column)])
    name = f"d_{row}_dot_d_{column}"
    if row in ("phi", "theta", "psi"):
        return within(*titles("5", name), float(text), measured, ANGLE_ROWS)
    if column == "v":
        return within(*titles("5", name), float(text), measured, V_COLUMN * abs(float(text)) or AS_ZERO)
    return judge("5", name, text, measured, "1")


def scalars(craft: Aircraft) -> dict[str, float]:
    """Derivatives of thrust and accelerations along one variable each, with the others held."""
    flow = airflow(Vector(*TRIM[:3]))
    here = Point(craft, flow.speed, flow.alpha)
    thrust = here.thrust()
    per_throttle = (here.thrust(throttle=STEP) - thrust) / STEP
    # Along the path only gravity depends on the pitch at a held angle of attack.
    gravity = -(here.along_path(theta=SMALL) - here.along_path(theta=-SMALL)) / (2.0 * SMALL)
    return {
        "dT_dVa": (here.thrust(speed=STEP) - thrust) / STEP,
        "dT_dthrottle": per_throttle,
        "a_phi1": -here.slope("p", p=STEP),
        "a_phi2": here.slope("p", aileron=STEP),
        "a_theta1": -here.slope("q", q=STEP),
        "a_theta2": -here.slope("q", alpha=STEP),
        "a_theta3": here.slope("q", elevator=STEP),
        "a_V2": per_throttle / float(craft.world.model.body_subtreemass[craft.instance.root]),
        "a_V3": gravity,
    }


class Point:
    """The trim, moved by small amounts of airspeed, angle of attack, pitch, rates and controls."""

    def __init__(self, craft: Aircraft, speed: float, alpha: float) -> None:
        self.craft, self.speed, self.alpha = craft, speed, alpha

    def rates(self, **moves: float) -> dict[str, float]:
        """Rates of the states after some moves."""
        speed, alpha = self.speed + moves.get("speed", 0.0), self.alpha + moves.get("alpha", 0.0)
        angles = {name: getattr(TRIM, name) + moves.get(name, 0.0) for name in ("p", "q", "theta")}
        state = TRIM._replace(u=speed * math.cos(alpha), w=speed * math.sin(alpha), **angles)
        inputs = INPUTS + [moves.get(control.name, 0.0) for control in self.craft.controls]
        return dict(zip(Flight._fields, self.craft.derivative(state, inputs).rates.tolist(), strict=True))

    def thrust(self, **moves: float) -> float:
        """Of the propeller [N]."""
        self.rates(**moves)
        return float(self.craft.world.part("motor1").outputs.thrust)

    def along_path(self, **moves: float) -> float:
        """Change of the airspeed [m/s²]."""
        rates = self.rates(**moves)
        return rates["u"] * math.cos(self.alpha) + rates["w"] * math.sin(self.alpha)

    def slope(self, state: str, **move: float) -> float:
        """Change of the rate of a state by one move, per move."""
        (step,) = move.values()
        return (self.rates(**move)[state] - self.rates()[state]) / step
