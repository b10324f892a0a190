"""Airfoils that pitch through their stall in wind tunnels, beside the strips of the loop.

Lift over one recorded cycle of three airfoils about their quarter chord: a NACA 0015 of the University of Glasgow, an
LS(1)-0417MOD and an S809 of Ohio State University (NREL/TP-442-7819 and -7817), as NREL's AeroDyn uses them (Damiani,
Hayman, Jonkman, AIAA 2016-1007). Slope, zero-lift angle and the angle at which 70 % of the chord is attached are those
of the airfoils at rest, as published there; nothing is fitted to the moving ones.
"""

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from cupola.aerodynamics.strips import march_strips
from cupola.physics.rotation import Vector
from cupola.physics.strip import Strip
from cupola.reproduce.row import Row

Array = Any
STEPS, CYCLES = 300, 2


class Tunnel(NamedTuple):
    """An airfoil at rest, how it moved, and what was measured."""

    source: str
    slope: float
    """[1/rad]."""
    alpha_0: float
    """[deg]."""
    attached_70: float
    """Angle of attack at which 70 % of the chord is attached [deg]."""
    frequency: float
    """Reduced: ω c / 2 U."""
    mean: float
    """[deg]."""
    amplitude: float
    """[deg]."""
    rising: tuple[tuple[float, float], ...]
    """Angle of attack [deg] and lift coefficient, nose going up."""
    falling: tuple[tuple[float, float], ...]


TUNNELS = {
    "naca_0015": Tunnel(
        "Glasgow, NACA 0015, Re 1.5e6",
        *(5.299, 0.0, 14.0, 0.0771, 15.195, 9.685),
        rising=(
            *((8.12, 0.756), (10.01, 1.010), (12.37, 1.177), (14.25, 1.292), (16.2, 1.492)),
            *((18.19, 1.719), (20.37, 1.801), (22.19, 1.908), (23.06, 2.038), (24.12, 1.262)),
        ),
        falling=(
            *((24.11, 0.913), (22.23, 0.712), (20.0, 0.512), (18.34, 0.480), (15.93, 0.333)),
            *((14.03, 0.254), (12.31, 0.423), (10.06, 0.561), (8.12, 0.607), (6.13, 0.563)),
        ),
    ),
    "ls_0417": Tunnel(
        "Ohio State, LS(1)-0417MOD, Re 1.0e6",
        *(5.895, -3.7, 13.31, 0.0527, 14.178, 10.884),
        rising=(
            *((5.6, 1.00), (7.7, 1.18), (9.3, 1.36), (11.9, 1.58), (14.0, 1.75), (16.1, 1.88)),
            *((18.2, 1.96), (19.9, 1.99), (21.3, 1.71), (22.9, 1.34)),
        ),
        falling=(
            *((23.9, 1.16), (22.4, 1.16), (20.8, 1.13), (18.7, 1.11), (16.6, 1.09), (14.5, 1.10)),
            *((12.4, 1.12), (10.3, 1.18), (8.2, 1.17), (6.7, 1.11), (5.1, 0.98)),
        ),
    ),
    "s809": Tunnel(
        "Ohio State, S809, Re 1.0e6",
        *(6.438, -0.64, 8.92, 0.0505, 18.777, 10.684),
        rising=(
            *((10.3, 1.10), (11.9, 1.25), (14.0, 1.34), (15.9, 1.34), (18.3, 1.34)),
            *((20.2, 1.35), (22.1, 1.30), (24.1, 2.00), (25.7, 1.60), (27.3, 1.11)),
        ),
        falling=(
            *((27.1, 0.94), (25.2, 0.88), (23.3, 0.77), (21.2, 0.77), (18.8, 0.61)),
            *((16.5, 0.50), (14.8, 0.82), (12.9, 0.95), (11.4, 0.91), (9.8, 0.86)),
        ),
    ),
}


def phases(tunnel: Tunnel) -> Array:
    """Phases of the measured points [rad], 0 where the nose goes up through the mean."""

    def of(points: tuple[tuple[float, float], ...]) -> Array:
        return np.arcsin(np.clip((np.array(points)[:, 0] - tunnel.mean) / tunnel.amplitude, -1.0, 1.0))

    return np.concatenate([of(tunnel.rising), math.pi - of(tunnel.falling)])


def lifts(memory: bool) -> Array:
    """Lift coefficients of a strip for each airfoil over the last cycle, with wake and lagging stall or without.

    All are one march: at the same speed and frequency their chords make the reduced frequencies.
    """
    every = TUNNELS.values()
    names = ("mean", "amplitude", "alpha_0", "attached_70")
    angles: list[Any] = [np.radians([getattr(one, name) for one in every]) for name in names]
    mean, swing, alpha_0, attached_70 = angles
    chord: Any = 2.0 * np.array([one.frequency for one in every])
    slope: Any = np.array([one.slope for one in every])
    p = Strip(chord, 1.0, c_lift_a=slope, alpha_0=alpha_0, alpha_stall=attached_70 - alpha_0)

    def motion(time: float) -> tuple[Vector, Vector]:
        angle, rate = mean + swing * math.sin(time), swing * math.cos(time)
        return Vector._make((np.cos(angle), 0.0 * angle, -np.sin(angle))), Vector._make((0.0, -rate, 0.0))

    found = []
    for now in march_strips(motion, CYCLES * STEPS, 2.0 * math.pi / STEPS, 2.0, p, memory=memory):
        angle = mean + swing * math.sin(now.time)
        found.append((now.wrench.force.z * np.cos(angle) + now.wrench.force.x * np.sin(angle)) / chord)
    return np.array(found[-STEPS:])


def errors(memory: bool) -> dict[str, float]:
    """Mean absolute error of the lift coefficient over the measured points of each airfoil."""
    phase, found = 2.0 * math.pi * np.arange(STEPS) / STEPS, {}
    for (name, tunnel), lift in zip(TUNNELS.items(), lifts(memory).T, strict=True):
        measured = np.array([*tunnel.rising, *tunnel.falling])[:, 1]
        off = np.interp(phases(tunnel), phase, lift, period=2.0 * math.pi) - measured
        found[name] = float(np.abs(off).mean())
    return found


def rows(full: bool) -> Iterator[Row]:
    """Strips with memory are nearer to each airfoil than those without."""
    steady = errors(memory=False)
    for name, found in errors(memory=True).items():
        what = "mean absolute error of the lift coefficient while pitching through the stall, unsteady strips"
        criterion, passed = f"< {steady[name]:.3f}, that of steady strips", found < steady[name]
        yield Row(f"morphing_pitching_{name}", TUNNELS[name].source, what, None, found, "1", criterion, passed)
