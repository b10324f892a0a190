"""A small network of tanh layers, its gradients by hand, and Adam: enough for a reference learner, in NumPy alone."""

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
FLOAT = np.float32


class Network:
    """Layers `tanh(x W + b)`; the last one is straight."""

    def __init__(self, sizes: Sequence[int], last: float, rng: np.random.Generator) -> None:
        """`last` scales the weights of the last layer, others are scaled to keep the spread of what goes through."""
        self.weights: list[Array] = []
        self.biases: list[Array] = []
        for k, (fan_in, fan_out) in enumerate(itertools.pairwise(sizes)):
            drawn = np.linalg.qr(rng.normal(size=(max(fan_in, fan_out), max(fan_in, fan_out))))[0]
            gain = last if k == len(sizes) - 2 else np.sqrt(2.0)
            self.weights.append((gain * drawn[:fan_in, :fan_out]).astype(FLOAT))
            self.biases.append(np.zeros(fan_out, FLOAT))

    @property
    def numbers(self) -> list[Array]:
        """All that is learnt."""
        return [*self.weights, *self.biases]

    def __call__(self, x: Array) -> Array:
        """Its answer for each row."""
        return self.forward(x)[-1]

    def forward(self, x: Array) -> list[Array]:
        """What goes into each layer, and the answer."""
        through = [x]
        for k, (w, b) in enumerate(zip(self.weights, self.biases, strict=True)):
            y = through[-1] @ w + b
            through.append(np.tanh(y) if k < len(self.weights) - 1 else y)
        return through

    def backward(self, through: list[Array], slope: Array) -> list[Array]:
        """Gradients in the order of `numbers`, from the slope of the loss by the answer."""
        by_weight: list[Array] = []
        by_bias: list[Array] = []
        for k in range(len(self.weights) - 1, -1, -1):
            by_weight.insert(0, through[k].T @ slope)
            by_bias.insert(0, slope.sum(axis=0))
            if k:
                slope = (slope @ self.weights[k].T) * (1.0 - through[k] ** 2)
        return [*by_weight, *by_bias]


class Adam:
    """Kingma and Ba, 2015, with the norm of the gradient held below a limit."""

    def __init__(self, numbers: list[Array], largest: float = 0.5) -> None:
        self._numbers, self._largest, self._steps = numbers, largest, 0
        self._first = [np.zeros_like(one) for one in numbers]
        self._second = [np.zeros_like(one) for one in numbers]

    def step(self, gradients: list[Array], rate: float) -> None:
        """Move every number against its gradient."""
        norm = float(np.sqrt(sum(np.sum(np.square(one)) for one in gradients)))
        scale = min(1.0, self._largest / (norm + 1e-8))
        self._steps += 1
        rate *= np.sqrt(1.0 - 0.999**self._steps) / (1.0 - 0.9**self._steps)
        for number, gradient, m, v in zip(self._numbers, gradients, self._first, self._second, strict=True):
            m += 0.1 * (scale * gradient - m)
            v += 0.001 * ((scale * gradient) ** 2 - v)
            number -= (rate * m / (np.sqrt(v) + 1e-8)).astype(number.dtype)
