"""How much the measures of a scenario change when the step of the physics is halved.

Both runs see the same noise: samples of sensors are numbered, and gusts and turbulence are drawn at the ticks of the
coarser run and held in between. What is left is the error of the step, or a mission that decides otherwise.
"""

import math
from pathlib import Path
from typing import NamedTuple

from cupola.config.scenario import Scenario
from cupola.sim.world import World

BAR = 0.02
"""Largest relative change of a measure."""


HAND_FLOWN, FIRST = 600.0, 20.0
"""[s] A scenario that lasts longer is one to fly by hand, without an end of its own: its beginning is compared."""


class Change(NamedTuple):
    """Of one measure."""

    measure: str
    unit: str
    coarse: float | None
    fine: float | None
    """None: it has no value."""

    @property
    def share(self) -> float:
        """Relative to the larger of the two; infinite if only one has a value."""
        if self.coarse is None or self.fine is None:
            return 0.0 if self.coarse is self.fine else math.inf
        largest = max(abs(self.coarse), abs(self.fine))
        return abs(self.coarse - self.fine) / largest if largest else 0.0


def halved(scenario: Scenario) -> Scenario:
    """The scenario at half the step, with the gusts of the whole one; it records as often."""
    record = scenario.record.model_copy(update={"rate_hz": scenario.record_hz})
    update = {"physics_hz": 2 * scenario.physics_hz, "draws_hz": scenario.draws_hz or scenario.physics_hz}
    return scenario.model_copy(update={**update, "record": record})


def compared(scenario: Scenario) -> float:
    """How much of a scenario is run [s]."""
    return FIRST if scenario.duration > HAND_FLOWN else scenario.duration


def converge(scenario: Scenario, folder: Path, name: str, source: str) -> list[Change]:
    """Run a scenario at its step and at half of it."""
    found = []
    for one in (scenario, halved(scenario)):
        world = World(one, folder, name=name, source=source)
        world.run(compared(scenario))
        found.append(world.measures())
    coarse, fine = found
    return [Change(key, one.unit, _number(one.value), _number(fine[key].value)) for key, one in coarse.items()]


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else float(value)
