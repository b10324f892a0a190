"""Cupola: a simulator for flying, driving, space and bird-like robots.

import cupola

world = cupola.load("square")
world.run(10.0)
print(world.motion().pos_w)
"""

import importlib
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Actuator": "cupola.parts.families",
    "Arrow": "cupola.parts.binding",
    "Controller": "cupola.config.controller",
    "External": "cupola.parts.external.external",
    "InputError": "cupola.schema.yaml_files",
    "Load": "cupola.parts.families",
    "Recorder": "cupola.record.recorder",
    "Scenario": "cupola.config.scenario",
    "Sensor": "cupola.parts.sensors.sensor",
    "SimulationError": "cupola.engine.errors",
    "Vector": "cupola.physics.rotation",
    "Vehicle": "cupola.config.vehicle",
    "World": "cupola.sim.world",
    "Wrench": "cupola.physics.rotation",
    "load": "cupola.sim.world",
    "parameter": "cupola.config.controller",
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `import cupola` itself costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"cupola has no {name!r}; it has: {', '.join(__all__)}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value
