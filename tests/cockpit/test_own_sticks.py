"""Vehicles of strangers whose sticks are passed on as they are: a stick is called what it moves, or it is not shown."""

import numpy as np
import pytest

from cupola.cockpit.scene import scene_of

GEOM = '<geom type="box" size="0.1 0.1 0.1" mass="1"/>'
BASE = f'<body name="base" pos="0 0 1"><freejoint/>{GEOM}{{}}</body>'
ARM = f'<body name="arm" pos="0 0 0.2"><joint name="hinge" axis="0 1 0"/><body pos="0.2 0 0">{GEOM}</body></body>'
MOTOR = {"kind": "joint_motor", "joint": "hinge", "channel": 1}


@pytest.mark.parametrize(
    ("inside", "parts", "moved"),
    [
        ("", {}, {}),
        (ARM, {"elbow": MOTOR}, {"pitch": "elbow"}),
        (ARM, {"elbow": MOTOR | {"channel": 5}}, {}),
    ],
    ids=["nothing", "one motor", "a motor that no stick reaches"],
)
def test_labels_are_what_moves(vehicle, make_world, inside, parts, moved):
    world = make_world(vehicle(BASE.format(inside), parts=parts))
    (info,) = scene_of(world).vehicles
    words = info.stick_words[0].model_dump()
    assert {stick: one for stick, one in words.items() if any(one)} == {
        stick: (f"{part} +", f"{part} −") for stick, part in moved.items()
    }
    begun = world.snapshot()
    for k, stick in enumerate(words):
        ends = []
        for value in (0.0, 1.0):
            world.restore(begun)
            world.sticks([value * (k == at) for at in range(4)])
            world.run(0.2)
            ends.append(np.copy(world.arrays.qpos))
        assert np.array_equal(ends[0], ends[1]) == (stick not in moved), stick
    shown = {one.name for one in info.channels[0] if one.channel < 4}
    assert shown == set(moved)
