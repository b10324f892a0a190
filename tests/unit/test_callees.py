"""Functions that only compiled code calls are not made runnable by themselves, and do what they did."""

import numpy as np
import pytest
from numba.core.codegen import JITCodeLibrary

from cupola.kernel.jit import jit, reach

TABLE = np.array([2.0, 3.0, 5.0])


def innermost(x):
    return x * TABLE[1]


def middle(x):
    if x < 0.0:
        raise ValueError("below zero by", x)
    return innermost(x) + 0.1


def outermost(x):
    return middle(x) - innermost(0.5 * x)


def test_only_the_outermost_function_becomes_machine_code(monkeypatch):
    made, finish = [], JITCodeLibrary._finalize_specific
    monkeypatch.setattr(
        JITCodeLibrary, "_finalize_specific", lambda library: (made.append(library.name), finish(library))
    )
    compiled = jit(outermost)
    reach(outermost)
    assert compiled(3.0) == outermost(3.0)
    assert [name for name in made if name in ("innermost", "middle", "outermost")] == ["outermost"]


def test_what_a_function_inside_raises_comes_out_with_its_numbers():
    """The numbers travel by what a function needs at run time, which its caller gives it."""
    reach(outermost)
    with pytest.raises(ValueError, match=r"below zero by.*-2\.5"):
        jit(outermost)(-2.5)
