"""A rigid flapping wing in a wind tunnel, measured by nine pressure sensors, beside our wing models.

Yeo, Atkins and Shyy, "Experimental and analytical pressure characterization of a rigid flapping wing for ornithopter
development", AIAA 2011, as digitised for PteraSoftware. Nothing here is fitted to the measured curve: the stall of the
plate is that of thin flat plates at Reynolds numbers of 10⁴ to 10⁵, which leave the straight line near 8° (Pelletier
and Mueller, J. Aircraft 37 (2000) 825-832), with the spread and the lags of Leishman and Beddoes.
"""

import csv
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from cupola.aerodynamics.grid import between
from cupola.aerodynamics.lattice_stall import stalled
from cupola.aerodynamics.march import LatticeStep, march
from cupola.aerodynamics.strips import march_strips
from cupola.physics.rotation import Vector
from cupola.physics.strip import Strip
from cupola.reproduce.peer import last_line
from cupola.reproduce.row import Row, data_file, missing, within

Array = Any
SPEED, FREQUENCY, DENSITY = 2.9, 3.3, 1.225
ROOT_CHORD, HALF_SPAN, TIP_INSET = 0.072, 0.213, 0.005
CHORDWISE, SPANWISE, CYCLES, STEPS = 5, 18, 3, 224
COSINES, SINES = (4.10e-5, -0.0322, -8.90e-7, 0.00046), (0.3793, -1.95e-6, -0.0035, -3.60e-6)
STALL = math.radians(8.0)
SENSORS = (
    # behind the leading edge of the root, from the root, area that it stands for [m, m, m²]
    (0.012, 0.036, 0.072 * 0.024),
    (0.036, 0.036, 0.072 * 0.024),
    (0.060, 0.036, 0.072 * 0.024),
    (0.01308, 0.107, 0.07 * 0.02112),
    (0.0342, 0.107, 0.07 * 0.02112),
    (0.05532, 0.107, 0.07 * 0.02112),
    (0.01569, 0.1775, 0.071 * 0.015),
    (0.03069, 0.176, 0.06565 * 0.015),
    (0.04569, 0.162825, 0.04165 * 0.015),
)
SOURCE = "Yeo, Atkins and Shyy 2011, flapping wing"
PTERA = 0.0291
"""Mean absolute error of PteraSoftware's lattice, published [N]."""
FRACTIONS = np.arange(100) / 100.0


def flap(time: float) -> float:
    """Flap angle [rad], up positive."""
    phase = 2.0 * math.pi * FREQUENCY * time
    waves = zip(range(1, 5), COSINES, SINES, strict=True)
    return 0.0354 + sum(a * math.cos(n * phase) + b * math.sin(n * phase) for n, a, b in waves)


def flap_rate(time: float) -> float:
    """[rad/s]."""
    omega = 2.0 * math.pi * FREQUENCY
    waves = zip(range(1, 5), COSINES, SINES, strict=True)
    turn = (n * (b * math.cos(n * omega * time) - a * math.sin(n * omega * time)) for n, a, b in waves)
    return omega * sum(turn)


class Plate:
    """The wing, from its outline."""

    def __init__(self, outline: Path) -> None:
        with outline.open(newline="") as file:
            rows = [(float(row["span_mm"]), float(row["chord_from_te_mm"])) for row in csv.DictReader(file)]
        span, ahead = 0.001 * np.array(rows).T
        self.span, self.x, self.tip = span, ahead - ROOT_CHORD, int(np.argmax(span))
        stations = np.linspace(0.0, HALF_SPAN - TIP_INSET, SPANWISE + 1)
        self.half = between(stations, *self.edges(stations), CHORDWISE)
        self.y = 0.5 * (stations[1:] + stations[:-1])
        front, rear = self.edges(self.y)
        self.chord, self.width = front - rear, float(stations[1])

    def edges(self, y: Array) -> tuple[Array, Array]:
        """x of leading and trailing edge, from the leading edge of the root, forward [m]."""
        front = np.interp(y, self.span[: self.tip], self.x[: self.tip])
        return front, np.interp(y, self.span[self.tip :][::-1], self.x[self.tip :][::-1])

    def shape(self, time: float) -> Array:
        """Corners of the left half in still air [m]."""
        c, s = math.cos(flap(time)), math.sin(flap(time))
        x, y, _ = np.moveaxis(self.half, -1, 0)
        return np.stack([x + SPEED * time, c * y, s * y], axis=-1)

    def strip(self) -> Strip:
        """Numbers of the strips, or of the columns of a lattice."""
        aspect_ratio = 2.0 * (HALF_SPAN - TIP_INSET) / float(self.chord.mean())
        return Strip(
            self.chord,
            self.width,
            origin=0.5,
            span_factor=aspect_ratio / (aspect_ratio + 2.0),
            alpha_stall=STALL,
            suction=0.0,
        )

    def motion(self, time: float) -> tuple[Vector, Vector]:
        """Velocity and rate of the strips."""
        rate = flap_rate(time)
        return Vector._make((np.full_like(self.y, SPEED), 0.0 * self.y, rate * self.y)), Vector(rate, 0.0, 0.0)

    def column_speed(self, time: float) -> Array:
        """[m/s]."""
        return np.hypot(SPEED, flap_rate(time) * self.y)

    def lattice(self) -> list[LatticeStep]:
        """Three cycles of the unsteady lattice, as many panels and steps as the published study."""
        dt = CYCLES / FREQUENCY / STEPS
        return list(march(self.shape, STEPS, dt, DENSITY, mirror=True))

    def sensed(self, step: LatticeStep) -> float:
        """Normal force of both halves [N] as the nine sensors would sum it.

        Between panels the pressure goes as thin-airfoil theory has it, √((1 - x) / x): its mean over each panel is the
        lattice's.
        """
        ends = np.linspace(0.0, 1.0, CHORDWISE + 1)
        mean = np.diff(np.sqrt(ends * (1.0 - ends)) + np.arcsin(np.sqrt(ends))) * CHORDWISE
        smooth = (step.panel_force * step.panels.normals).sum(-1) / step.panels.areas / mean[:, None]
        total = 0.0
        for behind, y, area in SENSORS:
            front, rear = self.edges(np.array([y]))
            x = float((front[0] + behind) / (front[0] - rear[0]))
            here = [np.interp(y, self.y, row) for row in smooth]
            level = np.interp(x, 0.5 * (ends[1:] + ends[:-1]), here)
            total += 2.0 * area * float(level) * math.sqrt((1.0 - x) / x)
        return total


def last_cycle(times: Array, values: Array) -> Array:
    """Values at 100 points of the last cycle."""
    return np.interp((CYCLES - 1 + FRACTIONS) / FREQUENCY, times, values)


def lifts(plate: Plate) -> dict[str, Array]:
    """Lift of both halves [N] at 100 points of the last cycle, model by model."""
    steps = plate.lattice()
    times = np.array([step.time for step in steps])
    up = np.cos([flap(time) for time in times])
    found = {"lattice": last_cycle(times, np.array([step.force[2] for step in steps]))}
    normal = [2.0 * step.normal.sum() for step in stalled(steps, plate.column_speed, DENSITY, plate.strip())]
    found["lattice that stalls"] = last_cycle(times, np.array(normal) * up)
    found["lattice at the sensors"] = last_cycle(times, np.array([plate.sensed(step) for step in steps]) * up)
    dt = CYCLES / FREQUENCY / (4 * STEPS)
    flight = list(march_strips(plate.motion, 4 * STEPS, dt, DENSITY, plate.strip()))
    strips = [2.0 * np.sum(now.wrench.force.z) * math.cos(flap(now.time)) for now in flight]
    found["strips that stall"] = last_cycle(np.array([now.time for now in flight]), np.array(strips))
    return found


def measured(path: Path) -> tuple[Array, Array]:
    """Measured lift [N] at the same points, and with the published study's cosine."""
    with path.open(newline="") as file:
        rows = [(float(row["lift_n"]), float(row["lift_published_form_n"])) for row in csv.DictReader(file)]
    lift, as_published = np.array(rows).T
    return lift, as_published


def rows(full: bool) -> Iterator[Row]:
    """Mean absolute error of the lift over a cycle; in full, PteraSoftware's lattice run beside ours."""
    outline, curve = data_file("flapping/planform.csv"), data_file("flapping/experimental_lift.csv")
    quantity = "mean absolute error of the lift over a cycle, {}"
    if isinstance(outline, str) or isinstance(curve, str):
        why = outline if isinstance(outline, str) else str(curve)
        yield missing("morphing_yeo_lattice", SOURCE, quantity.format("lattice"), why, "N")
        return
    lift, as_published = measured(curve)
    found = lifts(Plate(outline))
    error = {name: float(np.abs(values - lift).mean()) for name, values in found.items()}
    same = float(np.abs(found["lattice"] - as_published).mean())
    text = quantity.format("lattice; the published one has as many panels and steps")
    yield within("morphing_yeo_lattice", SOURCE, text, PTERA, same, 0.05 * PTERA, "N")
    for name in ("lattice that stalls", "lattice at the sensors", "strips that stall"):
        key = "morphing_yeo_" + name.replace(" ", "_")
        best = error[name]
        yield Row(key, SOURCE, quantity.format(name), PTERA, best, "N", "≤ the published lattice's", best <= PTERA)
    if full:
        yield from _beside(outline, lift, error)


def _beside(outline: Path, lift: Array, error: dict[str, float]) -> Iterator[Row]:
    """The same of PteraSoftware, now."""
    key, quantity = "morphing_yeo_beside", "mean absolute error, strips that stall; beside it PteraSoftware's, run live"
    peer = last_line("pterasoftware", str(outline))
    if isinstance(peer, str):
        yield missing(key, SOURCE, quantity, peer, "N")
        return
    theirs = float(np.abs(np.array(peer["lift"]) - lift).mean())
    ours = error["strips that stall"]
    yield Row(key, SOURCE, quantity, theirs, ours, "N", "≤ PteraSoftware's", ours <= theirs)
