"""What a wing that changes its span is worth: how far `morphing_uav` flies with a joule, slowly and fast.

Nobody published this plane. What is claimed is that the gain is there and what the closed form says of it: drag is
q (S c_f + f) + W² / (q pi b² e), so a long wing saves at low speed what its area costs at high speed. `envelope`
looks for the best span and sweep.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from cupola.config.scenario import Scenario, find_scenario
from cupola.reproduce.row import Row
from cupola.sim.world import World

SLOW, FAST = 15.0, 25.0
"""[m/s]."""
SPANS = {"in": 0.0, "half": 0.5, "out": 1.0}
SETTLING, MEASURED = 45.0, 5.0
"""[s]."""
SOURCE = "morphing_survey, level flight"


class Cruise(NamedTuple):
    """Steady level flight."""

    speed: float
    """[m/s]."""
    power: float
    """Electrical [W]."""

    @property
    def range(self) -> float:
        """[m/J]."""
        return self.speed / self.power


def cruise(speed: float, span: float, sweep: float = 0.0) -> Cruise:
    """Straight ahead at an airspeed [m/s] with a fixed span and sweep, 0 to 1, until all is steady."""
    scenario, folder = find_scenario("morphing_survey")
    entry = scenario.vehicles[0]
    controller = entry.controller
    assert controller is not None
    ahead = controller.plan[0].model_copy(update={"position": (1e5, 0.0, 60.0), "speed": speed})
    fixed = {**controller.parameters, "morph": 0.0, "fixed_span": span, "fixed_sweep": sweep}
    spec = controller.model_copy(update={"plan": (ahead,), "parameters": fixed})
    flying = entry.model_copy(update={"controller": spec, "velocity_b": (speed, 0.0, 0.0)})
    world = World(Scenario.model_validate({**dict(scenario), "vehicles": (flying,)}), folder)
    motor = world.part("motor")
    world.run(SETTLING)
    powers, start = [], world.motion().pos_w
    for _ in range(int(50 * MEASURED)):
        world.run(0.02)
        powers.append(motor.outputs.power)
    end = world.motion().pos_w
    return Cruise((end.x - start.x) / MEASURED, float(np.mean(powers)))


def rows(full: bool) -> Iterator[Row]:
    """Gain of the right span at each speed, and of changing it over the best span that stays."""
    spans = SPANS if full else {name: SPANS[name] for name in ("in", "out")}
    slow, fast = ({name: cruise(speed, span) for name, span in spans.items()} for speed in (SLOW, FAST))
    yield _gain("morphing_range_slow", "range out / in, 15 m/s", slow["out"].range / slow["in"].range, 1.05)
    yield _gain("morphing_range_fast", "range in / out, 25 m/s", fast["in"].range / fast["out"].range, 1.05)
    joules = {name: 1.0 / slow[name].range + 1.0 / fast[name].range for name in spans}
    morphed = 1.0 / slow["out"].range + 1.0 / fast["in"].range
    what = "range with the right span / best fixed one, half slow, half fast"
    yield _gain("morphing_range_mission", what, min(joules.values()) / morphed, 1.02)


def _gain(key: str, quantity: str, measured: float, bound: float) -> Row:
    return Row(key, SOURCE, quantity, None, measured, "1", f"≥ {bound:g}", measured >= bound)
