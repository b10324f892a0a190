"""`cupola share`: a recording as one HTML file."""

from pathlib import Path

from cupola.cli.drawing import check_file
from cupola.cli.screen import listen, show_json, stdout, waiting
from cupola.schema.whole_files import write_whole
from cupola.schema.yaml_files import InputError


def share(file: Path, out: Path | None, view: str, as_json: bool) -> None:
    """Write the file beside the recording unless a name is given; print what it lacks."""
    listen()
    check_file(file)
    target = out or file.with_suffix(".html")
    if target.is_dir():
        raise InputError(f"--out: {target} is a folder; give the name of a file, as {target / 'flight.html'}")
    with waiting(f"reading {file.name}"):
        from cupola.cockpit.built_page import find_page
        from cupola.cockpit.opening import read_flight
        from cupola.cockpit.share import as_page

        page = find_page()
        flight = read_flight(file)
        content = as_page(flight, page, view)
        write_whole(target, content)
    if as_json:
        show_json({"recording": file, "file": target, "bytes": len(content), "note": flight.note})
        return
    stdout().print(f"{target} ({len(content) / 1e6:.1f} MB)", markup=False, soft_wrap=True)
    stdout().print(flight.note, markup=False, soft_wrap=True)
