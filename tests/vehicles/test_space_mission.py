"""The capture in the simulator: on the truth, on sensors, by another process; and what goes wrong ends safely."""

import math
from itertools import groupby

import numpy as np
import pytest

import cupola
from cupola.control.space.mission import FAINT, SpaceMission, SpaceMissionSimulated
from cupola.control.space.mission_signs import CLOSE, FOLD, GO_ON, STOP
from cupola.control.space.payload_inertia import Load
from cupola.control.space.signals import SpaceSignals
from cupola.kernel.records import construct
from cupola.physics.planar import Pose
from cupola.physics.space_arm import LISTING, SIMULATED
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder
from cupola.reproduce.cepheus.figures import draw, figure_of
from cupola.reproduce.cepheus.run import Meeting, fly, meet, reach_of

from . import robots

START = (-60.0, 105.0, 45.0)
CHART = ["prepare", "home", "posture", "approach", "contact", "soft grip", "hard grip", "settle", "end"]
QUICK = {"duration": 3.0, "push": 0.3, "touch": 0.15, "dead_band": 0.06, "posture_time": 0.1, "intercept": 1.0}


def before_hand(ahead=0.06, **other):
    hand = reach_of(LISTING, START)
    grip = Pose(hand.x + ahead * math.cos(hand.yaw), hand.y + ahead * math.sin(hand.yaw), hand.yaw + 0.05)
    return Meeting("cepheus_listing", START, grip, **other)


def told(world):
    """What the mission says of itself."""
    return construct(SpaceSignals, world.runner("chaser").reported.tolist())


def seen(world):
    return robots.mission_memory(world)[1]


def path(run):
    return [state for state, _ in groupby(run.state)]


@pytest.fixture(scope="module", params=[0.0, 1.0, 2.0], ids=["truth", "thesis's filters", "encoders first"])
def captured(request):
    soft = {"duration": 10.0, "contact_damping": 5.0, "contact_stiffness": 5.0} if request.param == 1.0 else {}
    world = meet(before_hand(drift=(0.003, -0.004), spin=0.01), **{**QUICK, **soft}, eyes=request.param)
    return world, fly(world, 20.0, after=2.0)


@pytest.mark.parametrize(
    ("scenario", "mission", "arm"),
    [("listing", SpaceMission, LISTING), ("simulation", SpaceMissionSimulated, SIMULATED)],
)
def test_the_mission_believes_what_the_models_are(scenario, mission, arm):
    world = cupola.load(f"cepheus_{scenario}")
    model, mission = world.model, mission()
    mission.meet(world.robot("chaser"))
    target, tool = model.body("target/base"), model.body("chaser/gripper")
    interface = model.site("target/interface")
    assert Load(target.mass[0], -interface.pos[0], target.inertia[2]) == pytest.approx(mission.load)
    assert tool.mass[0] == mission.tool_mass
    assert tuple(mission.arm) == pytest.approx(tuple(arm), rel=1e-12, abs=1e-15)
    for joint, (low, high) in zip(("shoulder", "elbow", "wrist"), mission.ranges, strict=True):
        limits = model.joint(f"chaser/{joint}")
        assert limits.range.tolist() == [low, high] if math.isfinite(low) else not limits.limited


def test_a_parameter_given_after_loading_counts():
    world = meet(before_hand(), **QUICK, eyes=2.0)
    world.tune("chaser.eyes", 0.0)
    world.run(0.1)
    assert seen(world).seen == 1.0 and seen(world).measured.hand == pytest.approx(told(world).seen.hand)
    hand = world.samples["chaser", "hand_truth"].reading(18)
    assert told(world).seen.hand.x == pytest.approx(hand.pos_w.x, abs=1e-12)  # and not a filtered one


def test_the_mission_runs_unchanged_on_the_truth_and_on_sensors(captured):
    _, run = captured
    assert path(run) == CHART


def test_once_gripped_the_two_are_one_body_and_the_base_is_at_rest(captured):
    _, run = captured
    held = run.during(run.when("end"), math.inf)
    x, y, turn = np.ptp(held.hand - held.target, axis=0)
    assert max(x, y) < 1e-4 and turn < 1e-3
    assert np.abs(held.base[:, 0]).max() < math.radians(0.5)
    assert np.abs(held.base[:, 1]).max() < math.radians(0.3)


def test_the_base_keeps_its_attitude_all_along(captured):
    _, run = captured
    assert np.abs(run.base[:, 0]).max() < math.radians(1.0)


def test_the_figures_of_the_thesis_are_drawn_of_it(captured, tmp_path):
    """Every curve of figures 4.6 to 4.10: places and rates of hand and base, what is desired, torques, push, state."""
    _, run = captured
    figure = figure_of(run, "simulated")
    shown = run.during(run.when("approach") - 1.0, math.inf)
    panels = {ax.get_ylabel(): {line.get_label(): line.get_ydata() for line in ax.lines} for ax in figure.axes}
    for k, (place, rate) in enumerate([("x [m]", "ẋ [m/s]"), ("y [m]", "ẏ [m/s]"), ("θ of the hand [°]", "θ̇ [°/s]")]):
        unit = math.degrees(1.0) if k == 2 else 1.0
        assert panels[place]["ours"] == pytest.approx(shown.hand[:, k] * unit)
        assert panels[place]["target"] == pytest.approx(shown.target[:, k] * unit)
        assert panels[place]["desired"] == pytest.approx(shown.wanted[:, k + 1] * unit, nan_ok=True)
        assert panels[rate]["ours"] == pytest.approx(shown.hand_rate[:, k] * unit)
    assert panels["θ0 of the base [°]"]["ours"] == pytest.approx(np.degrees(shown.base[:, 0]))
    assert panels["θ̇0 [°/s]"]["ours"] == pytest.approx(np.degrees(shown.base[:, 1]))
    for k, joint in enumerate(("base", "shoulder", "elbow", "wrist")):
        assert panels["torques [N m]"][joint] == pytest.approx(shown.torques[:, k])
    assert panels["push on the target [N]"]["ours"] == pytest.approx(shown.push)
    assert [tick.get_text() for tick in figure.axes[-1].get_yticklabels()] == path(shown)
    draw(run, "simulated", tmp_path / "figure.png")
    assert (tmp_path / "figure.png").read_bytes()[:4] == b"\x89PNG"


def test_a_recording_holds_what_the_thesis_recorded(tmp_path):
    world = meet(before_hand(), **QUICK, eyes=2.0)
    tap = WorldRecorder(world, tmp_path / "capture.mcap")
    world.observers.append(tap)
    world.run(2.0)
    wanted, errors = told(world).hand, told(world).error
    tap.close()
    recording = Recording(tmp_path / "capture.mcap")
    poses = recording.table("/target/truth")["pose.pose.position.y"], recording.table("/chaser/hand_truth")
    assert len(poses[0]) == 401 and poses[1]["pose.pose.position.y"][-1] > poses[1]["pose.pose.position.y"][0]
    assert np.abs(recording.table("/chaser/channels")["command.0"]).max() > FAINT
    force = recording.table("/chaser/force")
    assert np.std(force["wrench.force.x"]) > 1e-3
    names = recording.table("/chaser/joint_states")
    assert {"position.3", "velocity.3"} <= set(names)
    named = recording.named("/chaser/controller")
    for axis in ("x", "y", "yaw"):
        assert named[f"hand.{axis}"][-1] == getattr(wanted, axis)
        assert named[f"error.{axis}"][-1] == getattr(errors, axis) != 0.0
    # The thesis's bag: desired, hand and target with their rates, errors, joints, torques, push.
    rates = {
        f"{body}_rate.{axis}" for body in ("hand", "seen.hand", "seen.target", "seen.base") for axis in ("x", "yaw")
    }
    joints = {
        f"{what}.{joint}" for what in ("seen.joints", "seen.joint_rates", "torques") for joint in ("elbow", "wrist")
    }
    assert rates | joints | {"blend", "push", "push_wanted", "wheel", "tries", "torques.base"} <= set(named)
    states = [SpaceMission.phases[int(number)] for number, _ in groupby(named["phase"][1:])]
    assert states == CHART[: CHART.index("approach") + 1]
    phases = recording.phases("chaser")  # also those that begin and end between two looks of the recorder
    assert [phase.text for phase in phases] == states
    changes = 1 + np.flatnonzero(np.diff(named["phase"][1:]))
    assert [phase.time for phase in phases[1:]] == pytest.approx(named["time"][1:][changes])


def test_it_runs_at_the_rate_of_the_listing_too():
    run = fly(meet(before_hand(rate_hz=200.0), **QUICK, eyes=2.0), 20.0)
    assert path(run) == CHART


def test_thrusters_stay_shut_unless_they_are_asked_for():
    world = meet(before_hand(), **QUICK, eyes=0.0)
    while world.mission("chaser") != "end":
        world.step(10)
        assert not world.command("chaser")[5:8].any()


def test_an_accelerated_gripper_does_not_feel_like_contact():
    """The sensor at the wrist feels 0.6 kg beyond it; the accelerometer takes that away."""
    world = meet(before_hand(0.3), **{**QUICK, "duration": 1.5}, eyes=0.0)
    raw, felt = [], []
    while world.time < 1.2:
        world.step(10)
        raw.append(world.samples["chaser", "force"].latest().force_s.x)
        felt.append(told(world).push)
    still, moving = slice(0, 50), slice(60, None)
    assert max(map(abs, raw[moving])) > 0.15 > 5 * np.std(raw[still])
    assert max(map(abs, felt[moving])) < 0.06


@pytest.mark.parametrize(("channel", "state"), [(STOP, "stopped"), (CLOSE, "safe-close")])
def test_the_operator_stops_it_in_the_middle_of_the_way(channel, state):
    world = meet(before_hand(), **QUICK, eyes=0.0)
    world.run(2.0)
    assert world.mission("chaser") == "approach"
    world.sticks([0.0] * channel + [1.0], "chaser")
    world.run(0.02)
    assert world.mission("chaser") == state
    assert world.command("chaser")[:5].tolist() == [FAINT, FAINT, FAINT, FAINT, 0.0]
    world.sticks([0.0] * 20, "chaser")
    world.run(0.5)
    assert world.mission("chaser") == state


def test_safe_close_keeps_hold_of_the_target_and_can_go_on():
    world = meet(before_hand(), **QUICK, eyes=0.0)
    fly(world, 20.0)
    world.sticks([0.0] * CLOSE + [1.0], "chaser")
    world.run(1.0)
    gripper = world.samples["chaser", "grip"].latest()
    assert (world.mission("chaser"), gripper.finished, gripper.holding) == ("safe-close", 2.0, 1.0)
    world.sticks([0.0] * GO_ON + [1.0], "chaser")
    world.run(0.1)
    assert world.mission("chaser") == "prepare"


def test_the_safe_posture_is_reached():
    world = meet(before_hand(0.9), **{**QUICK, "posture_time": 8.0}, eyes=0.0)
    world.run(0.6)
    world.sticks([0.0] * FOLD + [1.0], "chaser")
    world.run(10.0)
    assert np.degrees(told(world).seen.joints) == pytest.approx([45.0, 45.0, 10.0], abs=0.5)
    assert world.mission("chaser") == "safe posture"


@pytest.mark.parametrize("body", ["chaser.base_mocap", "target.mocap"])
def test_a_robot_that_no_longer_sees_lets_go_of_its_motors(body):
    world = meet(before_hand(), **QUICK, eyes=2.0)
    world.run(2.0)
    assert world.mission("chaser") == "approach"
    world.fail(body, "loss", 1.0)
    world.run(0.45)
    assert world.mission("chaser") == "approach"
    world.run(0.15)
    assert world.mission("chaser") == "safe-close: blind"
    assert world.command("chaser")[:4].tolist() == [FAINT] * 4


def test_single_lost_samples_do_not_matter():
    world = meet(before_hand(), **QUICK, eyes=2.0)
    for body in ("chaser.base_mocap", "chaser.hand_mocap", "target.mocap"):
        world.fail(body, "loss", 0.1)
    assert path(fly(world, 20.0)) == CHART


def test_an_arm_that_would_have_to_stretch_retreats_and_tries_again():
    world = meet(before_hand(0.06, drift=(0.0, 0.3)), **QUICK, eyes=0.0)
    run = fly(world, 5.0)
    ways = [state for state in path(run) if state in ("approach", "retreat")]
    assert ways[:3] == ["approach", "retreat", "approach"]
    assert np.abs(run.torques).max() <= 10.0


def test_thrusters_stop_the_drift_of_the_two():
    speeds = []
    for station in (0.0, 1.0):
        world = meet(before_hand(drift=(0.02, 0.0)), **QUICK, eyes=0.0, station=station)
        fly(world, 60.0, after=20.0)
        base = world.motion("chaser")
        speeds.append(math.hypot(base.vel_w.x, base.vel_w.y))
        place = robots.mission_memory(world)[0].aim.place
    # 10 of 23.6 kg with 20 mm/s, less what the push of 0.3 N adds between them, which is none of both together.
    assert speeds[0] == pytest.approx(0.02 * 10.0 / 23.57, rel=0.1)
    assert speeds[1] < 0.3 * speeds[0]
    assert math.hypot(base.pos_w.x - place.x, base.pos_w.y - place.y) < 0.03
