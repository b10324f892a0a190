"""Small motions about a steady flight: x' = A x + B u, y = C x + D u, by differences of the compiled world."""

import importlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cupola.analysis.aircraft import OUTPUTS, STATES, Aircraft, Array, Flight
from cupola.schema.whole_files import whole_file
from cupola.schema.yaml_files import InputError

STEP = 1e-4
"""Of angles, rates and controls, and per m/s of airspeed: truncation 1e-8, rounding 1e-11 of the derivatives."""
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
    state: Flight
    """About which it holds."""
    values: Array
    """Of the inputs there."""

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
            raise InputError("python-control is not installed: `pip install control`, or use the arrays") from None
        names = {"states": list(self.states), "inputs": list(self.inputs), "outputs": list(self.outputs)}
        return control.ss(self.A, self.B, self.C, self.D, **names)

    def save(self, path: Path) -> None:
        """Write the matrices, the names and the point as NumPy arrays."""
        matrices = {name: getattr(self, name) for name in ("A", "B", "C", "D", "states", "inputs", "outputs")}
        try:
            with whole_file(path if path.suffix == ".npz" else path.with_name(f"{path.name}.npz")) as new:
                np.savez(new.file, **matrices, state=np.array(self.state), values=self.values)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from None


def linearize(aircraft: Aircraft, state: Flight, values: Array, forward: float | None = None) -> LinearModel:
    """Central differences with steps of our choice, or forward ones with a step `forward` in every state and control.

    Where a control has no room on one side the difference is taken on the other.
    """
    if forward is not None and not forward > 0.0:
        raise InputError(f"the step of forward differences must be positive, got {forward:g}")
    airspeed = float(np.linalg.norm(state[:3]))
    point = np.array([*state, *values])
    steps = np.full(len(point), forward or STEP)
    if forward is None:
        steps[:3] *= airspeed
        steps[9:12] *= airspeed
    ends = [(-np.inf, np.inf)] * len(state) + [(c.low, c.high) for c in aircraft.controls]
    columns = []
    for i, (low, high) in enumerate(ends):
        up = min(steps[i], high - point[i])
        down = min(steps[i], point[i] - low) if forward is None or up <= 0.0 else 0.0
        above, below = point.copy(), point.copy()
        above[i] += max(up, 0.0)
        below[i] -= max(down, 0.0)
        columns.append((_all(aircraft, above) - _all(aircraft, below)) / (above[i] - below[i]))
    jacobian = np.array(columns).T
    n = len(STATES)
    blocks = (jacobian[:n, :n], jacobian[:n, n:], jacobian[n:, :n], jacobian[n:, n:])
    names = tuple(control.name for control in aircraft.controls)
    return LinearModel(*blocks, STATES, names, OUTPUTS, state, np.array(values))


def _all(aircraft: Aircraft, point: Array) -> Array:
    """Rates and outputs, one after the other."""
    n = len(STATES)
    found = aircraft.derivative(Flight(*point[:n].tolist()), point[n:])
    return np.concatenate(found)
