"""Warnings that parts raise once in a run, such as a table left at its end."""

import logging
from collections.abc import Sequence
from typing import Any

from cupola.build.compile import BoundPart
from cupola.parts.part import Part

log = logging.getLogger("cupola")


class Notices:
    """Collects the warnings of parts and logs each sentence once."""

    def __init__(self, parts: Sequence[BoundPart]) -> None:
        self._parts = [bound for bound in parts if type(bound.part).notice is not Part.notice]
        self._said: set[tuple[str, str]] = set()

    def forget(self) -> None:
        """A new run begins."""
        self._said.clear()

    def look(self, arrays: Any, time: float) -> None:
        """Say what is new, as a warning."""
        for bound in self._parts:
            key = bound.vehicle, bound.name
            if key not in self._said and (text := bound.part.notice(arrays, bound.row)):
                self._said.add(key)
                log.warning("%s.%s, before t = %.4g s: %s", *key, time, text)
