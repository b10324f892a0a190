"""`cupola sweep STUDY.yaml`: one scenario for many values of some numbers."""

import os
from pathlib import Path

from cupola.cli.screen import bar, columns, listen, say, show_json, stdout
from cupola.many.study import Study
from cupola.many.sweep import influence
from cupola.many.sweep import sweep as run_sweep
from cupola.schema.yaml_files import read


def sweep(file: Path, out: Path | None, processes: int | None, as_json: bool) -> None:
    """Run what is left of a study, and print how each measure follows each number."""
    listen()
    study = read(file, Study)
    folder = out or Path("out") / file.stem
    runs = len(study.runs()["seed"])
    with bar(f"running {study.scenario}", runs) as told:
        results = run_sweep(study, folder, file, processes or os.cpu_count() or 1, lambda done, total: told(done))
    found = influence(results, list(study.numbers))
    if as_json:
        show_json({"file": str(results), "runs": runs, "rank_correlation": found})
        return
    table = columns("measure", *study.numbers)
    for measure, by in found.items():
        table.add_row(measure, *(f"{by[name]:+.2f}" for name in study.numbers))
    stdout().print(table)
    say(f"{runs} runs in {results}; above: rank correlation of each measure with each number")
