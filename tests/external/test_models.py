"""Models from outside, whoever is behind them: what they read and drive, when, and what they remember."""

import math

import numpy as np
import pytest

from cupola import InputError

DOORS = ["python", "c", "fmi2", "fmi3"]
BLOW = {"wind": {"speed": 4.0, "from_deg": 30, "up": 1.0}}
ECHO = """
from cupola import External

class Echo(External):
    gives: list = []
    _calls: list = []
    _seen: list = []

    def step(self, x, time, dt):
        self._calls.append((time, dt))
        self._seen.append(x)
        return {name: value for name, value in zip(("a", "b", "c"), self.gives)}
"""


def echo(flapper, inputs=None, outputs=None, gives=(), **more):
    part = {"kind": "echo.py:Echo", "inputs": inputs or {}, "outputs": outputs or {}, "gives": list(gives)}
    options = {key: more.pop(key) for key in ("rate_hz",) if key in more}
    world = flapper({**part, **options}, files={"echo.py": ECHO}, **more)
    return world, world.assembly.parts[0].part


def kick(world, rate=8.0):
    world.data.qvel[0] = rate
    world.restore(world.snapshot())
    return world


def test_one_wing_behind_every_door_moves_the_same_to_the_bit(doors):
    ends = {}
    for door in DOORS:
        world = kick(doors(door, name=door, air=BLOW))
        world.step(1000)
        ends[door] = [*world.data.qpos, *world.data.qvel]
    assert len({tuple(end) for end in ends.values()}) == 1, ends
    assert abs(ends["c"][0]) > 0.1 and ends["c"][2] != 8.0  # it did move, and the model did act


def test_a_model_turns_a_joint(flapper):
    world, _ = echo(flapper, outputs={"joint.flap.torque": "a", "joint.rail.force": "b"}, gives=[0.03, -4.0])
    world.step(100)
    assert world.data.qvel == pytest.approx([0.03 / 0.006 * 0.1, -4.0 / 2.0 * 0.1], rel=1e-9)


@pytest.mark.parametrize("integrator", ["Euler", "RK4"])
def test_several_models_on_one_joint_add_up(vehicle, make_world, bodies, integrator):
    code = "def one(x, time, dt):\n    return {'torque': 0.02}\ndef two(x, time, dt):\n    return {'torque': 0.01}\n"
    parts = {n: {"kind": f"pull.py:{n}", "outputs": {"joint.flap.torque": "torque"}} for n in ("one", "two")}
    world = make_world(
        vehicle(bodies, parts=parts, files={"pull.py": code}), gravity=0.0, physics_hz=1000, integrator=integrator
    )
    world.step(100)
    assert world.data.qvel[0] == pytest.approx(0.03 / 0.006 * 0.1, rel=1e-9)


def test_two_vehicles_have_a_model_each(doors, make_world, tmp_path):
    lone = {}
    for door in DOORS:
        lone[door] = kick(doors(door, name=door, air=BLOW))
        lone[door].step(300)
    entries = [str(tmp_path / door) for door in DOORS]  # they have no shape to meet with
    together = make_world(*entries, gravity=0.0, physics_hz=1000, air=BLOW)
    together.data.qvel[::2] = 8.0
    together.restore(together.snapshot())
    together.step(300)
    for k, door in enumerate(DOORS):
        assert together.data.qpos[2 * k] == pytest.approx(lone[door].data.qpos[0], rel=1e-12)


def test_a_model_pushes_at_a_site_in_its_axes(flapper):
    # The nose is turned by 90° about z: its x points along the y of the world, its -y along the x of the rail.
    world, _ = echo(flapper, outputs={"site.nose.force_s": "a"}, gives=[[5.0, -3.0, 0.0]])
    world.step(100)
    assert world.data.qvel[1] == pytest.approx(3.0 / 2.0 * 0.1, rel=1e-9)
    # At the root a force along z has an arm of 0.1 m about the hinge's y: -0.1 x 2; a torque about y acts as it is.
    outputs = {"site.root.force_s.z": "a", "site.root.torque_s.y": "b"}
    world, _ = echo(flapper, outputs=outputs, gives=[2.0, 0.35], name="other")
    world.step(1)
    assert world.data.qvel[0] == pytest.approx((0.35 - 0.1 * 2.0) / 0.006 * 0.001, rel=1e-9)


def test_a_model_gives_targets_to_the_joints_own_actuator(flapper):
    servo = '<actuator><position name="pull" joint="rail" kp="200" dampratio="1"/></actuator>'
    world, _ = echo(flapper, outputs={"actuator.pull.control": "a"}, gives=[0.4], after=servo)
    world.step(2000)
    assert world.data.qpos[1] == pytest.approx(0.4, abs=1e-6)


def test_a_model_reads_joints_sites_bodies_air_channels_and_the_time(flapper):
    inputs = {
        "time": "now", "joint.rail.position": "x", "joint.rail.velocity": "v", "site.nose.pos_w": "place",
        "site.nose.quat_ws": "turn", "site.nose.vel_w": "vel_w", "site.nose.vel_s": "vel_s", "site.nose.rate_s": "rate",
        "site.nose.vel_air_s": "through", "body.cart.vel_air_b.x": "through_x", "body.arm.rate_b": "arm_rate",
        "body.arm.quat_wb": "arm_turn", "air.wind_w": "wind", "air.density": "density", "air.pressure": "pressure",
        "air.temperature": "temperature", "channel.1": "stick",
    }  # fmt: skip
    wind = {"wind": {"speed": 3.0, "from_deg": 270}}  # toward +x
    world, part = echo(flapper, inputs, air=wind)
    world.data.qvel[:] = [2.0, 0.7]
    world.data.qpos[:] = [0.3, 0.25]
    world.restore(world.snapshot())
    world.sticks([0.0, 0.5, 0.0, 0.0])
    world.step(12)
    first, late = part._seen[0], part._seen[-1]
    assert (first.now, late.now) == (0.0, pytest.approx(0.011))
    assert (first.x, first.v) == (0.25, 0.7)
    assert first.place == pytest.approx((0.25, 1.0, 0.5))
    assert first.turn == pytest.approx((math.sqrt(0.5), 0, 0, math.sqrt(0.5)))
    assert first.vel_w == pytest.approx((0.7, 0, 0)) and first.vel_s == pytest.approx((0, -0.7, 0), abs=1e-12)
    assert first.through == pytest.approx((0, 2.3, 0), abs=1e-12) and first.through_x == pytest.approx(-2.3)
    assert first.rate == pytest.approx((0, 0, 0)) and first.arm_rate == pytest.approx((0, 2.0, 0))
    assert first.arm_turn == pytest.approx((math.cos(0.15), 0, math.sin(0.15), 0))
    assert first.wind == pytest.approx((3.0, 0, 0), abs=1e-12)
    assert (first.density, first.pressure, first.temperature) == pytest.approx((1.225, 101325, 288.15), rel=1e-3)
    assert late.stick == 0.5


@pytest.mark.parametrize("door", DOORS)
def test_a_slower_model_is_asked_every_few_ticks_and_held_between(doors, door):
    world = kick(doors(door, rate_hz=250, air=BLOW))
    held = []
    for _ in range(40):
        world.step(1)
        held.append(float(world.data.qfrc_applied[0]))
    groups = np.array(held).reshape(10, 4)
    assert (groups == groups[:, :1]).all() and len(set(groups[:, 0])) == 10


def test_a_slower_model_is_told_its_own_step(flapper):
    world, part = echo(flapper, rate_hz=200)
    world.step(20)
    assert part._calls == [(pytest.approx(k * 0.005), 0.005) for k in range(4)]


@pytest.mark.parametrize(("rate", "nearest"), [(300, "250 or 333.333"), (3000, "1000"), (999, "500 or 1000")])
def test_a_rate_that_does_not_divide_is_refused_with_the_nearest_ones(flapper, rate, nearest):
    with pytest.raises(
        InputError, match=rf"parts\.wing: rate_hz: {rate} Hz does not .* 1000; nearest valid: {nearest} Hz"
    ):
        echo(flapper, rate_hz=rate)


@pytest.mark.parametrize("door", DOORS)
def test_a_reset_starts_the_model_over(doors, digest, door):
    world, fresh = kick(doors(door, name="a", air=BLOW)), kick(doors(door, name="b", air=BLOW))
    world.step(333)
    world.reset()
    kick(world)
    world.step(200)
    fresh.step(200)
    assert digest(world) == digest(fresh)


@pytest.mark.parametrize("rate_hz", [1000, 250])
@pytest.mark.parametrize("door", DOORS)
def test_a_snapshot_holds_the_model_and_another_world_can_go_on_from_it(doors, digest, door, rate_hz):
    world, other = (doors(door, name=name, rate_hz=rate_hz, air=BLOW) for name in "ab")
    kick(world).step(301)  # the slow one is in the middle of its step
    kept = world.snapshot()
    world.step(200)
    end = digest(world)
    for again in (world, other):
        again.restore(kept)
        again.step(200)
        assert digest(again) == end


@pytest.mark.parametrize("door", DOORS)
def test_a_vehicle_that_is_restarted_restarts_its_model_at_once(doors, door):
    world, fresh = kick(doors(door, name="a", rate_hz=250)), kick(doors(door, name="b", rate_hz=250))
    world.step(102)  # between two of its steps
    world.restart()
    kick(world)
    world.step(50)
    fresh.step(50)
    assert world.data.qpos == pytest.approx(fresh.data.qpos, abs=0.0)


def test_what_is_wrong_with_a_mapping_is_said(flapper):
    wrong = [
        ({"joint.flap.angle": "a"}, {}, r"inputs: joint\.flap\.angle: .*there are: joint\.NAME\.position"),
        ({"joint.flop.position": "a"}, {}, r"no joint 'flop'; its joint names: flap, rail"),
        ({"site.root.vel_b": "a"}, {}, r"there are: site\.root\.pos_w, site\.root\.quat_ws"),
        ({"site.root.vel_s.w": "a"}, {}, r"there are: site\.root\.vel_s\.x, .*\.y, .*\.z"),
        ({"air.humidity": "a"}, {}, r"there are: air\.wind_w, air\.density"),
        ({"weather": "a"}, {}, r"there are: time, channel\.N"),
        ({"site.root.vel_s": ["a", "b"]}, {}, r"it has 3 numbers, but a, b together 2"),
        ({"joint.flap.position": "a", "joint.flap.velocity": "a"}, {}, r"'a' is fed twice"),
        ({}, {"joint.flap.force": "a"}, r"there are: joint\.flap\.torque"),
        ({}, {"joint.rail.torque": "a"}, r"there are: joint\.rail\.force"),
        ({}, {"site.root.force_b": "a"}, r"there are: site\.root\.force_s, site\.root\.torque_s"),
        ({}, {"actuator.pull.control": "a"}, r"no actuator 'pull'; its actuator names: none"),
        ({}, {"wing.lift": "a"}, r"there are: site\.NAME\.force_s"),
    ]  # fmt: skip
    for k, (inputs, outputs, said) in enumerate(wrong):
        with pytest.raises(InputError, match=said):
            echo(flapper, inputs, outputs, [0.0], name=f"v{k}")


def test_a_joint_with_more_coordinates_is_refused(flapper):
    body = '<body name="base"><freejoint name="free"/><geom size="0.1" mass="1"/></body>'
    with pytest.raises(InputError, match="'free' has more than one coordinate; read the motion of a site or body"):
        echo(flapper, {"joint.free.position": "a"}, bodies=body)


def test_a_model_in_python_is_tuned_while_it_runs(doors):
    world = doors("python")
    assert world.parameters["toy.wing.stiffness"][1] == 2.0
    world.tune("toy.wing.stiffness", 3.0)
    assert world.assembly.parts[0].part.stiffness == 3.0
    assert not [name for name in world.parameters if name.endswith("rate_hz")]


def test_parameters_of_a_library_that_stand_in_the_file_are_tuned_while_it_runs(doors):
    world, other = (
        doors("c", name="a", parameters={"stiffness": 2.0}),
        doors("c", name="b", parameters={"stiffness": 4.0}),
    )
    assert world.parameters["a.wing.stiffness"][1] == 2.0 and "a.wing.damping" not in world.parameters
    world.tune("a.wing.stiffness", 4.0)
    again = type(world)(world.scenario_now())
    for one in (world, other, again):
        kick(one).step(200)
    assert tuple(world.data.qpos) == tuple(other.data.qpos) == tuple(again.data.qpos)
    fmu = doors("fmi2", name="c", parameters={"stiffness": 2.0})
    assert not [name for name in fmu.parameters if name.startswith("c.wing")]  # those of an FMU are set at its start


def test_a_plain_function_is_a_model(flapper):
    code = "def pull(x, time, dt):\n    return {'torque': -0.5 * x.angle}\n"
    inputs, outputs = {"joint.flap.position": "angle"}, {"joint.flap.torque": "torque"}
    world = flapper({"kind": "pull.py:pull", "inputs": inputs, "outputs": outputs}, files={"pull.py": code})
    world.data.qpos[0] = 0.1
    world.step(1)
    world.step(1)
    assert world.data.qfrc_applied[0] == pytest.approx(-0.05, rel=1e-3)


def test_a_channel_beyond_the_usual_ones(flapper):
    world, part = echo(flapper, {"channel.33": "far"})
    world.turn(33, 0.25)
    world.step(2)
    assert part._seen[-1].far == 0.25


def test_there_is_no_load_at_rest_to_ask_for(doors):
    with pytest.raises(InputError, match="toy/wing: an external model has no load without a step"):
        doors("c").accelerate()
