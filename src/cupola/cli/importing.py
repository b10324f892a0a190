"""`cupola import`: models of other simulators as vehicle folders."""

from pathlib import Path

from cupola.bridge.last_letter.folder import import_folder
from cupola.cli.screen import columns, say, show_json, stdout


def last_letter(source: Path, out: Path | None, as_json: bool) -> None:
    """Write the vehicle folder, tell what was lost on the way."""
    made = import_folder(source, out or Path(source.resolve().name))
    command = f"cupola run {made.folder / 'vehicle.yaml'}"
    if as_json:
        lost = [{"what": what, "why": why} for what, why in made.lost]
        show_json({"made": made.folder, "not_carried_over": lost, "next": command})
        return
    if made.lost:
        say("not carried over, also listed in its README.md:")
        table = columns("what", "why")
        for what, why in made.lost:
            table.add_row(what, why)
        stdout().print(table, markup=False)
    stdout().print(f"wrote {made.folder}\n\nnow type: {command}", markup=False, soft_wrap=True)
