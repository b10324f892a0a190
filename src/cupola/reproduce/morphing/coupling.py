"""How an error falls with the step of an exchange with a model from outside: a mass on a rail, pulled by the model.

The spring is a law: its force follows from where the mass is. The follower has a state: it runs after the mass with a
lag and pulls by where it is itself, so what it gives is that at the end of its step: half a step late in, half a step
early out.
"""

import json
import math
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from cupola.config.scenario import Scenario
from cupola.reproduce.row import Row, within
from cupola.sim.world import World

SOURCE = "closed form; Kübler and Schiehlen 2000"
FREQUENCY, LAG = 0.8, 0.25
"""[Hz] of the mass on the spring, [s] of the follower."""
STIFFNESS = (2.0 * math.pi * FREQUENCY) ** 2
RATES = (100, 200)
"""[Hz] of the exchange; the mass itself moves with RK4 at 1000 Hz."""
MODEL = """<mujoco><worldbody><body name="base"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<body name="cart"><joint name="rail" type="slide" axis="1 0 0"/>
<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></worldbody></mujoco>"""
PYTHON = f"""
import math
from cupola import External

class Spring(External):
    def step(self, inputs, time, dt):
        return {{"pull": -{STIFFNESS} * inputs.x}}

class Follower(External):
    _place: float = 1.0

    def reset(self):
        self._place = 1.0

    def step(self, inputs, time, dt):
        self._place = inputs.x + (self._place - inputs.x) * math.exp(-dt / {LAG})
        return {{"pull": -{STIFFNESS} * self._place}}
"""


def rows(full: bool) -> Iterator[Row]:
    """Order of the error, by the word in the entry of the part."""
    for model, coupling, order in (
        ("Spring", "held", 1.0),
        ("Spring", "extrapolated", 2.0),
        ("Follower", "held", 2.0),
    ):
        said = f"order of an exchange, {'a law' if model == 'Spring' else 'a model with a state'}, coupling: {coupling}"
        key = f"morphing_coupling_{model.lower()}_{coupling}"
        yield within(key, SOURCE, said, order, order_of(model, coupling), 0.2)


def order_of(model: str, coupling: str) -> float:
    """Power of the step with which the error falls."""
    coarse, fine = (abs(swing(model, coupling, rate) - exact(model)) for rate in RATES)
    return math.log(coarse / fine) / math.log(RATES[1] / RATES[0])


def swing(model: str, coupling: str, rate_hz: int) -> float:
    """Where the mass is after a second, let go at 1 m [m]."""
    wires = {"inputs": {"joint.rail.position": "x"}, "outputs": {"joint.rail.force": "pull"}}
    part = {"kind": f"models.py:{model}", "rate_hz": rate_hz, "coupling": coupling, **wires}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "model.xml").write_text(MODEL)
        (folder / "models.py").write_text(PYTHON)
        content = {"about": "a rail", "controller": {"use": "pass_through", "rate_hz": 100}, "parts": {"model": part}}
        (folder / "vehicle.yaml").write_text(json.dumps(content))  # JSON is YAML
        scenario = {"vehicles": [{"model": str(folder)}], "floor": None, "gravity": 0.0, "integrator": "RK4"}
        world = World(Scenario.model_validate_json(json.dumps({**scenario, "physics_hz": 1000})), trust=True)
    world.data.qpos[0] = 1.0
    world.restore(world.snapshot())
    world.run(1.0)
    return float(world.data.qpos[0])


def exact(model: str) -> float:
    """The same in closed form."""
    if model == "Spring":
        return math.cos(2.0 * math.pi * FREQUENCY)
    rates = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, -STIFFNESS], [1.0 / LAG, 0.0, -1.0 / LAG]])
    values, vectors = np.linalg.eig(rates)
    begin = np.linalg.solve(vectors, np.array([1.0, 0.0, 1.0]))
    return float((vectors @ (np.exp(values) * begin)).real[0])
