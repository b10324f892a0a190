"""The application, and options shared by several commands."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import typer

app = typer.Typer(
    name="cupola",
    help="Simulate flying, driving, space and bird-like robots. Run `cupola` without arguments for examples.",
    add_completion=False,
    rich_markup_mode=None,  # plain help needs half the time, and no boxes on a narrow terminal
    context_settings={"help_option_names": ["-h", "--help"]},
)
new = typer.Typer(rich_markup_mode=None)
app.add_typer(new, name="new")

LONGEST = 1e9
"""[s]: as in a file, thirty years."""
MANY = 1_000_000
"""Of anything that is made in memory or one after the other."""
SEEDS = 2**32 - 1


def within(low: float, high: float) -> Callable[[float | None], float | None]:
    """Bounds of a number, which click does not hold against NaN; the help stays as short as it is."""

    def check(value: float | None) -> float | None:
        if value is None or low <= value <= high:
            return value
        said = f"at most {high:g}" if low == -math.inf else f"from {low:g} to {high:g}"
        raise typer.BadParameter(f"expected a number {said}, got {value:g}")

    return check


UP_TO_LONGEST = within(-math.inf, LONGEST)
"""Of a time; the command itself says how short it may be."""
Json = Annotated[bool, typer.Option("--json", help="Print the results as JSON.")]
TARGET = "A scenario or vehicle: a file, or a name from `cupola list`."
WINGED = "A vehicle with wings, or a scenario whose first vehicle has some."
Airspeed = Annotated[float, typer.Option(help="Airspeed [m/s].", metavar="V", callback=within(1e-3, 1e5))]
Climb = Annotated[float, typer.Option(help="Climb angle [degrees].", metavar="DEG", callback=within(-90, 90))]
Turn = Annotated[
    str | None,
    typer.Option(help="Turn radius [m] or rate to the right: 80, 80m or 12deg/s; negative: left.", metavar="TURN"),
]
Altitude = Annotated[
    float, typer.Option(help="Height above the world's origin [m].", metavar="H", callback=within(-1e8, 1e8))
]
Port = Annotated[
    int | None,
    typer.Option(
        help="Port of the page; default: the first free one from 8765.", metavar="N", callback=within(0, 65535)
    ),
]
Host = Annotated[str, typer.Option(help="Address to listen on; other machines need the token.", metavar="H")]
Token = Annotated[str | None, typer.Option(help="Token for the page's address; default: random.", metavar="TEXT")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Print the address only.")]
Trusted = Annotated[
    bool, typer.Option("--trust", help="Trust the folder: code that its files name may run, now and later.")
]
Folder = Annotated[Path, typer.Option("--dir", help="Folder to write into.", metavar="DIR")]


Controllers = Annotated[
    list[str] | None,
    typer.Option(help="Controller: from `cupola list`, my.py:Mine, or vehicle=my.py:Mine.", metavar="WHO"),
]
Parameters = Annotated[
    list[str] | None, typer.Option(help="Set a parameter of the controller; may be repeated.", metavar="NAME=VALUE")
]
Seed = Annotated[
    int | None, typer.Option(min=0, max=SEEDS, help="Seed of all noise; default: the scenario's.", metavar="N")
]
Foxglove = Annotated[bool, typer.Option("--foxglove", help="Serve Foxglove (WebSocket), in real time.")]
Mavlink = Annotated[
    str | None,
    typer.Option(help="Address of a ground station that may monitor and command, in real time.", metavar="HOST:PORT"),
]
Joystick = Annotated[bool, typer.Option("--joystick", help="Fly with a joystick.")]
Map = Annotated[Path | None, typer.Option("--map", help="Axes and buttons of the joystick; see `cupola joystick`.")]
Keyboard = Annotated[bool, typer.Option("--keyboard", help="Fly with the keys of this terminal.")]
StickFile = Annotated[
    Path | None, typer.Option(help="Sticks from a .csv or .yaml file: rows of time, channels.", metavar="FILE")
]
Route = Annotated[
    str | None,
    typer.Option(
        help="Route for all route followers: a file with rows of duration, vx, vy, wz, or a name.", metavar="FILE"
    ),
]
RouteView = Annotated[
    str | None,
    typer.Option(help="Axes of the route file: body (vx forward, vy left) or thesis (vx right).", metavar="VIEW"),
]
Rerun = Annotated[bool, typer.Option("--rerun", help="Serve the Rerun viewer, in real time.")]
Plain = Annotated[bool, typer.Option("--plain", help="Run controllers as plain Python, for debugging.")]


Names = Annotated[
    str, typer.Option(help="Topic names: cupola, last_letter, omnivelma, cepheus, ros2_control.", metavar="DIALECT")
]
Commands = Annotated[
    Literal["lockstep", "free", "own"],
    typer.Option(help="Wait for commands of nodes, use the newest ones, or use own controllers."),
]
Rate = Annotated[
    float | None,
    typer.Option(
        help="Exchanges per second; default: the controller's rate.", metavar="HZ", callback=within(1e-6, 1e6)
    ),
]
Timeout = Annotated[
    float,
    typer.Option(
        min=0.01, help="Longest wait for an answer; then the run ends.", metavar="SECONDS", callback=UP_TO_LONGEST
    ),
]
Patience = Annotated[
    float, typer.Option(min=0.01, help="Longest wait for the first answer.", metavar="SECONDS", callback=UP_TO_LONGEST)
]
Node = Annotated[str, typer.Option(help="Name of the node.", metavar="NAME")]
Remap = Annotated[
    list[str] | None, typer.Option(help="Rename a topic or service; may be repeated.", metavar="FROM:=TO")
]
Duration = Annotated[
    float | None,
    typer.Option(help="Simulated time; default: the scenario's.", metavar="SECONDS", callback=within(0.0, LONGEST)),
]
Speed = Annotated[
    str | None,
    typer.Option(help="Speed relative to real time, or max; default: max in lock step, else 1.", metavar="FACTOR"),
]
Out = Annotated[Path, typer.Option(help="Folder for recordings and plots.", metavar="DIR")]
NoRecord = Annotated[bool, typer.Option("--no-record", help="Write no recording.")]


def viewers(foxglove: bool, rerun: bool) -> tuple[str, ...]:
    """Names of the requested viewers."""
    return ("foxglove",) * foxglove + ("rerun",) * rerun
