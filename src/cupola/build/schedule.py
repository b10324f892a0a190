"""Which kernels a world calls in each stage, and in which order.

Kinds say what they give and take by type, never by another kind's name. Among the actuators, who feeds a part acts
before it, and so does who gives what another wants fresh; beyond that the declared number decides.
"""

import inspect
from collections.abc import Iterable
from typing import Any, NamedTuple, get_type_hints

from cupola.engine.adapters import kernel_of
from cupola.parts.part import Part
from cupola.schema.yaml_files import InputError


class Group(NamedTuple):
    """Parts that share rows and compiled kernels: a kind, and which of its variants."""

    kind: type[Part]
    variant: str


class Step(NamedTuple):
    """One kernel of a group in a stage."""

    group: Group
    kernel: str


def steps_of(stage: str, groups: Iterable[Group], listened: set[Group]) -> list[Step]:
    """The kernels of a stage in their order."""
    names = ("demand", "actuate") if stage == "actuate" else (stage,)
    steps = [Step(g, name) for g in groups for name in names if kernel_of(g.kind, name, g.variant) is not None]
    if stage == "publish":
        steps = [step for step in steps if step.group in listened]
    return _sorted(steps) if stage == "actuate" else sorted(steps, key=priority)


def priority(step: Step) -> int:
    """The declared number of a kernel."""
    kind = step.group.kind
    return kind.demand_order if step.kernel == "demand" else kind.order


def _sorted(steps: list[Step]) -> list[Step]:
    """Topological order; among the kinds that are ready, the lowest declared number first."""
    before = {step: {other for other in steps if other is not step and _precedes(other, step)} for step in steps}
    done: list[Step] = []
    while len(done) < len(steps):
        ready = [step for step in steps if step not in done and before[step] <= set(done)]
        if not ready:
            rest = " · ".join(sorted({s.group.kind.__name__ for s in steps if s not in done}))
            raise InputError(f"these kinds of parts wait for each other in a circle: {rest}")
        done.append(min(ready, key=priority))
    return done


def _precedes(first: Step, then: Step) -> bool:
    """Whether one kernel must run before another."""
    a, b = first.group.kind, then.group.kind
    if first.group == then.group:
        return first.kernel == "demand" and then.kernel == "actuate"
    if then.kernel != "actuate":
        return False
    feeds = {type_ for type_, _ in a.feeds.values()} if _answers(first) & set(a.feeds) else set()
    if feeds & set(b.collects.values()):
        return True
    kernel: Any = kernel_of(b, "actuate", then.group.variant)
    wants = [b.takes[name] for name in inspect.signature(kernel).parameters if name in b.takes]
    return first.kernel == "actuate" and any(take.fresh and take.type is a.gives for take in wants)


def _answers(step: Step) -> set[str]:
    """Names of the fields of a kernel's answer."""
    kernel: Any = kernel_of(step.group.kind, step.kernel, step.group.variant)
    return set(getattr(get_type_hints(kernel).get("return"), "_fields", ()))
