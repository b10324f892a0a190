"""Failures of parts and sensors while a world runs: declared as data, seeded, and reversible.

A fault lies in the row of its part, so the loop pays nothing for parts that are whole.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from cupola.build.compile import BoundPart
from cupola.engine.sampling import LOSS_LANE
from cupola.parts.part import Part
from cupola.parts.sensors.sensor import Sensor
from cupola.physics.noise import uniform
from cupola.schema.yaml_files import InputError

OF_SAMPLES = ("stuck", "loss")
"""stuck: a sensor repeats its last sample; loss: a fraction of the samples never arrives."""
STICKS = "sticks"
"""Pseudo part of a vehicle: the link to the pilot's sticks."""


class Failure(NamedTuple):
    """A possible failure."""

    part: str
    """vehicle.part, or vehicle.sticks."""
    kind: str
    """off, stuck or loss."""
    amount: float
    """0: healthy, 1: failed; in between, for `loss`: the fraction that is lost."""


class Failures:
    """All failures of one world and their present amounts."""

    def __init__(self, parts: Iterable[BoundPart], vehicles: Iterable[str]) -> None:
        self._amounts: dict[tuple[str, str], float] = {}
        for vehicle in vehicles:
            self._amounts[f"{vehicle}.{STICKS}", "loss"] = 0.0
        for bound in parts:
            _check_declared(bound)
            self._amounts |= {(bound.full_name, kind): 0.0 for kind in bound.part.failures}

    def listed(self) -> list[Failure]:
        """Every possible failure with its present amount."""
        return [Failure(part, kind, amount) for (part, kind), amount in self._amounts.items()]

    def check(self, part: str, kind: str, amount: float) -> None:
        """Raise an InputError if the part has no such failure."""
        kinds = [k for p, k in self._amounts if p == part]
        if not kinds:
            known = ", ".join(dict.fromkeys(p for p, _ in self._amounts)) or "nothing"
            raise InputError(f"there is no {part!r} that could fail; there are: {known}")
        if kind not in kinds:
            raise InputError(f"{part} knows no fault {kind!r}; it knows: {', '.join(kinds)}")
        if not 0.0 <= amount <= 1.0 or (kind != "loss" and amount not in (0.0, 1.0)):
            allowed = "between 0 and 1" if kind == "loss" else "0 (whole) or 1 (broken)"
            raise InputError(f"{part}.{kind} must be {allowed}, got {amount:g}")

    def put(self, part: str, kind: str, amount: float) -> None:
        """Set a failure, or clear it with amount 0; the part's row must be written again."""
        self.check(part, kind, amount)
        self._amounts[part, kind] = float(amount)

    def mend(self) -> list[str]:
        """Clear all failures; returns the parts that had one."""
        broken = [part for (part, _), amount in self._amounts.items() if amount]
        self._amounts = dict.fromkeys(self._amounts, 0.0)
        return broken

    def mark(self, bound: BoundPart, row: Any) -> None:
        """Put the failures of a part into its row; those of samples are the same for all sensors."""
        failed = [kind for kind in bound.part.failures if self._amounts.get((bound.full_name, kind), 0.0)]
        bound.part._failed = frozenset(failed)
        for failure in failed:
            if not (isinstance(bound.part, Sensor) and failure in OF_SAMPLES):
                bound.part.fail(row, failure)

    def mark_samples(self, bound: BoundPart, row: Any) -> None:
        """Put the failures of a sensor's samples into the row of its ring."""
        if isinstance(bound.part, Sensor):
            row["stuck"] = self._amounts.get((bound.full_name, "stuck"), 0.0) > 0.0
            row["loss"] = max(self._amounts.get((bound.full_name, "loss"), 0.0), bound.part.own_loss())

    def lose_sticks(self, vehicle: str, seed: int, stream: int, tick: int) -> bool:
        """Whether an update of the sticks at this tick is lost."""
        share = self._amounts[f"{vehicle}.{STICKS}", "loss"]
        return share > 0.0 and bool(uniform(seed, stream, tick, LOSS_LANE) < share)

    def memory(self) -> dict[tuple[str, str], float]:
        """Present failures."""
        return {key: amount for key, amount in self._amounts.items() if amount}

    def remember(self, memory: dict[tuple[str, str], float]) -> None:
        """Go back to what `memory` returned; all rows must be written again."""
        self._amounts = {key: memory.get(key, 0.0) for key in self._amounts}


def _known_to_all(part: Part) -> tuple[str, ...]:
    """Failures that need no code of a kind."""
    return OF_SAMPLES if isinstance(part, Sensor) else ("off",)


def _check_declared(bound: BoundPart) -> None:
    """Refuse a failure that would do nothing."""
    part, kind = bound.part, type(bound.part).__name__
    stepped, writes = part.runs_in_python() and not part.plain, type(part).fail is not Part.fail
    if stepped and writes:
        raise InputError(f"{kind}: step() cannot see what fail() writes: let it ask whether a name is in self.failed")
    own = [failure for failure in part.failures if failure not in _known_to_all(part)]
    if own and not stepped and not writes:
        raise InputError(
            f"{kind}: declares the failure {own[0]!r}, but has no fail(), which would write it into its row"
        )
