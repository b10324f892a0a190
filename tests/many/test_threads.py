"""The back-end `threads`: each world of a batch gives the bits of a single world, whatever happens to the others."""

import json
import logging

import numpy as np
import pytest
from scipy import stats

import cupola
from cupola import InputError

NUMBERS = {
    "quadcopter.velocity_kp": np.array([3.0, 3.5, 4.0]),
    "air.wind_speed": np.array([1.0, 4.0, 7.0]),
    "quadcopter.start.position[0]": np.array([0.0, 0.1, 0.2]),
    "quadcopter.base.mass": np.array([0.95, 1.0, 1.05]),
}


@pytest.fixture
def square():
    with cupola.batch("square", 3, NUMBERS, seeds=[11, 12, 13]) as worlds:
        yield worlds


def alone(i: int) -> cupola.World:
    """A single world with the numbers of world `i`, given to it by hand."""
    scenario = cupola.Scenario.load("square").with_({"seed": 11 + i})
    x = float(NUMBERS["quadcopter.start.position[0]"][i])
    world = cupola.load(scenario.with_({"vehicles[0].position": [x, 0.0, 0.02]}))
    for name in ("quadcopter.velocity_kp", "air.wind_speed"):
        world.tune(name, float(NUMBERS[name][i]))
    now = world.inertia("quadcopter/base")
    world.set_inertia("quadcopter/base", float(NUMBERS["quadcopter.base.mass"][i]), now.com_b, now.about_com)
    world.reset()
    return world


def test_every_world_is_a_single_one_to_the_bit(square):
    square.step(700)
    square.step(1)
    square.run(0.1495)
    for i, world in enumerate(square.worlds):
        single = alone(i)
        single.run(0.5)
        assert world.state_hash() == single.state_hash()
    assert square.ticks.tolist() == [1000] * 3 and square.time.tolist() == [0.5] * 3


class Nervous(cupola.Controller):
    """In plain Python, called between ticks; after half of a tenth of a second it gives up."""

    def step(self, obs, ref):
        if obs.time > 0.05 and obs.pos_w.x > 0.15:
            raise RuntimeError("lost my nerve")
        return [0.5 + 0.1 * obs.vel_w.z] * 4


def test_a_controller_in_plain_python_flies_each_world_and_its_exception_ends_only_its_own():
    given = {"quadcopter.start.position[0]": [0.0, 0.1, 0.2]}
    with cupola.batch("quadcopter", 3, given, controllers={"quadcopter": Nervous}) as worlds:
        worlds.run(0.1)
        single = cupola.load("quadcopter", controllers={"quadcopter": Nervous})
        single.run(0.1)
        assert worlds.worlds[0].state_hash() == single.state_hash()
        assert list(worlds.stopped) == [2] and "lost my nerve" in worlds.stopped[2]
        assert worlds.ticks.tolist()[:2] == [200, 200] and worlds.ticks[2] < 200


def test_a_world_that_runs_away_stops_alone_and_says_why(square, caplog):
    square.set("quadcopter.base.mass", 1e-9, mask=[1])  # so light that the first thrust throws it away
    with caplog.at_level(logging.WARNING, "cupola"):
        square.step(100)
    assert list(square.stopped) == [1] and "runs away" in square.stopped[1] and "world 1 of 3" in caplog.text
    assert square.ticks[1] < 100 and square.alive.tolist() == [True, False, True]
    for i in (0, 2):
        single = alone(i)
        single.step(100)
        assert square.worlds[i].state_hash() == single.state_hash()
    square.set("quadcopter.base.mass", 1.0, mask=[1])
    square.reset([1])
    square.step(100)
    assert not square.stopped and square.ticks.tolist() == [200, 100, 200]


def test_a_masked_reset_leaves_the_others_in_flight(square):
    square.step(50)
    before = square.worlds[0].state_hash()
    square.reset(np.array([False, True, False]))
    assert square.ticks.tolist() == [50, 0, 50] and square.worlds[0].state_hash() == before
    square.reset([1, 2], seeds=[5, 6])
    assert [int(w.arrays.world["seed"][0]) for w in square.worlds] == [11, 5, 6] and square.seeds.tolist() == [11, 5, 6]


def test_numbers_are_drawn_from_the_seed_and_the_name():
    spread = stats.uniform(0.9, 0.2)
    names = [f"quadcopter.motor{k}.k_motor" for k in (1, 2)]
    motors = {name: stats.uniform(75.0, 10.0) for name in names}
    with cupola.batch("quadcopter", 3, {"quadcopter.base.mass": spread, **motors}, seeds=[1, 2, 1]) as worlds:
        masses = [w.inertia("quadcopter/base").mass for w in worlds.worlds]
        assert masses[0] == masses[2] != masses[1] and all(0.9 <= mass <= 1.1 for mass in masses)
        first, second = (worlds.worlds[0].parameters[name][1] for name in names)
        assert first != second  # two motors of one vehicle are not alike
        worlds.reset([2], seeds=[7])
        assert worlds.worlds[2].inertia("quadcopter/base").mass == masses[0]  # a reset alone keeps them
        worlds.reset([2], redraw=True)
        assert worlds.worlds[2].inertia("quadcopter/base").mass not in masses


def test_signals_state_and_measures_are_those_of_each_world(square):
    square.step(400)
    names = ["quadcopter.position", "quadcopter.speed", "quadcopter.imu.rate_s.z", "quadcopter.motor1.thrust"]
    seen, motion, measures = square.observe(names), square.state(), square.measures()
    for i, world in enumerate(square.worlds):
        one = [value for name in names for value in np.atleast_1d(world.signal(name))]
        assert seen[i].tolist() == one
        now = world.motion()
        assert (motion.time[i], *motion.pos_w[i]) == (now.time, *now.pos_w)
        assert (*motion.quat_wb[i], *motion.vel_w[i], *motion.rate_b[i]) == (*now.quat_wb, *now.vel_w, *now.rate_b)
        assert measures["largest tilt"][i] == world.measures()["largest tilt"].value
    assert np.isnan(measures["landed after"]).all()
    assert "quadcopter.position.z" in [one.name for one in square.signals()]


def test_chosen_worlds_are_recorded_as_a_single_one_is(square, tmp_path):
    (path,) = square.record([2], tmp_path)
    square.run(0.2)
    square.close()
    assert [p.name for p in tmp_path.iterdir()] == ["world_2.mcap"]
    found = cupola.Recording(path)
    assert found.ending["state_sha256"] == square.worlds[2].state_hash()


def test_a_number_of_the_scenario_builds_the_world_anew(square):
    square.set("scenario.gravity", [9.81, 1.62, 3.71])
    assert [w.model.opt.gravity[2] for w in square.worlds] == [-9.81, -1.62, -3.71]
    assert [w.inertia("quadcopter/base").mass for w in square.worlds] == NUMBERS["quadcopter.base.mass"].tolist()
    square.step(1)
    assert not square.stopped


def test_sticks_of_each_world():
    with cupola.batch("hover", 2) as worlds:
        worlds.set("quadcopter.sticks", [[0.5, 0, 0, 0], [-0.5, 0, 0, 0]])
        worlds.run(1.0)
        y = worlds.state("quadcopter").pos_w[:, 1]
        assert y[0] < -0.05 and y[1] > 0.05


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ({"quadcopter.velocity_kp": [1.0, 2.0]}, "each of 3 worlds, got 2"),
        ({"quadcopter.velocity_kp": [1.0, np.nan, 2.0]}, "finite numbers"),
        ({"quadcopter.velocity_kq": 1.0}, "velocity_kp"),
        ({"quadcopter.start.place[0]": 1.0}, "position"),
        ({"scenario.physics_hz": 1000}, "the same in all worlds"),
    ],
)
def test_what_cannot_be_given_is_named(numbers, said):
    with pytest.raises(InputError, match=said.replace("[", r"\[")):
        cupola.batch("square", 3, numbers)


def test_what_cannot_be_asked_for_is_named(square):
    with pytest.raises(InputError, match="'gpu'; there are: threads"):
        cupola.batch("square", 2, backend="gpu")
    with pytest.raises(InputError, match="each of 3 worlds, got shape"):
        square.reset(np.ones(8, bool))
    with pytest.raises(InputError, match="there is no signal"):
        square.observe(["quadcopter.sped"])
    with pytest.raises(InputError, match="there is no vehicle 'plane'; there are: quadcopter"):
        square.state("plane")
    with pytest.raises(InputError, match="3 whole numbers"):
        cupola.batch("square", 3, seeds=[1, 2])


def test_a_body_takes_another_mass_whatever_the_order_of_its_moments():
    world = cupola.load("crazyflie")  # its largest moment is about x
    now = world.inertia("crazyflie/base")
    world.set_inertia("crazyflie/base", 0.04, now.com_b, now.about_com)
    assert world.inertia("crazyflie/base") == now._replace(mass=0.04)
    with pytest.raises(InputError, match="MuJoCo cannot turn the principal axes of 'crazyflie/base'"):
        world.set_inertia("crazyflie/base", 0.04, now.com_b, [4e-5, 3e-5, 3e-5, 1e-6, 0, 0])
    assert world.inertia("crazyflie/base").mass == 0.04
    world.step(10)


TABLED = """about: a toy
root: base
parts:
  aero:
    kind: table_aero
    site: base
    constants: {push: 10.0}
    tables:
      polar: {over: {alpha: [-1.0, 0.0, 1.0], mach: [0.0, 0.2]}, values: [-9.0, -7.0, 0.0, 0.0, 9.0, 7.0]}
    force: {x: push - 0.01 * u * u, z: -polar * dynamic_pressure * 0.1}
controller: {use: idle, rate_hz: 100}
"""


def test_aircraft_from_tables_fly_in_a_batch_with_constants_of_their_own(tmp_path):
    (tmp_path / "vehicle.yaml").write_text(TABLED)
    (tmp_path / "model.xml").write_text(
        '<mujoco><worldbody><body name="base"><freejoint/><site name="base"/>'
        '<inertial pos="0 0 0" mass="10" diaginertia="1 2 3"/></body></worldbody></mujoco>'
    )
    entry = {"model": str(tmp_path), "name": "toy", "position": [0, 0, 500], "velocity_b": [30, 0, -2]}
    scenario = cupola.Scenario.model_validate_json(json.dumps({"vehicles": [entry], "physics_hz": 1000, "floor": None}))
    pushes = np.array([1.0, 5.0, 25.0])
    with cupola.batch(scenario, 3, {"toy.aero.push": pushes}) as worlds:
        worlds.run(0.3)
        speeds = [world.motion().vel_w.x for world in worlds.worlds]
        for world, push in zip(worlds.worlds, pushes, strict=True):
            single = cupola.load(scenario)
            single.tune("toy.aero.push", float(push))
            single.reset()
            single.run(0.3)
            assert np.array_equal(single.data.qpos, world.data.qpos) and np.array_equal(
                single.data.qvel, world.data.qvel
            )
    assert np.all(np.diff(speeds) > 0.1)
