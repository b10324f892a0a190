"""Small motions about an operating point: x' = A x + B u, y = C x + D u, by differences of the compiled world."""

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from cupola.analysis.equilibrium import OperatingPoint
from cupola.analysis.system import Array, System
from cupola.schema.whole_files import whole_file
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

LONGITUDINAL, LATERAL = ("u", "w", "q", "theta", "h"), ("v", "p", "r", "phi", "psi")


class LinearModel(NamedTuple):
    """Jacobians and what their rows and columns are."""

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state: Sequence[float] | Array
    """About which it holds."""
    values: Array
    """Of the inputs there."""
    units: Mapping[str, str] = MappingProxyType({})
    """Of states, inputs and outputs, by name."""

    def part(self, states: tuple[str, ...], inputs: tuple[str, ...] | None = None) -> "LinearModel":
        """The model of some states and inputs; all others are held."""
        rows = [self.states.index(name) for name in states]
        columns = range(len(self.inputs)) if inputs is None else [self.inputs.index(name) for name in inputs]
        across = list(columns)
        return self._replace(
            A=self.A[np.ix_(rows, rows)],
            B=self.B[np.ix_(rows, across)],
            C=self.C[:, rows],
            D=self.D[:, across],
            states=states,
            inputs=tuple(self.inputs[i] for i in across),
            values=self.values[across],
        )

    def to_python_control(self) -> Any:
        """The same as a `control.ss` of python-control, with names."""
        try:
            control = importlib.import_module("control")
        except ImportError:
            raise InputError(
                "python-control is not installed: `pip install cupola[control]`, or use the arrays"
            ) from None
        groups = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        names = {key: [name.replace(".", "_") for name in group] for key, group in groups.items()}  # it allows no dots
        return control.ss(self.A, self.B, self.C, self.D, **names)

    def save(self, path: Path) -> None:
        """Write the matrices, the names and the point as NumPy arrays."""
        matrices = {name: getattr(self, name) for name in ("A", "B", "C", "D", "states", "inputs", "outputs")}
        try:
            with whole_file(path if path.suffix == ".npz" else path.with_name(f"{path.name}.npz")) as new:
                np.savez(new.file, **matrices, state=np.array(self.state), values=self.values)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from None


def linearize(
    about: OperatingPoint | System,
    state: Sequence[float] | Array | None = None,
    values: Array | None = None,
    forward: float | None = None,
) -> LinearModel:
    """The linear model at an operating point, or of a system at a state and inputs.

    Central differences with steps of our choice, or forward ones with a step `forward` in every state and control.
    """
    if forward is not None and not forward > 0.0:
        raise InputError(f"the step of forward differences must be positive, got {forward:g}")
    if isinstance(about, OperatingPoint):
        with about.system.asked():
            about.open()
            return _model(about.system, about.state, about.inputs, forward)
    if isinstance(about, World):
        raise InputError("linearize needs an operating point: cupola.linearize(cupola.equilibrium(world, hold=...))")
    if state is None or values is None:
        raise InputError("a system is linearised at a state and inputs; an operating point has both")
    return _model(about, state, values, forward)


def _model(system: System, state: Sequence[float] | Array, values: Array, forward: float | None) -> LinearModel:
    found = system.jacobian(np.asarray(state, np.float64), np.asarray(values, np.float64), forward)
    states, outputs = (tuple(one.name for one in group) for group in (system.states, system.outputs))
    inputs = tuple(one.name for one in system.controls)
    units = {one.name: one.unit for one in (*system.outputs, *system.states)}
    units |= {one.name: one.unit for one in system.controls}
    return LinearModel(*found, states, inputs, outputs, state, np.array(values), units)
