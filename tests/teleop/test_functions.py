"""What channels do: boxes, angles, starting over, the user's own functions; all of it in snapshots and repeatable."""

import logging
from pathlib import Path

import numpy as np
import pytest

from cupola import InputError, SimulationError

BODY = """
<body name="base"><freejoint/><geom type="box" size="0.1 0.1 0.02" mass="1"/><site name="base"/>
  <body name="pod" pos="0.2 0 0"><joint name="pod" axis="0 1 0" damping="0.01"/>
    <geom type="sphere" size="0.02" mass="0.05"/></body></body>
"""
G = 9.81


def press(channel, value=1.0):
    return [value if k == channel else 0.0 for k in range(20)]


@pytest.fixture
def toy(vehicle, make_world):
    def make(mix=None, files=None, start=None, **scenario):
        folder = vehicle(BODY, channel_mix=mix or {}, files=files, start=start or {"position": [0, 0, 50]})
        return make_world(folder, physics_hz=1000, **scenario)

    return make


def test_a_box_leaves_with_the_motion_of_its_vehicle(toy):
    start = {"position": [1, 2, 50], "attitude_deg": [90, 0, 0], "velocity_b": [3, 0, 0], "rate_b": [0, 0, 2]}
    world = toy(boxes=3, start=start)
    assert world.boxes.dropped() == []
    world.sticks(press(6))
    world.step(1)
    # Rolled right side down by 90 degrees: "below" is to the left of world x, at +y; it falls one tick already.
    assert world.boxes.dropped() == [0]
    assert world.boxes.position(0) == pytest.approx([1.003, 2.1, 50.0], abs=2e-5)
    box = world.model.body("box0").id
    assert world.model.body_mass[box] == 1.0
    before = world.boxes.position(0)
    world.step(1000)
    # One second of free fall: semi-implicit Euler lags by g dt t / 2 = 5 mm.
    assert world.boxes.position(0) - before == pytest.approx([3.0, 0.0, -G / 2], abs=0.02)


def test_one_box_per_press_until_none_is_left(toy, caplog):
    world = toy(boxes=2)
    with caplog.at_level(logging.WARNING, "cupola"):
        for _ in range(3):
            world.sticks(press(6))
            world.step(100)
            world.sticks(press(6, 0.0))
            world.step(100)
    assert world.boxes.dropped() == [0, 1]
    assert "all 2 boxes are out" in caplog.text
    world.sticks(press(7))
    world.step(1)
    assert world.boxes.dropped() == []


def test_parked_boxes_stay_parked_and_do_not_touch_the_flight(toy, make_world):
    world = toy(boxes=5)
    bare = make_world(str(world.instances[0].path.parent), physics_hz=1000)
    parked = [world.boxes.position(i) for i in range(5)]
    world.step(3000)
    bare.step(3000)
    assert np.abs(np.array(parked) - [world.boxes.position(i) for i in range(5)]).max() < 1e-9
    assert world.motion().pos_w == pytest.approx(bare.motion().pos_w, abs=1e-12)
    assert bare.model.nv == world.model.nv - 30


def test_boxes_rest_on_the_floor(toy):
    world = toy(boxes=1, floor={}, start={"position": [0, 0, 0.4]})
    world.drop_box()
    world.run(2.0)
    assert world.boxes.position(0)[2] == pytest.approx(0.025, abs=2e-3)


def test_a_box_lands_on_another_vehicle_and_weighs_on_it(vehicle, make_world):
    """Dropped above a plate that stands on the floor, it comes to rest on the plate."""
    plate = '<body name="base"><freejoint/><geom name="plate" type="box" size="0.5 0.5 0.1" mass="20"/></body>'
    above = {"model": vehicle(BODY, name="above"), "position": [0, 0, 1], "freedom": "fixed"}
    below = {"model": vehicle(plate, name="below"), "position": [0, 0, 0.1]}
    world = make_world(above, below, physics_hz=1000, boxes=1, floor={})
    world.drop_box("above")
    world.run(2.0)
    assert world.boxes.position(0)[2] == pytest.approx(0.2 + 0.025, abs=2e-3)
    weighed = sum(one.force_w.z for one in world.contacts() if {one.first, one.second} == {"below/plate", "box0"})
    assert abs(weighed) == pytest.approx(G, rel=0.01)


@pytest.mark.parametrize("half", [0.02, 0.08, 0.4])
def test_a_box_is_born_outside_its_vehicle_and_falls_away_from_it(half, vehicle, make_world):
    """0.1 m below the root, or farther where the vehicle itself is there: nothing throws it out."""
    body = f'<body name="base"><freejoint/><geom type="box" size="0.2 0.2 {half}" mass="1"/></body>'
    start = {"position": [0, 0, 50], "attitude_deg": [0, 60, 0], "velocity_b": [3, 0, 0]}
    world = make_world(
        {"model": vehicle(body, name=f"tall{half:g}".replace(".", "_")), **start}, physics_hz=1000, boxes=1
    )
    world.drop_box()
    away = np.linalg.norm(world.boxes.position(0) - np.array(world.motion().pos_w))
    assert away == pytest.approx(max(0.1, half + 0.025), abs=0.0101)
    world.run(1.0)  # both fall alike
    assert np.linalg.norm(world.boxes.position(0) - np.array(world.motion().pos_w)) == pytest.approx(away, abs=1e-6)


def test_without_boxes_the_warning_says_how_to_get_them(toy, caplog):
    world = toy()
    with caplog.at_level(logging.WARNING, "cupola"):
        world.sticks(press(6))
        world.step(1)
    assert "boxes: 10" in caplog.text


def test_boxes_are_in_snapshots_and_reset(toy, digest):
    world = toy(boxes=2)
    world.sticks(press(6))
    world.step(10)
    kept = world.snapshot()
    world.step(50)
    world.remove_boxes()
    first = digest(world)
    world.restore(kept)
    assert world.boxes.dropped() == [0]
    world.step(50)
    world.remove_boxes()
    assert digest(world) == first
    world.restore(kept)
    world.reset()
    assert world.boxes.dropped() == []


def test_angles_step_while_held_and_stop_at_their_limits(toy):
    world = toy({"camera_angle": 4, "laser_angle": 5})
    world.sticks(press(4))
    world.step(1)
    assert world.command()[4] == pytest.approx(0.1)
    world.step(100)  # two more periods of 50 ms
    assert world.command()[4] == pytest.approx(0.3)
    world.run(3.0)
    assert world.command()[4] == 2.0
    world.sticks([*press(4, -1.0)[:5], 1.0])
    world.run(5.0)
    assert world.command()[4:6].tolist() == [-2.0, -1.0]  # the laser turns the other way
    world.sticks([0, 0, 0, 0, 0.99, -1.0])  # not at its end: nothing
    world.run(3.0)
    assert world.command()[4:6].tolist() == [-2.0, 1.0]


def test_a_servo_turns_the_joint_to_the_angle(vehicle, make_world):
    tilted = BODY.replace('damping="0.01"', 'damping="0.01" armature="0.001"')
    motor = '<actuator><position name="pod" joint="pod" kp="1" kv="0.05"/></actuator>'
    servo = {"kind": "servo", "channel": 4, "actuator": "pod", "low": -2, "high": 2}
    folder = vehicle(tilted, parts={"tilt": servo}, channel_mix={"camera_angle": 4})
    model = Path(folder) / "model.xml"
    model.write_text(model.read_text().replace("</mujoco>", f"{motor}</mujoco>"))
    world = make_world(folder, physics_hz=1000, gravity=0)
    world.sticks(press(4))
    world.run(0.201)  # at 0, 0.05, 0.1, 0.15 and 0.2 s
    world.sticks(press(4, 0.0))
    world.run(2.0)
    assert world.command()[4] == pytest.approx(0.5)
    assert world.arrays.qpos[7] == pytest.approx(0.5, abs=1e-3)


def test_a_stopped_run_remembers_which_boxes_were_out(toy, tmp_path):
    world = toy(boxes=2)
    world.dump_folder = tmp_path
    world.drop_box()
    world.step(20)
    world.sticks([float("nan")])
    with pytest.raises(SimulationError):
        world.step(20)
    other = make_again(world)
    other.restore(next(tmp_path.glob("*_stopped_at_20.npz")))
    assert other.boxes.dropped() == [0]
    other.sticks([0.0])
    other.step(100)
    # Nothing holds the box in the air: 0.12 s of free fall (Euler lags by g dt t / 2).
    assert other.boxes.position(0)[2] == pytest.approx(49.9 - G * 0.12**2 / 2, abs=1e-3)


def make_again(world):
    return type(world)(world.scenario, world.folder)


def test_too_many_channels_are_refused(toy):
    with pytest.raises(InputError, match="there are 20 stick channels, got 21"):
        toy().sticks([0.0] * 21)


def test_same_angle_however_the_run_is_cut(toy, digest):
    world = toy({"camera_angle": 4})
    digests = []
    for portion in (1, 7, 210):
        world.reset()
        world.sticks(press(4))
        for _ in range(210 // portion):
            world.step(portion)
        digests.append((float(world.command()[4]), digest(world)))
    assert digests[0] == digests[1] == digests[2]
    assert digests[0][0] == pytest.approx(0.5)


def test_reset_channel_puts_the_vehicle_back_and_time_goes_on(toy):
    start = {"position": [1, 2, 50], "velocity_b": [3, 0, 0]}
    world = toy(start=start)
    world.arrays.qvel[6] = 4.0
    world.run(0.5)
    assert world.arrays.qpos[7] != 0.0
    world.sticks(press(17))
    world.step(1)
    assert world.tick == 501
    assert world.motion().pos_w == pytest.approx((1.003, 2, 50), abs=1e-4)
    assert abs(world.arrays.qpos[7]) < 1e-6
    world.step(500)  # still pressed: once only
    assert world.motion().pos_w.z < 49


def test_sticks_are_taken_from_the_channels_of_the_mix(toy):
    world = toy({"roll": 5, "pitch": 0, "yaw": -1, "throttle": 3})
    world.sticks([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    world.step(1)
    assert world.command()[:4] == pytest.approx([0.6, 0.1, 0.0, 0.7])


def test_plane_sticks_go_straight_to_surfaces_and_one_throttle_to_all_motors(vehicle, make_world):
    motor = {"kind": "rotor", "site": "base", "channel": 3}
    motor["generic"] = {"s_prop": 0.01, "c_prop": 1, "k_motor": 50, "k_t_p": 0, "k_omega": 100}
    parts = {"left": {**motor, "direction": 1}, "right": {**motor, "direction": -1}}
    world = make_world(vehicle(BODY, parts=parts), physics_hz=1000)
    world.sticks([0.3, -0.4, 0.5, 0.6])
    world.step(1)
    assert world.command()[:4] == pytest.approx([0.3, -0.4, 0.5, 0.8])
    thrusts = [world.part(name).outputs.thrust for name in ("left", "right")]
    assert thrusts[0] == thrusts[1] == pytest.approx(0.5 * 1.225 * 0.01 * (0.8 * 50) ** 2, rel=0.01)


OWN = """
from cupola.config.channels import ChannelFunctions

class Mine(ChannelFunctions):
    def __init__(self):
        self.heard = []

    def on_controller(self, channel, value, before):
        self.heard.append(("controller", channel, value, before))

    def on_world(self, channel, value, before):
        self.heard.append(("world", channel, value, before))
        if channel == 8 and value == 1:
            self.world.drop_box(self.vehicle)

    def on_model(self, channel, value, before):
        self.heard.append(("model", channel, value, before))
        self.world.turn(9, 0.5 * value, self.vehicle)
"""


def test_functions_of_the_user_are_called_at_three_points(toy):
    world = toy({"own": "mine.py:Mine"}, {"mine.py": OWN}, boxes=1)
    own = world._functions[0]._own
    world.sticks(press(8))
    world.step(10)
    assert own.heard == [(where, 8, 1.0, 0.0) for where in ("controller", "world", "model")]
    assert world.boxes.dropped() == [0]
    assert world.command()[9] == 0.5
    kept = world.snapshot()
    world.sticks(press(8, 0.25))
    world.step(1)
    assert len(own.heard) == 6
    world.restore(kept)
    assert len(own.heard) == 3


@pytest.mark.parametrize(
    ("mix", "complaint"),
    [
        ({"own": "mine.py:Yours"}, "channel_mix.own.*it has: Mine"),
        ({"drop_box": 20}, "channel_mix.drop_box"),
        ({"drop_boxes": 6}, "drop_boxes.*did you mean"),
        ({"camera_angle": 4, "camera_command": 40}, "no command channel 40"),
    ],
)
def test_a_wrong_mix_is_refused(toy, mix, complaint):
    with pytest.raises(InputError, match=complaint):
        toy(mix, {"mine.py": OWN})
