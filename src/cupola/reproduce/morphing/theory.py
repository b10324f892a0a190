"""Levels 4 and 5 of the wings' verification ladder: tables of thin-airfoil, lifting-line and unsteady theory."""

import math
from collections.abc import Iterator

import numpy as np

from cupola.aerodynamics.exact import naca_4_digits, naca_230, sears, theodorsen, theodorsen_lags, thin_airfoil, wagner
from cupola.aerodynamics.lifting_line import lifting_line
from cupola.physics.delaurier import Deficiency, FlappingMotion, FlappingStrip, flapping_load, scherer
from cupola.physics.flap import flap_effect, parabolic_camber
from cupola.physics.section import Section, plate_normal, revolving_wing, separation_point, viterna
from cupola.reproduce.row import Row, at_most, within

CAMBER = {"24": (-2.07724, -0.0531195), "44": (-4.15448, -0.106239), "64": (-6.23172, -0.159359)}
"""NACA sections: zero-lift angle [deg] and quarter-chord moment."""
CAMBER_230 = -1.09359, -0.012836
FLAPS = {0.1: (0.39582, -0.54), 0.2: (0.54982, -0.64), 0.25: (0.609, -0.64952), 0.3: (0.66075, -0.64156)}
FLAPS |= {0.4: (0.74778, -0.58788), 0.5: (0.81831, -0.5)}
THEODORSEN = {0.01: (0.98242, -0.04565), 0.05: (0.90901, -0.13064), 0.1: (0.83192, -0.17230), 0.15: (0.77279, -0.18646)}
THEODORSEN |= {0.2: (0.72758, -0.18862), 0.25: (0.69255, -0.18525), 0.3: (0.66497, -0.17932), 0.4: (0.62498, -0.16498)}
THEODORSEN |= {0.5: (0.59794, -0.15071), 0.6: (0.57880, -0.13779), 0.8: (0.55415, -0.11650), 1.0: (0.53943, -0.10027)}
THEODORSEN |= {2.0: (0.51295, -0.05769), 10.0: (0.50062, -0.01245)}
WAGNER = {0.0: 0.5, 1.0: 0.600606, 2.0: 0.66929, 5.0: 0.788203, 10.0: 0.875045, 20.0: 0.936649, 50.0: 0.976764}
SEARS = {0.1: 0.83735, 0.2: 0.71949, 0.5: 0.52648, 1.0: 0.38957, 2.0: 0.28012}
EFFICIENCY = {0.01: 0.98454, 0.1: 0.86761, 0.2: 0.77648, 0.3: 0.71333, 0.5: 0.63592, 1.0: 0.55807}
LINE = {4.0: (4.02839, 0.02848), 5.0: (4.31412, 0.03838), 6.0: (4.53042, 0.04829), 7.366: (4.75386, 0.06159)}
LINE |= {8.0: (4.83770, 0.06761), 10.0: (5.04679, 0.08591), 12.0: (5.19908, 0.10307), 20.0: (5.54427, 0.16173)}
"""Rectangular wings: lift slope [1/rad] and δ."""
TAPERED = {6.0: (4.6677, 0.00878), 10.0: (5.18787, 0.01718)}
TABLE, LINE_BOUND = 1e-4, 1e-3
GLAUERT, UNSTEADY = "thin-airfoil theory (Glauert 1926)", "unsteady thin airfoil (Theodorsen 1935, Sears 1941)"
PRANDTL = "lifting line (Prandtl, Glauert)"
PLATES = "separated flow (Kirchhoff, Viterna, Leishman, Dickinson)"


def rows(full: bool) -> Iterator[Row]:
    """Tables of sections, unsteady functions and lifting lines."""
    yield from _sections()
    yield from _unsteady()
    yield from _lines()
    yield from _separated()
    yield from _delaurier()


def _sections() -> Iterator[Row]:
    angle = moment = 0.0
    for name, (alpha_0, c_moment) in CAMBER.items():
        found = thin_airfoil(naca_4_digits(0.01 * int(name[0]), 0.4), (0.4,))
        angle = max(angle, abs(math.degrees(found.alpha_0) - alpha_0))
        moment = max(moment, abs(found.c_moment - c_moment))
    found = thin_airfoil(naca_230, (0.2025,))
    angle = max(angle, abs(math.degrees(found.alpha_0) - CAMBER_230[0]))
    moment = max(moment, abs(found.c_moment - CAMBER_230[1]))
    bent, closed = thin_airfoil(lambda x: 4.0 * 0.03 * (1.0 - 2.0 * x)), parabolic_camber(0.03)
    moment = max(moment, abs(bent.c_moment - closed.c_moment), abs(bent.alpha_0 - closed.alpha_0))
    text = "largest difference from the table: {}, 24xx to 230xx"
    yield at_most("morphing_camber_angle", GLAUERT, text.format("zero-lift angle"), TABLE, angle, "deg")
    yield at_most("morphing_camber_moment", GLAUERT, text.format("moment"), TABLE, moment)
    flaps = [(flap_effect(e), *table) for e, table in FLAPS.items()]
    worst = max(max(abs(f.angle - tau), abs(f.c_moment - cm)) for f, tau, cm in flaps)
    yield at_most("morphing_flap", GLAUERT, "largest difference from the table of plain flaps", TABLE, worst)


def _unsteady() -> Iterator[Row]:
    k = np.array(list(THEODORSEN))
    table = np.array([f + 1j * g for f, g in THEODORSEN.values()])
    for name, function, bound in (("exact", theodorsen, TABLE), ("of the strips' lags", theodorsen_lags, 2e-3)):
        off = function(k) - table
        worst = float(max(np.abs(off.real).max(), np.abs(off.imag).max()))
        key = f"morphing_theodorsen_{name.partition(' ')[0]}"
        yield at_most(key, UNSTEADY, f"largest difference from the table of C(k), {name}", bound, worst)
    worst = max(abs(wagner(s) - value) for s, value in WAGNER.items())
    yield at_most("morphing_wagner", UNSTEADY, "largest difference from Wagner's table", TABLE, worst)
    worst = max(abs(abs(sears(k)) - value) for k, value in SEARS.items())
    yield at_most("morphing_sears", UNSTEADY, "largest difference from the table of |S(k)|", TABLE, worst)
    c = {k: complex(theodorsen(k)) for k in EFFICIENCY}
    worst = max(abs(abs(c[k]) ** 2 / c[k].real - value) for k, value in EFFICIENCY.items())
    yield at_most("morphing_garrick", "Garrick 1936", "largest difference, efficiency of plunging", TABLE, worst)


def _lines() -> Iterator[Row]:
    def solved(aspect_ratio: float, taper: float) -> tuple[float, float]:
        root = 2.0 / (1.0 + taper)
        found = lifting_line(
            aspect_ratio,
            lambda y: root * (1.0 - (1.0 - taper) * np.abs(y) / (0.5 * aspect_ratio)),
            lambda y: np.full_like(y, 0.01),
            lambda a: 2.0 * math.pi * a,
            200,
        )
        return found.wing_lift / 0.01, found.delta

    for taper, table in ((1.0, LINE), (0.4, TAPERED)):
        for aspect_ratio, (slope, delta) in table.items():
            lift, more = solved(aspect_ratio, taper)
            key, name = f"{taper:g}_{aspect_ratio:g}", f"aspect ratio {aspect_ratio:g}, taper {taper:g}"
            yield within(
                f"morphing_line_{key}", PRANDTL, f"lift slope, {name}", slope, lift, LINE_BOUND * slope, "1/rad"
            )
            yield within(f"morphing_line_delta_{key}", PRANDTL, f"δ, {name}", delta, more, 1e-3 * delta + 5e-6)
    elliptic = lifting_line(
        6.0,
        lambda y: 4.0 / math.pi * np.sqrt(1.0 - (y / 3.0) ** 2),
        lambda y: np.full_like(y, 0.01),
        lambda a: 2.0 * math.pi * a,
    )
    yield within(
        "morphing_line_elliptic",
        PRANDTL,
        "lift slope, elliptic wing",
        4.71239,
        elliptic.wing_lift / 0.01,
        5e-5,
        "1/rad",
    )
    yield at_most("morphing_line_elliptic_delta", PRANDTL, "δ of the elliptic wing", 1e-9, elliptic.delta)


def _separated() -> Iterator[Row]:
    kirchhoff = 2.0 * math.pi / (4.0 + math.pi)
    for degrees, value in ((30, 0.5639), (90, 0.8798)):
        measured = plate_normal(math.radians(degrees), kirchhoff)
        yield within(
            f"morphing_plate_{degrees}", PLATES, f"normal force of a plate at {degrees}°", value, measured, 5e-5
        )
    on = viterna(0.2, 0.2, 1.1, 0.03, 8.0)
    off = max(abs(on.lift - 1.1), abs(on.drag - 0.03))
    yield at_most("morphing_viterna", PLATES, "step of Viterna's lift and drag at the stall", 1e-12, off)
    p = Section()
    for side in (-1e-9, 1e-9):
        key = "morphing_separation_" + ("below" if side < 0.0 else "above")
        f = separation_point(p.alpha_stall + side, p)
        yield within(key, PLATES, "point of separation at the stall", 0.7, f, 1e-6)
    wing = revolving_wing(math.radians(45.0))
    yield within("morphing_dickinson_lift", PLATES, "lift of a revolving wing at 45°", 1.8046, wing.lift, 5e-5)
    yield within("morphing_dickinson_drag", PLATES, "drag of a revolving wing at 45°", 1.7037, wing.drag, 5e-5)


def _delaurier() -> Iterator[Row]:
    """Level 7: the limits of DeLaurier's model that have closed forms."""
    source = "DeLaurier 1993, limits"
    still = FlappingStrip(0.2, 1.0, 6.0, mean_pitch=0.002, alpha_0=0.001, stall_low=-1.0, stall_high=1.0)
    load = flapping_load(FlappingMotion(0.0, 0.0, 0.002, 0.0, 0.0), 10.0, 5.0, scherer(0.05, 6.0), 2.0, still)
    slope = load.lift / (10.0**2 * 0.2) / 0.003
    yield within("morphing_delaurier_still", source, "lift slope without motion", 1.5 * math.pi, slope, 5e-3, "1/rad")
    thrust, power = plunging()
    c = complex(theodorsen(0.3))
    yield within("morphing_delaurier_thrust", source, "mean thrust of plunging, by Garrick's", 1.0, thrust, 1e-3)
    yield within("morphing_delaurier_power", source, "mean power of plunging, by Garrick's", 1.0, power, 1e-3)
    measured = abs(c) ** 2 / c.real * thrust / power
    yield within("morphing_delaurier_efficiency", source, "efficiency of plunging, k = 0.3", 0.71333, measured, 1e-3)


def plunging(k: float = 0.3, amplitude: float = 1e-4) -> tuple[float, float]:
    """Mean thrust and power of DeLaurier's strip in plane flow by Garrick's, at a small `amplitude` [chords]."""
    c, speed, density = 0.2, 10.0, 1.2
    omega, h, wake = 2.0 * k * speed / c, amplitude * c, complex(theodorsen(k))
    strip = FlappingStrip(c, 1.0, 1e9)
    phase = 2.0 * math.pi * np.arange(400) / 400.0
    zero = np.zeros_like(phase)
    motion = FlappingMotion(h * omega * np.cos(phase), -h * omega**2 * np.sin(phase), zero, zero, zero)
    load = flapping_load(motion, speed, omega, Deficiency(wake.real, wake.imag), density, strip)
    scale = math.pi * density * 0.5 * c * (omega * h) ** 2
    return float(load.thrust.mean()) / (scale * abs(wake) ** 2), float(load.power.mean()) / (scale * speed * wake.real)
