"""The sheets show what was recorded, in the units they say, whatever is missing."""

import warnings
from pathlib import Path
from typing import Any

import matplotlib.image
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from cupola.record import Recorder, Recording, Stream, plot
from cupola.record.draw import POINTS, thin
from cupola.record.overview import Wind
from cupola.record.plot import figures

from .conftest import STREAMS, Written

ODOMETRY = next(stream for stream in STREAMS if stream.type.endswith("Odometry"))
SHEETS = ["actuators", "air_and_sensors", "commands", "drive", "motion", "overview", "parts", "polar_and_energy"]


def record(path: Path, *streams: tuple[Stream, Any], n: int = 300) -> Path:
    """`n` messages a second apart of each stream: numbers per column, constant or over time."""
    stamps = np.arange(n) * 1_000_000_000
    with Recorder(path, [stream for stream, _ in streams], metadata={"scenario": "test"}) as recorder:
        for stream, values in streams:
            columns = np.broadcast_arrays(stamps, *values)
            recorder.write(stream.topic, stamps, stamps, np.stack(columns, axis=1)[:, 1:])
        recorder.parameter_changed(2_000_000_000, "kp", 1.0)
    return path


def odometry(x: Any = 0.0, y: Any = 0.0, z: Any = 0.0, yaw: Any = 0.0, forward: Any = 0.0) -> list[Any]:
    return [x, y, z, 0.0, 0.0, np.sin(yaw / 2), np.cos(yaw / 2), forward, 0.0, 0.0, 0.1, 0.2, 0.3]


def curves(path: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """Values of every labelled line by sheet and panel."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for sheet, figure in figures(Recording(path), Figure):
        for ax in figure.axes:
            panel = found.setdefault((sheet, ax.get_title(loc="left")), {})
            panel.update({line.get_label(): line.get_ydata() for line in ax.lines})
    return found


def ink(path: Path) -> float:
    """Part of the sheet that is not white."""
    return float((matplotlib.image.imread(path)[:, :, :3].min(axis=2) < 0.9).mean())


def test_a_flight_gives_sheets_with_something_on_them(recorded: tuple[Path, Written], tmp_path: Path) -> None:
    files = plot(recorded[0], tmp_path)
    assert sorted(file.name for file in files) == [f"quadcopter.{sheet}.png" for sheet in SHEETS]
    for file in files:
        height, width, _ = matplotlib.image.imread(file).shape
        assert (width, height) == (1320, 792)
        assert 0.01 < ink(file) < 0.5, file.name


def test_each_vehicle_has_its_own_sheets(tmp_path: Path) -> None:
    rover = ODOMETRY._replace(topic="/rover/odom")
    path = record(
        tmp_path / "two.mcap", (ODOMETRY, odometry(z=np.arange(300.0))), (rover, odometry(x=np.arange(300.0)))
    )
    names = [file.name for file in plot(path, tmp_path)]
    assert names == ["quadcopter.overview.png", "quadcopter.motion.png", "rover.overview.png", "rover.motion.png"]
    panels = {(sheet, panel) for sheet, panel in curves(path) if sheet.endswith("overview")}
    assert ("quadcopter.overview", "Height") in panels and ("quadcopter.overview", "Tilt") in panels
    assert ("rover.overview", "Heading") in panels and ("rover.overview", "Height") not in panels


def test_curves_are_in_the_units_on_the_axes(tmp_path: Path) -> None:
    """Due north at 5 m/s into a wind of 3 m/s from the north: heading 90 deg, 8 m/s through the air."""
    air = Stream("/quadcopter/air", "cupola_msgs/msg/Air", ("wind.x", "wind.y"))
    north = np.arange(300.0) * 5
    going_north = odometry(y=north, z=7.0, yaw=np.pi / 2, forward=5.0)
    found = curves(record(tmp_path / "north.mcap", (ODOMETRY, going_north), (air, [0.0, -3.0])))
    overview, motion = "quadcopter.overview", "quadcopter.motion"
    np.testing.assert_allclose(found[overview, "Speed"]["over ground"], 5.0, rtol=1e-15)
    np.testing.assert_allclose(found[overview, "Speed"]["through the air"], 8.0, rtol=1e-15)
    np.testing.assert_allclose(found[motion, "Attitude"]["yaw"], 90.0, rtol=1e-15)
    np.testing.assert_allclose(found[motion, "Turn rate (body)"]["z"], np.degrees(0.3), rtol=1e-15)
    np.testing.assert_array_equal(found[motion, "Position"]["y north"], north)
    assert (overview, "From above, wind 3.0 m/s ↓") in found


def test_the_truth_is_drawn_solid_and_the_estimate_dashed(tmp_path: Path) -> None:
    truth, estimate = (ODOMETRY._replace(topic=f"/quadcopter/{name}") for name in ("odometry", "filter"))
    path = record(tmp_path / "x.mcap", (estimate, odometry(x=1.0)), (truth, odometry(x=2.0)))
    figure = dict(figures(Recording(path), Figure))["quadcopter.motion"]
    lines = figure.axes[0].lines
    assert [line.get_ydata()[0] for line in lines[:6]] == [2.0, 0.0, 0.0, 1.0, 0.0, 0.0]
    assert [line.is_dashed() for line in lines[:6]] == [False] * 3 + [True] * 3
    legend = [text.get_text() for text in figure.axes[0].get_legend().texts]
    assert legend == ["x east", "y north", "z up", "filter"]


def test_commands_and_drives_share_a_panel_with_their_name(tmp_path: Path) -> None:
    columns = ("command.0", "command.1", "drive.0", "drive.1")
    channels = Stream("/bird/channels", "cupola_msgs/msg/Channels", columns, {"name": ["left wing", "right wing"]})
    found = curves(record(tmp_path / "x.mcap", (channels, [1.0, 2.0, 3.0, 4.0])))
    panel = found["bird.commands", "right wing"]
    assert (panel["command"][0], panel["drive"][0]) == (2.0, 4.0)


def test_only_what_tells_something_is_drawn(tmp_path: Path) -> None:
    """Sticks at rest, shafts that are drawn as rotors and the angle of a wheel are left out."""
    joy = Stream("/bird/joy", "sensor_msgs/msg/Joy", ("axes.0", "axes.1", "axes.2"))
    rotor = Stream("/bird/tail", "cupola_msgs/msg/Rotor", ("omega",))
    columns = tuple(f"{field}.{i}" for field in ("position", "velocity") for i in range(3))
    names = {"name": ["wheel", "tail_shaft", "elbow"]}
    joints = Stream("/bird/joint_states", "sensor_msgs/msg/JointState", columns, names)
    turning = np.arange(300.0)
    values = [turning, turning, np.sin(turning), 1.0, 2.0, 3.0]
    found = curves(record(tmp_path / "x.mcap", (joy, [0.0, 0.5, 0.0]), (rotor, [7.0]), (joints, values)))
    drawn = {panel: {label for label in lines if not label.startswith("_")} for (_, panel), lines in found.items()}
    assert drawn["Sticks"] == {"axes 1"}
    assert drawn["Joint position"] == {"elbow"}
    assert drawn["Joint speed"] == {"wheel", "elbow"}
    assert drawn["Rotor speed"] == {"tail"}


def test_changes_of_parameters_are_marked_but_not_their_first_values(tmp_path: Path) -> None:
    path = tmp_path / "x.mcap"
    stamps = np.arange(300) * 100_000_000
    with Recorder(path, [ODOMETRY], metadata={}) as recorder:
        recorder.write(ODOMETRY.topic, stamps, stamps, np.tile(odometry(z=3.0), (300, 1)))
        recorder.parameter_changed(0, "kp", 1.0)
        recorder.parameter_changed(7_000_000_000, "kp", 2.5)
    figure = dict(figures(Recording(path), Figure))["quadcopter.overview"]
    (height,) = [ax for ax in figure.axes if ax.get_title(loc="left") == "Height"]
    assert [line.get_xdata()[0] for line in height.lines[1:]] == [7.0]
    assert [text.get_text() for text in height.texts] == ["kp = 2.5"]


@pytest.mark.parametrize("n", [1, 2, 300])
def test_a_vehicle_that_stands_still_can_be_drawn(tmp_path: Path, n: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        files = plot(record(tmp_path / "still.mcap", (ODOMETRY, odometry(z=3.0)), n=n), tmp_path)
    assert [file.name for file in files] == ["quadcopter.overview.png", "quadcopter.motion.png"]


def test_numbers_that_are_no_number_leave_a_gap(tmp_path: Path) -> None:
    height = np.where(np.arange(300) < 100, np.nan, 5.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        path = record(tmp_path / "gap.mcap", (ODOMETRY, odometry(x=height, y=np.arange(300.0), z=height)))
        assert len(plot(path, tmp_path)) == 2


@pytest.mark.parametrize("stream", STREAMS, ids=lambda stream: stream.topic)
def test_any_topic_may_be_alone(tmp_path: Path, stream: Stream) -> None:
    path = record(tmp_path / "one.mcap", (stream, [1.0 + i for i in range(len(stream.columns))]))
    files = plot(path, tmp_path / "sheets")
    nothing = {"/tf", "/joy", "/clock"}  # belongs to no vehicle
    not_drawn = {f"/quadcopter/{name}" for name in ("scan", "wheels", "encoders", "tank", "model")}
    assert bool(files) == (stream.topic not in nothing | not_drawn)


def test_showing_opens_every_sheet(
    recorded: tuple[Path, Written], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plt.close("all")  # what other tests left open
    shown: list[int] = []
    monkeypatch.setattr(plt, "show", lambda: shown.append(len(plt.get_fignums())))
    files = plot(recorded[0], tmp_path, show=True)
    plt.close("all")
    assert shown == [len(SHEETS)] and all(file.exists() for file in files)


def test_thinning_loses_no_peak() -> None:
    time = np.linspace(0, 1, 1_000_003)
    values = np.zeros_like(time)
    values[[70_001, 500_000, 999_999]] = 3.0, -2.0, 1.0
    thin_time, thin_values = thin(time, values)
    assert len(thin_time) == len(thin_values) == 2 * POINTS
    assert sorted(thin_values[thin_values != 0]) == [-2.0, 1.0, 3.0]
    assert abs(thin_time[thin_values == 3.0][0] - time[70_001]) < 1 / POINTS


@pytest.mark.parametrize(("x", "y", "arrow"), [(1, 0, "→"), (0, 2, "↑"), (-1, -1, "↙"), (-3, 0, "←"), (1, -1, "↘")])
def test_the_wind_arrow_points_where_it_blows(x: float, y: float, arrow: str) -> None:
    assert str(Wind(x, y)).endswith(arrow)
