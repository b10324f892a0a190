"""Warnings that parts raise once in a run, such as a table left at its end."""

import logging
from collections.abc import Sequence
from typing import Any

from cupola.build.compile import BoundPart
from cupola.kernel.wind_field import AXES, HEAD, MARK
from cupola.parts.part import Part

log = logging.getLogger("cupola")


class Notices:
    """Collects the warnings of parts and logs each sentence once."""

    def __init__(self, parts: Sequence[BoundPart], field: str | None = None) -> None:
        """`field`: the name of the wind field's file."""
        self._field = field
        self._parts = [bound for bound in parts if type(bound.part).notice is not Part.notice]
        self._said: set[tuple[str, str]] = set()
        self._said_of_field = False

    def forget(self) -> None:
        """A new run begins."""
        self._said.clear()
        self._said_of_field = False

    def look(self, arrays: Any, time: float) -> None:
        """Say what is new, as a warning."""
        if self._field and arrays.wind_field[MARK] and not self._said_of_field:
            self._said_of_field = True
            log.warning("before t = %.4g s: %s", time, _beyond(self._field, arrays.wind_field))
        for bound in self._parts:
            key = bound.vehicle, bound.name
            if key not in self._said and (text := bound.part.notice(arrays, bound.row)):
                self._said.add(key)
                log.warning("%s.%s, before t = %.4g s: %s", *key, time, text)


def _beyond(name: str, packed: Any) -> str:
    """What a vehicle has left, and what blows there."""
    first, said = HEAD, []
    for k, (letter, unit) in enumerate(zip(AXES, ("s", "m", "m", "m"), strict=True)):
        count = int(packed[k])
        if int(packed[MARK]) >> k & 1:
            said.append(f"{letter} from {packed[first]:g} to {packed[first + count - 1]:g} {unit}")
        first += count
    return (
        f"a vehicle is beyond the wind field {name} ({', '.join(said)}), where the wind stays as at its end; said once"
    )
