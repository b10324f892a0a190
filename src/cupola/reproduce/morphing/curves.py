"""Unsteady lift, moment and thrust over the reduced frequency, beside the exact curves.

The strips march in time as they do in the loop; all frequencies are one march, of strips with different chords. The
lattice is taken with panels and steps of a tenth and of a twentieth of the chord: what changes between them is the bar
of its error. `python -m cupola.reproduce.morphing.curves` draws the figure.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.aerodynamics.exact import (
    LAGS,
    Harmonic,
    kussner,
    oscillating,
    sears_in_time,
    theodorsen,
    wagner,
    wagner_lags,
)
from cupola.aerodynamics.strips import Motion, march_strips
from cupola.physics.rotation import Vector
from cupola.physics.strip import Strip, StripState, strip_flow, strip_start
from cupola.record.draw import save_picture
from cupola.reproduce.morphing.lattice import plunged
from cupola.reproduce.row import Row, at_most

Array = Any
FREQUENCIES = np.geomspace(0.03, 1.5, 12)
"""Reduced, ω c / 2 U."""
STEPS, CYCLES, SMALL = 160, 2, 1e-4
BOUNDS = (("lift", 5e-3, "1"), ("phase", 0.3, "deg"), ("moment", 5e-3, "1"), ("thrust", 2e-2, "1"))
"""Errors by the size of the exact answer; that of the thrust of pitching is small where it changes its sign."""
ATTACHED = {"alpha_stall": 3.0, "c_normal_90": 0.0}
MOTIONS = {"plunge": (1.0, 0.0), "pitch": (0.0, 1.0)}
"""Amplitudes of the sinking quarter chord [half chords] and of the nose up about it [rad]."""
GUST = (0.2, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0, 20.0)
"""Half chords since the nose met the edge of a gust."""
COARSE, FINE = 10, 20
"""Panels a chord."""
LATTICE = (0.1, 0.3, 1.0)


class Curves(NamedTuple):
    """Largest errors over the reduced frequency, by the size of the exact answer."""

    lift: float
    moment: float
    thrust: float
    phase: float
    """Of the lift [deg]."""


def strips(k: Array, plunge: float, pitch: float, *, cycles: int = CYCLES, swung_in: bool = True) -> Harmonic:
    """What strips in plane flow do in the last of some cycles, at a small amplitude, in the units of `oscillating`."""
    half: Any = np.asarray(k)  # at a speed of 1 m/s and 1 rad/s
    p = Strip(2.0 * half, 1.0, **ATTACHED)
    sink, turn = SMALL * plunge * half, SMALL * pitch

    def motion(time: float) -> tuple[Vector, Vector]:
        angle, down = turn * math.cos(time), -sink * math.sin(time)
        c, s = math.cos(angle), math.sin(angle)
        return Vector._make((c - s * down, 0.0 * half, -s - c * down)), Vector(0.0, turn * math.sin(time), 0.0)

    lift, moment, thrust = 0.0j * half, 0.0j * half, 0.0 * half
    start = _swung_in(motion, p) if swung_in else None
    for now in march_strips(motion, cycles * STEPS, 2.0 * math.pi / STEPS, 1.0, p, stall=False, start=start):
        if now.time > (cycles - 1.0) * 2.0 * math.pi - 1e-9:
            wave, force = np.exp(-1j * now.time) * 2.0 / STEPS, now.wrench.force
            c, s = math.cos(turn * math.cos(now.time)), math.sin(turn * math.cos(now.time))
            lift = lift + (force.z * c + force.x * s) * wave
            moment = moment - now.wrench.torque.y * wave
            thrust = thrust + (force.x * c - force.z * s) / STEPS
    return Harmonic(lift / SMALL / half, moment / SMALL / half**2, thrust / SMALL**2 / half)


def _swung_in(motion: Motion, p: Strip) -> StripState:
    """What the air remembers after many cycles; the slowest lag would need more than a hundred of them to forget."""
    times = 2.0 * math.pi * np.arange(STEPS) / STEPS
    felt = np.array([strip_flow(*motion(time), p).felt for time in times])
    wave = 2.0 / STEPS * (felt * np.exp(-1j * times)[:, None]).sum(axis=0)
    wakes = [np.real(wave * rate / (rate + 0.5j * p.chord)) for _, rate in LAGS]
    begun = strip_start(strip_flow(*motion(0.0), p), p)
    return StripState._make([*wakes, begun.alpha, begun.attached])


def compared(plunge: float, pitch: float) -> Curves:
    """Strips beside the exact curves over all frequencies."""
    exact, found = oscillating(FREQUENCIES, plunge, pitch), strips(FREQUENCIES, plunge, pitch)
    lift, moment, thrust = (float(np.max(np.abs(a - b) / np.abs(a))) for a, b in zip(exact, found, strict=True))
    phase = float(np.max(np.abs(np.degrees(np.angle(found.lift / exact.lift)))))
    return Curves(lift, moment, thrust, phase)


def rows(full: bool) -> Iterator[Row]:
    """Strips over the reduced frequency, a sudden start, a sharp gust; with `full` the lattice's lag."""
    over = f"strips, k = {FREQUENCIES[0]:g} to {FREQUENCIES[-1]:g}"
    for name, amplitudes in MOTIONS.items():
        found, source = compared(*amplitudes), f"{name} of a thin airfoil (Theodorsen 1935, Garrick 1936)"
        for part, bound, unit in BOUNDS:
            quantity = f"largest error of the {'phase of the lift' if part == 'phase' else part}, {over}"
            yield at_most(f"morphing_curve_{name}_{part}", source, quantity, bound, getattr(found, part), unit)
    off = max(abs(float(wagner_lags(s)) - wagner(s)) for s in np.geomspace(0.1, 100.0, 16))
    what = "largest difference, strips, 0.1 to 100 half chords"
    yield at_most("morphing_curve_wagner", "sudden start (Wagner 1925)", what, 5e-3, off)
    off = max(abs(kussner(s) - sears_in_time(s)) for s in GUST)
    what = "largest difference of the function from the Fourier integral of Sears', 0.2 to 20 half chords"
    yield at_most("morphing_kussner", "sharp gust (Küssner 1936, Sears 1941)", what, 1e-5, off)
    if full:
        yield from _lag()


def lattice_wake(k: float, chordwise: int) -> complex:
    """C(k) of the plunging lattice."""
    return plunged(k, chordwise)[0] - 0.5j * k


def _lag() -> Iterator[Row]:
    """Whose lag it is: the phase of the lattice's lift, with panels and steps half as large."""
    exact = complex(theodorsen(0.3)) + 0.15j
    coarse, fine = (abs(np.angle(plunged(0.3, count)[0] / exact)) for count in (COARSE, FINE))
    what = f"lag of the lift with {FINE} panels a chord by that with {COARSE}, k = 0.3"
    yield at_most("morphing_lattice_lag", "unsteady lattice, plunging", what, 0.6, fine / coarse)


def draw(file: Path) -> None:
    """Lift, moment and thrust over the reduced frequency; below, C(k) of the lattice with its bars."""
    import matplotlib.pyplot as plt

    k = np.geomspace(0.03, 1.5, 80)
    figure, axes = plt.subplots(2, 2, figsize=(11.0, 8.0), layout="constrained")
    for (name, amplitudes), colour in zip(MOTIONS.items(), ("tab:blue", "tab:red"), strict=True):
        exact, found = oscillating(k, *amplitudes), strips(FREQUENCIES, *amplitudes)
        for one, part in zip(axes.flat, ("lift", "moment", "thrust"), strict=False):
            one.plot(k, np.abs(getattr(exact, part)), color=colour, label=f"{name}, exact")
            one.plot(FREQUENCIES, np.abs(getattr(found, part)), "o", color=colour, mfc="none", label=f"{name}, strips")
            one.set(xscale="log", yscale="log", xlabel="reduced frequency k", title=f"{part}, size, by amplitude")
            one.legend(fontsize=8)
    wake = axes[1, 1]
    for side, name in ((np.real, "F"), (np.imag, "G")):
        wake.plot(k, side(theodorsen(k)), color="0.1", label=f"{name}, exact")
    for at in LATTICE:
        fine, coarse = lattice_wake(at, FINE), lattice_wake(at, COARSE)
        for side in (np.real, np.imag):
            bar = abs(side(fine) - side(coarse))
            wake.errorbar(at, side(fine), bar, fmt=".", markersize=4, color="tab:green", capsize=5)
    wake.set(xscale="log", xlabel="reduced frequency k", title="C(k) of the unsteady lattice, 20 panels a chord")
    wake.legend(fontsize=8)
    save_picture(figure, file, dpi=90)
    plt.close(figure)


if __name__ == "__main__":
    draw(Path("out/wings_unsteady.png"))
