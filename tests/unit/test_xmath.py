"""Every name of xmath means the same for floats, NumPy, JAX and compiled code."""

import inspect
import math
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from cupola import xmath
from cupola.kernel.jit import jit

jax.config.update("jax_enable_x64", True)

BREAKS = np.array([0.0, 1.0, 2.5, 4.0])
CASES: dict[str, Any] = {
    "sin": (math.sin, [(-2.0,), (0.0,), (3.0,)]),
    "cos": (math.cos, [(-2.0,), (0.0,), (3.0,)]),
    "tan": (math.tan, [(-1.0,), (0.3,)]),
    "asin": (math.asin, [(-1.0,), (0.3,)]),
    "acos": (math.acos, [(-1.0,), (0.3,)]),
    "atan": (math.atan, [(-1.0,), (30.0,)]),
    "exp": (math.exp, [(-700.0,), (2.0,)]),
    "expm1": (math.expm1, [(-1e-9,), (2.0,)]),
    "log": (math.log, [(1e-9,), (2.0,)]),
    "sqrt": (math.sqrt, [(0.0,), (2.0,)]),
    "tanh": (math.tanh, [(-30.0,), (0.2,)]),
    "floor": (math.floor, [(-1.5,), (2.0,), (2.9,)]),
    "atan2": (math.atan2, [(1.0, -1.0), (0.0, 1.0), (-2.0, 0.0)]),
    "power": (math.pow, [(2.0, 0.5), (0.3, -1.2), (0.0, 2.0)]),
    "minimum": (min, [(1.0, 2.0), (2.0, -1.0)]),
    "maximum": (max, [(1.0, 2.0), (2.0, -1.0)]),
    "clip": (lambda x, low, high: min(max(x, low), high), [(5.0, 0.0, 1.0), (-5.0, 0.0, 1.0), (0.5, 0.0, 1.0)]),
    "absolute": (abs, [(-2.0,), (0.0,), (3.0,)]),
}
COMPARED_APART = {"where", "both", "take", "interval"}


def test_every_public_function_is_compared():
    public = {n for n, f in inspect.getmembers(xmath, inspect.isfunction) if f.__module__ == "cupola.xmath"}
    assert {n for n in public if not n.startswith("_")} == CASES.keys() | COMPARED_APART


@pytest.mark.parametrize("name", CASES)
def test_four_ways(name):
    function, (expected, cases) = getattr(xmath, name), CASES[name]
    wanted = np.array([expected(*c) for c in cases], dtype=float)
    columns = [np.array(column) for column in zip(*cases, strict=True)]

    @jit
    def compiled(*args):
        return function(*args)

    for got in (
        [function(*c) for c in cases],
        [function(*map(np.float64, c)) for c in cases],
        [compiled(*c) for c in cases],
        function(*columns),
        jax.jit(function)(*map(jnp.asarray, columns)),
    ):
        np.testing.assert_allclose(np.asarray(got, dtype=float), wanted, rtol=1e-14)


def choose(x, y):
    return xmath.where(xmath.both(x > 0.0, y > 0.0), x, -y)


def look_up(x):
    return xmath.take(BREAKS, xmath.interval(BREAKS, x))


@pytest.mark.parametrize(
    ("function", "cases", "wanted"),
    [
        (choose, [(1.0, 2.0), (-1.0, 2.0), (1.0, -2.0)], [1.0, -2.0, 2.0]),
        (look_up, [(-9.0,), (0.0,), (0.9,), (1.0,), (3.0,), (4.0,), (99.0,)], [0.0, 0.0, 0.0, 1.0, 2.5, 2.5, 2.5]),
    ],
    ids=["where and both", "interval and take"],
)
def test_conditions_and_tables_four_ways(function, cases, wanted):
    columns = [np.array(column) for column in zip(*cases, strict=True)]
    compiled = jit(function)
    assert [function(*c) for c in cases] == wanted
    assert [compiled(*c) for c in cases] == wanted
    np.testing.assert_array_equal(function(*columns), wanted)
    np.testing.assert_array_equal(jax.jit(function)(*columns), wanted)


def test_tables_may_be_plain_lists():
    table = BREAKS.tolist()
    assert xmath.interval(table, 1.7) == 1
    assert xmath.take(table, 2) == 2.5
    np.testing.assert_array_equal(xmath.take(table, np.array([0, 3])), [0.0, 4.0])


def test_a_numpy_parameter_does_not_pull_a_tracer_into_numpy():
    got = jax.jit(lambda x: xmath.maximum(np.float64(2.0), xmath.atan2(np.float64(1.0), x)))(jnp.array([0.0, 1.0]))
    np.testing.assert_allclose(got, 2.0)
