"""`cupola sweep STUDY.yaml`: one scenario for many values of some numbers."""

import math
import os
from pathlib import Path

from cupola.cli.screen import bar, columns, listen, say, show_json, stdout
from cupola.many.influence import Influence, influence, table_of
from cupola.many.study import Study
from cupola.many.study_figure import draw_study
from cupola.many.sweep import sweep as run_sweep
from cupola.many.workers import cluster, here
from cupola.many.workers import processes as processes_here
from cupola.schema.yaml_files import InputError, read

BACKENDS = ("fused", "cuda")
"""Batches that a study can run on instead of processes."""
PICTURE = "study.png"


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
    table, numbers = table_of(results), list(study.numbers)
    picture = folder / PICTURE
    left = draw_study(table, numbers, picture)
    show(study, results, picture, influence(table, numbers), as_json)
    if left:
        say(left)


def show(study: Study, results: Path, picture: Path, found: dict[str, dict[str, Influence]], as_json: bool) -> None:
    """Print how each measure follows each number, and where the rest lies."""
    runs = len(study.runs()["seed"])
    if as_json:
        both = {
            what: {measure: {name: getattr(one, field) for name, one in by.items()} for measure, by in found.items()}
            for what, field in (("rank_correlation", "rank"), ("share_of_variance", "share"))
        }
        show_json({"file": str(results), "picture": str(picture), "runs": runs, **both})
        return
    shown = columns("measure", *study.numbers)
    for measure, by in found.items():
        shown.add_row(measure, *(_said(one) for one in by.values()))
    stdout().print(shown)
    say("rank correlation of each measure with each number, and the share of its variance that goes with it alone")
    say(f"{runs} runs in {results}; drawn in {picture}")


def _said(one: Influence) -> str:
    return f"{one.rank:+.2f}" if math.isnan(one.share) else f"{one.rank:+.2f}  {100.0 * one.share:.0f} %"
