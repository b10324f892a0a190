"""`cupola sweep STUDY.yaml`: one scenario for many values of some numbers."""

import os
from pathlib import Path

from cupola.cli.screen import bar, columns, listen, say, show_json, stdout
from cupola.many.study import Study
from cupola.many.sweep import influence
from cupola.many.sweep import sweep as run_sweep
from cupola.many.workers import cluster, here
from cupola.many.workers import processes as processes_here
from cupola.schema.yaml_files import InputError, read

BACKENDS = ("fused", "cuda")
"""Batches that a study can run on instead of processes."""


def sweep(
    file: Path, out: Path | None, processes: int | None, ray: str | None, backend: str | None, as_json: bool
) -> None:
    """Run what is left of a study, and print how each measure follows each number."""
    listen()
    if backend is not None and backend not in BACKENDS:
        raise InputError(f"--backend: expected {' or '.join(BACKENDS)}, got {backend!r}; processes run everything else")
    if backend and (ray or processes):
        raise InputError("--backend uses every core or a GPU itself: leave --processes and --ray out")
    if ray and processes:
        raise InputError("--processes is for this machine: a cluster runs as many as its nodes have processors")
    workers = cluster(ray) if ray else processes_here(processes or os.cpu_count() or 1)
    if backend:
        workers = here
    study = read(file, Study)
    folder = out or Path("out") / file.stem
    runs = len(study.runs()["seed"])
    with bar(f"running {study.scenario}", runs) as told:
        results = run_sweep(study, folder, file, workers, lambda done, total: told(done), backend)
    found = influence(results, list(study.numbers))
    if as_json:
        show_json({"file": str(results), "runs": runs, "rank_correlation": found})
        return
    table = columns("measure", *study.numbers)
    for measure, by in found.items():
        table.add_row(measure, *(f"{by[name]:+.2f}" for name in study.numbers))
    stdout().print(table)
    say(f"{runs} runs in {results}; above: rank correlation of each measure with each number")
