"""`cupola plot`, and the plots of `cupola run --plot`."""

from pathlib import Path

from cupola.cli.screen import listen, show_json, stdout, waiting
from cupola.files import InputError


def plot(file: Path, folder: Path | None, csv: Path | None, show: bool, as_json: bool) -> None:
    """Draw a recording into a folder of its name beside it, unless another is given; write CSV files if asked."""
    listen()
    check_file(file)
    plots = draw(file, folder or file.with_suffix(""), show)
    tables = []
    if csv is not None:
        from cupola.record import write_csv

        with waiting(f"writing {file.name} as CSV"):
            tables = write_csv(file, csv)
    if as_json:
        show_json({"recording": file, "plots": plots, "tables": tables})
    else:
        for path in (*plots, *tables):
            stdout().print(str(path), markup=False, soft_wrap=True)


def check_file(file: Path) -> None:
    """Refuse a recording that does not exist; name those that do."""
    if not file.is_file():
        near = ", ".join(sorted(path.name for path in file.parent.glob("*.mcap"))) or "none"
        raise InputError(f"there is no recording {file}; recordings in {file.parent}: {near}")


def draw(file: Path, folder: Path, show: bool = False) -> list[Path]:
    """PNG files of a recording."""
    from cupola.record import plot as draw_recording

    with waiting(f"drawing {file.name}"):
        return draw_recording(file, folder, show)
