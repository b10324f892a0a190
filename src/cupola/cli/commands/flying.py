"""Commands that run and replay."""

import math
from pathlib import Path
from typing import Annotated

import typer

from cupola.cli.commands.options import (
    TARGET,
    UP_TO_LONGEST,
    Controllers,
    Foxglove,
    Host,
    Joystick,
    Json,
    Keyboard,
    Map,
    Mavlink,
    NoBrowser,
    Parameters,
    Plain,
    Port,
    Rerun,
    Route,
    RouteView,
    Seed,
    StickFile,
    Token,
    Trusted,
    app,
    viewers,
    within,
)


@app.callback(invoke_without_command=True)
def home(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error comes from; works anywhere.")] = False,
) -> None:
    """Show the vehicles and what to try."""
    if version:
        from cupola import __version__

        print(__version__)
    elif context.invoked_subcommand is None:
        from cupola.cli import catalogue

        catalogue.show_home()


@app.command("list")
def list_(json: Json = False) -> None:
    """Show vehicles, scenarios, controllers, parts."""
    from cupola.cli import catalogue

    catalogue.show(json)


@app.command()
def run(
    scenario: Annotated[str, typer.Argument(help=TARGET, metavar="SCENARIO")] = "square",
    duration: Annotated[
        float | None,
        typer.Option(help="Simulated time; default: the scenario's.", metavar="SECONDS", callback=UP_TO_LONGEST),
    ] = None,
    speed: Annotated[
        str | None,
        typer.Option(help="Speed relative to real time, or max; default: max, 1 if you fly by hand.", metavar="FACTOR"),
    ] = None,
    controller: Controllers = None,
    param: Parameters = None,
    seed: Seed = None,
    out: Annotated[Path, typer.Option(help="Folder for recordings and plots.", metavar="DIR")] = Path("out"),
    no_record: Annotated[bool, typer.Option("--no-record", help="Write no recording.")] = False,
    plot: Annotated[bool, typer.Option("--plot", help="Draw the recording as PNG files.")] = False,
    plain: Plain = False,
    paused: Annotated[bool, typer.Option("--paused", help="Wait for Enter before the start.")] = False,
    hang_limit: Annotated[
        float,
        typer.Option(
            min=0.1, help="Longest real time of a tick; then the run ends.", metavar="SECONDS", callback=UP_TO_LONGEST
        ),
    ] = 60.0,
    joystick: Joystick = False,
    map_: Map = None,
    keyboard: Keyboard = False,
    sticks: StickFile = None,
    route: Route = None,
    view: RouteView = None,
    mavlink: Mavlink = None,
    foxglove: Foxglove = False,
    rerun: Rerun = False,
    trust: Trusted = False,
    json: Json = False,
) -> None:
    """Simulate a scenario or a vehicle, record it, print a summary."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {scenario}"):
        from cupola.cli import flight, piloting
    options = flight.RunOptions(
        scenario,
        duration,
        speed,
        tuple(controller or ()),
        tuple(param or ()),
        seed,
        out,
        not no_record,
        plot,
        plain,
        paused,
        piloting.InputChoice(joystick, map_, keyboard, sticks),
        route,
        view,
        trust,
        hang_limit,
        viewers(foxglove, rerun),
        mavlink,
    )
    flight.run(options, json)


@app.command()
def fly(
    scenario: Annotated[
        str | None, typer.Argument(help=f"{TARGET} Without one, the page starts with a gallery.", metavar="SCENARIO")
    ] = None,
    port: Port = None,
    host: Host = "127.0.0.1",
    token: Token = None,
    no_browser: NoBrowser = False,
    speed: Annotated[str, typer.Option(help="Speed relative to real time, or max.", metavar="FACTOR")] = "1",
    duration: Annotated[
        float | None,
        typer.Option(help="Simulated time; default: until Ctrl-C.", metavar="SECONDS", callback=UP_TO_LONGEST),
    ] = None,
    controller: Controllers = None,
    param: Parameters = None,
    seed: Seed = None,
    plain: Plain = False,
    paused: Annotated[
        bool | None,
        typer.Option(
            "--start-paused/--start-at-once",
            "--paused",
            help="Wait for Go on the page (default without --duration), or start at once.",
            show_default=False,
        ),
    ] = None,
    modes: Annotated[
        str, typer.Option(help="Allow only these control modes on the page, such as assisted,mission.", metavar="LIST")
    ] = "",
    record: Annotated[bool, typer.Option("--record", help="Record from the start.")] = False,
    hang_limit: Annotated[
        float,
        typer.Option(
            min=0.1,
            help="Longest real time of a tick; then it is interrupted.",
            metavar="SECONDS",
            callback=UP_TO_LONGEST,
        ),
    ] = 60.0,
    joystick: Joystick = False,
    map_: Map = None,
    keyboard: Keyboard = False,
    sticks: StickFile = None,
    route: Route = None,
    view: RouteView = None,
    mavlink: Mavlink = None,
    foxglove: Foxglove = False,
    rerun: Rerun = False,
    out: Annotated[Path, typer.Option(help="Folder for recordings and saved scenarios.", metavar="DIR")] = Path("out"),
    trust: Trusted = False,
) -> None:
    """Fly a scenario or a vehicle in the browser: watch, steer and tune it."""
    from cupola.cli.screen import waiting

    name = scenario or "hover"
    with waiting(f"loading {name}"):
        from cupola.cli import flight, piloting
        from cupola.cli import fly as cockpit
    options = flight.RunOptions(
        name,
        duration,
        speed,
        tuple(controller or ()),
        tuple(param or ()),
        seed,
        out,
        record=record,
        plain=plain,
        paused=duration is None if paused is None else paused,
        hands=piloting.InputChoice(joystick, map_, keyboard, sticks),
        route=route,
        view=view,
        trust=trust,
        hang_limit=hang_limit,
        viewers=viewers(foxglove, rerun),
        mavlink=mavlink,
    )
    cockpit.fly(options, cockpit.Address(port, host, token, not no_browser), scenario is None, modes)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="Recording (.mcap).", metavar="FILE")],
    port: Port = None,
    host: Host = "127.0.0.1",
    token: Token = None,
    no_browser: NoBrowser = False,
    speed: Annotated[str, typer.Option(help="Speed relative to real time, or max.", metavar="FACTOR")] = "1",
    duration: Annotated[
        float | None,
        typer.Option(help="Time to show; default: until Ctrl-C.", metavar="SECONDS", callback=UP_TO_LONGEST),
    ] = None,
) -> None:
    """Replay a recording in the browser."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {file}"):
        from cupola.cli import fly as cockpit
    cockpit.replay(file, cockpit.Address(port, host, token, not no_browser), speed, duration)


@app.command()
def share(
    file: Annotated[Path, typer.Argument(help="Recording (.mcap).", metavar="FILE")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write; default: FILE with .html.", metavar="FILE")
    ] = None,
    view: Annotated[
        str, typer.Option(help="Initial view: what follows # in the address of the page.", metavar="TEXT")
    ] = "",
    json: Json = False,
) -> None:
    """Convert a recording to one HTML file that any browser shows without a server."""
    from cupola.cli import sharing

    sharing.share(file, out, view, json)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="Recording (.mcap).", metavar="FILE")],
    trust: Trusted = False,
    json: Json = False,
) -> None:
    """Run a recording again from its contents and check that it is bit-identical."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {file}"):
        from cupola.cli import verifying
    verifying.verify(file, trust, json)


@app.command()
def serve(
    controller: Annotated[str, typer.Argument(help="From `cupola list`, or my.py:Mine.", metavar="CONTROLLER")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0: a free one.", metavar="N")] = 8790,
    param: Annotated[
        list[str] | None, typer.Option(help="Set a parameter of the controller; may be repeated.", metavar="NAME=VALUE")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="End after the first run.")] = False,
) -> None:
    """Run a controller for worlds in other processes that use the controller `remote`."""
    from cupola.cli import serving

    serving.serve(controller, port, tuple(param or ()), once)


@app.command()
def joystick(
    map_: Annotated[Path | None, typer.Option("--map", help="Show the channels of this map.", metavar="FILE")] = None,
    seconds: Annotated[
        float,
        typer.Option(
            help="Time to watch; default: until Ctrl-C.", metavar="SECONDS", callback=within(-math.inf, math.inf)
        ),
    ] = math.inf,
    json: Json = False,
) -> None:
    """Show the axes and buttons of a joystick, and suggest a map."""
    from cupola.cli import joystick as watching

    watching.show(map_, seconds, json)
