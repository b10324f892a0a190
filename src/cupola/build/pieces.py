"""The parts of a vehicle as they are bound: the pieces of those that have several, and what a kind has in common."""

from cupola.config.resolved_vehicle import ResolvedVehicle
from cupola.parts.part import Part
from cupola.schema.input_files import InputError


def pieces_of(resolved: list[ResolvedVehicle], wakes: bool) -> list[dict[str, Part]]:
    """All pieces of each vehicle. With wakes, what parts have in common they have with those of other vehicles, too."""
    every = [_pieces(one) for one in resolved]
    if wakes:
        common = _in_common_of_all(resolved, every)
    else:
        common = [_in_common(one, pieces) for one, pieces in zip(resolved, every, strict=True)]
    return [pieces | more for pieces, more in zip(every, common, strict=True)]


def _pieces(one: ResolvedVehicle) -> dict[str, Part]:
    """The pieces of its own parts."""
    found = [piece for name, part in one.vehicle.parts.items() for piece in part.pieces(name).items()]
    names = [name for name, _ in found]
    if twice := next((name for name in names if names.count(name) > 1), ""):
        raise InputError(f"{one.path}: parts.{twice}: a piece of another part has this name; give it another one")
    return dict(found)


def _in_common(one: ResolvedVehicle, pieces: dict[str, Part], whose: str = "one vehicle") -> dict[str, Part]:
    """What parts of one kind have in common in this vehicle."""
    try:
        kinds = dict.fromkeys(type(part) for part in pieces.values())
        return {name: part for kind in kinds for name, part in kind.shared(pieces, whose).items()}
    except ValueError as error:
        raise InputError(f"{one.path}: parts: {error}") from None


def _in_common_of_all(resolved: list[ResolvedVehicle], every: list[dict[str, Part]]) -> list[dict[str, Part]]:
    """What parts of one kind have in common in all vehicles: the last vehicle that has some of it holds it."""
    having = [index for index, one in enumerate(resolved) if _in_common(one, every[index])]
    made: list[dict[str, Part]] = [{} for _ in resolved]
    if having:
        whole = {f"{resolved[k].name}.{name}": part for k in having for name, part in every[k].items()}
        made[having[-1]] = _in_common(resolved[having[-1]], whole, "all vehicles in a world with wakes")
    return made
