"""Levels 5 and 8 of the wings' verification ladder: vortex lattices, steady and unsteady."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from cupola.aerodynamics.exact import theodorsen, wagner
from cupola.aerodynamics.grid import tapered
from cupola.aerodynamics.lattice import steady_lattice
from cupola.aerodynamics.march import LatticeStep, march
from cupola.reproduce.row import Row, within

Array = Any
RECTANGLES = {1: (1.461, 0.168), 2: (2.475, 0.210), 4: (3.613, 0.232), 6: (4.215, 0.239), 8: (4.587, 0.242)}
RECTANGLES |= {10: (4.839, 0.244), 12: (5.023, 0.245), 20: (5.435, 0.247)}
"""Aspect ratio: lift slope [1/rad] and aerodynamic centre [chords]."""
STEADY, UNSTEADY = 0.01, 0.03
ANGLE = math.radians(0.1)
WARREN = 2.0 * math.sqrt(2.0)
WIDE = 2000.0
"""Aspect ratio that stands for plane flow."""


def rows(full: bool) -> Iterator[Row]:
    """Wings in steady flow, then a sudden start and harmonic plunging in plane flow."""
    yield from _steady()
    yield from _start(full)
    yield from _plunging(full)


def slopes(half: Array, area: float) -> tuple[float, float, float]:
    """Lift slope, moment slope about the origin (unit chord, nose up) and near- by far-field drag of a half wing."""
    c, s = math.cos(ANGLE), math.sin(ANGLE)
    found = steady_lattice(half, np.array([-c, 0.0, s]), 2.0, mirror=True)
    lift, drag = found.force[2] * c + found.force[0] * s, found.force[2] * s - found.force[0] * c
    return lift / area / s, -found.torque[1] / area / s, drag / found.far_drag


def extrapolated(aspect_ratio: float, chordwise: int = 6, spanwise: int = 20) -> tuple[float, float]:
    """Lift slope of a rectangle, from a lattice and one twice as fine, and the finer's aerodynamic centre [chords]."""
    coarse, _, _ = slopes(tapered(aspect_ratio, 1.0, 1.0, chordwise=chordwise, spanwise=spanwise), aspect_ratio)
    finer = tapered(aspect_ratio, 1.0, 1.0, chordwise=2 * chordwise, spanwise=2 * spanwise)
    fine, moment, _ = slopes(finer, aspect_ratio)
    return 2.0 * fine - coarse, -moment / fine


def _steady() -> Iterator[Row]:
    source = "Bertin and Smith, swept wing, aspect ratio 5, 4 x 1 panels"
    lift, _, _ = slopes(tapered(5.0, 1.0, 1.0, sweep=math.radians(45.0), chordwise=1, spanwise=4), 5.0)
    yield within("morphing_lattice_swept", source, "lift slope", 3.4442, lift, 5e-5, "1/rad")
    half = tapered(WARREN, 1.5, 0.5, sweep=math.radians(53.54), chordwise=16, spanwise=70)
    lift, moment, _ = slopes(half, WARREN)
    source = "Warren-12 wing (OpenVSP study)"
    yield within("morphing_lattice_warren", source, "lift slope", 2.743, lift, STEADY * 2.743, "1/rad")
    yield within("morphing_lattice_warren_moment", source, "moment slope", -3.10, moment, STEADY * 3.1, "1/rad")
    source = "vortex lattice, rectangular wings, extrapolated"
    for aspect_ratio, (slope, centre) in RECTANGLES.items():
        lift, at = extrapolated(float(aspect_ratio))
        name = f"aspect ratio {aspect_ratio}"
        yield within(f"morphing_lattice_{aspect_ratio}", source, f"lift slope, {name}", slope, lift, STEADY * slope)
        key, quantity = f"morphing_lattice_centre_{aspect_ratio}", f"aerodynamic centre, {name}"
        yield within(key, source, quantity, centre, at, STEADY * centre, "chords")
    _, _, ratio = slopes(tapered(6.0, 1.0, 1.0, chordwise=6, spanwise=20), 6.0)
    yield within("morphing_lattice_drag", source, "drag near the wing by that of the wake far behind", 1.0, ratio, 1e-5)


def plane(chordwise: int, alpha: float = 0.0) -> Array:
    """Half of a very long wing of chord 1, at an angle of attack [rad]."""
    half = tapered(WIDE, 1.0, 1.0, chordwise=chordwise, spanwise=2)
    c, s = math.cos(alpha), math.sin(alpha)
    x, y, z = np.moveaxis(half, -1, 0)
    return np.stack([c * x + s * z, y, c * z + s * x], axis=-1)


def section_force(step: LatticeStep) -> Array:
    """Force on the inner half of the left half wing by its length [N/m]: plane flow."""
    return step.panel_force[:, 0].sum(0) / (0.25 * WIDE)


def started(chordwise: int, travelled: float) -> dict[float, float]:
    """Lift after a sudden start by the final 2π sin α, against half chords travelled."""
    alpha = math.radians(1.0)
    half = plane(chordwise, alpha)
    steps = round(0.5 * travelled * chordwise) + 1
    found = {}
    for step in march(lambda t: half + np.array([t, 0.0, 0.0]), steps, 1.0 / chordwise, 2.0, mirror=True):
        found[round(2.0 * step.time, 6)] = section_force(step)[2] / (2.0 * math.pi * math.sin(alpha))
    return found


def _start(full: bool) -> Iterator[Row]:
    source = "unsteady lattice, sudden start in plane flow (Wagner 1925)"
    found = started(20, 10.0)
    for s in (2.0, 5.0, 10.0):
        exact = wagner(s)
        yield within(
            f"morphing_start_{s:g}", source, f"lift after {s:g} half chords", exact, found[s], UNSTEADY * exact
        )
    if full:
        half = tapered(8.0, 1.0, 1.0, chordwise=6, spanwise=20)
        c, s = math.cos(0.05), math.sin(0.05)
        x, y, z = np.moveaxis(half, -1, 0)
        tilted = np.stack([c * x + s * z, y, c * z + s * x], axis=-1)
        *_, last = march(lambda t: tilted + np.array([t, 0.0, 0.0]), 400, 1.0 / 6.0, 2.0, mirror=True)
        steady = steady_lattice(tilted, np.array([-1.0, 0.0, 0.0]), 2.0, mirror=True).force[2]
        source, quantity = "unsteady lattice after 67 chords against the steady one", "lift, aspect ratio 8"
        yield within("morphing_start_end", source, quantity, steady, last.force[2], 0.01 * steady, "N")


def plunged(k: float, chordwise: int, cycles: int = 3) -> tuple[complex, float]:
    """Lift of harmonic plunging by πρc h ω U (complex) and mean thrust by Garrick's, plane flow, small amplitude."""
    omega, h = 2.0 * k, 0.001
    count = round(2.0 * math.pi / omega * chordwise)
    dt = 2.0 * math.pi / omega / count
    half = plane(chordwise)
    waves = lift = thrust = 0.0 + 0.0j
    for step in march(
        lambda t: half + np.array([t, 0.0, -h * math.sin(omega * t)]), cycles * count, dt, 1.0, mirror=True
    ):
        if step.time > (cycles - 1.0) * count * dt - 0.5 * dt:
            force = section_force(step)
            lift += force[2] * np.exp(-1j * omega * step.time) * 2.0 / count
            thrust += force[0] / count
            waves += np.cos(omega * step.time) * np.exp(-1j * omega * step.time) * 2.0 / count
    garrick = math.pi * 0.5 * (omega * h) ** 2 * abs(complex(theodorsen(k))) ** 2
    return complex(lift / waves / (math.pi * h * omega)), float(thrust.real) / garrick


def _plunging(full: bool) -> Iterator[Row]:
    source = "unsteady lattice, plunging in plane flow (Theodorsen 1935, Garrick 1936)"
    for k in (0.3, 0.1, 1.0) if full else (0.3,):
        exact = complex(theodorsen(k)) + 0.5j * k
        lift, thrust = plunged(k, 20 if k > 0.2 else 10)
        key = f"morphing_plunge_{k:g}"
        yield within(f"{key}_size", source, f"lift, k = {k:g}: size", abs(exact), abs(lift), UNSTEADY * abs(exact))
        turn = math.degrees(np.angle(lift / exact))
        yield within(f"{key}_phase", source, f"lift, k = {k:g}: phase from theory", 0.0, turn, 2.0, "deg")
        yield within(f"{key}_thrust", source, f"mean thrust, k = {k:g}, by Garrick's", 1.0, thrust, UNSTEADY)
