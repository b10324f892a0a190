"""`--trust`: whether the code that files name may run, asked once per folder."""

import sys
from collections.abc import Mapping
from pathlib import Path

from cupola.cli.screen import say, stderr
from cupola.cli.target import Target
from cupola.config.own_code import code_in, is_own
from cupola.config.resolved_vehicle import resolve_vehicles
from cupola.schema.hostile_text import printable
from cupola.schema.trust import Code, Trust, file_of, remember


def trust_in(found: Target, given: bool, controllers: Mapping[str, str] | None = None) -> Trust:
    """What may run for a scenario: what was named on the command line, and what its folders are trusted with."""
    named = controllers or {}
    resolved = resolve_vehicles(found.scenario, found.folder, named, found.file)
    trust = Trust(named=[file_of(use, Path()) for use in named.values() if is_own(use)])
    return decide(trust, code_in(resolved), found.folder, given)


def decide(trust: Trust, codes: list[Code], home: Path | None, given: bool) -> Trust:
    """The trust with what the user allows now, by `--trust` or by answering; refuses the rest."""
    wanted = [code for code in codes if code.file.is_file() and not trust.allows(code)]
    if not wanted:
        return trust
    folders = list(dict.fromkeys(_folder(code, home) for code in wanted))
    if not given and not _says_yes(wanted, folders):
        trust.demand(wanted)
    lost = remember(folders)
    for folder in folders:
        how = "this time only: it cannot be remembered" if folder in lost else "from now on"
        say(f"trusted {how}: {printable(folder)}")
    return trust.naming(code.file for code in wanted)


def _folder(code: Code, home: Path | None) -> Path:
    """The folder to trust: that of the scenario where the code lies in it, else that of the code."""
    inside = home is not None and code.where.is_relative_to(home.resolve())
    return home.resolve() if home is not None and inside else code.where.parent


def _says_yes(wanted: list[Code], folders: list[Path]) -> bool:
    """Ask who sits at the terminal; nobody there means no."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    say("this runs code of these files, with your rights:")
    for code in wanted:
        say(f"  {printable(code.where)}  ({printable(code.source)})")
    listed = ", ".join(printable(folder) for folder in folders)
    stderr().print(f"Trust the code in {listed}, now and later? [y/N] ", end="", markup=False, soft_wrap=True)
    try:
        return input().strip().lower() in ("y", "yes")
    except EOFError:
        return False
