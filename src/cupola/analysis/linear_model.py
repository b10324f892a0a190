"""A linear model: matrices with names of rows and columns."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from cupola.analysis.system import Array, System
from cupola.schema.libraries import library
from cupola.schema.whole_files import whole_file
from cupola.schema.yaml_files import InputError


class LinearModel(NamedTuple):
    """Jacobians with names of rows and columns."""

    A: Array
    B: Array
    C: Array
    D: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    state: Sequence[float] | Array
    """States at the operating point."""
    values: Array
    """Inputs at the operating point."""
    units: Mapping[str, str] = MappingProxyType({})
    """Of states, inputs and outputs, by name."""
    step: float | None = None
    """[s] from beat to beat, x[k+1] = A x[k] + B u[k], of a motion that repeats itself; None: x' = A x + B u."""

    def part(self, states: tuple[str, ...], inputs: tuple[str, ...] | None = None) -> "LinearModel":
        """The model of some states and inputs; all others are held constant."""
        if self.step is not None:
            raise InputError("states that go from beat to beat cannot be held within one: use the whole model")
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
        control = library(
            "control", "python-control is not installed: `pip install cupola[control]`, or use the arrays"
        )
        groups = {"states": self.states, "inputs": self.inputs, "outputs": self.outputs}
        names = {key: [name.replace(".", "_") for name in group] for key, group in groups.items()}  # it allows no dots
        return control.ss(self.A, self.B, self.C, self.D, *([] if self.step is None else [self.step]), **names)

    def save(self, path: Path) -> None:
        """Write the matrices, the names and the point as NumPy arrays."""
        if path.name in ("", ".."):
            raise InputError(f"{path}: is a folder, expected a file for the matrices")
        matrices = {name: getattr(self, name) for name in ("A", "B", "C", "D", "states", "inputs", "outputs")}
        try:
            with whole_file(path if path.suffix == ".npz" else path.with_name(f"{path.name}.npz")) as new:
                np.savez(new.file, **matrices, state=np.array(self.state), values=self.values)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from None


def units_of(system: System) -> dict[str, str]:
    """Units of states, inputs and outputs, by name."""
    found = {one.name: one.unit for one in (*system.outputs, *system.states)}
    return found | {one.name: one.unit for one in system.controls}
