"""Commands that analyse a scenario, a vehicle or a recording."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cupola.cli.commands.options import (
    TARGET,
    WINGED,
    Airspeed,
    Altitude,
    Climb,
    Controllers,
    Json,
    Parameters,
    Seed,
    Trusted,
    Turn,
    app,
    within,
)


@app.command()
def check(
    file: Annotated[str | None, typer.Argument(help=TARGET, metavar="FILE")] = None,
    schema: Annotated[
        Literal["scenario", "vehicle"] | None, typer.Option(help="Print the JSON Schema for your editor.")
    ] = None,
    converge: Annotated[
        bool,
        typer.Option("--converge", help="Run it at its time step and at half of it; print the change of its measures."),
    ] = False,
    json: Json = False,
) -> None:
    """Check a scenario or vehicle file without running it; list the code that it names.

    With `--converge` it is run twice; `all` means every shipped scenario.
    """
    from cupola.cli.screen import waiting

    with waiting("loading"):
        from cupola.cli import inspection
    if schema:
        inspection.show_schema(schema)
    elif file and converge:
        from cupola.cli import convergence

        convergence.show(file, json)
    elif file:
        inspection.check(file, json)
    else:
        from cupola.schema.yaml_files import InputError

        raise InputError("check: needs a file, as in `cupola check FILE`, or `cupola check --schema scenario`")


@app.command()
def trim(
    vehicle: Annotated[str, typer.Argument(help=WINGED, metavar="VEHICLE")],
    airspeed: Airspeed,
    climb: Climb = 0.0,
    turn: Turn = None,
    altitude: Altitude = 100.0,
    trust: Trusted = False,
    json: Json = False,
) -> None:
    """Find the angles and commands of a steady flight."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {vehicle}"):
        from cupola.cli import steady
    steady.trim(vehicle, steady.OperatingPoint(airspeed, climb, turn, altitude), json, trust)


@app.command()
def linearize(
    vehicle: Annotated[str, typer.Argument(help=WINGED, metavar="VEHICLE")],
    airspeed: Airspeed,
    climb: Climb = 0.0,
    turn: Turn = None,
    altitude: Altitude = 100.0,
    forward: Annotated[
        float | None,
        typer.Option(
            help="Forward differences with this step; default: central differences.",
            metavar="STEP",
            callback=within(0.0, 1.0),
        ),
    ] = None,
    npz: Annotated[Path | None, typer.Option(help="Write the matrices as NumPy arrays.", metavar="FILE")] = None,
    trust: Trusted = False,
    json: Json = False,
) -> None:
    """Print A, B, C, D and the eigenmodes of a steady flight."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {vehicle}"):
        from cupola.cli import steady
    steady.linearize(vehicle, steady.OperatingPoint(airspeed, climb, turn, altitude), forward, npz, json, trust)


@app.command()
def plot(
    file: Annotated[Path, typer.Argument(help="Recording (.mcap).", metavar="FILE")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the PNG files; default: beside FILE.", metavar="DIR")
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="Folder for one CSV file per topic.", metavar="DIR")] = None,
    show: Annotated[bool, typer.Option("--show", help="Also open windows.")] = False,
    curve: Annotated[
        list[str] | None,
        typer.Option(help="Draw only this curve, TOPIC:FIELD or TOPIC:X:Y; may be repeated.", metavar="TOPIC:X:Y"),
    ] = None,
    json: Json = False,
) -> None:
    """Plot a recording as PNG files; write it as CSV."""
    from cupola.cli import drawing

    drawing.plot(file, out, csv, show, tuple(curve or ()), json)


@app.command()
def compare(
    files: Annotated[
        list[Path],
        typer.Argument(help="One recording (.mcap) with several vehicles, or several recordings.", metavar="FILE..."),
    ],
    out: Annotated[
        Path | None, typer.Option(help="Folder for the PNG file; default: beside FILE.", metavar="DIR")
    ] = None,
    json: Json = False,
) -> None:
    """Show how far several recordings, or the vehicles of one, diverge."""
    from cupola.cli import comparing

    comparing.compare(files, out, json)


@app.command()
def export(
    file: Annotated[str, typer.Argument(help="Recording (.mcap), or the word `fmu`.", metavar="FILE")],
    scenario: Annotated[
        str | None, typer.Argument(help="After fmu: a scenario or vehicle.", metavar="[SCENARIO]", show_default=False)
    ] = None,
    form: Annotated[
        Literal["parquet", "csv", "foxglove", "rerun"] | None,
        typer.Option(
            "--format", help="File format for a recording; default: parquet. The last two include the 3-D model."
        ),
    ] = None,
    out: Annotated[
        list[str] | None,
        typer.Option(
            help="Folder, or file for a viewer; with `fmu`: an output, a signal or group of signals.", metavar="NAME"
        ),
    ] = None,
    into: Annotated[
        list[str] | None,
        typer.Option("--in", help="Input of the FMU: stick, command, parameter or failure.", metavar="NAME"),
    ] = None,
    fmi: Annotated[int | None, typer.Option(min=2, max=3, help="Version of FMI; default: 2.", metavar="2|3")] = None,
    to: Annotated[
        Path | None, typer.Option("--file", help="FMU file to write; default: named after the scenario.")
    ] = None,
    controller: Controllers = None,
    param: Parameters = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Convert a recording to Parquet, CSV, Foxglove or Rerun, or a scenario to an FMU: `export fmu SCENARIO`."""
    from cupola.cli import exporting

    if file == "fmu" and scenario is not None:
        tuned = exporting.Loaded(scenario, tuple(controller or ()), tuple(param or ()), seed)
        exporting.fmu(tuned, exporting.Ports(tuple(into or ()), tuple(out or ()), fmi or 2), to, form, json)
    else:
        fmu_only = {"--in": into, "--fmi": fmi, "--file": to, "--controller": controller, "--param": param}
        exporting.recording(file, scenario, form, out or [], {**fmu_only, "--seed": seed}, json)
