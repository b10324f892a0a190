"""`cupola verify`: does a recording come out again?"""

from pathlib import Path

import typer

from cupola.cli import trusting
from cupola.cli.drawing import check_file
from cupola.cli.failure import FAILED
from cupola.cli.screen import listen, say, show_json, stdout, waiting
from cupola.record.verify import Verification, Verified
from cupola.schema.trust import Trust


def verify(file: Path, trust: bool, as_json: bool) -> None:
    """Run a recording again and print what came out; exit code 1 if it is not the same."""
    listen()
    check_file(file)
    verification = Verification(file)
    allowed = trusting.decide(Trust(), verification.code(), None, trust)
    with waiting(f"running {file.name} again"):
        found = verification.run(allowed)
    show_json(_table(found)) if as_json else _show(file, found)
    if not found.same:
        raise typer.Exit(FAILED)


def _table(found: Verified) -> dict[str, object]:
    return {**found._asdict(), "first": found.first._asdict() if found.first else None}


def _show(file: Path, found: Verified) -> None:
    if found.same:
        proof = f"state {found.hash[:16]}" if found.recorded_hash else "every row; it holds no hash of its last state"
        stdout().print(f"the same: {file}, {found.ticks} ticks, {proof}", markup=False, soft_wrap=True)
        return
    stdout().print(f"not the same: {file}, {found.ticks} ticks", markup=False, soft_wrap=True)
    if found.first:
        at = f"tick {found.first.tick} ({found.first.time:g} s)"
        say(f"first at {at}: {found.first.signal} was {found.first.recorded!r}, is {found.first.now!r}")
    else:
        say(f"no recorded number differs, but the state at the end does: {found.recorded_hash[:16]}, {found.hash[:16]}")
    for name, (then, now) in found.versions.items():
        say(f"{name} was {then or 'unknown'}, is {now or 'unknown'}")
    if not found.versions:
        say("all versions are those of the recording")
