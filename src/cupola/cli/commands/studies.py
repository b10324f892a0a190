"""Many flights, and figures beside others."""

from pathlib import Path
from typing import Annotated

import typer

from cupola.cli.commands.options import Json, app


@app.command()
def sweep(
    file: Annotated[Path, typer.Argument(help="Study (.yaml): a scenario, numbers and their values.", metavar="STUDY")],
    out: Annotated[Path | None, typer.Option(help="Folder for the results; else out/ and its name.")] = None,
    processes: Annotated[int | None, typer.Option(help="How many run side by side; else one per core.", min=1)] = None,
    ray: Annotated[str | None, typer.Option(help="Ray cluster that shall run it.", metavar="ADDRESS")] = None,
    backend: Annotated[
        str | None, typer.Option(help="As one batch instead of processes: fused, or cuda on a GPU.", metavar="NAME")
    ] = None,
    json: Json = False,
) -> None:
    """Run a scenario for many values of some numbers; its measures are the results. Goes on where it was ended."""
    from cupola.cli import sweeping

    sweeping.sweep(file, out, processes, ray, backend, json)


@app.command()
def learn(
    task: Annotated[str, typer.Argument(help="Task that ships, or a file (.yaml).", metavar="TASK")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for policy.onnx and the learning curve; else in out/.")
    ] = None,
    steps: Annotated[
        int | None, typer.Option(help="Of all worlds together; else 3 million, on a GPU 10 million.", min=1)
    ] = None,
    minutes: Annotated[float | None, typer.Option(help="Stop after these, if the steps last longer.", min=0)] = None,
    worlds: Annotated[
        int | None, typer.Option(help="How many learn side by side; else 512, on a GPU 8192.", min=1)
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Worlds and networks on a GPU, with PyTorch.")] = False,
    seed: Annotated[int, typer.Option(help="Of the learner and the first starts.", min=0)] = 0,
    json: Json = False,
) -> None:
    """Learn a task; the policy is a file that flies: `use: policy.onnx` in a scenario."""
    from cupola.cli import learning

    learning.learn(task, out, steps, minutes, worlds, gpu, seed, json)


@app.command("identify")
def identify_command(
    file: Annotated[Path, typer.Argument(help="Recording (.mcap).", metavar="FILE")],
    fit: Annotated[
        list[str],
        typer.Option(
            help="Number to find, as quadcopter.base.mass; with * one factor for all. Repeat.", metavar="NAME"
        ),
    ],
    vehicle: Annotated[str | None, typer.Option(help="Whose; else the first one's.", metavar="NAME")] = None,
    window: Annotated[
        float, typer.Option(help="[s] after which the motion is taken from FILE again.", min=0.01)
    ] = 0.25,
    hold_out: Annotated[float, typer.Option(help="Share at the end that only judges.", min=0.0, max=0.9)] = 0.3,
    json: Json = False,
) -> None:
    """Find physical numbers from what the inertial units of a recording measured, with their 95 % intervals."""
    from cupola.cli import fitting

    fitting.show_fit(file, fit, vehicle, window, hold_out, json)


@app.command("tune")
def tune_command(
    name: Annotated[str, typer.Argument(help="Scenario, from `cupola list` or a file.", metavar="SCENARIO")],
    gain: Annotated[list[str], typer.Option(help="Gain and its ends. Repeat.", metavar="NAME=LOW:HIGH")],
    measure: Annotated[str, typer.Option(help="Measure of the scenario that shall be small.", metavar="NAME")],
    vary: Annotated[
        list[str] | None, typer.Option(help="Number that differs from world to world. Repeat.", metavar="NAME=LOW:HIGH")
    ] = None,
    worlds: Annotated[int, typer.Option(help="In which each candidate flies.", min=1)] = 8,
    rounds: Annotated[int, typer.Option(help="Of the search.", min=1)] = 15,
    duration: Annotated[float | None, typer.Option(help="[s] of each flight; else the scenario's.")] = None,
    seed: Annotated[int, typer.Option(help="Of the search and the worlds.", min=0)] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder for scenario and figure; else in out/.")] = None,
    json: Json = False,
) -> None:
    """Search for gains that make a measure small in worlds that vary; others judge what was found."""
    from cupola.cli import fitting

    fitting.show_tuning(name, gain, measure, list(vary or ()), worlds, rounds, duration, seed, out, json)


@app.command()
def bench(
    peers: Annotated[bool, typer.Option("--peers", help="Measure other simulators beside ours.")] = False,
    batch: Annotated[bool, typer.Option("--batch", help="Measure many worlds at once, on the GPU too.")] = False,
    json: Json = False,
) -> None:
    """Measure the speed on this machine."""
    from cupola.cli import results

    results.bench(peers, batch, json)


@app.command()
def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(help="Experiments; all of them by default.", metavar="NAME")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Include the long studies.")] = False,
    json: Json = False,
) -> None:
    """Print every published figure beside ours."""
    from cupola.cli import results

    results.reproduce(names or [], full, json)
