"""Summary of a flight: distance, height, speed and tilt of each vehicle, from the rows of the log."""

from typing import Any, NamedTuple

import numpy as np

from cupola.kernel.array_groups import log_columns
from cupola.kernel.rows import OBSERVATION
from cupola.sim.signal_rows import NewRows
from cupola.sim.world import World

DEEP = 20.0
"""[m] below z = 0: no vehicle of ours goes there but by falling."""


class Figures(NamedTuple):
    """One vehicle's flight."""

    distance: float
    """[m] along its path."""
    highest: float
    """[m] above z = 0."""
    top_speed: float
    """[m/s]."""
    largest_tilt: float
    """[rad] between its z axis and the vertical."""
    end: tuple[float, float, float]
    """[m], world."""
    fell: bool = False
    """Whether it fell below the world: then this was no flight."""


class Summing:
    """An observer that keeps the figures of all vehicles, at the recording rate."""

    def __init__(self, world: World) -> None:
        self._new = NewRows()
        count = len(world.instances)
        self._last: Any = _stacked(world.arrays.observations, "x", "y", "z")
        self._distance = np.zeros(count)
        self._highest = np.full(count, -np.inf)
        self._speed = np.zeros(count)
        self._tilt = np.zeros(count)
        self.observe(world)

    def observe(self, world: World) -> None:
        """Add the rows since the last call."""
        seen = self._new_rows(world)
        now = np.asarray(world.arrays.observations)[None]
        places = np.concatenate([self._last[None], *(_stacked(rows, "x", "y", "z") for rows in (seen, now))])
        self._distance += np.linalg.norm(np.diff(places, axis=0), axis=2).sum(axis=0)
        self._last = places[-1].copy()
        if not len(seen):
            return
        self._highest = np.maximum(self._highest, seen["z"].max(axis=0))
        speed = np.linalg.norm(_stacked(seen, "vx", "vy", "vz"), axis=2)
        self._speed = np.maximum(self._speed, speed.max(axis=0))
        upright = 1.0 - 2.0 * (seen["qx"] ** 2 + seen["qy"] ** 2)  # z of the body's z axis, from the quaternion
        self._tilt = np.maximum(self._tilt, np.arccos(np.clip(upright, -1.0, 1.0)).max(axis=0))

    def of(self, index: int) -> Figures:
        """Figures of one vehicle."""
        x, y, z = self._last[index].tolist()
        table = np.array([self._distance, self._highest, self._speed, self._tilt])
        distance, highest, speed, tilt = table[:, index].tolist()
        return Figures(distance, highest, speed, tilt, (x, y, z), bool(z < highest - DEEP and z < -DEEP))

    def _new_rows(self, world: World) -> np.ndarray[Any, Any]:
        """What was seen at each new row of the log: (rows, vehicles), by name."""
        rows = self._new.of(world)[:, log_columns(world.arrays)["observations"]]
        return np.ascontiguousarray(rows).view(OBSERVATION).reshape(-1, len(world.instances))


def _stacked(rows: Any, *names: str) -> np.ndarray[Any, Any]:
    """Some columns of rows, side by side."""
    return np.stack([rows[name] for name in names], axis=-1)
