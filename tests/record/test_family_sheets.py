"""What the sheets of a family show, on recordings whose answers are known."""

import numpy as np
import pytest

from cupola.config.vehicle import MODELS
from cupola.physics.mecanum import VELMA, wheel_speeds
from cupola.physics.planar import Twist
from cupola.record import Recorder, Recording, Stream, plot
from cupola.record.family_sheets import drive, hand, polar
from cupola.record.sheets import Vehicle

TIMES = np.arange(50) * 10_000_000
ODOMETRY = (*(f"pose.pose.position.{a}" for a in "xyz"), "pose.pose.orientation.w")
TWIST = (*(f"twist.twist.linear.{a}" for a in "xyz"), "twist.twist.angular.z")


def record(path, parts, attachments=None):
    streams = [Stream(topic, kind, tuple(columns), constants) for topic, kind, columns, constants, _ in parts]
    with Recorder(path, streams, metadata={}, attachments=attachments or {}) as recorder:
        for topic, *_, values in parts:
            rows = np.broadcast_to(np.asarray(values, float), (len(TIMES), np.shape(values)[-1]))
            recorder.write(topic, TIMES, TIMES, rows)
    return Recording(path)


def odometry(name, place, twist):
    return (f"/{name}/odometry", "nav_msgs/msg/Odometry", (*ODOMETRY, *TWIST), {}, [*place, 1.0, *twist])


def test_a_wheel_that_turns_a_tenth_too_fast_slips_by_a_tenth(tmp_path):
    folder = MODELS / "velma_base"
    text = (folder / "vehicle.yaml").read_text()
    listed = text[text.index("wheels: [") + 9 :].partition("]")[0].split(",")
    names = [f"base/{name.strip()}" for name in listed]
    half = 0.5 * VELMA.wheelbase, 0.5 * VELMA.track
    places = [(half[0], -half[1]), (half[0], half[1]), (-half[0], half[1]), (-half[0], -half[1])]
    tf = {f"transforms.{k}.child_frame_id": name for k, name in enumerate(names)}
    columns = [f"transforms.{k}.transform.translation.{a}" for k in range(4) for a in "xy"]
    free = wheel_speeds(Twist(0.5, 0.2, 0.1), VELMA)
    turning = [1.1 * free.front_right, *free[1:]]
    keys = [f"velocity.{key}" for key in ("fr", "fl", "rl", "rr")]
    recording = record(
        tmp_path / "base.mcap",
        [
            odometry("base", (0.0, 0.0, 0.0), (0.5, 0.2, 0.0, 0.1)),
            ("/base/encoders/wheels", "cupola_msgs/msg/Encoders", keys, {}, turning),
            ("/tf", "tf2_msgs/msg/TFMessage", columns, tf, np.ravel(places)),
        ],
        {"base/vehicle.yaml": text},
    )
    slips = drive(Vehicle(recording, "base"))[2].lines
    assert [line.label for line in slips] == ["front right", "front left", "rear left", "rear right"]
    assert slips[0].values == pytest.approx(0.1 * VELMA.radius * free.front_right)
    for line in slips[1:]:
        assert line.values == pytest.approx(0.0, abs=1e-12)


def test_the_hand_is_where_it_shall_be_plus_its_error(tmp_path):
    names = ["hand.x", "hand.y", "error.x", "error.y", "push", "push_wanted"]
    values = [0.5, 0.2, 0.003, -0.004, 1.5, 2.0]
    columns = [f"value.{k}" for k in range(len(names))]
    recording = record(
        tmp_path / "arm.mcap", [("/arm/controller", "cupola_msgs/msg/Numbers", columns, {"name": names}, values)]
    )
    above, over, off, force = hand(Vehicle(recording, "arm"))
    assert (
        above.is_map and above.lines[0].time == pytest.approx(0.503) and above.lines[0].values == pytest.approx(0.196)
    )
    assert over.lines[2].values == pytest.approx(0.5) and over.lines[2].dashed
    assert off.lines[0].values == pytest.approx(5.0)  # mm
    assert [line.values[0] for line in force.lines] == [1.5, 2.0]


def test_hand_and_target_are_drawn_while_nothing_is_wanted_and_a_force_only_once_something_is(tmp_path):
    names = ["hand.x", "hand.y", "error.x", "error.y", "seen.hand.x", "seen.hand.y", "seen.target.x", "seen.target.y"]
    values = np.broadcast_to([0.5, 0.2, 0.1, 0.1, 0.6, 0.3, 0.7, 0.4], (len(TIMES), 8)).copy()
    values[:20, :4] = np.nan  # it still looks, and its force sensor shows the weight of the hand
    values[40:, :4] = np.nan  # it holds
    weight = np.zeros((len(TIMES), 3))
    weight[:20, 2], weight[20:, 2] = -6.0, -0.3
    columns, force = [f"value.{k}" for k in range(len(names))], [f"wrench.force.{axis}" for axis in "xyz"]
    recording = record(
        tmp_path / "arm.mcap",
        [
            ("/arm/controller", "cupola_msgs/msg/Numbers", columns, {"name": names}, values),
            ("/arm/force", "geometry_msgs/msg/WrenchStamped", force, {}, weight),
        ],
    )
    above, over, off, forces = hand(Vehicle(recording, "arm"))
    places = {line.label: line for line in above.lines}
    assert places["hand"].time == pytest.approx(0.6) and places["target"].values == pytest.approx(0.4)
    assert len(over.lines) == 6 and np.isnan(off.lines[0].values[:20]).all()
    assert np.isnan(forces.lines[0].values[:20]).all() and forces.lines[0].values[20:] == pytest.approx(0.3)


def test_a_wing_has_its_polar_and_its_energy(tmp_path):
    keys = ["airspeed", "alpha", "c_lift", "c_drag"]
    recording = record(
        tmp_path / "wing.mcap",
        [
            odometry("wing", (0.0, 0.0, 30.0), (10.0, 0.0, 0.0, 0.0)),
            ("/wing/wing", "cupola_msgs/msg/Airfoil", keys, {}, [10.0, 0.1, 0.6, 0.05]),
        ],
    )
    curve, _, energy, _ = polar(Vehicle(recording, "wing"))
    assert (curve.lines[0].time[0], curve.lines[0].values[0]) == (0.05, 0.6)
    assert energy.lines[0].values == pytest.approx(30.0 + 100.0 / (2.0 * 9.81))
    written = plot(recording.path, tmp_path / "png")
    assert tmp_path / "png" / "wing.polar_and_energy.png" in written


def test_other_robots_get_no_such_sheets(tmp_path):
    recording = record(tmp_path / "a.mcap", [odometry("a", (0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0))])
    vehicle = Vehicle(recording, "a")
    assert hand(vehicle) == drive(vehicle) == polar(vehicle) == []
