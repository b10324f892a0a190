"""A bench: sensors of Cepheus under a pan on a block, nothing else, and everything that they say."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cupola.config.vehicle import MODELS, read_vehicle
from cupola.reproduce.scene import world_of
from cupola.sim.world import World

SOURCE = "Desoforos/cepheus_impedance_tsoulias, recordings of 28 March and 11 April 2025"
RATE = 100.0
"""[Hz] of the loop that recorded."""
MODEL = """<mujoco><worldbody><body name="base"><geom size="0.1" mass="1"/><site name="base"/>
  <body name="pan" pos="0 0 -0.2"><geom size="0.05" mass="0.1"/><site name="pan"/></body>
  <body name="dial"><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></worldbody></mujoco>"""
"""The pan is bolted on; a dial that nothing turns is there because a world without a joint has nothing to integrate."""


Array = np.ndarray[Any, np.dtype[np.float64]]


class Bench:
    """As many of one of Cepheus's sensors as wanted, at one place, and what they say."""

    def __init__(self, name: str, copies: Sequence[Mapping[str, float]] = ({},)) -> None:
        """Each with the numbers of the vehicle's file, or others."""
        part = read_vehicle(MODELS / "cepheus" / "vehicle.yaml").parts[name]
        usual = {**part.model_dump(exclude_unset=True), "site": "pan", "delay": 0.0, "dropout": 0.0}
        usual = {key: value for key, value in usual.items() if key in type(part).model_fields}
        parts = {f"sensor_{k}": {**usual, **numbers} for k, numbers in enumerate(copies)}
        scenario = {"physics_hz": int(RATE), "integrator": "RK4", "gravity": 0.0, "seed": 1}
        self.world = world_of(MODEL, {"parts": parts, "controller": {"use": "idle", "rate_hz": 1}}, scenario)
        self._samples = [self.world.samples["vehicle", name] for name in parts]
        self._kept: list[list[Array]] = [[] for _ in parts]
        self.world.observers.append(self)

    def observe(self, world: World) -> None:
        """Take what is new."""
        for samples, kept in zip(self._samples, self._kept, strict=True):
            kept.append(samples.since(sum(map(len, kept))))

    def records(self) -> list[Array]:
        """Of each sensor: the tick of every sample, then its numbers."""
        return [np.concatenate(kept) for kept in self._kept]
