"""Force sensors, motion capture and monitors in a recording."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from cupola.record.world_recorder import WorldRecorder

from .conftest import decode_independently

BODY = """<body name="base"><geom size="0.1" mass="1"/><site name="base"/>
<body name="hand"><joint axis="0 0 1"/><geom size="0.05" mass="0.5"/><site name="here"/></body></body>"""
PARTS = {
    "tank": {"kind": "gas_tank", "mass": 0.1, "reserve": 0.01},
    "force": {"kind": "force_torque", "site": "here", "rate_hz": 20, "force_noise": 0.01},
    "eye": {"kind": "motion_capture", "site": "here", "rate_hz": 20, "noise": 0.01},
    "gauge": {"kind": "monitor", "of": "tank", "rate_hz": 20},
}


def test_wrenches_transforms_and_named_numbers(
    vehicle: Callable[..., str], make_world: Callable[..., Any], tmp_path: Path
) -> None:
    world = make_world(vehicle(BODY, parts=PARTS, controller={"use": "idle", "rate_hz": 1}))
    tap = WorldRecorder(world, tmp_path / "flight.mcap")
    world.observers.append(tap)
    world.run(1.0)
    tap.close()
    last = {message.topic: message for message in decode_independently(tmp_path / "flight.mcap")}
    rows = {name: world.samples["toy", name].since(0)[-1, 1:] for name in ("force", "eye", "gauge")}
    force = [last["/toy/force"][f"wrench.{what}.{axis}"] for what in ("force", "torque") for axis in "xyz"]
    np.testing.assert_array_equal(force, rows["force"])
    pose = [last["/toy/eye"][f"transform.translation.{axis}"] for axis in "xyz"]
    turn = [last["/toy/eye"][f"transform.rotation.{axis}"] for axis in "wxyz"]
    np.testing.assert_array_equal([*pose, *turn], rows["eye"])
    assert last["/toy/eye"]["header.frame_id"] == "world"
    gauge = ("mass", "share", "flow", "pressure", "bottle_pressure")
    np.testing.assert_array_equal([last["/toy/gauge"][name] for name in gauge], rows["gauge"])
