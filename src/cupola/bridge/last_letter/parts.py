"""Airfoils and motors of Last_letter_2 as parts. Its coefficients have the names of ours, its axes the same signs."""

from typing import Any

import numpy as np

from cupola.bridge.last_letter.values import Values
from cupola.bridge.report import Report
from cupola.physics.airfoil import Surface
from cupola.physics.motor import GenericMotor
from cupola.schema.yaml_files import InputError

Part = dict[str, Any]
AIRFOIL_MODELS = {0: "none", 1: "linear", 2: "curves"}
NO_ENGINE, GENERIC, ELECTRIC = 0, 1, 2
ONE_VARIABLE, TWO_VARIABLES, SPLINE = 0, 1, 2
CELL_VOLTAGE = 4.0
"""[V]: fixed in the code of Last_letter_2 (its §3.5)."""
WIDEST_ADVANCE_RATIO = 2.0
HIGHEST = 50
"""Degree of a polynomial of two variables."""
POSITIVE = ("c_l_input_x", "c_m_input_y", "c_n_input_z")
"""Coefficients whose sign makes a positive stick roll right, pitch up, yaw right (Last_letter_2 §4.3.2.3)."""


def read_airfoils(values: Values, report: Report) -> dict[str, Part]:
    """The parts `airfoil1`, `airfoil2`, ..."""
    names = [f"airfoil{i}" for i in range(1, 1 + values.count("nWings"))]
    return {name: _airfoil(values, name, report) for name in names}


def _airfoil(values: Values, name: str, report: Report) -> Part:
    kind = values.integer(f"{name}/aerodynamicsType")
    if kind not in AIRFOIL_MODELS:
        raise InputError(f"{values.path}: {name}/aerodynamicsType: expected 0, 1 or 2, got {kind}")
    sizes = {"area": "s", "span": "b", "chord": "c"}
    off = 1.0 if kind == 0 else None  # sizes of a surface that does nothing need not be given
    surface = {ours: values.number(f"{name}/{theirs}", default=off) for ours, theirs in sizes.items()}
    for field in Surface._fields[3:]:
        if values.has(f"{name}/{field}"):
            surface[field] = values.number(f"{name}/{field}")
    for field in POSITIVE:
        if surface.get(field, 0.0) < 0.0:
            why = f"is {surface[field]:g}, which should be positive: a positive stick turns it the other way; kept"
            report.warnings.append(f"{values.path.name}: {name}/{field} {why}")
    part = {
        "kind": "airfoil",
        "site": name,
        "model": AIRFOIL_MODELS[kind],
        "channels": [values.integer(f"{name}/input_{axis}_chan", default=-1) for axis in "xyz"],
        "deflection_max": [values.number(f"{name}/delta{axis}_max", default=0.0) for axis in "xyz"],
        "surface": surface,
    }
    if AIRFOIL_MODELS[kind] == "curves":
        for ours, theirs in (("lift", "cLiftPoly"), ("drag", "cDragPoly")):
            part[ours] = read_curve(values, f"{name}/{theirs}", report)
    return part


def read_motors(values: Values, report: Report) -> dict[str, Part]:
    """The parts `motor1`, `motor2`, ..."""
    count = values.count("nMotors")
    battery = {
        "r_battery": values.number("battery/Rs", default=0.0),
        "cells": values.number("battery/Cells", default=0.0),
    }
    return {f"motor{i}": _motor(values, i, battery, report) for i in range(1, 1 + count)}


def _motor(values: Values, index: int, battery: dict[str, float], report: Report) -> Part:
    name = f"motor{index}"
    kind = values.integer(f"{name}/motorType")
    turn = values.number(f"{name}/rotationDir", default=1.0)
    part: Part = {
        "kind": "rotor",
        "site": name,
        "channel": values.integer(f"{name}/input_chan", default=-1),
        "direction": 1 if turn > 0 else -1,
        "side_force": 0.0,  # the air acts along the shaft only
    }
    if kind == GENERIC:
        part["generic"] = {field: values.number(f"{name}/{field}") for field in GenericMotor._fields}
        report.assume("thrust of generic motors", "falls with the air along the shaft; `law: thesis` takes all air")
    elif kind == ELECTRIC:
        part |= _electric(values, index, battery, report)
    elif kind != NO_ENGINE:
        raise InputError(f"{values.path}: {name}/motorType: expected 0, 1 or 2, got {kind}")
    return part


def _electric(values: Values, index: int, battery: dict[str, float], report: Report) -> Part:
    """The thesis lists propeller and battery under the motor, the files have them under `propN` and `battery`."""
    name, propeller = f"motor{index}", f"prop{index}"
    low, high = values.numbers(f"{name}/RadPSLimits", count=2)
    efficiency = _one_of(values, report, f"{propeller}/nCoeffPoly", f"{name}/nCoeffPoly")
    power = _one_of(values, report, f"{propeller}/powerPoly", f"{propeller}/propPowerPoly", f"{name}/propPowerPoly")
    widest = useful_advance_ratio(efficiency, power)
    report.assume(f"{values.path.name}: {name}: range of the advance ratio", f"0 to {widest:.3g}")
    electric = {
        "k_v": values.number(f"{name}/Kv"),
        "r_motor": values.number(f"{name}/Rm"),
        "i_0": values.number(f"{name}/I0"),
        "r_battery": values.number(f"{name}/Rs", default=battery["r_battery"]),
        "cells": values.number(f"{name}/Cells", default=battery["cells"]),
        "cell_voltage": CELL_VOLTAGE,
        "prop_diameter": values.number(f"{propeller}/propDiam", f"{name}/propDiam"),
        "inertia": values.number(f"{name}/engInertia"),
        "omega_min": low,
        "omega_max": high,
        "thrust_max": values.number(f"{name}/maxThrust"),
        "j_min": 0.0,
        "j_max": widest,
    }
    return {"electric": electric, "efficiency": efficiency, "c_power": power}


def _one_of(values: Values, report: Report, *names: str) -> Part:
    found = next((name for name in names if values.has(f"{name}/polyType")), names[0])
    return read_curve(values, found, report)


def read_curve(values: Values, name: str, report: Report) -> Part:
    """A polynomial, constant term first, or a spline, highest power first (its Annex A, 13)."""
    kind = values.integer(f"{name}/polyType")
    if kind == ONE_VARIABLE:
        return {"coefficients": values.numbers(f"{name}/coeffs", count=1 + values.integer(f"{name}/polyNo"))}
    if kind == TWO_VARIABLES:
        return _of_two_variables(values, name, report)
    if kind == SPLINE:
        segments = values.integer(f"{name}/breaksNo")
        breaks = values.numbers(f"{name}/breaks", count=segments + 1)
        return {"breaks": breaks, "coefficients": values.numbers(f"{name}/coeffs", count=4 * segments)}
    raise InputError(f"{values.path}: {name}: polyType: expected 0, 1 or 2, got {kind}")


def _of_two_variables(values: Values, name: str, report: Report) -> Part:
    """Terms v1^i v2^j with i + j at most the second degree, v2 running first (its §3.6).

    All that Last_letter_2 has curves of depends on one variable, and it asks them with one: such a polynomial then
    answers 0. Here the terms of the first variable count.
    """
    degrees = [int(degree) for degree in values.numbers(f"{name}/polyNo", count=2)]
    if not 0 <= degrees[0] <= degrees[1] <= HIGHEST:
        raise InputError(f"{values.path}: {name}/polyNo: expected [n1, n2] with 0 <= n1 <= n2, got {degrees}")
    powers = [(i, j) for i in range(degrees[0] + 1) for j in range(degrees[1] + 1) if i + j <= degrees[1]]
    given = values.numbers(f"{name}/coeffs", count=len(powers))
    dropped = [value for value, (_, j) in zip(given, powers, strict=True) if j and value]
    if dropped:
        what = f"{values.path.name}: {name}: {len(dropped)} terms of its second variable"
        report.lose(what, "curves are asked with one variable, here and there; the second is 0")
    return {"coefficients": [value for value, (_, j) in zip(given, powers, strict=True) if j == 0]}


def useful_advance_ratio(efficiency: Part, power: Part) -> float:
    """Up to where both curves stay above zero, at most 2: beyond, a polynomial says nothing about a propeller."""
    ends = [WIDEST_ADVANCE_RATIO]
    for curve in (efficiency, power):
        if "breaks" in curve:
            ends.append(curve["breaks"][-1])
            continue
        roots = np.roots(curve["coefficients"][::-1])
        ends += [float(root.real) for root in roots if abs(root.imag) < 1e-9 and root.real > 1e-6]
    return min(ends)
