"""The program, and the options that several commands share."""

from pathlib import Path
from typing import Annotated, Literal

import typer

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
Joystick = Annotated[bool, typer.Option("--joystick", help="Fly with a joystick.")]
Map = Annotated[Path | None, typer.Option("--map", help="Axes and buttons of the joystick; see `cupola joystick`.")]
Keyboard = Annotated[bool, typer.Option("--keyboard", help="Fly with the keys of this terminal.")]
StickFile = Annotated[
    Path | None, typer.Option(help="Sticks from a .csv or .yaml file: rows of time, channels.", metavar="FILE")
]
Route = Annotated[
    str | None,
    typer.Option(help="Of all that drive one: rows of duration, vx, vy, wz; else a name.", metavar="FILE"),
]
RouteView = Annotated[
    str | None, typer.Option(help="Axes of that file: body (vx forward, vy left) or thesis (vx right).", metavar="VIEW")
]
Rerun = Annotated[bool, typer.Option("--rerun", help="Let Rerun look on, in real time.")]
Plain = Annotated[bool, typer.Option("--plain", help="Controllers as plain Python, to debug.")]


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


def viewers(foxglove: bool, rerun: bool) -> tuple[str, ...]:
    """Which were asked for."""
    return ("foxglove",) * foxglove + ("rerun",) * rerun
