"""Units of DAVE-ML and standard variable names of AIAA S-119, as far as a flying vehicle needs them."""

import math

from cupola.schema.yaml_files import InputError

FOOT, POUND, SLUG, KNOT = 0.3048, 4.4482216152605, 14.593902937206, 1852.0 / 3600.0
FACTORS = {
    "nd": 1.0, "": 1.0, "frac": 1.0, "pct": 0.01, "rad": 1.0, "deg": math.pi / 180.0, "rad_s": 1.0,
    "deg_s": math.pi / 180.0, "m": 1.0, "ft": FOOT, "in": FOOT / 12.0, "m2": 1.0, "ft2": FOOT**2, "m_s": 1.0,
    "ft_s": FOOT, "nmi_h": KNOT, "kt": KNOT, "kg": 1.0, "slug": SLUG, "lbm": 0.45359237, "kgm2": 1.0,
    "slugft2": SLUG * FOOT**2, "N": 1.0, "lbf": POUND, "lb": POUND, "Nm": 1.0, "ftlbf": FOOT * POUND, "Pa": 1.0,
    "lbf_ft2": POUND / FOOT**2, "psf": POUND / FOOT**2, "K": 1.0, "dgR": 5.0 / 9.0, "kg_m3": 1.0,
    "slug_ft3": SLUG / FOOT**3, "s": 1.0, "min": 60.0, "h": 3600.0, "km": 1000.0, "cm": 0.01, "mm": 0.001,
    "nmi": 1852.0, "mi": 5280.0 * FOOT, "kft": 1000.0 * FOOT, "in2": (FOOT / 12.0) ** 2, "km_h": 1.0 / 3.6,
    "m_s2": 1.0, "ft_s2": FOOT, "rad_s2": 1.0, "deg_s2": math.pi / 180.0, "rpm": math.pi / 30.0, "kN": 1000.0,
    "hPa": 100.0, "kPa": 1000.0, "mbar": 100.0, "lbf_in2": POUND / (FOOT / 12.0) ** 2, "inHg": 3386.389,
    "N_m2": 1.0, "g_cm3": 1000.0,
}  # fmt: skip
"""SI of one unit."""
QUANTITIES = {
    "trueairspeed": "airspeed", "angleofattack": "alpha", "angleofsideslip": "beta", "mach": "mach",
    "machnumber": "mach", "angleofattackrate": "alpha_rate", "angleofsidesliprate": "beta_rate",
    "dynamicpressure": "dynamic_pressure", "airdensity": "density", "ambientpressure": "pressure",
    "ambienttemperature": "temperature", "altitudemsl": "altitude", "bodyangularrate_roll": "p",
    "bodyangularrate_pitch": "q", "bodyangularrate_yaw": "r", "eulerangle_roll": "roll", "eulerangle_pitch": "pitch",
    "eulerangle_yaw": "heading", "equivalentairspeed": "airspeed * sqrt(density / 1.225)", "time": "time",
    "bodyairvelocity_x": "u", "bodyairvelocity_y": "v", "bodyairvelocity_z": "w",
}  # fmt: skip
"""Standard names, in lower case, and what they are here [SI]."""


def factor(units: str, of: str) -> float:
    """SI of one unit; the variable is named in the message."""
    if units not in FACTORS:
        raise InputError(f"the unit {units!r} of {of} is not known; known are: {', '.join(filter(None, FACTORS))}")
    return FACTORS[units]
