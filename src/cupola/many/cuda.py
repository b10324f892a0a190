"""The back-end `cuda`: the same flight as `fused`, one thread of a GPU for each world, its state in registers.

Needs `numba-cuda` and a GPU. Random words are drawn in 32 bits, the same bits as everywhere; in float32 they become
numbers of 32 bits, so that noise has the same statistics and not the same last digits. Of whole numbers, ticks and
faults, the processor keeps a copy that it renews when it is asked: a flight sends back four bytes.
"""

import ast
import functools
import inspect
import math
import re
from pathlib import Path
from typing import Any

import numpy as np

from cupola import xmath
from cupola.config.scenario import Scenario
from cupola.engine.inlined import Inliner
from cupola.many.batch import Array
from cupola.many.flight_code import identity
from cupola.many.flight_template import INSTEAD, Flight
from cupola.many.flight_text import Writer
from cupola.many.fused import FusedBatch
from cupola.many.kept_kernel import kept_kernel
from cupola.physics import noise
from cupola.schema.libraries import library
from cupola.schema.trust import Trust
from cupola.schema.yaml_files import InputError

THREADS = 128
"""Per block."""
WORD_OPERATIONS = {ast.Add: "add", ast.Sub: "sub", ast.BitXor: "xor", ast.BitOr: "or_", ast.BitAnd: "and_"}
WORD_OPERATIONS |= {ast.LShift: "shl", ast.RShift: "lshr"}
"""Operators on words, and the instruction of 32 bits for each."""
ALL_WORLDS = """
def run(S, K, I, faults, count):
    i = cuda.grid(1)
    if i < S.shape[1] and I[2, i] == 0:
        one(S, K, I, i, count)
        if I[2, i] != 0:
            cuda.atomic.add(faults, 0, 1)
"""
WRITTEN = {
    "atan2": "def atan2(y, x):\n    return math.atan2(y, x)\n",
    "power": "def power(x, y):\n    return math.pow(x, y)\n",
    "minimum": "def minimum(a, b):\n    return a if a < b else b\n",
    "maximum": "def maximum(a, b):\n    return a if a > b else b\n",
    "where": "def where(c, a, b):\n    return a if c else b\n",
    "both": "def both(a, b):\n    return a and b\n",
    "take": "def take(t, i):\n    return t[i]\n",
    "interval": (
        "def interval(breaks, x):\n    last, i = len(breaks) - 2, 0\n"
        "    while i < last and x >= breaks[i + 1]:\n        i += 1\n    return i\n"
    ),
}
"""Of `xmath` what has no function of one argument in `math`."""
RENAMED = {"index": "index_", "count": "count_"}
"""Fields that numba-cuda would take for the methods of a tuple."""
UNARY = ("sin", "cos", "tan", "asin", "acos", "atan", "exp", "expm1", "log", "sqrt", "tanh", "floor")


def make(
    scenario: str | Path | Scenario,
    n: int,
    numbers: dict[str, Any],
    *,
    seeds: Any = None,
    trust: bool | Trust = False,
    precision: str = "float32",
    measured: bool = False,
) -> "CudaBatch":
    """Worlds of a scenario on the GPU; `measured` keeps what its measures need."""
    check_gpu()
    return CudaBatch(scenario, n, numbers, seeds, trust, precision, None, measured)


def check_gpu() -> None:
    """Refuse a machine without one."""
    if not cuda_module().is_available():
        raise InputError("cuda: there is no GPU that numba-cuda can use here; the back-end fused flies the same worlds")


def cuda_module() -> Any:
    """`numba.cuda` of the package numba-cuda."""
    return library("numba.cuda", "cuda: the package numba-cuda is not installed: pip install 'cupola[cuda]'")


def flight_kernel(flight: Flight, floats: Any, cuda: Any) -> Any:
    """The kernel of all worlds, kept on disk once it is compiled; all that it calls is compiled with it."""

    def wrap(function: Any) -> Any:
        return cuda.jit(device=True, forceinline=True, fastmath=floats is np.float32)(function)

    replaced = device_functions(wrap, cuda)
    text = re.sub(r"\blocal_(\d+)\(\)", r"cuda.local.array(\1, FLOAT)", flight.text)
    space = {**flight.names, "cuda": cuda, "FLOAT": floats, "__name__": "cupola.many.flight"}
    exec(compile(text, "<flight>", "exec"), space)
    inliner = Inliner(floats, wrap, replaced, RENAMED)
    inliner.replace(INSTEAD)
    names = {"cuda": cuda, "one": inliner.copy(space["one"])}
    said, files = identity(flight, flight_kernel)
    return kept_kernel(f"gpu_{np.dtype(floats)}_{said}", f"# {said}{ALL_WORLDS}", names, files, cuda)


def device_functions(wrap: Any, cuda: Any) -> dict[Any, Any]:
    """What stands on a GPU for functions of `xmath` and for those on random words, wrapped."""
    replaced: dict[Any, Any] = {}
    for name in UNARY:
        space: dict[str, Any] = {"math": math}
        exec(f"def {name}(x):\n    return math.{name}(x)\n", space)
        replaced[getattr(xmath, name)] = wrap(space[name])
    for name, text in WRITTEN.items():
        space = {"math": math}
        exec(text, space)
        replaced[getattr(xmath, name)] = wrap(space[name])
    for function in (noise._mix, noise._inject, noise.threefry):
        replaced[function] = wrap(in_words(function, replaced, cuda))
    return replaced


class _Words(ast.NodeTransformer):
    """Every operator becomes a call of the instruction of 32 bits."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        called = ast.Name(f"word_{WORD_OPERATIONS[type(node.op)]}", ast.Load())
        return ast.copy_location(ast.Call(called, [node.left, node.right], []), node)


def in_words(function: Any, replaced: dict[Any, Any], cuda: Any) -> Any:
    """A function on random words with its own text, its operators in 32 bits: Numba widens them to 64."""
    tree = _Words().visit(ast.parse(inspect.getsource(function)))
    space = {name: replaced.get(value, value) for name, value in vars(noise).items() if _hashable(value)}
    space |= {f"word_{name}": word_operation(name) for name in WORD_OPERATIONS.values()}
    exec(compile(ast.fix_missing_locations(tree), f"<{function.__name__}>", "exec"), space)
    return space[function.__name__]


def _hashable(value: Any) -> bool:
    return type(value).__hash__ is not None


@functools.cache
def word_operation(name: str) -> Any:
    """An instruction on two words of 32 bits, for compiled code."""
    from numba.core import types
    from numba.cuda.extending import intrinsic

    @intrinsic
    def operation(typing_context, a, b):  # type: ignore[no-untyped-def]
        def generate(context, builder, signature, args):  # type: ignore[no-untyped-def]
            words = [context.cast(builder, x, t, types.uint32) for x, t in zip(args, signature.args, strict=True)]
            return getattr(builder, name)(*words)

        return types.uint32(a, b), generate

    return operation


class CudaBatch(FusedBatch):
    """Worlds as columns of arrays in the memory of the GPU: `array` has `__cuda_array_interface__`."""

    writer = Writer
    _stale = False

    def _compile(self) -> None:
        self._cuda = cuda_module()
        self._kernel = flight_kernel(self.flight, self._floats, self._cuda)
        self.array, self._device_own = self._cuda.to_device(self.array), self._cuda.to_device(self._own)
        self._device_whole = self._cuda.to_device(self._whole)
        self._faults = self._cuda.to_device(np.zeros(1, np.int32))

    @property
    def memory_per_world(self) -> float:
        """[bytes] on the GPU."""
        held = self.array, self._device_own, self._device_whole
        return float(sum(array.nbytes for array in held)) / self.n

    @property
    def _whole(self) -> Array:
        """Ticks, seeds and faults, as the GPU has them."""
        if self._stale:
            self._device_whole.copy_to_host(self._kept_whole)
            self._stale = False
        return self._kept_whole

    @_whole.setter
    def _whole(self, values: Array) -> None:
        self._kept_whole, self._stale = values, False

    def in_place(self) -> tuple[Any, Any]:
        """State and whole numbers in the memory of the GPU."""
        self._stale = True  # whoever asks may write
        return self.array, self._device_whole

    def _fly(self, count: int) -> None:
        blocks = -(-self.n // THREADS)
        self._kernel[blocks, THREADS](self.array, self._device_own, self._device_whole, self._faults, count)
        self._stale = True

    def _find_stopped(self) -> None:
        if self._faults.copy_to_host()[0]:  # waits for the flight
            self._faults.copy_to_device(np.zeros(1, np.int32))
            super()._find_stopped()

    def _put(self, values: dict[str, Any], which: Array) -> None:
        for name, value in values.items():
            row = self.array[self.rows[name]]
            now = row.copy_to_host()
            now[which] = value
            row.copy_to_device(now)

    def _put_whole(self, which: Array) -> None:
        super()._put_whole(which)
        self._device_whole.copy_to_device(self._whole)

    def _renumber(self) -> None:
        super()._renumber()
        self._device_own.copy_to_device(self._own)

    def _host(self) -> Array:
        return np.asarray(self.array.copy_to_host())

    def _back(self, state: Array, whole_numbers: Array) -> None:
        self._whole[:] = whole_numbers
        self.array.copy_to_device(state)
        self._device_whole.copy_to_device(self._whole)

    def columns(self, names: Any) -> Array:
        """Numbers of the state by the names of `rows`: a row for each world."""
        return np.stack([self.array[self.rows[name]].copy_to_host() for name in names], axis=1)
