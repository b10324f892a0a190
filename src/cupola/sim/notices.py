"""Warnings that are raised once in a run: a table left at its end, a floor that no longer follows the planet.

And what a world takes from the Earth although its planet is another one.
"""

import logging
import math
from collections.abc import Sequence
from typing import Any

from cupola.build.compile import BoundPart
from cupola.build.mujoco_warnings import counted
from cupola.config.scenario import Scenario
from cupola.engine.adapters import asked_when_measuring
from cupola.kernel.planet import height_of
from cupola.kernel.wind_field import AXES, HEAD, MARK
from cupola.parts.part import Part
from cupola.physics.planet import SPHERE
from cupola.physics.rotation import Vector

log = logging.getLogger("cupola")
NEAR = 3000.0
"""Within this distance of the origin the floor is the ground of a planet like the Earth to less than a metre [m]."""
APART = 1.0
"""Largest distance of the floor from the ground without a warning [m]."""

MAGNETIC = "field_s"
"""What the kernel of a sensor asks for that feels the magnetic field."""
LIKE_THE_EARTH = 0.01
"""Fraction by which radius and gravity may differ from the Earth's without a warning about its air."""


def taken_from_the_earth(scenario: Scenario, parts: Sequence[BoundPart]) -> str | None:
    """Data of the Earth that a scenario on another planet still uses."""
    given, air = scenario.origin.planet, scenario.air
    if given is None:
        return None
    sizes = given.semi_major / SPHERE.semi_major, given.mu / SPHERE.mu
    if all(abs(size - 1.0) < LIKE_THE_EARTH for size in sizes):
        return None
    kept = []
    if not air.space and air.density is None:
        kept.append("the air is the Earth's Standard Atmosphere (air.space: true for none, air.density for another)")
    magnetic = any(MAGNETIC in asked_when_measuring(bound.group.kind, bound.group.variant) for bound in parts)
    if magnetic and scenario.origin.magnetic_field is None:
        kept.append("the magnetic field is the Earth's (origin.magnetic_field)")
    return f"another planet, but {' and '.join(kept)}" if kept else None


class Notices:
    """Collects the warnings of parts and logs each sentence once."""

    def __init__(
        self, parts: Sequence[BoundPart], field: str | None = None, over_floor: Sequence[tuple[str, int]] = ()
    ) -> None:
        """`field`: the name of the wind field's file; `over_floor`: vehicles over a floor on a round planet, roots."""
        self._field, self._over_floor = field, over_floor
        self._parts = [bound for bound in parts if type(bound.part).notice is not Part.notice]
        self._said: set[tuple[str, str]] = set()
        self._said_of_field = False

    def forget(self) -> None:
        """A new run begins."""
        self._said.clear()
        self._said_of_field = False

    def look(self, arrays: Any, data: Any, time: float) -> None:
        """Log new warnings; `data` is MuJoCo's."""
        for kind, words in counted(data):
            if ("MuJoCo", str(kind)) not in self._said:
                self._said.add(("MuJoCo", str(kind)))
                log.warning("before t = %.4g s: MuJoCo: %s; said once", time, words)
        if self._field and arrays.wind_field[MARK] and not self._said_of_field:
            self._said_of_field = True
            log.warning("before t = %.4g s: %s", time, _beyond(self._field, arrays.wind_field))
        for name, root in self._over_floor:
            if (name, "") not in self._said and (text := _off_the_plane(arrays, root)):
                self._said.add((name, ""))
                log.warning("%s, before t = %.4g s: %s", name, time, text)
        for bound in self._parts:
            key = bound.vehicle, bound.name
            if key not in self._said and (text := bound.part.notice(arrays, bound.row)):
                self._said.add(key)
                log.warning("%s.%s, before t = %.4g s: %s", *key, time, text)


def _off_the_plane(arrays: Any, root: int) -> str | None:
    """Warnings about a flat floor far from the origin."""
    x, y, z = arrays.xpos[root].tolist()
    away = math.hypot(x, y)
    if away < NEAR:
        return None
    above = float(height_of(arrays.as_records(), Vector(x, y, z))) - z
    if abs(above) < APART:
        return None
    return (
        f"{away / 1000.0:.3g} km from the origin the floor, a plane, lies {above:.3g} m above the planet's ground: "
        "what touches it or measures distances to it no longer holds; air, gravity and other sensors do; said once"
    )


def _beyond(name: str, packed: Any) -> str:
    """Warning that a vehicle has left the wind field, with the wind there."""
    first, said = HEAD, []
    for k, (letter, unit) in enumerate(zip(AXES, ("s", "m", "m", "m"), strict=True)):
        count = int(packed[k])
        if int(packed[MARK]) >> k & 1:
            said.append(f"{letter} from {packed[first]:g} to {packed[first + count - 1]:g} {unit}")
        first += count
    return (
        f"a vehicle is beyond the wind field {name} ({', '.join(said)}), where the wind stays as at its end; said once"
    )
