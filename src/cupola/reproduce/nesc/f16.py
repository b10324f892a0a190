"""The F-16 of the NESC check cases, made of its DAVE-ML files alone: trimmed flight, steps of height and of course.

The files are read from the data folder; commands are those of the cases 11, 13p1 and 13p3. Beside the rows of the cases
stand rows that show why some lie outside the tools' spread: the same flights by the formulas of one of the tools, or
from its density and the residual of its trim.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from cupola.reproduce.nesc import two_step
from cupola.reproduce.nesc.columns import Table, columns, joined
from cupola.reproduce.nesc.f16_start import FEET, SIM_05, STANDARD, Facts, f16_world, trimmed
from cupola.reproduce.nesc.scoring import ANGLES, POSITIONS, SOURCE, VELOCITIES, envelope_rows
from cupola.reproduce.row import Row, data_file, missing

NAMES = (*POSITIONS, *VELOCITIES, *ANGLES)


class Flight(NamedTuple):
    """One case: how long, whether the autopilot flies, and what it is told later."""

    case: str
    seconds: int
    physics_hz: int
    """The law runs at each step: its sampling must not show beside tools that run at 100 Hz and more."""
    autopilot: float
    at: float = 0.0
    told: tuple[str, float] | None = None


TWO_STEP = ("_two_step", " by the formulas of sim_05")
AS_SIM_05 = ("_as_sim_05", " from sim_05's density and trim")

FLIGHTS = (
    Flight("11", 180, 100, 0.0),
    Flight("13p1", 20, 2000, 1.0, 5.0, ("altCmd", FEET + 100.0)),
    Flight("13p3", 30, 2000, 1.0, 15.0, ("baseChiCmd", 60.0)),
)


def rows(full: bool) -> Iterator[Row]:
    """Excess over the spread of the tools, and what explains it; half a minute, so only in the full table."""
    if not full:
        return
    found = data_file("nesc/f16/F16_aero.dml")
    for flight in FLIGHTS:
        if isinstance(found, str):
            for name in NAMES:
                yield missing(f"nesc_{flight.case}_{name}", SOURCE.format(flight.case), name, found)
        else:
            yield from envelope_rows(flight.case, fly(flight, found.parent), NAMES)
            if flight.told:
                yield from envelope_rows(flight.case, in_two_steps(flight, found.parent), NAMES, way=TWO_STEP)
            else:
                yield from envelope_rows(flight.case, fly(flight, found.parent, SIM_05), NAMES, way=AS_SIM_05)


def in_two_steps(flight: Flight, files: Path) -> Table:
    """The same with the formulas of sim_05."""
    assert flight.told
    world = f16_world(files, flight.autopilot, trimmed(files))
    return two_step.fly(world, flight.seconds, (flight.at, f"f16.law.{flight.told[0]}", flight.told[1]))


def fly(flight: Flight, files: Path, facts: Facts = STANDARD) -> Table:
    """Our answer in the columns of the tools' files, every 0.1 s."""
    world = f16_world(files, flight.autopilot, trimmed(files, facts), flight.physics_hz, facts)
    table = [columns(world)]
    for k in range(10 * flight.seconds):
        if flight.told and k == round(10 * flight.at):
            world.tune(f"f16.law.{flight.told[0]}", flight.told[1])
        world.step(flight.physics_hz // 10)
        table.append(columns(world))
    return joined(table)
