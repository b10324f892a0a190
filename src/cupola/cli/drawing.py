"""`cupola plot`, and the plots of `cupola run --plot`."""

from pathlib import Path

from cupola.cli.screen import listen, show_json, stdout, waiting
from cupola.schema.yaml_files import InputError


def plot(file: Path, folder: Path | None, csv: Path | None, show: bool, curves: tuple[str, ...], as_json: bool) -> None:
    """Draw a recording into a folder of its name beside it, unless another is given; write CSV files if asked.

    With `curves`, only those, on the same axes.
    """
    listen()
    check_file(file)
    target = folder or file.with_suffix("")
    plots = draw_curves(file, curves, target / "curves.png") if curves else draw(file, target, show)
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


def draw_curves(file: Path, curves: tuple[str, ...], target: Path) -> list[Path]:
    """Any fields of a recording against any others."""
    from cupola.record import curves as drawing

    with waiting(f"drawing {file.name}"):
        drawing.draw_curves(file, [drawing.parse(text) for text in curves], target)
    return [target]


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
