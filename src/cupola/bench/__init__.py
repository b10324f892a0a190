"""How fast and how exact, measured on this machine in one run, with the bar each figure must meet."""

from collections.abc import Callable, Iterable
from typing import Any

from cupola.bench import (
    accuracy,
    batch,
    beside,
    cockpit,
    driving,
    external,
    recording,
    sensing,
    space,
    speed,
    start,
    tables,
    wing_theories,
    wings,
)
from cupola.bench.result import Result

CASES: tuple[Callable[[], Iterable[Result]], ...] = (
    speed.cases,
    tables.cases,
    sensing.cases,
    recording.cases,
    driving.cases,
    external.cases,
    space.cases,
    wings.cases,
    wing_theories.cases,
    cockpit.cases,
    start.cases,
    accuracy.cases,
)


def run(peers: bool = False, progress: Callable[[str], None] | None = None, many: bool = False) -> list[dict[str, Any]]:
    """All cases; with `peers`, other simulators too; with `many`, those of many worlds instead.

    `progress` is told each case as it is done.
    """
    table = []
    for cases in (batch.cases,) if many else (*CASES, beside.cases) if peers else CASES:
        for result in cases():
            table.append(result.as_dict())
            if progress:
                progress(result.case)
    return table


__all__ = ["run"]
