"""Half a second of real flight predicted by our vehicle `crazyflie`, beside two floors and beside published models.

Each of the six flights is left out in turn: the numbers that predict it were fitted on the other five
(`crazyflie_fit.FOLDS`). Every model gets the same windows from `cupola.analysis.real_flight`, and is corrected alike by
the torque that it was seen to miss before each of them.
"""

from collections.abc import Iterator
from pathlib import Path

from cupola.analysis.flight_replay import fly
from cupola.analysis.missed_torque import corrected, with_missed_torque
from cupola.analysis.real_flight import Errors, cut, judge, read_flight, score
from cupola.reproduce.nanobench import crazyflie_fit
from cupola.reproduce.nanobench.peers import fly_crazyflow, fly_rotorpy, rotorpy_is_here, rotorpy_name
from cupola.reproduce.nanobench.real_flights import FLIGHTS, others, path_of
from cupola.reproduce.row import Row, missing
from cupola.schema.input_files import InputError

SOURCE = "NanoBench, arXiv 2603.09908, {}"
QUANTITIES = {
    "position": ("position after 0.5 s", "m"),
    "path": ("position over 0.5 s", "m"),
    "velocity": ("velocity after 0.5 s", "m/s"),
    "attitude": ("attitude after 0.5 s", "deg"),
    "rate": ("rate after 0.5 s", "rad/s"),
}
FLOORS = {"floor": "no model", "fair": "thrust is weight"}
PEERS = {"rotorpy": "RotorPy", "crazyflow": "Crazyflow"}
ATTITUDE = 1.05
"""Share of a floor's attitude error that ours may have on one flight; their mean must lie below 1."""
FEW = 5
"""Published models get every fifth window, and so do we beside them: RotorPy needs a fifth of a second for one."""


def rows(full: bool) -> Iterator[Row]:
    """Five errors of each flight against two floors; in full, against published models too, and the fits again."""
    shares = []
    for name in FLIGHTS:
        path = path_of(name)
        if isinstance(path, str):
            yield from _without(name, path, full)
            continue
        world, motors = crazyflie_fit.fitted_world(crazyflie_fit.FOLDS[name])
        windows = cut(read_flight(path, *FLIGHTS[name][1:]), motors)
        found = fly(world, windows)
        scores = score(windows, {}) | {"ours": judge(corrected(windows, found), windows.flown)}
        shares.append(scores["ours"].attitude / scores["no model"].attitude)
        yield from beside_floors(name, scores)
        if full:
            few = windows.every(FEW)
            ours = judge(corrected(few, found.every(FEW)), few.flown)
            theirs = judge(corrected(few, fly_rotorpy(few)), few.flown) if rotorpy_is_here() else None
            version = rotorpy_name() if theirs else "RotorPy is not installed: pip install rotorpy"
            yield from beside_peer(name, "rotorpy", ours, theirs, version)
            answer = fly_crazyflow(few, motors)
            other = None if isinstance(answer, str) else judge(corrected(few, answer[1]), few.flown)
            yield from beside_peer(name, "crazyflow", ours, other, answer if isinstance(answer, str) else answer[0])
    yield mean_attitude(shares)
    for path in others():
        yield from of_another(path)
    if full:
        yield from crazyflie_fit.rows()


def of_another(path: Path) -> Iterator[Row]:
    """Rows of a flight that is none of the six, predicted with the numbers that were fitted on those."""
    world, motors = crazyflie_fit.fitted_world(crazyflie_fit.ALL)
    try:
        windows = cut(read_flight(path), motors)
    except InputError as error:
        for key, source, (what, unit), _ in _titles(path.stem):
            yield missing(key, source, f"error of the {what}", str(error), unit)
        return
    yield from beside_floors(path.stem, score(windows, {"ours": with_missed_torque(lambda one: fly(world, one))}))


def beside_floors(name: str, scores: dict[str, Errors]) -> Iterator[Row]:
    """Rows of one flight: our errors against those of no model, and of a thrust that is the weight."""
    for key, source, (what, unit), field in _titles(name):
        mine = getattr(scores["ours"], field)
        for ending, says in FLOORS.items():
            floor = getattr(scores[says], field)
            most = ATTITUDE * floor if field == "attitude" else floor
            quantity = f"error of the {what}; {says}"
            yield Row(f"{key}_{ending}", source, quantity, floor, mine, unit, f"< {most:.4g}", mine < most)


def beside_peer(name: str, ending: str, ours: Errors, theirs: Errors | None, told: str) -> Iterator[Row]:
    """Rows of one flight: our errors against a published model's; `told` is its version or why it is not here."""
    for key, source, (what, unit), field in _titles(name):
        key, quantity = f"{key}_{ending}", f"error of the {what}; {PEERS[ending]}"
        if theirs is None:
            yield missing(key, source, quantity, told, unit)
            continue
        figure, mine = getattr(theirs, field), getattr(ours, field)
        yield Row(key, source, quantity, figure, mine, unit, f"< {told}, run now", mine < figure)


def mean_attitude(shares: list[float]) -> Row:
    """The row of all flights together."""
    titles = "nanobench_mean_attitude", SOURCE.format("all flights"), "mean of our attitude errors by the floors'"
    if len(shares) < len(FLIGHTS):
        return missing(*titles, f"{len(shares)} of {len(FLIGHTS)} flights are here")
    mean = sum(shares) / len(shares)
    return Row(*titles, 1.0, mean, "1", "< 1", mean < 1.0)


def _without(name: str, why: str, full: bool) -> Iterator[Row]:
    for key, source, (what, unit), _ in _titles(name):
        for ending, says in {**FLOORS, **(PEERS if full else {})}.items():
            yield missing(f"{key}_{ending}", source, f"error of the {what}; {says}", why, unit)


def _titles(name: str) -> Iterator[tuple[str, str, tuple[str, str], str]]:
    for field, titles in QUANTITIES.items():
        yield (
            f"nanobench_{name}_{field}",
            SOURCE.format(FLIGHTS[name][0].removesuffix(".csv") if name in FLIGHTS else name),
            titles,
            field,
        )
