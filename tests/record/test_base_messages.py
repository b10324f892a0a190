"""What a base on Mecanum wheels writes down in every tick: the messages and transforms that its thesis asked for."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cupola.config.scenario import Record, Scenario, VehicleEntry
from cupola.config.vehicle import ControllerEntry
from cupola.record.world_recorder import WorldRecorder
from cupola.sim.world import World

from .conftest import Decoded, decode_independently

TICKS = 60
CORNERS = ("fr", "fl", "rl", "rr")
FRAMES = ("omnivelma/base", "pseudovelma/base", "omnivelma/scanner_right", "omnivelma/scanner_left")
"""The four points of the thesis: both bases, and the mirrors of the scanners."""


class Watch:
    """Keeps what the world was in each tick."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def observe(self, world: World) -> None:
        poses = {name: (*world.data.body(name).xpos, *world.data.body(name).xquat) for name in FRAMES}
        self.rows.append(
            {"tick": world.tick, "poses": poses, "motion": world.motion("omnivelma"), **self._wheels(world)}
        )

    @staticmethod
    def _wheels(world: World) -> dict[str, Any]:
        joints = [world.data.joint(f"omnivelma/wheel_{corner}") for corner in CORNERS]
        return {"angles": [j.qpos[0] for j in joints], "speeds": [j.qvel[0] for j in joints]}


@pytest.fixture(scope="module")
def drive(tmp_path_factory: Any) -> Any:
    """A base and its kinematic twin, recorded in every tick while they begin to move."""
    route = ControllerEntry(use="mecanum_route", rate_hz=1000)
    pair = (
        VehicleEntry(model="velma_base", name="omnivelma", controller=route, parts={"laser_left": {"intensity": True}}),
        VehicleEntry(
            model="velma_base", name="pseudovelma", controller=route, parts={"wheels": {"model": "kinematic"}}
        ),
    )
    world = World(Scenario(vehicles=pair, physics_hz=1000, record=Record(rate_hz=1000)))
    path: Path = tmp_path_factory.mktemp("base") / "drive.mcap"
    tap, watch = WorldRecorder(world, path), Watch()
    world.observers += [tap, watch]
    world.max_ticks_per_batch = 1
    for name in ("omnivelma", "pseudovelma"):
        world.sticks([0.3, 0.2, 0.5], name)
    watch.observe(world)
    world.run(TICKS * world.dt)
    tap.close()
    messages: dict[str, list[Decoded]] = {}
    for message in decode_independently(path):
        messages.setdefault(message.topic, []).append(message)
    return world, messages, {row["tick"]: row for row in watch.rows}


def test_all_four_transforms_are_there_in_every_tick(drive: Any) -> None:
    _, messages, rows = drive
    sent = {m.publish_time // 1_000_000: m for m in messages["/tf"]}
    assert sorted(sent) == sorted(rows) == list(range(TICKS + 1))
    for tick, message in sent.items():
        found = {t.child_frame_id: t for t in message["transforms"]}
        for name in FRAMES:
            assert found[name].header.frame_id == "world"
            stamp = found[name].header.stamp
            assert stamp.sec * 1000 + stamp.nanosec // 1_000_000 == tick
            place, turn = found[name].transform.translation, found[name].transform.rotation
            said = [place.x, place.y, place.z, turn.w, turn.x, turn.y, turn.z]
            np.testing.assert_allclose(said, rows[tick]["poses"][name], atol=1e-12)
    fixed = {t.child_frame_id: t for t in messages["/tf_static"][0]["transforms"]}
    for side in ("right", "left"):  # the mirror, 39 mm above the middle of its housing
        mirror = fixed[f"omnivelma/laser_{side}_site"]
        assert mirror.header.frame_id == f"omnivelma/scanner_{side}"
        assert mirror.transform.translation.z == pytest.approx(0.039)
    assert messages["/omnivelma/laser_left"][0]["header.frame_id"] == "omnivelma/laser_left_site"


def test_pose_and_twist_of_both_bases_in_every_tick(drive: Any) -> None:
    _, messages, rows = drive
    for name in ("omnivelma", "pseudovelma"):
        said = messages[f"/{name}/odometry"]
        assert [m.publish_time // 1_000_000 for m in said] == list(rows)
        assert {m["header.frame_id"] for m in said} == {"world"} and said[0]["child_frame_id"] == f"{name}/base"
        moved = said[-1]["pose.pose.position"]
        assert 0 < moved.x < 0.3 * TICKS / 1000 + 1e-9 and moved.y > 0
    motion, twist = rows[TICKS]["motion"], messages["/omnivelma/odometry"][-1]["twist.twist"]
    np.testing.assert_allclose([twist.linear.x, twist.linear.y, twist.angular.z], [*motion.vel_b[:2], motion.rate_b.z])


def test_encoders_wheel_by_wheel_in_every_tick(drive: Any) -> None:
    _, messages, rows = drive
    said = messages["/omnivelma/encoders/wheels"]
    assert [m.publish_time // 1_000_000 for m in said] == list(rows)
    for m, row in zip(said, rows.values(), strict=True):
        np.testing.assert_array_equal([m[f"angle.{corner}"] for corner in CORNERS], row["angles"])
        np.testing.assert_array_equal([m[f"velocity.{corner}"] for corner in CORNERS], row["speeds"])
    joints = messages["/omnivelma/encoders"][-1]
    assert list(joints["name"]) == [f"wheel_{corner}" for corner in CORNERS]
    np.testing.assert_array_equal(joints["position"], rows[TICKS]["angles"])


def test_wheel_commands_have_the_thesiss_order(drive: Any) -> None:
    world, messages, _ = drive
    last = messages["/omnivelma/wheels"][-1]
    x, y, arm = 0.3, 0.2, 0.74 * 0.5
    asked = np.array([x + y + arm, x - y - arm, x + y - arm, x - y + arm]) / 0.1016
    np.testing.assert_allclose([last[f"target.{corner}"] for corner in CORNERS], asked, rtol=1e-12)
    torques = [last[f"torque.{corner}"] for corner in CORNERS]
    np.testing.assert_array_equal(torques, world.signal("omnivelma.wheels.torque"))
    assert min(torques) != 0 and last["tripped"] == 0


def test_scans_have_all_nine_items(drive: Any) -> None:
    _, messages, _ = drive
    scan = messages["/omnivelma/laser_left"][-1]
    assert scan["header.stamp.nanosec"] == 60_000_000
    limits = [scan[field] for field in ("angle_min", "angle_max", "angle_increment", "time_increment", "scan_time")]
    fan = math.radians(135)
    np.testing.assert_allclose(limits, [-fan, fan, 2 * fan / 539, 0, 0.02], rtol=1e-6)
    np.testing.assert_allclose([scan["range_min"], scan["range_max"]], [0.06, 20], rtol=1e-6)
    assert len(scan["ranges"]) == len(scan["intensities"]) == 540
    assert len(messages["/omnivelma/laser_right"][-1]["intensities"]) == 0
    assert [m.publish_time // 1_000_000 for m in messages["/omnivelma/laser_left"]] == [0, 20, 40, 60]


def test_the_inertial_unit_has_attitude_and_variances(drive: Any) -> None:
    _, messages, rows = drive
    said = messages["/omnivelma/imu"]
    assert [m.publish_time // 1_000_000 for m in said] == list(rows)
    np.testing.assert_allclose(np.diag(said[0]["linear_acceleration_covariance"].reshape(3, 3)), 0.1**2, rtol=1e-4)
    np.testing.assert_allclose(np.diag(said[0]["angular_velocity_covariance"].reshape(3, 3)), 0.003**2, rtol=1e-4)
    turn = said[-1]["orientation"]
    np.testing.assert_allclose([turn.w, turn.x, turn.y, turn.z], rows[TICKS]["poses"]["omnivelma/base"][3:], atol=1e-12)
