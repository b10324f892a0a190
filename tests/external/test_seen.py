"""What goes to a model and what comes back is recorded and can be plotted."""

import numpy as np

from cupola.cockpit.frame import Frame
from cupola.cockpit.scene import pushed_sites
from cupola.record.read import Recording
from cupola.record.world_recorder import WorldRecorder


def test_the_exchange_is_in_the_recording(doors, tmp_path):
    world = doors("fmi2", air={"wind": {"speed": 4.0, "from_deg": 270, "up": 2.0}})
    tap = WorldRecorder(world, tmp_path / "run.mcap")
    world.observers.append(tap)
    world.run(0.5)
    tap.close()
    recording = Recording(tmp_path / "run.mcap")
    assert recording.topics["/toy/wing"] == "cupola_msgs/msg/Exchange"
    table = recording.table("/toy/wing", text=True)
    assert [table[f"input_name.{k}"][0] for k in range(3)] == ["rate", "air", "density"]
    assert [table[f"output_name.{k}"][0] for k in range(2)] == ["torque", "force"]
    joint = recording.table("/toy/joint_states")
    # What it was given at a tick is the motion at the end of the tick before; a row tells the end of its own.
    assert table["input.0"][-1] != 0.0 and abs(table["input.0"][-1] - joint["velocity.0"][-1]) < 0.05
    assert table["output.0"][-1] == world.data.qfrc_applied[0]


def test_the_exchange_is_among_the_signals(doors):
    world = doors("c", air={"wind": {"speed": 4.0, "from_deg": 270, "up": 2.0}})
    world.step(100)
    found = {one.name: (one.unit, world.signal(one.name)) for one in world.signals()}
    assert found["toy.wing.density"] == ("kg/m³", world.signal("toy.density"))
    assert found["toy.wing.rate"][0] == "rad/s" and found["toy.wing.air"][0] == "m/s"
    assert found["toy.wing.torque"] == ("N m", world.data.qfrc_applied[0])
    assert found["toy.wing.force"][0] == "N" and found["toy.wing.stored"][0] == "1"


def test_the_force_of_a_model_is_an_arrow(doors):
    world = doors("c", air={"wind": {"speed": 4.0, "from_deg": 270, "up": 2.0}})
    assert list(pushed_sites(world)) == ["toy.wing.root"]
    world.step(100)
    frame = Frame(world)
    frame.fill()
    (section,) = [one for one in frame.layout if one.name == "forces"]
    arrow = frame.numbers[section.offset : section.offset + section.width]
    force = world.signal("toy.wing.force")
    assert force > 0.05  # the wind blows it up
    np.testing.assert_allclose(arrow[:3], world.data.site("toy/root").xpos)
    np.testing.assert_allclose(arrow[3:], force * world.data.site("toy/root").xmat.reshape(3, 3)[:, 2])
