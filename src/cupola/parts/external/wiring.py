"""From the tables `inputs` and `outputs` of a model to rows that the loop reads."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from cupola.parts.binding import BindContext, row_type
from cupola.parts.external.quantity import SITE, ModelInput, ModelOutput, unit

Slot = tuple[str, int]
"""A variable of a model, and which of its numbers."""
Pairs = list[tuple[Slot, Any]]


class Driven(NamedTuple):
    """A site, joint or actuator that a model drives; of what drives it: which output of the model, -1 for none."""

    kind: float
    place: float
    """Number of the site, joint velocity or actuator."""
    body: float
    """That carries the site."""
    first: float = -1.0
    """Drives a joint or an actuator; of a wrench, its force along x."""
    force_y: float = -1.0
    force_z: float = -1.0
    torque_x: float = -1.0
    torque_y: float = -1.0
    torque_z: float = -1.0


SOURCES = Driven._fields[3:]
"""Fields that name outputs of the model."""
MODEL_INPUT, DRIVEN = row_type(ModelInput), row_type(Driven)
"""Both as they lie among the constants."""


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


def units_of(mapping: dict[str, Any], places: BindContext) -> dict[str, str]:
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


def put(places: BindContext, numbers: list[Any]) -> int:
    """Append numbers to the constants; returns where they begin."""
    start = len(places.constants)
    places.constants += [float(number) for number in numbers]
    return start


def group_outputs(drives: list[tuple[int, ModelOutput]], places: BindContext) -> list[Driven]:
    """What is driven, as the loop reads it: the six numbers of a wrench together."""
    found: dict[tuple[int, int], Driven] = {}
    for source, sink in drives:
        body = places.body_of(sink.place) if sink.kind == SITE else 0
        row = found.get((sink.kind, sink.place), Driven(sink.kind, sink.place, body))
        name = SOURCES[sink.component]
        if getattr(row, name) >= 0:
            raise ValueError("outputs: the same number is driven twice")
        found[sink.kind, sink.place] = row._replace(**{name: float(source)})
    return list(found.values())
