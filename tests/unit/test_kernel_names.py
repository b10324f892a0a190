"""Compiled code is linked by name, also code that two processes put on the disk: no two kernels share one."""

import ast
from collections import Counter

from cupola.engine.adapters import Unit, _prepared
from cupola.parts import KINDS
from cupola.parts.part import STAGE_KERNELS


def kernels(kind):
    """Stage and variant of every kernel: `load` and `electric` of `load_electric`."""
    for name in dir(kind):
        for stage in STAGE_KERNELS:
            rest = name.removeprefix(stage)
            if rest != name and (not rest or rest.startswith("_")) and callable(getattr(kind, name)):
                yield stage, rest.removeprefix("_")


def test_every_kernel_has_names_of_its_own():
    found = Counter()
    for kind in {cls.group() for cls in KINDS.values()}:
        written = set(kernels(kind))
        variants = {variant for _, variant in written} - ({""} if kind.derived else set())
        for stage in {stage for stage, _ in written}:
            own = {variant for one, variant in written if one == stage}
            for variant in variants if "" in own else own:
                name, text, *_ = _prepared(Unit(kind, stage, variant))
                defined = {node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}
                found.update((defined - {"run"}) | {name})
    assert found.total() > 100
    assert [name for name, count in found.items() if count > 1] == []
