"""A vehicle whose parts come to rest by themselves: its coordinates alone are its states."""

from collections.abc import Sequence

import numpy as np

from cupola.analysis.dynamics import Dynamics
from cupola.analysis.system import Array, Derivative, System


class Settled(System):
    """The same with coordinates alone: what the parts remember is where it comes to rest, as far as they say how."""

    def __init__(self, whole: Dynamics) -> None:
        self.whole, self.name, self.controls = whole, whole.name, whole.controls
        self.count: int = len(whole.states) - len(whole.inner)
        self.states = whole.states[: self.count]
        self.outputs = (*self.states, *whole.outputs[len(whole.states) :])

    def derivative(self, state: Sequence[float] | Array, inputs: Array) -> Derivative:
        """Derivatives of the coordinates."""
        return self.whole.settled_rates(np.asarray(state, np.float64), inputs)

    def everything(self, state: Array, inputs: Array) -> Array:
        """All states there: what the parts remember has come to rest."""
        self.derivative(state, inputs)
        self.whole.rest_here()
        return np.concatenate([state, self.whole.present()[0][self.count :]])
