"""Small motions about an operating point: x' = A x + B u, y = C x + D u, by differences of the compiled world."""

from collections.abc import Sequence

import numpy as np

from cupola.analysis.linear_model import LinearModel, units_of
from cupola.analysis.operating_point import OperatingPoint
from cupola.analysis.orbit import PeriodicOrbit
from cupola.analysis.system import Array, System
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

LEAST_STEP = 1e-12
"""Of forward differences: a smaller one is lost in the rounding of what it is added to."""
LONGITUDINAL, LATERAL = ("u", "w", "q", "theta", "h"), ("v", "p", "r", "phi", "psi")


def linearize(
    about: OperatingPoint | PeriodicOrbit | System,
    state: Sequence[float] | Array | None = None,
    values: Array | None = None,
    forward: float | None = None,
) -> LinearModel:
    """The linear model at an operating point, of a periodic orbit from beat to beat, or of a system at a state.

    Central differences with steps of our choice, or forward ones with a step `forward` in every state and control.
    """
    if forward is not None and not forward > 0.0:
        raise InputError(f"the step of forward differences must be positive, got {forward:g}")
    if forward is not None and not LEAST_STEP <= forward <= 1.0:
        raise InputError(f"the step of forward differences must lie between {LEAST_STEP:g} and 1, got {forward:g}")
    if isinstance(about, OperatingPoint):
        with about.system.asked():
            about.open()
            return _model(about.system, about.state, about.inputs, forward)
    if isinstance(about, PeriodicOrbit):
        if forward is not None:
            raise InputError("the linear model of a periodic orbit has central differences; leave `forward` out")
        return about.model
    if isinstance(about, World):
        raise InputError("linearize needs an operating point: cupola.linearize(cupola.equilibrium(world, hold=...))")
    if state is None or values is None:
        raise InputError("a system is linearised at a state and inputs; an operating point has both")
    return _model(about, state, values, forward)


def _model(system: System, state: Sequence[float] | Array, values: Array, forward: float | None) -> LinearModel:
    found = system.jacobian(np.asarray(state, np.float64), np.asarray(values, np.float64), forward)
    states, outputs = (tuple(one.name for one in group) for group in (system.states, system.outputs))
    inputs = tuple(one.name for one in system.controls)
    return LinearModel(*found, states, inputs, outputs, state, np.array(values), units_of(system))
