"""Cupola: a simulator for flying, driving, space and bird-like robots.

import cupola

world = cupola.load("square")
world.run(10.0)
print(world.motion().pos_w)
"""

import importlib
import os
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if os.environ.get("PYTHONSAFEPATH") == "cupola":  # a process that a command of ours started
    from cupola.schema.safe_path import ignore_settings

    ignore_settings()

if TYPE_CHECKING:
    from cupola.analysis.equilibrium import equilibrium as equilibrium
    from cupola.analysis.linear import linearize as linearize
    from cupola.analysis.orbit import periodic_orbit as periodic_orbit
    from cupola.config.controller import Controller as Controller
    from cupola.config.controller import parameter as parameter
    from cupola.config.scenario import Scenario as Scenario
    from cupola.config.vehicle import Vehicle as Vehicle
    from cupola.engine.errors import SimulationError as SimulationError
    from cupola.kernel.observation import Observation as Observation
    from cupola.kernel.observation import Reference as Reference
    from cupola.learn.environments import env as env
    from cupola.learn.environments import envs as envs
    from cupola.learn.parallel import parallel_env as parallel_env
    from cupola.many.batch import batch as batch
    from cupola.parts.binding import Arrow as Arrow
    from cupola.parts.external.external import External as External
    from cupola.parts.families import Actuator as Actuator
    from cupola.parts.families import Load as Load
    from cupola.parts.sensors.sensor import Sensor as Sensor
    from cupola.physics.rotation import Vector as Vector
    from cupola.physics.rotation import Wrench as Wrench
    from cupola.record.read import Recording as Recording
    from cupola.record.recorder import Recorder as Recorder
    from cupola.record.stream import RecordingError as RecordingError
    from cupola.record.world_recorder import WorldRecorder as WorldRecorder
    from cupola.schema.yaml_files import InputError as InputError
    from cupola.sim.world import World as World
    from cupola.sim.world import load as load

_HOME = {
    "Actuator": "cupola.parts.families",
    "Arrow": "cupola.parts.binding",
    "Controller": "cupola.config.controller",
    "External": "cupola.parts.external.external",
    "InputError": "cupola.schema.yaml_files",
    "Load": "cupola.parts.families",
    "Observation": "cupola.kernel.observation",
    "Recorder": "cupola.record.recorder",
    "Recording": "cupola.record.read",
    "RecordingError": "cupola.record.stream",
    "Reference": "cupola.kernel.observation",
    "Scenario": "cupola.config.scenario",
    "Sensor": "cupola.parts.sensors.sensor",
    "SimulationError": "cupola.engine.errors",
    "Vector": "cupola.physics.rotation",
    "Vehicle": "cupola.config.vehicle",
    "World": "cupola.sim.world",
    "WorldRecorder": "cupola.record.world_recorder",
    "Wrench": "cupola.physics.rotation",
    "batch": "cupola.many.batch",
    "env": "cupola.learn.environments",
    "envs": "cupola.learn.environments",
    "equilibrium": "cupola.analysis.equilibrium",
    "linearize": "cupola.analysis.linear",
    "load": "cupola.sim.world",
    "parallel_env": "cupola.learn.parallel",
    "parameter": "cupola.config.controller",
    "periodic_orbit": "cupola.analysis.orbit",
}
"""Where each public name is written; the imports above say the same to type checkers."""
__all__ = [
    "Actuator",
    "Arrow",
    "Controller",
    "External",
    "InputError",
    "Load",
    "Observation",
    "Recorder",
    "Recording",
    "RecordingError",
    "Reference",
    "Scenario",
    "Sensor",
    "SimulationError",
    "Vector",
    "Vehicle",
    "World",
    "WorldRecorder",
    "Wrench",
    "batch",
    "env",
    "envs",
    "equilibrium",
    "linearize",
    "load",
    "parallel_env",
    "parameter",
    "periodic_orbit",
]  # written out, because type checkers run nothing; a test compares it with both lists above


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: `import cupola` itself costs nothing."""
    if name not in _HOME:
        raise AttributeError(f"cupola has no {name!r}; it has: {', '.join(__all__)}")
    value = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = value
    return value
