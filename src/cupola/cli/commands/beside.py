"""Commands for autopilots and ROS."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cupola.cli.commands.options import (
    LONGEST,
    TARGET,
    Commands,
    Duration,
    Foxglove,
    Json,
    Names,
    Node,
    NoRecord,
    Out,
    Parameters,
    Patience,
    Rate,
    Remap,
    Rerun,
    Seed,
    Speed,
    Timeout,
    Trusted,
    app,
    viewers,
    within,
)


@app.command()
def autopilot(
    name: Annotated[str, typer.Argument(help="ardupilot, betaflight, px4 or xplane.", metavar="AUTOPILOT")],
    scenario: Annotated[str, typer.Argument(help=TARGET, metavar="SCENARIO")] = "quadcopter",
    duration: Annotated[
        float | None,
        typer.Option(help="Simulated time; default: the scenario's.", metavar="SECONDS", callback=within(0.0, LONGEST)),
    ] = None,
    speed: Annotated[
        str | None,
        typer.Option(help="Speed relative to real time, or max; default: what the autopilot allows.", metavar="FACTOR"),
    ] = None,
    rate: Annotated[
        float | None,
        typer.Option(
            help="Exchanges per second; default: the autopilot's usual rate.", metavar="HZ", callback=within(1e-6, 1e6)
        ),
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(
            min=0, max=65535, help="Port of the first vehicle; 0: free ones; default: the autopilot's.", metavar="N"
        ),
    ] = None,
    param: Parameters = None,
    seed: Seed = None,
    out: Annotated[Path, typer.Option(help="Folder for recordings and plots.", metavar="DIR")] = Path("out"),
    no_record: Annotated[bool, typer.Option("--no-record", help="Write no recording.")] = False,
    sticks: Annotated[
        Path | None, typer.Option(help="Radio input from a .csv or .yaml file: rows of time, channels.", metavar="FILE")
    ] = None,
    joystick: Annotated[bool, typer.Option("--joystick", help="Radio input from a joystick.")] = False,
    foxglove: Foxglove = False,
    rerun: Rerun = False,
    trust: Trusted = False,
    dry: Annotated[bool, typer.Option("--dry", help="Only say what to start on the other side.")] = False,
    json: Json = False,
) -> None:
    """Fly with a real autopilot in lock step; print what to start on the other side."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {scenario}"):
        from cupola.cli import autopilots, flight, piloting
    options = flight.RunOptions(
        scenario,
        duration,
        speed,
        parameters=tuple(param or ()),
        seed=seed,
        folder=out,
        record=not no_record,
        hands=piloting.InputChoice(joystick=joystick, sticks=sticks),
        trust=trust,
        viewers=viewers(foxglove, rerun),
    )
    autopilots.fly(name, options, autopilots.Wanted(rate, port, dry), json)


@app.command()
def ros1(
    scenario: Annotated[str, typer.Argument(help=TARGET, metavar="SCENARIO")] = "quadcopter",
    names: Names = "cupola",
    commands: Commands = "lockstep",
    rate: Rate = None,
    timeout: Timeout = 5.0,
    patience: Patience = 60.0,
    node: Node = "cupola",
    remap: Remap = None,
    messages: Annotated[
        Path | None, typer.Option(help="Only write the required message packages, for catkin.", metavar="FOLDER")
    ] = None,
    duration: Duration = None,
    speed: Speed = None,
    param: Parameters = None,
    seed: Seed = None,
    out: Out = Path("out"),
    no_record: NoRecord = False,
    trust: Trusted = False,
    json: Json = False,
) -> None:
    """Run a world as a ROS 1 node: other nodes observe and command it, in lock step or freely."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {scenario}"):
        from cupola.cli import flight, ros
    options = flight.RunOptions(
        scenario,
        duration,
        speed,
        parameters=tuple(param or ()),
        seed=seed,
        folder=out,
        record=not no_record,
        trust=trust,
    )
    wanted = ros.Wanted(names, commands, rate, timeout, patience)
    if messages:
        ros.write_messages(options, wanted, messages)
    else:
        ros.fly_ros1(options, wanted, node, tuple(remap or ()), json)


@app.command()
def ros2(
    scenario: Annotated[str, typer.Argument(help=TARGET, metavar="SCENARIO")] = "quadcopter",
    over: Annotated[
        Literal["dds", "zenoh", "rclpy"], typer.Option(help="Transport of the messages; rclpy: an installed ROS 2.")
    ] = "dds",
    domain: Annotated[int, typer.Option(min=0, max=232, help="DDS domain.", envvar="ROS_DOMAIN_ID", metavar="N")] = 0,
    connect: Annotated[
        list[str] | None,
        typer.Option(help="Zenoh: address of a router, tcp/127.0.0.1:7447; may be repeated.", metavar="AT"),
    ] = None,
    listen: Annotated[
        list[str] | None, typer.Option(help="Zenoh: address to listen on; may be repeated.", metavar="AT")
    ] = None,
    names: Names = "cupola",
    commands: Commands = "lockstep",
    rate: Rate = None,
    timeout: Timeout = 5.0,
    patience: Patience = 60.0,
    node: Node = "cupola",
    remap: Remap = None,
    duration: Duration = None,
    speed: Speed = None,
    param: Parameters = None,
    seed: Seed = None,
    out: Out = Path("out"),
    no_record: NoRecord = False,
    trust: Trusted = False,
    json: Json = False,
) -> None:
    """Run a world as a ROS 2 node, without ROS (DDS, Zenoh) or through rclpy, in lock step or freely."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {scenario}"):
        from cupola.cli import flight, ros
    options = flight.RunOptions(
        scenario,
        duration,
        speed,
        parameters=tuple(param or ()),
        seed=seed,
        folder=out,
        record=not no_record,
        trust=trust,
    )
    wanted = ros.Wanted(names, commands, rate, timeout, patience)
    way = ros.Way(over, domain, tuple(connect or ()), tuple(listen or ()), node)
    ros.fly_ros2(options, wanted, way, tuple(remap or ()), json)
