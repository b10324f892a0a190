"""Which span and sweep at which airspeed? An optimiser asks the simulation, flight by flight.

Beside it stands the closed form of straight wings: with x the stretch, S = S₀ x and A = A₀ x, drag is

    D = q c_f S + W² / (q S) (1 / (π A) + (1 - suction) / 2π)

and all that does not depend on the wing. `python -m cupola.reproduce.morphing.envelope` draws the best wings beside
those that stay.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize, minimize_scalar

from cupola.config.vehicle import Vehicle
from cupola.parts.aero.wing import Wing
from cupola.record.draw import save_picture
from cupola.reproduce.morphing.range import SOURCE, SPANS, Cruise, cruise
from cupola.reproduce.row import Row, at_most, within

WEIGHT, DENSITY = 3.9 * 9.80665, 1.2178
"""[N] of the plane, [kg/m³] at 60 m."""
BETWEEN = 16.5
"""[m/s] at which the best span lies between the stops."""
DIFFERENCE, FLAT = 0.1, 3e-4
"""What the optimiser moves span and sweep by to see the slope, and the gain below which it is content."""
HELD = 0.05
"""How far from the speed asked for a flight still counts: too slow for its wing, the plane stalls."""
SPEEDS = np.array([14.0, 16.0, 18.0, 21.0, 25.0])
"""[m/s] of the figure."""


class Best(NamedTuple):
    """The wing that takes least power in level flight."""

    span: float
    sweep: float
    """0 to 1: channels of the plane."""
    cruise: Cruise


def best(speed: float) -> Best:
    """The best wing at an airspeed [m/s], by L-BFGS-B from the middle of both travels."""

    def power(shape: np.ndarray) -> float:
        found = cruise(speed, float(shape[0]), float(shape[1]))
        return found.power / found.speed

    options = {"eps": DIFFERENCE, "ftol": FLAT, "maxiter": 12}
    found = minimize(power, (0.5, 0.5), method="L-BFGS-B", bounds=[(0.0, 1.0), (0.0, 1.0)], options=options)
    span, sweep = (float(value) for value in found.x)
    return Best(span, sweep, cruise(speed, span, sweep))


def straight(speed: float) -> float:
    """The best span by the closed form, 0 to 1."""
    wing = Vehicle.load("morphing_uav").parts["left_wing"]
    assert isinstance(wing, Wing) and wing.span is not None and wing.aspect_ratio is not None
    area = 2.0 * wing.stations[-1].y * wing.stations[0].chord
    q, ratio, lost = 0.5 * DENSITY * speed**2, wing.aspect_ratio, (1.0 - wing.section.suction) / (2.0 * math.pi)
    gain, friction = wing.span.gain, wing.section.c_friction

    def drag(span: float) -> float:
        x = 1.0 + gain * span
        return q * friction * area * x + WEIGHT**2 / (q * area * x) * (1.0 / (math.pi * ratio * x) + lost)

    return float(minimize_scalar(drag, bounds=(0.0, 1.0), method="bounded").x)


def rows(full: bool) -> Iterator[Row]:
    """The best span and sweep between the stops; with `full` at the ends, too."""
    if not full:
        return
    found, what = best(BETWEEN), f"at {BETWEEN:g} m/s"
    closed = straight(BETWEEN)
    yield within("morphing_envelope_span", SOURCE, f"best span, 0 to 1, {what}", closed, found.span, 0.1)
    yield at_most("morphing_envelope_sweep", SOURCE, f"best sweep, 0 to 1, {what}", 0.05, found.sweep)
    for speed, end in ((14.0, 1.0), (25.0, 0.0)):
        reached = best(speed).span
        yield within(f"morphing_envelope_{speed:g}", SOURCE, f"best span, {speed:g} m/s", end, reached, 0.05)


def draw(file: Path) -> None:
    """Range by energy over the airspeed, of wings that stay and of the best ones; and what the best ones are."""
    import matplotlib.pyplot as plt

    figure, (top, low) = plt.subplots(2, 1, figsize=(7.0, 6.0), sharex=True, layout="constrained", height_ratios=(2, 1))
    for name, colour in zip(SPANS, ("tab:blue", "0.5", "tab:orange"), strict=True):
        width = 2.0 * (0.06 + 0.74 * (1.0 + 0.75 * SPANS[name]))
        flown = [cruise(v, SPANS[name]) for v in SPEEDS]
        kept = [
            3.6 * one.range if abs(one.speed - v) < HELD * v else np.nan for one, v in zip(flown, SPEEDS, strict=True)
        ]
        top.plot(SPEEDS, kept, color=colour, label=f"span {width:.2f} m")
    chosen = [best(v) for v in SPEEDS]
    top.plot(
        SPEEDS, [3.6 * one.cruise.range for one in chosen], "k", linewidth=4, alpha=0.25, label="best span and sweep"
    )
    top.set(ylabel="range [km/Wh]", title="morphing_uav, level flight")
    top.legend()
    low.plot(SPEEDS, [one.span for one in chosen], "o-", label="span, 0 in, 1 out")
    low.plot(SPEEDS, [one.sweep for one in chosen], "s-", label="sweep, 0 to 1")
    low.plot(SPEEDS, [straight(v) for v in SPEEDS], "k--", label="span, closed form")
    low.set(xlabel="airspeed [m/s]", ylabel="best wing")
    low.legend()
    save_picture(figure, file, dpi=90)
    plt.close(figure)


if __name__ == "__main__":
    draw(Path("out/morphing_range.png"))
