"""Routes: velocities held for a time each, in files of rows `duration, vx, vy, wz`.

They become sticks at absolute times, so that no error accumulates, for a controller whose sticks are velocities in SI
units, as those of `mecanum_route`.
"""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from cupola.physics.mecanum import twist_from_view
from cupola.physics.planar import Twist
from cupola.schema.input_files import LARGEST_TABLE, InputError, finite, is_heading, is_there, read_text
from cupola.schema.validation_messages import short

ROUTES = Path(__file__).parents[1] / "scenarios" / "routes"
VIEWS = {"thesis": 0, "body": 1}
"""Axes of a file: x right and y forward, or x forward and y left; see `twist_from_view`."""
HEADING = ["duration", "vx", "vy", "wz"]
"""Of a file in body axes."""


class Leg(NamedTuple):
    """A velocity and its duration [s]."""

    duration: float
    twist: Twist


def shipped_routes() -> list[str]:
    """Names of the routes that come with the package."""
    return sorted(path.stem for path in ROUTES.glob("*.csv"))


def find_route(name: str, folder: Path = Path(), view: str | None = None) -> list[Leg]:
    """A shipped route, or one in a file of one's own, looked up from `folder`; `view` as of `read_route`."""
    path = route_file(name, folder)
    if path.parent == ROUTES and view not in (None, "body"):
        raise InputError(f"the route {name!r} ships in body axes; the view {view!r} would turn it, so leave it out")
    return read_route(path, view)


def route_file(name: str, folder: Path) -> Path:
    """Path of a route file."""
    for path in (folder / name, ROUTES / f"{name}.csv"):
        if is_there(path):
            return path
    raise InputError(f"there is no route {name!r}; shipped are {', '.join(shipped_routes())}, or give a file")


def read_route(path: Path, view: str | None = None) -> list[Leg]:
    """Rows of duration [s], vx, vy [m/s], wz [rad/s], parted by blanks or commas; a heading and empty lines may stand.

    Files of the thesis have the view `thesis`. Without a view, body axes are known by the heading `duration, vx, vy,
    wz` or, without a heading, by commas; of any other file the view must be given: nothing is turned by guess.
    """
    return parse_route(read_text(path, LARGEST_TABLE), str(path), view)


def parse_route(text: str, path: str, view: str | None = None) -> list[Leg]:
    """The rows of a route in a text."""
    if view is not None and view not in VIEWS:
        raise InputError(f"there is no view {view!r}; there are: {', '.join(VIEWS)}")
    lines = text.splitlines()
    cells = [(number, line.replace(",", " ").split()) for number, line in enumerate(lines, 1)]
    found = [(number, row) for number, row in cells if row]
    heading = found[0][1] if found and is_heading(found[0][1]) else None
    rows = found[heading is not None :]
    if not rows:
        raise InputError(f"{path}: holds no legs; write: duration, vx, vy, wz")
    legs = [_leg(path, number, row, VIEWS[view or "body"]) for number, row in rows]
    plain = all("," in lines[number - 1] for number, _ in rows) if heading is None else False
    if view is None and not plain and [word.lower() for word in heading or ()] != HEADING:
        raise InputError(
            f"{path}: its axes are not known; say --view (in a scenario `view:`) body, for vx forward and vy left, "
            f"or thesis, for vx right and vy forward; or give rows in body axes the heading {','.join(HEADING)}"
        )
    return legs


def _leg(path: str, number: int, row: list[str], view: int) -> Leg:
    found = [value for cell in row if (value := finite(cell)) is not None]
    if not len(row) == len(found) == 4:
        given = short(" ".join(row))
        raise InputError(f"{path}:{number}: expected duration, vx, vy, wz as finite numbers, got {given}")
    duration, x, y, rate = found
    if duration < 0:
        raise InputError(f"{path}:{number}: a duration must be at least 0, got {duration:g}")
    return Leg(duration, twist_from_view(Twist(x, y, rate), view))


def route_sticks(legs: Iterable[Leg], start: float = 0.0) -> list[tuple[float, list[float]]]:
    """Rows for `World.script`: each leg at its absolute time [s], and zeros when all are driven."""
    durations: list[float] = [start]
    rows = []
    for leg in legs:
        rows.append((math.fsum(durations), list(leg.twist)))
        durations.append(leg.duration)
    return [*rows, (math.fsum(durations), [0.0, 0.0, 0.0])]


def route_end(legs: Iterable[Leg]) -> float:
    """Its duration [s]."""
    return math.fsum(leg.duration for leg in legs)
