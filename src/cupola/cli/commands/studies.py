"""Commands for many runs, benchmarks and published figures."""

from pathlib import Path
from typing import Annotated

import typer

from cupola.cli.commands.options import LONGEST, MANY, SEEDS, UP_TO_LONGEST, Json, app, within


@app.command()
def sweep(
    file: Annotated[
        Path, typer.Argument(help="Study (.yaml): a scenario, parameters and their values.", metavar="STUDY")
    ],
    out: Annotated[Path | None, typer.Option(help="Folder for the results; default: out/ and its name.")] = None,
    processes: Annotated[
        int | None, typer.Option(help="Number of parallel processes; default: one per core.", min=1, max=1024)
    ] = None,
    ray: Annotated[str | None, typer.Option(help="Run on this Ray cluster.", metavar="ADDRESS")] = None,
    backend: Annotated[
        str | None, typer.Option(help="Run as batches instead of processes: fused, or cuda on a GPU.", metavar="NAME")
    ] = None,
    json: Json = False,
) -> None:
    """Run a scenario for many parameter values; results are its measures. Continues an interrupted study."""
    from cupola.cli import sweeping

    sweeping.sweep(file, out, processes, ray, backend, json)


@app.command()
def learn(
    task: Annotated[str, typer.Argument(help="Shipped task, or a file (.yaml).", metavar="TASK")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for policy.onnx and the learning curve; default: in out/.")
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(help="Steps of all worlds together; default: 3 million, on a GPU 10 million.", min=1, max=10**12),
    ] = None,
    minutes: Annotated[float | None, typer.Option(help="Longest training time.", min=0, callback=UP_TO_LONGEST)] = None,
    worlds: Annotated[
        int | None, typer.Option(help="Number of parallel worlds; default: 512, on a GPU 8192.", min=1, max=MANY)
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Worlds and networks on a GPU, with PyTorch.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of the learner and the first starts.", min=0, max=SEEDS)] = 0,
    json: Json = False,
) -> None:
    """Train a policy for a task; it flies with `use: policy.onnx` in a scenario."""
    from cupola.cli import learning

    learning.learn(task, out, steps, minutes, worlds, gpu, seed, json)


@app.command("identify")
def identify_command(
    file: Annotated[Path, typer.Argument(help="Recording (.mcap).", metavar="FILE")],
    fit: Annotated[
        list[str],
        typer.Option(
            help="Parameter to fit, such as quadcopter.base.mass; * means one factor for all. Repeat.", metavar="NAME"
        ),
    ],
    vehicle: Annotated[
        str | None, typer.Option(help="Vehicle to identify; default: the first.", metavar="NAME")
    ] = None,
    window: Annotated[
        float,
        typer.Option(
            help="Time after which the simulation is reset to the recorded motion [s].",
            min=0.01,
            callback=UP_TO_LONGEST,
        ),
    ] = 0.25,
    hold_out: Annotated[
        float, typer.Option(help="Fraction at the end used for validation only.", callback=within(0.0, 0.9))
    ] = 0.3,
    json: Json = False,
) -> None:
    """Identify physical parameters from the IMU data of a recording, with 95 % intervals."""
    from cupola.cli import fitting

    fitting.show_fit(file, fit, vehicle, window, hold_out, json)


@app.command("tune")
def tune_command(
    name: Annotated[str, typer.Argument(help="Scenario, from `cupola list` or a file.", metavar="SCENARIO")],
    gain: Annotated[list[str], typer.Option(help="Gain and its range. Repeat.", metavar="NAME=LOW:HIGH")],
    measure: Annotated[str, typer.Option(help="Measure of the scenario to minimise.", metavar="NAME")],
    vary: Annotated[
        list[str] | None, typer.Option(help="Parameter that varies between worlds. Repeat.", metavar="NAME=LOW:HIGH")
    ] = None,
    worlds: Annotated[int, typer.Option(help="Number of worlds for each candidate.", min=1, max=MANY)] = 8,
    rounds: Annotated[int, typer.Option(help="Number of search rounds.", min=1, max=MANY)] = 15,
    duration: Annotated[
        float | None,
        typer.Option(help="Duration of each run [s]; default: the scenario's.", callback=within(0.0, LONGEST)),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the search and the worlds.", min=0, max=SEEDS)] = 1,
    out: Annotated[Path | None, typer.Option(help="Folder for scenario and figure; default: in out/.")] = None,
    json: Json = False,
) -> None:
    """Search for gains that minimise a measure over varying worlds; validate them in other worlds."""
    from cupola.cli import fitting

    fitting.show_tuning(name, gain, measure, list(vary or ()), worlds, rounds, duration, seed, out, json)


@app.command()
def bench(
    peers: Annotated[bool, typer.Option("--peers", help="Include other simulators.")] = False,
    batch: Annotated[bool, typer.Option("--batch", help="Include batches of worlds, on the GPU too.")] = False,
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
