"""From the tables `inputs` and `outputs` of a model to rows that the loop reads."""

from collections.abc import Callable, Mapping
from typing import Any

from cupola.parts.external.quantity import SITE, Sink, unit
from cupola.parts.part import Places

Slot = tuple[str, int]
"""A variable of a model, and which of its numbers."""
Pairs = list[tuple[Slot, Any]]
TAP = 4
"""Numbers of a tap in the pool: see `quantity.Tap`."""
SINK = 9
"""Numbers of a sink in the pool: kind, index, body, and the outputs that drive it, six of a wrench; -1 for none."""


def say_slot(slot: Slot) -> str:
    """Its name, with its number if it is not the first."""
    name, k = slot
    return f"{name}[{k}]" if k else name


def all_slots(sizes: Mapping[str, int]) -> list[Slot]:
    """Every number of some variables."""
    return [(name, k) for name, size in sizes.items() for k in range(size)]


def pair(key: str, mapping: Any, sizes: Mapping[str, int] | None, find: Callable[[str], Any]) -> Pairs:
    """Numbers of the model beside those of ours."""
    pairs: Pairs = []
    for quantity, variables in mapping.items():
        names = [variables] if isinstance(variables, str) else variables
        try:
            ours = find(quantity)
            theirs = _theirs(names, sizes, len(ours))
        except ValueError as error:
            raise ValueError(f"{key}: {quantity}: {error}") from None
        if len(theirs) != len(ours):
            raise ValueError(
                f"{key}: {quantity}: it has {len(ours)} numbers, but {', '.join(names)} together {len(theirs)}"
            )
        pairs += zip(theirs, ours, strict=True)
    return pairs


def units_of(mapping: dict[str, Any], places: Places) -> dict[str, str]:
    """Of the variables of a model: those of the quantities that they are mapped to."""
    pairs = [(names if isinstance(names, list) else [names], unit(name, places)) for name, names in mapping.items()]
    return {name: said for names, said in pairs for name in names}


def _theirs(names: list[str], sizes: Mapping[str, int] | None, wanted: int) -> list[Slot]:
    if sizes is None:
        return all_slots({names[0]: wanted}) if len(names) == 1 else [(name, 0) for name in names]
    unknown = [name for name in names if name not in sizes]
    if unknown:
        raise ValueError(f"the model has no such variable {unknown[0]!r}; it has: {', '.join(sizes) or 'none'}")
    return [slot for name in names for slot in all_slots({name: sizes[name]})]


def check_fed(given: list[Slot], fed: list[Slot]) -> None:
    """Each number of the inputs comes from one place."""
    for slot in fed:
        if fed.count(slot) > 1:
            raise ValueError(f"inputs: the variable {say_slot(slot)!r} is fed twice")
    hungry = [say_slot(slot) for slot in given if slot not in fed]
    if hungry:
        raise ValueError(f"inputs: nothing feeds the variable {hungry[0]!r} of the model; it needs {', '.join(hungry)}")


def put(places: Places, numbers: list[Any]) -> int:
    """Append numbers to the pool; returns where they begin."""
    start = len(places.pool)
    places.pool += [float(number) for number in numbers]
    return start


def group_sinks(drives: list[tuple[int, Sink]], places: Places) -> list[float]:
    """Sinks as the loop reads them: the six numbers of a wrench together."""
    found: dict[tuple[int, int], list[float]] = {}
    for source, sink in drives:
        body = places.body_of(sink.place) if sink.kind == SITE else 0
        row = found.setdefault((sink.kind, sink.place), [sink.kind, sink.place, body, *[-1.0] * 6])
        if row[3 + sink.component] >= 0:
            raise ValueError("outputs: the same number is driven twice")
        row[3 + sink.component] = source
    return [number for row in found.values() for number in row]
