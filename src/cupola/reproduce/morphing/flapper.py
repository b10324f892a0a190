"""The vehicle `flapper` in its wind tunnel: lift over a beat beside the measured one."""

import csv
from collections.abc import Iterator
from typing import Any

import numpy as np

import cupola
from cupola.reproduce.row import Row, at_most, data_file, missing
from cupola.sim.world import World

SOURCE = "Yeo, Atkins and Shyy 2011, flapping wing"
FREQUENCY, BEATS = 3.3, 3
PUBLISHED = 0.0291
"""Mean absolute error of PteraSoftware's lattice [N]."""


def beat() -> tuple[Any, Any, float]:
    """Fractions of the last beat, lift of both wings [N], and the largest error of the flap angle [rad]."""
    world = cupola.load("flapper_tunnel")
    place = world.model.jnt_qposadr[world.model.joint("flapper/left_wing").id]
    rows, off = [], 0.0
    while world.time < BEATS / FREQUENCY:
        before = world.data.qvel.copy()
        world.step()
        # Loads are those of the beginning of the tick, the acceleration its mean: both belong to its middle, nearly.
        rows.append(((world.time - 0.5 * world.dt) * FREQUENCY, lift(world, (world.data.qvel - before) / world.dt)))
        if world.time > 1.0 / FREQUENCY:
            off = max(off, abs(world.data.qpos[place] - stroke_angle(world)))
    time, lifts = np.array(rows).T
    last = time > BEATS - 1
    return time[last] - (BEATS - 1), lifts[last], off


def stroke_angle(world: World) -> float:
    """Flap angle that is asked for now [rad]."""
    p, phase = world.instances[0].runner.controller.values, 2.0 * np.pi * FREQUENCY * world.time
    waves = (p[f"a{n}"] * np.cos(n * phase) + p[f"b{n}"] * np.sin(n * phase) for n in range(1, 5))
    return float(p["mean"] + sum(waves))


def lift(world: World, acceleration: Any) -> float:
    """Upward force of the air on both wings [N], with that of the air which they carry along."""
    total = 0.0
    for name in ("left_wing", "right_wing"):
        wing = world.part(name)
        row, force = wing.row, np.array(wing.outputs.force)
        turn = world.data.site_xmat[row.site].reshape(3, 3)
        axis = world.model.jnt_axis[world.model.body_jntadr[row.body]]
        change = np.concatenate([axis * acceleration[world.model.body_dofadr[row.body]], np.zeros(3)])
        carried = -world.arrays.air_samples[0].density * row.added.reshape(6, 6) @ change
        total += float((turn @ (force + carried[3:]))[2])
    return total


def rows(full: bool) -> Iterator[Row]:
    """Mean absolute error over a beat, and whether the hinges follow their stroke."""
    fraction, lift, off = beat()
    yield at_most("flapper_stroke", SOURCE, "largest error of the flap angle", 0.01, off, "rad")
    path = data_file("flapping/experimental_lift.csv")
    if isinstance(path, str):
        yield missing("flapper_lift", SOURCE, "lift over a beat", path, "N")
        return
    with path.open(newline="") as file:
        table = [(float(line["cycle_fraction"]), float(line["lift_n"])) for line in csv.DictReader(file)]
    at, measured = np.array(table).T
    error = float(np.abs(np.interp(at, fraction, lift, period=1.0) - measured).mean())
    what = "mean absolute error of the lift over a beat, unsteady strips in the loop"
    yield Row("flapper_lift", SOURCE, what, PUBLISHED, error, "N", f"≤ {PUBLISHED}", error <= PUBLISHED)
