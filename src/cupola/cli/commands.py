"""What can be typed: every command with its arguments and options. The work is done elsewhere, imported when needed."""

import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import typer

from cupola.cli import stopping, terminal
from cupola.schema.safe_path import safe_path

app = typer.Typer(
    name="cupola",
    help="Simulate flying, driving, space and bird-like robots. Type `cupola` alone to see what to try.",
    add_completion=False,
    rich_markup_mode=None,  # plain help needs half the time, and no boxes on a narrow terminal
    context_settings={"help_option_names": ["-h", "--help"]},
)
new = typer.Typer(rich_markup_mode=None)
app.add_typer(new, name="new")

Json = Annotated[bool, typer.Option("--json", help="Print the results as JSON.")]
TARGET = "A scenario or vehicle: a file, or a name from `cupola list`."
WINGED = "A vehicle with wings, or a scenario whose first vehicle has some."
Airspeed = Annotated[float, typer.Option(help="[m/s].", metavar="V")]
Climb = Annotated[float, typer.Option(help="Angle of the path above the horizon [degrees].", metavar="DEG")]
Turn = Annotated[
    str | None, typer.Option(help="Radius [m] or rate, to the right: 80, 80m or 12deg/s; minus: left.", metavar="TURN")
]
Altitude = Annotated[float, typer.Option(help="Height above the world's origin [m].", metavar="H")]
Port = Annotated[int | None, typer.Option(help="Of the page; else the first free one from 8765.", metavar="N")]
Host = Annotated[str, typer.Option(help="Address to listen on; others than this machine need the token.", metavar="H")]
Token = Annotated[str | None, typer.Option(help="What the page's address must carry; else made up.", metavar="TEXT")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the address only.")]
Trusted = Annotated[
    bool, typer.Option("--trust", help="Trust the folder: the code that its files name may run, now and later.")
]
Folder = Annotated[Path, typer.Option("--dir", help="Folder to write into.", metavar="DIR")]


Controllers = Annotated[
    list[str] | None, typer.Option(help="From `cupola list`, my.py:Mine, or vehicle=my.py:Mine.", metavar="WHO")
]
Parameters = Annotated[
    list[str] | None, typer.Option(help="Set a parameter of the controller; may be repeated.", metavar="NAME=VALUE")
]
Seed = Annotated[
    int | None, typer.Option(min=0, max=2**32 - 1, help="Of all noise; else as the scenario says.", metavar="N")
]
Foxglove = Annotated[bool, typer.Option("--foxglove", help="Let Foxglove look on: its WebSocket, in real time.")]
Mavlink = Annotated[
    str | None,
    typer.Option(help="Let a ground station look on and command: where it listens, in real time.", metavar="HOST:PORT"),
]
Rerun = Annotated[bool, typer.Option("--rerun", help="Let Rerun look on, in real time.")]
Plain = Annotated[bool, typer.Option("--plain", help="Controllers as plain Python, to debug.")]


def _viewers(foxglove: bool, rerun: bool) -> tuple[str, ...]:
    return ("foxglove",) * foxglove + ("rerun",) * rerun


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
        float | None, typer.Option(help="Simulated time; else as the scenario says.", metavar="SECONDS")
    ] = None,
    speed: Annotated[
        str | None, typer.Option(help="Times real time, or max; max unless you fly yourself.", metavar="FACTOR")
    ] = None,
    controller: Controllers = None,
    param: Parameters = None,
    seed: Seed = None,
    out: Annotated[Path, typer.Option(help="Folder for what is written.", metavar="DIR")] = Path("out"),
    no_record: Annotated[bool, typer.Option("--no-record", help="Write no recording.")] = False,
    plot: Annotated[bool, typer.Option("--plot", help="Draw the recording as PNG files.")] = False,
    plain: Plain = False,
    paused: Annotated[bool, typer.Option("--paused", help="Wait for Enter before the start.")] = False,
    hang_limit: Annotated[
        float, typer.Option(min=0.1, help="Real time in which a tick must come; else the run ends.", metavar="SECONDS")
    ] = 60.0,
    joystick: Annotated[bool, typer.Option("--joystick", help="Fly with a joystick.")] = False,
    map_: Annotated[
        Path | None, typer.Option("--map", help="Axes and buttons of the joystick; see `cupola joystick`.")
    ] = None,
    keyboard: Annotated[bool, typer.Option("--keyboard", help="Fly with the keys of this terminal.")] = False,
    sticks: Annotated[
        Path | None, typer.Option(help="Sticks from a .csv or .yaml file: rows of time, channels.", metavar="FILE")
    ] = None,
    route: Annotated[
        str | None,
        typer.Option(help="Of all that drive one: rows of duration, vx, vy, wz; else a name.", metavar="FILE"),
    ] = None,
    view: Annotated[
        str | None,
        typer.Option(help="Axes of that file: body (vx forward, vy left) or thesis (vx right).", metavar="VIEW"),
    ] = None,
    mavlink: Mavlink = None,
    foxglove: Foxglove = False,
    rerun: Rerun = False,
    trust: Trusted = False,
    json: Json = False,
) -> None:
    """Fly a scenario or a vehicle, record it, print a summary."""
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
        _viewers(foxglove, rerun),
        mavlink,
    )
    flight.run(options, json)


@app.command()
def fly(
    scenario: Annotated[str, typer.Argument(help=TARGET, metavar="SCENARIO")] = "hover",
    port: Port = None,
    host: Host = "127.0.0.1",
    token: Token = None,
    no_browser: NoBrowser = False,
    speed: Annotated[str, typer.Option(help="Times real time, or max.", metavar="FACTOR")] = "1",
    duration: Annotated[
        float | None, typer.Option(help="Simulated time; else until Ctrl-C.", metavar="SECONDS")
    ] = None,
    controller: Controllers = None,
    param: Parameters = None,
    seed: Seed = None,
    plain: Plain = False,
    paused: Annotated[bool, typer.Option("--paused", help="Wait for Go on the page before the start.")] = False,
    hang_limit: Annotated[
        float, typer.Option(min=0.1, help="Real time in which a tick must come; else it is stopped.", metavar="SECONDS")
    ] = 60.0,
    out: Annotated[Path, typer.Option(help="Folder for recordings and saved scenarios.", metavar="DIR")] = Path("out"),
    trust: Trusted = False,
) -> None:
    """Fly it yourself: see, steer and tune it in the browser."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {scenario}"):
        from cupola.cli import flight
        from cupola.cli import fly as cockpit
    options = flight.RunOptions(
        scenario,
        duration,
        speed,
        tuple(controller or ()),
        tuple(param or ()),
        seed,
        out,
        record=False,
        plot=False,
        plain=plain,
        paused=paused,
        trust=trust,
        hang_limit=hang_limit,
    )
    cockpit.fly(options, cockpit.Address(port, host, token, not no_browser))


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="Recording (.mcap).", metavar="FILE")],
    port: Port = None,
    host: Host = "127.0.0.1",
    token: Token = None,
    no_browser: NoBrowser = False,
    speed: Annotated[str, typer.Option(help="Times real time, or max.", metavar="FACTOR")] = "1",
    duration: Annotated[float | None, typer.Option(help="Time to show; else until Ctrl-C.", metavar="SECONDS")] = None,
) -> None:
    """See a recording again in the browser."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {file}"):
        from cupola.cli import fly as cockpit
    cockpit.replay(file, cockpit.Address(port, host, token, not no_browser), speed, duration)


@app.command()
def share(
    file: Annotated[Path, typer.Argument(help="Recording (.mcap).", metavar="FILE")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File to write; else FILE with .html.", metavar="FILE")
    ] = None,
    view: Annotated[
        str, typer.Option(help="What follows # in the address of the page, to begin with.", metavar="TEXT")
    ] = "",
    json: Json = False,
) -> None:
    """Make one file of a recording that shows it in any browser, without a server."""
    from cupola.cli import sharing

    sharing.share(file, out, view, json)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="Recording (.mcap).", metavar="FILE")],
    trust: Trusted = False,
    json: Json = False,
) -> None:
    """Run a recording again from what it holds: is it the same, to the bit?"""
    from cupola.cli.screen import waiting

    with waiting(f"loading {file}"):
        from cupola.cli import verifying
    verifying.verify(file, trust, json)


@app.command()
def serve(
    controller: Annotated[str, typer.Argument(help="From `cupola list`, or my.py:Mine.", metavar="CONTROLLER")],
    port: Annotated[int, typer.Option(min=0, max=65535, help="To listen on; 0: a free one.", metavar="N")] = 8790,
    param: Annotated[
        list[str] | None, typer.Option(help="Set a parameter of the controller; may be repeated.", metavar="NAME=VALUE")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="End with the first run.")] = False,
) -> None:
    """Let a controller fly worlds of other processes, which fly with `remote`."""
    from cupola.cli import serving

    serving.serve(controller, port, tuple(param or ()), once)


@app.command()
def autopilot(
    name: Annotated[str, typer.Argument(help="ardupilot, betaflight, px4 or xplane.", metavar="AUTOPILOT")],
    scenario: Annotated[str, typer.Argument(help=TARGET, metavar="SCENARIO")] = "quadcopter",
    duration: Annotated[
        float | None, typer.Option(help="Simulated time; else as the scenario says.", metavar="SECONDS")
    ] = None,
    speed: Annotated[
        str | None, typer.Option(help="Times real time, or max; else what the autopilot allows.", metavar="FACTOR")
    ] = None,
    rate: Annotated[
        float | None, typer.Option(help="Exchanges per second; else what the autopilot likes.", metavar="HZ")
    ] = None,
    port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Of the first vehicle; 0: free ones; else as usual.", metavar="N"),
    ] = None,
    param: Parameters = None,
    seed: Seed = None,
    out: Annotated[Path, typer.Option(help="Folder for what is written.", metavar="DIR")] = Path("out"),
    no_record: Annotated[bool, typer.Option("--no-record", help="Write no recording.")] = False,
    sticks: Annotated[
        Path | None, typer.Option(help="Its radio, from a .csv or .yaml file: rows of time, channels.", metavar="FILE")
    ] = None,
    joystick: Annotated[bool, typer.Option("--joystick", help="Its radio is a joystick.")] = False,
    foxglove: Foxglove = False,
    rerun: Rerun = False,
    trust: Trusted = False,
    dry: Annotated[bool, typer.Option("--dry", help="Only say what to start on the other side.")] = False,
    json: Json = False,
) -> None:
    """Let a real autopilot fly, in lock step; say what to start on the other side."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {scenario}"):
        from cupola.cli import autopilots, flight, piloting
    options = flight.RunOptions(
        scenario,
        duration,
        speed,
        (),
        tuple(param or ()),
        seed,
        out,
        record=not no_record,
        plot=False,
        plain=False,
        paused=False,
        hands=piloting.InputChoice(joystick=joystick, sticks=sticks),
        trust=trust,
        viewers=_viewers(foxglove, rerun),
    )
    autopilots.fly(name, options, autopilots.Wanted(rate, port, dry), json)


Names = Annotated[
    str, typer.Option(help="Of topics: cupola, last_letter, omnivelma, cepheus, ros2_control.", metavar="DIALECT")
]
Commands = Annotated[
    Literal["lockstep", "free", "own"],
    typer.Option(help="The world waits for nodes, takes their newest, or flies itself and only tells."),
]
Rate = Annotated[float | None, typer.Option(help="Exchanges per second; else the controller's.", metavar="HZ")]
Timeout = Annotated[float, typer.Option(min=0.01, help="For one answer; then the run ends.", metavar="SECONDS")]
Patience = Annotated[float, typer.Option(min=0.01, help="For the first answer.", metavar="SECONDS")]
Node = Annotated[str, typer.Option(help="Name of the node.", metavar="NAME")]
Remap = Annotated[
    list[str] | None, typer.Option(help="Another name for a topic or service; may be repeated.", metavar="FROM:=TO")
]
Duration = Annotated[float | None, typer.Option(help="Simulated time; else as the scenario says.", metavar="SECONDS")]
Speed = Annotated[str | None, typer.Option(help="Times real time, or max; max in lock step, else 1.", metavar="FACTOR")]
Out = Annotated[Path, typer.Option(help="Folder for what is written.", metavar="DIR")]
NoRecord = Annotated[bool, typer.Option("--no-record", help="Write no recording.")]


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
        Path | None, typer.Option(help="Only write the message packages that it needs, for catkin.", metavar="FOLDER")
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
    """Be a node of ROS 1: nodes see, command and serve the world, in lock step or not."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {scenario}"):
        from cupola.cli import ros
    options = ros.options(scenario, duration, speed, tuple(param or ()), seed, out, not no_record, trust)
    wanted = ros.Wanted(names, commands, rate, timeout, patience)
    if messages:
        ros.write_messages(options, wanted, messages)
    else:
        ros.fly_ros1(options, wanted, node, tuple(remap or ()), json)


@app.command()
def ros2(
    scenario: Annotated[str, typer.Argument(help=TARGET, metavar="SCENARIO")] = "quadcopter",
    over: Annotated[Literal["dds", "zenoh"], typer.Option(help="What carries the messages.")] = "dds",
    domain: Annotated[
        int, typer.Option(min=0, max=232, help="As ROS_DOMAIN_ID says.", envvar="ROS_DOMAIN_ID", metavar="N")
    ] = 0,
    connect: Annotated[
        list[str] | None, typer.Option(help="Zenoh: of a router, tcp/127.0.0.1:7447; may be repeated.", metavar="AT")
    ] = None,
    listen: Annotated[
        list[str] | None, typer.Option(help="Zenoh: where to listen; may be repeated.", metavar="AT")
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
    """Be a node of ROS 2 without ROS: its topics over DDS or Zenoh, in lock step or not."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {scenario}"):
        from cupola.cli import ros
    options = ros.options(scenario, duration, speed, tuple(param or ()), seed, out, not no_record, trust)
    wanted = ros.Wanted(names, commands, rate, timeout, patience)
    way = ros.Way(over, domain, tuple(connect or ()), tuple(listen or ()), node)
    ros.fly_ros2(options, wanted, way, tuple(remap or ()), json)


@app.command()
def joystick(
    map_: Annotated[Path | None, typer.Option("--map", help="Show the channels of this map.", metavar="FILE")] = None,
    seconds: Annotated[float, typer.Option(help="Time to watch; else until Ctrl-C.", metavar="SECONDS")] = math.inf,
    json: Json = False,
) -> None:
    """Show the axes and buttons of a joystick, and suggest a map."""
    from cupola.cli import joystick as watching

    watching.show(map_, seconds, json)


@app.command()
def check(
    file: Annotated[str | None, typer.Argument(help=TARGET, metavar="FILE")] = None,
    schema: Annotated[
        Literal["scenario", "vehicle"] | None, typer.Option(help="Print the JSON Schema for your editor.")
    ] = None,
    converge: Annotated[
        bool, typer.Option("--converge", help="Run it, and again at half the step: how much do its measures change?")
    ] = False,
    json: Json = False,
) -> None:
    """Check a scenario or vehicle file without running it; list the code that it would run.

    With `--converge` it is run twice; `all` means every scenario that ships.
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

        raise InputError("what shall be checked? `cupola check FILE`, or `cupola check --schema scenario`")


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
        float | None, typer.Option(help="Forward differences with this step; else central ones.", metavar="STEP")
    ] = None,
    npz: Annotated[Path | None, typer.Option(help="Write the matrices as NumPy arrays.", metavar="FILE")] = None,
    trust: Trusted = False,
    json: Json = False,
) -> None:
    """Print A, B, C, D and the natural modes of a steady flight."""
    from cupola.cli.screen import waiting

    with waiting(f"loading {vehicle}"):
        from cupola.cli import steady
    steady.linearize(vehicle, steady.OperatingPoint(airspeed, climb, turn, altitude), forward, npz, json, trust)


@app.command()
def plot(
    file: Annotated[Path, typer.Argument(help="Recording (.mcap).", metavar="FILE")],
    out: Annotated[Path | None, typer.Option(help="Folder for the PNG files; else beside FILE.", metavar="DIR")] = None,
    csv: Annotated[Path | None, typer.Option(help="Folder for one CSV file per topic.", metavar="DIR")] = None,
    show: Annotated[bool, typer.Option("--show", help="Open windows as well.")] = False,
    curve: Annotated[
        list[str] | None,
        typer.Option(help="Draw only this, TOPIC:FIELD or TOPIC:X:Y; may be repeated.", metavar="TOPIC:X:Y"),
    ] = None,
    json: Json = False,
) -> None:
    """Draw a recording as PNG files; write it as CSV."""
    from cupola.cli import drawing

    drawing.plot(file, out, csv, show, tuple(curve or ()), json)


@app.command()
def compare(
    files: Annotated[
        list[Path], typer.Argument(help="One recording (.mcap) of several vehicles, or several.", metavar="FILE...")
    ],
    out: Annotated[Path | None, typer.Option(help="Folder for the PNG file; else beside FILE.", metavar="DIR")] = None,
    json: Json = False,
) -> None:
    """Show how far the vehicles of a recording, or several recordings, went apart."""
    from cupola.cli import comparing

    comparing.compare(files, out, json)


@app.command()
def export(
    file: Annotated[str, typer.Argument(help="Recording (.mcap), or the word fmu.", metavar="FILE")],
    scenario: Annotated[
        str | None, typer.Argument(help="After fmu: a scenario or vehicle.", metavar="[SCENARIO]", show_default=False)
    ] = None,
    form: Annotated[
        Literal["parquet", "csv", "foxglove", "rerun"] | None,
        typer.Option("--format", help="Of a recording's files; else parquet. The last two hold the 3-D model."),
    ] = None,
    out: Annotated[
        list[str] | None,
        typer.Option(help="Folder, or file of a viewer; of an FMU: a signal or group that it gives.", metavar="NAME"),
    ] = None,
    into: Annotated[
        list[str] | None,
        typer.Option("--in", help="What an FMU takes: sticks, commands, parameters, failures.", metavar="NAME"),
    ] = None,
    fmi: Annotated[int | None, typer.Option(min=2, max=3, help="Version of FMI; else 2.", metavar="2|3")] = None,
    to: Annotated[Path | None, typer.Option("--file", help="FMU to write; else its name, here.")] = None,
    controller: Controllers = None,
    param: Parameters = None,
    seed: Seed = None,
    json: Json = False,
) -> None:
    """Write a recording for other programs: Parquet, CSV, Foxglove, Rerun; or a scenario: `export fmu SCENARIO`."""
    from cupola.cli import exporting

    if file == "fmu" and scenario is not None:
        tuned = exporting.Loaded(scenario, tuple(controller or ()), tuple(param or ()), seed)
        exporting.fmu(tuned, exporting.Ports(tuple(into or ()), tuple(out or ()), fmi or 2), to, form, json)
    else:
        fmu_only = {"--in": into, "--fmi": fmi, "--file": to, "--controller": controller, "--param": param}
        exporting.recording(file, scenario, form, out or [], {**fmu_only, "--seed": seed}, json)


@app.command()
def sweep(
    file: Annotated[Path, typer.Argument(help="Study (.yaml): a scenario, numbers and their values.", metavar="STUDY")],
    out: Annotated[Path | None, typer.Option(help="Folder for the results; else out/ and its name.")] = None,
    processes: Annotated[int | None, typer.Option(help="How many run side by side; else one per core.", min=1)] = None,
    json: Json = False,
) -> None:
    """Run a scenario for many values of some numbers; its measures are the results. Goes on where it was ended."""
    from cupola.cli import sweeping

    sweeping.sweep(file, out, processes, json)


@app.command()
def learn(
    task: Annotated[str, typer.Argument(help="Task that ships, or a file (.yaml).", metavar="TASK")],
    out: Annotated[
        Path | None, typer.Option(help="Folder for policy.onnx and the learning curve; else in out/.")
    ] = None,
    steps: Annotated[int, typer.Option(help="Of all worlds together.", min=1)] = 3_000_000,
    minutes: Annotated[float | None, typer.Option(help="Stop after these, if the steps last longer.", min=0)] = None,
    worlds: Annotated[int, typer.Option(help="How many learn side by side.", min=1)] = 512,
    seed: Annotated[int, typer.Option(help="Of the learner and the first starts.", min=0)] = 0,
    json: Json = False,
) -> None:
    """Learn a task; the policy is a file that flies: `use: policy.onnx` in a scenario."""
    from cupola.cli import learning

    learning.learn(task, out, steps, minutes, worlds, seed, json)


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


@new.callback(invoke_without_command=True)
def start(context: typer.Context) -> None:
    """Write a vehicle, controller, notebook or study to start from."""
    if context.invoked_subcommand is None:
        from cupola.schema.yaml_files import InputError

        raise InputError("what shall be new? `cupola new vehicle NAME`, controller, notebook or study")


@new.command("vehicle")
def new_vehicle(
    name: Annotated[str, typer.Argument(help="Name of the vehicle and of its folder.", metavar="NAME")],
    directory: Folder = Path(),
    like: Annotated[
        str | None,
        typer.Option(
            help="Like this one: a name of `cupola list`, base, arm, bird, plane, flying_wing, coaxial.",
            metavar="NAME",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Write a folder with a quadcopter that flies, another template, or a copy of a shipped vehicle."""
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
    """Write a script that flies a scenario for several values of a parameter."""
    from cupola.cli import creation

    creation.study(name, directory, json)


@new.command("controller")
def new_controller(
    name: Annotated[str, typer.Argument(help="Name of the file, without .py.", metavar="NAME")],
    directory: Folder = Path(),
    json: Json = False,
) -> None:
    """Write a file with a controller that hovers."""
    from cupola.cli import creation

    creation.controller(name, directory, json)


@app.command("import")
def import_(
    source: Annotated[
        Path,
        typer.Argument(
            help="SDF, world, URDF, MuJoCo model.xml, JSBSim aircraft.xml; folder of Gazebo, Last_letter_2, DAVE-ML.",
            metavar="SOURCE",
        ),
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Vehicle folder to write; else its name, here.", metavar="DIR")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="Which model of a world, body of a scene, or control law.", metavar="NAME")
    ] = None,
    models: Annotated[
        list[Path] | None, typer.Option(help="Further folders in which model:// is looked up.", metavar="DIR")
    ] = None,
    given: Annotated[
        list[str] | None, typer.Option("--set", help="Value of an input of DAVE-ML files.", metavar="NAME=VALUE")
    ] = None,
    dialect: Annotated[
        str | None,
        typer.Option(help="Whose LiftDrag it is: gazebo-classic, px4 or gz-sim; else found out.", metavar="NAME"),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="List what was repaired, taken for granted and not carried over.")
    ] = False,
    json: Json = False,
) -> None:
    """Make a vehicle of another simulator's model; list everything that has no place in it."""
    from cupola.cli import importing

    importing.bring(source, out, model, tuple(models or ()), tuple(given or ()), json, dialect, verbose)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Entry point: run what was typed; an error is one message and an exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    words = [word for word in given if word != "--debug"]
    stopping.obey_signals()
    terminal.be_understood()
    try:
        with safe_path():
            code = app(words, prog_name="cupola", standalone_mode=False)
        sys.stdout.flush()
    except (Exception, SystemExit) as error:  # only a file of the user's says sys.exit
        if terminal.is_broken_pipe(error):
            terminal.be_silent()
            sys.exit(0)
        from cupola.cli import failure

        if len(words) < len(given):
            raise
        code = failure.tell(error)
    sys.exit(code or 0)
