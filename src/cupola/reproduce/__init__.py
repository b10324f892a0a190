"""Every published figure we claim, beside ours: each row is measured by the code that flies, none is written down.

A group is one module or a few; a row that needs a data file reads it from the folder in `CUPOLA_DATA`.
"""

from collections.abc import Callable, Iterable
from typing import Any

from cupola.files import InputError
from cupola.reproduce import (
    cepheus,
    cepheus_momentum,
    cepheus_sensors,
    last_letter_motors,
    last_letter_vehicles,
    last_letter_wings,
    mavsim,
    mavsim_linear,
    morphing_cessna,
    morphing_flapper,
    morphing_lattice,
    morphing_liftdrag,
    morphing_range,
    morphing_strips,
    morphing_theory,
    morphing_yeo,
    nanobench,
    nesc,
    omni,
    omni_detail,
    omni_inertial,
    omni_room,
    omni_square,
    rigid_body,
    standard_atmosphere,
)
from cupola.reproduce.row import Row

GROUPS: dict[str, tuple[Callable[[bool], Iterable[Row]], ...]] = {
    "last_letter": (last_letter_wings.rows, last_letter_motors.rows, last_letter_vehicles.rows),
    "atmosphere": (standard_atmosphere.rows,),
    "rigid_body": (rigid_body.rows,),
    "mavsim": (mavsim.rows, mavsim_linear.rows),
    "nesc": (nesc.rows,),
    "nanobench": (nanobench.rows,),
    "morphing": (
        morphing_liftdrag.rows,
        morphing_cessna.rows,
        morphing_theory.rows,
        morphing_strips.rows,
        morphing_lattice.rows,
        morphing_yeo.rows,
        morphing_flapper.rows,
        morphing_range.rows,
    ),
    "omni": (omni_square.rows, omni.rows, omni_inertial.rows, omni_detail.rows, omni_room.rows),
    "cepheus": (cepheus.rows, cepheus_momentum.rows, cepheus_sensors.rows),
}
"""Rows of each group; the argument says whether to run the long studies too."""


def run(names: list[str], full: bool = False, progress: Callable[[str], None] | None = None) -> list[dict[str, Any]]:
    """Rows of the named groups, of all when none is named. `progress` is told the id of each row as it is done."""
    unknown = [name for name in names if name not in GROUPS]
    if unknown:
        raise InputError(f"there is no group {', '.join(map(repr, unknown))} to reproduce; known: {', '.join(GROUPS)}")
    table = []
    for name in names or GROUPS:
        for rows in GROUPS[name]:
            for row in rows(full):
                table.append(row.as_dict())
                if progress:
                    progress(row.id)
    return table


__all__ = ["GROUPS", "run"]
