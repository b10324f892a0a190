"""Commands that write files: from templates, from shipped vehicles, from other simulators."""

from pathlib import Path
from typing import Annotated

import typer

from cupola.cli.commands.options import Folder, Json, app, new


@new.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Write a vehicle, controller, notebook or study as a starting point."""
    if context.invoked_subcommand is None:
        from cupola.schema.yaml_files import InputError

        raise InputError("new: needs a kind and a name, as in `cupola new vehicle NAME`, controller, notebook or study")


@new.command("vehicle")
def new_vehicle(
    name: Annotated[str, typer.Argument(help="Name of the vehicle and of its folder.", metavar="NAME")],
    directory: Folder = Path(),
    like: Annotated[
        str | None,
        typer.Option(
            help="Start from: a name of `cupola list`, base, arm, bird, plane, flying_wing, coaxial.",
            metavar="NAME",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write a vehicle folder: a quadcopter, another template, or a copy of a shipped vehicle."""
    from cupola.cli import creation

    creation.vehicle(name, directory, like, json)


@new.command("notebook")
def new_notebook(
    name: Annotated[str, typer.Argument(help="Name of the file, without .ipynb.", metavar="NAME")],
    directory: Folder = Path(),
    json: Json = False,
) -> None:
    """Write a notebook that flies, records and draws."""
    from cupola.cli import creation

    creation.notebook(name, directory, json)


@new.command("examples")
def new_examples(directory: Folder = Path(), json: Json = False) -> None:
    """Write a folder `examples` with short scripts, notebooks and two vehicles."""
    from cupola.cli import creation

    creation.examples(directory, json)


@new.command("study")
def new_study(
    name: Annotated[str, typer.Argument(help="Name of the file, without .py.", metavar="NAME")],
    directory: Folder = Path(),
    json: Json = False,
) -> None:
    """Write a script that runs a scenario for several values of a parameter."""
    from cupola.cli import creation

    creation.study(name, directory, json)


@new.command("controller")
def new_controller(
    name: Annotated[str, typer.Argument(help="Name of the file, without .py.", metavar="NAME")],
    directory: Folder = Path(),
    json: Json = False,
) -> None:
    """Write a file with a hover controller."""
    from cupola.cli import creation

    creation.controller(name, directory, json)


@app.command("import")
def import_(
    source: Annotated[
        Path,
        typer.Argument(
            help="SDF, world, URDF, MuJoCo model.xml, JSBSim aircraft.xml, geometry.avl of AVL; "
            "folder of Gazebo, Last_letter_2, DAVE-ML.",
            metavar="SOURCE",
        ),
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Vehicle folder to write; default: the model's name.", metavar="DIR"),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Model of a world, body of a scene, or control law to import.", metavar="NAME")
    ] = None,
    models: Annotated[
        list[Path] | None, typer.Option(help="Further folders to search for model:// and shared files.", metavar="DIR")
    ] = None,
    given: Annotated[
        list[str] | None,
        typer.Option(
            "--set", help="Value of an input of DAVE-ML files, or of an argument of a xacro.", metavar="NAME=VALUE"
        ),
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option(help="LiftDrag law: gazebo-classic, px4 or gz-sim; default: detected.", metavar="NAME"),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="List what was repaired, assumed and lost.")] = False,
    json: Json = False,
) -> None:
    """Import another simulator's model as a vehicle; list everything that is lost."""
    from cupola.cli import importing

    importing.bring(source, out, model, tuple(models or ()), tuple(given or ()), json, dialect, verbose)
