"""Runs of a world that are over: every start from the beginning makes one, kept to be compared with the next."""

from typing import NamedTuple

from cupola.cockpit.flown import FlightData
from cupola.cockpit.messages import MeasureInfo, RunInfo
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

MOST = 8
"""Runs that are kept; then the oldest is dropped. One is some megabytes."""
SHORTEST = 0.5
"""[s]: what is reset before is no run."""


class Run(NamedTuple):
    """One of them."""

    info: RunInfo
    flight: FlightData


class Runs:
    """The last runs of one world."""

    def __init__(self, world: World) -> None:
        self._loaded = {name: value for name, (_, value) in world.parameters.items()}
        """Numbers as the world was loaded."""
        self._kept: list[Run] = []
        self._count = 0

    @property
    def infos(self) -> list[RunInfo]:
        """Of all, the oldest first."""
        return [run.info for run in self._kept]

    def keep(self, world: World, end: float, flight: FlightData) -> None:
        """A run has come to its end [s]."""
        self._count += 1
        info = RunInfo(number=self._count, end=end, tuned=self._tuned(world))
        self._kept = [*self._kept[-MOST + 1 :], Run(info, flight)]

    def flight(self, number: int) -> FlightData:
        """A run by its number."""
        for run in self._kept:
            if run.info.number == number:
                return run.flight
        kept = ", ".join(str(info.number) for info in self.infos) or "none"
        raise InputError(f"there is no run {number} any more; kept: {kept}")

    def _tuned(self, world: World) -> list[str]:
        now = {name: value for name, (_, value) in world.parameters.items()}
        return [f"{name} {now[name]:g}" for name, value in self._loaded.items() if name in now and now[name] != value]


def measured(world: World) -> list[MeasureInfo]:
    """The figures that the scenario names, of the run so far."""
    return [MeasureInfo(name=name, value=one.value, unit=one.unit) for name, one in world.measures().items()]
