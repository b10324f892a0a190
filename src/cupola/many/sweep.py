"""Runs a study by some workers and keeps what is done: a file for each portion of runs, so that a kill loses little."""

import functools
import hashlib
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from cupola.config.scenario import Scenario, find_scenario
from cupola.engine.errors import SimulationError
from cupola.many import spread
from cupola.many.batch import batch
from cupola.many.study import Study
from cupola.many.workers import Found, Row, Workers
from cupola.schema.input_files import boundary
from cupola.schema.libraries import library
from cupola.schema.whole_files import whole_file
from cupola.schema.yaml_files import InputError
from cupola.sim.world import World

PORTION = 8
"""Runs of one file: what a kill may lose of each process."""
WORLDS = 1024
"""The same, of a batch."""
RESULTS = "results.parquet"
STOPPED = "stopped"
"""Folder for the last states of runs that a fault has ended."""


def sweep(
    study: Study,
    folder: Path,
    source: Path,
    workers: Workers,
    progress: Callable[[int, int], None] | None = None,
    backend: str | None = None,
) -> Path:
    """Run what is not yet done, into a folder; returns the file with a row for each run.

    With a `backend` the runs of a portion are worlds of one batch, in numbers of 64 bits. Only this process writes:
    what a worker did that was lost on the way is done again by another, and counts once.
    """
    scenario, home = scenario_of(study, source)
    if not scenario.measures:
        raise InputError(f"{study.scenario}: it has no measures; write some under `measures:`, they are the results")
    if taken := sorted({"run", "seed", "stopped", *study.numbers} & set(scenario.measures)):
        raise InputError(
            f"{study.scenario}: {', '.join(taken)}: a measure needs another name, this is a column already"
        )
    parquet = parquet_files()
    runs = study.runs()
    total = len(runs["seed"])
    size = WORLDS if backend else PORTION
    said = (f"{backend} " if backend else "") + json.dumps(
        [study.model_dump(mode="json"), scenario.model_dump(mode="json")], sort_keys=True
    )
    parts = folder / f"runs_{hashlib.sha256(said.encode()).hexdigest()[:12]}"
    parts.mkdir(parents=True, exist_ok=True)
    first = list(range(0, total, size))
    todo = [k for k in first if not _part(parts, k).is_file()]
    done = sum(min(size, total - k) for k in first if k not in todo)
    if progress:
        progress(done, total)
    portions = {
        k: [{name: float(values[i]) for name, values in runs.items()} for i in range(k, min(k + size, total))]
        for k in todo
    }
    job = functools.partial(_portion, study, scenario, home)
    if backend:
        job = functools.partial(_batch, study, _named(study, source), backend)
    for k, found in workers(job, portions):
        for name, content in found.files.items():
            with whole_file(folder / STOPPED / name) as new:
                new.file.write(content)
        _write(parquet, found.rows, _part(parts, k))
        done += len(found.rows)
        if progress:
            progress(done, total)
    tables = [read_results(_part(parts, k)) for k in first]
    whole = _concatenated(tables)
    with whole_file(folder / RESULTS) as new:
        parquet.write_table(whole, new.file)
    return folder / RESULTS


def scenario_of(study: Study, source: Path) -> tuple[Scenario, Path]:
    """The scenario of a study: a file beside it, or as anywhere else."""
    beside = source.parent / study.scenario
    return find_scenario(str(beside) if beside.is_file() else study.scenario)


def _part(folder: Path, first: int) -> Path:
    return folder / f"from_{first:08d}.parquet"


def _write(parquet: Any, rows: list[Row], path: Path) -> None:
    import pyarrow

    with whole_file(path) as new:
        parquet.write_table(pyarrow.Table.from_pylist(rows), new.file)


def _concatenated(tables: list[Any]) -> Any:
    import pyarrow

    return pyarrow.concat_tables(tables, promote_options="permissive")


def parquet_files() -> Any:
    """The reader and writer of results."""
    return library("pyarrow.parquet", "results are written as Parquet: pip install 'cupola[data]'")


def read_results(path: Path) -> Any:
    """A table of results. Opened here: pyarrow takes a path that begins with `s3:` or `http:` for an address, and `~`
    for the user's home.
    """
    with boundary(path, "no results that can be read; delete it, and its runs are done again"), path.open("rb") as file:
        return parquet_files().read_table(file)


def _named(study: Study, source: Path) -> str:
    """The scenario as `cupola.batch` finds it."""
    beside = source.parent / study.scenario
    return str(beside) if beside.is_file() else study.scenario


def _batch(study: Study, scenario: str, backend: str, first: int, rows: list[Row]) -> Found:
    """Some runs as worlds of one batch."""
    names = [name for name in rows[0] if name != "seed"]
    numbers = {name: [row[name] for row in rows] for name in names}
    seeds = [int(row["seed"]) for row in rows]
    options: dict[str, Any] = {"precision": "float64", "measured": True}
    with batch(scenario, len(rows), numbers, seeds=seeds, backend=backend, **options) as worlds:
        worlds.tells = False  # the column `stopped` says it
        worlds.run(study.duration)
        measures, stopped = worlds.measures(), worlds.stopped
    found = []
    for k, row in enumerate(rows):
        told = {name: None if np.isnan(values[k]) else float(values[k]) for name, values in measures.items()}
        found.append({"run": first + k, **row, "seed": seeds[k], **told, "stopped": stopped.get(k, "")})
    return Found(found, {})


_KEPT: dict[str, World] = {}
"""The world of this process, used again for the next run."""


def _portion(study: Study, scenario: Scenario, home: Path, first: int, rows: list[Row]) -> Found:
    """Some runs, in this process, which may be on another machine: the files they leave travel with the rows."""
    with tempfile.TemporaryDirectory() as place:
        found = [_run(study, scenario, home, Path(place), first + k, row) for k, row in enumerate(rows)]
        return Found(found, {one.name: one.read_bytes() for one in sorted(Path(place).iterdir())})


def _run(study: Study, scenario: Scenario, home: Path, dumps: Path, index: int, row: Row) -> Row:
    """One run: its numbers, its measures, and why it stopped if it did."""
    changes = {n.removeprefix(spread.SCENARIO): v for n, v in row.items() if n.startswith(spread.SCENARIO)}
    key = json.dumps(changes, sort_keys=True)
    if key not in _KEPT:
        _KEPT.clear()
        _KEPT[key] = World(scenario.with_(changes) if changes else scenario, home)
    world = _KEPT[key]
    world.reset(int(row["seed"]))
    for name, value in row.items():
        if name != "seed" and not name.startswith(spread.SCENARIO):
            spread.apply(world, name, value)
    world.reset(int(row["seed"]))
    world.name, world.dump_folder, stopped = f"run_{index}", dumps, ""
    try:
        world.run(study.duration)
    except SimulationError as error:
        stopped = str(error).partition("; the last states")[0]
    measures = {name: None if m.value is None else float(m.value) for name, m in world.measures().items()}
    return {"run": index, **row, "seed": int(row["seed"]), **measures, "stopped": stopped}
