"""Whether the step is short enough: an estimate before a run, and the same run at half the step."""

import logging

import numpy as np
import pytest
import yaml

import cupola
from cupola.analysis.convergence import Change, converge, halved
from cupola.config.scenario import find_scenario
from cupola.schema.yaml_files import InputError

from . import robots

STIFF = {"angle_gain": 1000, "speed_gain": 15}


def world_of(tmp_path, physics_hz: int, **gains):
    """A base of 2 kg, with gains of its own or with those of Velma, which weighs 83.6 kg."""
    file = robots.base(tmp_path / f"base{physics_hz}", 0.3)
    vehicle = yaml.safe_load(file.read_text())
    vehicle["parts"]["wheels"] |= gains
    file.write_text(yaml.safe_dump(vehicle, sort_keys=False))
    (tmp_path / "w.yaml").write_text(f"physics_hz: {physics_hz}\nvehicles: [{{model: {file.parent.name}}}]\n")
    return cupola.load(str(tmp_path / "w.yaml"))


def test_gains_that_are_stiff_for_the_step_are_warned_of_with_the_numbers(tmp_path, caplog):
    with caplog.at_level(logging.WARNING, "cupola"):
        world = world_of(tmp_path, 1000, **STIFF)
    assert len(world.cautions) == 4 and world.cautions[0].hopeless
    assert "wheel_fr with 1000 N m/rad and 15 N m s/rad on 1.94e-05 kg m²" in caplog.text
    caplog.clear()
    assert not world_of(tmp_path, 2000).cautions and not caplog.records  # its own gains follow from its mass


def test_check_refuses_what_will_break_down(tmp_path):
    from cupola.cli import inspection

    world_of(tmp_path, 1000, **STIFF)
    with pytest.raises(InputError, match="is stiff for a step of 1 ms"):
        inspection.check(str(tmp_path / "w.yaml"), as_json=True)


@pytest.mark.parametrize(
    "name",
    ["square", "cepheus_capture", "cepheus_simulation", "omni_solo", "servicer_capture", "vtol_mission"],
)
def test_shipped_scenarios_are_not_stiff(name):
    assert not cupola.load(name).cautions


@pytest.mark.parametrize("name", ["cessna_cruise", "flapper_tunnel", "robird_flight"])
def test_nor_are_those_with_wings(name):
    assert not cupola.load(name).cautions


def test_the_air_that_a_wing_carries_counts_as_its_mass():
    """As much as in the step itself: after one, MuJoCo's matrix has it."""
    from cupola.sim.step_size import _InverseMass

    world = cupola.load("flapper_tunnel")
    inverse = _InverseMass(world.assembly)
    world.step()
    np.testing.assert_allclose(inverse.data.M, world.data.M, rtol=1e-3, atol=1e-12)
    bare = world.model.body("flapper/left_wing")
    assert inverse.data.M[0] > 1.04 * (bare.inertia[0] + bare.mass[0] * bare.ipos[1] ** 2)


def test_a_motor_that_creeps_is_judged_by_its_pace():
    """Held beside the steps themselves: what passes reaches its place when the real motor does."""
    from cupola.sim.step_size import _creeps

    def steps(stiff, damped, count):
        place, speed = 1.0, 0.0
        for _ in range(count):
            speed -= damped * speed + stiff * place
            place += speed
        return place

    def exact(stiff, damped, count):
        fast, slow = sorted(np.roots([1.0, damped, stiff]).real)
        return float((np.exp(slow * count) * fast - np.exp(fast * count) * slow) / (fast - slow))

    for stiff, damped, follows in ((0.051, 1.013, True), (0.01, 1.4, True), (0.2, 1.2, False), (0.01, 1.9, False)):
        assert _creeps(stiff, damped) == follows, (stiff, damped)
        if follows:
            count = round(damped / stiff)
            assert steps(stiff, damped, count) == pytest.approx(exact(stiff, damped, count), rel=0.05)
    assert not _creeps(0.0, 1.2) and not _creeps(0.6, 0.1)  # a motor for speed, and one that swings


def test_two_motors_that_creep_alone_may_shake_each_other(tmp_path):
    """Two wings on a light trunk: each alone dies out, against each other they are twice as fast and grow."""
    wing = """<body name="{0}" pos="0 {1} 0"><joint name="{0}" type="hinge" axis="1 0 0"/>
      <inertial pos="0 {2} 0" mass="0.07" diaginertia="0.03 0.001 0.03"/></body>"""
    wings = wing.format("left", 0.05, 0.33) + wing.format("right", -0.05, -0.33)
    motors = "".join(f'<position name="{name}" joint="{name}" kp="{{0}}" kv="{{1}}"/>' for name in ("left", "right"))
    (tmp_path / "bird").mkdir()
    (tmp_path / "bird/vehicle.yaml").write_text("about: two wings\nmjcf: model.xml\ncontroller: {use: idle}\n")
    (tmp_path / "w.yaml").write_text("physics_hz: 2000\nfloor: null\nvehicles: [{model: bird}]\n")
    for kv, warned in ((2.5, True), (0.6, False)):
        (tmp_path / "bird/model.xml").write_text(
            '<mujoco model="bird"><worldbody><body name="base"><freejoint/>'
            f'<inertial pos="0 0 0" mass="0.3" diaginertia="0.0006 0.006 0.006"/>{wings}</body></worldbody>'
            f"<actuator>{motors.format(100 * kv, kv)}</actuator></mujoco>"
        )
        world = cupola.load(str(tmp_path / "w.yaml"))
        assert bool(world.cautions) == warned
        world.data.qvel[6:8] = 0.1, 0.1  # one up, one down
        world.step(8)
        assert (np.abs(world.data.qvel[6:8]).max() > 0.5) == warned


def gusts(scenario, folder, seconds: float):
    """The wind at a vehicle that cannot move."""
    from cupola.sim.world import World

    world, rows = World(scenario, folder), []
    for _ in range(round(seconds * 100)):
        world.run(0.01)
        rows.append(world.signal("quadcopter.wind"))
    return rows


def test_half_the_step_has_the_same_gusts():
    """Turbulence is drawn at the ticks of the coarser run: halving the step of `square` gave another gust."""
    scenario, folder = find_scenario("square")
    still = scenario.vehicles[0].model_copy(update={"freedom": "fixed", "position": (0.0, 0.0, 5.0)})
    scenario = scenario.model_copy(update={"vehicles": (still,), "measures": {}})
    coarse, fine = gusts(scenario, folder, 0.5), gusts(halved(scenario), folder, 0.5)
    np.testing.assert_allclose(coarse, fine, rtol=0, atol=1e-12)
    other = scenario.model_copy(update={"physics_hz": 2 * scenario.physics_hz})
    assert np.abs(np.subtract(gusts(other, folder, 0.1), coarse[:10])).max() > 1e-3


def test_draws_must_go_with_the_ticks(tmp_path):
    (tmp_path / "w.yaml").write_text("physics_hz: 1000\ndraws_hz: 300\nvehicles: [{model: quadcopter}]\n")
    with pytest.raises(InputError, match="draws_hz 300 does not divide physics_hz 1000"):
        cupola.load(str(tmp_path / "w.yaml"))


def test_the_measures_of_two_steps_are_compared():
    scenario, folder = find_scenario("hover")
    changes = converge(scenario.model_copy(update={"duration": 1.0}), folder, "hover", "hover")
    assert [one.measure for one in changes] == list(scenario.measures)
    assert all(one.share < 0.02 for one in changes if one.coarse is not None and abs(one.coarse) > 1e-3)
    assert Change("a", "m", 1.0, None).share == float("inf") and Change("a", "m", None, None).share == 0.0
